"""What results mean: means and rates with their intervals and tests, over duplicate pairs.

How well the intervals keep their promise is measured by `benchmarks/evaluation.py`; the figures
stand in docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import TypeAlias

from retruco.arena import distributions

Interval: TypeAlias = tuple[float, float]

SIGNIFICANT = 0.05
"""What a probability must be below, after Holm's correction, to be marked."""


@lru_cache(maxsize=1024)
def t_quantile(freedom: float, confidence: float = 0.95) -> float:
    """How many standard errors a two-sided interval reaches (Student's t).

    >>> round(t_quantile(9), 3), round(t_quantile(10_000), 2)
    (2.262, 1.96)
    """
    return distributions.t_quantile(freedom, 0.5 + confidence / 2)


def two_sided(errors: float, freedom: float) -> float:
    """The probability of so many standard errors or more, either way, by chance alone.

    >>> round(two_sided(2.262, 9), 3)
    0.05
    """
    return 2 * distributions.t_cdf(freedom, -abs(errors))


def ratio_error(tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """The standard error of sum(tops) / sum(bottoms) over at least two units, by linearisation."""
    ratio, units = sum(tops) / sum(bottoms), len(tops)
    squares = sum((top - ratio * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    return sqrt(squares / (units - 1) / units) / (sum(bottoms) / units)


def ratio_interval(
    tops: Sequence[float], bottoms: Sequence[float], widest: Interval, confidence: float = 0.95
) -> tuple[float, Interval]:
    """Estimate sum(tops) / sum(bottoms) over independent units, such as points by hands over pairs.

    The interval is Student's. One unit alone tells nothing of the spread: then the interval is the
    widest that is possible at all.

    >>> ratio_interval([1, 3], [10, 10], widest=(-24, 24))[0]
    0.2
    """
    ratio, units = sum(tops) / sum(bottoms), len(tops)
    if units < 2:
        return ratio, widest
    reach = t_quantile(units - 1, confidence) * ratio_error(tops, bottoms)
    return ratio, (max(widest[0], ratio - reach), min(widest[1], ratio + reach))


def ratio_test(tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """How likely a ratio at least so far from zero is when the true one is zero.

    >>> ratio_test([0, 0, 0], [9, 9, 9]), ratio_test([3], [9])
    (1.0, 1.0)
    """
    if len(tops) < 2 or sum(tops) == 0:
        return 1.0
    error = ratio_error(tops, bottoms)
    if error == 0:
        return 0.0
    return two_sided(sum(tops) / sum(bottoms) / error, len(tops) - 1)


def effective(shares: Sequence[float], pad: float | None = None) -> float:
    """How many independent matches would tell as much as these pairs.

    In a pair the two matches share their luck, so a mean of shares varies less than as many coin
    tosses would. The ratio of the two variances is estimated with a little added at each end, the
    less the more pairs there are, so that ten equal results do not claim certainty.

    >>> round(effective([0.0, 1.0] * 50)), round(effective([0.5] * 100))
    (100, 50100)
    """
    pad = min(0.7, 10 / len(shares)) if pad is None else pad
    units = len(shares) + 2 * pad
    centre = (sum(shares) + pad) / units
    spread = sum((share - centre) ** 2 for share in shares) + pad * (centre**2 + (1 - centre) ** 2)
    return len(shares) * centre * (1 - centre) * units / spread


def share_interval(
    shares: Sequence[float], confidence: float = 0.95, pad: float | None = None, freedom: int | None = None
) -> tuple[float, Interval]:
    """Estimate a mean share, such as matches won of each pair, each unit from 0 to 1.

    Wilson's interval (1927) for as many tosses as the pairs are worth, with Student's quantile for
    twice as many matches as pairs: Wilson's own is too short for a handful of pairs.

    >>> mean, (low, high) = share_interval([1.0] * 10)
    >>> mean, round(low, 2), high
    (1.0, 0.7, 1.0)
    """
    mean, tosses = sum(shares) / len(shares), effective(shares, pad)
    square = t_quantile(2 * len(shares) if freedom is None else freedom, confidence) ** 2 / tosses
    centre = (mean + square / 2) / (1 + square)
    reach = sqrt(square * mean * (1 - mean) + square * square / 4) / (1 + square)
    return mean, (max(0.0, min(centre - reach, mean)), min(1.0, max(centre + reach, mean)))


def pooled_share_interval(units: Sequence[Sequence[float]]) -> tuple[float, Interval]:
    """Estimate a mean share over units of several pairs each, such as one deal against everybody.

    The more pairs a unit holds, the less it varies and the less is added for caution; one unit
    alone tells nothing of the spread.

    >>> pooled_share_interval([[1.0, 0.5]])
    (0.75, (0.0, 1.0))
    """
    means = [sum(unit) / len(unit) for unit in units]
    if len(units) < 2:
        return means[0], (0.0, 1.0)
    return share_interval(means, pad=1 / len(units[0]), freedom=len(units) - 1)


def share_test(shares: Sequence[float]) -> float:
    """How likely a mean share at least so far from one half is when the true one is one half.

    It agrees with `share_interval`: below 5 % exactly when one half lies outside.

    >>> share_test([1.0] * 10) < 0.05, share_test([0.5])
    (True, 1.0)
    """
    mean = sum(shares) / len(shares)
    return two_sided((mean - 0.5) * 2 * sqrt(effective(shares)), 2 * len(shares))


def holm(probabilities: Sequence[float]) -> list[float]:
    """Adjust the probabilities of many tests so that none is marked by chance (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(probabilities)), key=lambda place: probabilities[place])
    adjusted, most = [0.0] * len(probabilities), 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, (len(order) - rank) * probabilities[place]))
        adjusted[place] = most
    return adjusted
