"""What results mean: means and rates with their intervals, over duplicate pairs."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]


def t_quantile(freedom: int, confidence: float = 0.95) -> float:
    """How many standard errors a two-sided interval reaches (Student's t).

    >>> round(t_quantile(9), 3), round(t_quantile(10_000), 2)
    (2.262, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + confidence / 2))


def ratio_interval(
    tops: Sequence[float], bottoms: Sequence[float], widest: Interval, confidence: float = 0.95
) -> tuple[float, Interval]:
    """Estimate sum(tops) / sum(bottoms) over independent units, such as points by hands over pairs.

    The interval is Student's, with the ratio's variance by linearisation. One unit alone tells
    nothing of the spread: then the interval is the widest that is possible at all.

    >>> ratio_interval([1, 3], [10, 10], widest=(-24, 24))[0]
    0.2
    """
    ratio = sum(tops) / sum(bottoms)
    units = len(tops)
    if units < 2:
        return ratio, widest
    squares = sum((top - ratio * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    error = sqrt(squares / (units - 1) / units) / (sum(bottoms) / units)
    reach = t_quantile(units - 1, confidence) * error
    return ratio, (max(widest[0], ratio - reach), min(widest[1], ratio + reach))


def share_interval(shares: Sequence[float], confidence: float = 0.95) -> tuple[float, Interval]:
    """Estimate a mean share, such as matches won of each pair, each unit from 0 to 1.

    One unit at each end is added before Student's interval is taken (as Agresti and Coull add
    two of each kind), so that ten wins in ten do not claim certainty.

    >>> mean, (low, high) = share_interval([1.0] * 10)
    >>> mean, round(low, 2), high
    (1.0, 0.73, 1.0)
    """
    mean = sum(shares) / len(shares)
    padded = [0.0, *shares, 1.0]
    centre = sum(padded) / len(padded)
    spread = sum((share - centre) ** 2 for share in padded) / (len(padded) - 1)
    reach = t_quantile(len(padded) - 1, confidence) * sqrt(spread / len(padded))
    return mean, (max(0.0, min(centre - reach, mean)), min(1.0, max(centre + reach, mean)))
