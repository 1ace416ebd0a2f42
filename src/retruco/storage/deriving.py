"""What is made from hands: rows in the words of a vocabulary, and clusters of rows.

Rows are read from what was derived before. Because a hand under its number never changes, only
hands that came since are replayed, and only rows of hands that went are dropped. Damaged rows
are made anew. Clusters belong to exactly the hands they were made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering, elbow, elbow_curve, fit
from retruco.cbr.vocabulary import Scenario
from retruco.games.registry import game_class
from retruco.storage.columns import SEGMENT, Damaged, only, packed_json, segments, unpacked, unpacked_json
from retruco.storage.errors import StoreError
from retruco.storage.progress import Progress, silent
from retruco.storage.reading import Derived, Facts, Reader
from retruco.storage.store import Store
from retruco.storage.writing import Writer, chunks
from retruco.vocab.registry import GameVocabulary, find_versions

ROWS: Final = "rows"
CLUSTERS: Final = "clusters"
METHOD: Final = "kmeans-1"
"""How clusters are made; clusters that were made another way are made anew."""


@dataclass(frozen=True, eq=False)
class Elbow:
    """The clusters of one scenario, and the curve by which their number was chosen."""

    clustering: Clustering
    curve: Mapping[int, float]

    def as_json(self) -> dict[str, Any]:
        """The clusters as plain data."""
        made = self.clustering
        arrays = {"mean": made.mean, "spread": made.spread, "centroids": made.centroids}
        return {
            "names": made.names,
            "generation": made.generation,
            "curve": dict(self.curve),
            **{name: array.tolist() for name, array in arrays.items()},
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read clusters from plain data."""
        mean, spread, centroids = (np.array(plain[name], float) for name in ("mean", "spread", "centroids"))
        curve = {int(k): within for k, within in plain["curve"].items()}
        return cls(Clustering(tuple(plain["names"]), mean, spread, centroids, plain["generation"]), curve)


def derived_key(game: str, vocabulary: GameVocabulary) -> str:
    """Names what rows come of: the words and the rules."""
    return f"{vocabulary.VOCABULARY.digest}-{game_class(game).version}"


