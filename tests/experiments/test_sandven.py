"""Sandven and Tessem (2006) run anew: sums that must hold, and the report."""

import json
from pathlib import Path

import pytest

from retruco.arena.blocks import Task
from retruco.arena.page import as_html, as_markdown
from retruco.cli.report import write_index
from retruco.experiments.casey_training import Bunch, Learning
from retruco.experiments.sandven2006 import EXPERIMENT, LATE, SAID, judged, learnings, summary_of, won
from retruco.experiments.study import Study


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
    ("result", "points", "verdict"),
    [
        ("profit", (4, 5, 4, 5), "confirmed"),
        ("loss", (4, 5, 4, 5), "contradicted"),
        ("level", (4, 5, 4, 5), "contradicted"),
        ("level", (4, -4, 4, -4), "not refuted"),
        ("profit", (4, -4, 4, -4), "open"),
        ("loss", (-4, -5, -4, -5), "confirmed"),
    ],
)
def test_a_published_statement_is_held_against_what_the_phases_brought(
    result: str, points: tuple[int, ...], verdict: str
) -> None:
    claim = {"said": "x", "from": 2, "to": 3, "result": result}
    other = bunch(-90, 90, -80, 80)
    assert judged(claim, [other, bunch(*points), bunch(*points), other, other])["verdict"] == verdict
    assert judged(claim, [other, bunch(*points)])["verdict"] == "too few hands"


def test_a_statement_on_progress_compares_two_phases() -> None:
    claim = {"said": "x", "from": 5, "to": 5, "since": 3, "result": "profit"}
    some = [bunch(0, 0), bunch(0, 0), bunch(-5, -4, -5, -4), bunch(0, 0), bunch(-1, 0, -1, 0)]
    found = judged(claim, some)
    assert found["verdict"] == "confirmed"
    assert found["mbb"] == pytest.approx(2000)


def test_the_plan_is_the_published_one() -> None:
    study = Study(1, quick=False, folder=Path("nowhere"))
    main = learnings(study)[:3]
    assert [(one.rules, one.others, one.hands) for one in main] == [
        ("casey-4", ("rulebot",) * 3, 50_000),
        ("casey-6", ("rulebot",) * 5, 50_000),
        ("casey-8", ("rulebot",) * 7, 50_000),
    ]
    assert LATE == 20_000


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    """The results of a sitting of a few hands, as if every sitting had gone so."""
    work = Learning("3 random", "casey-4", "casey", ("random",) * 3, 100, 1)
    played = work.play(Task(work.blocks()[0]), post=None, tell=lambda share: None)  # type: ignore[arg-type]  # a sitting posts nothing
    assert played.scores == work.play(Task(work.blocks()[0]), None, lambda share: None).scores  # type: ignore[arg-type]  # the same
    one = summary_of(work, work.found([played.scores]))
    names = [work.name for work in learnings(Study(1, quick=True, folder=Path("nowhere")))]
    return {
        "hands": 100,
        "sittings": dict.fromkeys(names, one),
        "judged": [judged(claim, work.found([played.scores])) for claim in SAID["claims"]],
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
    "retruco": "0",
    "commit": None,
    "python": "3",
}


def test_an_index_tells_how_many_statements_it_confirms(results: dict[str, object], tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "results.json").write_text(json.dumps({"experiment": "sandven2006", **results}))
    (run / "manifest.json").write_text(json.dumps(MANIFEST))
    write_index(str(tmp_path))
    assert (
        f"Of {len(SAID['claims'])} published statements ours confirms" in (tmp_path / "index.md").read_text()
    )


def test_the_report_shows_every_part(results: dict[str, object]) -> None:
    page = EXPERIMENT.page(results, MANIFEST)
    text = as_markdown(page)
    for part in ("Running result", "Phase by phase", "Fluctuation", "How Casey plays", "Learning curves"):
        assert part in text
    assert "84.6 %" in text  # showdowns won or split, as published
    assert "<svg" in as_html(page)
