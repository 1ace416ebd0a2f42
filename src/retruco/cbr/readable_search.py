"""The retrieval, readable: row by row, in plain Python. `search` finds the same, thousands of times as fast.

>>> from retruco.cbr.vocabulary import Scenario, interval
>>> opening = Scenario("opening", (interval("card", 1, 11),), (), ("low", "high"))
>>> rows = [
...     Row(opening.problem({"card": card}), "high", 1, (), episode, 0) for episode, card in enumerate((9, 4, 3, 5, 4))
... ]
>>> found = find_similar(rows, opening, opening.problem({"card": 4}), Top(k=3))
>>> [(distance, row.episode) for distance, row in found]
[(0, 1), (0, 4), (1, 2)]
"""

from __future__ import annotations

from collections.abc import Iterable

from retruco.cbr.case import Problem, Row
from retruco.cbr.modes import Adaptive, Threshold, Top, TopNewest
from retruco.cbr.similarity import MEAN, Measure, Scale, as_fraction
from retruco.cbr.vocabulary import Scenario

Found = list[tuple[int, Row]]
"""Rows with their distances, nearest first."""


def find_similar(
    rows: Iterable[Row],
    scenario: Scenario,
    problem: Problem,
    mode: Threshold | Top | Adaptive,
    measure: Measure = MEAN,
) -> Found:
    """Find the rows that a mode asks for among rows that come oldest first, and keep the order of equally near ones."""
    scale = Scale.of(measure, scenario.visible)
    near = [(scale.distance(problem.values, row.problem.values), row) for row in rows]
    if isinstance(mode, TopNewest):
        near.reverse()
    near.sort(key=lambda pair: pair[0])
    if isinstance(mode, Adaptive):
        levels, enough = mode.levels(), mode.at_least
    else:
        levels, enough = (as_fraction(mode.at_least),), 0
    found: Found = []
    for level in levels:
        found = [pair for pair in near if pair[0] <= scale.max_distance(level)]
        if len(found) >= enough:
            break
    return found[: mode.k] if isinstance(mode, Top) else found
