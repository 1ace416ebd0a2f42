"""Consent of two people: whole hands only if both agree, else what one saw; and forgetting reaches every copy."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, StackedDealer, registry_of
from test_account import kept, stored
from test_bots import RemoteBot
from test_invitations import look, play_out, seated
from visitors import Visitor, legal, play_together, sit_together

from retruco.games.core import BadRecord, State
from retruco.games.records import replay
from retruco.games.truco import TrucoState
from retruco.games.truco.notation import read
from retruco.learning.case_bases import cases_named
from retruco.storage.exchange import import_exchanged, write_jsonl
from retruco.storage.library import Library
from retruco.storage.reading import Hand
from retruco.storage.store import HOME, open_store
from retruco.vocab.truco import rows
from retruco.vocab.truco.one_sided import is_one_sided, one_sided
from retruco.web.account.consent_recorder import ConsentRecorder
from retruco.web.account.person_hands import PersonHand, hands_of_person
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.core.store import STEPS

DEALS = ("1e 7c 4b / 3o 2c 5e", "1b 6o 12c / 2e 7o 10b", "7e 3c 4o / 1o 6e 11c")
"""Nobody has a flor, and no card is dealt twice over all three."""
BASE = "people-cbtg"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    app = create_app(settings, serving.cases_of, StackedDealer(*DEALS))
    with TestClient(app, base_url="http://localhost") as found:
        yield found


def consent(visitor: Visitor, agrees: bool) -> None:
    assert visitor.post("/api/me/consent", {"agrees": agrees}).json()["agrees"] is agrees


def fold_after_a_card(host: Visitor, guest: Visitor, match: str) -> None:
    """Play a match in which every hand ends with cards that nobody has shown."""
    while not (frame := look(host, match))["end"]:
        mover = host if frame["to_act"] == frame["seat"] else guest
        shown = look(mover, match)
        may = legal(shown)
        played = len([one for one in shown["plays"] if one]) if "plays" in shown else 0
        action = "baralho" if played > 1 and "baralho" in may else shown["can"]["cards"][0]
        assert mover.act(match, shown["number"], action).status_code == 200


def ends(client: TestClient, match: str) -> list[TrucoState]:
    live = registry_of(client).find(match)
    assert live is not None
    return [hand.state for hand in live.table.hands if isinstance(hand.state, TrucoState)]


def unseen(end: TrucoState, seat: int) -> set[str]:
    """The cards of the other that a seat never saw."""
    shown = {str(play.card) for play in end.observe(seat).rounds.plays if play.card is not None}
    return {str(card) for card in end.hands[1 - seat]} - shown


def shows(text: str, card: str) -> bool:
    """Whether a card is named in some JSON, open or face down."""
    return f'"{card}"' in text or f'"down:{card}"' in text


def played_match(client: TestClient, host_agrees: bool, guest_agrees: bool) -> tuple[Visitor, Visitor, str]:
    host, guest, match = seated(client, target=6)
    consent(host, host_agrees)
    consent(guest, guest_agrees)
    guest.post("/api/me/name", {"name": "Berta"})
    fold_after_a_card(host, guest, match)
    return host, guest, match


def bare(record: dict[str, object]) -> dict[str, object]:
    """A record without its name."""
    return {key: value for key, value in record.items() if key != "id"}


def test_of_who_refused_only_what_the_other_saw_is_kept(client: TestClient) -> None:
    host, guest, match = played_match(client, host_agrees=True, guest_agrees=False)
    hands, finished = kept(client, host), ends(client, match)
    assert len(hands) == len(finished) > 1
    assert kept(client, guest) == []
    assert any(unseen(end, 0) for end in finished)
    base = stored(client, BASE)
    for one in hands:
        end, record = finished[int(str(one["hand"]))], base[int(str(one["number"]))]
        assert one["whole"] is False
        assert bare(record) == json.loads(json.dumps(one_sided(end, 0)))
        text = json.dumps(record)
        assert not [card for card in unseen(end, 0) if shows(text, card)]
        for secret in (guest.cookies["retruco_seat"], "Berta", match):
            assert secret not in text
    with pytest.raises(BadRecord, match="as seat 0 saw it"):
        read(record)


def test_the_case_base_of_one_side_has_the_same_cases_as_the_whole_hand(client: TestClient) -> None:
    host, _, match = played_match(client, host_agrees=True, guest_agrees=False)
    hands = kept(client, host)
    by_number = {int(str(one["number"])): int(str(one["hand"])) for one in hands}
    finished = ends(client, match)
    with open_store(registry_of(client).settings.case_file) as store:
        base = Library(store).open(BASE, "truco")
    wanted = [row for number, place in by_number.items() for row in rows(finished[place].record(), 0, number)]
    assert len(wanted) > 0
    counts = {one.name: base.cases.count(one.name) for one in base.cases.vocabulary.scenarios}
    assert sum(counts.values()) == len(wanted)
    for number, place in by_number.items():
        record = stored(client, BASE)[number]
        assert rows(record, 0, number) == rows(finished[place].record(), 0, number)
        with pytest.raises(BadRecord, match="seat 1 has no part in it"):
            rows(record, 1, number)


def person_hands(client: TestClient, name: str) -> list[PersonHand]:
    """What a profile of a person would be made from."""
    settings = registry_of(client).settings
    return hands_of_person(settings.store, settings.case_file, name)


def test_a_profile_is_made_of_hands_that_everybody_agreed_to(client: TestClient) -> None:
    _, guest, match = played_match(client, host_agrees=True, guest_agrees=True)
    finished = ends(client, match)
    assert len(kept(client, guest)) == len(finished)
    found = person_hands(client, " Berta ")
    assert [(hand.seat, hand.end.record()) for hand in found] == [(1, end.record()) for end in finished]
    with pytest.raises(ValueError, match="nobody at this table is called 'Carla'"):
        person_hands(client, "Carla")
    consent(guest, False)
    with pytest.raises(ValueError, match="Berta has not agreed"):
        person_hands(client, "Berta")


def test_no_profile_is_made_of_hands_that_the_other_did_not_agree_to(client: TestClient) -> None:
    _, guest, _ = played_match(client, host_agrees=False, guest_agrees=True)
    assert kept(client, guest)
    assert person_hands(client, "Berta") == []


def test_where_both_agreed_both_hands_are_kept(client: TestClient) -> None:
    host, guest, match = played_match(client, host_agrees=True, guest_agrees=True)
    finished = ends(client, match)
    for visitor in (host, guest):
        hands = kept(client, visitor)
        assert len(hands) == len(finished)
        for one in hands:
            assert one["whole"] is True
            assert (
                bare(stored(client, BASE)[int(str(one["number"]))])
                == finished[int(str(one["hand"]))].record()
            )


def records_of(client: TestClient, base: str, hidden: set[str]) -> list[str]:
    """The records of a base that show some of these cards."""
    texts = [json.dumps(one) for one in stored(client, base).values()]
    return [text for text in texts if any(shows(text, card) for card in hidden)]


def test_who_is_forgotten_leaves_nothing_in_any_base_export_or_match(
    client: TestClient, tmp_path: Path
) -> None:
    host, guest, match = played_match(client, host_agrees=True, guest_agrees=True)
    hands = kept(client, host)
    finished = ends(client, match)
    hidden = set().union(*(unseen(end, 1) for end in finished))
    assert hidden
    with open_store(registry_of(client).settings.case_file) as store:
        Library(store).copy(BASE, "lab-copy")
        with (tmp_path / "hands.jsonl").open("wb") as file:
            write_jsonl(store.hands(BASE), file)
        import_exchanged(store, tmp_path / "hands.jsonl", "jsonl", "brought-back")
        Library(store).open("lab-copy", "truco")
    bases = (BASE, "lab-copy", "brought-back")
    assert all(records_of(client, base, hidden) for base in bases)
    host.post("/api/me/forget")
    theirs = kept(client, guest)
    assert len(theirs) == len(hands)
    for base in bases:
        assert not records_of(client, base, hidden)
        assert len(stored(client, base)) == len(theirs)
        assert all(is_one_sided(one) for one in stored(client, base).values())
    lines = guest.get("/api/me/hands/export").text
    assert len(lines.splitlines()) == len(theirs)
    assert not [card for card in hidden if shows(lines, card)]
    for path in ("replay", "export"):
        assert guest.get(f"/api/matches/{match}/{path}").status_code == 410
    assert "forgotten" in guest.get(f"/replay/{match}/0?lang=en").text
    with sqlite3.connect(registry_of(client).settings.store) as base_file:
        for table in ("hand", "action", "share"):
            assert base_file.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    base_file.close()
    guest.post("/api/me/forget")
    assert all(not stored(client, base) for base in bases)


def test_a_hand_that_one_takes_back_becomes_one_sided_for_the_other(client: TestClient) -> None:
    host, guest, _ = played_match(client, host_agrees=True, guest_agrees=True)
    first = next(one for one in kept(client, host) if one["hand"] == 0)
    assert host.post("/api/me/hands/delete", {"hands": [first["id"]]}).json() == {"deleted": 1}
    for one in kept(client, guest):
        assert one["whole"] is (one["hand"] != 0)
        assert is_one_sided(stored(client, BASE)[int(str(one["number"]))]) is (one["hand"] == 0)
    assert len(kept(client, host)) == len(kept(client, guest)) - 1


def test_who_is_forgotten_in_the_middle_of_a_match_ends_it(client: TestClient) -> None:
    host, guest, match = seated(client, target=6)
    host.post("/api/me/forget")
    answer = guest.get(f"/api/matches/{match}/events")
    assert answer.status_code == 410
    (line,) = guest.get("/api/me").json()["matches"]
    assert (line["over"], line["won"], line["ending"]) == (True, True, "left")


def test_bots_that_do_not_agree_are_not_shown_in_the_hands_of_those_that_do(client: TestClient) -> None:
    open_one, private = RemoteBot(client, keep=True), RemoteBot(client)
    match = open_one.open(opponent="bot", target=2)
    assert private.open(opponent="bot", target=2) == match
    over = False
    while not over:
        for bot in (open_one, private):
            told = bot.turn(match, wait=0)
            over = told["state"] == "over"
            if told["your_turn"]:
                may = told["seen"]["legal"]
                bot.act(match, told["number"], "baralho" if "baralho" in may else may[0])
    registry_of(client).recorder.in_turn(lambda: None)
    records = list(stored(client, BASE).values())
    assert len(records) == len(ends(client, match))
    assert all(is_one_sided(one) for one in records)


# Other games: a hand is kept whole, or not at all

OTHER_GAMES = pytest.mark.parametrize(
    ("game", "rules", "target"),
    [("holdem", "limit-2", 4), ("euchre", "classic", 2), ("kuhn", "two-seats", 6)],
)


@OTHER_GAMES
def test_hands_of_every_game_are_kept_exported_and_deleted(
    client: TestClient, game: str, rules: str, target: int
) -> None:
    visitor, base = Visitor(client), f"people-{game}-{rules}"
    consent(visitor, True)
    match = visitor.finished(game=game, target=target)
    hands, ends = kept(client, visitor), finished(client, match)
    assert len(hands) == len(ends) > 0
    records = stored(client, base)
    for hand in hands:
        assert (hand["base"], hand["whole"]) == (base, True)
        assert replay(records[int(str(hand["number"]))]) == ends[int(str(hand["hand"]))]
        assert visitor.cookies["retruco_seat"] not in json.dumps(records)
    with open_store(registry_of(client).settings.case_file) as store:
        cases = Library(store).open(base, game).cases
        assert sum(cases.count(scenario.name) for scenario in cases.vocabulary.scenarios) > 0
    lines = visitor.get("/api/me/hands/export").text.splitlines()
    assert sorted(str(replay(json.loads(line))) for line in lines) == sorted(map(str, ends))
    assert visitor.post("/api/me/hands/delete", {"hands": [hands[0]["id"]]}).json() == {"deleted": 1}
    assert len(stored(client, base)) == len(kept(client, visitor)) == len(hands) - 1
    visitor.post("/api/me/forget")
    assert stored(client, base) == {}


@OTHER_GAMES
def test_a_hand_of_another_game_is_not_kept_if_one_of_its_people_has_not_agreed(
    client: TestClient, game: str, rules: str, target: int
) -> None:
    (host, guest), match = two_people(client, game, target)
    consent(host, True)
    play_together((host, guest), match)
    assert kept(client, host) == kept(client, guest) == []
    assert stored(client, f"people-{game}-{rules}") == {}


@OTHER_GAMES
def test_a_hand_of_another_game_that_one_takes_back_goes_for_the_other_too(
    client: TestClient, game: str, rules: str, target: int
) -> None:
    (host, guest), match = two_people(client, game, target)
    consent(host, True)
    consent(guest, True)
    play_together((host, guest), match)
    hands, base = kept(client, host), f"people-{game}-{rules}"
    assert len(hands) == len(kept(client, guest)) == len(finished(client, match))
    first = next(hand for hand in hands if hand["hand"] == 0)
    assert host.post("/api/me/hands/delete", {"hands": [first["id"]]}).json() == {"deleted": 1}
    theirs = kept(client, guest)
    assert {hand["hand"] for hand in theirs} == {hand["hand"] for hand in hands} - {0}
    assert len(stored(client, base)) == 2 * len(theirs)
    host.post("/api/me/forget")
    assert kept(client, guest) == []
    assert stored(client, base) == {}
    assert guest.get("/api/me/hands/export").text == ""


def test_a_hand_of_three_people_is_kept_only_if_all_of_them_agreed(client: TestClient) -> None:
    people, match = sit_together(client, "holdem", "person,random,person", target=3)
    for visitor in people[:2]:
        consent(visitor, True)
    play_together(people, match)
    assert all(kept(client, visitor) == [] for visitor in people)
    again = people[0].post(f"/api/matches/{match}/rematch").json()["match"]
    for visitor in people[1:]:
        visitor.post(f"/api/matches/{match}/rematch")
    consent(people[2], True)
    play_together(people, again)
    assert [len(kept(client, visitor)) for visitor in people] == [3, 3, 3]
    people[2].post("/api/me/forget")
    assert kept(client, people[0]) == kept(client, people[1]) == []


def two_people(client: TestClient, game: str, target: int) -> tuple[list[Visitor], str]:
    """Two people at a table; agents take the other seats, if there are any."""
    return sit_together(client, game, {"euchre": "person,random,random"}.get(game, "person"), target=target)


def finished(client: TestClient, match: str) -> list[State]:
    live = registry_of(client).find(match)
    assert live is not None
    return [hand.state for hand in live.table.hands]


def test_an_archive_of_before_is_mended_at_the_start(tmp_path: Path) -> None:
    """A hand of two people that shows both, though one of them never agreed, in a store of the version before."""
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    whole = {"game": "truco", "rules": "cbtg", "target": 24, "scores": [0, 0], "mao": 0,
             "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]], "actions": ["truco", "nao-quero"]}  # fmt: skip
    names = {"alone": "a" * 24, "both": "b" * 24, "both-1": "c" * 24, "agent": "d" * 24}
    with open_store(settings.case_file) as store:
        store.create(BASE, "truco", "cbtg")
        seats = {"alone": 0, "both": 0, "both-1": 1, "agent": 0}
        store.append(BASE, [Hand.of({"id": names[one], **whole}, seat) for one, seat in seats.items()])
        Library(store).copy(BASE, "lab-copy")
    base = sqlite3.connect(settings.store)
    for step in STEPS[:3]:
        base.executescript(step)
    base.execute("PRAGMA user_version = 3")
    base.execute("INSERT INTO secret VALUES (?)", (b"x" * 32,))
    for number, (hand, match, seat) in enumerate(
        (("alone", "m1", 0), ("both", "m2", 0), ("both-1", "m2", 1), ("agent", "m3", 0)), 1
    ):
        line = (names[hand], BASE, number, f"visitor {hand}", match, 0, seat, None, 1.0)
        base.execute("INSERT INTO kept VALUES (?,?,?,?,?,?,?,?,?)", line)
    for match in ("m1", "m2", "m3"):
        columns = "id, rules, target, first, seed, kind, started, ended, winner, ending"
        line_of_match = (match, "cbtg", 24, 0, 1, "people", 1.0, 2.0, 0, "played")
        base.execute(f"INSERT INTO match ({columns}) VALUES (?,?,?,?,?,?,?,?,?,?)", line_of_match)
        agent = "random" if match == "m3" else None
        other = None if match == "m3" else "visitor both-1"
        base.execute("INSERT INTO seat VALUES (?,0,NULL,?)", (match, "somebody"))
        base.execute("INSERT INTO seat VALUES (?,1,?,?)", (match, agent, other))
    base.commit()
    base.close()
    for _ in range(2):
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            for name in (BASE, "lab-copy"):
                records = {str(one["id"]): one for one in stored(client, name).values()}
                assert {key for key, one in records.items() if is_one_sided(one)} == {names["alone"]}
                assert set(records) == set(names.values())
            (mine,) = registry_of(client).archive.of("visitor alone")
            assert stored(client, BASE)[mine.number or 0]["id"] == mine.id
            assert not shows(json.dumps(stored(client, BASE)[mine.number or 0]), "5e")


def test_an_agent_that_plays_now_forgets_what_was_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    cases_for = cases_named(BASE)
    with TestClient(create_app(settings, cases_for), base_url="http://localhost") as client:
        one, other = Visitor(client), Visitor(client)
        for visitor in (one, other):
            consent(visitor, True)
            visitor.finished(target=6)
            kept(client, visitor)
        agent = registry_of(client).agents.agent("truco", "NPS")

        def remembered() -> int:
            cases = cases_for("truco")
            return sum(cases.count(scenario.name) for scenario in cases.vocabulary.scenarios)

        before = remembered()
        one.post("/api/me/forget")
        assert 0 < remembered() < before
        assert registry_of(client).agents.agent("truco", "NPS") is not agent


def test_who_agrees_later_has_no_earlier_hands_kept_after_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    with monkeypatch.context() as gone:
        gone.setattr(ConsentRecorder, "look", lambda *_: None)
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            host, guest = Visitor(client), Visitor(client)
            consent(host, True)
            name = host.post("/api/invitations", {"target": 4}).json()["invitation"]
            guest.post(f"/api/invitations/{name}/accept")
            play_out(host, guest, name)
            consent(guest, True)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        host.http = guest.http = client
        assert kept(client, host)
        assert all(one["whole"] is False for one in kept(client, host))
        assert kept(client, guest) == []
