"""Learners: what they keep, what they take out, and that all of it can be repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from bases import some_cases

from retruco.cbr.case import Problem, Row, Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import ReclusterSchedule
from retruco.cbr.maintenance import list_episodes
from retruco.cbr.modes import Adaptive, Threshold, Top
from retruco.cbr.retain import STRATEGIES, Episode
from retruco.games.records import replay
from retruco.games.truco import Truco, has_flor
from retruco.games.truco.state import STAGES
from retruco.learning.checkpoints import Checkpoint, Memory
from retruco.learning.learners import PLANS, Plan, plan_for
from retruco.learning.loop import LearningLoop
from retruco.learning.reclustering import Elbow, Groups
from retruco.learning.starting import clusters_of, first_cases, in_memory
from retruco.learning.truco.dealing import RARE, guided_deals
from retruco.vocab.truco import VOCABULARY, rows
from retruco.vocab.truco.questions import stage_of
from retruco.vocab.truco.rows import entry_stage

GAME = Truco.named("trucogame")
FEW = ("PVCNPS", "NPS", "PLCNPS")


@pytest.fixture(name="some_cases")
def fixture_some_cases() -> CaseBase:
    return some_cases()


@cache
def some_elbows() -> Mapping[str, Elbow]:
    """The clusters of the small base, made once."""
    return clusters_of(first_cases(some_cases(), None))


def learner(cases: CaseBase, plan: Plan, hands: int = 150) -> tuple[LearningLoop, Memory]:
    sink = Memory()
    elbows = None if plan.staged else dict(some_elbows())
    return in_memory(plan, GAME, cases, hands, elbows, sink), sink


def small(name: str, **changes: object) -> Plan:
    given = {"policies": FEW, **changes} if name == "imitation" else {"first": 100, **changes}
    return plan_for(name, **given)


def contents(cases: CaseBase) -> dict[str, list[object]]:
    return {one.name: list(cases.rows(one.name)) for one in VOCABULARY.scenarios}


@pytest.mark.parametrize("name", [name for name, plan in PLANS.items() if plan.vocabulary is None])
def test_every_plan_learns_by_its_strategy_and_leaves_the_start_alone(
    name: str, some_cases: CaseBase
) -> None:
    before = contents(some_cases)
    one, sink = learner(some_cases, small(name))
    one.run(matches=3)
    assert [page.match for page in sink.checkpoints] == [0, 1, 2]
    assert contents(some_cases) == before
    if PLANS[name].strategy == "never":
        assert not any(page.retained or page.removed for page in sink.checkpoints)
    if one.frozen is not None and PLANS[name].staged:
        assert len(one.frozen) == len(first_cases(some_cases, 100))


def rebuilt(cases: CaseBase, plan: Plan, pages: list[Checkpoint]) -> CaseBase:
    """The base again, from the start and the pages alone, as a store would."""
    fresh, _ = learner(cases, plan)
    for page in pages:
        for number, kept in enumerate(page.retained, page.first):
            fresh.cases.add(rows(kept.record, kept.seat, number))
        fresh.cases.remove(*page.removed)
    return fresh.cases


@pytest.mark.parametrize("name", ["BOT1", "BOT2", "BOT4", "BOT5", "imitation"])
def test_the_pages_rebuild_the_base_row_by_row(name: str, some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small(name))
    one.run(matches=4)
    assert sum(len(page.retained) for page in sink.checkpoints) == one.standing.kept > 0
    assert contents(rebuilt(some_cases, small(name), sink.checkpoints)) == contents(one.cases)


def test_an_entry_holds_the_rows_of_its_stage_only(some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small("BOT4"))
    one.run(matches=5)
    stages: Counter[str] = Counter()
    for page in sink.checkpoints:
        for number, (record, seat, origin) in enumerate(page.retained, page.first):
            stage = entry_stage(record)
            assert stage is not None
            assert stage in STAGES
            assert origin == "played"
            found = rows(record, seat, number)
            assert found
            assert {stage_of(row.problem.scenario) for row in found} == {stage}
            stages[stage] += 1
    assert set(stages) == set(STAGES) or "flor" not in stages
    living = Counter(dict.fromkeys(STAGES, 100)) + stages
    assert sum(one.standing.cases.values()) == living.total() - one.standing.replaced


def test_what_is_kept_as_new_had_a_question_with_fewer_than_ten_cases(some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small("BOT1"))
    twin, _ = learner(some_cases, small("BOT1"))
    one.run(matches=4)
    kept = dropped = 0
    for page in sink.checkpoints:
        for number, (record, seat, _) in enumerate(page.retained, page.first):
            found = rows(record, seat, number)
            nearest = [len(twin.cases.retrieve(row.problem, Top(10, 0.9))) for row in found]
            assert min(nearest) < 10
            twin.cases.add(found)
            kept += 1
    dropped = one.standing.hands * 3 - kept
    assert kept > 0
    assert dropped > 0


def test_substitution_takes_out_only_worse_cases_of_the_same_stage(some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small("BOT2"))
    one.run(matches=6)
    twin, _ = learner(some_cases, small("BOT2"))
    credit = {row.episode: row.credit for name in contents(twin.cases) for row in twin.cases.rows(name)}
    for page in sink.checkpoints:
        for number, kept in enumerate(page.retained, page.first):
            credit.update({row.episode: row.credit for row in rows(kept.record, kept.seat, number)})
    removed = [number for page in sink.checkpoints for number in page.removed]
    assert len(removed) == len(set(removed)) == one.standing.replaced > 0
    best = max(credit.values())
    assert all(credit[number] < best for number in removed)


def test_substitution_one_by_one_never_shrinks_a_base(some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small("BOT2", strategy="substitution-one"))
    before = sum(one.standing.cases.values())
    one.run(matches=3)
    assert one.standing.replaced > 0
    assert sum(one.standing.cases.values()) >= before
    assert all(len(page.removed) <= len(page.retained) for page in sink.checkpoints)


@pytest.mark.slow
def test_the_same_plan_gives_the_same_pages_and_another_seed_others(some_cases: CaseBase) -> None:
    def kept(seed: int) -> list[object]:
        one, sink = learner(some_cases, small("imitation", seed=seed))
        one.run(matches=3)
        return [kept for page in sink.checkpoints for kept in page.retained]

    assert kept(1) == kept(1)
    assert kept(1) != kept(2)


def test_imitation_draws_its_players_from_the_policies_and_keeps_one_side(some_cases: CaseBase) -> None:
    one, sink = learner(some_cases, small("imitation"))
    one.run(matches=8)
    seats = [{kept.seat for kept in page.retained} for page in sink.checkpoints]
    assert all(len(some) <= 1 for some in seats)
    assert set().union(*seats) == {0, 1}
    assert {kept.origin for page in sink.checkpoints for kept in page.retained} == {"imitated"}


def test_a_run_needs_an_end_and_stops_at_so_many_cases(some_cases: CaseBase) -> None:
    one, _ = learner(some_cases, small("imitation"))
    with pytest.raises(ValueError, match="needs an end"):
        one.run()
    one.run(until=170)
    assert sum(one.standing.cases.values()) >= 170


@pytest.mark.parametrize("name", ["BOT1", "imitation"])
def test_cases_that_decided_are_counted(some_cases: CaseBase, name: str) -> None:
    one, sink = learner(some_cases, small(name))
    one.run(matches=2)
    uses: Counter[int] = Counter()
    for page in sink.checkpoints:
        uses.update(page.uses)
    assert uses.total() > one.standing.hands
    assert max(uses) < one.next_number


def test_of_all_above_a_threshold_the_nearest_ten_are_counted(some_cases: CaseBase) -> None:
    one, _ = learner(some_cases, small("imitation"))
    scenario = some_cases.vocabulary["truco-1-first"]
    row = next(iter(one.cases.rows(scenario.name)))
    found = one.cases.retrieve(row.problem, Threshold(0.5))
    assert len(found) > 10
    assert one._nearest(found).episodes == found.episodes[:10]


def test_the_episodes_of_a_retrieval_are_those_of_its_matches(some_cases: CaseBase) -> None:
    for row in list(some_cases.rows("truco-1-first"))[:20]:
        for mode in (Top(10, 0.9), Adaptive()):
            found = some_cases.retrieve(row.problem, mode)
            assert list(found.episodes) == [match.episode for match in found.matches]


def test_episodes_that_came_out_of_order_are_removed_all_the_same(some_cases: CaseBase) -> None:
    for turned in (False, True):
        cases, found = CaseBase(VOCABULARY), list(some_cases.rows("card-1-lead"))
        cases.add(found[::-1] if turned else found)
        gone = found[7].episode
        assert cases.remove(gone) == sum(row.episode == gone for row in found)
        assert gone not in {row.episode for row in cases.rows("card-1-lead")}
        assert cases.count("card-1-lead") == sum(row.episode != gone for row in found)


# Guided dealing


@pytest.mark.parametrize("name", RARE)
def test_a_rare_situation_is_dealt_every_so_many_hands_and_repeatably(name: str) -> None:
    deals = guided_deals(GAME, 1, 2, (name,), every=3)
    again = guided_deals(GAME, 1, 2, (name,), every=3)
    for number in range(9):
        assert deals(number) == again(number)
        if number % 3 == 2:
            assert RARE[name](deals(number))


def test_several_rare_situations_take_turns() -> None:
    deals = guided_deals(GAME, 4, 0, ("flor-flor", "high-high"), every=1)
    assert all(map(has_flor, deals(0).hands))
    assert RARE["high-high"](deals(1))
    assert RARE["flor-flor"](deals(2))


def test_dealing_for_flor_fills_the_flor_base(some_cases: CaseBase) -> None:
    plain, _ = learner(some_cases, small("BOT1"))
    guided, sink = learner(some_cases, small("BOT1", rare=("flor-flor",), every=2))
    plain.run(matches=4)
    guided.run(matches=4)
    assert guided.standing.cases["flor"] > plain.standing.cases["flor"]
    assert "one hand in 2 dealt for flor-flor" in guided.plan.sentence
    assert all(replay(kept.record).outcome for page in sink.checkpoints for kept in page.retained)


# Clusters


def test_clusters_are_looked_at_as_the_base_grows_and_made_anew_after_three_looks(
    some_cases: CaseBase,
) -> None:
    cases = first_cases(some_cases, None)
    elbows = clusters_of(cases)
    name = "truco-1-first"
    groups = Groups.begin(cases, elbows)
    found = groups.groups[name]
    k = found.clustering.k
    wrong = replace(found.watch, k=k + 1, rows=0)
    groups.groups[name] = replace(found, watch=wrong)
    reviews = []
    for _ in range(3):
        groups.groups[name] = replace(groups.groups[name], watch=replace(groups.groups[name].watch, rows=0))
        reviews += [review for review in groups.review() if review.scenario == name]
    assert [review.anew for review in reviews] == [False, False, True]
    made = cases.clustering(name)
    assert made is not None
    assert made.generation == found.clustering.generation + 1
    assert made.k == reviews[-1].k == k


def test_a_watch_is_plain_data_that_can_go_on() -> None:
    watch = ReclusterSchedule(4, 1000, candidate=5, seen=2)
    from dataclasses import asdict

    assert ReclusterSchedule(**asdict(watch)) == watch


def test_an_expert_s_hand_is_kept_until_the_base_knows_its_decisions_and_answers() -> None:
    problem, cases = Problem("flor", (38, 1, 0, 0, 0)), CaseBase(VOCABULARY)
    judge = STRATEGIES["expert"]
    episode = Episode((problem,), 3, answers=("flor",))
    assert judge(episode, cases).why == "only 0 similar"
    cases.add([Row(problem, "flor", 3, (), number, 0) for number in range(24)])
    assert judge(episode, cases) == Verdict(False, "known")
    assert judge(Episode((problem,), 3, answers=("none",)), cases) == Verdict(True, "never none")


def test_every_strategy_judges_an_unknown_problem(some_cases: CaseBase) -> None:
    problem = Problem("flor", (38, 1, 0, 0, 0))
    for name, strategy in STRATEGIES.items():
        verdict = strategy(Episode((problem,), 3, shown=1, answers=("flor",)), some_cases)
        assert verdict.keep == (name != "never")
        assert verdict.why


@pytest.mark.parametrize("forget", ["use", "competence", "harm"])
def test_a_base_with_a_limit_forgets_and_stays_within_it(forget: str, some_cases: CaseBase) -> None:
    """Stages are counted apart, and entries of other stages than the new one may go."""
    one, sink = learner(some_cases, small("BOT1", limit=190, forget=forget))
    one.run(matches=4)
    removed = [number for page in sink.checkpoints for number in page.removed]
    assert len(removed) == len(set(removed)) == one.standing.replaced > 0
    assert one.cases.episodes() <= 190
    found = Counter(
        stage_of(one.cases.scenario_of(episode) or "") for episode in list_episodes(one.cases).tolist()
    )
    entries = Counter({stage: count for stage, count in one.standing.cases.items() if count})
    assert found["truco"] <= entries["truco"]
    assert sum(entries.values()) - found.total() == 300 - some_entries(some_cases)


def some_entries(cases: CaseBase) -> int:
    """How many entries with rows the first hundred hands make."""
    first = first_cases(cases, 100)
    names = [scenario.name for scenario in VOCABULARY.scenarios]
    return len({(row.episode, stage_of(name)) for name in names for row in first.rows(name)})
