"""What first use needs, made once on a machine: compiled kernels and embedded case bases.

Whoever uses a base first makes it; preparing does the same ahead of time, so that nobody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
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
    seconds_left: Mapping[str, float]
    """For every other game, how long it still takes."""

    def as_json(self) -> dict[str, object]:
        """The standing as plain data."""
        return {
            "ready": list(self.ready),
            "message": self.message,
            "fraction": round(self.fraction, 3),
            "seconds_left": {game: round(seconds, 1) for game, seconds in self.seconds_left.items()},
        }


class Estimate:
    """Estimates the time left from what is done and how fast it went."""

    def __init__(self, steps: Mapping[str, FirstUse], clock: Callable[[], float] = time.monotonic) -> None:
        self._steps, self._clock, self._start = steps, clock, clock()
        self.ready: tuple[str, ...] = ()

    def standing(self, message: str, part: float) -> PrepareProgress:
        """Say how far it is, with a part from 0 to 1 of the present game done.

        >>> from retruco.learning.registry import FirstUse
        >>> now = iter((0.0, 8.0))
        >>> estimate = Estimate({"a": FirstUse("x", 4.0), "b": FirstUse("y", 6.0)}, lambda: next(now))
        >>> estimate.ready = ("a",)
        >>> estimate.standing("half of b", 0.5).as_json()
        {'ready': ['a'], 'message': 'half of b', 'fraction': 0.7, 'seconds_left': {'b': 3.4}}
        """
        rest = [game for game in self._steps if game not in self.ready]
        done = sum(self._steps[game].seconds for game in self.ready)
        done += part * self._steps[rest[0]].seconds if rest else 0.0
        pace = (self._clock() - self._start) / done if done > 2 else 1.0
        left, ends = {}, sum(self._steps[game].seconds for game in self.ready)
        for game in rest:
            ends += self._steps[game].seconds
            left[game] = max(0.0, (ends - done) * pace)
        whole = sum(step.seconds for step in self._steps.values())
        return PrepareProgress(self.ready, message, done / whole, left)


def prepare(report: Callable[[PrepareProgress], None]) -> None:
    """Make what is missing, telling after every piece of work how far it is; what is there costs little."""
    steps = first_uses()
    estimate = Estimate(steps)
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
