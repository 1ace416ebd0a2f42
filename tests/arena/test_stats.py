"""Intervals, tests and ratings mean what they say."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retruco.arena.ratings import bradley_terry, open_skill, run_off
from retruco.arena.sequential import LEAST, Hypotheses, answer_of
from retruco.arena.stats import (
    holm,
    pooled_share_interval,
    ratio_interval,
    ratio_test,
    share_interval,
    share_test,
)
from retruco.streams import Stream

SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60)


@given(SHARES)
def test_a_share_lies_in_its_interval_and_the_interval_between_0_and_1(shares: list[float]) -> None:
    mean, (low, high) = share_interval(shares)
    assert 0 <= low <= mean <= high <= 1
    assert low < high


@given(SHARES)
def test_the_test_of_a_share_agrees_with_its_interval(shares: list[float]) -> None:
    _, (low, high) = share_interval(shares)
    chance = share_test(shares)
    if abs(chance - 0.05) > 1e-6:
        assert (chance < 0.05) == (not low <= 0.5 <= high)


@given(SHARES)
def test_both_sides_of_a_duel_are_told_the_same(shares: list[float]) -> None:
    mean, (low, high) = share_interval(shares)
    other, (other_low, other_high) = share_interval([1 - share for share in shares])
    assert other == pytest.approx(1 - mean)
    assert (other_low, other_high) == pytest.approx((1 - high, 1 - low))


def test_more_pairs_give_a_shorter_interval() -> None:
    widths = [
        high - low for _, (low, high) in (share_interval([0.0, 0.5, 1.0] * times) for times in (1, 4, 16, 64))
    ]
    assert all(one > two for one, two in pairwise(widths))


def test_pairs_that_share_their_luck_tell_more_than_coin_tosses() -> None:
    _, (low, high) = share_interval([0.5] * 100)
    _, (toss_low, toss_high) = share_interval([0.0, 1.0] * 50)
    assert high - low < (toss_high - toss_low) / 2


def test_one_unit_alone_has_the_widest_interval() -> None:
    assert pooled_share_interval([[1.0, 1.0]]) == (1.0, (0.0, 1.0))
    assert ratio_interval([5], [10], (-2, 2)) == (0.5, (-2, 2))
    assert ratio_test([5], [10]) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_makes_a_result_more_certain_and_keeps_the_order(chances: list[float]) -> None:
    adjusted = holm(chances)
    assert all(one >= two for one, two in zip(adjusted, chances, strict=True))
    assert all(one <= 1 for one in adjusted)
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    assert [adjusted[place] for place in order] == sorted(adjusted)


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    truth = [150.0, 50.0, -50.0, -150.0]
    chance = Stream("ratings")
    shares = {
        (a, b): [
            sum(chance.chance(1 / (1 + 10 ** ((truth[b] - truth[a]) / 400))) for _ in (0, 1)) / 2
            for _ in range(2000)
        ]
        for a in range(4)
        for b in range(a + 1, 4)
    }
    for rating, wanted in zip(bradley_terry(4, shares), truth, strict=True):
        assert rating.interval[0] < wanted < rating.interval[1]
        assert rating.elo == pytest.approx(wanted, abs=15)


def test_a_clean_sweep_has_a_finite_rating() -> None:
    strong, weak = bradley_terry(2, {(0, 1): [1.0] * 30})
    assert 0 < strong.elo == pytest.approx(-weak.elo)
    assert strong.elo < 1000


def test_a_single_pair_leaves_a_rating_wide_open() -> None:
    assert bradley_terry(2, {(0, 1): [1.0]})[0].interval == (-4000, 4000)


def test_openskill_puts_the_winner_first_and_draws_together() -> None:
    (strong, _), (weak, _) = open_skill(["a", "b"], [(0, 1, 0)] * 20)
    assert strong > weak
    (one, _), (two, _) = open_skill(["a", "b"], [(0, 1, None)] * 20)
    assert one == pytest.approx(two)


def test_the_run_off_drops_who_feeds_on_the_weak() -> None:
    """The second wins most in all, but only from the last; once that is out, it is the worst."""
    shares = {(0, 1): [0.6], (0, 2): [0.6], (0, 3): [0.5], (1, 2): [0.4], (1, 3): [1.0], (2, 3): [0.6]}
    assert run_off(4, shares) == [0, 2, 1, 3]


def test_the_sequential_test_finds_a_clear_winner_soon_and_on_either_side() -> None:
    pairs = [(10.0 + number % 3, 24.0) for number in range(100)]
    assert answer_of(pairs, Hypotheses()) == ("A", LEAST)
    assert answer_of([(-points, hands) for points, hands in pairs], Hypotheses()) == ("B", LEAST)


def test_the_sequential_test_says_when_there_is_nothing_to_find() -> None:
    assert answer_of([(0.0, 24.0)] * 100, Hypotheses()) == ("neither", LEAST)


def test_the_sequential_test_does_not_claim_what_it_has_not_seen() -> None:
    answer, count = answer_of([(5.0, 24.0)] * (LEAST - 1), Hypotheses())
    assert answer is None
    assert count == LEAST - 1


@pytest.mark.parametrize("wrong", [{"effect": 0}, {"effect": -1}, {"alpha": 0}, {"alpha": 0.5}, {"beta": 1}])
def test_hypotheses_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Hypotheses(**wrong)
