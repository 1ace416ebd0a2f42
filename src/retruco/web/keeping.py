"""Hands that were kept: which case base has them, whose they are, and how they leave it again.

A hand is entered here before it is put into a case base, and its number there is entered
afterwards. So a crash between the two loses no hand and doubles none: the record carries the
same name in both places, and what was broken off is finished at the next start.
"""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from retruco.games.core import Seat
from retruco.web.store import Store

if TYPE_CHECKING:
    from retruco.storage.reading import Hand
    from retruco.storage.store import Store as CaseStore

Json = dict[str, Any]
GONE: Final = -1
"""The number of a hand that was deleted: its name stays, so that it is never kept again."""
PEOPLE: Final = "people-{rules}"
"""The base of the hands that people and bots played by some rules and agreed to have kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A hand of somebody in a case base."""

    id: str
    base: str
    number: int | None
    """Its number in the base, once it is there."""
    visitor: str
    match: str
    hand: int
    seat: Seat
    stage: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished hand to keep, as one seat saw it."""

    base: str
    rules: str
    visitor: str
    match: str
    hand: int
    seat: Seat
    record: Json
    origin: str = "played"
    stage: str | None = None

    @property
    def id(self) -> str:
        """Its name, the same whenever it is made; it tells nobody which match it was."""
        text = f"{self.base} {self.match} {self.hand} {self.seat} {self.stage}"
        return sha256(text.encode()).hexdigest()[:24]


class Keeper:
    """Puts hands into case bases, and takes them out for who asks."""

    def __init__(self, store: Store, cases: Path) -> None:
        self._store, self._cases = store, cases
        self._finish()

    def _opened(self) -> CaseStore:
        from retruco.storage.store import open_store  # a server that keeps nothing starts without it

        return open_store(self._cases)

    # In

    def keep(self, hands: Sequence[Finished]) -> list[Kept]:
        """Put hands into their case bases; those that are there already stay as they are."""
        fresh = [one for one in hands if self._enter(one)]
        by_base: dict[str, list[Finished]] = defaultdict(list)
        for one in fresh:
            by_base[one.base].append(one)
        for base, some in by_base.items():
            self._append(base, some)
        places = ",".join("?" * len(fresh))
        return self._kept(f"id IN ({places})", *(one.id for one in fresh))

    def _enter(self, one: Finished) -> bool:
        line = (one.id, one.base, one.visitor, one.match, one.hand, one.seat, one.stage, time.time())
        query = "INSERT OR IGNORE INTO kept VALUES (?,?,NULL,?,?,?,?,?,?)"
        return self._store.change(lambda base: base.execute(query, line).rowcount) == 1

    def _append(self, base: str, hands: Sequence[Finished]) -> None:
        from retruco.storage.reading import Hand

        with self._opened() as cases, cases.writing() as writer:
            if writer.find(base) is None:
                note = "taught at the web table" if hands[0].origin == "taught" else "played at the web table"
                writer.create(base, "truco", hands[0].rules, note)
            whole = [Hand.of({"id": one.id, **one.record}, one.seat, one.origin) for one in hands]
            numbers = writer.append(base, whole)
        self._number((one.id, number) for one, number in zip(hands, numbers, strict=True))

    def _number(self, numbers: Iterable[tuple[str, int]]) -> None:
        lines = [(number, name) for name, number in numbers]
        query = "UPDATE kept SET number = ? WHERE id = ?"
        self._store.change(lambda base: base.executemany(query, lines))

    def _finish(self) -> None:
        """Finish what a crash broke off: find the hand in its base, or let it be kept anew."""
        for base in {one.base for one in self._kept("number IS NULL")}:
            wanted = {one.id for one in self._kept("number IS NULL AND base = ?", base)}
            found = [(str(hand.record.get("id")), number) for number, hand in self._hands(base)]
            self._number(one for one in found if one[0] in wanted)
        self._store.change(lambda base: base.execute("DELETE FROM kept WHERE number IS NULL"))

    # Looking

    def of(self, visitor: str) -> list[Kept]:
        """List somebody's hands, the newest first."""
        return self._kept("visitor = ? AND number > 0", visitor)

    def of_match(self, match: str, visitor: str) -> list[Kept]:
        """List somebody's hands of one match."""
        return self._kept("match = ? AND visitor = ? AND number > 0", match, visitor)

    def records(self, hands: Sequence[Kept]) -> dict[str, Json]:
        """Read hands from their bases, by their names."""
        found: dict[str, Json] = {}
        wanted = {one.id for one in hands}
        for base in {one.base for one in hands}:
            for _, hand in self._hands(base):
                name = str(hand.record.get("id"))
                if name in wanted:
                    found[name] = {**hand.record, "seat": hand.seat}
        return found

    def _hands(self, base: str) -> list[tuple[int, Hand]]:
        with self._opened() as cases:
            with cases.reading() as reader:
                is_there = reader.find(base) is not None
            return list(cases.hands(base)) if is_there else []

    def _kept(self, where: str, *values: object) -> list[Kept]:
        query = f"SELECT * FROM kept WHERE {where} ORDER BY at DESC, hand DESC"  # noqa: S608  no outside text
        return [Kept(*row) for row in self._store.rows(query, *values)]

    # Out

    def delete(self, hands: Sequence[Kept]) -> int:
        """Take hands out of their bases for ever, and what was derived from them; count them."""
        by_base: dict[str, list[int]] = defaultdict(list)
        for one in hands:
            if one.number is not None:
                by_base[one.base].append(one.number)
        gone = 0
        for base, numbers in by_base.items():
            with self._opened() as cases, cases.writing() as writer:
                if writer.find(base) is not None:
                    gone += writer.remove(base, numbers)
                    writer.drop_derived(writer.facts(base))
        names = [(GONE, one.id) for one in hands]
        query = "UPDATE kept SET number = ?, visitor = '' WHERE id = ?"
        self._store.change(lambda base: base.executemany(query, names))
        return gone

    def forget(self, visitor: str) -> None:
        """Take everything of somebody out: hands, opinions, invitations, name, and matches nobody else has part in."""
        self.delete(self.of(visitor))
        self._store.change(lambda base: _forget(base, visitor))


def _forget(base: sqlite3.Connection, visitor: str) -> None:
    alone = (
        "SELECT match FROM seat WHERE visitor = ?1 AND match NOT IN "
        "(SELECT match FROM seat WHERE visitor IS NOT NULL AND visitor != ?1)"
    )
    base.execute(f"DELETE FROM match WHERE id IN ({alone})", (visitor,))  # noqa: S608  no outside text
    base.execute("UPDATE seat SET visitor = NULL WHERE visitor = ?", (visitor,))
    for table in ("opinion", "kept", "person"):
        base.execute(f"DELETE FROM {table} WHERE visitor = ?", (visitor,))  # noqa: S608  as above
    base.execute("DELETE FROM invitation WHERE host = ?", (visitor,))
