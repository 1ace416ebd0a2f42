"""How matches are kept: what is stored is enough, nothing twice, and what cannot be stored did not happen."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from serving import some_cases

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent
from retruco.arena.match import ask
from retruco.arena.table import OutOfTurn
from retruco.games.core import IllegalAction
from retruco.games.truco import Truco
from retruco.streams import Stream
from retruco.web.core.settings import Limits, Settings
from retruco.web.core.store import Kind, Sitter, Store
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import Dealer, SealedDeal, salted_again
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.stored_table import MatchOver, Stale
from retruco.web.tables.table_registry import TableRegistry
from waiting import wait_until


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[TableRegistry]:
    found = TableRegistry(Settings(tmp_path / "table.sqlite"), AgentCache())
    yield found
    found.close()


def open_match(registry: TableRegistry, agent: str, kind: Kind = "match") -> LiveTable:
    """A match of Truco between somebody and an agent."""
    return registry.open(Truco.named("cbtg"), (Sitter(visitor="somebody"), Sitter(agent=agent)), kind)


def play_on(live: LiveTable, moves: int, names: tuple[str, str] = ("cautious", "bluffer")) -> None:
    """Both seats by agents, without the room's threads."""
    for _ in range(moves):
        seat = live.to_act
        if seat is None:
            return
        players = AgentCache()
        action = players.decide(names[seat], live, len(live.positions) - 1, seat).action
        live.act(seat, action, live.last_number)


def test_what_is_stored_is_enough_to_go_on(registry: TableRegistry) -> None:
    live = open_match(registry, "bluffer")
    for _ in range(8):
        play_on(live, 7)
        stored = registry.store.load(live.id)
        assert stored is not None
        again = LiveTable(stored, registry.store)
        assert again.positions == live.positions
        assert again.deals == live.deals
        assert (again.to_act, again.last_number, again.end) == (live.to_act, live.last_number, live.end)


def test_an_agent_decides_as_the_arena_would_ask_it(registry: TableRegistry) -> None:
    live = open_match(registry, "bluffer")
    bluffer = find_agent("bluffer", "truco")
    for _ in range(40):
        seat = live.to_act
        if seat is None:
            break
        here = AgentCache().decide("bluffer", live, len(live.positions) - 1, seat)
        there = ask(bluffer, live.table, seat, live.stored.seed)
        assert here == there
        live.act(seat, here.action, live.last_number)


def test_what_cannot_be_stored_did_not_happen(
    registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_match(registry, "random")
    before = list(live.positions)
    seat = live.to_act
    assert seat is not None
    with monkeypatch.context() as full:

        def refuse(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        full.setattr(registry.store, "append", refuse)
        with pytest.raises(sqlite3.OperationalError):
            live.act(seat, live.table.state.legal[0], live.last_number)
    after = registry.find(live.id)
    assert after is not None
    assert after is not live
    assert after.positions == before
    after.act(seat, after.table.state.legal[0], after.last_number)


def test_two_servers_on_one_file_cannot_answer_the_same_move(registry: TableRegistry) -> None:
    live = open_match(registry, "random")
    stored = registry.store.load(live.id)
    assert stored is not None
    twin = LiveTable(stored, registry.store)
    seat = live.to_act
    assert seat is not None
    live.act(seat, live.table.state.legal[0], live.last_number)
    with pytest.raises(Stale):
        twin.act(seat, twin.table.state.legal[-1], twin.last_number)
    assert twin.broken


def test_a_match_refuses_what_the_table_refuses(registry: TableRegistry) -> None:
    live = open_match(registry, "random")
    seat = live.to_act
    assert seat is not None
    with pytest.raises(OutOfTurn):
        live.act(1 - seat, "truco", live.last_number)
    with pytest.raises(IllegalAction):
        live.act(seat, "vale4", live.last_number)
    with pytest.raises(Stale):
        live.act(seat, "truco", live.last_number + 1)
    live.give_up(0, live.last_number)
    with pytest.raises(MatchOver):
        live.act(seat, "truco", live.last_number)
    assert registry.store.load(live.id) is not None


def test_matches_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    registry = TableRegistry(Settings(tmp_path / "t.sqlite", limits=Limits(live_matches=2)), AgentCache())
    matches = [open_match(registry, "random") for _ in range(5)]
    for live in matches:
        found = registry.find(live.id)
        assert found is not None
        assert found.positions[0] == live.positions[0]
    registry.close()


def test_open_practice_that_was_left_is_forgotten(tmp_path: Path) -> None:
    registry = TableRegistry(Settings(tmp_path / "t.sqlite"), AgentCache())
    practice = open_match(registry, "random", "practice")
    match = open_match(registry, "random")
    registry.store.delete_practice(before=time.time() + 1)
    assert registry.store.load(practice.id) is None
    assert registry.store.load(match.id) is not None
    registry.close()


def test_a_store_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite"
    Store(file).close()
    base = sqlite3.connect(file)
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(ValueError, match="version 99"):
        Store(file)


def test_an_agent_that_breaks_down_loses_the_match(
    registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_match(registry, "random")
    while live.to_act == 0:
        live.act(0, live.table.state.legal[0], live.last_number)

    def fail(*_: object) -> None:
        raise RuntimeError("an agent's own mistake")

    monkeypatch.setattr(registry.agents, "decide", fail)
    registry.wake(live)
    wait_until(lambda: live.end, "the match ends")
    assert live.end is not None
    assert (live.end.winner, live.end.ending) == (0, "failed")


def test_deals_are_drawn_from_all_forty_cards_and_never_alike(honest_dealer: Dealer) -> None:
    game = Truco.named("cbtg")
    drawn = [honest_dealer.deal(game) for _ in range(300)]
    assert len({one.seal for one in drawn}) == 300
    assert len({card for one in drawn for hand in game.read_deal(one.text).hands for card in hand}) == 40
    assert {honest_dealer.first() for _ in range(100)} == {0, 1}
    assert honest_dealer.seed() != honest_dealer.seed()


def test_a_seal_hides_the_deal_and_opens_to_it() -> None:
    sealed = SealedDeal("ab", "1e 7c 4b / 3o 2c 5e")
    assert str(Truco.named("cbtg").read_deal(sealed.text)) == sealed.text
    assert salted_again(sealed).text == sealed.text
    assert salted_again(sealed).seal != sealed.seal


class NeverGoneThrough(dict[object, object]):
    """What threads share may be looked up, not gone through: another may add to it at the same time."""

    def _refuse(self) -> NoReturn:
        raise AssertionError("another thread may be adding to it")

    __iter__ = keys = values = items = _refuse


def test_threads_can_share_an_agent_that_remembers() -> None:
    agent, game = find_agent("NPCS", "truco", lambda *_: some_cases()), Truco.named("trucogame")
    assert isinstance(agent, CaseBasedAgent)
    object.__setattr__(agent, "_given", NeverGoneThrough())
    for number in range(20):
        hand = game.start(game.deal(Stream("shared", number)), game.opening())
        agent.decide(hand.observe(0), Stream("shared", number))
    assert len(agent._given) > 20
