"""Where live matches are kept: deals and actions, written down before anybody is told of them.

What is stored is enough to go on after a crash, since agents are functions of what they see and
of a keyed stream: deals and actions give the same table again. A visitor is kept as the hash of
the token in the browser's cookie; addresses are not kept.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, TypeAlias

from retruco.web.fairness import SealedDeal

Kind: TypeAlias = Literal["match", "practice", "again"]
"""A match that counts, open practice, or the same deals once more with the seats swapped."""

Ending: TypeAlias = Literal["played", "resigned", "failed"]
"""Whether the last card decided, somebody gave up, or an agent broke down."""

VERSION: Final = 1

SCHEMA: Final = """
CREATE TABLE secret (value BLOB NOT NULL);
CREATE TABLE match (
    id TEXT PRIMARY KEY, rules TEXT NOT NULL, target INTEGER NOT NULL, first INTEGER NOT NULL,
    seed INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, skipped INTEGER NOT NULL DEFAULT 0,
    started REAL NOT NULL, ended REAL, winner INTEGER, ending TEXT
);
CREATE TABLE seat (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, seat INTEGER NOT NULL, agent TEXT, visitor TEXT,
    PRIMARY KEY (match, seat)
);
CREATE INDEX seat_visitor ON seat (visitor);
CREATE TABLE hand (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, hand INTEGER NOT NULL,
    salt TEXT NOT NULL, deal TEXT NOT NULL, PRIMARY KEY (match, hand)
);
CREATE TABLE action (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, hand INTEGER NOT NULL, number INTEGER NOT NULL,
    action TEXT NOT NULL, PRIMARY KEY (match, hand, number)
);
"""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: an agent by name, or a person by the hash of a token."""

    agent: str | None = None
    visitor: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    winner: int | None
    ending: Ending
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it stands in the store."""

    id: str
    rules: str
    target: int
    first: int
    seed: int
    kind: Kind
    sitters: tuple[Sitter, ...]
    started: float = 0.0
    origin: str | None = None
    """The match whose deals are played again."""
    skipped: int = 0
    """How many move numbers were used up by taking moves back."""
    end: End | None = None
    deals: tuple[SealedDeal, ...] = ()
    actions: tuple[tuple[str, ...], ...] = ()
    """The actions of every hand."""

    def seat_of(self, visitor: str) -> int | None:
        """Find the seat of a visitor."""
        return next((seat for seat, one in enumerate(self.sitters) if one.visitor == visitor), None)


class Store:
    """One SQLite file; every change is a transaction that is on disk when the call returns."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = Lock()
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "busy_timeout = 5000",
        ):
            self._base.execute(f"PRAGMA {pragma}")
        self._set_up(path)

    def _set_up(self, path: Path) -> None:
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            self._base.close()
            raise ValueError(
                f"{path} holds matches of version {version}; this program reads version {VERSION}"
            )
        if version == 0:
            self._base.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            self._base.execute("INSERT INTO secret VALUES (?)", (secrets.token_bytes(32),))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, closing(self._base.execute(query, values)) as rows:
            return rows.fetchall()

    def secret(self) -> bytes:
        """The key by which forms are signed; it stays the same over restarts."""
        value: bytes = self._all("SELECT value FROM secret")[0][0]
        return value

    # Writing

    def add(self, match: Stored) -> None:
        """Write down a new match with its first deal."""
        with self._change() as base:
            base.execute(
                "INSERT INTO match (id, rules, target, first, seed, kind, origin, started) VALUES (?,?,?,?,?,?,?,?)",
                (match.id, match.rules, match.target, match.first, match.seed, match.kind, match.origin, time.time()),
            )  # fmt: skip
            base.executemany(
                "INSERT INTO seat VALUES (?,?,?,?)",
                [(match.id, seat, one.agent, one.visitor) for seat, one in enumerate(match.sitters)],
            )
            _add_deals(base, match.id, 0, match.deals)

    def append(
        self, match: str, hand: int, number: int, action: str, deals: Sequence[SealedDeal], end: End | None
    ) -> None:
        """Write down an action, with the deal and the end of the match that followed from it."""
        with self._change() as base:
            base.execute("INSERT INTO action VALUES (?,?,?,?)", (match, hand, number, action))
            _add_deals(base, match, hand + 1, deals)
            if end is not None:
                _end(base, match, end)

    def end(self, match: str, end: End) -> None:
        """Write down that a match ended before it was played out."""
        with self._change() as base:
            _end(base, match, end)

    def take_back(self, match: str, hand: int, number: int, skipped: int) -> None:
        """Forget the actions from this one on."""
        with self._change() as base:
            base.execute(
                "DELETE FROM action WHERE match = ? AND (hand, number) >= (?, ?)", (match, hand, number)
            )
            base.execute("DELETE FROM hand WHERE match = ? AND hand > ?", (match, hand))
            base.execute("UPDATE match SET skipped = ? WHERE id = ?", (skipped, match))

    def delete(self, match: str) -> None:
        """Forget a match."""
        with self._change() as base:
            base.execute("DELETE FROM match WHERE id = ?", (match,))

    def delete_practice(self, before: float) -> None:
        """Forget open practice that was begun and left."""
        with self._change() as base:
            base.execute("DELETE FROM match WHERE kind = 'practice' AND started < ?", (before,))

    # Reading

    def load(self, match: str) -> Stored | None:
        """Read a match with all its deals and actions."""
        found = self._matches("id = ?", match)
        if not found:
            return None
        rows = self._all("SELECT salt, deal FROM hand WHERE match = ? ORDER BY hand", match)
        deals = tuple(SealedDeal(str(salt), str(deal)) for salt, deal in rows)
        hands: list[list[str]] = [[] for _ in deals]
        for hand, action in self._all(
            "SELECT hand, action FROM action WHERE match = ? ORDER BY hand, number", match
        ):
            assert isinstance(hand, int)
            hands[hand].append(str(action))
        return replace(found[0], deals=deals, actions=tuple(tuple(one) for one in hands))

    def of_visitor(self, visitor: str) -> list[Stored]:
        """List the matches of a visitor, the newest first, without their deals and actions."""
        return self._matches("id IN (SELECT match FROM seat WHERE visitor = ?)", visitor)

    def played_out(self) -> list[Stored]:
        """List the matches that count and were played to the end, with their deals and actions."""
        found = self._matches("kind = 'match' AND ending = 'played'")
        return [whole for one in found if (whole := self.load(one.id)) is not None]

    def open_matches(self, visitor: str) -> int:
        """Count the matches that a visitor has going on."""
        where = "ended IS NULL AND id IN (SELECT match FROM seat WHERE visitor = ?)"
        count = self._all(f"SELECT count(*) FROM match WHERE {where}", visitor)[0][0]  # noqa: S608  no outside text
        assert isinstance(count, int)
        return count

    def _matches(self, where: str, *values: object) -> list[Stored]:
        rows = self._all(f"SELECT * FROM match WHERE {where} ORDER BY started DESC", *values)  # noqa: S608  as above
        return [_match(row, self._sitters(str(row[0]))) for row in rows]

    def _sitters(self, match: str) -> tuple[Sitter, ...]:
        rows = self._all("SELECT agent, visitor FROM seat WHERE match = ? ORDER BY seat", match)
        return tuple(Sitter(*(None if one is None else str(one) for one in row)) for row in rows)


def _add_deals(base: sqlite3.Connection, match: str, first: int, deals: Sequence[SealedDeal]) -> None:
    rows = [(match, number, deal.salt, deal.text) for number, deal in enumerate(deals, first)]
    base.executemany("INSERT INTO hand VALUES (?,?,?,?)", rows)


def _end(base: sqlite3.Connection, match: str, end: End) -> None:
    base.execute(
        "UPDATE match SET ended = ?, winner = ?, ending = ? WHERE id = ?",
        (time.time(), end.winner, end.ending, match),
    )


def _match(row: tuple[Any, ...], sitters: tuple[Sitter, ...]) -> Stored:
    name, rules, target, first, seed, kind, origin, skipped, started, ended, winner, ending = row
    end = None if ended is None else End(winner, ending, ended)
    return Stored(name, rules, target, first, seed, kind, sitters, started, origin, skipped, end)
