"""Live tables of other games than Truco: nothing confirmed is lost, nothing foreign is let in, nothing hidden is told."""

import json
import re
import sqlite3
import sys
from pathlib import Path
from threading import Event

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, StackedDealer, cases_of, registry_of, table_at
from test_preparation import PREPARES_UNTIL
from visitors import Guest, board_on, last_hand, moment, moves, summary_on

from retruco.agents.core import no_cases
from retruco.cbr.case import Decision
from retruco.games.core import Seat, State
from retruco.games.euchre import EuchreState
from retruco.games.holdem import HoldemState
from retruco.games.records import replay
from retruco.games.registry import all_tables
from retruco.streams import Stream
from retruco.web.core.app import create_app
from retruco.web.core.settings import Limits, Settings
from retruco.web.core.store import Store
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import HONEST
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.preparation import Preparation
from retruco.web.tables.stored_table import Stale

client = serving.stacked_client
HOLDEM = {"seat1": "rulebot", "seat2": "casey", "seat3": "always-call"}
EUCHRE = {"seat1": "NPS", "seat2": "UF@tricks", "seat3": "ratliff@tricks", "rules": "seelbinder2012"}
ME = 0
"""The seat of whoever opens a table."""
TABLES = pytest.mark.parametrize(("game", "wish"), [("holdem", HOLDEM), ("euchre", EUCHRE)], ids=str)


@pytest.fixture
def guest(client: TestClient) -> Guest:
    return Guest(client)


