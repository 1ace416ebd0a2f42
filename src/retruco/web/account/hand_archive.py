"""The archive of people's hands: which case base has them, whose they are, and how they leave it again.

A hand is kept with the cards of both seats only if both people agreed, or the other is an agent; otherwise it
is kept as the seat that agreed saw it. When one of two takes a hand back or is forgotten, the other's record
of it becomes one-sided: what they saw and did themselves stays theirs. Copies of a base are found by the name
that a record carries, and mended alike.

A hand is entered here before it is put into a case base, and its number there is entered
afterwards. So a crash between the two loses no hand and doubles none: the record carries the
same name in both places, and what was broken off is finished at the next start.
"""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from retruco.arena.match import winner_without
from retruco.games.core import Seat
from retruco.games.registry import find_game
from retruco.games.truco.notation import read
from retruco.web.core.store import Store

if TYPE_CHECKING:
    from retruco.storage.reading import Facts, Hand
    from retruco.storage.store import Store as CaseStore
    from retruco.storage.writing import Writer as CaseWriter

Json = dict[str, Any]
Rewrite = Callable[["Hand"], "Hand | None"]
"""What a stored hand is replaced by; nothing if it is taken out."""
Numbers = dict[tuple[str, str], int]
"""The numbers of hands, by base and name."""
GONE: Final = -1
"""The number of a hand that was deleted: its name stays, so that it is never kept again."""
PEOPLE: Final = "people-{rules}"
"""The base of the hands that people and bots played by some rules and agreed to have kept; its game comes before
the rules unless it is Truco."""
TAUGHT: Final = "taught-{visitor}"
"""The base of what somebody has taught, by the beginning of what the store knows them by."""


@dataclass(frozen=True, slots=True)
class ArchivedHand:
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
    whole: bool = True
    """Whether the record has the cards of both seats."""


@dataclass(frozen=True, slots=True)
class HandToArchive:
    """A finished hand to keep as a case of one seat."""

    base: str
    rules: str
    visitor: str
    match: str
    hand: int
    seat: Seat
    record: Json
    origin: str = "played"
    stage: str | None = None
    whole: bool = True
    game: str = "truco"

    @property
    def id(self) -> str:
        """Its name, the same whenever it is made; it tells nobody which match it was."""
        text = f"{self.base} {self.match} {self.hand} {self.seat} {self.stage}"
        return sha256(text.encode()).hexdigest()[:24]


