"""Other groupings than k-means, by scikit-learn: Ward's hierarchy and a Gaussian mixture.

Both group a sample's standardised rows. A `Clustering` knows centroids only, so each group is replaced by the mean
of its rows, and every row, old or new, joins the nearest mean. The number of groups is chosen as each method has it:
`ward` by the elbow of its own merges, `mixture` by the Bayesian information criterion.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.clusters import FEWEST, MOST, Clustering, Floats, Sample, elbow

SEED: Final = 1
MOST_ROWS: Final = 3000
"""More rows are drawn down to so many: the time of Ward's method grows with their square."""
LEAST_VARIANCE: Final = 0.05
"""Added to the variances of a mixture: features have few values, and a group of one value has none."""

Labels = NDArray[np.int64]


def draw_rows(sample: Sample, seed: int = SEED, most: int = MOST_ROWS) -> Labels:
    """List the pattern of each row of a sample; of many rows, draw some."""
    patterns = np.repeat(np.arange(len(sample.counts)), sample.counts)
    if len(patterns) <= most:
        return patterns
    return np.sort(np.random.default_rng(seed).choice(patterns, most, replace=False))


def ward_curve(distances: Floats, most: int) -> dict[int, float]:
    """The sum of squares within 1, 2, ... groups, from the distances at which Ward's method merges."""
    within = np.cumsum(distances**2 / 2)
    return {k: float(within[-k]) if k <= len(within) else 0.0 for k in range(1, most + 1)}


def cut_tree(children: Labels, rows: int, k: int) -> Labels:
    """Label rows by their group after all merges but the last k - 1.

    >>> cut_tree(np.array([[0, 1], [2, 3], [4, 5]]), 4, 2).tolist()
    [0, 0, 1, 1]
    """
    group = np.arange(rows + len(children))
    for merge in range(len(children) - k, -1, -1):  # from the top, so that a group's number reaches its rows
        group[children[merge]] = group[rows + merge]
    return np.unique(group[:rows], return_inverse=True)[1]


def group_by_ward(points: Floats, seed: int) -> Labels:
    """Group by Ward's hierarchy; the elbow of its merges says how many groups."""
    from sklearn.cluster import ward_tree

    children, _, rows, _, distances = ward_tree(points, return_distance=True)
    k = min(elbow(ward_curve(distances, MOST + 1)), len(np.unique(points, axis=0)))
    return cut_tree(children, int(rows), k)


def group_by_mixture(points: Floats, seed: int) -> Labels:
    """Group by a Gaussian mixture with diagonal covariances; the information criterion says how many groups."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    def fit(k: int) -> Any:
        return GaussianMixture(
            k, covariance_type="diag", reg_covar=LEAST_VARIANCE, random_state=seed, max_iter=300
        ).fit(points)

    distinct = len(np.unique(points, axis=0))
    with warnings.catch_warnings():
        # The best of some steps will do: rows join the nearest mean, not the likeliest component.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fits = [fit(k) for k in range(min(FEWEST, distinct), min(MOST, distinct) + 1)]
    best = min(fits, key=lambda mixture: mixture.bic(points))
    labels: Labels = best.predict(points)
    return labels


METHODS: Final[Mapping[str, Callable[[Floats, int], Labels]]] = {
    "ward": group_by_ward,
    "mixture": group_by_mixture,
}
"""The groupings by name."""


def check_sklearn(method: str) -> None:
    """Refuse a grouping if scikit-learn, an extra, is not installed."""
    if find_spec("sklearn") is None:
        raise ValueError(f"clusters by {method!r} need scikit-learn: pip install 'retruco[sklearn]'")


def group(sample: Sample, method: str, seed: int = SEED) -> Clustering:
    """Group a sample by a method; groups are numbered in descending order of their means, as `fit` does."""
    check_sklearn(method)
    sample = sample.sort()
    mean, spread = sample.moments()
    points = ((sample.numbers - mean) / spread)[draw_rows(sample, seed)]
    labels = METHODS[method](points, seed) if len(points) > 1 else np.zeros(len(points), np.int64)
    centres = np.array([points[labels == label].mean(axis=0) for label in np.unique(labels)])
    order = np.lexsort(centres.T[::-1])[::-1]
    return Clustering(sample.names, mean, spread, centres[order])
