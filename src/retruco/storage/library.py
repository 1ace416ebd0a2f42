"""The library: case bases opened for use, their rows and clusters made when they are missing.

    with open_store() as store:
        base = Library(store).open("mine", game="truco")

A base is opened in one look at the store; what had to be made is put back for the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retruco.storage.embedded import Provider, ShippedBase
from retruco.storage.errors import StoreError
from retruco.storage.progress import Progress, silent
from retruco.storage.reading import EMBEDDED, Facts, Hand
from retruco.storage.store import Store
from retruco.storage.writing import check_name
from retruco.vocab.registry import GameVocabulary, find_vocabulary

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase
    from retruco.cbr.clusters import Clustering
    from retruco.storage.deriving import Elbow


def vocabulary_of(game: str, version: int | None = None) -> GameVocabulary:
    """Find the vocabulary in which a game's hands are remembered; refuse a game without one."""
    found = find_vocabulary(game, version)
    if found is None:
        raise StoreError(f"hands of {game} cannot be remembered: it has no vocabulary yet")
    return found


@dataclass(frozen=True, eq=False)
class Base:
    """A case base, open: its facts, and its cases with their clusters."""

    facts: Facts
    cases: CaseBase
    elbows: Mapping[str, Elbow]
    """By scenario; one without hindsight, or without rows, has no clusters."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.facts.name

    @property
    def hands(self) -> int:
        """How many hands it has."""
        return self.facts.hands

    @property
    def description(self) -> str:
        """The base in a sentence, which says plainly if it is synthetic."""
        return self.facts.description

    @property
    def digest(self) -> str:
        """Names its hands and the words they are remembered in: equal digests, equal cases."""
        return f"{self.facts.digest[:16]}-{self.cases.vocabulary.digest}"

    def sizes(self, scenario: str) -> list[int]:
        """Count the rows of every cluster of a scenario."""
        if scenario not in self.elbows:
            return []
        found = self.cases.census(scenario).by_cluster
        return [found[one].rows if one in found else 0 for one in range(self.elbows[scenario].clustering.k)]

    def as_json(self) -> dict[str, object]:
        """The base as plain data."""
        words = self.cases.vocabulary
        sizes = {one.name: self.sizes(one.name) for one in words.scenarios}
        return {
            "name": self.name,
            "game": self.facts.game,
            "rules": self.facts.rules,
            "hands": self.hands,
            "synthetic": self.facts.synthetic,
            "origin": dict(self.facts.origins),
            "note": self.facts.note,
            "created": self.facts.created,
            "fixed": self.facts.fixed,
            "vocabulary": words.version,
            "digest": self.digest,
            "rows": {one.name: self.cases.count(one.name) for one in words.scenarios},
            "clusters": {name: {"k": len(some), "sizes": some} for name, some in sizes.items()},
        }


class Library:
    """The case bases of a store, ready for use; those of the providers are made when first asked for."""

    def __init__(
        self,
        store: Store,
        progress: Progress = silent,
        vocabulary: Callable[[str], GameVocabulary] = vocabulary_of,
        providers: Iterable[Provider] = (),
    ) -> None:
        self.store = store
        self._progress, self._vocabulary = progress, vocabulary
        self._providers = {provider.name: provider for provider in providers}

    def names(self) -> tuple[str, ...]:
        """Name every base, the embedded one always."""
        with self.store.reading() as reader:
            return reader.names()

    def info(self, name: str) -> Facts:
        """Describe a base without opening it."""
        if shipped := self._shipped(name):
            return shipped.facts()
        self._provide(name)
        return self.store.facts(name)

    def open(self, name: str, game: str | None = None, version: int | None = None) -> Base:
        """Open a base for use, in a version of its game's vocabulary; refuse one of another game than wanted."""
        facts = self.info(name)
        if game not in (None, facts.game):
            raise StoreError(f"case base {name!r} is of {facts.game}, not of {game}")
        if shipped := self._shipped(name):
            return Base(facts, shipped.open(version), {})
        vocabulary = self._vocabulary(facts.game) if version is None else vocabulary_of(facts.game, version)
        from retruco.storage.deriving import Deriving  # slow to import, and a list of bases needs no rows

        with self.store.reading() as reader:
            derived = Deriving(reader, reader.facts(name), vocabulary, self._progress)
        derived.save(self.store)
        return Base(derived.facts, derived.cases, derived.elbows)

    def uses(self, name: str) -> dict[int, int]:
        """Count how often each hand of a base has been used."""
        return {} if self._shipped(name) else self.store.uses(name)

    def hands(self, name: str) -> Iterator[tuple[int, Hand]]:
        """Give the hands of a base with their numbers."""
        self._check_hands(name)
        self.info(name)
        return self.store.hands(name)

    def _shipped(self, name: str) -> ShippedBase | None:
        """The base of this name that comes with the program, unless the store has one of its own."""
        found = self._providers.get(name)
        return found if isinstance(found, ShippedBase) and name not in self.names() else None

    def _provide(self, name: str) -> None:
        if name in self._providers:
            self._providers[name].provide(self.store, self._progress)

    def _check_hands(self, name: str) -> None:
        if self._shipped(name):
            raise StoreError(
                f"case base {name!r} {ShippedBase.source} as cases without hands: it can be used, "
                "but not exported, copied, merged, renamed or deleted"
            )

    # Changes

    def copy(self, name: str, new: str, created: str = "") -> Facts:
        """Copy a base, the embedded one too, under a free name."""
        check_name(new)
        self._check_hands(name)
        self._provide(name)
        with self.store.writing() as writer:
            return writer.copy(name, new, created)

    def copy_some(self, name: str, new: str, numbers: Sequence[int], note: str, created: str = "") -> Facts:
        """Copy some hands of a base, under their numbers, as a base with a note of its own."""
        check_name(new)
        self._check_hands(name)
        self._provide(name)
        with self.store.writing() as writer:
            return writer.copy_some(name, new, numbers, note, created)

    def rename(self, name: str, new: str) -> Facts:
        """Give a base another name."""
        _not_embedded(name, "renamed")
        self._check_hands(name)
        with self.store.writing() as writer:
            return writer.rename(name, new)

    def delete(self, name: str) -> None:
        """Remove a base for ever."""
        _not_embedded(name, "deleted")
        self._check_hands(name)
        with self.store.writing() as writer:
            writer.delete(name)

    def merge(self, names: Sequence[str], new: str, created: str = "") -> Facts:
        """Make a base of the hands of several."""
        check_name(new)
        for name in names:
            self._check_hands(name)
            self._provide(name)
        with self.store.writing() as writer:
            return writer.merge(names, new, created)


