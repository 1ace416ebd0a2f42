"""`retruco solve`: check the options, solve, write the solution and the report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from retruco.agents.solver import open_solution
from retruco.arena.pool import LOCAL, cluster_address
from retruco.cli.commands.solving import SolveOptions
from retruco.cli.entrants import find_table, workers_or_all
from retruco.cli.interrupts import NOTHING_KEPT, if_interrupted
from retruco.cli.learn import interrupt_between_matches
from retruco.cli.solve_report import write_report
from retruco.games.truco.game import Truco
from retruco.solver.curve import CurvePoint
from retruco.solver.files import read_solution, write_solution
from retruco.solver.training import Limits, Recorder, Solver, read_checkpoint, run_solver, solver_for
from retruco.solver.truco.abstraction import LEVELS
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.values import DEALS, value_solution
from retruco.solver.truco.workers import Pool


def run_solve(options: SolveOptions) -> None:
    """Solve a game; after Ctrl-C the last checkpoint is there."""
    limits = find_limits(options)
    out, checkpoint = find_files(options)
    recorder = Recorder(*find_solver(options, checkpoint))
    with if_interrupted(lambda: describe_checkpoint(checkpoint)):
        with interrupt_between_matches() as check_interrupt:
            run_solver(recorder, limits, checkpoint, print_progress, check_interrupt)
        write_solution(out, recorder.solver.solution())
    print_solution(recorder.solver, out)
    if options.hands or recorder.solver.is_exact:
        measure_solution(recorder, out, checkpoint, options.hands)
    if options.report is not None:
        write_report(Path(options.report), recorder, out, options)


def run_values(name: str, deals: int | None, seed: int) -> None:
    """Make the values of a solution of Truco, beside it."""
    if deals is not None and deals < 1:
        raise ValueError(f"--deals must be at least 1, not {deals}")
    open_solution(name).facts.check(name, game=Truco.name)
    file = value_solution(Path(name), deals or DEALS, seed=seed)
    print(f"{file}: {file.stat().st_size:,} bytes")


def find_solver(options: SolveOptions, checkpoint: Path) -> tuple[Solver, int, list[CurvePoint]]:
    """The solver, how it is measured, and the curve so far."""
    game = find_table(options.game, options.rules, options.target)
    workers = workers_or_all(options.workers)
    solver = solver_for(game, options.abstraction, options.seed, workers, pool_maker(options.on))
    if options.start is not None:
        begin_with(solver, Path(options.start), options.resume)
    curve = read_checkpoint(checkpoint, solver) if options.resume else []
    return solver, options.measure, curve


def begin_with(solver: Solver, checkpoint: Path, resume: bool) -> None:
    """Begin with what a coarser run of the same table has learnt."""
    if resume:
        raise ValueError("--start is for a new run: a checkpoint to resume from holds what it began with")
    if not isinstance(solver, TrucoSolver):
        raise ValueError(f"--start is for Truco: {solver.facts.game} has one abstraction only")
    if not checkpoint.is_file():
        raise ValueError(f"there is no checkpoint {checkpoint} to start with")
    coarser = TrucoSolver(solver.game, LEVELS[0], solver.seed)
    read_checkpoint(checkpoint, coarser)
    solver.begin_with(coarser)


def pool_maker(on: str) -> Callable[[int], Pool] | None:
    """What makes a pool of workers elsewhere; nothing for this machine."""
    if on == LOCAL:
        return None
    address = cluster_address(on)
    from retruco.arena.cluster import RayPool, find_ray  # an extra that few need

    find_ray()
    return partial(RayPool, address=address)


def print_solution(solver: Solver, out: Path) -> None:
    """Say what was written."""
    facts, size = solver.facts, out.stat().st_size
    print(f"{out}: {facts.game} by {facts.rules} to {facts.target}, {size:,} bytes")


def measure_solution(recorder: Recorder, out: Path, checkpoint: Path, hands: int) -> None:
    """Measure the solution as it was written, and enter that in the curve."""
    found = recorder.solver.measure(read_solution(out).policy, hands)
    print(f"exploitability {found}")
    if recorder.curve:
        recorder.add_exploitability(found)
        recorder.save(checkpoint)


def describe_checkpoint(checkpoint: Path) -> str:
    """Say what is there after an interrupt."""
    return f"{checkpoint} is there: go on with --resume" if checkpoint.exists() else NOTHING_KEPT


def find_limits(options: SolveOptions) -> Limits:
    """When to stop; refuse numbers that cannot be, and a run without an end."""
    for name in ("iterations", "minutes"):
        value = getattr(options, name)
        if value is not None and not value > 0:
            raise ValueError(f"--{name} must be above 0, not {value}")
    if options.iterations is None and options.minutes is None:
        raise ValueError("say when to stop: --iterations or --minutes")
    for name in ("hands", "measure"):
        value = getattr(options, name)
        if value < 0 or value == 1:
            raise ValueError(f"--{name} must be 0 or at least 2, not {value}")
    return Limits(
        iterations=options.iterations,
        seconds=None if options.minutes is None else 60 * options.minutes,
    )


def find_files(options: SolveOptions) -> tuple[Path, Path]:
    """The solution and its checkpoint; refuse to begin anew where something lies already."""
    out = Path(options.out)
    checkpoint = out.with_name(out.name + ".checkpoint")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent} for {out.name}")
    if options.resume and not checkpoint.exists():
        raise ValueError(f"there is no checkpoint {checkpoint} to resume from")
    for file in (checkpoint, out):
        if file.is_dir():
            raise ValueError(f"{file} is a folder, not a file")
        if file.exists() and not options.resume:
            raise ValueError(f"{file} is there already: go on with --resume, or remove it")
    if options.report is not None and Path(options.report).is_file():
        raise ValueError(f"{options.report} is a file, and the report needs a folder")
    return out, checkpoint


def print_progress(solver: Solver, seconds: float, point: CurvePoint | None) -> None:
    """A line on stderr: how far it is, and at a checkpoint how strong."""
    how_far = point or solver.describe()
    print(f"retruco: {solver.iterations:,} iterations, {seconds:.0f} s: {how_far}", file=sys.stderr)
