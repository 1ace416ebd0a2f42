"""A live table: a match of any game in progress, its positions by number, and the store that remembers it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from retruco.agents.core import agent_stream
from retruco.arena.match import winner_without
from retruco.arena.table import OutOfTurn, Table
from retruco.cbr.case import Decision
from retruco.games.core import Action, Observation, Seat, State
from retruco.games.registry import find_game
from retruco.streams import Stream
from retruco.web.core.store import End, Ending, Store, StoredMatch
from retruco.web.people.phrases import SaidPhrases
from retruco.web.tables.fairness import HONEST, Dealer, SealedDeal, salted_again
from retruco.web.tables.stored_table import BYTES_PER_ACTION, MatchOver, NothingToTakeBack, Stale, StoredTable

REMEMBERED: Final = 2
"""Of how many hands the decisions of agents stay in memory; those of others are asked for again."""
BYTES_PER_DECISION: Final = 30_000
"""What a remembered decision takes in memory with the cases it was made by, about a hundred of them."""


class Move(NamedTuple):
    """What a seat did."""

    seat: Seat
    action: Action


class Position(NamedTuple):
    """A hand after some of its actions."""

    hand: int
    state: State
    moved: Move | None = None
    """The action that led here; none right after the deal."""


class PupilQuestion(NamedTuple):
    """A question that an agent puts to its teacher, in a position by its number."""

    number: int
    scenario: str
    proposed: Action
    """What it would do by itself."""


class LiveTable(StoredTable):
    """One match at the web table; every change is stored before it is shown to anybody.

    Positions are numbered from 0 through the whole match, and every action names the number of the
    position it answers. Numbers are never used twice, not even when a move is taken back.
    """

    def __init__(
        self, stored: StoredMatch, store: Store, deals_of: StoredMatch | None = None, dealer: Dealer = HONEST
    ) -> None:
        super().__init__(stored, store, dealer)
        self.game = find_game(stored.game, stored.rules, stored.target)
        self._template = deals_of.deals if deals_of else ()
        self.positions: list[Position] = []
        self.since = time.monotonic()
        """Since when the table stands as it does; after a restart the clock begins anew."""
        self.asks: PupilQuestion | None = None
        """What a pupil has asked its teacher last."""
        self.errors: Counter[Seat] = Counter()
        """How many answers of each seat had to be refused."""
        self.phrases = SaidPhrases()
        self._decisions: dict[int, dict[int, Decision]] = {}
        self.table = self._rebuild()
        self._store_fresh_deals()
        self.looked_at = len(self.table.hands)
        """How many finished hands somebody has looked at, to keep them."""

    # Where it stands

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes: a position has a state of its own, a decision its cases."""
        remembered = sum(map(len, list(self._decisions.values())))
        return BYTES_PER_ACTION * len(self.positions) + BYTES_PER_DECISION * remembered

    @property
    def is_practice(self) -> bool:
        """Whether the cards lie open and nothing counts."""
        return self.stored.kind == "practice"

    @property
    def gives_advice(self) -> bool:
        """Whether a player may be asked what it would do in one's place."""
        return self.stored.kind in ("practice", "guided")

    @property
    def question(self) -> PupilQuestion | None:
        """What the pupil asks in the position on the table, if it does."""
        return self.asks if self.asks is not None and self.asks.number == self.last_number else None

    @property
    def is_pupil_thinking(self) -> bool:
        """Whether a pupil is to act and has neither acted nor asked yet."""
        seat = self.to_act
        is_pupil = seat is not None and self.stored.sitters[seat].is_pupil
        return is_pupil and self.question is None

    @property
    def last_number(self) -> int:
        """The number of the position on the table."""
        return self.stored.skipped + len(self.positions) - 1

    def number(self, place: int) -> int:
        """The number of the position at a place in the list."""
        return self.stored.skipped + place

    @property
    def to_act(self) -> Seat | None:
        """Whose turn it is; nobody's when the match is over."""
        return None if self.end else self.table.to_act

    @property
    def seconds_left(self) -> float | None:
        """How long whoever is to act still has, if there is a clock."""
        if self.stored.clock is None or self.end is not None:
            return None
        return max(0.0, self.stored.clock - (time.monotonic() - self.since))

    def agent_to_act(self) -> str | None:
        """The agent whose turn it is, if it is an agent's."""
        seat = self.to_act
        return None if seat is None else self.stored.sitters[seat].agent

    def places_of(self, hand: int) -> range:
        """The places of a hand's positions in the list."""
        first = next((place for place, one in enumerate(self.positions) if one.hand == hand), None)
        if first is None:
            return range(0)
        after = (place for place in range(first, len(self.positions)) if self.positions[place].hand != hand)
        return range(first, next(after, len(self.positions)))

    # What a seat knew

    def observe(self, place: int, seat: Seat) -> Observation:
        """What a seat saw in a position, with the hands of the match before it."""
        if place == len(self.positions) - 1 and self.end is None:
            return self.table.observe(seat)
        position = self.positions[place]
        ends = self.table.hands[: position.hand]
        return position.state.observe(seat, tuple(end.state.observe(seat) for end in ends))

    def decisions_before(self, place: int, seat: Seat) -> int:
        """How many times a seat had acted in the hand before a position."""
        hand, count = self.positions[place].hand, 0
        while place >= 0 and self.positions[place].hand == hand:
            moved = self.positions[place].moved
            count += moved is not None and moved.seat == seat
            place -= 1
        return count

    def chance(self, place: int, seat: Seat) -> Stream:
        """The stream of an agent that decides in a position; the same as `arena.match.ask` gives."""
        hand = self.positions[place].hand
        return agent_stream(self.stored.seed, seat, hand, self.decisions_before(place, seat))

    def remember(self, place: int, decision: Decision) -> None:
        """Hold the decision that an agent made in a position, for those who ask why soon after."""
        with self.lock:
            self._decisions.setdefault(self.positions[place].hand, {})[place] = decision
            if len(self._decisions) > REMEMBERED:
                del self._decisions[next(iter(self._decisions))]

    def decision_at(self, place: int) -> Decision | None:
        """The decision that an agent made in a position, if it is still in memory."""
        return self._decisions.get(self.positions[place].hand, {}).get(place)

    # What changes it

    def act(self, seat: Seat, action: Action, number: int, shown: str | None = None) -> None:
        """Carry out an action, once it is stored; `shown` is what a pupil had asked its teacher about."""
        with self.lock:
            self._check_number(number)
            if seat != self.table.to_act:
                raise OutOfTurn("it is not your turn")
            hand, count, dealt = self.table.match.hand, len(self.table.state.actions), len(self.deals)
            self.table.act(seat, action)
            end = End(self.table.winner, "played") if self.table.is_over else None
            self._store_change(lambda: self._write(hand, count, action, self.deals[dealt:], end, shown))
            self.since = time.monotonic()
            self._add_played(Move(seat, action), hand, self.table)
            self._note_end(end)

    def give_up(self, seat: Seat, number: int | None, ending: Ending = "resigned") -> None:
        """End the match for a seat that leaves; without a number, however the table stands.

        The other team wins. Among more than two nobody does, nor where somebody just leaves the table.
        """
        with self.lock:
            self._check_number(self.last_number if number is None else number)
            alone = ending == "left" and not self._has_other_visitor(seat)
            end = End(None if alone else winner_without(self.game, seat), ending)
            self._store.delete(self.id) if self.is_practice else self._store.end(self.id, end)
            self._note_end(end)

    def _has_other_visitor(self, seat: Seat) -> bool:
        """Whether another person or bot sits, or sat, at the table: nobody else's seat has no agent."""
        return any(one.agent is None for place, one in enumerate(self.stored.sitters) if place != seat)

    def allow_watching(self, seat: Seat, is_allowed: bool) -> None:
        """Let others watch, as far as this seat is asked, or no longer."""
        with self.lock:
            self._store.allow_watching(self.id, seat, is_allowed)
            seats = self.stored.watch_seats | {seat} if is_allowed else self.stored.watch_seats - {seat}
            self.stored = replace(self.stored, watch_seats=seats)

    def take_back(self, seat: Seat, number: int) -> None:
        """Go back to this seat's last decision."""
        with self.lock:
            self._check_number(number)
            place = self._last_decision(seat)
            if place is None:
                raise NothingToTakeBack("there is no move to take back")
            position = self.positions[place]
            skipped = self.last_number + 1 - place
            self._store.take_back(self.id, position.hand, len(position.state.actions), skipped)
            stored = self._store.load(self.id)
            assert stored is not None
            self.stored, self.deals = stored, list(stored.deals)
            self._decisions = {}
            self.table = self._rebuild()

    def _last_decision(self, seat: Seat) -> int | None:
        earlier = range(len(self.positions) - 2, -1, -1)
        return next((place for place in earlier if self.positions[place].state.to_act == seat), None)

    def _check_number(self, number: int) -> None:
        if self.end is not None:
            raise MatchOver("the match is over")
        if self.broken:
            raise Stale("the last move could not be stored; the table is read again")
        if number != self.last_number:
            raise Stale(f"move {number} has been answered; the table stands at move {self.last_number}")

    # How it is kept

    def _deal(self, number: int) -> Any:
        """The n-th deal: as stored, or as in the match played again, or drawn now."""
        if number < len(self.deals):
            return self.game.read_deal(self.deals[number].text)
        again = number < len(self._template)
        fresh = salted_again(self._template[number]) if again else self._draw_deal(self.game, number)
        if self.end is None:
            self.deals.append(fresh)
        return self.game.read_deal(fresh.text)

    def _store_fresh_deals(self) -> None:
        """Store a deal that was drawn on opening: tables of earlier releases were left between two hands."""
        known = len(self.stored.deals)
        for hand, deal in enumerate(self.deals[known:], known):
            self._store_deal(hand, deal)

    def _store_deal(self, hand: int, deal: SealedDeal) -> None:
        self._store_change(lambda: self._store.deal(self.id, hand, deal))

    def _rebuild(self) -> Table:
        """Play the stored actions again."""
        self.positions = []
        table = Table(self.game, self._deal_here(), self.stored.first)
        self._add(0, table)
        for hand, actions in enumerate(self.stored.actions):
            for action in actions:
                seat = table.to_act
                assert seat is not None
                table.act(seat, action)
                self._add_played(Move(seat, action), hand, table)
        return table

    def _write(
        self,
        hand: int,
        number: int,
        action: Action,
        deals: Sequence[SealedDeal],
        end: End | None,
        shown: str | None,
    ) -> None:
        """Store an action; open practice that is over is forgotten instead."""
        if self.is_practice and end is not None:
            self._store.delete(self.id)
        else:
            self._store.append(self.id, hand, number, action, deals, end, shown)

    def _add_played(self, move: Move, hand: int, table: Table) -> None:
        """Number the position after an action and, when that ended the hand, the next deal's."""
        if len(table.hands) == hand:
            return self._add(hand, table, move)
        self.positions.append(Position(hand, table.hands[hand].state, move))
        has_next = not table.is_over and hand + 1 < len(self.deals)
        return self._add(hand + 1, table) if has_next else None

    def _add(self, hand: int, table: Table, move: Move | None = None) -> None:
        self.positions.append(Position(hand, table.state, move))
