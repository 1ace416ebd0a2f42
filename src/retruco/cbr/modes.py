"""How much to retrieve: everything similar enough, the nearest few, or enough to go by.

A mode prints itself, and says in whole numbers what the search must do (its `plan`).

>>> Adaptive().levels()[:3], len(Adaptive().levels())
((Fraction(49, 50), Fraction(24, 25), Fraction(47, 50)), 50)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from retruco.cbr.similarity import Amount, Scale, exact


class Plan(NamedTuple):
    """What a search must do, as distances on a scenario's scale.

    `limits`, the distances of the similarities in `levels`, are tried in order until `enough`
    rows lie within one; the last one stands whatever it holds. Distances are searched in
    buckets of 2 ** `shift`; once buckets 0 to b hold enough, nothing beyond `ceilings[b]` is
    wanted. With `keep` only the nearest `enough` rows are kept.
    """

    levels: tuple[float, ...]
    limits: tuple[int, ...]
    ceilings: tuple[int, ...]
    shift: int
    enough: int
    keep: bool = False


class Mode(Protocol):
    """A way to retrieve."""

    @property
    def grouped(self) -> bool:
        """Whether only the nearest index group is searched."""

    def plan(self, scale: Scale, /) -> Plan:
        """Put the mode into distances."""


def _share(amount: Amount, what: str) -> Fraction:
    share = exact(amount)
    if not 0 <= share <= 1:
        raise ValueError(f"{what} is {amount}: a similarity lies between 0 and 1")
    return share


@dataclass(frozen=True, slots=True)
class Threshold:
    """All rows at least this similar (Paulus 2019: 75 %)."""

    at_least: Amount = 0.75
    grouped: bool = False

    def plan(self, scale: Scale, /) -> Plan:
        """Search one bucket that holds everything within the limit."""
        level = _share(self.at_least, "at_least")
        limit = scale.reach(level)
        return Plan((float(level),), (limit,), (limit,), limit.bit_length(), 0)


@dataclass(frozen=True, slots=True)
class Top:
    """The k most similar rows among those at least this similar (Moral 2020: 10, 90 %).

    Ties at the k-th place go to the older row.
    """

    k: int = 10
    at_least: Amount = 0.90
    grouped: bool = False

    def plan(self, scale: Scale, /) -> Plan:
        """Search distance by distance; where distances are many, in a thousand fine buckets."""
        if self.k < 1:
            raise ValueError(f"cannot keep the {self.k} nearest: k is 1 or more")
        level = _share(self.at_least, "at_least")
        limit = scale.reach(level)
        shift = max(0, limit.bit_length() - 10)
        ceilings = tuple(min(limit, (b + 1 << shift) - 1) for b in range((limit >> shift) + 1))
        return Plan((float(level),), (limit,), ceilings, shift, self.k, keep=True)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """All rows above a threshold that is lowered until there are enough (Paulus 2020, section 3.1.1).

    Enough is `at_least` so many rows; with fewer in all, all of them.
    """

    start: Amount = 0.98
    step: Amount = 0.02
    at_least: int = 5
    grouped: bool = False

    def levels(self) -> tuple[Fraction, ...]:
        """List the thresholds, down to 0."""
        start, step = _share(self.start, "start"), _share(self.step, "step")
        if not step:
            raise ValueError("an adaptive threshold needs a step above 0")
        levels = (start - step * number for number in range(int(start / step) + 1))
        return (*(level for level in levels if level > 0), Fraction(0))

    def plan(self, scale: Scale, /) -> Plan:
        """Search in buckets of a quarter to half a step."""
        levels = self.levels()
        limits = tuple(map(scale.reach, levels))
        shift = max(0, (scale.farthest // len(limits)).bit_length() - 2)
        ends = ((b + 1 << shift) - 1 for b in range((limits[-1] >> shift) + 1))
        ceilings = tuple(next((limit for limit in limits if limit >= end), limits[-1]) for end in ends)
        return Plan(tuple(map(float, levels)), limits, ceilings, shift, self.at_least)
