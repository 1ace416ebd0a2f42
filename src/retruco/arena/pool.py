"""Every core: tasks of blocks played by worker processes that may die, hang or be killed.

Workers are forked, so the players and their case bases are shared, read-only, without a copy. A
worker tells through a little shared memory which decision it is at. When it dies, its block is
played again by another; a decision that was running at three deaths forfeits, and one that takes
longer than the move time has its worker killed and forfeits at once, so no block is tried for ever.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from typing import Final, TypeAlias

from retruco.arena.blocks import Block, Moment, Played, Post, Task
from retruco.arena.match import Fault
from retruco.damage import DamagedFile

Play: TypeAlias = Callable[[Task, Post], Sequence[Played]]
Spread: TypeAlias = Callable[
    [Play, Iterable[Task], float | None], Generator[tuple[Block, Played], None, None]
]
"""Has tasks played, each decision within so many seconds, and hands their blocks over as they are finished."""

STRIKES: Final = 3
"""So many workers may die at one decision, or in one block outside any decision."""
GRACE: Final = 0.1
"""Seconds that a worker has, past the move time, to notice by itself."""
LOOK: Final = 0.05
"""Seconds between two looks at the clocks of the workers."""

ASIDE: Final = 0.5
"""Seconds between two turns to something else, where there is something else to do."""


def cores() -> int:
    """How many cores this process may use.

    >>> cores() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


LOCAL, RAY = "local", "ray"


def pool_for(on: str, workers: int) -> Spread:
    """Choose where blocks are played: by workers on this machine, or on a Ray cluster.

    >>> pool_for("the moon", 2)
    Traceback (most recent call last):
    ...
    ValueError: unknown place 'the moon': one of local, ray, ray://HOST:PORT
    """
    if on == LOCAL:
        return lambda play, tasks, move_time: run_tasks(play, tasks, workers, move_time)
    address = cluster_address(on)
    from retruco.arena.cluster import find_ray, run_on_ray  # an extra that few need

    find_ray()
    return partial(run_on_ray, address=address, workers=workers)


def cluster_address(on: str) -> str | None:
    """The address of a Ray cluster that a user names; none for `ray`, which finds or starts one.

    >>> cluster_address("ray"), cluster_address("ray://10.0.0.1:10001")
    (None, 'ray://10.0.0.1:10001')
    """
    if on != RAY and not on.startswith(f"{RAY}://"):
        raise ValueError(f"unknown place {on!r}: one of {LOCAL}, {RAY}, {RAY}://HOST:PORT")
    return None if on == RAY else on


class SharedPost(Post):
    """A post in shared memory: when the running decision began, and which one it is."""

    def __init__(self) -> None:
        self._cells = RawArray("d", 6)

    def begin(self, moment: Moment) -> None:
        """Write the decision down, its beginning last, so that a reader sees all or nothing."""
        cells = self._cells
        cells[1], cells[2], cells[3] = moment.number, moment.match, moment.hand
        cells[4], cells[5] = moment.decision, moment.seat
        cells[0] = time.monotonic()

    def end(self) -> None:
        """Nothing is being decided."""
        self._cells[0] = 0.0

    def running(self) -> tuple[float, Moment] | None:
        """How long which decision has been running, if any is."""
        since, *rest = self._cells[:]
        return (time.monotonic() - since, Moment(*map(int, rest))) if since else None


