"""Blocks on a Ray cluster: the same blocks, the same bytes, on machines that may die.

What all blocks have in common, the case base with it, is put into the cluster once. Every process
of the cluster takes it out once, and is then a small master with one forked worker of its own, so
that agents who hang, cheat or take their process down fare there as they do on one machine. When a
machine dies, its blocks are played again elsewhere.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO, cast, runtime_checkable

from retruco.arena.blocks import Block, Played, Task
from retruco.arena.pool import Play, Pool

if TYPE_CHECKING:
    from types import ModuleType

ADDRESS: Final = "RAY_ADDRESS"
"""The environment variable by which Ray's own programs find a cluster."""

AHEAD: Final = 2
"""Blocks handed out for every processor, so that nobody waits for the next one."""

KNOCK: Final = 10
"""Seconds that a cluster has to answer the door."""

LIVES: Final = 8
"""So often a block is given to another machine because its own died."""

QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",  # reports to nobody
    "RAY_DEDUP_LOGS": "0",  # says what it has to say at once, and not at the end, between our own lines
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # leaves graphics cards alone
}
"""How Ray is to behave, unless the user wants it otherwise."""


@runtime_checkable
class Warming(Protocol):
    """A player of blocks that has something to make before the clock runs."""

    def warm_up(self) -> None:
        """Make now what would be made on first use."""


class Aside:
    """Standard output, but not for Ray's own threads: what they have to say goes to standard error."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        is_ray = threading.current_thread().name.startswith("ray_")
        return getattr(sys.stderr if is_ray else self._out, name)


def find_ray() -> ModuleType:
    """Import Ray, or say how to get it."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        return import_module("ray")
    except ModuleNotFoundError as error:
        raise ValueError("--on ray needs Ray: pip install 'retruco[ray]'") from error


def connect(ray: ModuleType, address: str | None, workers: int) -> None:
    """Join the cluster of an address, or start one on this machine; it ends with this process."""
    if ray.is_initialized():
        return
    if not isinstance(sys.stdout, Aside):
        sys.stdout = cast(TextIO, Aside(sys.stdout))
    how: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        ray.init("local", num_cpus=workers, include_dashboard=False, **how)
        return
    try:
        _knock(address)
        ray.init(address, **how)
    except (ImportError, RuntimeError, ValueError, OSError) as error:
        raise ValueError(f"there is no Ray cluster at {address}: {str(error).splitlines()[0]}") from error


def _knock(address: str) -> None:
    """Find out at once whether anybody listens at an address; Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()


def run_on_ray(
    play: Play,
    tasks: Iterable[Task],
    move_time: float | None = None,
    *,
    address: str | None = None,
    workers: int = 1,
) -> Generator[tuple[Block, Played], None, None]:
    """Have tasks played by a cluster and hand their blocks over when they are finished, in no certain order."""
    ray = find_ray()
    connect(ray, address or os.environ.get(ADDRESS), workers)
    shared = [ray.put(_packed(ray, play))]
    there = ray.remote(num_cpus=1, max_retries=LIVES)(play_there)
    left, running = iter(tasks), dict[Any, Task]()
    try:
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(running)
            for task in islice(left, max(0, room)):
                running[there.remote(shared, task, move_time, version("retruco"))] = task
            if not running:
                return
            ready, _ = ray.wait(list(running), num_returns=1)
            for answer in ready:
                yield from _receive(ray, answer, running.pop(answer))
    finally:
        for answer in running:
            ray.cancel(answer, force=True)


class RayTask:
    """A function that a process of the cluster runs."""

    def __init__(self, ray: ModuleType, answer: Any) -> None:
        self._ray, self._answer = ray, answer

    def result(self) -> Any:
        """Wait for what it returns."""
        try:
            return self._ray.get(self._answer)
        except self._ray.exceptions.RayTaskError as error:
            raise RuntimeError(f"a worker of the cluster failed: {error.cause}") from error
        except self._ray.exceptions.RayError as error:
            raise RuntimeError(f"a worker of the cluster was lost {LIVES} times: {error}") from error


class RayPool:
    """Workers on a Ray cluster that run functions, as a pool of processes does."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self._ray = find_ray()
        connect(self._ray, address or os.environ.get(ADDRESS), workers)
        self._call = self._ray.remote(num_cpus=1, max_retries=LIVES)(call_there)
        self._shared: tuple[object, Any] | None = None

    def submit(self, function: Callable[..., Any], /, *args: Any) -> RayTask:
        """Have a process of the cluster call a function; a dictionary that many calls share is sent once."""
        sent = [self._share(value) if isinstance(value, dict) else value for value in args]
        return RayTask(self._ray, self._call.remote(version("retruco"), function, *sent))

    def _share(self, value: object) -> Any:
        if self._shared is None or self._shared[0] is not value:
            self._shared = value, self._ray.put(value)
        return self._shared[1]


def call_there(wanted: str, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function in a process of the cluster."""
    check_version(wanted)
    return function(*args)


def check_version(wanted: str) -> None:
    """Refuse to work for another version of Retruco than this machine has."""
    if version("retruco") != wanted:
        raise RuntimeError(f"Retruco {wanted} is to play, a machine of the cluster has {version('retruco')}")


def _packed(ray: ModuleType, play: Play) -> bytes:
    """Pack what all blocks share; agents of the user's own files go along as they are."""
    for name, module in list(sys.modules.items()):
        if name.startswith("retruco_user_agent_"):
            ray.cloudpickle.register_pickle_by_value(module)
    packed: bytes = ray.cloudpickle.dumps(play)
    return packed


def _receive(ray: ModuleType, answer: Any, task: Task) -> list[tuple[Block, Played]]:
    first = task.blocks[0]
    try:
        played: list[tuple[Block, Played]] = ray.get(answer)
    except ray.exceptions.RayTaskError as error:
        raise RuntimeError(f"{first} cannot be played on the cluster: {error.cause}") from error
    except ray.exceptions.RayError as error:
        raise RuntimeError(f"{first} was lost {LIVES} times; what was played is kept: {error}") from error
    return played


# On the machines of the cluster

_held: dict[str, Pool] = {}
"""What this process plays with, by the name of what was shared."""


def play_there(
    shared: list[Any], task: Task, move_time: float | None, wanted: str
) -> list[tuple[Block, Played]]:
    """Play a task in a process of the cluster."""
    check_version(wanted)
    return list(_pool_for(shared[0], move_time).run([task]))


def _pool_for(shared: Any, move_time: float | None) -> Pool:
    key = shared.hex()
    if key not in _held:
        for pool in _held.values():
            pool.close()
        _held.clear()
        ray = find_ray()
        play = ray.cloudpickle.loads(ray.get(shared))
        if isinstance(play, Warming):
            play.warm_up()
        _held[key] = Pool(play, 1, move_time)
    return _held[key]
