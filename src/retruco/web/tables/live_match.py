"""A match in progress: the table, its positions by number, and the store that remembers it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from retruco.agents.core import agent_stream
from retruco.arena.table import OutOfTurn, Table
from retruco.games.core import Action, Seat
from retruco.games.truco import Acted, Truco, TrucoDeal, TrucoObservation, TrucoState
from retruco.streams import Stream
from retruco.web.core.store import End, Ending, Store, StoredMatch
from retruco.web.tables.fairness import HONEST, Dealer, SealedDeal, salted_again
from retruco.web.tables.stored_table import BYTES_PER_ACTION, MatchOver, Stale, StoredTable


class Position(NamedTuple):
    """A hand after some of its actions."""

    hand: int
    state: TrucoState

    @property
    def last(self) -> Acted | None:
        """The action that led here, if the hand has begun."""
        acted = (event for event in reversed(self.state.log) if isinstance(event, Acted))
        return next(acted, None)


class PupilQuestion(NamedTuple):
    """A question that an agent puts to its teacher, in a position by its number."""

    number: int
    scenario: str
    proposed: Action
    """What it would do by itself."""


class LiveMatch(StoredTable):
    """One match at the web table; every change is stored before it is told.

    Positions are numbered from 0 through the whole match, and every action names the number of the
    position it answers. Numbers are never used twice, not even when a move is taken back.
    """

    def __init__(
        self, stored: StoredMatch, store: Store, deals_of: StoredMatch | None = None, dealer: Dealer = HONEST
    ) -> None:
        super().__init__(stored, store, dealer)
        self.game = Truco.named(stored.rules, stored.target)
        self._template = deals_of.deals if deals_of else ()
        self.positions: list[Position] = []
        self.since = time.monotonic()
        """Since when the table stands as it does; after a restart the clock begins anew."""
        self.asks: PupilQuestion | None = None
        """What a pupil has asked its teacher last."""
        self.errors: Counter[Seat] = Counter()
        """How many answers of each seat had to be refused."""
        self.table = self._rebuild()
        self.looked_at = len(self.table.hands)
        """How many finished hands somebody has looked at, to keep them."""

    # Where it stands

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes: a position has a state of its own."""
        return BYTES_PER_ACTION * len(self.positions)

    @property
    def is_practice(self) -> bool:
        """Whether the cards lie open and nothing counts."""
        return self.stored.kind == "practice"

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

    # What a seat knew

    def observe(self, place: int, seat: Seat) -> TrucoObservation:
        """What a seat saw in a position, with the hands of the match before it."""
        position = self.positions[place]
        ends = [one.state for one in self.positions if one.hand < position.hand and one.state.outcome]
        return position.state.observe(seat, tuple(end.observe(seat) for end in ends))

    def chance(self, place: int, seat: Seat) -> Stream:
        """The stream of an agent that decides in a position; the same as `arena.match.ask` gives."""
        position = self.positions[place]
        acted = [event for event in position.state.log if isinstance(event, Acted) and event.seat == seat]
        return agent_stream(self.stored.seed, seat, position.hand, len(acted))

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
            self._note(hand)
            self._note_end(end)

    def give_up(self, seat: Seat, number: int | None, ending: Ending = "resigned") -> None:
        """End the match in favour of the other seat; without a number, however the table stands."""
        with self.lock:
            self._check_number(self.last_number if number is None else number)
            end = End(1 - seat, ending)
            self._store.delete(self.id) if self.is_practice else self._store.end(self.id, end)
            self._note_end(end)

    def take_back(self, seat: Seat, number: int) -> None:
        """Go back to this seat's last decision."""
        with self.lock:
            self._check_number(number)
            place = self._last_decision(seat)
            if place is None:
                raise MatchOver("there is no move to take back")
            position = self.positions[place]
            skipped = self.last_number + 1 - place
            self._store.take_back(self.id, position.hand, len(position.state.actions), skipped)
            stored = self._store.load(self.id)
            assert stored is not None
            self.stored, self.deals = stored, list(stored.deals)
            self.table = self._rebuild()

    def _last_decision(self, seat: Seat) -> int | None:
        earlier = range(len(self.positions) - 2, -1, -1)
        return next((place for place in earlier if self.positions[place].state.to_act == seat), None)

    def _check_number(self, number: int) -> None:
        if self.end is not None:
            raise MatchOver("the match is over")
        if number != self.last_number:
            raise Stale(f"move {number} has been answered; the table stands at move {self.last_number}")

    # How it is kept

    def _deal(self, number: int) -> TrucoDeal:
        """The n-th deal: as stored, or as in the match played again, or drawn now."""
        if number == len(self.deals):
            again = number < len(self._template)
            fresh = salted_again(self._template[number]) if again else self._draw_deal(self.game, number)
            self.deals.append(fresh)
        return self.deals[number].deal

    def _rebuild(self) -> Table:
        """Play the stored actions again."""
        self.positions = []
        table = Table(self.game, self._deal_here(), self.stored.first)
        self._add(0, table)
        for hand, actions in enumerate(self.stored.actions):
            for action in actions:
                assert table.to_act is not None
                table.act(table.to_act, action)
                self._add_played(hand, table)
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

    def _note(self, hand: int) -> None:
        self.since = time.monotonic()
        self._add_played(hand, self.table)

    def _add_played(self, hand: int, table: Table) -> None:
        """Number the position after an action and, when that ended the hand, the next deal's."""
        if len(table.hands) == hand:
            return self._add(hand, table)
        ended = table.hands[hand].state
        assert isinstance(ended, TrucoState)
        self.positions.append(Position(hand, ended))
        return None if table.is_over else self._add(hand + 1, table)

    def _add(self, hand: int, table: Table) -> None:
        assert isinstance(table.state, TrucoState)
        self.positions.append(Position(hand, table.state))
