"""K-means over weighted points: greedy k-means++ starts, Lloyd's steps, the best of several runs.

A learner clusters thousands of times while its base grows. On a few hundred weighted patterns this
is about ten times as fast as a general library (docs/learning.md) and finds sums of squares as low.
Seeding: Arthur and Vassilvitskii 2007; steps: Lloyd 1982.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.kernel import Ints
from retruco.compiler import compiled

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

RUNS: Final = 20
STEPS: Final = 300


def kmeans(points: Floats, weights: Floats, k: int) -> tuple[float, Floats]:
    """Return the least sum of squares found for k clusters, and their centres.

    >>> within, centres = kmeans(np.array([[0.0], [1.0], [10.0]]), np.array([1.0, 1.0, 2.0]), 2)
    >>> within, sorted(centres[:, 0].tolist())
    (0.5, [0.5, 10.0])
    """
    within, centres = best_of_runs(np.ascontiguousarray(points), weights, k, RUNS, STEPS)
    return float(within), centres


@compiled
def _random(state: Words) -> float:
    """Draw a number from 0 up to 1 (SplitMix64, as all chance in Retruco)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    x = state[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return float(x >> np.uint64(11)) * 2.0**-53


@compiled
def _draw(weights: Floats, total: float, state: Words) -> int:
    """Draw a place in proportion to its weight."""
    left = _random(state) * total
    last = 0
    for i in range(weights.shape[0]):
        if weights[i] > 0:
            last = i
            left -= weights[i]
            if left < 0:
                return i
    return last


@compiled
def _squared_distances(columns: Floats, centre: Floats, squares: Floats) -> None:
    """Measure all points at once, feature by feature: so the processor takes several in one step."""
    squares[:] = 0.0
    for j in range(columns.shape[0]):
        at = centre[j]
        for i in range(columns.shape[1]):
            difference = columns[j, i] - at
            squares[i] += difference * difference


@compiled
def _seed_centres(
    points: Floats, columns: Floats, weights: Floats, k: int, centres: Floats, state: Words
) -> None:
    """Choose the first centres by greedy k-means++: each is the best of a few draws, far from the others."""
    n = points.shape[0]
    trials = 2 + int(np.log(k))
    centres[0] = points[_draw(weights, weights.sum(), state)]
    nearest = np.empty(n)
    _squared_distances(columns, centres[0], nearest)
    pulls, distances, best = np.empty(n), np.empty(n), np.empty(n)
    for c in range(1, k):
        total = 0.0
        for i in range(n):
            pulls[i] = weights[i] * nearest[i]
            total += pulls[i]
        least, chosen = np.inf, 0
        for _ in range(trials):
            candidate = _draw(pulls, total, state)
            centres[c] = points[candidate]
            _squared_distances(columns, centres[c], distances)
            left = 0.0
            for i in range(n):
                distances[i] = min(nearest[i], distances[i])
                left += weights[i] * distances[i]
            if left < least:
                least, chosen = left, candidate
                best[:] = distances
        centres[c] = points[chosen]
        nearest[:] = best


@compiled
def _run_lloyd(
    points: Floats, columns: Floats, weights: Floats, centres: Floats, label: Ints, steps: int
) -> float:
    """Move the centres until no pattern changes its cluster; return the sum of squares."""
    n, d = points.shape
    k = centres.shape[0]
    label[:] = -1
    within = 0.0
    squares, least, chosen = np.empty(n), np.empty(n), np.empty(n, np.int32)
    for _ in range(steps):
        within, moved = 0.0, False
        least[:] = np.inf
        for c in range(k):
            _squared_distances(columns, centres[c], squares)
            for i in range(n):
                nearer = squares[i] < least[i]
                chosen[i] = c if nearer else chosen[i]
                least[i] = squares[i] if nearer else least[i]
        for i in range(n):
            within += weights[i] * least[i]
            if label[i] != chosen[i]:
                label[i] = chosen[i]
                moved = True
        if not moved:
            break
        sums, mass = np.zeros((k, d)), np.zeros(k)
        for i in range(n):
            mass[label[i]] += weights[i]
            for j in range(d):
                sums[label[i], j] += weights[i] * points[i, j]
        for c in range(k):
            if mass[c] > 0:  # an empty cluster stays where it was
                for j in range(d):
                    centres[c, j] = sums[c, j] / mass[c]
    return within


@compiled
def best_of_runs(points: Floats, weights: Floats, k: int, runs: int, steps: int) -> tuple[float, Floats]:
    """Return the least sum of squares of several runs, and its centres."""
    centres, chosen = np.empty((k, points.shape[1])), np.empty((k, points.shape[1]))
    label = np.empty(points.shape[0], np.int32)
    state = np.empty(1, np.uint64)
    columns = np.ascontiguousarray(points.T)
    best = np.inf
    for run in range(runs):
        state[0] = np.uint64(run)
        _seed_centres(points, columns, weights, k, centres, state)
        within = _run_lloyd(points, columns, weights, centres, label, steps)
        if within < best:
            best = within
            chosen[:] = centres
    return best, chosen
