"""Retrieval modes: all rows above a threshold, the k nearest, or an adaptive threshold.

A mode prints itself, and its `plan` tells the search in whole numbers what to do.

>>> Adaptive().levels()[:3], len(Adaptive().levels())
((Fraction(49, 50), Fraction(24, 25), Fraction(47, 50)), 50)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from retruco.cbr.similarity import Amount, Scale, as_fraction


class RetrievalPlan(NamedTuple):
    """What a search must do, in distances on a scenario's scale.

    `limits` are the distances of the similarities in `levels`. The search tries them in order until
    `enough` rows lie within one; without enough rows it uses the last. It proceeds in buckets of
    2 ** `shift`; once buckets 0 to b hold enough rows, it drops everything beyond `ceilings[b]`.
    With `keep` it returns only the nearest `enough` rows; of equally near ones the oldest, or the `newest`.
    """

    levels: tuple[float, ...]
    limits: tuple[int, ...]
    ceilings: tuple[int, ...]
    shift: int
    enough: int
    keep: bool = False
    newest: bool = False


class Mode(Protocol):
    """A retrieval mode."""

    @property
    def grouped(self) -> bool:
        """Whether to search only the nearest index group."""

    def plan(self, scale: Scale, /) -> RetrievalPlan:
        """Express the mode in distances."""


def _check_share(amount: Amount, what: str) -> Fraction:
    share = as_fraction(amount)
    if not 0 <= share <= 1:
        raise ValueError(f"{what} is {amount}: a similarity lies between 0 and 1")
    return share


@dataclass(frozen=True, slots=True)
class Threshold:
    """All rows at least this similar (Paulus 2019: 75 %)."""

    at_least: Amount = 0.75
    grouped: bool = False

    def plan(self, scale: Scale, /) -> RetrievalPlan:
        """Search one bucket that holds everything within the limit."""
        level = _check_share(self.at_least, "at_least")
        limit = scale.max_distance(level)
        return RetrievalPlan((float(level),), (limit,), (limit,), limit.bit_length(), 0)


@dataclass(frozen=True, slots=True)
class Top:
    """The k most similar rows among those at least this similar (Moral 2020: 10, 90 %).

    Ties at the k-th place go to the older row.
    """

    k: int = 10
    at_least: Amount = 0.90
    grouped: bool = False

    def plan(self, scale: Scale, /) -> RetrievalPlan:
        """Search distance by distance; where there are many distances, in about a thousand buckets."""
        if self.k < 1:
            raise ValueError(f"cannot keep the {self.k} nearest: k is 1 or more")
        level = _check_share(self.at_least, "at_least")
        limit = scale.max_distance(level)
        shift = max(0, limit.bit_length() - 10)
        ceilings = tuple(min(limit, (b + 1 << shift) - 1) for b in range((limit >> shift) + 1))
        return RetrievalPlan((float(level),), (limit,), ceilings, shift, self.k, keep=True)


@dataclass(frozen=True, slots=True)
class TopNewest(Top):
    """As `Top`, but ties at the k-th place go to the newer row.

    Where many rows are equally similar, `Top` always finds the same first ones; this finds the latest.
    """

    def plan(self, scale: Scale, /) -> RetrievalPlan:
        """Search as `Top` does."""
        return Top.plan(self, scale)._replace(newest=True)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """All rows above a threshold, which is lowered until there are enough (Paulus 2020, section 3.1.1).

    Enough is `at_least` rows; if there are fewer, all of them are retrieved.
    """

    start: Amount = 0.98
    step: Amount = 0.02
    at_least: int = 5
    grouped: bool = False

    def levels(self) -> tuple[Fraction, ...]:
        """List the thresholds, down to 0."""
        start, step = _check_share(self.start, "start"), _check_share(self.step, "step")
        if not step:
            raise ValueError("an adaptive threshold needs a step above 0")
        levels = (start - step * number for number in range(int(start / step) + 1))
        return (*(level for level in levels if level > 0), Fraction(0))

    def plan(self, scale: Scale, /) -> RetrievalPlan:
        """Search in buckets of a quarter to half a step."""
        levels = self.levels()
        limits = tuple(map(scale.max_distance, levels))
        shift = max(0, (scale.farthest // len(limits)).bit_length() - 2)
        ends = ((b + 1 << shift) - 1 for b in range((limits[-1] >> shift) + 1))
        ceilings = tuple(next((limit for limit in limits if limit >= end), limits[-1]) for end in ends)
        return RetrievalPlan(tuple(map(float, levels)), limits, ceilings, shift, self.at_least)
