"""What first use needs, made once on a machine: compiled kernels and embedded case bases.

Whoever uses a base first makes it; preparing does the same ahead of time, so that nobody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retruco.agents.registry import find_agent
from retruco.games.registry import find_game
from retruco.learning.case_bases import open_cases
from retruco.learning.registry import FirstUse, first_uses
from retruco.storage.progress import Progress
from retruco.streams import Stream


@dataclass(frozen=True)
class PrepareProgress:
    """How far preparing is."""

    ready: tuple[str, ...]
    """The games that are ready."""
    message: str
    fraction: float
    seconds_left: float

    def as_json(self) -> dict[str, object]:
        """The standing as plain data."""
        return {
            "ready": list(self.ready),
            "message": self.message,
            "fraction": round(self.fraction, 3),
            "seconds_left": round(self.seconds_left, 1),
        }


class Estimate:
    """Estimates the time left from what is done and how fast it went."""

    def __init__(self, steps: Sequence[FirstUse], clock: Callable[[], float] = time.monotonic) -> None:
        self._steps, self._clock, self._start = steps, clock, clock()
        self.ready: tuple[str, ...] = ()

    def standing(self, message: str, part: float) -> PrepareProgress:
        """Say how far it is, with a part from 0 to 1 of the present step done."""
        whole = sum(step.seconds for step in self._steps)
        done = sum(step.seconds for step in self._steps[: len(self.ready)])
        if len(self.ready) < len(self._steps):
            done += part * self._steps[len(self.ready)].seconds
        elapsed = self._clock() - self._start
        pace = elapsed / done if done > 2 else 1.0
        return PrepareProgress(self.ready, message, done / whole, max(0.0, (whole - done) * pace))


def prepare(report: Callable[[PrepareProgress], None]) -> None:
    """Make what is missing, telling after every piece of work how far it is; what is there costs little."""
    steps = first_uses()
    estimate = Estimate(list(steps.values()))
    for game, step in steps.items():
        halves: list[str] = []  # a base is played, then turned into rows and clusters

        def progress(message: str, done: int = 0, of: int = 0, halves: list[str] = halves) -> None:
            if message not in halves:
                halves.append(message)
            report(estimate.standing(message, min(1.0, (halves.index(message) + done / max(1, of)) / 2)))

        report(estimate.standing(game, 0.0))
        _prepare_game(game, step.agent, progress)
        estimate.ready += (game,)
    report(estimate.standing("", 0.0))


def _prepare_game(game: str, name: str, progress: Progress) -> None:
    agent = find_agent(name, game, lambda game: open_cases(None, game, progress).cases)
    table = find_game(game)
    hand = table.start(table.deal(Stream("prepare")), table.opening())
    seat = hand.to_act
    assert seat is not None
    agent.decide(hand.observe(seat), Stream("prepare", name))
