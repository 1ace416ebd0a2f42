"""Sandven and Tessem (2006) run anew: sums that must hold, and the report."""

import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from retruco.arena.blocks import NO_POST, Task
from retruco.arena.page import as_html, as_markdown
from retruco.cli.report import write_index
from retruco.experiments.casey_readings import (
    ENOUGH_RUNS,
    TABLES,
    all_runs,
    between_runs,
    claim_result,
    judge_reading,
    reading_results,
    summarise_runs,
    with_verdicts,
)
from retruco.experiments.casey_training import Bunch, Learning
from retruco.experiments.sandven2006 import EXPERIMENT, LATE, learnings, summary_of, won, works
from retruco.experiments.starting_hands import GROUPS, starting_counts, starting_results
from retruco.experiments.study import Study
from retruco.games.holdem import Holdem, HoldemState
from retruco.learning.holdem.training import LEARNER, HoldemTraining, casey_loop, points_of
from retruco.learning.training import GameTraining
from retruco.streams import Stream
from retruco.vocab.holdem import VOCABULARY


def bunch(*points: int) -> dict[str, object]:
    some = Bunch()
    for one in points:
        some.add(one, unknown=1, plans=2)
    return some.as_json(cases=len(points))


def test_a_bunch_keeps_the_highest_and_lowest_running_result() -> None:
    kept = bunch(5, -9, 2, 8)
    assert (kept["points"], kept["highest"], kept["lowest"], kept["hands"]) == (6, 6, -4, 4)


def test_results_are_told_in_thousandths_of_a_big_blind_with_an_interval() -> None:
    found = won([bunch(4, 0), bunch(-2, 2)], big_blind=2)
    assert found["mbb"] == 500
    low, high = found["ci95"]
    assert low < 500 < high


@pytest.mark.parametrize(
    ("result", "runs", "verdict"),
    [
        ("profit", (40, 50, 40, 50, 45), "confirmed"),
        ("loss", (40, 50, 40, 50, 45), "contradicted"),
        ("level", (40, 50, 40, 50, 45), "contradicted"),
        ("level", (40, -40, 40, -40, 5), "not refuted"),
        ("profit", (40, -40, 40, -40, 5), "open"),
        ("loss", (-40, -50, -40, -50, -45), "confirmed"),
    ],
)
def test_a_published_statement_is_held_against_what_the_runs_brought(
    result: str, runs: tuple[float, ...], verdict: str
) -> None:
    claim = {"from": 2, "to": 2, "result": result}
    phases = [between_runs([-900.0] * 5), between_runs(runs)]

    def judge(phases: list[dict[str, Any]], can_judge: bool, others: int = 0) -> str:
        unclear = {"result": "profit", "mbb": 1.0, "p": 0.9}
        found = [{"result": result, **claim_result(claim, phases)}, *[unclear] * others]
        verdict: str = with_verdicts(found, can_judge)[0]["verdict"]
        return verdict

    assert judge(phases, can_judge=True) == verdict
    assert judge(phases, can_judge=False) == "not judged"
    assert judge(phases[:1], can_judge=True) == "not judged"
    # Among two thousand statements chance alone shows such a thing now and then.
    assert judge(phases, can_judge=True, others=2000) in ("open", "not refuted")


def test_a_statement_on_progress_compares_two_phases_run_by_run() -> None:
    claim = {"from": 2, "to": 2, "since": 1, "result": "profit"}
    phases = [between_runs([-500.0, 0.0, 400.0]), between_runs([-490.0, 12.0, 409.0])]
    found = claim_result(claim, phases)
    assert found["p"] < 0.05
    assert found["mbb"] == pytest.approx(31 / 3)


def test_runs_that_differ_widen_the_interval_however_many_hands_they_have() -> None:
    alike = [[bunch(4, 0) for _ in range(5)] for _ in range(3)]
    apart = [[bunch(4 + 10 * run, 10 * run) for _ in range(5)] for run in (-1, 0, 1)]
    calm, wild = (summarise_runs(runs, "casey-4", LATE)["late"] for runs in (alike, apart))
    assert calm["mbb"] == wild["mbb"] == 1000
    assert calm["ci95"] == (1000, 1000)
    assert wild["ci95"][0] < 0


