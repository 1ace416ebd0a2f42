"""Student's t and the binomial distribution, exact to rounding; tests hold them against SciPy.

Three functions do not justify a dependency of 140 MB.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, isinf, lgamma, log, log1p, pi, sqrt
from typing import Final

SMALLEST: Final = 1e-300
ITERATIONS: Final = 20_000
"""More than the continued fraction ever needs: about the root of the degrees of freedom."""


def t_cdf(freedom: float, t: float) -> float:
    """The probability that Student's t with so many degrees of freedom is at most t.

    >>> round(t_cdf(9, -2.262), 3), t_cdf(9, 0.0)
    (0.025, 0.5)
    """
    if isinf(t):
        return 1.0 if t > 0 else 0.0
    tail = 0.5 * _two_sided_tail(freedom / 2, t * t / freedom)
    return tail if t <= 0 else 1.0 - tail


def t_quantile(freedom: float, probability: float) -> float:
    """The t that is exceeded with probability 1 - `probability`, by bisection.

    >>> round(t_quantile(9, 0.975), 3), round(t_quantile(10_000, 0.975), 2)
    (2.262, 1.96)
    """
    if not 0.5 < probability < 1:
        return 0.0 if probability == 0.5 else -t_quantile(freedom, 1 - probability)
    tail, low, high = 1 - probability, 0.0, 1.0
    while t_cdf(freedom, -high) > tail:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if t_cdf(freedom, -middle) > tail else (low, middle)


def binomial_pmf(successes: int, trials: int, rate: float) -> float:
    """The probability of exactly so many successes.

    >>> binomial_pmf(1, 2, 0.5)
    0.5
    """
    chance: float = comb(trials, successes) * rate**successes * (1 - rate) ** (trials - successes)
    return chance


def fair_coin_cdf(heads: int, tosses: int) -> float:
    """The probability of at most so many heads: a ratio of whole numbers, rounded once.

    >>> fair_coin_cdf(1, 3)
    0.5
    """
    count = term = 1
    for place in range(1, heads + 1):
        term = term * (tosses - place + 1) // place
        count += term
    return float(Fraction(count, 2**tosses))


def _two_sided_tail(a: float, squares: float) -> float:
    """The regularised incomplete beta function I(x; a, 1/2) at x = 1 / (1 + squares)."""
    if squares == 0:
        return 1.0
    x, y = 1 / (1 + squares), squares / (1 + squares)
    front = exp(_half_step(a) - a * log1p(squares)) * sqrt(y / pi)
    if x > (a + 1) / (a + 2.5):
        return 1.0 - front * _fraction(0.5, a, y) / 0.5
    return front * _fraction(a, 0.5, x) / a


def _half_step(a: float) -> float:
    """The logarithm of gamma(a + 1/2) / gamma(a), without cancellation where a is large."""
    if a < 100:
        return lgamma(a + 0.5) - lgamma(a)
    return 0.5 * log(a) - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, _away_from_zero(1 - (a + b) * x / (a + 1))
    d = 1 / d
    value = d
    for m in range(1, ITERATIONS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return value


def _away_from_zero(number: float) -> float:
    return number if abs(number) > SMALLEST else SMALLEST
