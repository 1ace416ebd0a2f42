"""The server cannot draw alone: it commits itself, the client contributes, and everybody can draw the same deals again."""

import copy
import json
import re
import secrets
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of, table_at
from test_bots import RemoteBot
from test_invitations import look, play_out
from visitors import Guest, Json, Visitor, first_legal, moment

from retruco.cli.verify import verify_file
from retruco.games.truco import Truco
from retruco.web.core.store import Sitter, Store, StoredMatch
from retruco.web.review.review_routes import draw_evidence
from retruco.web.tables.fairness import HONEST, Draw, Share
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.verification import PlayerNotes, verify

client = serving.client

DOCS = Path(__file__).parents[2] / "docs" / "web.md"


def contribution(visitor: Visitor) -> dict[str, str]:
    """What a browser gives: random bytes, drawn once the server has committed itself."""
    answer = visitor.post("/api/draws")
    assert answer.status_code == 201
    return {"commitment": answer.json()["commitment"], "contribution": secrets.token_hex(32)}


def noted(given: dict[str, str]) -> PlayerNotes:
    return PlayerNotes(given["commitment"], given["contribution"])


def export(visitor: Visitor, match: str) -> Json:
    found: Json = visitor.get(f"/api/matches/{match}/export").json()
    return found


def test_deals_are_drawn_from_the_server_s_secret_and_the_client_s_contribution(client: TestClient) -> None:
    visitor = Visitor(client)
    given = contribution(visitor)
    match = visitor.finished(target=6, **given)
    saved = export(visitor, match)
    (share,) = saved["draw"]
    assert (share["commitment"], share["contribution"], share["seat"]) == (*given.values(), 0)
    assert sha256(share["secret"].encode()).hexdigest() == given["commitment"]
    game, draw = Truco.named("cbtg"), Draw((Share(share["secret"], share["contribution"]),))
    drawn = [str(game.deal(draw.stream(f"deal {hand}"))) for hand in range(len(saved["seals"]))]
    assert drawn == [one["deal"] for one in saved["seals"]]
    found = verify(saved, noted(given))
    assert (found.differs, found.notes) == ([], [])
    assert len(found.agrees) == 3 * len(saved["seals"]) + 3


def test_another_contribution_gives_other_deals() -> None:
    game, secret = Truco.named("cbtg"), "00" * 32
    drawn = {str(game.deal(Draw((Share(secret, f"{one:032x}"),)).stream("deal 0"))) for one in range(200)}
    assert len(drawn) == 200


