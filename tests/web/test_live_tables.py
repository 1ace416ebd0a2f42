"""The tables beside Truco: nothing confirmed is lost, nothing foreign is let in, nothing hidden is told."""

import json
import re
import sqlite3
from pathlib import Path
from threading import Event

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, cases_of, registry_of, table_at
from visitors import Guest, moment, moves

from retruco.agents.core import no_cases
from retruco.cbr.case import Decision
from retruco.cbr.casebase import CaseBase
from retruco.games.core import State
from retruco.games.euchre import EuchreState
from retruco.games.holdem import HoldemState
from retruco.games.records import replay
from retruco.games.registry import find_game, game_class
from retruco.streams import Stream
from retruco.web.core.app import create_app
from retruco.web.core.settings import Limits, Settings
from retruco.web.core.store import Store
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import HONEST
from retruco.web.tables.live_table import ME, LiveTable
from retruco.web.tables.stored_table import Stale
from retruco.web.tables.table_pages import HOSTS

client = serving.stacked_client
HOLDEM = {"seat1": "rulebot", "seat2": "casey", "seat3": "always-call"}
EUCHRE = {"partner": "UF@tricks", "left": "NPS", "right": "ratliff@tricks", "rules": "seelbinder2012"}
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
    assert "Who did what, and why" in end
    assert 'id="next"' in end
    guest.go_on(where)
    assert "Who did what" not in guest.page(where), "of a hand that is played nobody says why"
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
    seal = re.search(r"[0-9a-f]{64}(?=</p>)", guest.page(where))
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
    where = guest.sit_down("euchre", partner="random", left="random", right="random")
    for _ in range(600):
        page = guest.page(where)
        if "won the game" in page:
            break
        guest.go_on(where)
    assert re.search(r"(Your team has|The others have) won the game", page)
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
    assert guest.send(f"{where}/next", number=number).status_code == 409, "the hand is not over"
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
        ("euchre", {"partner": "casey"}),
        ("euchre", {"rules": "british"}),
    ],
    ids=str,
)
def test_a_senseless_wish_opens_no_table(guest: Guest, game: str, wish: dict[str, str]) -> None:
    assert guest.send(f"/{game}", **wish).status_code == 400
    assert "Other tables" not in guest.page("/me")


@TABLES
def test_a_table_is_for_who_sits_at_it(client: TestClient, game: str, wish: dict[str, str]) -> None:
    mine, other = Guest(client), Guest(client)
    where = mine.sit_down(game, **wish)
    page = mine.play_hand(where)
    for path in ("", "/hands", "/hands/1", "/records"):
        assert other.get(where + path).status_code == 403
    for path in ("", "/next", "/leave"):
        assert other.send(where + path, number=moment(page), action="fold").status_code == 403
    name = where.rpartition("/")[2]
    others = {"holdem": "euchre", "euchre": "holdem"}
    for path in (f"/{others[game]}/{name}", f"/table/{name}", f"/replay/{name}/0", f"/api/matches/{name}"):
        assert mine.get(path).status_code == 404, path
    assert mine.get(f"/{game}/aaaaaaaaaaaaaaaa").status_code == 404
    assert mine.get(f"/{game}/a'--").status_code == 404
    assert mine.page(where) == page


def test_one_visitor_has_only_so_many_tables(file: Path) -> None:
    settings = Settings(file, limits=Limits(open_matches=2, matches_per_minute=5))
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        guest = Guest(client)
        tables = [guest.sit_down(game, seat1="random", left="random") for game in ("holdem", "euchre")]
        assert guest.send("/holdem", seat1="random").status_code == 429
        page = guest.page(tables[0])
        guest.send(f"{tables[0]}/leave", number=moment(page))
        guest.sit_down("holdem", seat1="random")
        assert guest.send("/holdem", seat1="random").status_code == 429
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
        guest.go_on(between)
        guest.play_hand(between)
        assert guest.play_hand(where)
        assert len(table_at(client, between).table.hands) == 2


def test_the_next_deal_is_drawn_when_it_is_asked_for(client: TestClient, guest: Guest) -> None:
    where = guest.sit_down("holdem", seat1="always-call")
    guest.play_hand(where)
    live = table_at(client, where)
    stored = registry_of(client).store.load(live.id)
    assert stored is not None
    assert len(stored.deals) == len(live.deals) == 1
    again = LiveTable(stored, registry_of(client).store, registry_of(client).tables.agent_cache)
    assert again.state == live.state
    assert again.table.state != live.table.state, "nobody has seen it, so it need not be the same"


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
    other = LiveTable(stored, registry_of(client).store, AgentCache())
    live.act(live.state.legal[0], live.number)
    with pytest.raises(Stale):
        other.act(other.state.legal[-1], other.number)
    assert other.broken


