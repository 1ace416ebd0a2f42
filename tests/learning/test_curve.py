"""Learning curves: measured at marks, kept in a folder, drawn; looking changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from bases import some_cases

from retruco.arena.pool import pool_for
from retruco.cbr.casebase import CaseBase
from retruco.games.truco import Truco
from retruco.learning.checkpoints import Memory
from retruco.learning.curve import Curve, draw, read_points, table
from retruco.learning.learners import plan_for
from retruco.learning.loop import LearningLoop
from retruco.learning.starting import in_memory

GAME = Truco.named("trucogame")


@pytest.fixture(name="some_cases")
def fixture_some_cases() -> CaseBase:
    return some_cases()


def learner(cases: CaseBase) -> tuple[LearningLoop, Memory]:
    sink = Memory()
    return in_memory(plan_for("BOT1", first=100), GAME, cases, 150, sink=sink), sink


@pytest.mark.slow
def test_a_curve_begins_at_zero_against_itself_and_changes_nothing(
    tmp_path: Path, some_cases: CaseBase
) -> None:
    watched, pages = learner(some_cases)
    curve = Curve(watched, tmp_path / "curve", pairs=2, opponents=("itself", "random"))
    watched.run(matches=4, after=curve.marks(4, None, 2))
    alone, plain = learner(some_cases)
    alone.run(matches=4)
    assert [page.retained for page in pages.checkpoints] == [page.retained for page in plain.checkpoints]
    assert [one.match for one in curve.points] == [0, 0, 2, 2, 4, 4]
    first = curve.points[0]
    assert first.opponent == "BOT1 at the start"
    assert (first.points_per_hand, first.win_rate) == (0.0, 0.5)
    assert read_points(tmp_path / "curve" / "curve.json") == curve.points


@pytest.mark.slow
def test_a_curve_measured_in_blocks_elsewhere_is_the_same(tmp_path: Path, some_cases: CaseBase) -> None:
    one, _ = learner(some_cases)
    here = Curve(one, tmp_path / "here", 7, ("itself", "random"))
    there = Curve(one, tmp_path / "there", 7, ("itself", "random"), spread=pool_for("local", 2))
    for curve in (here, there):
        curve.measure()
    assert here.file.read_bytes() == there.file.read_bytes()


def test_marks_that_were_measured_are_not_measured_again(tmp_path: Path, some_cases: CaseBase) -> None:
    one, _ = learner(some_cases)
    one.run(matches=2, after=Curve(one, tmp_path, 1, ("itself", "random")).marks(4, None, 2))
    again = Curve(one, tmp_path, 1, ("itself", "random"))
    one.run(matches=4, after=again.marks(4, None, 2))
    assert [point.match for point in again.points] == [0, 0, 2, 2, 4, 4]


def test_a_curve_is_a_table_and_a_picture_of_the_same_bytes(tmp_path: Path, some_cases: CaseBase) -> None:
    one, _ = learner(some_cases)
    curve = Curve(one, tmp_path, 1, ("itself", "random"))
    curve.measure()
    assert table(curve.points).count("\n") == 2
    for name in ("a.svg", "b.svg"):
        draw({"BOT1": curve.points}, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "<svg" in (tmp_path / "a.svg").read_text()
