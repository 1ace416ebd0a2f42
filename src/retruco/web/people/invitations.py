"""Invitations: a link by which one person asks another to the table; the match begins when it is accepted."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Final

from retruco.games.truco import Truco
from retruco.web.core.store import Store
from retruco.web.tables.fairness import Share

CLOCKS: Final = (30, 60, 120)
"""Seconds for a move that can be chosen; none at all is the fourth choice."""
LASTS: Final = 7 * 86_400
"""Seconds after which an invitation that nobody took up is forgotten."""
NOTHING: Final = Share("")
"""What a host gives to the deals whose client contributes nothing."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody waits for somebody, under the name that their match will have."""

    id: str
    host: str
    rules: str
    target: int
    clock: float | None
    origin: str | None
    """The match that they want to play once more."""
    made: float
    secret: str = ""
    contribution: str = ""
    """What the host gave to the deals, and what we had committed ourselves to before; empty if nothing."""

    @property
    def game(self) -> Truco:
        """What is to be played."""
        return Truco.named(self.rules, self.target)

    @property
    def shares(self) -> tuple[Share, ...]:
        """What the host gives to the deals; nothing if their client gave nothing."""
        return (Share(self.secret, self.contribution, 0),) if self.contribution else ()


class Invitations:
    """Those that wait to be accepted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        old = time.time() - LASTS
        store.change(lambda base: base.execute("DELETE FROM invitation WHERE made < ?", (old,)))

    def make(
        self,
        name: str,
        host: str,
        game: Truco,
        clock: float | None,
        origin: str | None = None,
        share: Share = NOTHING,
    ) -> Invitation:
        """Write an invitation down; of a match that is to be played once more there is one, whoever asks first."""
        given = (share.secret, share.contribution)
        one = Invitation(name, host, game.rules.name, game.target, clock, origin, time.time(), *given)
        return self._store.change(lambda base: _add(base, one))

    def find(self, name: str) -> Invitation | None:
        """Find one that still waits."""
        rows = self._store.rows("SELECT * FROM invitation WHERE id = ?", name)
        return Invitation(*rows[0]) if rows else None

    def count(self, *hosts: str) -> int:
        """How many invitations of somebody, or of several together, wait."""
        places = ",".join("?" * len(hosts))
        query = f"SELECT count(*) FROM invitation WHERE host IN ({places})"  # noqa: S608  no outside text
        found: int = self._store.rows(query, *hosts)[0][0]
        return found

    def take(self, name: str) -> bool:
        """Take an invitation off the list; only one can."""
        change = "DELETE FROM invitation WHERE id = ?"
        return self._store.change(lambda base: base.execute(change, (name,)).rowcount) == 1


def _add(base: sqlite3.Connection, one: Invitation) -> Invitation:
    """Add an invitation, or find the rematch that the other has asked for: in one step, so that two cannot both wait."""
    if one.origin is not None:
        asked = base.execute("SELECT * FROM invitation WHERE origin = ?", (one.origin,)).fetchone()
        if asked is not None:
            return Invitation(*asked)
    line = (
        one.id,
        one.host,
        one.rules,
        one.target,
        one.clock,
        one.origin,
        one.made,
        one.secret,
        one.contribution,
    )
    base.execute("INSERT INTO invitation VALUES (?,?,?,?,?,?,?,?,?)", line)
    return one
