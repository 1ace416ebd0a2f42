"""Playing until sure: a test after every pair that stops as soon as the answer is clear.

Three answers are possible about A's points per hand over B, for an effect d that is worth knowing:
A is better (d or more), B is better (-d or less), or neither (0). Two sequential probability ratio
tests (Wald 1945), 0 against d and 0 against -d, run side by side (Armitage 1950): the first that
decides for its d names the winner; when both have decided for 0, there is no difference of size d.
Pairs are taken as normal with the variance they show. How often the answer is wrong is measured
by `benchmarks/evaluation.py`; the figures stand in docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import Final, Literal, TypeAlias

Answer: TypeAlias = Literal["A", "B", "neither"]

LEAST: Final = 20
"""Pairs before the first look: of fewer, the variance is too uncertain."""
CAUTION: Final = 0.5
"""The bounds are those of half the error rates asked for, since the variance is an estimate."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested: no difference against one of at least `effect` points per hand, either way."""

    effect: float = 0.1
    alpha: float = 0.05
    """How often a difference may be claimed where there is none."""
    beta: float = 0.05
    """How often a difference of size `effect` may be missed."""

    def __post_init__(self) -> None:
        if self.effect <= 0:
            raise ValueError(f"--effect must be above 0 points per hand, not {self.effect:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"--{name} must be between 0 and 0.5, not {rate:g}")

    def __str__(self) -> str:
        return (
            f"no difference against {self.effect:g} points per hand or more, "
            f"error rates {self.alpha:.0%} and {self.beta:.0%}"
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which a half of the test decides for 0, and for the effect."""
        alpha, beta = CAUTION * self.alpha / 2, CAUTION * self.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)


class UntilSure:
    """The test under way: tell it each pair, it gives an answer when it has one.

    >>> test = UntilSure(Hypotheses(effect=0.1))
    >>> [test.add(points, 24) for points in [9, 3, 12] * 8][-1]
    'A'
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self._pairs = 0
        self._sums = [0.0] * 5
        self._given_up: set[Answer] = set()

    def add(self, points: float, hands: float) -> Answer | None:
        """Count one more pair: what A won more than B, over how many hands."""
        self._pairs += 1
        new = (points, hands, points * points, points * hands, hands * hands)
        self._sums = [old + one for old, one in zip(self._sums, new, strict=True)]
        return self._look() if self._pairs >= LEAST else None

    def _look(self) -> Answer | None:
        low, high = self.hypotheses.bounds
        sides: tuple[tuple[Answer, int], ...] = (("A", 1), ("B", -1))
        for side, sign in sides:
            ratio = self._log_ratio(sign)
            if side not in self._given_up and ratio >= high:
                return side
            if ratio <= low:
                self._given_up.add(side)
        return "neither" if len(self._given_up) == 2 else None

    def _log_ratio(self, sign: int) -> float:
        """The log likelihood ratio of the effect, in A's favour or in B's, against none."""
        points, hands, squares, products, hand_squares = self._sums
        rate = points / hands
        # One point squared is added: pairs that are all alike must not divide by nothing.
        variance = (squares - 2 * rate * products + rate * rate * hand_squares + 1) / (self._pairs - 1)
        step = self.hypotheses.effect * hands / self._pairs
        return step / variance * (sign * points - self._pairs * step / 2)


def answer_of(pairs: Iterable[tuple[float, float]], hypotheses: Hypotheses) -> tuple[Answer | None, int]:
    """Test pairs of points and hands in their order; give the answer and how many it took."""
    test, count = UntilSure(hypotheses), 0
    for count, (points, hands) in enumerate(pairs, 1):
        if (answer := test.add(points, hands)) is not None:
            return answer, count
    return None, count
