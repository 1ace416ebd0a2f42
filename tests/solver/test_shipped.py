"""Solutions that come with the package, how they are made small, and runs that begin with a coarser one."""

import json
from pathlib import Path

import numpy as np
import pytest

from retruco.agents.core import ask_agent
from retruco.agents.registry import check_table, find_agent
from retruco.arena.match import play_match
from retruco.arena.sets import deals_from
from retruco.games.truco import Truco
from retruco.solver.files import read_solution
from retruco.solver.training import read_checkpoint, write_checkpoint
from retruco.solver.truco.match_play import reweigh, weigh_by_chance
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.shipped import shipped_file, shipped_rules
from retruco.solver.truco.small_solution import SMALL_BYTES, write_small
from retruco.solver.truco.values import values_file
from retruco.streams import Stream
from shell import typed

GAME = Truco.named("trucogame")


@pytest.fixture(scope="module")
def coarse() -> TrucoSolver:
    """A short run of the coarsest abstraction."""
    solver = TrucoSolver(GAME, "xs", 1)
    solver.run(3000)
    return solver


@pytest.mark.parametrize("rules", shipped_rules())
def test_a_shipped_solution_is_small_fits_its_rules_and_explains_itself(rules: str) -> None:
    file = shipped_file(rules)
    assert file.stat().st_size <= SMALL_BYTES
    assert values_file(file).stat().st_size <= SMALL_BYTES
    facts, game = read_solution(file).facts, Truco.named(rules)
    assert (facts.rules, facts.target) == (rules, game.target)
    state = game.start(game.deal(Stream("shipped", 1)), game.opening())
    decision = ask_agent(find_agent("solver", "truco"), state.observe(0), Stream(1))
    assert {"mixture", "action_points", "action_chances", "other_hand"} <= {*decision.values}


@pytest.mark.parametrize("rules", shipped_rules())
@pytest.mark.parametrize("target", [6, 40])
def test_solver_plays_matches_to_any_target(rules: str, target: int) -> None:
    game = Truco.named(rules, target)
    seats = [find_agent("solver", "truco"), find_agent("random", "truco")]
    match = play_match(game, seats, deals_from(game, target, 1), 0, 3)
    assert match.forfeit is None, match.forfeit.why


def test_there_is_a_solution_for_the_rules_most_people_play_by() -> None:
    assert "trucogame" in shipped_rules()


def test_rules_without_a_solution_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"solver plays truco by the rules .*trucogame.*, not by truco-mini"):
        check_table("solver", Truco.named("truco-mini"))
    with pytest.raises(ValueError, match="no solution for truco-mini comes with the package"):
        shipped_file("truco-mini")


def test_hands_are_judged_by_the_shipped_solution_if_none_is_named() -> None:
    state = GAME.start(GAME.deal(Stream("judged", 1)), GAME.opening())
    while state.to_act is not None:
        state = state.play(state.legal[0])
    table = typed("analyse", "--table", stdin=json.dumps(state.record()).encode())
    assert b"1 hands" in table.stdout, table.stderr.decode()


@pytest.mark.slow
def test_a_small_file_keeps_what_the_strategy_gets_to(coarse: TrucoSolver, tmp_path: Path) -> None:
    whole, small = tmp_path / "whole.solution", tmp_path / "small.solution"
    sets = write_small(whole, coarse.solution())
    assert sets == coarse.infoset_count
    most = whole.stat().st_size // 3
    assert write_small(small, coarse.solution(), most, hands=20_000) < sets
    assert small.stat().st_size <= most
    first = [GAME.start(GAME.deal(Stream(number)), GAME.opening()).observe(0) for number in range(50)]
    known, kept = (find_agent(f"solver:{file}", "truco") for file in (whole, small))
    alike = [ask_agent(agent, seen, Stream(1)).action for agent in (known, kept) for seen in first]
    assert np.mean([a == b for a, b in zip(alike[:50], alike[50:], strict=True)]) > 0.7


@pytest.mark.slow
def test_a_small_file_plays_the_coarse_solution_where_it_leaves_out_a_finer_one(
    coarse: TrucoSolver, tmp_path: Path
) -> None:
    fine, file, beside = TrucoSolver(GAME, "s", 1), tmp_path / "fine.solution", tmp_path / "coarse.solution"
    fine.run(300)
    write_small(beside, coarse.solution())
    write_small(file, fine.solution())
    most = beside.stat().st_size + file.stat().st_size // 2
    kept = write_small(file, fine.solution(), min(most, file.stat().st_size - 1), 500, coarse.solution())
    assert 0 < kept < fine.infoset_count
    small, other = (find_agent(f"solver:{name}", "truco") for name in (file, beside))
    seen = [GAME.start(GAME.deal(Stream(number)), GAME.opening()).observe(0) for number in range(50)]
    mixtures = [
        [ask_agent(agent, one, Stream(1)).values["mixture"] for one in seen] for agent in (small, other)
    ]
    alike = [mine == theirs for mine, theirs in zip(*mixtures, strict=True)]
    assert any(alike)
    assert not all(alike)
    with pytest.raises(ValueError, match="the coarse solution alone takes"):
        write_small(file, fine.solution(), 1000, 500, coarse.solution())


def distance(finer: TrucoSolver, coarse: TrucoSolver) -> float:
    """How far two strategies differ where both levels have the same key, as at the beginning of a hand."""
    mine, other = finer.solution().policy, coarse.solution().policy
    keys, at, there = np.intersect1d(mine.key, other.key, return_indices=True)
    assert len(keys) > 50
    differences = [
        abs(mine.probability[mine.first[a]] - other.probability[other.first[b]])
        for a, b in zip(at, there, strict=True)
    ]
    return float(np.mean(differences))


def test_a_finer_run_begins_with_what_a_coarser_one_has_learnt(coarse: TrucoSolver) -> None:
    fresh, started = TrucoSolver(GAME, "s", 1), TrucoSolver(GAME, "s", 1)
    started.begin_with(coarse)
    for solver in (fresh, started):
        solver.run(200)
    assert distance(started, coarse) < distance(fresh, coarse) / 3
    with pytest.raises(ValueError, match="xs can begin with xs only"):
        coarse.begin_with(coarse)


def test_a_resumed_run_still_knows_what_it_began_with(coarse: TrucoSolver, tmp_path: Path) -> None:
    whole, resumed = TrucoSolver(GAME, "s", 1), TrucoSolver(GAME, "s", 1)
    whole.begin_with(coarse)
    whole.run(40)
    write_checkpoint(tmp_path / "x.checkpoint", whole)
    read_checkpoint(tmp_path / "x.checkpoint", resumed)
    for solver in (whole, resumed):
        solver.run(40)
    for name, array in whole.arrays().items():
        assert (array == resumed.arrays()[name]).all()


def test_near_the_end_what_costs_the_match_is_not_played() -> None:
    mixture, weights = np.array([0.5, 0.3, 0.2]), np.zeros(3)
    weigh_by_chance(np.array([0.2, 0.6, 0.55]), 3, weights)
    reweigh(mixture, weights, 3)
    assert mixture == pytest.approx((0, 0.75, 0.25))
    alone = np.array([1.0, 0, 0])
    weigh_by_chance(np.array([0.0, 1, 0]), 3, weights)
    reweigh(alone, weights, 3)
    assert alone.tolist() == [0, 1, 0]