def test_no_answer_before_the_end_has_the_secret(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.open(target=6, **contribution(visitor))
    stored = registry_of(client).store.load(match)
    assert stored is not None
    (share,) = stored.shares
    shown = ""
    while not (frame := visitor.now(match))["end"]:
        for path in ("", "/hands", "/replay", "/export"):
            shown += visitor.get(f"/api/matches/{match}{path}").text
        shown += visitor.get(f"/table/{match}").text
        shown += visitor.act(match, frame["number"], first_legal(frame)).text
        shown = shown.replace(str(visitor.now(match)["end"]), "")
        assert share.secret not in shown
    assert share.commitment in shown
    assert share.secret in json.dumps(export(visitor, match))


def test_a_commitment_serves_once_and_only_who_asked_for_it(client: TestClient) -> None:
    visitor, other = Visitor(client), Visitor(client)
    given = contribution(visitor)
    for who, code in ((other, 409), (visitor, 409)):  # the stranger has used it up
        assert who.post("/api/matches", {"opponent": "random", **given}).status_code == code
    given = contribution(visitor)
    assert visitor.post("/api/matches", {"opponent": "random", **given}).status_code == 201
    assert visitor.post("/api/matches", {"opponent": "random", **given}).status_code == 409
    for name in given:
        half = {"opponent": "random", name: given[name]}
        assert visitor.post("/api/matches", half).status_code == 422
    for wrong in ("x" * 64, "AB" * 32, "00" * 15, "00" * 33):
        fresh = {**contribution(visitor), "contribution": wrong}
        assert visitor.post("/api/matches", {"opponent": "random", **fresh}).status_code == 422


def test_a_match_without_a_contribution_says_that_the_server_has_drawn_alone(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.open(target=2)
    assert 'id="drawn-alone"' in visitor.get(f"/table/{match}").text
    visitor.play_out(match)
    found = verify(export(visitor, match))
    assert found.differs == []
    assert found.notes == ["no client contributed: the server has drawn alone"]
    with_given = visitor.open(**contribution(visitor))
    assert 'id="drawn-alone"' not in visitor.get(f"/table/{with_given}").text


def test_two_people_both_contribute(client: TestClient) -> None:
    host, guest = Visitor(client), Visitor(client)
    first, second = contribution(host), contribution(guest)
    name = host.post("/api/invitations", {"target": 4, **first}).json()["invitation"]
    answer = guest.post(f"/api/invitations/{name}/accept", second).json()
    assert answer["draw"] == [{"seat": 0, **first}, {"seat": 1, **second}]
    play_out(host, guest, name)
    saved = export(guest, name)
    for given in (first, second):
        assert verify(saved, noted(given)).differs == []
    third, fourth = contribution(host), contribution(guest)
    assert host.post(f"/api/matches/{name}/rematch", third).json()["waiting"] is True
    again = guest.post(f"/api/matches/{name}/rematch", fourth).json()["match"]
    host.post(f"/api/matches/{again}/resign", {"number": look(host, again)["number"]})
    assert [one["seat"] for one in export(host, again)["draw"]] == [0, 1]
    assert verify(export(host, again), noted(third)).differs == []
    assert verify(export(host, again), noted(fourth)).differs == []


def test_forms_contribute_too(client: TestClient) -> None:
    guest = Guest(client)
    given = contribution(guest)
    where = guest.send("/play", level="easy", **given).headers["location"]
    assert given["contribution"] in guest.get(where).text
    invited = contribution(guest)
    link = guest.send("/invite", target="2", clock="none", **invited).headers["location"]
    friend = Guest(client)
    joined = contribution(friend)
    table = friend.send(link, **joined).headers["location"]
    assert {invited["contribution"], joined["contribution"]} <= set(
        re.findall(r"\b[0-9a-f]{64}\b", friend.get(table).text)
    )
    assert guest.send("/play", level="easy", **given).status_code == 409
    assert guest.send("/play", level="easy", commitment="x", contribution="y").status_code == 422


def test_bots_receive_the_seal_and_contribute(client: TestClient) -> None:
    bots = [RemoteBot(client), RemoteBot(client)]
    given = [
        {
            "commitment": bot.ask("POST", "/draws").json()["commitment"],
            "contribution": secrets.token_hex(16),
        }
        for bot in bots
    ]
    (match,) = {bot.open(opponent="bot", target=3, **one) for bot, one in zip(bots, given, strict=True)} - {
        None
    }
    seals: dict[int, str] = {}
    over = False
    while not over:
        for bot in bots:
            told = bot.turn(match, wait=0)
            assert seals.setdefault(told["hand"], told["seal"]) == told["seal"]
            over = told["state"] == "over"
            if told["your_turn"]:
                may = told["seen"]["legal"]
                bot.act(match, told["number"], "nao-quero" if "nao-quero" in may else may[0])
    saved = Visitor(client).get(f"/api/matches/{match}/export").json()
    for one in given:
        found = verify(saved, PlayerNotes(**one, seals=seals))
        assert found.differs == []
        assert "hand 1: its seal was shown before it" in found.agrees


@pytest.mark.parametrize(("game", "agent"), [("holdem", "rulebot"), ("euchre", "random"), ("kuhn", "random")])
def test_tables_of_every_game_are_drawn_alike(client: TestClient, game: str, agent: str) -> None:
    guest = Guest(client)
    given = contribution(guest)
    where = guest.sit_down(game, seat1=agent, **given)
    secret = table_at(client, where).stored.shares[0].secret
    for _ in range(2):
        page = guest.play_hand(where)
        assert given["commitment"] in page
        assert secret not in page
    export = f"/api/matches/{where.rpartition('/')[2]}/export"
    assert guest.get(export).status_code == 403
    guest.send(f"{where}/leave", number=moment(guest.page(where)))
    found = verify(guest.get(export).json(), noted(given))
    assert found.differs == []
    assert len(found.agrees) > 4


# What does not agree is found


def altered(saved: Json, change: str) -> Json:
    """A saved match with one thing changed."""
    found = copy.deepcopy(saved)
    if change == "secret":
        found["draw"][0]["secret"] = "00" * 32
    elif change == "contribution":
        found["draw"][0]["contribution"] = "00" * 32
    elif change == "first":
        found["first"] = 1 - found["first"]
    elif change == "deal":
        deal = found["seals"][0]["deal"].split(" / ")
        found["seals"][0]["deal"] = " / ".join(reversed(deal))
    elif change == "salt":
        found["seals"][0]["salt"] = "00"
    else:
        found["hands"][0]["hands"].reverse()
    return found


@pytest.fixture(scope="module")
def saved(client: TestClient) -> Json:
    visitor = Visitor(client)
    return export(visitor, visitor.finished(target=4, **contribution(visitor)))


@pytest.mark.parametrize("change", ["secret", "contribution", "first", "deal", "salt", "hands"])
def test_whatever_is_changed_is_found(
    saved: Json, change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(altered(saved, change)))
    assert verify_file(str(file), "", "", as_json=False) == 1
    assert "does not agree" in capsys.readouterr().err


def test_a_seal_or_a_share_other_than_noted_is_found(saved: Json) -> None:
    assert verify(saved, PlayerNotes(seals={0: "0" * 64})).differs == ["hand 1: its seal was shown before it"]
    assert verify(saved, PlayerNotes(commitment="0" * 64)).differs == ["what you noted is among the shares"]


def test_the_command_says_what_it_has_found(
    saved: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    (share,) = saved["draw"]
    assert verify_file(str(file), share["commitment"], share["contribution"], as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["differs"] == []
    for text in ("", "[]", "{}", '{"game": "truco"}', '{"game": "none", "rules": "x", "target": 1}'):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"match|game"):
            verify_file(str(file), "", "", as_json=False)


def test_the_program_in_the_docs_checks_a_match(saved: Json, tmp_path: Path) -> None:
    found = re.search(r"```python\n(import hashlib.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    (tmp_path / "check.py").write_text(found[1])
    file = tmp_path / "match.json"
    for plain, code in ((saved, 0), (altered(saved, "contribution"), 1)):
        file.write_text(json.dumps(plain))
        command = [sys.executable, str(tmp_path / "check.py"), str(file)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code


# Matches that go on


def test_a_match_goes_on_with_the_same_draw_after_a_restart(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.open(target=30, **contribution(visitor))
    registry = registry_of(client)
    stored = registry.store.load(match)
    assert stored is not None
    first, again = (str(LiveTable(stored, registry.store)._deal(1)) for _ in range(2))
    assert first == again


def test_a_match_from_before_deals_were_drawn_together_is_played_on(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    game = Truco.named("cbtg", 2)
    sitters = (Sitter(visitor="somebody"), Sitter(agent="random"))
    store.add(StoredMatch("old", "cbtg", 2, 0, 1, "match", sitters, deals=(HONEST.deal(game),)))
    stored = store.load("old")
    assert stored is not None
    live = LiveTable(stored, store)
    while (seat := live.to_act) is not None:
        live.act(
            seat,
            "baralho" if "baralho" in live.table.state.legal else live.table.state.legal[0],
            live.last_number,
        )
    plain = {"game": "truco", "rules": "cbtg", "target": 2, **draw_evidence(live)}
    found = verify(plain)
    assert found.differs == []
    assert "only the seals" in found.notes[0]
    store.close()
