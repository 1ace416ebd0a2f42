"""How alike two situations are: attribute by attribute, as a whole, and in whole numbers.

A *local* measure compares two values of one attribute; a *global* one joins the attributes.
Both are exact: a local similarity is a fraction, and a `Scale` turns a scenario's global
measure into sums of integers, so that "at least 98 %" has no rounding.

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
"""What an attribute can hold: a number, or a word."""

Amount = int | float | str | Fraction
"""A share as people write it: 0.98, "0.98", or an exact fraction."""


def exact(amount: Amount) -> Fraction:
    """Read a share as the decimal that was written, not as its nearest binary float.

    >>> exact(0.98)
    Fraction(49, 50)
    """
    return Fraction(str(amount))


class Local(Protocol):
    """Compares two values of one attribute: 1 is alike, 0 is as different as can be."""

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Equal:
    """Alike only when the same.

    >>> Equal()("me", "me"), Equal()("me", "other")
    (Fraction(1, 1), Fraction(0, 1))
    """

    def __call__(self, query: Value, case: Value, /) -> Fraction:
        """Compare two values."""
        return Fraction(query == case)


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers grow unlike in proportion to their difference; a word is alike only to itself.

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
class Table:
    """Alike as a table says: pairs not listed are unlike, and each value is alike to itself.

    >>> Table.of({("fold", "bluff"): 0.25})("bluff", "fold")
    Fraction(1, 4)
    """

    pairs: tuple[tuple[Value, Value, Fraction], ...]

    @classmethod
    def of(cls, pairs: Mapping[tuple[Value, Value], Amount]) -> Table:
        """Read a table of similarities; a pair counts both ways round."""
        return cls(tuple((a, b, exact(amount)) for (a, b), amount in pairs.items()))

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
    """What a global measure asks of a feature."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def values(self) -> tuple[Value, ...]:
        """Its values, in the order of their codes."""

    @property
    def local(self) -> Local:
        """What compares them."""

    @property
    def weight(self) -> int:
        """How much it counts."""


class Measure(Protocol):
    """Joins local similarities into a global one.

    The joined *distance* is the sum of `weight * bend(1 - local)`, which the measure turns
    back into a similarity.
    """

    def weight(self, attribute: Attribute, /) -> int:
        """Say how much this attribute counts."""

    def bend(self, distance: Fraction, /) -> Fraction:
        """Shape a local distance before it is summed."""

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a summed distance into a similarity from 0 to 1."""

    def reach(self, at_least: Fraction, farthest: int, /) -> int:
        """Give the greatest summed distance that is still at least this similar."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class WeightedMean:
    """The mean of the local similarities, each counted as often as its weight says."""

    def weight(self, attribute: Attribute, /) -> int:
        """Say how much this attribute counts."""
        return attribute.weight

    def bend(self, distance: Fraction, /) -> Fraction:
        """Leave the distance as it is."""
        return distance

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a summed distance into a similarity.

        >>> Mean().similarity(5, 208)
        0.9759615384615384
        """
        return (farthest - distance) / farthest

    def reach(self, at_least: Fraction, farthest: int, /) -> int:
        """Give the greatest summed distance that is still at least this similar.

        >>> Mean().reach(exact(0.98), 208)
        4
        """
        return int((1 - at_least) * farthest // 1)


@dataclass(frozen=True, slots=True)
class Mean(WeightedMean):
    """The plain mean of the local similarities, whatever the weights."""

    def weight(self, attribute: Attribute, /) -> int:
        """Count every attribute once."""
        return 1


MEAN: Final = Mean()
"""What a vocabulary is compared by, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Euclid(WeightedMean):
    """FreeCBR's weighted Euclid: 1 - sqrt(sum(w * d^2) / sum(w)) (Sandven 2006, equations 1 and 2)."""

    def bend(self, distance: Fraction, /) -> Fraction:
        """Square the distance."""
        return distance * distance

    def similarity(self, distance: int, farthest: int, /) -> float:
        """Turn a summed square into a similarity.

        >>> Euclid().similarity(1, 4)
        0.5
        """
        return 1 - sqrt(distance / farthest)

    def reach(self, at_least: Fraction, farthest: int, /) -> int:
        """Give the greatest summed square that is still at least this similar.

        >>> Euclid().reach(exact(0.5), 4)
        1
        """
        return int((1 - at_least) ** 2 * farthest // 1)


class Part(NamedTuple):
    """What one attribute adds to a similarity."""

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
    """Find the fraction of a similarity in which all costs of an attribute are whole."""
    distinct = {distance for row in _distances(local, values) for distance in row}
    return lcm(*((weight * measure.bend(distance)).denominator for distance in distinct))


@lru_cache(maxsize=1024)
def _costs(
    local: Local, values: tuple[Value, ...], measure: Measure, weight: int, unit: int
) -> tuple[tuple[int, ...], ...]:
    whole = {d: int(weight * unit * measure.bend(d)) for row in _distances(local, values) for d in row}
    return tuple(tuple(whole[d] for d in row) for row in _distances(local, values))


@dataclass(frozen=True, slots=True)
class Scale:
    """A scenario's similarity in whole numbers: the sum of one integer cost per attribute.

    `costs[j][q][c]` is what attribute j costs when the query's code is q and the case's is c;
    similarity is 1 where the costs sum to 0 and 0 where they sum to `farthest`.
    """

    measure: Measure
    attributes: tuple[Attribute, ...]
    costs: tuple[tuple[tuple[int, ...], ...], ...]
    farthest: int

    @classmethod
    def of(cls, measure: Measure, attributes: Sequence[Attribute]) -> Scale:
        """Find the common unit of all local distances and price every pair of codes in it."""
        weights = [measure.weight(one) for one in attributes]
        unit = lcm(
            *(_unit(one.local, one.values, measure, w) for one, w in zip(attributes, weights, strict=True))
        )
        farthest = unit * sum(weights)
        if farthest >= 2**31:
            raise ValueError(
                f"the attributes have no common unit: distances would reach {farthest}, above 2**31"
            )
        costs = (
            _costs(one.local, one.values, measure, weight, unit)
            for one, weight in zip(attributes, weights, strict=True)
        )
        return cls(measure, tuple(attributes), tuple(costs), farthest)

    def distance(self, query: Sequence[int], case: Sequence[int]) -> int:
        """Sum the costs between two tuples of codes."""
        return sum(cost[q][c] for cost, q, c in zip(self.costs, query, case, strict=True))

    def similarity(self, distance: int) -> float:
        """Turn a summed cost into a similarity from 0 to 1."""
        return self.measure.similarity(distance, self.farthest)

    def reach(self, at_least: Amount) -> int:
        """Give the greatest summed cost that is still at least this similar."""
        return self.measure.reach(exact(at_least), self.farthest)

    def parts(self, query: Sequence[int], case: Sequence[int]) -> tuple[Part, ...]:
        """Compare attribute by attribute."""
        return tuple(
            Part(one.name, a := one.values[q], b := one.values[c], one.local(a, b), self.measure.weight(one))
            for one, q, c in zip(self.attributes, query, case, strict=True)
        )