def test_too_few_or_too_short_runs_and_quick_looks_judge_nothing() -> None:
    runs = {}
    for quick, count, hands, expected in (
        (True, None, None, False),
        (False, 4, None, False),
        (False, 5, 10_000, False),
        (False, ENOUGH_RUNS, None, True),
    ):
        study = Study(1, quick, Path("nowhere"), runs=count, hands=hands, readings=("casey-sunk",))
        found = {work.name: [bunch(-3, 1)] * 5 for work in all_runs(study)}
        verdicts = {claim["verdict"] for claim in reading_results(study, found, LATE)["judged"]["casey-sunk"]}
        assert (verdicts != {"not judged"}) == expected, (quick, count, hands)
        runs[count] = len(all_runs(study))
    assert runs[4] == 4 * (len(TABLES) + 10)  # with ten ablations
    assert runs[None] == 2 * len(TABLES)


def test_every_reading_writes_its_choices_into_the_results() -> None:
    study = Study(1, quick=True, folder=Path("nowhere"), readings=("casey", "casey-newest-sunk"))
    found = {work.name: [bunch(-3, 1)] * 5 for work in all_runs(study)}
    results = reading_results(study, found, LATE)
    assert results["choices"]["casey"]["ties"] == "oldest"
    assert results["choices"]["casey-newest-sunk"] == {
        "ties": "newest", "blinds": "sunk", "search": "generalised", "neighbours": "100@0.95", "prior": 0,
    }  # fmt: skip


def test_an_ablation_changes_the_weight_of_the_hand_or_what_is_retained() -> None:
    heavy = Learning("casey-4", "casey", ("random",) * 3, 10, 1, hand_weight=20).sitting()
    plain = Learning("casey-4", "casey", ("random",) * 3, 10, 1).sitting()
    weights = [sitting.cases._index("preflop").scale for sitting in (heavy, plain)]
    assert weights[0].farthest != weights[1].farthest
    lazy = Learning("casey-4", "casey", ("random",) * 3, 60, 1, keeps_folds=False).sitting()
    for _ in lazy.hands(60, seed=1):
        pass
    assert "FOLD" not in {row.action for row in lazy.cases.rows("preflop")}


def test_starting_hands_are_assessed_by_how_many_are_better() -> None:
    dealt = Counter[str]()
    game = Holdem.named("casey-4")
    for number in range(40):
        state = game.begin(game.deal(Stream("start", number)), number % 4)
        while state.outcome is None:
            state = state.play("call" if "call" in state.legal else "check")
        hole, entered = state.deal.hands[0], game.behaviour(state, 0)["entered"]
        assert hole is not None
        dealt.update(starting_counts(hole, 3, bool(entered), state.outcome.points[0]))
    assert sum(dealt[f"dealt: {group}"] for group in GROUPS) == 40
    found = starting_results([{"starting": dealt}], big_blind=2)
    entries = sum(dealt[f"entered: {group}"] for group in GROUPS)
    assert entries == 30, "who always calls enters every hand but those of the big blind, ten of forty"
    points = sum(dealt[f"points: {group}"] for group in GROUPS)
    assert points == pytest.approx(
        sum((row["mbb"] or 0) * (row["entered"] or 0) * (row["dealt"] or 0) for row in found.values()) / 500
    )


def test_the_plan_is_the_published_one() -> None:
    study = Study(1, quick=False, folder=Path("nowhere"))
    main = list(learnings(study).values())[:3]
    assert [(one.rules, one.others, one.hands) for one in main] == [
        ("casey-4", ("rulebot",) * 3, 50_000),
        ("casey-6", ("rulebot",) * 5, 50_000),
        ("casey-8", ("rulebot",) * 7, 50_000),
    ]
    assert LATE == 20_000


def test_a_learning_run_that_serves_several_tables_is_made_once() -> None:
    study = Study(1, quick=False, folder=Path("nowhere"), runs=5)
    runs = works(study, {})
    assert len({run.name for run in runs}) == len(runs)
    assert {run.name for run in runs} == {run.name for run in [*learnings(study).values(), *all_runs(study)]}
    # 3 readings at 7 tables, 7 ablations that are no reading, 3 sittings that are neither.
    assert len(runs) == 5 * (3 * 7 + 7) + 3


