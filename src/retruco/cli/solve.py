"""`retruco solve`: check the options, solve, write the solution."""

from __future__ import annotations

import sys
from pathlib import Path

from retruco.cli.commands.solving import SolveOptions
from retruco.cli.entrants import find_table, workers_or_all
from retruco.cli.interrupts import NOTHING_KEPT, if_interrupted
from retruco.cli.learn import interrupt_between_matches
from retruco.solver.files import read_solution, write_solution
from retruco.solver.training import Limits, Solver, read_checkpoint, run_solver, solver_for


def run_solve(options: SolveOptions) -> None:
    """Solve a game; after Ctrl-C the last checkpoint is there."""
    limits = find_limits(options)
    out, checkpoint = find_files(options)
    game = find_table(options.game, options.rules, options.target)
    solver = solver_for(game, options.abstraction, options.seed, workers_or_all(options.workers))
    if options.resume:
        read_checkpoint(checkpoint, solver)
    with if_interrupted(lambda: describe_checkpoint(checkpoint)):
        with interrupt_between_matches() as check_interrupt:
            run_solver(solver, limits, checkpoint, print_progress, check_interrupt)
        write_solution(out, solver.solution())
    facts, size = solver.facts, out.stat().st_size
    print(f"{out}: {facts.game} by {facts.rules} to {facts.target}, {size:,} bytes")
    if options.hands or solver.is_exact:
        print(f"exploitability {solver.measure(read_solution(out).policy, options.hands)}")


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
    if options.hands < 0 or options.hands == 1:
        raise ValueError(f"--hands must be 0 or at least 2, not {options.hands}")
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
        if file.exists() and not options.resume:
            raise ValueError(f"{file} is there already: go on with --resume, or remove it")
    return out, checkpoint


def print_progress(solver: Solver, seconds: float) -> None:
    """A line on stderr: how far it is."""
    print(f"retruco: {solver.iterations:,} iterations, {seconds:.0f} s: {solver.describe()}", file=sys.stderr)
