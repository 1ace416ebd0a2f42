"""Many questions at once, against the readable search and a sum row by row."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from random_bases import ACTIONS, CARDS, MODES, clusters, many_rows, sum_by_key

from retruco.cbr import memo
from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering, fit
from retruco.cbr.modes import Adaptive, Threshold, Top
from retruco.cbr.queries import QuestionInWords, encode_queries
from retruco.cbr.readable_search import find_similar
from retruco.cbr.summary import CaseTally, sum_tallies
from retruco.cbr.tallies import Items, Tallies
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval

SomeMode = Threshold | Top | Adaptive
ADAPTED: list[dict[str, str]] = [{}, {"high": "low"}, {"high": "medium", "low": "medium"}]
BID = Scenario(
    "bid", (interval("points", 0, 33), equal("is_mao", (0, 1))), (), ("pass", "call", "raise", "flor")
)
WORDS = Vocabulary("cards", 1, (CARDS, BID))


def bids(count: int, first_episode: int = 0) -> list[Row]:
    chance = np.random.default_rng(count)
    return [
        Row(
            Problem("bid", (points, points % 2)),
            BID.actions[points % 4],
            points % 5 - 2,
            (),
            first_episode + number,
            0,
        )
        for number, points in enumerate(chance.integers(0, 34, count).tolist())
    ]


def base_with_bids(rows: list[Row]) -> CaseBase:
    base = CaseBase(WORDS)
    base.add(rows + bids(150, first_episode=5000))
    return base


def some_questions(count: int, seed: int = 1) -> list[QuestionInWords]:
    """Questions of both scenarios, some of them asked twice."""
    chance = np.random.default_rng(seed)
    problems = [row.problem for row in many_rows(count, seed) + bids(count)]
    questions: list[QuestionInWords] = []
    for place in chance.integers(0, len(problems), 2 * count).tolist():
        actions = WORDS[problems[place].scenario].actions
        given = [action for action in actions if chance.random() < 0.7]
        counts_as = ADAPTED[int(chance.integers(3))] if actions == ACTIONS else {}
        questions.append((problems[place], given, counts_as))
    return questions


def item(items: Items, *place: int) -> CaseTally:
    return CaseTally(*(column[place].item() for column in items))


def check(base: CaseBase, questions: list[QuestionInWords], tallies: Tallies, mode: SomeMode) -> None:
    """Compare each question with what the readable search finds, summed up row by row."""
    assert len(tallies) == len(questions)
    by_action, by_cluster = tallies.by_action(), tallies.by_cluster()
    chosen = by_cluster.rows.argmax(axis=1)
    in_cluster = tallies.in_cluster(chosen).by_action()
    rows = {scenario.name: list(base.rows(scenario.name)) for scenario in WORDS.scenarios}
    for i, (problem, given, counts_as) in enumerate(questions):
        name, actions = problem.scenario, WORDS[problem.scenario].actions
        found = find_similar(rows[name], WORDS[name], problem, mode)
        sums = sum_by_key(found, base._index(name).scale.farthest, base.clustering(name))
        assert tallies.rows[i] == len(found)
        assert item(tallies.whole, i) == sum_tallies(sums.values())
        usable = [
            (cluster, label, tally)
            for (cluster, action), tally in sums.items()
            if (label := counts_as.get(action, action)) in given
        ]
        for place, action in enumerate(actions):
            some = [(cluster, tally) for cluster, label, tally in usable if label == action]
            assert item(by_action, i, place) == sum_tallies(tally for _, tally in some)
            assert item(in_cluster, i, place) == sum_tallies(t for c, t in some if c == chosen[i])
        for number in range(tallies.clusters):
            assert item(by_cluster, i, number) == sum_tallies(t for c, _, t in usable if c == number)


@pytest.mark.parametrize("mode", MODES)
def test_tallies_of_many_questions_while_the_base_changes(mode: SomeMode) -> None:
    base, questions = base_with_bids(many_rows(300)), some_questions(15)
    queries = encode_queries(WORDS, questions)
    check(base, questions, base.look_up(queries, mode), mode)
    check(base, questions, base.look_up(queries, mode), mode)
    base.add(many_rows(30, seed=5, first_episode=1000))
    check(base, questions, base.look_up(queries, mode), mode)
    base.cluster("asked", clusters())
    check(base, questions, base.look_up(queries, mode), mode)
    base.remove(*range(0, 100, 3), 5007)
    check(base, questions, base.look_up(queries, mode), mode)


def test_questions_about_the_nearest_index_group() -> None:
    base = base_with_bids(many_rows(50))
    groups = fit(base.index_sample("bid", ["points"]), 3)
    base.index("bid", groups)
    questions: list[QuestionInWords] = [(row.problem, BID.actions, {}) for row in bids(40)]
    for mode in (Threshold(0.4, grouped=True), Top(20, 0.2, grouped=True), Adaptive(grouped=True)):
        tallies = base.look_up(encode_queries(WORDS, questions), mode)
        for i, (problem, _, _) in enumerate(questions):
            kept = [
                row for row in base.rows("bid") if group_of(groups, row.problem) == group_of(groups, problem)
            ]
            assert (
                tallies.rows[i]
                == len(find_similar(kept, BID, problem, mode))
                == len(base.retrieve(problem, mode))
            )


def group_of(groups: Clustering, problem: Problem) -> int:
    return int(groups.assign(np.array([[problem.values[0]]], float))[0])


def searches(base: CaseBase) -> int:
    """How many results the memo holds."""
    return int(base._memo.arrays.results.used[0])


def test_an_equal_query_is_searched_once_until_its_scenario_changes() -> None:
    base, questions = base_with_bids(many_rows(100)), some_questions(20)
    distinct = {name: {p for p, _, _ in questions if p.scenario == name} for name in ("asked", "bid")}
    queries = encode_queries(WORDS, questions)
    base.look_up(queries)
    assert searches(base) == sum(map(len, distinct.values())) < len(questions)
    base.look_up(queries.select(np.arange(5)))
    base.look_up(queries, Adaptive())
    assert searches(base) == sum(map(len, distinct.values()))
    base.add(many_rows(1, seed=3, first_episode=900))
    before = searches(base)
    base.look_up(queries)
    assert searches(base) == before + len(distinct["asked"])
    base.look_up(queries, Threshold(0.75))
    assert searches(base) == before + len(distinct["asked"]) + sum(map(len, distinct.values()))
    base.clear_cache()
    assert searches(base) == 0


def test_a_memo_grows_and_drops_what_is_old_while_tallies_keep_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base, questions, mode = base_with_bids(many_rows(200)), some_questions(30), Top(20, 0.3)
    base._memo = memo.Memo(WORDS.most_features, results=4)
    queries = encode_queries(WORDS, questions)
    before, expected = base.look_up(queries, mode), base_with_bids(many_rows(200)).look_up(queries, mode)
    assert searches(base) > 8
    most = 0
    for number in range(30):
        base.add([*many_rows(1, seed=number, first_episode=6000 + number), *bids(1, 7000 + number)])
        check(base, questions[:4], base.look_up(queries.select(np.arange(4)), mode), mode)
        most = max(most, searches(base))
    assert most < 100
    monkeypatch.setattr(memo, "MOST_BYTES", 0)
    for start in range(0, 60, 5):
        some = np.arange(start, start + 5)
        check(base, questions[start : start + 5], base.look_up(queries.select(some), mode), mode)
    assert searches(base) < 60
    for mine, other in zip(before.by_action(), expected.by_action(), strict=True):
        assert (mine == other).all()


def test_queries_that_do_not_exist_are_refused() -> None:
    base = base_with_bids(many_rows(20))
    queries = encode_queries(WORDS, some_questions(3))
    with pytest.raises(ValueError, match="2 scenarios"):
        base.look_up(queries._replace(scenario=np.full_like(queries.scenario, 2)))
    with pytest.raises(ValueError, match="no problem of"):
        base.look_up(queries._replace(codes=np.full_like(queries.codes, 99)))
    with pytest.raises(ValueError, match="features"):
        base.look_up(queries._replace(codes=queries.codes[:, :2]))
    assert not len(base.look_up(queries.select(np.zeros(6, bool))))


def test_no_case_and_no_available_answer_leave_zeros() -> None:
    question: QuestionInWords = (many_rows(1)[0].problem, (), {})
    for base in (CaseBase(WORDS), base_with_bids(many_rows(20))):
        tallies = base.look_up(encode_queries(WORDS, [question]), Threshold(0))
        assert tallies.rows.tolist() == [base.count("asked")]
        assert not tallies.by_action().rows.any()
        assert not tallies.by_cluster().rows.any()


def test_threads_look_up_while_a_base_learns() -> None:
    base, questions = base_with_bids(many_rows(200)), some_questions(40)
    queries, stop = encode_queries(WORDS, questions), threading.Event()

    def look() -> int:
        count = 0
        while not stop.is_set():
            count += int(base.look_up(queries, Threshold(0)).rows.min() >= 150)
        return count

    with ThreadPoolExecutor() as pool:
        counts = [pool.submit(look) for _ in range(3)]
        for number in range(200):
            base.add(many_rows(1, seed=number, first_episode=6000 + number))
        stop.set()
    assert all(count.result() for count in counts)
    check(base, questions, base.look_up(queries), Adaptive())
