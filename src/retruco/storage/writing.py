"""How a store is changed: everything done by one writer happens at once, or not at all."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeVar

from sqlalchemy import bindparam, literal, select

from retruco.games.core import short_repr
from retruco.storage.errors import StoreError
from retruco.storage.reading import (
    CHUNK,
    EMBEDDED,
    FIND,
    ORIGINS,
    STORED,
    Derived,
    Facts,
    Hand,
    Reader,
    is_derived,
)
from retruco.storage.schema import BASES, DERIVED, HANDS, MIGRATIONS

T = TypeVar("T")

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")

DIGESTS: Final = 1 << 256

INSERT: Final = HANDS.insert()
UPDATE: Final = (
    BASES.update()
    .where(BASES.c.id == bindparam("which"))
    .values({name: bindparam(name) for name in ("next_number", "removed", "origins", "digest")})
)


def check_name(name: str) -> str:
    """Refuse a name that a base cannot have.

    >>> check_name("my base")
    Traceback (most recent call last):
    ...
    retruco.storage.errors.StoreError: 'my base' cannot name a case base: letters, digits and . _ - , at most 60
    """
    if not NAME.fullmatch(name):
        start = name if len(name) <= 70 else name[:70] + "..."
        raise StoreError(f"{start!r} cannot name a case base: letters, digits and . _ - , at most 60")
    return name


def hand_digest(number: int, hand: Hand) -> int:
    """Turn a hand into a large number; the digest of a base is the sum of its hands'."""
    text = f"{number} {hand.seat} {hand.origin} {hand.text}"
    return int.from_bytes(blake2b(text.encode(), digest_size=32).digest(), "big")


