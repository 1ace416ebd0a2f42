"""Invitations: links by which one person asks others to the table; the match begins when every seat is taken."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from retruco.games.core import Game, Seat
from retruco.games.registry import find_game
from retruco.web.core.store import Sitter, Store
from retruco.web.tables.fairness import Share

CLOCKS: Final = (30, 60, 120)
"""Seconds for a move that can be chosen; none at all is the fourth choice."""
LASTS: Final = 7 * 86_400
"""Seconds after which an invitation that nobody took up is forgotten."""
PERSON: Final = "person"
"""Who is named for a seat that is kept for a person with the link."""


@dataclass(frozen=True, slots=True)
class InvitedSeat:
    """A seat of an invitation: an agent's, somebody's who has accepted, or free."""

    agent: str | None = None
    visitor: str | None = None
    secret: str = ""
    contribution: str = ""
    """What the visitor gave to the deals, and what we had committed ourselves to before; empty if nothing."""

    @property
    def is_free(self) -> bool:
        """Whether somebody can still sit down here."""
        return self.agent is None and self.visitor is None


@dataclass(frozen=True, slots=True)
class Invitation:
    """People wait for people, under the name that their match will have."""

    id: str
    host: str
    rules: str
    target: int
    clock: float | None
    origin: str | None
    """The match that they want to play once more."""
    made: float
    game_name: str = "truco"
    is_public: bool = False
    """Whether everybody sees it in the lobby."""
    is_rated: bool = False
    """Whether the match counts for the ratings of both."""
    may_watch: bool = False
    """Whether others may watch the match."""
    seats: tuple[InvitedSeat, ...] = ()

    @property
    def game(self) -> Game:
        """What is to be played."""
        return find_game(self.game_name, self.rules, self.target)

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        """Who sits at the table, seat by seat."""
        return tuple(Sitter(seat.agent, seat.visitor) for seat in self.seats)

    @property
    def shares(self) -> tuple[Share, ...]:
        """What those at the table give to the deals; nothing from those whose client gave nothing."""
        given = [(place, seat) for place, seat in enumerate(self.seats) if seat.contribution]
        return tuple(Share(seat.secret, seat.contribution, place) for place, seat in given)

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """The seats that wait for somebody."""
        return tuple(place for place, seat in enumerate(self.seats) if seat.is_free)

    def seat_of(self, visitor: str) -> Seat | None:
        """Find the seat of somebody who has accepted."""
        return next((place for place, seat in enumerate(self.seats) if seat.visitor == visitor), None)


class Invitations:
    """Those that wait to be accepted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        old = time.time() - LASTS
        done = "DELETE FROM invitation WHERE made < ? OR id IN (SELECT id FROM match)"
        store.change(lambda base: base.execute(done, (old,)))

    def make(
        self,
        name: str,
        game: Game,
        seats: Sequence[InvitedSeat],
        clock: float | None,
        origin: str | None = None,
        is_public: bool = False,
        is_rated: bool = False,
        may_watch: bool = False,
    ) -> Invitation:
        """Write an invitation down; of a match that is to be played once more there is one, whoever asks first.

        The host sits in the first seat that a visitor has.
        """
        host = next(seat.visitor for seat in seats if seat.visitor is not None)
        fresh = Invitation(
            name,
            host,
            game.rules_name,
            game.goal,
            clock,
            origin,
            time.time(),
            game.name,
            is_public,
            is_rated,
            may_watch,
            tuple(seats),
        )
        return self._store.change(lambda base: _add(base, fresh))

    def find(self, name: str) -> Invitation | None:
        """Find one that still waits."""
        rows = self._store.rows(f"SELECT {COLUMNS} FROM invitation WHERE id = ?", name)  # noqa: S608  our own columns
        return _read(rows[0], self._store.rows(SEATS, name)) if rows else None

    def find_rematch(self, match: str) -> Invitation | None:
        """Find the rematch of a match that somebody has asked for."""
        rows = self._store.rows("SELECT id FROM invitation WHERE origin = ?", match)
        return self.find(rows[0][0]) if rows else None

    def public(self) -> list[Invitation]:
        """List those that everybody may see, the newest first."""
        query = f"SELECT {COLUMNS} FROM invitation WHERE is_public ORDER BY made DESC LIMIT {MOST_PUBLIC}"  # noqa: S608  our own columns
        return [_read(row, self._store.rows(SEATS, row[0])) for row in self._store.rows(query)]

    def count(self, *visitors: str) -> int:
        """How many invitations of somebody, or of several together, wait; those accepted too."""
        places = ",".join("?" * len(visitors))
        query = f"SELECT count(DISTINCT invitation) FROM invitation_seat WHERE visitor IN ({places})"  # noqa: S608  no outside text
        found: int = self._store.rows(query, *visitors)[0][0]
        return found

    def sit_down(self, name: str, place: Seat, seat: InvitedSeat) -> bool:
        """Take a free seat; of several who want it only the first can."""
        change = (
            "UPDATE invitation_seat SET visitor = ?, secret = ?, contribution = ? "
            "WHERE invitation = ? AND seat = ? AND visitor IS NULL AND agent IS NULL"
        )
        values = (seat.visitor, seat.secret, seat.contribution, name, place)
        return self._store.change(lambda base: base.execute(change, values).rowcount) == 1

    def take(self, name: str) -> bool:
        """Take an invitation off the list; only one can."""
        change = "DELETE FROM invitation WHERE id = ?"
        return self._store.change(lambda base: base.execute(change, (name,)).rowcount) == 1


COLUMNS: Final = "id, host, rules, target, clock, origin, made, game, is_public, is_rated, may_watch"
MOST_PUBLIC: Final = 50
"""So many are shown in the lobby."""
SEATS: Final = (
    "SELECT agent, visitor, secret, contribution FROM invitation_seat WHERE invitation = ? ORDER BY seat"
)


def _read(row: tuple[Any, ...], seats: Sequence[tuple[Any, ...]]) -> Invitation:
    name, host, rules, target, clock, origin, made, game, is_public, is_rated, may_watch = row
    return Invitation(
        name, host, rules, target, clock, origin, made, game, bool(is_public), bool(is_rated), bool(may_watch),
        tuple(InvitedSeat(*seat) for seat in seats),
    )  # fmt: skip


def _add(base: sqlite3.Connection, fresh: Invitation) -> Invitation:
    """Add an invitation, or find the rematch that somebody has asked for: in one step, so that two cannot both wait."""
    if fresh.origin is not None:
        query = f"SELECT {COLUMNS} FROM invitation WHERE origin = ?"  # noqa: S608  our own columns
        asked = base.execute(query, (fresh.origin,)).fetchone()
        if asked is not None:
            return _read(asked, base.execute(SEATS, (asked[0],)).fetchall())
    line = (
        fresh.id,
        fresh.host,
        fresh.rules,
        fresh.target,
        fresh.clock,
        fresh.origin,
        fresh.made,
        fresh.game_name,
        fresh.is_public,
        fresh.is_rated,
        fresh.may_watch,
    )
    base.execute(f"INSERT INTO invitation ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)", line)  # noqa: S608  as above
    rows = [
        (fresh.id, place, seat.agent, seat.visitor, seat.secret, seat.contribution)
        for place, seat in enumerate(fresh.seats)
    ]
    base.executemany("INSERT INTO invitation_seat VALUES (?,?,?,?,?,?)", rows)
    return fresh
