"""Student's t and the binomial distribution, held against SciPy."""

from __future__ import annotations

import pytest

from retruco.arena.distributions import binomial_pmf, fair_coin_cdf, t_cdf, t_quantile

scipy_special = pytest.importorskip("scipy.special")

FREEDOMS = [1, 1.5, 2, 3, 7.3, 19, 24, 99, 199, 201, 1999.5, 20_000, 1_000_000]


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("t", [-40, -9, -4, -2.2, -1, -0.3, -0.001, 0, 0.5, 3, 8])
def test_t_agrees_with_scipy_far_into_its_tails(freedom: float, t: float) -> None:
    assert t_cdf(freedom, t) == pytest.approx(float(scipy_special.stdtr(freedom, t)), rel=1e-10, abs=1e-290)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("probability", [0.1, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9999])
def test_quantiles_of_t_agree_with_scipy(freedom: float, probability: float) -> None:
    assert t_quantile(freedom, probability) == pytest.approx(
        float(scipy_special.stdtrit(freedom, probability)), rel=1e-10, abs=1e-12
    )


@pytest.mark.parametrize("tosses", [1, 5, 13, 31, 500, 1001])
def test_a_fair_coin_agrees_with_scipy(tosses: int) -> None:
    for heads in range(tosses + 1):
        assert fair_coin_cdf(heads, tosses) == pytest.approx(float(scipy_special.bdtr(heads, tosses, 0.5)))


@pytest.mark.parametrize("rate", [0.0, 0.3, 0.9, 1.0])
def test_binomial_probabilities_agree_with_scipy(rate: float) -> None:
    for successes in range(32):
        at_most, fewer = scipy_special.bdtr([successes, successes - 1], 31, rate)
        expected = at_most - fewer if successes else at_most
        assert binomial_pmf(successes, 31, rate) == pytest.approx(float(expected), abs=1e-15)