class Deriving:
    """A base's rows and clusters, read or made; what was made can be put back into the store."""

    def __init__(
        self, reader: Reader, facts: Facts, vocabulary: GameVocabulary, progress: Progress = silent
    ) -> None:
        self.facts = facts
        self._reader, self._rows_of, self._progress = reader, vocabulary.rows, progress
        self._words = vocabulary.VOCABULARY
        # Rows come of the words and of the rules: a change of either makes them anew.
        self._key = derived_key(facts.game, vocabulary)
        self._covered = self._known(ROWS)
        self._whole_segments: dict[str, int] = {}
        elbows = self._known(CLUSTERS)
        self._made_clusters = (
            elbows is None or elbows["fingerprint"] != facts.fingerprint or elbows.get("method") != METHOD
        )
        self.elbows: dict[str, Elbow] = {}
        if elbows is not None and not self._made_clusters:
            self.elbows = {name: Elbow.of(one) for name, one in elbows["scenarios"].items()}
        self.cases = self._read()
        if self._made_clusters:
            self.elbows = dict(self._make_elbows())
            self._cluster(self.cases)

    def _known(self, kind: str) -> dict[str, Any] | None:
        found = next(iter(self._reader.derived(self.facts, self._key, kind)), None)
        try:
            return {"fingerprint": found.fingerprint, **unpacked_json(found.content)} if found else None
        except Damaged:
            return None

    @property
    def made_rows(self) -> bool:
        """Whether rows were made that the store does not have."""
        return self._covered is None or self._covered["fingerprint"] != self.facts.fingerprint

    # Rows

    def _read(self) -> CaseBase:
        cases = CaseBase(self._words)
        self._cluster(cases)  # before the rows, which then find their clusters as they come
        try:
            last = self._add_derived(cases, self._covered) if self._covered else 0
        except Damaged:
            self._covered, self._whole_segments = None, {}
            return self._read()
        if self.made_rows:
            self._add_replayed(cases, last)
        return cases

    def _add_derived(self, cases: CaseBase, covered: Mapping[str, Any]) -> int:
        """Add the rows derived before; give the number of the last hand they cover."""
        none_went = covered["removed"] == self.facts.removed
        living = None if none_went else self._reader.numbers(self.facts)
        for scenario in self._words.scenarios:
            for part in self._reader.derived(self.facts, self._key, f"{ROWS}/{scenario.name}"):
                batch = unpacked(scenario, part.content)
                if living is not None:
                    batch = only(batch, np.isin(batch.episodes, living))
                if len(batch.actions):
                    cases.add_columns(scenario.name, *batch)
            if none_went:
                self._whole_segments[scenario.name] = cases.count(scenario.name) // SEGMENT
        return int(covered["last"])

    def _add_replayed(self, cases: CaseBase, last: int) -> None:
        """Replay the hands after one and add their rows."""
        message, of = f"turning the hands of {self.facts.name!r} into cases, once", self.facts.hands
        self._progress(message, 0, of)
        for some in chunks(self._reader.hands(self.facts, after=last)):
            rows: list[Row] = []
            for stored in some:
                try:
                    rows += self._rows_of(stored.hand.record, stored.hand.seat, stored.number)
                except (ValueError, AssertionError) as error:
                    where = f"hand {stored.number} of case base {self.facts.name!r}"
                    raise StoreError(f"{where} cannot be replayed: {error}") from error
            cases.add(rows)
            self._progress(message, min(of, some[-1].number), of)

    # Clusters

    def _make_elbows(self) -> Iterator[tuple[str, Elbow]]:
        """Cluster every scenario that has hindsight and rows."""
        for scenario in self._words.scenarios:
            if scenario.hindsight and self.cases.count(scenario.name):
                sample = self.cases.sample(scenario.name)
                curve = elbow_curve(sample)
                yield scenario.name, Elbow(fit(sample, elbow(curve)), curve)

    def _cluster(self, cases: CaseBase) -> None:
        for name, found in self.elbows.items():
            cases.cluster(name, found.clustering)

    # Back to the store

    def save(self, store: Store) -> None:
        """Put back what was made, unless the base has gone or changed in the meantime."""
        if store.read_only or not (self.made_rows or self._made_clusters):
            return
        # Packed before the store is locked: it takes a while when there are many.
        segments = [(one, list(self._parts(one))) for one in self._words.scenarios] if self.made_rows else []
        with store.writing() as writer:
            now = writer.find(self.facts.name)
            if now is None or (now.id, now.fingerprint) != (self.facts.id, self.facts.fingerprint):
                return
            versions = find_versions(now.game)
            writer.drop_derived(now, {self._key, *(derived_key(now.game, words) for words in versions)})
            for scenario, parts in segments:
                first = self._whole_segments.get(scenario.name, 0)
                writer.put_derived(now, self._key, f"{ROWS}/{scenario.name}", parts, first)
            self._put(writer, ROWS, {"last": now.next_number - 1, "removed": now.removed})
            scenarios = {name: one.as_json() for name, one in self.elbows.items()}
            self._put(writer, CLUSTERS, {"method": METHOD, "scenarios": scenarios})

    def _parts(self, scenario: Scenario) -> Iterator[Derived]:
        first = self._whole_segments.get(scenario.name, 0)
        for part, blob in segments(scenario, self.cases.columns(scenario.name), first):
            yield Derived(part, self.facts.fingerprint, blob)

    def _put(self, writer: Writer, kind: str, plain: Mapping[str, object]) -> None:
        only = Derived(0, self.facts.fingerprint, packed_json(plain))
        writer.put_derived(self.facts, self._key, kind, [only])