def _not_embedded(name: str, what: str) -> None:
    if name == EMBEDDED:
        raise StoreError(f"{name!r} is the embedded base and cannot be {what}: it can only be copied")


OWN, ORIGINAL = "own", "original"
"""Whose clusters a base plays with: those made of its rows, or those its hands brought along."""


def regrouped(store: Store, base: Base, clusters: str) -> Base:
    """Give a base other clusters than its own; what the store has derived stays as it is."""
    from retruco.cbr.groupings import METHODS
    from retruco.storage.deriving import Elbow

    if clusters == ORIGINAL:
        found = _original_clusters(store, base)
    elif clusters in METHODS:
        found = _grouped(base, clusters)
    else:
        raise StoreError(f"unknown clusters {clusters!r}: one of {', '.join((OWN, ORIGINAL, *METHODS))}")
    for name, clustering in found.items():
        base.cases.cluster(name, clustering)
    elbows = {**base.elbows, **{name: Elbow(one, {}) for name, one in found.items()}}
    return Base(base.facts, base.cases, elbows)


def _original_clusters(store: Store, base: Base) -> Mapping[str, Clustering]:
    from retruco.vocab.truco.original import original_clusters
    from retruco.vocab.truco.partial import PartialHand, is_partial

    records = (hand.record for _, hand in store.hands(base.name))
    found = original_clusters(PartialHand.of(one) for one in records if is_partial(one))
    if not found:
        raise StoreError(f"case base {base.name!r} has no original clusters: its hands brought no labels")
    return found


def _grouped(base: Base, method: str) -> Mapping[str, Clustering]:
    from retruco.cbr.groupings import group

    if not base.elbows:
        raise StoreError(f"case base {base.name!r} has no clusters, so it cannot be grouped by {method!r}")
    return {name: group(base.cases.sample(name), method) for name in base.elbows}