def test_an_agent_that_was_answered_elsewhere_does_not_act_twice(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person deals, so that an agent acts first."""
    where = guest.sit_down("holdem", seat1="always-call", seat2="always-call", seat3="always-call")

    def answered(*_: object) -> None:
        raise sqlite3.IntegrityError("UNIQUE constraint failed")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", answered)
        assert guest.get(where).status_code == 409
    assert moves(guest.page(where))


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
    for host in HOSTS:
        for rules in game_class(host.game).presets():
            game = find_game(host.game, rules)
            sealed = HONEST.deal(game)
            assert str(game.read_deal(sealed.text)) == sealed.text
            assert sealed != HONEST.deal(game)
            with pytest.raises(ValueError, match=r"twice|unknown card"):
                game.read_deal(sealed.text[3:5] + sealed.text[2:])


# Who sits there


def test_a_table_waits_for_who_is_still_learning(file: Path) -> None:
    learnt = Event()

    def slowly(game: str) -> CaseBase:
        learnt.wait()
        return cases_of(game)

    with TestClient(
        create_app(Settings(file, limits=GENEROUS), slowly), base_url="http://localhost"
    ) as client:
        guest = Guest(client)
        where = guest.sit_down("holdem", seat1="casey")
        page = guest.get(where).text
        if moves(page):  # the person acts first
            guest.send(where, number=moment(page), action=last(moves(page)))
            page = guest.get(where).text
        assert "casey is still learning" in page
        assert 'http-equiv="refresh"' in page
        learnt.set()
        assert "still learning" not in guest.page(where)


def test_who_has_no_cases_says_so_and_one_can_leave(file: Path) -> None:
    app = create_app(Settings(file, limits=GENEROUS), no_cases)
    with TestClient(app, base_url="http://localhost") as client:
        guest = Guest(client)
        where = guest.sit_down("holdem", seat1="casey", seat2="random", seat3="random")
        while "needs remembered hands" not in (page := guest.page(where)):
            guest.go_on(where)
        assert guest.send(f"{where}/leave", number=moment(page)).status_code == 303


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
    page = guest.page(where)
    while moves(page):
        guest.go_on(where)
        page = guest.page(where)
    assert "A player could not decide; the table was closed." in page


def test_reasons_that_no_longer_hold_are_not_told(
    client: TestClient, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = guest.sit_down("holdem", seat1="always-call", seat2="always-call")
    guest.play_hand(where)
    table_at(client, where)._reasons.clear()
    monkeypatch.setattr(AgentCache, "agent", lambda *_: Broken("raise"))
    told = "Its reason cannot be told any more."
    assert told in guest.page(where)
    table_at(client, where)._reasons.clear()
    monkeypatch.undo()
    assert told not in guest.page(where)


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


def may_see(state: State) -> set[str]:
    """What the rules have shown the person of a hand."""
    if isinstance(state, HoldemState):
        seen = state.observe(ME)
        return {*(seen.hole or ()), *seen.board, *(card for hand in seen.shown if hand for card in hand)}
    assert isinstance(state, EuchreState)
    played = {card for trick in state.tricks for card in trick.cards} | set(state.table)
    return {*state.deal.hands[ME], *played, state.deal.upcard}


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_no_page_of_holdem_shows_what_a_seat_may_not_see(
    client: TestClient, guest: Guest, seats: int
) -> None:
    chance = Stream("secrets", seats)
    kinds = ("rulebot", "always-call", "random", "simplebot", "casey")
    wish = {f"seat{seat}": kinds[seat % len(kinds)] for seat in range(1, seats)}
    where = guest.sit_down("holdem", **wish)
    hands = 0
    while hands < 3:
        page = guest.page(where)
        state = table_at(client, where).state
        assert cards_on(page) <= may_see(state)
        assert f"#card-{table_at(client, where).state.observe(ME).hole[0]}" in page  # type: ignore[attr-defined]
        if state.outcome is not None:
            hands += 1
            steps = table_at(client, where).steps(hands - 1)
            for step in range(0, len(steps), 5):
                shown = cards_on(guest.page(f"{where}/hands/{hands}?step={step}"))
                assert shown <= may_see(steps[step].before)
        guest.go_on(where, chance.choice)


def test_no_page_of_a_hand_of_euchre_shows_what_a_seat_may_not_see(client: TestClient, guest: Guest) -> None:
    chance = Stream("secrets of euchre")
    where = guest.sit_down("euchre", **EUCHRE)
    for _ in range(30):
        page = guest.page(where)
        if moves(page):
            assert cards_on(page) <= may_see(table_at(client, where).state)
        guest.go_on(where, chance.choice)
    assert "<" in guest.page(f"{where}/hands")
