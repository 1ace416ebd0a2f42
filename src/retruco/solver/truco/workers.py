"""Sampled CFR on several cores: workers learn on their own for a round, then what they learnt is added up.

All begin a round with the same regrets. Of its iterations, worker 0 plays the first, worker 1 the
second, and so on, each with the chance and weight of its number. Within a round a worker does not know what
the others learn, so a round of many iterations costs some of the progress. The same seed,
iterations and number of workers give the same bytes. `merging_seconds` is what is left of the time of
all rounds without the learning of the slowest worker: sending, waiting and adding up.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_loop
from retruco.games.truco.game import Truco
from retruco.solver.truco.infosets import AVERAGE, REGRET, Infosets, find_or_add, grow, has_room_for
from retruco.solver.truco.mccfr import TrucoSolver

SHARES: Final = {"xs": 200_000, "s": 800_000, "m": 2_000_000}
"""By abstraction: how many iterations a worker plays in a round, so that adding up takes a small part of the time."""

Arrays = dict[str, NDArray[Any]]


class Task(Protocol):
    """What a worker is doing."""

    def result(self) -> Any:
        """Wait for it."""


class Pool(Protocol):
    """Workers, in processes of this machine or elsewhere."""

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Task:
        """Have a worker call a function."""


class ParallelTrucoSolver(TrucoSolver):
    """Solves Truco with several workers: processes, unless another pool is given."""

    def __init__(
        self,
        game: Truco,
        level: str,
        seed: int,
        workers: int,
        make_pool: Callable[[int], Pool] | None = None,
    ) -> None:
        super().__init__(game, level, seed)
        self.workers = workers
        self.make_pool = make_pool or start_processes
        self.batch = SHARES[level] * workers

    @cached_property
    def pool(self) -> Pool:
        """The workers, started when they are first needed."""
        return self.make_pool(self.workers)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, in one round."""
        before, begin = self.arrays(), monotonic()
        tasks = [
            self.pool.submit(
                time_share,
                (self.game, self.level, self.seed),
                before,
                self.iterations + worker + 1,
                len(range(worker, iterations, self.workers)),
                self.workers,
            )
            for worker in range(self.workers)
        ]
        shares: list[TimedShare] = [task.result() for task in tasks]
        for share in shares:
            self.absorb(before, writable(share.learnt), share.nodes)
        self.iterations += iterations
        self.merging_seconds += monotonic() - begin - max(share.seconds for share in shares)

    def absorb(self, before: Mapping[str, NDArray[Any]], learnt: Arrays, nodes: int) -> None:
        """Add what a worker has learnt in a round."""
        while not has_room_for(self.infosets.sets, len(learnt["keys"])):
            self.infosets = grow(self.infosets)
        learnt["learnt"][: len(before["learnt"])] -= before["learnt"]
        add_learnt(self.infosets, learnt["keys"], learnt["counts"], learnt["learnt"])
        self.workspace.counters[0] += nodes


def start_processes(workers: int) -> ProcessPoolExecutor:
    """Start processes on this machine; Ctrl-C is for the one that started them."""
    ignore = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignore)


def writable(arrays: Arrays) -> Arrays:
    """Arrays that may be changed; what comes from another machine may not."""
    return {name: np.require(array, requirements="W") for name, array in arrays.items()}


class TimedShare(NamedTuple):
    """What a worker has learnt, how many nodes it visited, and how long it learnt."""

    learnt: Arrays
    nodes: int
    seconds: float


def time_share(
    table: tuple[Truco, str, int],
    before: Mapping[str, NDArray[Any]],
    first: int,
    iterations: int,
    stride: int,
) -> TimedShare:
    """Play a worker's share of a round, and take the time."""
    begin = monotonic()
    return TimedShare(*learn_share(table, before, first, iterations, stride), monotonic() - begin)


def learn_share(
    table: tuple[Truco, str, int],
    before: Mapping[str, NDArray[Any]],
    first: int,
    iterations: int,
    stride: int,
) -> tuple[Arrays, int]:
    """Play a worker's share of a round; return all that it then knows, and how many nodes it visited."""
    solver = TrucoSolver(*table)
    solver.restore(before, first - stride)
    solver.run_share(iterations, stride)
    return solver.arrays(), solver.nodes


@compiled_loop
def add_learnt(
    infosets: Infosets,
    keys: NDArray[np.int64],
    counts: NDArray[np.int8],
    learnt: NDArray[np.float32],
) -> None:
    """Add regrets and averages, information set by information set."""
    place = 0
    for number in range(len(keys)):
        first = find_or_add(infosets.sets, keys[number], counts[number])
        for action in range(counts[number]):
            infosets.learnt[first + action, REGRET] += learnt[place, REGRET]
            infosets.learnt[first + action, AVERAGE] += learnt[place, AVERAGE]
            place += 1
