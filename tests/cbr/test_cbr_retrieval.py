"""Every way to retrieve, against the readable search."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import njit
from random_bases import (
    ACTIONS,
    CARDS,
    MEASURES,
    MODES,
    base_of,
    clusters,
    many_rows,
    rows_of,
    scenarios,
    sum_by_key,
)

from retruco.cbr import trie
from retruco.cbr.case import Match, Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering
from retruco.cbr.modes import Adaptive, Threshold, Top
from retruco.cbr.readable_search import find_similar
from retruco.cbr.similarity import Measure
from retruco.cbr.summary import sum_tallies
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval
from retruco.compiler import fixed_types


def seen(match: Match) -> tuple[Any, ...]:
    return (match.episode, match.question, match.action, match.credit, match.values)


def told(row: Row) -> tuple[Any, ...]:
    return (row.episode, row.question, row.action, row.credit, row.problem.values)


def check(base: CaseBase, rows: list[Row], query: Problem) -> None:
    scenario, scale = base.vocabulary["asked"], base._index("asked").scale
    for mode in MODES:
        expected = find_similar(rows, scenario, query, mode, base.measure)
        retrieval = base.retrieve(query, mode)
        assert [seen(match) for match in retrieval.matches] == [told(row) for _, row in expected], mode
        assert [match.similarity for match in retrieval.matches] == [
            scale.similarity(apart) for apart, _ in expected
        ]
        assert len(retrieval) == len(expected)
        sums = sum_by_key(expected, scale.farthest, base.clustering("asked"))
        assert {(cluster, action): tally for cluster, action, tally in retrieval.summary.items} == sums
        assert retrieval.summary.whole == sum_tallies(sums.values())


@pytest.fixture(autouse=True, scope="module")
def _tidy_often() -> Iterator[None]:
    """Small bases are laid out anew as if they were large ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trie, "SMALL", 2)
        yield


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_mode_agrees_with_the_readable_search_while_rows_come_and_go(data: st.DataObject) -> None:
    scenario = data.draw(scenarios())
    measure = data.draw(st.sampled_from(MEASURES))
    base = CaseBase(Vocabulary("any", 1, (scenario,)), measure)
    if data.draw(st.booleans()):
        base.cluster("asked", clusters())
    rows: list[Row] = []
    queries = st.tuples(*(st.integers(0, len(one.values) - 1) for one in scenario.visible))
    for step in range(3):
        new = data.draw(rows_of(scenario, first_episode=100 * step))
        base.add(new)
        rows += new
        check(base, rows, Problem("asked", data.draw(queries)))
        if rows:
            gone = data.draw(st.sampled_from(sorted({row.episode for row in rows})))
            base.remove(gone)
            rows = [row for row in rows if row.episode != gone]
        if step == 1:
            base.cluster("asked", clusters())
        check(base, rows, Problem("asked", data.draw(queries)))
    assert [told(row) for row in base.rows("asked")] == [told(row) for row in rows]


def answers(base: CaseBase, queries: list[Row]) -> list[Any]:
    return [
        (base.retrieve(row.problem, mode).summary.items, base.retrieve(row.problem, mode).matches)
        for row in queries
        for mode in MODES
    ]


@pytest.mark.slow
def test_a_larger_base_agrees_with_the_readable_search() -> None:
    rows = many_rows(800)
    for measure in MEASURES:
        base = base_of(rows, measure)
        for query in many_rows(2, seed=9):
            check(base, rows, query.problem)


def test_a_case_used_as_a_query_ranks_itself_first_with_similarity_one() -> None:
    rows = many_rows(400)
    base = base_of(rows)
    for row in rows[:50]:
        first = base.retrieve(row.problem, Top()).matches[0]
        assert (first.similarity, first.values) == (1.0, row.problem.values)
        twins = [told(one) for one in rows if one.problem == row.problem]
        assert seen(first) == twins[0]


def test_rows_added_one_by_one_answer_like_rows_added_at_once() -> None:
    rows, queries = many_rows(300), many_rows(8, seed=3)
    piecemeal = base_of([])
    for row in rows:
        piecemeal.add([row])
    assert answers(piecemeal, queries) == answers(base_of(rows), queries)


