"""Similarity: the seeds' worked examples, exact thresholds, and parts that add up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_bases import MEASURES, scenarios

from retruco.cbr.similarity import (
    Equal,
    Euclid,
    Interval,
    Mean,
    Scale,
    SimilarityTable,
    WeightedMean,
    as_fraction,
)
from retruco.cbr.vocabulary import equal, interval, table

FIRST_CARD = (
    interval("high", 1, 52, span=52),
    interval("medium", 1, 52, span=52),
    interval("low", 1, 52, span=52),
    equal("is_mao", (1, 2)),
)


def codes(*values: int) -> tuple[int, ...]:
    return tuple(one.encode(value) for one, value in zip(FIRST_CARD, values, strict=True))


QUERY, CASE = codes(24, 12, 6, 1), codes(24, 8, 7, 1)


def test_table_5_of_seed_002_exactly() -> None:
    scale = Scale.of(Mean(), FIRST_CARD)
    assert (scale.distance(QUERY, CASE), scale.farthest) == (5, 208)
    assert scale.similarity(5) == float(Fraction(203, 208))
    parts = scale.parts(QUERY, CASE)
    assert [part.similarity for part in parts] == [1, Fraction(48, 52), Fraction(51, 52), 1]
    assert sum(part.similarity for part in parts) / 4 == Fraction(203, 208)


def test_table_5_of_seed_002_as_printed_from_its_rounded_parts() -> None:
    """The seed prints 0.9231 and 0.980769231, cuts their sum to 3.9039 and divides: 0.975975."""
    medium = f"{float(Interval(52)(12, 8)):.4f}"
    low = f"{float(Interval(52)(6, 7)):.9f}"
    assert (medium, low) == ("0.9231", "0.980769231")
    printed = as_fraction(1) + as_fraction(medium) + as_fraction(low) + as_fraction(1)
    assert f"{float(printed):.4f}" == "3.9039"
    assert as_fraction("3.9039") / 4 == as_fraction("0.975975")


@given(farthest=st.integers(1, 10**6), percent=st.integers(0, 100))
def test_at_least_98_per_cent_means_exactly_that(farthest: int, percent: int) -> None:
    limit = Mean().max_distance(as_fraction(percent / 100), farthest)
    assert limit * 100 <= (100 - percent) * farthest < (limit + 1) * 100


def test_an_absent_card_is_like_an_absent_card_and_like_no_other() -> None:
    card = interval("card", 1, 52, span=52, special=("absent", "down"))
    assert card.local("absent", "absent") == card.local("down", "down") == 1
    assert card.local("absent", "down") == card.local("absent", 1) == card.local(52, "down") == 0


def test_weights_count_an_attribute_as_often_as_they_say() -> None:
    features = (interval("points", 0, 33, weight=3), equal("is_mao", (0, 1), weight=2))
    scale = Scale.of(WeightedMean(), features)
    assert scale.similarity(scale.distance((3, 0), (0, 1))) == pytest.approx((3 * (1 - 3 / 33) + 0) / 5)
    plain = Scale.of(Mean(), features)
    assert plain.similarity(plain.distance((3, 0), (0, 1))) == pytest.approx((1 - 3 / 33) / 2)


def test_weighted_euclid_is_freecbrs() -> None:
    """Sandven 2006: 100 * (1 - sqrt(sum(w d^2) / sum(w))), here with weights 5 and 2."""
    features = (interval("hand", 0, 100, weight=5), interval("bets", 0, 5, weight=2))
    scale = Scale.of(Euclid(), features)
    expected = 1 - ((5 * 0.3**2 + 2 * 0.4**2) / 7) ** 0.5
    assert scale.similarity(scale.distance((80, 1), (50, 3))) == pytest.approx(expected)
    limit = scale.max_distance(0.95)
    assert scale.similarity(limit) >= 0.95 > scale.similarity(limit + 1)


@given(st.data())
def test_a_scale_sums_up_the_parts_exactly(data: st.DataObject) -> None:
    features, measure = data.draw(scenarios()).visible, data.draw(st.sampled_from(MEASURES))
    query, case = (tuple(data.draw(st.integers(0, len(one.values) - 1)) for one in features) for _ in "qc")
    scale, level = Scale.of(measure, features), data.draw(st.fractions(0, 1, max_denominator=50))
    apart = [
        measure.weight(one) * measure.transform(1 - one.local(one.decode(q), one.decode(c)))
        for one, q, c in zip(features, query, case, strict=True)
    ]
    distance = sum(apart, Fraction(0)) / sum(map(measure.weight, features))
    assert Fraction(scale.distance(query, case), scale.farthest) == distance
    similar_enough = distance <= measure.transform(1 - level)
    assert (scale.distance(query, case) <= measure.max_distance(level, scale.farthest)) == similar_enough


def test_a_table_knows_pairs_both_ways() -> None:
    style = SimilarityTable.of({("calm", "wild"): 0.1})
    assert style("wild", "calm") == style("calm", "wild") == Fraction(1, 10)
    assert style("calm", "calm") == 1
    assert style("calm", "mad") == 0
    with pytest.raises(ValueError, match="between 0 and 1"):
        SimilarityTable.of({("calm", "wild"): 1.5})
    scale = Scale.of(Mean(), (table("style", ("calm", "wild"), {("calm", "wild"): 0.1}),))
    assert (scale.costs[0], scale.farthest) == (((0, 9), (9, 0)), 10)


def test_measures_and_locals_print_themselves() -> None:
    assert [repr(one) for one in (Equal(), Interval(52), Mean(), Euclid())] == [
        "Equal()",
        "Interval(span=52)",
        "Mean()",
        "Euclid()",
    ]
