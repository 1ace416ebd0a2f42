"""Embedded bases: case bases that come with the program, or that are made when somebody first asks for them.

The store knows no game and plays no hand: whoever opens a library hands it the providers of the
bases that can be made (see `retruco.learning.registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from retruco.storage.errors import StoreError
from retruco.storage.progress import Progress, count_off
from retruco.storage.reading import Facts, Hand
from retruco.storage.store import Store

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

MADE: Final = "as version "
"""Begins what a versioned base says of its making."""


class Provider(Protocol):
    """Provides one case base, if the store does not have it."""

    @property
    def name(self) -> str: ...

    def provide(self, store: Store, progress: Progress, /) -> None:
        """Make the base, or leave the one that is there."""


@dataclass(frozen=True)
class EmbeddedBase:
    """A base of hands that agents play, the same bytes on every machine; they are called synthetic."""

    name: str
    game: str
    rules: str
    note: str
    hands: int
    play: Callable[[int], Iterator[Hand | None]]
    """Plays so many hands; a hand of which nothing is kept is none."""
    version: int | None = None
    """Raised when the hands change: an older base is then made anew. Without a version, a base of this
    name is left as it is, and users may change it."""
    source: ClassVar[str] = "made on first use"

    def provide(self, store: Store, progress: Progress, /) -> None:
        """Play the hands, if the store has none or an older version; one process at a time does so."""
        if self._is_there(store):
            return
        with store.making():
            if not self._is_there(store):
                self._make(store, progress)

    def _make(self, store: Store, progress: Progress) -> None:
        message = f"making the embedded case base {self.name!r}: {self.hands:,} synthetic hands of {self.game}, once"
        hands = list(filter(None, count_off(self.play(self.hands), self.hands, message, progress)))
        with store.writing() as writer:
            writer.hold_names()
            if self._is_current(writer.find(self.name)):
                return
            if self.version is None:
                writer.create(self.name, self.game, self.rules, self.note)
                writer.append(self.name, hands)
            else:
                writer.embed(self.name, self.game, self.rules, self.note, f"{MADE}{self.version}", hands)

    def _is_there(self, store: Store) -> bool:
        with store.reading() as reader:
            found = reader.find(self.name)
        # A store that cannot be written keeps the base it has.
        return self._is_current(found) or (found is not None and store.read_only)

    def _is_current(self, found: Facts | None) -> bool:
        if found is None or self.version is None:
            return found is not None
        version = found.created.removeprefix(MADE)
        return version.isdigit() and int(version) >= self.version


@dataclass(frozen=True)
class ShippedBase:
    """A base that comes with the program: the cases of hands that agents have played, without the hands.

    It is never stored, and a base of the same name in a store is meant before it.
    """

    name: str
    game: str
    rules: str
    note: str
    hands: int
    file: Traversable
    read: Callable[[Traversable], CaseBase]
    source: ClassVar[str] = "comes with the program"

    def provide(self, store: Store, progress: Progress, /) -> None:
        """Leave the store as it is: nothing has to be made."""

    def cases(self) -> CaseBase:
        """Read the cases."""
        return self.read(self.file)

    def open(self, version: int | None = None) -> CaseBase:
        """Read the cases; refuse another version of the vocabulary than theirs."""
        cases = self.cases()
        if version not in (None, cases.vocabulary.version):
            raise StoreError(
                f"case base {self.name!r} {self.source} in vocabulary {cases.vocabulary.version}, not {version}"
            )
        return cases

    def facts(self) -> Facts:
        """Describe the base as the store would."""
        return Facts(
            id=0,
            name=self.name,
            game=self.game,
            rules=self.rules,
            note=self.note,
            created="with the program",
            fixed=True,
            next_number=self.hands + 1,
            removed=0,
            origins={"synthetic": self.hands},
            digest=sha256(self.file.read_bytes()).hexdigest(),
        )