def test_a_base_that_lost_rows_answers_like_one_that_never_had_them() -> None:
    rows, queries = many_rows(900), many_rows(8, seed=3)
    base = base_of(rows)
    for episode in range(0, 300, 2):
        assert base.remove(episode) == 3
    kept = base_of([row for row in rows if row.episode % 2])
    assert answers(base, queries) == answers(kept, queries)
    assert (len(base), base.episodes(), base.count("asked")) == (450, 150, 450)
    assert base.remove(0) == 0


def test_removing_many_rows_compacts_and_changes_no_answer() -> None:
    rows = many_rows(900)
    base = base_of(rows)
    base.remove(*range(250))
    assert base._index("asked").row_count < 900
    assert answers(base, rows[:5]) == answers(base_of(rows[750:]), rows[:5])


def test_matches_are_those_of_the_moment_of_retrieval() -> None:
    rows, query = many_rows(600), many_rows(1, seed=5)[0].problem
    base = base_of(rows)
    base.cluster("asked", clusters())
    for mode in MODES:
        before = base_of(rows)
        before.cluster("asked", clusters())
        expected = before.retrieve(query, mode).matches
        looked_at_late = base.retrieve(query, mode)
        base.add(many_rows(50, seed=6, first_episode=1000))
        base.remove(*{match.episode for match in expected[:5]})
        base.remove(*range(0, 200, 2))
        base.cluster("asked", None)
        assert looked_at_late.matches == expected
        base = base_of(rows)
        base.cluster("asked", clusters())


def test_a_repeated_query_is_remembered_until_the_base_changes() -> None:
    rows = many_rows(100)
    base = base_of(rows)
    once = base.retrieve(rows[0].problem)
    assert base.retrieve(rows[0].problem) is once
    generation = base.generation
    base.add(many_rows(1, seed=4, first_episode=500))
    assert base.generation > generation
    assert base.retrieve(rows[0].problem) is not once


def test_a_change_of_one_scenario_leaves_the_retrievals_of_another_cached() -> None:
    toss = Scenario("toss", (equal("coin", ("heads", "tails")),), (), ("stay", "go"))
    base = CaseBase(Vocabulary("cards", 1, (CARDS, toss)))
    rows, heads = many_rows(20), toss.problem({"coin": "heads"})
    base.add(rows)
    cards, coin = base.retrieve(rows[0].problem), base.retrieve(heads)
    base.add([Row(heads, "go", 1, (), 500, 0)])
    assert base.retrieve(rows[0].problem) is cards
    assert (len(coin), len(base.retrieve(heads))) == (0, 1)
    assert base.remove(rows[0].episode)
    assert base.retrieve(rows[0].problem) is not cards


@pytest.mark.parametrize("measure", MEASURES)
def test_similar_rows_are_counted_as_they_are_retrieved(measure: Measure) -> None:
    base = base_of(many_rows(900), measure)
    base.remove(*range(0, 300, 7))
    for query in many_rows(20, seed=3):
        for at_least in (0, 0.5, 0.9, Fraction(49, 50), 1):
            for enough in (1, 10, 5000):
                found = base.retrieve(query.problem, Top(enough, at_least))
                assert base.count_similar(query.problem, at_least, enough) == len(found) == len(found.matches)


def test_rows_added_as_columns_are_the_same_rows() -> None:
    rows = many_rows(200)
    base, copy = base_of(rows), base_of([])
    copy.add_columns("asked", *base.columns("asked"))
    assert list(copy.rows("asked")) == list(base.rows("asked")) == rows


def test_the_adaptive_threshold_says_where_it_stopped() -> None:
    rows = many_rows(200)
    base = base_of(rows)
    retrieval = base.retrieve(rows[0].problem, Adaptive())
    least = min(match.similarity for match in retrieval.matches)
    assert retrieval.threshold <= least
    assert round(retrieval.threshold * 100) % 2 == 0
    assert len(base.retrieve(rows[0].problem, Threshold(retrieval.threshold))) == len(retrieval)