class Worker:
    """A forked process that plays one task at a time."""

    def __init__(self, play: Play) -> None:
        context = multiprocessing.get_context("fork")
        self.post = SharedPost()
        self.task: Task | None = None
        self.late: Moment | None = None
        """The decision for which it was killed."""
        self.pipe, far_end = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_work, args=(play, far_end, self.post, os.getpid()), daemon=True
        )
        with warnings.catch_warnings(), _without_ctrl_c():
            # Newer Pythons warn of threads at a fork: those of numpy survive it, and there are no others.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        far_end.close()

    def give(self, task: Task) -> None:
        """Let it play a task; if it has just died, its end is noticed elsewhere."""
        self.task = task
        with contextlib.suppress(OSError):
            self.pipe.send(task)

    def kill(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back until a new worker can ignore it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(play: Play, pipe: Connection, post: Post, master: int) -> None:
    """The life of a worker: tasks in, scores out, until it is killed or its master is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the master
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    faulthandler.enable(2)  # a crash of compiled code shows where the agent was
    # What an agent prints must not mix with results on standard output.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    threading.Thread(target=_die_with, args=(master,), daemon=True).start()
    while True:
        task = pipe.recv()
        try:
            pipe.send(play(task, post))
        except DamagedFile as error:
            pipe.send(error)
        except Exception:  # noqa: BLE001  the master must hear of it, whatever it is
            pipe.send(traceback.format_exc())


def _die_with(master: int) -> None:
    while os.getppid() == master:
        time.sleep(0.5)
    os._exit(1)


def run_tasks(
    play: Play,
    tasks: Iterable[Task],
    workers: int,
    move_time: float | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Generator[tuple[Block, Played], None, None]:
    """Have tasks played by workers and hand their blocks over when they are finished, in no certain order.

    `meanwhile` is called again and again while the workers play.
    """
    pool = Pool(play, workers, move_time)
    try:
        yield from pool.run(tasks, meanwhile)
    finally:
        pool.close()


class Pool:
    """A master with its workers."""

    def __init__(self, play: Play, workers: int, move_time: float | None = None) -> None:
        self._play, self._move_time = play, move_time
        self._strikes: Counter[tuple[int, Moment | None]] = Counter()
        self._again: deque[Task] = deque()
        gc.collect()
        gc.freeze()  # what is there now is never looked at again, so its pages stay shared
        self.workers = [Worker(play) for _ in range(workers)]

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.kill()
        gc.unfreeze()

    def run(
        self, tasks: Iterable[Task], meanwhile: Callable[[], None] | None = None
    ) -> Iterator[tuple[Block, Played]]:
        """Keep everybody busy until all tasks are played."""
        left = iter(tasks)
        while True:
            self._hand_out(left)
            busy = [worker for worker in self.workers if worker.task is not None]
            if not busy:
                return
            ends = [worker.process.sentinel for worker in busy]
            patience = LOOK if self._move_time else ASIDE if meanwhile else None
            ready = wait([*(worker.pipe for worker in busy), *ends], patience)
            if meanwhile:
                meanwhile()
            for worker, end in zip(busy, ends, strict=True):
                if worker.pipe in ready or end in ready:
                    yield from self._hear(worker)
                else:
                    self._look_at_the_clock(worker)

    def _hand_out(self, left: Iterator[Task]) -> None:
        for worker in self.workers:
            if worker.task is None:
                task = self._again.popleft() if self._again else next(left, None)
                if task is None:
                    return
                worker.give(task)

    def _hear(self, worker: Worker) -> Iterator[tuple[Block, Played]]:
        assert worker.task is not None
        try:
            answer: Sequence[Played] | DamagedFile | str = worker.pipe.recv()
        except (EOFError, OSError):  # it died, perhaps in the middle of its answer
            self._replace(worker, worker.task)
            return
        if isinstance(answer, DamagedFile):
            raise answer
        if isinstance(answer, str):
            raise RuntimeError(f"{worker.task.blocks[0]} cannot be played:\n{answer}")
        blocks, worker.task = worker.task.blocks, None
        yield from zip(blocks, answer, strict=False)  # fewer, if a crash ended the run

    def _look_at_the_clock(self, worker: Worker) -> None:
        running = worker.post.running()
        if self._move_time is not None and running and running[0] > self._move_time + GRACE:
            worker.late = running[1]
            worker.process.kill()

    def _replace(self, worker: Worker, task: Task) -> None:
        """Put a new worker in a dead one's place, and its block back into the queue."""
        running = worker.post.running()
        moment = worker.late or (running[1] if running else None)
        worker.kill()
        self.workers[self.workers.index(worker)] = Worker(self._play)
        first = task.blocks[0]
        self._strikes[first.number, moment] += STRIKES if worker.late else 1
        if self._strikes[first.number, moment] >= STRIKES:
            if moment is None:
                raise RuntimeError(f"{STRIKES} workers died in {first}; what was played is kept")
            fault: Fault = "late" if worker.late else "failed"
            task = Task(task.blocks, {**task.doomed, moment: fault})
        self._again.append(task)


def in_order(results: Iterable[tuple[Block, Played]]) -> Iterator[tuple[Block, Played]]:
    """Hand results over by the number of their block, from 0 on, each as soon as it is its turn."""
    waiting: dict[int, tuple[Block, Played]] = {}
    due = 0
    for block, played in results:
        waiting[block.number] = block, played
        while due in waiting:
            yield waiting.pop(due)
            due += 1
