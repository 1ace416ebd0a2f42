"""The nearest rows of people's own tables, found exactly by the retrieval of `retruco.cbr`.

The similarity of two rows is the weighted mean of the similarities of their features:

- a *number* by 1 - difference / (greatest - least value), at least 0;
- a *category* by 1 if equal, else 0;
- an *ordered* feature, given as the list of its values, by the distance of their places.

A missing value (None or NaN) is similar only to another missing one. Numbers enter the index rounded to 255 levels;
every candidate that could be among the nearest is then compared by its exact values.

>>> table = RowIndex({"age": [30, 41, 38], "job": ["cook", "clown", "cook"]}, weights={"job": 2})
>>> table.nearest({"age": 40, "job": "cook"}, 2)
(array([2, 0]), array([0.06060606, 0.3030303 ]))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from numbers import Real
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Problem
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Threshold, Top
from retruco.cbr.similarity import Amount, WeightedMean, as_fraction
from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary, equal, interval
from retruco.interfaces.frames import Columns

Kind: TypeAlias = str | Sequence[Any]
"""`number`, `category`, or the values of an ordered feature from least to greatest."""
Floats: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int64]

KINDS: Final = ("number", "category")
LEVELS: Final = 255
MISSING: Final = "missing"
SCENARIO: Final = "rows"
TINY: Final = 1e-9
"""More than the rounding errors of floats can add up to."""


class Column(NamedTuple):
    """How the values of a column are compared."""

    name: str
    kind: str
    weight: int
    places: Mapping[Any, int]
    """Of a category or an ordered feature: the number of each value."""
    low: float = 0.0
    span: float = 1.0

    def number(self, value: Any) -> float:
        """A value as a number; NaN if it is missing, infinity if it is none that the rows have."""
        if value is None or value != value:  # NaN differs from itself
            return np.nan
        if self.kind != "number":
            return float(self.places.get(value, np.inf))
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} holds numbers, not {value!r}") from None

    def code(self, number: float) -> int:
        """The place of a number in the index; the last one stands for a missing value."""
        if np.isnan(number):
            return self.levels
        if self.kind == "category":
            return int(number) if np.isfinite(number) else self.levels + 1
        share = min(max((number - self.low) / self.span, 0.0), 1.0)
        return round(share * (self.levels - 1))

    @property
    def levels(self) -> int:
        """How many values the index tells apart, beside a missing one."""
        return LEVELS if self.kind == "number" else max(2, len(self.places))

    @property
    def error(self) -> float:
        """By how much the distance of two values may differ from the distance of their codes."""
        return 1 / (LEVELS - 1) if self.kind == "number" else 0.0

    def feature(self) -> VisibleFeature:
        """The column as a feature of a vocabulary."""
        if self.kind == "category":
            return equal(self.name, [*map(str, range(self.levels)), MISSING, "unknown"], weight=self.weight)
        return interval(self.name, 0, self.levels - 1, special=(MISSING,), weight=self.weight)

    def distances(self, query: float, numbers: Floats) -> Floats:
        """From 0, equal, to 1."""
        if self.kind == "category":
            found = (numbers != query).astype(float)
        elif np.isinf(query):
            found = np.ones(len(numbers))
        else:
            found = np.minimum(np.abs(numbers - query) / self.span, 1.0)
        is_missing = np.isnan(numbers)
        unlike = (is_missing != np.isnan(query)).astype(float)
        return np.asarray(np.where(is_missing | np.isnan(query), unlike, found), float)


def describe_column(name: str, values: Sequence[Any], kind: Kind | None, weight: int) -> Column:
    """Find out how to compare the values of a column; without a kind, numbers are numbers."""
    present = [value for value in values if value is not None and value == value]
    if kind is None:
        kind = "number" if all(isinstance(value, Real) for value in present) else "category"
    if not isinstance(kind, str):
        return Column(
            name,
            "ordered",
            weight,
            {value: place for place, value in enumerate(kind)},
            0.0,
            max(1, len(kind) - 1),
        )
    if kind not in KINDS:
        raise ValueError(
            f"unknown kind of {name} {kind!r}: one of {', '.join(KINDS)}, or the list of its values"
        )
    if kind == "category":
        return Column(
            name, kind, weight, {value: place for place, value in enumerate(dict.fromkeys(present))}
        )
    numbers = [Column(name, kind, weight, {}).number(value) for value in present]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if not np.isfinite(high - low):
        raise ValueError(f"{name} holds finite numbers, not from {low} to {high}")
    return Column(name, kind, weight, {}, low, high - low or 1.0)


def whole_weights(names: Sequence[str], weights: Mapping[str, Amount]) -> dict[str, int]:
    """Weights as whole numbers in the same proportions; features of weight 0 are left out.

    >>> whole_weights(["a", "b", "c"], {"a": 0.5, "b": 0})
    {'a': 1, 'c': 2}
    """
    if unknown := [name for name in weights if name not in names]:
        raise ValueError(f"weights name {', '.join(unknown)}: the table has {', '.join(names)}")
    shares = {name: as_fraction(weights.get(name, 1)) for name in names}
    if wrong := [name for name, share in shares.items() if share < 0]:
        raise ValueError(f"the weight of {wrong[0]} is {weights[wrong[0]]}: weights are 0 or more")
    unit = lcm(*(share.denominator for share in shares.values()))
    whole = {name: int(share * unit) for name, share in shares.items() if share}
    if not whole:
        raise ValueError("all weights are 0: at least one feature must count")
    return whole


class RowIndex:
    """The rows of a table, retrieved by weighted similarity."""

    def __init__(
        self,
        columns: Columns,
        kinds: Mapping[str, Kind] | None = None,
        weights: Mapping[str, Amount] | None = None,
    ) -> None:
        if unknown := [name for name in kinds or {} if name not in columns]:
            raise ValueError(f"kinds name {', '.join(unknown)}: the table has {', '.join(columns)}")
        whole = whole_weights(list(columns), weights or {})
        self.columns = [
            describe_column(name, columns[name], (kinds or {}).get(name), weight)
            for name, weight in whole.items()
        ]
        self.numbers = np.array([[c.number(value) for value in columns[c.name]] for c in self.columns]).T
        self._check_ordered()
        self.total = sum(column.weight for column in self.columns)
        self.error = sum(column.weight * column.error for column in self.columns) / self.total
        scenario = Scenario(SCENARIO, tuple(column.feature() for column in self.columns), (), ("row",))
        self.base = CaseBase(Vocabulary("table", 1, (scenario,), WeightedMean()))
        self._fill()

    def _check_ordered(self) -> None:
        for place, column in enumerate(self.columns):
            if column.kind == "ordered" and np.isinf(self.numbers[:, place]).any():
                raise ValueError(f"{column.name} has values beside {', '.join(map(str, column.places))}")

    def _fill(self) -> None:
        codes = [
            [c.code(number) for c, number in zip(self.columns, row, strict=True)] for row in self.numbers
        ]
        nothing = np.zeros(len(codes), np.int64)
        self.base.add_columns(SCENARIO, codes, None, nothing, nothing, np.arange(len(codes)), nothing)

    def __len__(self) -> int:
        return len(self.numbers)

    def numbers_of(self, query: Mapping[str, Any]) -> list[float]:
        """The values of a query; a feature that it lacks is missing."""
        return [column.number(query.get(column.name)) for column in self.columns]

    def distances(self, query: Sequence[float], rows: Rows) -> Floats:
        """The exact distances of some rows: 1 - similarity."""
        parts = (
            column.weight * column.distances(query[place], self.numbers[rows, place])
            for place, column in enumerate(self.columns)
        )
        return np.asarray(sum(parts) / self.total, float)

    def nearest(self, query: Mapping[str, Any], count: int) -> tuple[Rows, Floats]:
        """The most similar rows, nearest first and the earlier first where equally near, with their distances."""
        return self.nearest_numbers(self.numbers_of(query), count)

    def nearest_numbers(self, numbers: Sequence[float], count: int) -> tuple[Rows, Floats]:
        """The same for a query whose values are numbers already; see `numbers_of`."""
        if not 1 <= count <= len(self):
            raise ValueError(f"{count} neighbours of {len(self)} rows: it must be 1 to {len(self)}")
        first = self._retrieve(numbers, Top(count, 0))
        limit = float(self.distances(numbers, first).max())
        rows, distances = self._within(numbers, limit)
        return rows[:count], distances[:count]

    def similar(self, query: Mapping[str, Any], at_least: Amount) -> tuple[Rows, Floats]:
        """All rows at least this similar, nearest first, with their distances."""
        limit = float(1 - as_fraction(at_least))
        rows, distances = self._within(self.numbers_of(query), limit)
        is_near = distances <= limit + TINY
        return rows[is_near], distances[is_near]

    def _within(self, numbers: Sequence[float], limit: float) -> tuple[Rows, Floats]:
        """All rows within a distance, and some beyond, in the order of their exact distances."""
        at_least = max(0.0, 1 - limit - self.error - TINY)
        rows = self._retrieve(numbers, Threshold(Fraction(at_least)))
        distances = self.distances(numbers, rows)
        order = np.lexsort((rows, distances))
        return rows[order], distances[order]

    def _retrieve(self, numbers: Sequence[float], mode: Top | Threshold) -> Rows:
        codes = tuple(column.code(number) for column, number in zip(self.columns, numbers, strict=True))
        found = np.array(self.base.retrieve(Problem(SCENARIO, codes), mode).episodes, np.int64)
        self.base.clear_cache()
        return found