class Writer(Reader):
    """One change of a store, which may have several steps."""

    # Among several writers at a server, the first holds the base it changes; SQLite has one writer.
    _find = FIND.with_for_update()

    # Bases

    def hold_names(self) -> None:
        """Be the only one who gives names until the change is made; at a server, others wait."""
        first = select(MIGRATIONS.c.number).where(MIGRATIONS.c.number == 1)
        self.connection.execute(first.with_for_update())

    def create(self, name: str, game: str, rules: str, note: str = "", created: str = "") -> Facts:
        """Begin an empty base under a name that is free."""
        self.hold_names()
        self._check_free(name)
        return self._create(name, game, rules, note, created, False)

    def embed(
        self, name: str, game: str, rules: str, note: str, created: str, hands: Iterable[Hand]
    ) -> Facts:
        """Make an embedded base, complete and fixed, in the place of an older one."""
        self.hold_names()
        if older := self.find(name):
            self.connection.execute(BASES.delete().where(BASES.c.id == older.id))
        base = self._create(name, game, rules, note, created, True)
        self._append(base, hands)
        return self.facts(name)

    def _create(self, name: str, game: str, rules: str, note: str, created: str, fixed: bool) -> Facts:
        facts = {"name": name, "game": game, "rules": rules, "note": note, "created": created}
        nothing = {"next_number": 1, "removed": 0, "origins": "{}", "digest": f"{0:064x}"}
        self.connection.execute(BASES.insert().values(**facts, **nothing, fixed=fixed))
        return self.facts(name)

    def _check_free(self, name: str) -> None:
        taken = self.names()
        if check_name(name) == EMBEDDED:
            raise StoreError(f"{name!r} is the name of the embedded base: choose another")
        if name in taken:
            raise StoreError(
                f"there is already a case base {name!r}: choose a name other than {', '.join(taken)}"
            )

    def changeable(self, name: str) -> Facts:
        """Describe a base that may be changed; refuse one that is fixed."""
        base = self.facts(name)
        if base.fixed:
            raise StoreError(f"{name!r} is fixed: copy it under a name of your own and change the copy")
        return base

    def rename(self, name: str, new: str) -> Facts:
        """Give a base another name."""
        self.hold_names()
        base = self.changeable(name)
        self._check_free(new)
        self.connection.execute(BASES.update().where(BASES.c.id == base.id).values(name=new))
        return self.facts(new)

    def delete(self, name: str) -> None:
        """Remove a base with all that belongs to it."""
        base = self.changeable(name)
        self.connection.execute(BASES.delete().where(BASES.c.id == base.id))

    def copy(self, name: str, new: str, created: str = "") -> Facts:
        """Make a base with the same hands under the same numbers; it can be changed."""
        self.hold_names()
        base = self.facts(name)
        copied = self.create(new, base.game, base.rules, base.note, created)
        self._update(copied, base.next_number, base.removed, base.origins, int(base.digest, 16))
        for table in (HANDS, DERIVED):
            rest = [column for column in table.c if column.name != "base"]
            query = select(literal(copied.id), *rest).where(table.c.base == base.id)
            self.connection.execute(table.insert().from_select(["base", *(one.name for one in rest)], query))
        return self.facts(new)

    def copy_some(self, name: str, new: str, numbers: Iterable[int], note: str, created: str = "") -> Facts:
        """Make a base of some hands of another, under the same numbers."""
        copied = self.copy(name, new, created)
        self.remove(new, set(self.numbers(copied).tolist()) - set(numbers))
        self.connection.execute(BASES.update().where(BASES.c.id == copied.id).values(note=note))
        return self.facts(new)

    def merge(self, names: Sequence[str], new: str, created: str = "") -> Facts:
        """Make a base of the hands of several, numbered anew in the order given."""
        self.hold_names()
        bases = self._mergeable(names)
        rules = sorted({one for base in bases for one in base.rules.split(", ")})
        notes = dict.fromkeys(base.note for base in bases if base.note)
        merged = self.create(new, bases[0].game, ", ".join(rules), "; ".join(notes), created)
        self._append(merged, (stored.hand for base in bases for stored in self.hands(base)))
        return self.facts(new)

    def _mergeable(self, names: Sequence[str]) -> list[Facts]:
        if len(names) < 2 or len(set(names)) < len(names):
            raise StoreError(
                f"a merge needs two or more different case bases, not {', '.join(names) or 'none'}"
            )
        bases = [self.facts(name) for name in names]
        if len({base.game for base in bases}) > 1:
            games = ", ".join(f"{base.name} is {base.game}" for base in bases)
            raise StoreError(f"case bases of different games cannot be merged: {games}")
        if not any(base.hands for base in bases):
            raise StoreError(f"there is nothing to merge: {', '.join(names)} have no hands")
        return bases

    # Hands

    def append(self, name: str, hands: Iterable[Hand]) -> range:
        """Add hands to a base and give the numbers they have from now on."""
        return self._append(self.changeable(name), hands)

    def _append(self, base: Facts, hands: Iterable[Hand]) -> range:
        start = number = base.next_number
        origins, digest = Counter(base.origins), int(base.digest, 16)
        for chunk in chunks(hands):
            lines = [_line(base, number, hand) for number, hand in enumerate(chunk, number)]
            self.connection.execute(INSERT, lines)
            digest += sum(hand_digest(number, hand) for number, hand in enumerate(chunk, number))
            origins.update(hand.origin for hand in chunk)
            number += len(chunk)
        self._update(base, number, base.removed, origins, digest)
        return range(start, number)

    def remove(self, name: str, numbers: Iterable[int]) -> int:
        """Take hands out of a base, for ever; say how many there were."""
        base = self.changeable(name)
        origins, digest, gone = Counter(base.origins), int(base.digest, 16), 0
        for chunk in chunks(sorted(set(numbers)), 500):
            which = (HANDS.c.base == base.id) & HANDS.c.number.in_(chunk)
            for stored in self.stored(select(*STORED).where(which)):
                origins.subtract([stored.hand.origin])
                digest -= hand_digest(stored.number, stored.hand)
                gone += 1
            self.connection.execute(HANDS.delete().where(which))
        self._update(base, base.next_number, base.removed + gone, +origins, digest)
        return gone

    def count_uses(self, base: Facts, uses: Mapping[int, int]) -> None:
        """Count how often hands were used, on top of what they have."""
        by_more: dict[int, list[int]] = {}
        for number, more in sorted(uses.items()):
            by_more.setdefault(more, []).append(number)
        for more, numbers in by_more.items():
            for chunk in chunks(numbers, 500):
                which = (HANDS.c.base == base.id) & HANDS.c.number.in_(chunk)
                self.connection.execute(HANDS.update().where(which).values(uses=HANDS.c.uses + more))

    def _update(
        self, base: Facts, number: int, removed: int, origins: Mapping[str, int], digest: int
    ) -> None:
        counts = {"origins": json.dumps(origins, sort_keys=True), "digest": f"{digest % DIGESTS:064x}"}
        self.connection.execute(
            UPDATE, {"which": base.id, "next_number": number, "removed": removed, **counts}
        )

    # What is derived

    def put_derived(
        self, base: Facts, vocabulary: str, kind: str, parts: Iterable[Derived], first: int = 0
    ) -> None:
        """Replace the parts of something derived from the first given one on."""
        old = is_derived(base, vocabulary, kind) & (DERIVED.c.part >= first)
        self.connection.execute(DERIVED.delete().where(old))
        for part in parts:
            self.connection.execute(
                DERIVED.insert().values(
                    base=base.id,
                    vocabulary=vocabulary,
                    kind=kind,
                    part=part.part,
                    fingerprint=part.fingerprint,
                    content=part.content,
                )
            )

    def drop_derived(self, base: Facts, except_for: Collection[str] = ()) -> None:
        """Forget what was derived from a base in other words; it is made again when it is needed."""
        others = (DERIVED.c.base == base.id) & DERIVED.c.vocabulary.not_in(except_for)
        self.connection.execute(DERIVED.delete().where(others))


def _line(base: Facts, number: int, hand: Hand) -> dict[str, object]:
    if hand.origin not in ORIGINS:
        raise StoreError(f"a hand's origin cannot be {hand.origin!r}: one of {', '.join(ORIGINS)}")
    if f'"game":"{base.game}"' not in hand.text:
        raise StoreError(f"case base {base.name!r} takes hands of {base.game}, not {short_repr(hand.text)}")
    return {
        "base": base.id,
        "number": number,
        "seat": hand.seat,
        "origin": hand.origin,
        "uses": hand.uses,
        "record": hand.text,
    }


def chunks(things: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Hand things out in lists of at most so many.

    >>> list(chunks("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(things)
    while chunk := list(itertools.islice(rest, size)):
        yield chunk
