"""The similarity of two situations: of single attributes, of the whole, and in whole numbers.

A *local* measure compares two values of one attribute; a *global* measure combines the attributes.
Both are exact: a local similarity is a fraction, and a `Scale` turns a scenario's global measure into
sums of integers, so that "at least 98 %" has no rounding error.

>>> Interval(52)(12, 8)
Fraction(12, 13)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt
from typing import Final, NamedTuple, Protocol

Value = int | str
"""The value of an attribute: a number or a word."""

Amount = int | float | str | Fraction
"""A share as people write it: 0.98, "0.98" or an exact fraction."""


def as_fraction(amount: Amount) -> Fraction:
    """Read a share as the decimal that was written, not as the nearest binary float.

    >>> as_fraction(0.98)
    Fraction(49, 50)
    """
    return Fraction(str(amount))


class Local(Protocol):
    """Compares two values of one attribute: from 0, as different as possible, to 1, equal."""

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Equal:
    """1 for equal values, 0 for all others.

    >>> Equal()("me", "me"), Equal()("me", "other")
    (Fraction(1, 1), Fraction(0, 1))
    """

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""
        return Fraction(query == case)


@dataclass(frozen=True, slots=True)
class Interval:
    """For numbers 1 - difference / span; a word is similar only to itself.

    >>> Interval(52)(24, 24), Interval(52)(6, 7), Interval(52)(6, "absent"), Interval(52)("absent", "absent")
    (Fraction(1, 1), Fraction(51, 52), Fraction(0, 1), Fraction(1, 1))
    """

    span: int

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""
        if isinstance(query, str) or isinstance(case, str):
            return Fraction(query == case)
        return max(Fraction(0), 1 - Fraction(abs(query - case), self.span))


@dataclass(frozen=True, slots=True)
class SimilarityTable:
    """The similarity that a table lists for a pair of values; 1 for equal values, 0 for other pairs.

    >>> SimilarityTable.of({("fold", "bluff"): 0.25})("bluff", "fold")
    Fraction(1, 4)
    """

    pairs: tuple[tuple[Value, Value, Fraction], ...]

    @classmethod
    def of(cls, pairs: Mapping[tuple[Value, Value], Amount]) -> SimilarityTable:
        """Read a table of similarities; a pair counts both ways round."""
        return cls(tuple((a, b, as_fraction(amount)) for (a, b), amount in pairs.items()))

    def __post_init__(self) -> None:
        for a, b, amount in self.pairs:
            if not 0 <= amount <= 1 or a == b:
                raise ValueError(f"the similarity of {a!r} and {b!r} is {amount}: it lies between 0 and 1")

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""
        if query == case:
            return Fraction(1)
        listed = (amount for a, b, amount in self.pairs if (query, case) in ((a, b), (b, a)))
        return next(listed, Fraction(0))


class Attribute(Protocol):
    """What a global measure needs to know of a feature."""

    @property
    def name(self) -> str:
        """The name of the attribute."""

    @property
    def values(self) -> tuple[Value, ...]:
        """Its values, in the order of their codes."""

    @property
    def local(self) -> Local:
        """The measure that compares them."""

    @property
    def weight(self) -> int:
        """Its weight."""


class Measure(Protocol):
    """Combines local similarities into a global one.

    The global *distance* is the sum of `weight * transform(1 - local)`; the measure turns it back into
    a similarity.
    """

    def weight(self, attribute: Attribute, /) -> int:
        """Return the weight of an attribute."""

    def transform(self, distance: Fraction, /) -> Fraction:
        """Transform a local distance before it is summed."""

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a summed distance into a similarity from 0 to 1."""

    def max_distance(self, at_least: Fraction, farthest: int, /) -> int:
        """Return the greatest summed distance that is still at least this similar."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class WeightedMean:
    """The weighted mean of the local similarities."""

    def weight(self, attribute: Attribute, /) -> int:
        """Return the weight of an attribute."""
        return attribute.weight

    def transform(self, distance: Fraction, /) -> Fraction:
        """Leave the distance as it is."""
        return distance

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a summed distance into a similarity.

        >>> Mean().similarity(5, 208)
        0.9759615384615384
        """
        return (farthest - distance) / farthest

    def max_distance(self, at_least: Fraction, farthest: int, /) -> int:
        """Return the greatest summed distance that is still at least this similar.

        >>> Mean().max_distance(as_fraction(0.98), 208)
        4
        """
        return int((1 - at_least) * farthest // 1)


@dataclass(frozen=True, slots=True)
class Mean(WeightedMean):
    """The mean of the local similarities, without weights."""

    def weight(self, attribute: Attribute, /) -> int:
        """Count every attribute once."""
        return 1


MEAN: Final = Mean()
"""The measure of a vocabulary that names no other."""


@dataclass(frozen=True, slots=True)
class Euclid(WeightedMean):
    """FreeCBR's weighted Euclid: 1 - sqrt(sum(w * d^2) / sum(w)) (Sandven 2006, equations 1 and 2)."""

    def transform(self, distance: Fraction, /) -> Fraction:
        """Square the distance."""
        return distance * distance

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a sum of squares into a similarity.

        >>> Euclid().similarity(1, 4)
        0.5
        """
        return 1 - sqrt(distance / farthest)

    def max_distance(self, at_least: Fraction, farthest: int, /) -> int:
        """Return the greatest sum of squares that is still at least this similar.

        >>> Euclid().max_distance(as_fraction(0.5), 4)
        1
        """
        return int((1 - at_least) ** 2 * farthest // 1)


class Part(NamedTuple):
    """The similarity of one attribute of a query and a case."""

    name: str
    query: Value
    case: Value
    similarity: Fraction
    weight: int


@lru_cache(maxsize=1024)
def _distances(local: Local, values: tuple[Value, ...]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(1 - local(query, case) for case in values) for query in values)


@lru_cache(maxsize=1024)
def _unit(local: Local, values: tuple[Value, ...], measure: Measure, weight: int) -> int:
    """Return the smallest factor that makes all costs of an attribute whole numbers."""
    distinct = {distance for row in _distances(local, values) for distance in row}
    return lcm(*((weight * measure.transform(distance)).denominator for distance in distinct))


@lru_cache(maxsize=1024)
def _costs(
    local: Local, values: tuple[Value, ...], measure: Measure, weight: int, unit: int
) -> tuple[tuple[int, ...], ...]:
    distinct = {distance for row in _distances(local, values) for distance in row}
    whole = {distance: int(weight * unit * measure.transform(distance)) for distance in distinct}
    return tuple(tuple(whole[d] for d in row) for row in _distances(local, values))


@dataclass(frozen=True, slots=True)
class Scale:
    """A scenario's similarity in whole numbers: the sum of one integer cost per attribute.

    `costs[j][q][c]` is the cost of attribute j for code q of the query and code c of the case.
    Similarity is 1 where the costs sum to 0, and 0 where they sum to `farthest`.
    """

    measure: Measure
    attributes: tuple[Attribute, ...]
    costs: tuple[tuple[tuple[int, ...], ...], ...]
    farthest: int

    @classmethod
    def of(cls, measure: Measure, attributes: Sequence[Attribute]) -> Scale:
        """Find the common unit of all local distances, and express the cost of each pair of codes in it."""
        weights = [measure.weight(attribute) for attribute in attributes]
        pairs = list(zip(attributes, weights, strict=True))
        unit = lcm(
            *(_unit(attribute.local, attribute.values, measure, weight) for attribute, weight in pairs)
        )
        farthest = unit * sum(weights)
        if farthest >= 2**31:
            raise ValueError(
                f"the attributes have no common unit: distances would reach {farthest}, above 2**31"
            )
        costs = (
            _costs(attribute.local, attribute.values, measure, weight, unit) for attribute, weight in pairs
        )
        return cls(measure, tuple(attributes), tuple(costs), farthest)

    def distance(self, query: Sequence[int], case: Sequence[int]) -> int:
        """Sum the costs between two tuples of codes."""
        return sum(cost[q][c] for cost, q, c in zip(self.costs, query, case, strict=True))

    def similarity(self, distance: int) -> float:
        """Turn a summed cost into a similarity from 0 to 1."""
        return self.measure.similarity(distance, self.farthest)

    def max_distance(self, at_least: Amount) -> int:
        """Return the greatest summed cost that is still at least this similar."""
        return self.measure.max_distance(as_fraction(at_least), self.farthest)

    def parts(self, query: Sequence[int], case: Sequence[int]) -> tuple[Part, ...]:
        """Compare each attribute."""
        return tuple(
            self._part(attribute, attribute.values[q], attribute.values[c])
            for attribute, q, c in zip(self.attributes, query, case, strict=True)
        )

    def _part(self, attribute: Attribute, query: Value, case: Value) -> Part:
        weight = self.measure.weight(attribute)
        return Part(attribute.name, query, case, attribute.local(query, case), weight)