@pytest.mark.parametrize(
    ("rules", "learner", "others"),
    [
        ("casey-4", "casey", ("rulebot", "simplebot", "always-raise")),
        ("casey-4", "casey-newest-sunk", ("random",) * 3),
        ("casey-8", "casey-odds", ("simplebot",) * 7),
        ("acpc-2", "casey-best-match", ("always-call",)),
        ("casey-paper-3", "casey-reads", ("always-raise", "random")),
    ],
)
def test_a_sitting_goes_as_at_a_readable_table(
    rules: str, learner: str, others: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hand by hand: points, cases with what they asked and earned, plans at random; and all that was counted."""
    monkeypatch.setattr(HoldemTraining, "match", GameTraining.match)
    game, sitting = Holdem.named(rules), Learning(rules, learner, others, 250, 7).sitting()
    loop = casey_loop(game, learner, others, 7)
    learners, opponents = Counter[str](), Counter[str]()
    for one, other in zip(sitting.hands(250, seed=7), loop.hands(250), strict=True):
        assert isinstance(other.end, HoldemState)
        told = [dict(experience.record()) for experience in other.retained]
        assert told == ([sitting.notes(0).record(sitting.end())] if one.plans else [])
        assert (one.points, one.unknown) == (points_of(other), other.notes[LEARNER].unknown)
        learners.update(game.behaviour(other.end, LEARNER))
        for seat in range(LEARNER + 1, game.seats):
            opponents.update(game.behaviour(other.end, seat))
    assert sitting.take_counts() == (learners, opponents)
    for scenario in VOCABULARY.scenarios:
        assert list(sitting.cases.rows(scenario.name)) == list(loop.cases.rows(scenario.name))


def test_the_loop_goes_alike_at_a_compiled_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hands, what is noted of them, and how often each case was used."""

    def learn() -> tuple[object, ...]:
        game, others = Holdem.named("casey-4", target=15), ["rulebot", "random", "simplebot"]
        loop = casey_loop(game, "casey", others, 3)
        hands = [
            (hand.end, hand.notes, [dict(one.record()) for one in hand.retained]) for hand in loop.hands(40)
        ]
        return hands, loop.uses, loop.standing

    compiled = learn()
    monkeypatch.setattr(HoldemTraining, "match", GameTraining.match)
    assert compiled == learn()


def test_who_goes_by_no_rule_cannot_sit_at_a_compiled_table() -> None:
    with pytest.raises(
        ValueError, match=r"only rulebot, .* and random can sit here, not all of casey, rulebot"
    ):
        Learning("casey-3", "casey", ("casey", "rulebot"), 10, 1).sitting()


def scores_of(work: Learning) -> Any:
    """Play a whole sitting."""
    return work.play(Task(tuple(work.blocks())), NO_POST, lambda share: None)[0].scores


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    """The results of a sitting of a few hands, as if every sitting had gone so."""
    work = Learning("casey-4", "casey", ("random",) * 3, 100, 1)
    played = scores_of(work)
    assert played == scores_of(work)
    one = summary_of(work, work.found([played]))
    study = Study(1, quick=True, folder=Path("nowhere"))
    names = list(learnings(study))
    found = {run.name: played for run in all_runs(study)}
    readings = reading_results(study, found, LATE)
    return {
        "hands": 100,
        "sittings": dict.fromkeys(names, one),
        "readings": readings,
        "judged": readings["judged"]["casey"],
        "cases": None,
        "quick": True,
        "seed": 1,
        "game": "holdem",
        "rules": "casey-4",
        "target": 100,
        "version": 1,
    }


MANIFEST = {
    "seconds": 1.0,
    "processor_seconds": 1.0,
    "workers": 1,
    "finished": "2026-01-01",
    "retruco": version("retruco"),
    "settings": {},
    "commit": None,
    "python": "3",
}


def test_an_index_tells_how_many_statements_it_confirms(results: dict[str, object], tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "results.json").write_text(json.dumps({"experiment": "sandven2006", **results}))
    (run / "manifest.json").write_text(json.dumps(MANIFEST))
    write_index(str(tmp_path))
    judged = len(judge_reading(results["readings"]["tables"]["casey"], False))  # type: ignore[index]  # plain data
    assert f"Of {judged} published statements ours confirms" in (tmp_path / "index.md").read_text()


def test_the_report_shows_every_part(results: dict[str, object]) -> None:
    page = EXPERIMENT.page(results, MANIFEST)
    text = as_markdown(page)
    for part in ("Readings of the paper side by side", "7 simplebots", "What each reading confirms"):
        assert part in text
    assert "best 10 %" in text
    for part in ("Running result", "Phase by phase", "Fluctuation", "How Casey plays", "Learning curves"):
        assert part in text
    assert "84.6 %" in text  # showdowns won or split, as published
    assert "<svg" in as_html(page)


def test_a_report_of_an_earlier_version_stays_as_it_is(results: dict[str, object], tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "results.json").write_text(json.dumps({"experiment": "sandven2006", "sittings": {}}))
    (run / "manifest.json").write_text(json.dumps({**MANIFEST, "retruco": "0.1.0"}))
    (run / "report.md").write_text("as it was")
    write_index(str(tmp_path))
    assert (run / "report.md").read_text() == "as it was"
    assert "stays as Retruco 0.1.0 wrote it" in (tmp_path / "index.md").read_text()
