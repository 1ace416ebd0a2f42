"""What can be concluded: leads, chance, and the verdicts on what was published."""

from __future__ import annotations

from dataclasses import replace
from statistics import stdev

import pytest

from retruco.experiments.conclusions import (
    ALIKE,
    CONFIRMED,
    CONTRADICTED,
    EVEN,
    UNJUDGED,
    UNLIKE,
    Claim,
    Lead,
    best_against,
    between,
    head_to_head,
    judged,
    over_half,
    over_seeds,
    over_the_rest,
    over_trainings,
    together,
    why_unjudged,
)
from retruco.streams import Stream

SHARES = {(0, 1): [1.0, 0.5], (0, 2): [1.0, 1.0], (1, 2): [0.5, 0.0]}
NAMES = ("a", "b", "c")


def noisy(mean: float, sets: int = 50) -> Lead:
    if mean == 0:
        return Lead((0.5, -0.5) * (sets // 2))
    draw = Stream("noise", sets)
    units = [0.5 if draw.below(2) else -0.5 for _ in range(sets)]
    middle = sum(units) / sets
    return Lead(tuple(mean + one - middle for one in units))


def test_leads_are_read_off_the_pairs() -> None:
    assert over_half(NAMES, SHARES, "a").units == (0.5, 0.25)
    assert between(NAMES, SHARES, "a", "b").units == (1.0 - 0.25, 0.75 - 0.25)
    assert head_to_head(NAMES, SHARES, "c", "b").units == (0.0, 1.0)
    assert over_the_rest(NAMES, SHARES, "b").units == (0.25 - 1.0, 0.25 - 0.75)
    assert best_against(NAMES, SHARES, "a", "c").units == (0.5, 1.0)
    assert together(NAMES, {(0, 1): [1.0, 0.5], (2, 3): [0.5, 0.5]}).units == (0.5, 0.0)


def test_as_many_matches_as_needed_find_a_lead_in_four_of_five_runs() -> None:
    lead = noisy(0.2)
    needed = lead.needed() // lead.matches
    # Play many runs of so many sets, each set drawn from those there are.
    draw, found, runs = Stream("runs"), 0, 400
    for _ in range(runs):
        units = tuple(draw.choice(lead.units) for _ in range(needed))
        found += sum(units) / needed > 1.96 * stdev(units) / needed**0.5
    assert 0.74 < found / runs < 0.88


def test_what_no_set_has_shown_is_not_impossible() -> None:
    low, high = Lead((0.0,) * 10).interval
    assert low < 0 < high
    assert Lead((0.0,) * 10).chance() == 1


@pytest.mark.parametrize(
    ("lead", "verdict"),
    [(0.4, CONFIRMED), (-0.4, CONTRADICTED), (0.02, ALIKE), (-0.02, UNLIKE), (0.0, EVEN)],
)
def test_every_reading_has_its_own_verdict(lead: float, verdict: str) -> None:
    claim = Claim("one is better", "figure 1", {"text": noisy(lead), "other": noisy(0.4)}, 50)
    (found,) = judged([claim])
    assert found["readings"]["text"]["verdict"] == verdict
    assert found["readings"]["other"]["verdict"] == CONFIRMED
    assert found["published"]["lead"] is None
    assert "cause" not in found  # only what an ablation has tested


def test_what_cannot_be_judged_is_not_judged_and_does_not_weigh_on_the_others() -> None:
    tested = Claim("", "", {"text": noisy(0.2)}, 50)
    alone = judged([tested])[0]["readings"]["text"]["p_holm"]
    why = why_unjudged(quick=True)
    claims = judged([tested, *(replace(tested, unjudged=why) for _ in range(5))])
    verdicts = [claim["readings"]["text"]["verdict"] for claim in claims]
    assert verdicts == [CONFIRMED, *[UNJUDGED] * 5]
    assert claims[0]["readings"]["text"]["p_holm"] == alone
    assert claims[1]["unjudged"] == why


def test_a_reading_without_a_contest_of_a_statement_has_no_verdict_on_it() -> None:
    first, second = judged(
        [Claim("", "", {"a": noisy(0.4), "b": noisy(0.4)}, 50), Claim("", "", {"a": noisy(0.4)}, 50)]
    )
    assert list(first["readings"]) == ["a", "b"]
    assert list(second["readings"]) == ["a"]


def test_verdicts_on_what_was_learnt_need_ten_trainings() -> None:
    assert why_unjudged(quick=False) == ""
    assert why_unjudged(quick=False, trainings=10) == ""
    assert "not on 9" in why_unjudged(quick=False, trainings=9)


def test_the_interval_over_trainings_holds_their_variance() -> None:
    # Two trainings that give opposite results, each without noise: pairs alone would be sure of the mean.
    shares = [{(0, 1): [0.9] * 30}, {(0, 1): [0.1] * 30}]
    apart = head_to_head(("a", "b"), over_trainings(shares), "a", "b")
    together_ = head_to_head(("a", "b"), over_seeds(shares), "a", "b")
    assert apart.mean == pytest.approx(together_.mean)
    assert apart.interval[1] > 0.9 > together_.interval[1]


def test_a_published_lead_is_held_against_chance() -> None:
    small, large = (
        judged([Claim("", "", {"": noisy(0.0)}, 50, lead)])[0]["published"] for lead in (0.05, 0.4)
    )
    assert small["p"] > 0.05 > large["p"]
    assert small["needed_matches"] > 100 > large["needed_matches"]
    assert small["lead"] < small["least_lead"] < large["lead"]
