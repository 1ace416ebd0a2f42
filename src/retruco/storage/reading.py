"""What a store can be asked: its case bases, their hands, and what was derived from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select

from retruco.storage.errors import StoreError, UnknownBase
from retruco.storage.schema import BASES, DERIVED, HANDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMBEDDED: Final = "baseline"
"""The base that every store has, or makes when it is first asked for."""

ORIGINS: Final = ("played", "taught", "imported", "imitated", "synthetic")
"""Where a hand can come from."""

CHUNK: Final = 4096
"""Hands read or written at a time."""

FIND: Final = select(BASES).where(BASES.c.name == bindparam("which"))

STORED: Final = (HANDS.c.number, HANDS.c.record, HANDS.c.seat, HANDS.c.origin, HANDS.c.uses)
"""What a stored hand is read from."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a case base without reading its hands."""

    id: int
    name: str
    game: str
    rules: str
    """The preset its hands were played by, or several, separated by commas."""
    note: str
    """Where it comes from, in a sentence."""
    created: str
    fixed: bool
    """Whether nothing can be added, removed or renamed any more."""
    next_number: int
    removed: int
    """How many hands have ever been removed."""
    origins: Mapping[str, int]
    digest: str
    """Names the hands: equal hands under equal numbers have equal digests."""

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return sum(self.origins.values())

    @property
    def fingerprint(self) -> str:
        """What derived things remember, to tell whether they are still up to date."""
        return f"{self.hands} hands, last {self.next_number - 1}, removed {self.removed}"

    @property
    def synthetic(self) -> bool:
        """Whether some of its hands were made by the program for want of real ones."""
        return self.origins.get("synthetic", 0) > 0

    @property
    def kind(self) -> str:
        """Says plainly how many of its hands are synthetic; nothing if none is."""
        made = self.origins.get("synthetic", 0)
        return "synthetic" if made == self.hands > 0 else f"{made:,} synthetic" if made else ""

    @property
    def description(self) -> str:
        """What the hands are, in a sentence."""
        made = {"": "hands", "synthetic": "synthetic hands"}.get(self.kind, f"hands, {self.kind},")
        note = f": {self.note}" if self.note else ""
        return f"{made} of {self.game}, rules {self.rules}{note}"

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """Read a line of the table."""
        return cls(**{**row._mapping, "origins": json.loads(row.origins)})


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand to keep: its record as a line of JSON, whose view it is, and where it comes from."""

    text: str
    seat: int
    origin: str = "played"
    uses: int = 0

    @classmethod
    def of(cls, record: Mapping[str, object], seat: int, origin: str = "played") -> Self:
        """Write a record down.

        >>> Hand.of({"game": "kuhn", "cards": ["K", "J"]}, seat=0)
        Hand(text='{"game":"kuhn","cards":["K","J"]}', seat=0, origin='played', uses=0)
        """
        return cls(json.dumps(record, ensure_ascii=False, separators=(",", ":")), seat, origin)

    @property
    def record(self) -> dict[str, object]:
        """The record, read."""
        record = json.loads(self.text)
        if not isinstance(record, dict):
            raise StoreError(f"a hand is a JSON object, not {self.text[:60]!r}")
        return record


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A hand of a base, under the number it keeps for ever."""

    number: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Derived:
    """Something made from a base's hands, in numbered parts."""

    part: int
    fingerprint: str
    content: bytes


class Reader:
    """One look at a store: all answers are of the same moment."""

    _find = FIND

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def bases(self) -> tuple[Facts, ...]:
        """Describe every base, by name."""
        return tuple(map(Facts.of, self.connection.execute(select(BASES).order_by(BASES.c.name))))

    def names(self) -> tuple[str, ...]:
        """Name every base, the embedded one too if it has not been made yet."""
        return tuple(sorted({EMBEDDED, *self.connection.scalars(select(BASES.c.name))}))

    def find(self, name: str) -> Facts | None:
        """Describe a base, if it is there."""
        found = self.connection.execute(self._find, {"which": name}).first()
        return Facts.of(found) if found else None

    def facts(self, name: str) -> Facts:
        """Describe a base, or say which ones there are."""
        found = self.find(name)
        if found is None:
            raise UnknownBase(name, self.names())
        return found

    def hands(self, base: Facts, after: int = 0) -> Iterator[StoredHand]:
        """Go through the hands with greater numbers than one, oldest first."""
        while chunk := self._chunk(base, after):
            yield from chunk
            after = chunk[-1].number

    def _chunk(self, base: Facts, after: int) -> list[StoredHand]:
        wanted = (HANDS.c.base == base.id) & (HANDS.c.number > after)
        query = select(*STORED).where(wanted).order_by(HANDS.c.number).limit(CHUNK)
        return self.stored(query)

    def stored(self, query: Select[Any]) -> list[StoredHand]:
        """Read the hands that a query for `STORED` finds."""
        return [StoredHand(number, Hand(*rest)) for number, *rest in self.connection.execute(query)]

    def named_hands(self, base: Facts) -> Iterator[tuple[str, StoredHand]]:
        """Go through the hands whose records carry a name, which all copies of a hand share."""
        which = (HANDS.c.base == base.id) & HANDS.c.record.like('%"id":"%')
        for stored in self.stored(select(*STORED).where(which).order_by(HANDS.c.number)):
            name = stored.hand.record.get("id")
            if isinstance(name, str):
                yield name, stored

    def numbers(self, base: Facts) -> NDArray[np.int64]:
        """List the numbers of all hands."""
        import numpy as np  # most who open a store need no numbers

        query = select(HANDS.c.number).where(HANDS.c.base == base.id).order_by(HANDS.c.number)
        return np.array(self.connection.scalars(query).all(), np.int64)

    def uses(self, base: Facts) -> dict[int, int]:
        """Tell how often hands were used, the most used first; those that never were are left out."""
        used = (HANDS.c.base == base.id) & (HANDS.c.uses > 0)
        query = select(HANDS.c.number, HANDS.c.uses).where(used).order_by(HANDS.c.uses.desc(), HANDS.c.number)
        return {line.number: line.uses for line in self.connection.execute(query)}

    def derived(self, base: Facts, vocabulary: str, kind: str) -> Iterator[Derived]:
        """Give the parts of something derived, in order; none if it has not been made."""
        which = is_derived(base, vocabulary, kind)
        parts = self.connection.scalars(select(DERIVED.c.part).where(which).order_by(DERIVED.c.part)).all()
        content = select(DERIVED.c.part, DERIVED.c.fingerprint, DERIVED.c.content)
        for part in parts:  # one at a time: together they may be large
            yield Derived(*self.connection.execute(content.where(which & (DERIVED.c.part == part))).one())


def is_derived(base: Facts, vocabulary: str, kind: str) -> ColumnElement[bool]:
    """The condition for all parts of one thing derived from a base."""
    return (DERIVED.c.base == base.id) & (DERIVED.c.vocabulary == vocabulary) & (DERIVED.c.kind == kind)
