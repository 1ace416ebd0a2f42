"""K-means over weighted points: greedy k-means++ starts, Lloyd's steps, the best of several runs.

A learner clusters thousands of times while its base grows. On a few hundred weighted patterns this
is about ten times as fast as a general library (docs/learning.md) and finds sums of squares as low.
Seeding: Arthur and Vassilvitskii 2007; steps: Lloyd 1982.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.tallies import Longs
from retruco.compiler import compiled

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

RUNS: Final = 20
STEPS: Final = 300
TRIALS: Final = 4
"""The most draws among which a first centre is chosen."""


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
    """Measure all points at once, two features at a time: so the processor takes several points in one step."""
    at = centre[0]
    for i in range(columns.shape[1]):
        first = columns[0, i] - at
        squares[i] = first * first
    for j in range(1, columns.shape[0] - 1, 2):
        at, beside = centre[j], centre[j + 1]
        for i in range(columns.shape[1]):
            first, second = columns[j, i] - at, columns[j + 1, i] - beside
            squares[i] = squares[i] + first * first + second * second
    if columns.shape[0] % 2 == 0:
        at = centre[columns.shape[0] - 1]
        for i in range(columns.shape[1]):
            first = columns[-1, i] - at
            squares[i] += first * first


@compiled
def _add_up(rows: Floats, count: int, sums: Floats) -> None:
    """Add up some rows, each from its first number to its last, side by side: one addition waits for none of another row."""
    a = b = c = d = 0.0
    second, third, fourth = min(1, count - 1), min(2, count - 1), min(3, count - 1)
    for i in range(rows.shape[1]):
        a += rows[0, i]
        b += rows[second, i]
        c += rows[third, i]
        d += rows[fourth, i]
    sums[0], sums[1], sums[2], sums[3] = a, b, c, d


@compiled
def _seed_centres(
    points: Floats, columns: Floats, weights: Floats, k: int, centres: Floats, state: Words
) -> None:
    """Choose the first centres by greedy k-means++: each is the best of a few draws, far from the others."""
    n = points.shape[0]
    trials = min(TRIALS, 2 + int(np.log(k)))
    centres[0] = points[_draw(weights, weights.sum(), state)]
    nearest, pulls = np.empty(n), np.empty((1, n))
    _squared_distances(columns, centres[0], nearest)
    distances, shares = np.empty((trials, n)), np.empty((trials, n))
    candidates, sums = np.empty(trials, np.int64), np.empty(TRIALS)
    for i in range(n):
        pulls[0, i] = weights[i] * nearest[i]
    _add_up(pulls, 1, sums)
    total = sums[0]
    for c in range(1, k):
        for trial in range(trials):
            candidates[trial] = _draw(pulls[0], total, state)
        for trial in range(trials):
            _squared_distances(columns, points[candidates[trial]], distances[trial])
            for i in range(n):
                distances[trial, i] = min(nearest[i], distances[trial, i])
                shares[trial, i] = weights[i] * distances[trial, i]
        _add_up(shares, trials, sums)
        best = 0
        for trial in range(1, trials):
            if sums[trial] < sums[best]:
                best = trial
        centres[c] = points[candidates[best]]
        nearest[:], pulls[0, :], total = distances[best], shares[best], sums[best]


@compiled
def _move_centres(
    weighted: Floats, weights: Floats, label: Longs, changed: NDArray[np.bool_], centres: Floats
) -> None:
    """Move the centres of the clusters that have changed to the mean of their points."""
    k, d = centres.shape
    sums, mass = np.zeros((k, d)), np.zeros(k)
    for i in range(weights.shape[0]):
        c = label[i]
        if changed[c]:
            mass[c] += weights[i]
            for j in range(d):
                sums[c, j] += weighted[i, j]
    for c in range(k):
        if mass[c] > 0:  # an empty cluster stays where it was
            for j in range(d):
                centres[c, j] = sums[c, j] / mass[c]


@compiled
def _run_lloyd(
    weighted: Floats, columns: Floats, weights: Floats, centres: Floats, label: Longs, steps: int
) -> float:
    """Move the centres until no pattern changes its cluster; return the sum of squares."""
    n, k = weights.shape[0], centres.shape[0]
    label[:] = -1
    squares, least, chosen = np.empty((k, n)), np.empty(n), np.empty(n, np.int64)
    changed = np.ones(k, np.bool_)
    for _ in range(steps):
        least[:] = np.inf
        for c in range(k):
            if changed[c]:
                _squared_distances(columns, centres[c], squares[c])
            for i in range(n):
                nearer = squares[c, i] < least[i]
                chosen[i] = c if nearer else chosen[i]
                least[i] = squares[c, i] if nearer else least[i]
        changed[:] = False
        moved = False
        for i in range(n):
            if label[i] != chosen[i]:
                moved = changed[chosen[i]] = True
                if label[i] >= 0:
                    changed[label[i]] = True
                label[i] = chosen[i]
        if not moved:
            break
        _move_centres(weighted, weights, label, changed, centres)
    within = 0.0
    for i in range(n):
        within += weights[i] * least[i]
    return within


@compiled
def best_of_runs(points: Floats, weights: Floats, k: int, runs: int, steps: int) -> tuple[float, Floats]:
    """Return the least sum of squares of several runs, and its centres."""
    centres, chosen = np.empty((k, points.shape[1])), np.empty((k, points.shape[1]))
    label = np.empty(points.shape[0], np.int64)
    state = np.empty(1, np.uint64)
    columns = np.ascontiguousarray(points.T)
    weighted = np.empty_like(points)
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            weighted[i, j] = weights[i] * points[i, j]
    best = np.inf
    for run in range(runs):
        state[0] = np.uint64(run)
        _seed_centres(points, columns, weights, k, centres, state)
        within = _run_lloyd(weighted, columns, weights, centres, label, steps)
        if within < best:
            best = within
            chosen[:] = centres
    return best, chosen
