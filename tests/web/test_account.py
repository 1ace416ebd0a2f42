"""Hands are kept only of who agreed, and whoever agreed can see, take along and delete them."""

import json
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, registry_of
from test_bots import RemoteBot
from test_invitations import play_out, seated
from test_questionnaire import fold
from visitors import Visitor, first_legal

from retruco.games.truco.notation import read
from retruco.storage.store import open_store
from retruco.vocab.truco import rows
from retruco.web.account.consent_recorder import ConsentRecorder
from retruco.web.account.hand_archive import HandArchive, HandToArchive
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.core.store import Store
from retruco.web.people.profiles import People

client = serving.client


def kept(client: TestClient, visitor: Visitor) -> list[dict[str, object]]:
    """Somebody's kept hands, once the recorder has nothing left to do."""
    registry_of(client).recorder._hands.submit(lambda: None).result()
    found: list[dict[str, object]] = visitor.get("/api/me/hands").json()["hands"]
    return found


def stored(client: TestClient, base: str) -> dict[int, dict[str, object]]:
    with open_store(registry_of(client).settings.case_file) as store, store.reading() as reader:
        if reader.find(base) is None:
            return {}
        return {number: hand.record for number, hand in store.hands(base)}


def test_without_consent_nothing_is_kept(client: TestClient) -> None:
    visitor = Visitor(client)
    visitor.finished()
    assert kept(client, visitor) == []
    visitor.post("/api/me/consent", {"agrees": False})
    visitor.finished()
    assert kept(client, visitor) == []


def test_every_finished_hand_becomes_a_case_of_who_agreed(client: TestClient) -> None:
    visitor = Visitor(client)
    assert visitor.post("/api/me/consent", {"agrees": True}).json()["agrees"] is True
    match = visitor.finished(target=6)
    hands = kept(client, visitor)
    live = registry_of(client).find(match)
    assert live is not None
    assert len(hands) == len(live.table.hands) > 0
    base = stored(client, "people-cbtg")
    for one in hands:
        record = base[int(str(one["number"]))]
        end = live.table.hands[int(str(one["hand"]))].state
        assert read(record).actions == end.actions
        assert rows(record, 0, 1) == rows(end.record(), 0, 1)
        assert visitor.cookies["retruco_seat"] not in json.dumps(record)


def test_of_two_people_only_the_one_who_agreed_is_kept(client: TestClient) -> None:
    host, guest, match = seated(client)
    host.post("/api/me/consent", {"agrees": True})
    play_out(host, guest, match)
    assert {one["seat"] for one in kept(client, host)} == {0}
    assert kept(client, guest) == []


def test_practice_and_repeated_deals_are_not_kept(client: TestClient) -> None:
    visitor = Visitor(client)
    visitor.post("/api/me/consent", {"agrees": True})
    visitor.play_out(visitor.open(practice=True))
    match = visitor.finished()
    count = len(kept(client, visitor))
    again = visitor.post(f"/api/matches/{match}/again").json()["match"]
    visitor.play_out(again)
    assert len(kept(client, visitor)) == count


@pytest.mark.slow
def test_a_bot_agrees_when_it_is_made(client: TestClient) -> None:
    for agrees in (True, False):
        bot = RemoteBot(client, keep=agrees)
        match = bot.open(target=2)
        while (told := bot.turn(match))["state"] != "over":
            legal = told["seen"]["legal"]
            bot.act(match, told["number"], "nao-quero" if "nao-quero" in legal else legal[0])
        registry_of(client).recorder._hands.submit(lambda: None).result()
        live = registry_of(client).find(match)
        assert live is not None
        visitor = live.stored.sitters[0].visitor
        assert visitor is not None
        assert bool(registry_of(client).archive.of(visitor)) is agrees


def test_ones_own_hands_can_be_taken_along(client: TestClient) -> None:
    visitor = Visitor(client)
    visitor.post("/api/me/consent", {"agrees": True})
    visitor.finished()
    hands = kept(client, visitor)
    answer = visitor.get("/api/me/hands/export")
    assert "attachment" in answer.headers["content-disposition"]
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert len(lines) == len(hands)
    for line in lines:
        assert read(line).outcome is not None


def test_a_match_that_goes_on_is_not_taken_along_since_its_records_show_both_hands(
    client: TestClient,
) -> None:
    visitor = Visitor(client)
    visitor.post("/api/me/consent", {"agrees": True})
    match = visitor.open(target=30)
    while not kept(client, visitor):
        frame = visitor.now(match)
        visitor.act(match, frame["number"], first_legal(frame))
    assert visitor.get("/api/me/hands/export").text == ""
    frame = visitor.now(match)
    visitor.post(f"/api/matches/{match}/resign", {"number": frame["number"]})
    assert visitor.get("/api/me/hands/export").text.count("\n") == len(kept(client, visitor))


def test_who_deletes_hands_deletes_them_everywhere_and_only_their_own(client: TestClient) -> None:
    one, other = Visitor(client), Visitor(client)
    for visitor in (one, other):
        visitor.post("/api/me/consent", {"agrees": True})
        visitor.finished()
    mine, theirs = kept(client, one), kept(client, other)
    names = [hand["id"] for hand in mine + theirs]
    assert one.post("/api/me/hands/delete", {"hands": names}).json()["deleted"] == len(mine)
    assert kept(client, one) == []
    assert kept(client, other) == theirs
    left = set(stored(client, "people-cbtg"))
    assert left.isdisjoint(int(str(hand["number"])) for hand in mine)
    assert left >= {int(str(hand["number"])) for hand in theirs}


