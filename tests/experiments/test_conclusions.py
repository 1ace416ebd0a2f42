"""What can be concluded: leads, chance, and the verdicts on what was published."""

from __future__ import annotations

from statistics import stdev

import pytest

from retruco.experiments.conclusions import (
    ALIKE,
    CONFIRMED,
    CONTRADICTED,
    EVEN,
    UNLIKE,
    Claim,
    Lead,
    best_against,
    between,
    head_to_head,
    judged,
    over_half,
    over_the_rest,
    together,
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
    ("ours", "raw", "verdict", "cause"),
    [
        (0.4, 0.4, CONFIRMED, ""),
        (-0.4, 0.4, CONTRADICTED, "The reading:"),
        (-0.4, 0.0, CONTRADICTED, "The reading, in part"),
        (-0.4, -0.4, CONTRADICTED, "Not the reading: the literal one contradicts it as well. A bug."),
        (0.02, 0.4, ALIKE, "Chance"),
        (-0.02, 0.4, UNLIKE, "Chance"),
        (0.0, 0.4, EVEN, "Chance"),
    ],
)
def test_verdicts_and_their_causes(ours: float, raw: float, verdict: str, cause: str) -> None:
    claim = Claim("one is better", "figure 1", noisy(ours), noisy(raw), 50, suspect="A bug.")
    (told,) = judged([claim])
    assert told["ours"]["verdict"] == verdict
    assert told["cause"].startswith(cause)
    assert bool(told["cause"]) == bool(cause)
    assert told["published"]["lead"] is None


def test_a_published_lead_is_held_against_chance() -> None:
    small, large = (
        judged([Claim("", "", noisy(0.0), noisy(0.0), 50, lead)])[0]["published"] for lead in (0.05, 0.4)
    )
    assert small["p"] > 0.05 > large["p"]
    assert small["needed_matches"] > 100 > large["needed_matches"]
    assert small["lead"] < small["least_lead"] < large["lead"]