class HandArchive:
    """Puts hands into case bases, and takes them out for who asks."""

    def __init__(
        self, store: Store, cases: Path, bases_changed: Callable[[list[str]], None] = lambda _: None
    ) -> None:
        self._store, self._cases = store, cases
        self._bases_changed = bases_changed
        self._finish()
        self._narrow(self._without_agreement())

    def _case_store(self) -> CaseStore:
        from retruco.storage.store import open_store  # a server that keeps nothing starts without it

        return open_store(self._cases)

    # In

    def keep(self, hands: Sequence[HandToArchive]) -> list[ArchivedHand]:
        """Put hands into their case bases; those that are there already stay as they are."""
        fresh = [one for one in hands if self._enter(one)]
        by_base: dict[str, list[HandToArchive]] = defaultdict(list)
        for hand in fresh:
            by_base[hand.base].append(hand)
        for base, some in by_base.items():
            self._append(base, some)
        places = ",".join("?" * len(fresh))
        return self._find(f"id IN ({places})", *(one.id for one in fresh))

    def _enter(self, hand: HandToArchive) -> bool:
        line = (
            hand.id,
            hand.base,
            hand.visitor,
            hand.match,
            hand.hand,
            hand.seat,
            hand.stage,
            time.time(),
            hand.whole,
        )
        query = "INSERT OR IGNORE INTO kept VALUES (?,?,NULL,?,?,?,?,?,?,?)"
        return self._store.change(lambda base: base.execute(query, line).rowcount) == 1

    def _append(self, base: str, hands: Sequence[HandToArchive]) -> None:
        from retruco.storage.reading import Hand

        with self._case_store() as cases, cases.writing() as writer:
            if writer.find(base) is None:
                note = "taught at the web table" if hands[0].origin == "taught" else "played at the web table"
                writer.create(base, hands[0].game, hands[0].rules, note)
            whole = [Hand.of({"id": one.id, **one.record}, one.seat, one.origin) for one in hands]
            numbers = writer.append(base, whole)
        self._number((one.id, number) for one, number in zip(hands, numbers, strict=True))

    def _number(self, numbers: Iterable[tuple[str, int]]) -> None:
        lines = [(number, name) for name, number in numbers]
        query = "UPDATE kept SET number = ? WHERE id = ?"
        self._store.change(lambda base: base.executemany(query, lines))

    def _finish(self) -> None:
        """Finish what a crash broke off: find the hand in its base, or let it be kept anew."""
        for base in {one.base for one in self._find("number IS NULL")}:
            wanted = {one.id for one in self._find("number IS NULL AND base = ?", base)}
            found = [(str(hand.record.get("id")), number) for number, hand in self._hands(base)]
            self._number(one for one in found if one[0] in wanted)
        self._store.change(lambda base: base.execute("DELETE FROM kept WHERE number IS NULL"))

    # Looking

    def of(self, visitor: str) -> list[ArchivedHand]:
        """List somebody's hands, the newest first."""
        return self._find("visitor = ? AND number > 0", visitor)

    def of_match(self, match: str, visitor: str) -> list[ArchivedHand]:
        """List somebody's hands of one match."""
        return self._find("match = ? AND visitor = ? AND number > 0", match, visitor)

    def records(self, hands: Sequence[ArchivedHand]) -> dict[str, Json]:
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
        with self._case_store() as cases:
            with cases.reading() as reader:
                is_there = reader.find(base) is not None
            return list(cases.hands(base)) if is_there else []

    def _find(self, where: str, *values: object) -> list[ArchivedHand]:
        query = f"SELECT * FROM kept WHERE {where} ORDER BY at DESC, hand DESC"  # noqa: S608  no outside text
        return [ArchivedHand(*row) for row in self._store.rows(query, *values)]

    # Out

    def delete(self, hands: Sequence[ArchivedHand]) -> int:
        """Take hands out of all bases for ever, and what was derived from them; count them.

        What the other of two people kept of the same hands becomes one-sided.
        """
        if not hands:
            return 0
        gone = self._rewrite({one.id: None for one in hands})
        count = sum((one.base, one.id) in gone for one in hands)
        names = [(GONE, one.id) for one in hands]
        query = "UPDATE kept SET number = ?, visitor = '' WHERE id = ?"
        self._store.change(lambda base: base.executemany(query, names))
        self._narrow([other for one in hands for other in self._other_side(one)])
        return count

    def _other_side(self, hand: ArchivedHand) -> list[ArchivedHand]:
        """What the other people at the table have of a hand, if it shows all sides."""
        where = "match = ? AND hand = ? AND seat != ? AND number > 0 AND whole"
        return self._find(where, hand.match, hand.hand, hand.seat)

    def _without_agreement(self) -> list[ArchivedHand]:
        """Hands that show the cards of all seats, although another person there did not agree or has left."""
        return self._find(
            "whole AND number > 0 AND stage IS NULL AND ("
            "EXISTS (SELECT 1 FROM seat WHERE seat.match = kept.match AND seat.seat != kept.seat AND agent IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM kept AS other WHERE other.match = kept.match AND other.hand = kept.hand "
            "AND other.number > 0 AND other.seat = seat.seat)) "
            "OR (NOT EXISTS (SELECT 1 FROM seat WHERE seat.match = kept.match) "
            "AND NOT EXISTS (SELECT 1 FROM kept AS other WHERE other.match = kept.match AND other.hand = kept.hand "
            "AND other.number > 0 AND other.seat != kept.seat)))"
        )

    def _narrow(self, hands: Sequence[ArchivedHand]) -> None:
        """Replace whole records by what their own seat saw; take out those of games that have no such form."""
        if not hands:
            return
        numbers = self._rewrite({one.id: _narrow_hand for one in hands})
        lines = [(numbers.get((one.base, one.id), one.number), one.id) for one in hands]
        query = "UPDATE kept SET whole = 0, number = ? WHERE id = ?"
        self._store.change(lambda base: base.executemany(query, lines))

    def _rewrite(self, changes: Mapping[str, Rewrite | None]) -> Numbers:
        """Replace the hands of these names in every base, or take them out; give the number that each has or had."""
        numbers: Numbers = {}
        with self._case_store() as cases, cases.writing() as writer:
            for base in writer.bases():
                numbers |= _rewrite_base(writer, base, changes)
        self._bases_changed(sorted({base for base, _ in numbers}))
        return numbers

    def forget(self, visitor: str) -> list[str]:
        """Take everything of somebody out: hands, opinions, invitations, name, and matches; name those of other people."""
        self.delete(self.of(visitor))
        self._delete_if_empty(TAUGHT.format(visitor=visitor[:16]))
        return self._store.change(lambda base: _forget(base, visitor))

    def _delete_if_empty(self, base: str) -> None:
        """Delete a base that was somebody's own, and named after them, once there is nothing in it."""
        if not self._cases.exists():
            return
        with self._case_store() as cases, cases.writing() as writer:
            found = writer.find(base)
            if found is not None and not found.hands:
                writer.delete(base)


