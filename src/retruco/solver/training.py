"""Solving as a run: as many iterations or minutes as asked for, with checkpoints, to be resumed after any stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from retruco.games.core import Game
from retruco.games.truco.game import Truco
from retruco.solver.cfr import TreeSolver
from retruco.solver.files import (
    CHECKPOINT,
    EXACT,
    Solution,
    SolutionFacts,
    pack_arrays,
    read_file,
    unpack_arrays,
    write_file,
)
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import LEVELS
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.workers import ParallelTrucoSolver

CHECKPOINT_SECONDS: Final = 120.0
REPORT_SECONDS: Final = 10.0


class Solver(Protocol):
    """What solves a game, step by step."""

    iterations: int

    @property
    def batch(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def facts(self) -> SolutionFacts: ...
    def run(self, iterations: int) -> None: ...
    def solution(self) -> Solution: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None: ...
    def describe(self) -> str: ...
    def measure(self, policy: Policy, hands: int) -> str: ...


def solver_for(game: Game, abstraction: str | None, seed: int, workers: int = 1) -> Solver:
    """The solver of a game: Truco within an abstraction, games that list their deals exactly."""
    if isinstance(game, Truco) and game.rules.is_full_size:
        level = abstraction or LEVELS[0]
        if workers == 1:
            return TrucoSolver(game, level, seed)
        return ParallelTrucoSolver(game, level, seed, workers)
    if abstraction not in (None, EXACT):
        raise ValueError(f"{name_of(game)} is solved exactly, without the abstraction {abstraction!r}")
    if workers != 1:
        raise ValueError(f"{name_of(game)} is solved by one worker, not {workers}")
    return TreeSolver(game)


def name_of(game: Game) -> str:
    """The name of a game, with its rules where only some of them are meant."""
    return f"{game.name} by {game.rules_name}" if isinstance(game, Truco) else game.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to stop: after so many iterations in all, or so many seconds of this run."""

    iterations: int | None = None
    seconds: float | None = None

    def left(self, solver: Solver, elapsed: float) -> int:
        """How many iterations to play before looking again; 0 at the end."""
        if self.seconds is not None and elapsed >= self.seconds:
            return 0
        if self.iterations is None:
            return solver.batch
        return max(0, min(solver.batch, self.iterations - solver.iterations))


def run_solver(
    solver: Solver,
    limits: Limits,
    checkpoint: Path,
    report: Callable[[Solver, float], None],
    check_interrupt: Callable[[], None] = lambda: None,
) -> None:
    """Solve until a limit is reached; save a checkpoint every two minutes, and at the end.

    `check_interrupt` is called between batches; if it raises `KeyboardInterrupt`, a checkpoint is saved first.
    """
    begin = last_save = last_report = monotonic()
    while batch := limits.left(solver, monotonic() - begin):
        solver.run(batch)
        try:
            check_interrupt()
        except KeyboardInterrupt:
            write_checkpoint(checkpoint, solver)
            raise
        now = monotonic()
        if now - last_report >= REPORT_SECONDS:
            report(solver, now - begin)
            last_report = now
        if now - last_save >= CHECKPOINT_SECONDS:
            write_checkpoint(checkpoint, solver)
            last_save = now
    write_checkpoint(checkpoint, solver)
    report(solver, monotonic() - begin)


def write_checkpoint(file: Path, solver: Solver) -> None:
    """Write down all that has been learnt."""
    write_file(file, CHECKPOINT, asdict(solver.facts), pack_arrays(solver.arrays()))


def read_checkpoint(file: Path, solver: Solver) -> None:
    """Go on from a checkpoint; refuse one of another game, seed or abstraction."""
    facts, body = read_file(file, CHECKPOINT, "a checkpoint")
    try:
        stored = SolutionFacts(**facts)
    except TypeError as error:
        raise ValueError(f"{file} is no checkpoint that this version reads: {error}") from None
    wanted = {name: value for name, value in asdict(solver.facts).items() if name != "iterations"}
    stored.check(file, **wanted)
    solver.restore(unpack_arrays(body), stored.iterations)
