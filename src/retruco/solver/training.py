"""Solving as a run: as many iterations or minutes as asked for, with checkpoints, to be resumed after any stop.

At every checkpoint the strategy plays against that of the last one. How exploitable it is takes minutes to
measure at Truco, so it is measured only when that takes at most a tenth of the time; small games are
measured exactly, and at once. The checkpoint holds the whole curve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from retruco.games.core import Game
from retruco.games.truco.game import Truco
from retruco.solver.cfr import TreeSolver
from retruco.solver.curve import CurvePoint, read_curve, write_curve
from retruco.solver.estimates import Estimate
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
from retruco.solver.truco.workers import ParallelTrucoSolver, Pool

CHECKPOINT_SECONDS: Final = 120.0
FIRST_CHECKPOINT: Final = 10.0
"""The first checkpoint is saved after so many seconds; then the time doubles, up to two minutes."""
REPORT_SECONDS: Final = 10.0
GROWTH: Final = 1.3
"""Games that are measured at once also have a checkpoint whenever the iterations have grown so much."""
MEASURING_SHARE: Final = 0.1
"""The most of its time that a run spends on measuring exploitability."""
FIRST_MEASURING_SECONDS: Final = 60.0
"""How long the first measurement at Truco is taken to last."""


class Measured(Protocol):
    """How exploitable a strategy is; the margin of an exact figure is 0."""

    @property
    def mean(self) -> float: ...
    @property
    def margin(self) -> float: ...


class Solver(Protocol):
    """What solves a game, step by step."""

    iterations: int

    @property
    def batch(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def facts(self) -> SolutionFacts: ...
    @property
    def infoset_count(self) -> int: ...
    @property
    def merging_seconds(self) -> float: ...
    def run(self, iterations: int) -> None: ...
    def solution(self) -> Solution: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None: ...
    def describe(self) -> str: ...
    def measure(self, policy: Policy, hands: int) -> Measured: ...
    def compare(self, policy: Policy, older: Policy) -> Estimate: ...


def solver_for(
    game: Game,
    abstraction: str | None,
    seed: int,
    workers: int = 1,
    make_pool: Callable[[int], Pool] | None = None,
) -> Solver:
    """The solver of a game: Truco within an abstraction, games that list their deals exactly.

    Several workers are processes, unless there is something else that makes a pool of them.
    """
    if isinstance(game, Truco) and game.rules.is_full_size:
        level = abstraction or LEVELS[0]
        if workers == 1 and make_pool is None:
            return TrucoSolver(game, level, seed)
        return ParallelTrucoSolver(game, level, seed, workers, make_pool=make_pool)
    if abstraction not in (None, EXACT):
        raise ValueError(f"{name_of(game)} is solved exactly, without the abstraction {abstraction!r}")
    if make_pool is not None:
        raise ValueError(f"{name_of(game)} is solved on this machine only: leave --on out")
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


class Recorder:
    """Learns, and draws the curve meanwhile."""

    def __init__(self, solver: Solver, hands: int = 0, curve: Sequence[CurvePoint] = ()) -> None:
        self.solver, self.hands, self.curve = solver, hands, list(curve)
        self.seconds = curve[-1].seconds if curve else 0.0
        self.merged_before = curve[-1].merging if curve else 0.0
        self.measured_at = max((point.seconds for point in curve if point.exploitability), default=0.0)
        self.measuring_seconds = 0.0 if solver.is_exact else FIRST_MEASURING_SECONDS
        self.last_policy = solver.solution().policy if solver.iterations else None

    def learn(self, iterations: int) -> None:
        """Go on for so many iterations."""
        begin = monotonic()
        self.solver.run(iterations)
        self.seconds += monotonic() - begin

    def is_due(self) -> bool:
        """Whether it is time for a checkpoint."""
        iterations, seconds = (self.curve[-1].iterations, self.curve[-1].seconds) if self.curve else (0, 0.0)
        if self.solver.is_exact and self.solver.iterations >= GROWTH * iterations:
            return True
        pause = min(CHECKPOINT_SECONDS, max(FIRST_CHECKPOINT, self.seconds / 2))
        return self.seconds - seconds >= pause

    def add_point(self) -> CurvePoint:
        """Measure how far the solver is."""
        policy = self.solver.solution().policy
        strength = None if self.last_policy is None else self.solver.compare(policy, self.last_policy)
        self.last_policy = policy
        point = CurvePoint(
            iterations=self.solver.iterations,
            seconds=round(self.seconds, 3),
            infosets=self.solver.infoset_count,
            strength=strength,
            exploitability=self._measure(policy),
            merging=round(self.merged_before + self.solver.merging_seconds, 3),
        )
        self.curve.append(point)
        return point

    def _measure(self, policy: Policy) -> Estimate | None:
        """Measure exploitability, unless that takes too much of the time."""
        passed = self.seconds - self.measured_at
        if not self.solver.is_exact and (
            not self.hands or MEASURING_SHARE * passed < (1 - MEASURING_SHARE) * self.measuring_seconds
        ):
            return None
        begin = monotonic()
        found = self.solver.measure(policy, self.hands)
        self.measuring_seconds, self.measured_at = monotonic() - begin, self.seconds
        return Estimate(found.mean, found.margin)

    def add_exploitability(self, found: Measured) -> None:
        """Enter a measurement of the strategy as it is now."""
        self.curve[-1] = replace(self.curve[-1], exploitability=Estimate(found.mean, found.margin))

    def save(self, file: Path) -> None:
        """Write a checkpoint."""
        write_checkpoint(file, self.solver, self.curve)


def run_solver(
    recorder: Recorder,
    limits: Limits,
    checkpoint: Path,
    report: Callable[[Solver, float, CurvePoint | None], None],
    check_interrupt: Callable[[], None] = lambda: None,
) -> None:
    """Solve until a limit is reached; save a checkpoint every two minutes, more often at first, and at the end.

    `check_interrupt` is called between batches; if it raises `KeyboardInterrupt`, a checkpoint is saved first.
    """
    solver = recorder.solver
    begin = last_report = monotonic()
    while batch := limits.left(solver, monotonic() - begin):
        recorder.learn(batch)
        try:
            check_interrupt()
        except KeyboardInterrupt:
            recorder.save(checkpoint)
            raise
        is_last = not limits.left(solver, monotonic() - begin)
        point = recorder.add_point() if is_last or recorder.is_due() else None
        if point is not None:
            recorder.save(checkpoint)
        if is_last or monotonic() - last_report >= REPORT_SECONDS:
            report(solver, recorder.seconds, point)
            last_report = monotonic()


def write_checkpoint(file: Path, solver: Solver, curve: Sequence[CurvePoint] = ()) -> None:
    """Write down all that has been learnt, and the curve."""
    facts = {**asdict(solver.facts), "curve": write_curve(curve)}
    write_file(file, CHECKPOINT, facts, pack_arrays(solver.arrays()))


def read_checkpoint(file: Path, solver: Solver) -> list[CurvePoint]:
    """Go on from a checkpoint and return its curve; refuse one of another game, seed or abstraction."""
    facts, body = read_file(file, CHECKPOINT, "a checkpoint")
    try:
        curve = read_curve(facts.pop("curve", []))
        stored = SolutionFacts(**facts)
        stored.check(
            file, **{name: value for name, value in asdict(solver.facts).items() if name != "iterations"}
        )
        solver.restore(unpack_arrays(body), stored.iterations)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file} is no checkpoint that this version reads: {error}") from None
    return curve