def _rewrite_base(writer: CaseWriter, base: Facts, changes: Mapping[str, Rewrite | None]) -> Numbers:
    """Replace or take out the hands of one base, with all that was derived from them."""
    found = [(name, one) for name, one in writer.named_hands(base) if name in changes]
    if not found or base.fixed:
        return {}
    writer.remove(base.name, [one.number for _, one in found])
    numbers = {(base.name, name): GONE for name, _ in found}
    changed = [(name, change(one.hand)) for name, one in found if (change := changes[name]) is not None]
    fresh = [(name, hand) for name, hand in changed if hand is not None]
    appended = writer.append(base.name, [hand for _, hand in fresh])
    numbers |= {(base.name, name): number for (name, _), number in zip(fresh, appended, strict=True)}
    writer.drop_derived(writer.facts(base.name))
    return numbers


def _narrow_hand(hand: Hand) -> Hand | None:
    """A stored hand as its own seat saw it; nothing where the game has no such record."""
    from retruco.storage.reading import Hand
    from retruco.vocab.truco.one_sided import is_one_sided, one_sided

    record = hand.record
    if record.get("game") != "truco":
        return None
    if is_one_sided(record):
        return hand
    rest = {key: value for key, value in record.items() if key in ("id", "result")}
    narrow = Hand.of({**rest, **one_sided(read(record), hand.seat)}, hand.seat, hand.origin)
    return replace(narrow, uses=hand.uses)


SHARED: Final = (
    "SELECT match FROM seat WHERE visitor = ?1 AND match IN "
    "(SELECT match FROM seat WHERE visitor IS NOT NULL AND visitor != ?1)"
)
"""The matches that somebody played with another person."""


def _forget(base: sqlite3.Connection, visitor: str) -> list[str]:
    """Delete the matches of somebody; of those with another person only the result stays, for the other's count."""
    shared = [str(name) for (name,) in base.execute(SHARED, (visitor,))]
    for name in shared:
        base.execute(
            "UPDATE match SET ended = ?, ending = 'left', winner = ? WHERE id = ? AND ended IS NULL",
            (time.time(), _winner_left(base, name, visitor), name),
        )
        for table in ("hand", "action", "share"):
            base.execute(f"DELETE FROM {table} WHERE match = ?", (name,))  # noqa: S608  no outside text
    copies = (
        "DELETE FROM match WHERE kind = 'practice' AND origin IN (SELECT match FROM seat WHERE visitor = ?)"
    )
    base.execute(copies, (visitor,))  # others may be playing on from a match of theirs
    alone = "DELETE FROM match WHERE id IN (SELECT match FROM seat WHERE visitor = ?1) AND id NOT IN "
    base.execute(f"{alone} ({SHARED})", (visitor,))
    base.execute("UPDATE seat SET visitor = NULL WHERE visitor = ?", (visitor,))
    for table in ("opinion", "kept", "person", "puzzle_answer"):
        base.execute(f"DELETE FROM {table} WHERE visitor = ?", (visitor,))  # noqa: S608  as above
    base.execute("DELETE FROM invitation WHERE host = ?", (visitor,))
    free = "UPDATE invitation_seat SET visitor = NULL, secret = '', contribution = '' WHERE visitor = ?"
    base.execute(free, (visitor,))
    return shared


def _winner_left(base: sqlite3.Connection, match: str, visitor: str) -> int | None:
    """Who wins a match that a visitor leaves."""
    query = "SELECT game, rules, target, seat FROM match JOIN seat ON match = id WHERE id = ? AND visitor = ?"
    game, rules, target, seat = base.execute(query, (match, visitor)).fetchone()
    return winner_without(find_game(game, rules, target), seat)
