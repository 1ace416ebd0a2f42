"""The index of retrieval in two steps (Paulus 2020, section 3.1.1): hands grouped by cards, or by points.

A question is compared with the centroids first, and then only with the cases of the nearest group. Cards and
truco are searched by the three received cards, envido and flor by the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering, Sample, fit
from retruco.vocab.truco.scenarios import LABELS


class Index(NamedTuple):
    """What the groups of an index are made of: the rows of some scenarios, by some of their features."""

    scenarios: tuple[str, ...]
    features: tuple[str, ...]
    groups: int
    """How many groups were published; for flor as many as for envido."""


INDEXES: Final[Mapping[str, Index]] = {
    "card-index": Index(("card-1-lead", "card-1-follow"), LABELS, 8),
    "point-index": Index(("envido-first", "envido-second"), ("envido_points",), 2),
    "flor-index": Index(("flor",), ("flor_points",), 2),
}


def index_sample(cases: CaseBase, index: Index) -> Sample | None:
    """The data of an index: distinct values with their rows; none if no case has any."""
    samples = [cases.index_sample(name, index.features) for name in index.scenarios if cases.count(name)]
    if not samples:
        return None
    numbers = np.vstack([sample.numbers for sample in samples])
    distinct, which = np.unique(numbers, axis=0, return_inverse=True)
    counts = np.bincount(which.ravel(), np.concatenate([sample.counts for sample in samples]))
    return Sample(index.features, distinct, counts.astype(np.int64))


def index_of_scenario(scenario: str) -> Index:
    """The index by which a scenario is searched.

    >>> index_of_scenario("truco-2-lead").features
    ('high', 'medium', 'low')
    """
    kind = scenario.partition("-")[0]
    return INDEXES[{"envido": "point-index", "flor": "flor-index"}.get(kind, "card-index")]


def group_index(cases: CaseBase) -> None:
    """Give every scenario of a base its index groups, unless it has them; new rows join the nearest group."""
    groupings: dict[Index, Clustering] = {}
    for scenario in cases.vocabulary.scenarios:
        if cases.index_groups(scenario.name) is None:
            index = index_of_scenario(scenario.name)
            if index not in groupings:
                sample = index_sample(cases, index)
                groupings[index] = fit(sample, index.groups) if sample else _single_group(index.features)
            cases.index(scenario.name, groupings[index])


def _single_group(features: tuple[str, ...]) -> Clustering:
    """One group for all, where there is nothing to group."""
    size = len(features)
    return Clustering(features, np.zeros(size), np.ones(size), np.zeros((1, size)))