@pytest.fixture(name="file")
def fixture_file(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite"


def last(may: list[str]) -> str:
    return may[-1]


# Playing


@TABLES
def test_hands_are_played_explained_and_looked_at_again(
    guest: Guest, game: str, wish: dict[str, str]
) -> None:
    where = guest.sit_down(game, **wish)
    end = guest.play_hand(where)
    assert "Who did what, and why" in summary_on(end)
    guest.go_on(where, last)
    going_on = guest.page(where)
    assert last_hand(going_on) == 1
    assert 'class="sentence"' not in board_on(going_on), "of a hand that is played nobody says why"
    guest.play_hand(where, last)
    listed = guest.page(f"{where}/hands")
    assert re.findall(r"/hands/(\d+)", listed) == ["2", "1"]
    first = guest.page(f"{where}/hands/1")
    steps = int(re.findall(r"\?step=(\d+)", first)[-1])
    told = [guest.page(f"{where}/hands/1?step={step}") for step in range(0, steps + 1, 5)]
    assert len({page.partition('id="why"')[2] for page in told}) == len(told)
    assert guest.get(f"{where}/hands/1?step={steps + 1}").status_code == 404
    assert guest.get(f"{where}/hands/3").status_code == 404
    assert guest.get(f"{where}/hands/0").status_code == 404


@TABLES
def test_whoever_leaves_sees_all_cards_and_what_the_seals_hid(
    client: TestClient, guest: Guest, game: str, wish: dict[str, str]
) -> None:
    where = guest.sit_down(game, **wish)
    seal = re.search(r'(?<=id="seal">)[0-9a-f]{64}', guest.page(where))
    assert seal
    page = guest.play_hand(where)
    assert guest.get(f"{where}/records").status_code == 403, "a record shows all cards"
    deal = table_at(client, where).deals[0]
    assert deal.seal == seal[0]
    assert deal.salt not in page + guest.page(f"{where}/hands/1")
    assert guest.send(f"{where}/leave", number=moment(page)).headers["location"] == f"{where}/hands"
    shown = guest.page(f"{where}/hands/1")
    assert deal.opened in shown
    hidden = table_at(client, where).table.hands[0].state
    assert isinstance(hidden, EuchreState | HoldemState)
    assert all(f"#card-{card}" in shown for hand in hidden.deal.hands for card in hand or ())
    assert not moves(guest.page(where))
    assert guest.send(where, number=moment(page), action="pass").status_code == 409
    records = guest.get(f"{where}/records").text.splitlines()
    assert [replay(json.loads(line)) for line in records] == [hidden]


def test_a_game_of_euchre_is_played_to_its_end(guest: Guest) -> None:
    where = guest.sit_down("euchre", seat1="random")
    while moves(page := guest.page(where)):
        guest.go_on(where)
    assert re.search(r"You (won|lost) the match", board_on(page))
    assert "Another table" in page


# Refusing


@TABLES
def test_what_is_illegal_stale_or_malformed_changes_nothing(
    client: TestClient, guest: Guest, game: str, wish: dict[str, str]
) -> None:
    where = guest.sit_down(game, **wish)
    page = guest.page(where)
    number, action = moment(page), moves(page)[0]
    for status, fields in (
        (400, {"number": number, "action": "all-in"}),
        (400, {"number": number, "action": ""}),
        (400, {"number": number, "action": "x" * 5000}),
        (409, {"number": str(int(number) - 1), "action": action}),
        (409, {"number": "9999999", "action": action}),
        (422, {"number": "-1", "action": action}),
        (422, {"number": "٣", "action": action}),
        (422, {"action": action}),
        (403, {"number": number, "action": action, "form_key": "no"}),
    ):
        assert guest.send(where, **fields).status_code == status, fields
    assert guest.page(where) == page
    assert guest.send(where, number=number, action=action).status_code == 303
    assert guest.send(where, number=number, action=action).status_code == 409, "a double click"
    assert table_at(client, where).broken is False


@pytest.mark.parametrize(
    ("game", "wish"),
    [
        ("holdem", {"seat1": "nobody"}),
        ("holdem", {"seat1": ""}),
        ("holdem", {"seat1": "rulebot", "rules": "no-limit"}),
        ("holdem", {"seat1": "agent.py:Mine"}),
        ("euchre", {"seat1": "casey"}),
        ("euchre", {"seat1": "random", "seat2": "random"}),
        ("euchre", {"rules": "british"}),
    ],
    ids=str,
)
def test_a_senseless_wish_opens_no_table(guest: Guest, game: str, wish: dict[str, str]) -> None:
    assert guest.send(f"/{game}", **wish).status_code == 400
    assert guest.get("/api/me").json()["matches"] == []


@TABLES
def test_a_table_is_for_who_sits_at_it(client: TestClient, game: str, wish: dict[str, str]) -> None:
    mine, other = Guest(client), Guest(client)
    where = mine.sit_down(game, **wish)
    page = mine.play_hand(where)
    for path in ("", "/hands", "/hands/1", "/records"):
        assert other.get(where + path).status_code == 403
    for path in ("", "/leave"):
        assert other.send(where + path, number=moment(page), action="fold").status_code == 403
    name = where.rpartition("/")[2]
    assert other.get(f"/api/matches/{name}").status_code == 403
    assert mine.get(f"/replay/{name}/0").status_code == 404, "the match is not over"
    assert mine.get("/table/aaaaaaaaaaaaaaaa").status_code == 404
    assert mine.get("/table/a'--").status_code == 404
    assert mine.page(where) == page


@TABLES
def test_addresses_of_earlier_releases_lead_to_the_table(
    guest: Guest, game: str, wish: dict[str, str]
) -> None:
    where = guest.sit_down(game, **wish)
    guest.play_hand(where)
    name = where.rpartition("/")[2]
    for path in ("", "/hands", "/hands/1", "/hands/1?step=2", "/records"):
        answer = guest.get(f"/{game}/{name}{path}")
        assert (answer.status_code, answer.headers["location"]) == (301, where + path)
    assert guest.get(f"/chess/{name}").status_code == 404


def test_one_visitor_has_only_so_many_tables(file: Path) -> None:
    settings = Settings(file, limits=Limits(open_matches=2, matches_per_minute=5))
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        guest = Guest(client)
        tables = [guest.sit_down(game, seat1="random") for game in ("holdem", "euchre")]
        assert guest.send("/holdem", seat1="random").status_code == 429
        page = guest.page(tables[0])
        guest.send(f"{tables[0]}/leave", number=moment(page))
        guest.sit_down("kuhn", seat1="random")
        assert guest.send("/kuhn", seat1="random").status_code == 429
        assert "Too many new matches" in guest.send("/euchre").text, "and opens only so many a minute"


# Keeping


@pytest.mark.slow
@TABLES
def test_a_restarted_server_goes_on_where_it_stood(file: Path, game: str, wish: dict[str, str]) -> None:
    """The same pages, byte by byte: reasons that are asked for again are the same reasons."""
    settings = Settings(file, limits=GENEROUS)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as client:
        guest = Guest(client)
        where, between = guest.sit_down(game, **wish), guest.sit_down(game, **wish)
        for _ in range(3):
            guest.go_on(where, last)
        guest.play_hand(between)
        places = (where, between, f"{between}/hands/1?step=4", "/me")
        before = [guest.page(one) for one in places]
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as client:
        guest.http = client
        assert [guest.page(one) for one in places] == before
        guest.play_hand(between)
        assert guest.play_hand(where)
        assert len(table_at(client, between).table.hands) == 2


def test_the_next_deal_is_stored_with_the_action_that_ended_the_hand(
    client: TestClient, guest: Guest
) -> None:
    where = guest.sit_down("holdem", seat1="always-call")
    guest.play_hand(where)
    live = table_at(client, where)
    stored = registry_of(client).store.load(live.id)
    assert stored is not None
    assert list(stored.deals) == live.deals
    assert len(live.deals) == 2
    again = LiveTable(stored, registry_of(client).store)
    assert again.table.state == live.table.state
    assert again.last_number == live.last_number


def test_what_cannot_be_stored_did_not_happen(
    client: TestClient, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = guest.sit_down("holdem", seat1="always-call")
    page = guest.page(where)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", full)
        answer = guest.send(where, number=moment(page), action=moves(page)[1])
        assert answer.status_code == 503
    assert guest.page(where) == page
    guest.go_on(where)


def test_two_servers_at_one_store_cannot_both_act(client: TestClient, guest: Guest) -> None:
    where = guest.sit_down("holdem", seat1="always-call")
    guest.page(where)
    live = table_at(client, where)
    stored = registry_of(client).store.load(live.id)
    assert stored is not None
    other = LiveTable(stored, registry_of(client).store)
    may = live.table.state.legal
    live.act(ME, may[0], live.last_number)
    with pytest.raises(Stale):
        other.act(ME, may[-1], other.last_number)
    assert other.broken


def test_an_agent_that_was_answered_elsewhere_does_not_act_twice(
    client: TestClient, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person deals, so that an agent acts first."""
    refused = Event()

    def answered(*_: object) -> None:
        refused.set()
        raise sqlite3.IntegrityError("UNIQUE constraint failed")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", answered)
        where = guest.sit_down("holdem", seat1="always-call", seat2="always-call", seat3="always-call")
        page = guest.get(where).text
        assert refused.wait(30)
        assert not moves(page)
    assert moves(guest.page(where))
    stored = registry_of(client).store.load(where.rpartition("/")[2])
    assert stored is not None
    assert stored.actions == (("call",),)


def test_who_is_forgotten_has_no_table_any_more(client: TestClient) -> None:
    mine, other = Guest(client), Guest(client)
    where, stays = mine.sit_down("holdem", **HOLDEM), other.sit_down("euchre", **EUCHRE)
    mine.play_hand(where)
    assert mine.send("/me/forget").status_code == 303
    assert mine.get(where).status_code == 404
    name = where.rpartition("/")[2]
    store = registry_of(client).store
    for table, column in (("match", "id"), ("hand", "match"), ("action", "match"), ("seat", "match")):
        assert store.rows(f"SELECT * FROM {table} WHERE {column} = ?", name) == []
    other.page(stays)


def test_a_deal_is_sealed_and_read_back_card_by_card() -> None:
    for game in all_tables():
        sealed = HONEST.deal(game)
        assert str(game.read_deal(sealed.text)) == sealed.text
        assert sealed != HONEST.deal(game)


# Who sits there


def test_a_table_waits_for_who_is_still_learning(file: Path, tmp_path: Path) -> None:
    finish = tmp_path / "finish"
    preparation = Preparation([sys.executable, "-c", PREPARES_UNTIL, str(finish)])
    app = create_app(Settings(file, limits=GENEROUS), cases_of, StackedDealer(), preparation)
    with TestClient(app, base_url="http://localhost") as client:
        guest = Guest(client)
        where = guest.sit_down("holdem", seat1="rulebot", seat2="casey")
        page = guest.get(where).text
        while moves(page):
            guest.send(where, number=moment(page), action=last(moves(page)))
            page = guest.get(where).text
        assert "Vera, casey is being prepared" in page
        assert 'http-equiv="refresh"' in page
        finish.touch()
        assert moves(guest.page(where))


def test_who_has_no_cases_does_not_sit_down(file: Path) -> None:
    app = create_app(Settings(file, limits=GENEROUS), no_cases)
    with TestClient(app, base_url="http://localhost") as client:
        guest = Guest(client)
        answer = guest.send("/holdem", seat1="casey", seat2="random", seat3="random")
        assert answer.status_code == 400
        assert "needs remembered hands" in answer.text
        assert guest.get("/api/me").json()["matches"] == []


class Broken:
    def __init__(self, answer: str | None) -> None:
        self.answer = answer

    def decide(self, observation: object, chance: Stream) -> Decision | str:
        if self.answer is None:
            raise RuntimeError("lost its mind")
        return self.answer


@pytest.mark.parametrize("answer", [None, "all-in"])
def test_an_agent_that_fails_closes_the_table(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, answer: str | None
) -> None:
    monkeypatch.setattr(AgentCache, "agent", lambda *_: Broken(answer))
    where = guest.sit_down("holdem", seat1="random", seat2="random", seat3="random")
    while moves(page := guest.page(where)):
        guest.go_on(where)
    assert "A player could not decide; the table was closed." in board_on(page)


def test_reasons_that_no_longer_hold_are_not_told(
    client: TestClient, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = guest.sit_down("holdem", seat1="always-call", seat2="always-call")
    guest.play_hand(where)
    table_at(client, where)._decisions.clear()
    monkeypatch.setattr(AgentCache, "agent", lambda *_: Broken("raise"))
    told = "Its reason cannot be told any more."
    assert told in summary_on(guest.page(where))
    table_at(client, where)._decisions.clear()
    monkeypatch.undo()
    assert told not in summary_on(guest.page(where))


# Secrets

FACES = re.compile(r"#card-([2-9TJQKA][cdhs])")
WRITTEN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
PAIRS = re.compile(r"\b[2-9TJQKA][cdhs] [2-9TJQKA][cdhs]\b")
SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))


def cards_on(page: str) -> set[str]:
    """Every card that a page names, drawn or written; deals in the notation do not stand there at all."""
    assert not PAIRS.search(page)
    written = {rank.replace("10", "T") + SUITS[suit] for rank, suit in WRITTEN.findall(page)}
    return written | set(FACES.findall(page))


def may_see(state: State, seat: Seat = ME) -> set[str]:
    """What the rules have shown a seat of a hand."""
    if isinstance(state, HoldemState):
        seen = state.observe(seat)
        return {*(seen.hole or ()), *seen.board, *(card for hand in seen.shown if hand for card in hand)}
    assert isinstance(state, EuchreState)
    played = {card for trick in state.tricks for card in trick.cards} | set(state.table)
    return {*state.deal.hands[seat], *played, state.deal.upcard}


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_no_page_of_holdem_shows_what_a_seat_may_not_see(
    client: TestClient, guest: Guest, seats: int
) -> None:
    chance = Stream("secrets", seats)
    kinds = ("rulebot", "always-call", "random", "simplebot", "casey")
    where = guest.sit_down("holdem", **{f"seat{seat}": kinds[seat % len(kinds)] for seat in range(1, seats)})
    live, hands = table_at(client, where), 0
    while hands < 3:
        page = guest.page(where)
        state = live.table.state
        assert isinstance(state, HoldemState)
        assert cards_on(board_on(page)) <= may_see(state)
        assert all(f"#card-{card}" in board_on(page) for card in state.deal.hands[ME] or ("none",))
        if last_hand(page) > hands:
            hands = last_hand(page)
            check_finished_hand(guest, live, where, hands, page)
        guest.go_on(where, chance.choice)


def check_finished_hand(guest: Guest, live: LiveTable, where: str, hand: int, page: str) -> None:
    """See that neither the summary of a finished hand nor its pages show more than the seat saw."""
    places = live.places_of(hand - 1)
    assert cards_on(summary_on(page)) <= may_see(live.positions[places[-1]].state)
    for step in range(0, len(places), 5):
        shown = cards_on(guest.page(f"{where}/hands/{hand}?step={step}"))
        assert shown <= may_see(live.positions[places[step]].state)


@pytest.mark.slow
def test_no_page_of_a_hand_of_euchre_shows_what_a_seat_may_not_see(client: TestClient, guest: Guest) -> None:
    chance = Stream("secrets of euchre")
    where = guest.sit_down("euchre", **EUCHRE)
    for _ in range(30):
        page = guest.page(where)
        if moves(page):
            assert cards_on(board_on(page)) <= may_see(table_at(client, where).table.state)
        guest.go_on(where, chance.choice)
    assert "<" in guest.page(f"{where}/hands")
