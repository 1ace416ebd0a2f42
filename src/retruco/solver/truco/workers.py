"""Sampled CFR on several cores: workers learn on their own for a round, then what they learnt is added up.

All begin a round with the same regrets. Of its iterations, worker 0 plays the first, worker 1 the
second, and so on, each with the chance and weight of its number. Within a round a worker does not know what
the others learn, so a round of many iterations costs some of the progress. The same seed,
iterations and number of workers give the same bytes.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.truco.game import Truco
from retruco.solver.truco.infosets import Infosets, find_or_add, grow, has_room_for
from retruco.solver.truco.mccfr import TrucoSolver

SHARE: Final = 50_000
"""How many iterations a worker plays in a round."""

Arrays = dict[str, NDArray[Any]]


class ParallelTrucoSolver(TrucoSolver):
    """Solves Truco with several processes."""

    def __init__(self, game: Truco, level: str, seed: int, workers: int) -> None:
        super().__init__(game, level, seed)
        self.workers = workers
        self.batch = SHARE * workers

    @cached_property
    def pool(self) -> ProcessPoolExecutor:
        """The processes, started when they are first needed; Ctrl-C is for the one that started them."""
        ignore = (signal.SIGINT, signal.SIG_IGN)
        return ProcessPoolExecutor(self.workers, get_context("spawn"), signal.signal, ignore)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, in one round."""
        before = self.arrays()
        tasks = [
            self.pool.submit(
                learn_share,
                (self.game, self.level, self.seed),
                before,
                self.iterations + worker + 1,
                len(range(worker, iterations, self.workers)),
                self.workers,
            )
            for worker in range(self.workers)
        ]
        for task in tasks:
            self.absorb(before, *task.result())
        self.iterations += iterations

    def absorb(self, before: Mapping[str, NDArray[Any]], learnt: Arrays, nodes: int) -> None:
        """Add what a worker has learnt in a round."""
        while not has_room_for(self.infosets, len(learnt["keys"])):
            self.infosets = grow(self.infosets)
        learnt["learnt"][: len(before["learnt"])] -= before["learnt"]
        add_learnt(self.infosets, learnt["keys"], learnt["counts"], learnt["learnt"])
        self.workspace.counters[0] += nodes


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


@compiled_step
def add_learnt(
    infosets: Infosets,
    keys: NDArray[np.int64],
    counts: NDArray[np.int8],
    learnt: NDArray[np.float32],
) -> None:
    """Add regrets and averages, information set by information set."""
    place = 0
    for number in range(len(keys)):
        first = find_or_add(infosets, keys[number], counts[number])
        for action in range(counts[number]):
            infosets.learnt[first + action] += learnt[place]
            place += 1
