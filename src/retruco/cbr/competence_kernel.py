"""The compiled loops of `maintenance`: which problems a state is near to, and the greedy choice of episodes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

MOST_CONTRARY: Final = 20
"""How many contrary votes raise the weight of a problem; more do not."""


@compiled
def measure_distances(codes: Bytes, problem: int, costs: Longs, distances: Longs) -> None:
    """Measure the distances of all states to one of them; `costs` has a table of codes by codes per feature."""
    distances[:] = 0
    for feature in range(codes.shape[1]):
        row = costs[feature, codes[problem, feature]]
        for state in range(codes.shape[0]):
            distances[state] += row[codes[state, feature]]


@compiled
def find_radius(distances: Longs, rows: Longs, enough: int, least: int) -> int:
    """Find the distance within which a problem has enough rows, and at least a given one."""
    nearest, counts = np.full(enough, np.iinfo(np.int64).max), np.zeros(enough, np.int64)
    for state in range(distances.shape[0]):
        if distances[state] >= nearest[-1]:
            continue
        place = enough - 1
        while place > 0 and nearest[place - 1] > distances[state]:
            nearest[place], counts[place] = nearest[place - 1], counts[place - 1]
            place -= 1
        nearest[place], counts[place] = distances[state], rows[state]
    found, radius = 0, 0
    for place in range(enough):
        if found >= enough or place >= distances.shape[0]:
            break
        found, radius = found + counts[place], nearest[place]
    return max(radius, least)


@compiled
def find_radii(codes: Bytes, costs: Longs, rows: Longs, enough: int, least: int) -> tuple[Longs, Longs]:
    """Find the radius of every problem, and count for each state the problems that it is near to."""
    count = codes.shape[0]
    radii, near_to, distances = (
        np.empty(count, np.int64),
        np.zeros(count, np.int64),
        np.empty(count, np.int64),
    )
    for problem in range(count):
        measure_distances(codes, problem, costs, distances)
        radii[problem] = find_radius(distances, rows, enough, least)
        for state in range(count):
            near_to[state] += distances[state] <= radii[problem]
    return radii, near_to


@compiled
def list_problems(codes: Bytes, costs: Longs, radii: Longs, starts: Longs, problems: NDArray[Any]) -> None:
    """List for each state the problems that it is near to, from its place in `starts` on."""
    count = codes.shape[0]
    filled, distances = starts.copy(), np.empty(count, np.int64)
    for problem in range(count):
        measure_distances(codes, problem, costs, distances)
        for state in range(count):
            if distances[state] <= radii[problem]:
                problems[filled[state]] = problem
                filled[state] += 1


@compiled
def weigh_episode(
    first: int, last: int, states: Longs, actions: Bytes, starts: Longs, problems: NDArray[Any],
    answers: Bytes, weights: Floats, gain: float, loss: float,
) -> float:  # fmt: skip
    """Add up what the rows of an episode bring: the weights of the problems they solve, less those they spoil."""
    worth = 0.0
    for row in range(first, last):
        state = states[row]
        for place in range(starts[state], starts[state + 1]):
            problem = problems[place]
            if answers[problem] == actions[row]:
                worth += gain * weights[problem]
            else:
                worth -= loss * weights[problem]
    return worth


@compiled
def choose_episodes(
    keep: int, first_rows: Longs, states: Longs, actions: Bytes, starts: Longs, problems: NDArray[Any],
    answers: Bytes, weights: Floats, step: float,
) -> Longs:  # fmt: skip
    """Choose episodes one after the other, each time the one that is worth most beside those chosen before.

    A vote for the answer of a problem divides the problem's weight by e ** step, a vote for another one
    multiplies it, up to a limit, lest hopeless problems outweigh all others. Worths are computed again only when
    they come first.
    """
    count = first_rows.shape[0] - 1
    gain, loss = 1 - np.exp(-step), np.exp(step) - 1
    highest = weights * np.exp(step * MOST_CONTRARY)
    worth, chosen = np.empty(count), np.empty(keep, np.int64)
    for episode in range(count):
        first, last = first_rows[episode], first_rows[episode + 1]
        worth[episode] = weigh_episode(
            first, last, states, actions, starts, problems, answers, weights, gain, loss
        )
    done = 0
    while done < keep:
        best = np.argmax(worth)
        before = worth[best]
        first, last = first_rows[best], first_rows[best + 1]
        worth[best] = weigh_episode(
            first, last, states, actions, starts, problems, answers, weights, gain, loss
        )
        if worth[best] < before and worth[best] < worth.max():
            continue
        chosen[done], worth[best] = best, -np.inf
        done += 1
        for row in range(first, last):
            for place in range(starts[states[row]], starts[states[row] + 1]):
                problem = problems[place]
                factor = np.exp(-step) if answers[problem] == actions[row] else np.exp(step)
                weights[problem] = min(weights[problem] * factor, highest[problem])
    return chosen