def test_two_step_retrieval_searches_the_nearest_group_only() -> None:
    from retruco.cbr.clusters import fit

    chance = np.random.default_rng(2)
    scenario = Scenario("asked", (interval("points", 0, 33), equal("is_mao", (0, 1))), (), ACTIONS)
    base = CaseBase(Vocabulary("any", 1, (scenario,)))
    rows = [
        Row(Problem("asked", (int(points), int(points) % 2)), "low", 1, (), number, 0)
        for number, points in enumerate(chance.integers(0, 34, 300))
    ]
    base.add(rows)
    with pytest.raises(ValueError, match="no index groups"):
        base.retrieve(rows[0].problem, Adaptive(grouped=True))
    groups = fit(base.index_sample("asked", ["points"]), 2)
    base.index("asked", groups)
    base.add([Row(Problem("asked", (16, 0)), "high", 1, (), 900, 0)])
    rows = list(base.rows("asked"))
    for query in (Problem("asked", (16, 1)), Problem("asked", (2, 0)), Problem("asked", (33, 1))):
        here = groups.assign(np.array([[query.values[0]]], float))[0]
        kept = [row for row in rows if groups.assign(np.array([[row.problem.values[0]]], float))[0] == here]
        for mode in (Threshold(0.4, grouped=True), Top(20, 0.2, grouped=True), Adaptive(grouped=True)):
            found = base.retrieve(query, mode)
            expected = [told(row) for _, row in find_similar(kept, scenario, query, mode)]
            assert [seen(match) for match in found.matches] == expected
            assert len(found) == len(expected)


def test_an_empty_base_answers_with_nothing() -> None:
    base = base_of([])
    for mode in MODES:
        retrieval = base.retrieve(Problem("asked", (0, 0, 0, 0, 0)), mode)
        assert (len(retrieval), retrieval.matches, retrieval.summary.items) == (0, (), ())
    assert base.episodes() == 0


def test_a_match_shows_its_parts() -> None:
    rows = many_rows(5)
    match = base_of(rows).retrieve(rows[0].problem, Top(5, 0)).matches[-1]
    assert [part.name for part in match.parts] == ["high", "medium", "low", "is_mao", "winner"]
    assert float(sum(part.similarity for part in match.parts) / 5) == pytest.approx(match.similarity)


def test_wrong_rows_and_problems_are_named_and_nothing_changes() -> None:
    good = many_rows(1)[0]
    base = base_of([good])
    far = Row(Problem("asked", (99, 0, 0, 0, 0)), "low", 0, (0,), 1, 0)
    for wrong, message in (
        (far, "high has no code 99"),
        (Row(good.problem, "fold", 0, (0,), 1, 0), "no action 'fold'"),
        (Row(good.problem, "low", 2**40, (0,), 1, 0), "credit is 1099511627776"),
        (Row(good.problem, "low", 0, (0,), -(2**40), 0), "episode is -1099511627776"),
        (Row(good.problem, "low", 0, (0,), 1, 2**16), "question is 65536"),
        (Row(good.problem, "low", 0, (200,), 1, 0), "has no code 200"),
        (Row(Problem("asked", (-1, 0, 0, 0, 0)), "low", 0, (0,), 1, 0), "high has no code -1"),
        (Row(Problem("nowhere", ()), "low", 0, (), 1, 0), "no scenario 'nowhere'"),
        (Row(good.problem, "low", 0, (), 1, 0), "codes"),
    ):
        with pytest.raises(ValueError, match=message):
            base.add([good, wrong])
        assert len(base) == 1
    with pytest.raises(ValueError, match="no problem of asked"):
        base.retrieve(far.problem)
    with pytest.raises(ValueError, match="clustered by"):
        base.cluster("asked", Clustering(("x",), np.zeros(1), np.ones(1), np.zeros((1, 1))))
    for mode in (Threshold(1.5), Top(0), Adaptive(step=0)):
        with pytest.raises(ValueError, match=r"similarity|k is|step"):
            base.retrieve(good.problem, mode)


def test_a_retrieval_is_plain_data_when_shown() -> None:
    import json

    rows = many_rows(20)
    shown = json.loads(json.dumps(base_of(rows).retrieve(rows[0].problem, Top(2)).as_json()))
    assert shown["similar"][0]["similarity"] == 1.0
    assert shown["query"]["high"] == rows[0].problem.values[0] + 1


def test_a_kernel_with_fixed_types_rejects_an_array_of_another_width() -> None:
    @fixed_types
    @njit
    def first(numbers: Any) -> Any:
        return numbers[0]

    assert first(np.array([7, 8], np.int32)) == 7
    assert first(np.array([9], np.int32)) == 9
    with pytest.raises(TypeError, match="can't unbox array"):
        first(np.array([7, 8], np.int64))