@pytest.mark.slow
def test_whoever_wants_is_forgotten_altogether(client: TestClient) -> None:
    host, guest, match = seated(client)
    host.post("/api/me/consent", {"agrees": True})
    host.post("/api/me/name", {"name": "Ana"})
    play_out(host, guest, match)
    alone = host.post("/api/study").json()["match"]
    host.play_out(alone, fold)
    host.post(
        f"/api/matches/{alone}/opinion",
        dict.fromkeys(("competence", "coherence", "predictability", "fun"), 4),
    )
    assert kept(client, host)
    assert host.post("/api/me/forget").json() == {"forgotten": True}
    assert kept(client, host) == []
    assert host.get("/api/me/person").json() == {"name": "", "asked": False, "agrees": False}
    assert host.get("/api/me").json()["matches"] == []
    assert host.get(f"/api/matches/{alone}/replay").status_code == 404
    for path in ("", "/replay", "/export", "/hands"):
        assert guest.get(f"/api/matches/{match}{path}").status_code == 410
        assert host.get(f"/api/matches/{match}{path}").status_code == 410
    assert [one["over"] for one in guest.get("/api/me").json()["matches"]] == [True]


@pytest.mark.parametrize("path", ["consent", "name", "hands/delete", "forget"])
def test_nothing_of_this_happens_without_the_key_of_our_pages(client: TestClient, path: str) -> None:
    visitor = Visitor(client)
    visitor.form_key = "0" * 64
    bodies = {"consent": {"agrees": True}, "name": {"name": "x"}, "hands/delete": {"hands": []}}
    assert visitor.post(f"/api/me/{path}", bodies.get(path)).status_code == 403


def test_the_page_lists_and_deletes(client: TestClient) -> None:
    visitor = Visitor(client)
    visitor.post("/api/me/consent", {"agrees": True})
    visitor.finished()
    hands = kept(client, visitor)
    assert visitor.get("/me/hands").text.count('class="quiet delete"') == len(hands)
    form = {"form_key": visitor.form_key, "hand": str(hands[0]["id"])}
    assert visitor.request("POST", "/me/hands/delete", data=form).status_code == 303
    assert len(kept(client, visitor)) == len(hands) - 1
    visitor.request("POST", "/me/hands/delete", data={**form, "hand": "all"})
    assert kept(client, visitor) == []


def finished(number: int) -> HandToArchive:
    record = {"game": "truco", "rules": "cbtg", "target": 24, "scores": [0, 0], "mao": 0,
              "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]], "actions": ["truco", "nao-quero"]}  # fmt: skip
    return HandToArchive("people-cbtg", "cbtg", "somebody", "match", number, 0, record)


@pytest.mark.slow
def test_a_crash_between_two_stores_neither_loses_nor_doubles_a_hand(tmp_path: Path) -> None:
    store, cases = Store(tmp_path / "t.sqlite"), tmp_path / "cases.db"
    archive = HandArchive(store, cases)
    assert len(archive.keep([finished(0), finished(1)])) == 2
    assert archive.keep([finished(0), finished(1)]) == []
    # As if the power had gone after the hand was in its base, and before its number was written down...
    store.change(lambda base: base.execute("UPDATE kept SET number = NULL WHERE hand = 1"))
    # ... and once more before it was in its base.
    archive._enter(finished(2))
    again = HandArchive(store, cases)
    assert sorted(one.hand for one in again.of("somebody")) == [0, 1]
    again.keep([finished(0), finished(1), finished(2)])
    assert sorted(one.hand for one in again.of("somebody")) == [0, 1, 2]
    with open_store(cases) as opened:
        assert opened.facts("people-cbtg").hands == 3
    store.close()


@pytest.mark.slow
def test_hands_that_a_crash_left_over_are_kept_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / "t.sqlite", limits=GENEROUS)
    with monkeypatch.context() as gone:
        gone.setattr(ConsentRecorder, "look", lambda *_: None)
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            visitor = Visitor(client)
            visitor.post("/api/me/consent", {"agrees": True})
            match = visitor.finished()
            assert kept(client, visitor) == []
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        visitor.http = client
        live = registry_of(client).find(match)
        assert live is not None
        assert len(kept(client, visitor)) == len(live.table.hands)


def test_what_was_deleted_stays_deleted_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "t.sqlite", limits=GENEROUS)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        visitor = Visitor(client)
        visitor.post("/api/me/consent", {"agrees": True})
        visitor.finished(target=6)
        hands = kept(client, visitor)
        visitor.post("/api/me/hands/delete", {"hands": [hands[0]["id"]]})
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        visitor.http = client
        assert kept(client, visitor) == hands[1:]
        assert len(stored(client, "people-cbtg")) == len(hands) - 1


def test_people_are_found_again_after_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    People(store).add_bot("a bot", "its name", agrees=True)
    again = People(store)
    assert again.is_bot("a bot")
    assert again.find("a bot").name == "its name"
    assert again.find("nobody").asked is None
    store.close()
