"""Clusters: groups of rows with similar hindsight; the elbow method finds their number.

K-means runs on distinct patterns, weighted by their counts: the same objective as on all rows, but
much faster. A new row joins the nearest centroid. A growing base is clustered again when three checks
in a row find the same new number of clusters. Each clustering has a generation.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.summary import Summary

Floats = NDArray[np.float64]

FEWEST, MOST = 2, 10
"""The range of the number of clusters."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Distinct patterns as numbers, one row each, with how many rows of the base have each."""

    names: tuple[str, ...]
    numbers: Floats
    counts: NDArray[np.int64]

    @property
    def rows(self) -> int:
        """How many rows of the base the sample stands for."""
        return int(self.counts.sum())

    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the standard deviation of each feature; 1 for a constant."""
        mean = np.average(self.numbers, axis=0, weights=self.counts)
        spread = np.sqrt(np.average((self.numbers - mean) ** 2, axis=0, weights=self.counts))
        return mean, np.where(spread > 0, spread, 1.0)

    def sort(self) -> Sample:
        """Sort the patterns, so that clusters do not depend on the order of the rows."""
        order = np.lexsort(self.numbers.T[::-1])
        return Sample(self.names, self.numbers[order], self.counts[order])

    def standardise(self) -> tuple[Floats, Floats]:
        """Return the patterns, scaled to mean 0 and standard deviation 1, and their counts as weights."""
        mean, spread = self.moments()
        return (self.numbers - mean) / spread, self.counts.astype(np.float64)


@dataclass(frozen=True, eq=False)
class Clustering:
    """Centroids over standardised features; a pattern belongs to the nearest, the first if tied."""

    names: tuple[str, ...]
    mean: Floats
    spread: Floats
    centroids: Floats
    generation: int = 0

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return len(self.centroids)

    def assign(self, numbers: Floats) -> NDArray[np.uint8]:
        """Return the number of the nearest centroid of each pattern.

        >>> two = Clustering(("card",), np.array([10.0]), np.array([2.0]), np.array([[-1.0], [1.0]]))
        >>> two.assign(np.array([[8.0], [10.0], [13.0]])).tolist()
        [0, 0, 1]
        """
        scaled = (numbers - self.mean) / self.spread
        squares = ((scaled[:, None, :] - self.centroids[None]) ** 2).sum(axis=2)
        nearest: NDArray[np.uint8] = squares.argmin(axis=1).astype(np.uint8)
        return nearest


def fit(sample: Sample, k: int, generation: int = 0) -> Clustering:
    """Cluster a sample into k groups, or into as many as it has distinct patterns, if fewer.

    Clusters are numbered in descending order of their centroids: the same data give the same numbers.

    >>> two = Sample(("card",), np.array([[0.0], [1.0], [10.0]]), np.array([1, 1, 2]))
    >>> fit(two, 2).assign(two.numbers).tolist()
    [1, 1, 0]
    """
    if k < 1 or not len(sample.numbers):
        raise ValueError(f"cannot make {k} clusters of {len(sample.numbers)} patterns")
    from retruco.cbr.kmeans import kmeans  # numba is slow to load, and only clustering needs it

    sample = sample.sort()
    points, weights = sample.standardise()
    _, centres = kmeans(points, weights, min(k, len(points)))
    order = np.lexsort(centres.T[::-1])[::-1]
    return Clustering(sample.names, *sample.moments(), centres[order], generation)


def elbow_curve(sample: Sample, fewest: int = FEWEST, most: int = MOST) -> dict[int, float]:
    """Return the sum of squares within clusters for each k from fewest - 1 to most + 1.

    The elbow method needs one k beyond each end. With k distinct patterns or fewer the sum is 0.

    >>> two = Sample(("card",), np.array([[0.0], [1.0], [10.0]]), np.array([1, 1, 2]))
    >>> [round(within, 3) for within in elbow_curve(two, 2, 2).values()]
    [4.0, 0.022, 0.0]
    """
    from retruco.cbr.kmeans import kmeans  # numba is slow to load, and only clustering needs it

    points, weights = sample.sort().standardise()

    def within(k: int) -> float:
        return kmeans(points, weights, k)[0] if k < len(points) else 0.0

    ks = range(most + 1, fewest - 2, -1)  # the longest first: each is made on a core of its own
    with ThreadPoolExecutor() as threads:
        found = dict(zip(ks, threads.map(within, ks), strict=True))
    return {k: found[k] for k in reversed(ks)}


def elbow_ratios(curve: Mapping[int, float]) -> dict[int, float]:
    """Return |D_k / D_(k-1)| of the normalised curve, where both slopes have the same sign.

    Paulus 2020, equations 6 to 8: D_k is the difference to the next k.

    >>> elbow_ratios({1: 100.0, 2: 40.0, 3: 30.0, 4: 25.0})
    {2: 0.16666666666666669, 3: 0.5}
    """
    highest = max(curve.values())
    if highest <= 0:
        return {}
    slope = {k: (curve[k + 1] - curve[k]) / highest for k in curve if k + 1 in curve}
    return {k: abs(slope[k] / slope[k - 1]) for k in slope if k - 1 in slope and slope[k] * slope[k - 1] > 0}


def elbow(curve: Mapping[int, float]) -> int:
    """Choose the k with the smallest ratio (Paulus 2020, equation 9), the smaller k if tied.

    If no ratio exists, as with very few distinct patterns: the smallest k of the curve whose sum of
    squares is 0, or 2.

    >>> elbow({1: 100.0, 2: 40.0, 3: 30.0, 4: 25.0})
    2
    """
    ratios = elbow_ratios(curve)
    if ratios:
        return min(ratios, key=lambda k: (ratios[k], k))
    return max(FEWEST, min((k for k, within in curve.items() if within <= 0), default=FEWEST))


def cluster(sample: Sample, generation: int = 0) -> Clustering:
    """Cluster a sample; the elbow method chooses the number of clusters."""
    return fit(sample, elbow(elbow_curve(sample)), generation)


@dataclass(frozen=True, slots=True)
class ReclusterSchedule:
    """When to check the number of clusters of a growing scenario, and when to cluster it again.

    A check is due after a scenario has grown by `percent` and by `at_least` rows. The scenario is
    clustered again when `looks` checks in a row found the same new k.

    >>> schedule = ReclusterSchedule(k=4, rows=1000)
    >>> schedule.due(1019), schedule.due(1020)
    (False, True)
    >>> for rows in (1020, 1040, 1061):
    ...     schedule, recluster = schedule.record(rows, 5)
    >>> recluster, schedule.k
    (True, 5)
    """

    k: int
    rows: int
    candidate: int = 0
    seen: int = 0
    """How many checks in a row found the candidate."""
    percent: int = 1
    at_least: int = 20
    looks: int = 3

    def due(self, rows: int) -> bool:
        """Whether a scenario of so many rows has grown enough for a check."""
        growth = rows - self.rows
        return growth >= self.at_least and growth * 100 >= self.percent * self.rows

    def record(self, rows: int, found: int) -> tuple[ReclusterSchedule, bool]:
        """Record the k that a check found; return the new schedule and whether to cluster again."""
        if found == self.k:
            return replace(self, rows=rows, candidate=0, seen=0), False
        seen = self.seen + 1 if found == self.candidate else 1
        if seen < self.looks:
            return replace(self, rows=rows, candidate=found, seen=seen), False
        return replace(self, k=found, rows=rows, candidate=0, seen=0), True


@dataclass(frozen=True, slots=True)
class Profile:
    """A cluster in numbers: its size, its mean features, its actions and their results."""

    cluster: int
    rows: int
    share: float
    means: Mapping[str, float]
    actions: Mapping[str, float]
    victories: float
    points: float


def profiles(sample: Sample, clustering: Clustering, census: Summary) -> tuple[Profile, ...]:
    """Describe each cluster that has rows, from the sample and the summary of all rows."""
    labels = clustering.assign(sample.numbers)
    return tuple(
        _profile(cluster, sample, labels == cluster, census.select_cluster(cluster))
        for cluster in census.by_cluster
    )


def _profile(cluster: int, sample: Sample, here: NDArray[np.bool_], census: Summary) -> Profile:
    tally = census.by_cluster[cluster]
    means = np.average(sample.numbers[here], axis=0, weights=sample.counts[here])
    return Profile(
        cluster,
        tally.rows,
        tally.rows / census.whole.rows,
        dict(zip(sample.names, means.tolist(), strict=True)),
        {action: part.rows / tally.rows for action, part in census.by_action.items()},
        (2 * tally.wins + tally.draws) / (2 * tally.rows),
        tally.points / tally.rows,
    )
