"""Our retrieval as a CBRkit retriever: the same results as its own, by an index instead of a scan.

>>> import cbrkit
>>> people = {"ann": {"age": 30, "job": "cook"}, "bob": {"age": 41, "job": "clown"}, "eve": {"age": 38, "job": "cook"}}
>>> retriever = build(weights={"job": 2}, limit=2)
>>> cbrkit.retrieval.apply(people, {"age": 40, "job": "cook"}, retriever).ranking
['eve', 'ann']
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from retruco.cbr.similarity import Amount
from retruco.interfaces.frames import read_columns
from retruco.interfaces.neighbours import Kind, RowIndex

Cases = Mapping[Any, Any]
"""A case base of CBRkit: cases by key. A case is a mapping, or a row of a data frame."""


class IndexRetriever:
    """Retrieves the most similar cases; CBRkit calls it with the case base and the query.

    The index is made at the first call with a case base, and again for another object or another number of cases:
    after changing cases in place, call `forget`.
    """

    def __init__(
        self,
        kinds: Mapping[str, Kind] | None = None,
        weights: Mapping[str, Amount] | None = None,
        limit: int | None = None,
        min_similarity: float | None = None,
    ) -> None:
        if limit is not None and limit < 1:
            raise ValueError(f"the limit is {limit}: it is 1 or more, or None for all")
        self.kinds, self.weights = kinds, weights
        self.limit, self.min_similarity = limit, min_similarity
        self.forget()

    def forget(self) -> None:
        """Drop the index, so that it is made anew."""
        self._cases: Cases | None = None
        self._keys: list[Hashable] = []

    def _index_of(self, cases: Cases) -> RowIndex:
        if cases is not self._cases or len(cases) != len(self._keys):
            self._cases, self._keys = cases, list(cases)
            rows = [dict(case) for case in cases.values()]
            self._index = RowIndex(read_columns(rows), self.kinds, self.weights)
        return self._index

    def __call__(self, x_map: Cases, y: Any, processes: int = 1) -> dict[Any, float]:
        """The similarities of the cases found, most similar first; one process is enough."""
        if not x_map:
            return {}
        index, query = self._index_of(x_map), dict(y)
        if self.min_similarity is None:
            rows, distances = index.nearest(query, min(self.limit or len(index), len(index)))
        else:
            rows, distances = index.similar(query, self.min_similarity)
        pairs = zip(rows[: self.limit].tolist(), distances[: self.limit].tolist(), strict=True)
        return {self._keys[row]: 1 - distance for row, distance in pairs}


def build(
    kinds: Mapping[str, Kind] | None = None,
    weights: Mapping[str, Amount] | None = None,
    limit: int | None = None,
    min_similarity: float | None = None,
) -> IndexRetriever:
    """Make a retriever, as `cbrkit.retrieval.build` does; see `retruco.interfaces.neighbours` for kinds and weights."""
    return IndexRetriever(kinds, weights, limit, min_similarity)
