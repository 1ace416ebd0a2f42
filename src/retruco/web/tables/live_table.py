"""A live table: one person and agents at a table of any game, hand after hand, every action stored.

The deals and the actions are all that is kept. Agents are functions of what they see and of a keyed
stream, so the same table, and every agent's reason, can be made again from them after a crash.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from retruco.agents.core import Agent
from retruco.arena.match import ask
from retruco.arena.table import OutOfTurn, Table
from retruco.cbr.case import Decision
from retruco.games.core import Action, IllegalAction, Observation, Seat, State
from retruco.games.registry import find_game
from retruco.web.core.store import End, Store, StoredMatch
from retruco.web.tables.agent_cache import AgentCache, NoCases
from retruco.web.tables.fairness import HONEST, Dealer, SealedDeal
from retruco.web.tables.stored_table import BYTES_PER_ACTION, MatchOver, Stale, StoredTable

log = logging.getLogger("retruco.web")

ME: Final[Seat] = 0
"""Where the person sits."""
REMEMBERED: Final = 3
"""Of how many hands the reasons are held in memory; those of others are asked for again."""


class Step(NamedTuple):
    """Something that was done in a hand, and the hand before it."""

    seat: Seat
    action: Action
    before: State
    seen: Observation
    """What the seat saw when it acted."""
    decision: Decision | None = None
    """Why an agent did it, where that can be told."""


class LiveTable(StoredTable):
    """One table of one person; every change is stored before it is told.

    Between two hands the table waits until the person asks for the next one. The number of a moment
    counts deals and actions; whatever the person does names the number it answers.
    """

    def __init__(
        self, stored: StoredMatch, store: Store, agent_cache: AgentCache, dealer: Dealer = HONEST
    ) -> None:
        super().__init__(stored, store, dealer)
        self._agent_cache = agent_cache
        self.game = find_game(stored.game, stored.rules, stored.target)
        self.names = tuple(one.agent or "" for one in stored.sitters)
        """Who sits where; the person's own place is empty."""
        self.missing = ""
        """Who has no cases to play with, if somebody does."""
        self._reasons: dict[int, dict[int, Decision]] = {}
        self._actions = sum(map(len, stored.actions))
        self._next: SealedDeal | None = None
        self.table = self._replay(stored.actions)

    # Where it stands

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes; only the reasons of a few hands are remembered."""
        return BYTES_PER_ACTION * self._actions

    @property
    def number(self) -> int:
        """The number of this moment."""
        return len(self.deals) + self._actions

    @property
    def is_between(self) -> bool:
        """Whether the hand on the table is over, and the next one not asked for."""
        return len(self.table.hands) == len(self.deals)

    @property
    def state(self) -> State:
        """The hand on the table, over or not."""
        return self.table.hands[-1].state if self.is_between else self.table.state

    @property
    def to_act(self) -> Seat | None:
        """Whose turn it is, if it is anybody's."""
        return None if self.end is not None or self.is_between else self.table.to_act

    @property
    def seal(self) -> str:
        """The seal of the hand on the table."""
        return self.deals[-1].seal

    # What changes it

    def go_on(self) -> None:
        """Let the agents act until the person has to, or the hand is over, or somebody is still learning."""
        with self.lock:
            try:
                self.missing = ""
                while (seat := self.to_act) not in (None, ME):
                    assert seat is not None
                    agent = self._agent_cache.agent(self.game.name, self.names[seat])
                    if agent is None:
                        return
                    self._let_act(agent, seat)
            except NoCases as error:
                self.missing = str(error)

    def _let_act(self, agent: Agent, seat: Seat) -> None:
        try:
            decision = ask(agent, self.table, seat, self.stored.seed)
            hand, place = self.table.match.hand, len(self.table.state.actions)
            self._act(seat, decision.action)
        except (Stale, sqlite3.Error):
            raise
        except Exception:
            log.exception("%s failed at a table; the match is over", self.names[seat])
            self._finish(End(None, "failed"))
        else:
            self._remember(hand, place, decision)

    def act(self, action: Action, number: int) -> None:
        """Carry out what the person does, and let the agents answer."""
        with self.lock:
            self._check(number)
            if self.to_act != ME:
                raise OutOfTurn("it is not your turn")
            if action not in self.table.state.legal:
                raise IllegalAction(action, self.table.state.legal)
            self._act(ME, action)
            self.go_on()

    def next_hand(self, number: int) -> None:
        """Deal the next hand."""
        with self.lock:
            self._check(number)
            if not self.is_between or self._next is None:
                raise Stale("the hand is not over")
            fresh = self._next
            self._store_change(lambda: self._store.deal(self.id, len(self.deals), fresh))
            self.deals.append(fresh)
            self._next = None
            self.go_on()

    def leave(self, number: int) -> None:
        """Get up from the table."""
        with self.lock:
            self._check(number)
            self._finish(End(None, "left"))

    def _check(self, number: int) -> None:
        if self.end is not None:
            raise MatchOver("the match is over")
        if number != self.number:
            raise Stale(f"{number} has been answered; the table stands at {self.number}")

    def _act(self, seat: Seat, action: Action) -> None:
        hand, place = self.table.match.hand, len(self.table.state.actions)
        self.table.act(seat, action)
        end = End(self.table.winner, "played") if self.table.is_over else None
        self._store_change(lambda: self._store.append(self.id, hand, place, action, (), end))
        self._actions += 1
        self._note_end(end)

    def _finish(self, end: End) -> None:
        self._store.end(self.id, end)
        self._note_end(end)

    # What was done, and why

    def steps(self, hand: int) -> list[Step]:
        """Go through a hand action by action; a finished one with the reasons of its agents."""
        finished = hand < len(self.table.hands)
        actions = self.table.hands[hand].state.actions if finished else self.table.state.actions
        table, steps = self._replay([one.state.actions for one in self.table.hands[:hand]]), []
        for action in actions:
            seat = table.to_act
            assert seat is not None
            reason = self._reason(table, seat, action) if finished and seat != ME else None
            steps.append(Step(seat, action, table.state, table.observe(seat), reason))
            table.act(seat, action)
        return steps

    def _reason(self, table: Table, seat: Seat, action: Action) -> Decision | None:
        """Why an agent acted; asked for again if that is not remembered.

        Nobody answers who is still learning, or has other cases by now and would do something else.
        """
        hand, place = table.match.hand, len(table.state.actions)
        decision = self._reasons.get(hand, {}).get(place)
        if decision is None:
            try:
                agent = self._agent_cache.agent(self.game.name, self.names[seat])
            except NoCases:
                return None
            if agent is None:
                return None
            decision = ask(agent, table, seat, self.stored.seed)
            self._remember(hand, place, decision)
        return decision if decision.action == action else None

    def _remember(self, hand: int, place: int, decision: Decision) -> None:
        self._reasons.setdefault(hand, {})[place] = decision
        if len(self._reasons) > REMEMBERED:
            del self._reasons[next(iter(self._reasons))]

    # How it is kept

    def _replay(self, hands: Sequence[Sequence[Action]]) -> Table:
        """Set the table and play these hands on it again."""
        table = Table(self.game, self._deal_here(), self.stored.first)
        for actions in hands:
            for action in actions:
                assert table.to_act is not None
                table.act(table.to_act, action)
        return table

    def _deal(self, hand: int) -> Any:
        """The n-th deal; the one after those that were asked for is drawn now, and shown to nobody yet."""
        if hand < len(self.deals):
            return self.game.read_deal(self.deals[hand].text)
        if self._next is None:
            self._next = self._draw_deal(self.game, hand)
        return self.game.read_deal(self._next.text)
