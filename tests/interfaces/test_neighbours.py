"""The nearest rows of any table are those of a plain scan, to the last tie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retruco.interfaces.neighbours import RowIndex

SIZES = ("S", "M", "L", "XL")
rows = st.lists(
    st.fixed_dictionaries(
        {
            "price": st.none() | st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.1, 0.2]),
            "age": st.integers(0, 5),
            "colour": st.none() | st.sampled_from(["red", "blue"]),
            "size": st.sampled_from(SIZES),
        }
    ),
    min_size=1,
    max_size=25,
)


def scan(table: Sequence[dict[str, Any]], query: dict[str, Any], weights: dict[str, float]) -> list[float]:
    """The distance of every row, feature by feature."""
    return [
        sum(weight * distance(table, name, query[name], row[name]) for name, weight in weights.items())
        / sum(weights.values())
        for row in table
    ]


def distance(table: Sequence[dict[str, Any]], name: str, mine: Any, other: Any) -> float:
    if mine is None or other is None:
        return float(mine is not other)
    if name == "colour":
        return float(mine != other)
    if name == "size":
        return abs(SIZES.index(mine) - SIZES.index(other)) / 3
    values = [row[name] for row in table if row[name] is not None]
    return float(min(1.0, abs(mine - other) / ((max(values) - min(values)) or 1.0)))


@settings(max_examples=25)
@given(rows, rows, st.integers(1, 6), st.sampled_from([0.5, 1, 3]))
def test_the_nearest_rows_are_those_of_a_scan(
    table: list[dict[str, Any]], queries: list[dict[str, Any]], count: int, weight: float
) -> None:
    weights = {"price": weight, "age": 1.0, "colour": 2.0, "size": 1.0}
    kinds: dict[str, Any] = {"price": "number", "colour": "category", "size": SIZES}
    columns = {name: [row[name] for row in table] for name in weights}
    index = RowIndex(columns, kinds, weights)
    count = min(count, len(table))
    for query in queries[:3]:
        expected = scan(table, query, weights)
        found, distances = index.nearest(query, count)
        assert distances == pytest.approx(sorted(expected)[:count], abs=1e-9)
        assert [expected[row] for row in found] == pytest.approx(distances.tolist(), abs=1e-9)
        exact = index.distances(index.numbers_of(query), np.arange(len(table)))
        assert found.tolist() == np.lexsort((np.arange(len(table)), exact))[:count].tolist()
        near, _ = index.similar(query, 0.75)
        assert set(np.flatnonzero(np.array(expected) < 0.25 - 1e-6)) <= set(near.tolist())
        assert all(expected[row] <= 0.25 + 1e-6 for row in near)


def test_values_outside_the_table_and_unknown_words_are_compared_too() -> None:
    index = RowIndex({"age": [10, 20, 30], "job": ["cook", "clown", "cook"]})
    found, distances = index.nearest({"age": 1000, "job": "astronaut"}, 3)
    assert found.tolist() == [0, 1, 2]
    assert distances.tolist() == [1.0, 1.0, 1.0]
    found, distances = index.nearest({"age": 31, "job": "clown"}, 1)
    assert found.tolist() == [1]
    assert math.isclose(distances[0], 0.55 / 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": {"age": "text"}}, "unknown kind of age 'text': one of number, category, or the list"),
        ({"kinds": {"height": "number"}}, "kinds name height: the table has age, job"),
        ({"kinds": {"job": "number"}}, "job holds numbers, not 'cook'"),
        ({"kinds": {"job": ["cook"]}}, "job has values beside cook"),
        ({"weights": {"height": 2}}, "weights name height: the table has age, job"),
        ({"weights": {"age": -1}}, "the weight of age is -1: weights are 0 or more"),
        ({"weights": {"age": 0, "job": 0}}, "all weights are 0"),
    ],
)
def test_a_wrong_option_is_named_with_the_alternatives(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RowIndex({"age": [1, 2], "job": ["cook", "clown"]}, **options)


def test_more_neighbours_than_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="4 neighbours of 2 rows: it must be 1 to 2"):
        RowIndex({"age": [1, 2]}).nearest({"age": 1}, 4)
