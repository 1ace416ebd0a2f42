"""Forgetting: what each way keeps of small bases whose answer is known, and how a full base replaces."""

from __future__ import annotations

import numpy as np
import pytest

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.maintenance import (
    CompetenceCounts,
    find_neighbourhoods,
    keep_by_chance,
    keep_most_competent,
    list_episodes,
    losses_by_result,
    measure_competence,
    reduce_base,
)
from retruco.cbr.retain import Episode, NewCases, NoRetention, SizeLimit
from retruco.cbr.similarity import Scale
from retruco.cbr.vocabulary import Scenario, Vocabulary, interval
from retruco.streams import Stream

PLACE = Scenario("place", (interval("x", 0, 59), interval("y", 0, 59)), (), ("go", "stay"))
WORDS = Vocabulary("places", 1, (PLACE,))


def row(episode: int, x: int, action: str, credit: int = 0, y: int = 0) -> Row:
    return Row(PLACE.problem({"x": x, "y": y}), action, credit, (), episode, 0)


def base(*rows: Row) -> CaseBase:
    cases = CaseBase(WORDS)
    cases.add(rows)
    return cases


def two_regions() -> CaseBase:
    """Around 5 thirty go and three stay; around 50 twelve stay."""
    going = [row(number, 4 + number % 3, "go", 2) for number in range(30)]
    contrary = [row(30 + number, 5, "stay", -1) for number in range(3)]
    far = [row(40 + number, 49 + number % 3, "stay") for number in range(12)]
    return base(*going, *contrary, *far)


def test_competence_keeps_solvers_of_every_region_and_drops_what_contradicts_its_neighbours() -> None:
    cases = two_regions()
    kept = keep_most_competent(cases, 18)
    assert len(kept) == 18
    assert not set(kept) & {30, 31, 32}
    assert {episode >= 40 for episode in kept} == {False, True}
    total = CompetenceCounts()
    for counts in measure_competence(cases, reduce_base(cases, kept)).values():
        total = total.plus(counts)
    assert total == CompetenceCounts(cases=45, same=45, solved=42, solved_by_whole=42)


def test_a_base_without_the_cases_of_a_region_answers_otherwise_there() -> None:
    cases = two_regions()
    counts = measure_competence(cases, reduce_base(cases, list(range(33))))
    assert all(counts[episode].same == (episode < 40) for episode in counts)


def test_nobody_is_kept_twice_and_all_are_kept_if_there_is_room() -> None:
    cases = two_regions()
    assert keep_most_competent(cases, 1000) == list_episodes(cases).tolist()
    chance = keep_by_chance(range(45), 10, Stream("draw", 1))
    assert len(set(chance)) == 10
    assert chance != keep_by_chance(range(45), 10, Stream("draw", 2))


def test_a_state_is_near_to_the_problems_whose_nearest_rows_it_holds() -> None:
    chance = np.random.default_rng(3)
    points = chance.integers(0, 60, (80, 2)).tolist()
    cases = base(*(row(number, x, "go", y=y) for number, (x, y) in enumerate(points)))
    near = find_neighbourhoods(cases, nearest=5, at_least=0.98)
    states, counts = np.unique(np.array(points), axis=0, return_counts=True)
    scale = Scale.of(cases.measure, PLACE.visible)
    for problem, codes in enumerate(states.tolist()):
        distances = np.array([scale.distance(codes, other) for other in states.tolist()])
        order = np.argsort(distances, kind="stable")
        fifth = distances[order][np.searchsorted(np.cumsum(counts[order]), 5)]
        expected = np.flatnonzero(distances <= max(fifth, scale.max_distance(0.98)))
        found = [
            state
            for state in range(len(states))
            if problem in near.problems[near.starts[state] : near.starts[state + 1]]
        ]
        assert found == expected.tolist()


def test_harm_by_results_is_what_the_better_answer_earned_nearby() -> None:
    losses = losses_by_result(two_regions())
    assert {losses[episode] for episode in range(30)} == {0.0}
    assert {losses[episode] for episode in (30, 31, 32)} == {3.0}
    assert {losses[episode] for episode in range(40, 52)} == {0.0}


@pytest.mark.parametrize(
    ("way", "forgotten"), [("competence", {30, 31, 32}), ("harm", {30, 31, 32}), ("use", {30, 31, 32})]
)
def test_a_full_base_replaces_a_tenth_by_what_matters_least(way: str, forgotten: set[int]) -> None:
    cases = two_regions()
    uses = dict.fromkeys([*range(30), *range(40, 52)], 1)
    new = Episode((PLACE.problem({"x": 25, "y": 30}),), 1)
    assert SizeLimit(NewCases(), 46, way, uses)(new, cases).replaces == ()
    verdict = SizeLimit(NewCases(), 45, way, uses)(new, cases)
    assert verdict.keep
    assert set(verdict.replaces) >= forgotten
    assert len(verdict.replaces) == 4
    assert verdict.why == f"only 0 similar, 4 forgotten by {way}"
    assert not SizeLimit(NoRetention(), 45, way, uses)(new, cases).keep


def test_a_limit_or_a_way_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 case, not 0"):
        SizeLimit(NewCases(), 0, "use")
    with pytest.raises(ValueError, match="unknown way to forget 'age': one of use, competence, harm"):
        SizeLimit(NewCases(), 5, "age")
