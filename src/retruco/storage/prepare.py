"""What first use needs, made once on a machine: compiled kernels and embedded case bases.

Whoever uses a base first makes it; preparing does the same ahead of time, so that nobody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from retruco.agents.registry import find_agent
from retruco.games.registry import find_game
from retruco.storage.library import open_cases
from retruco.storage.progress import Progress
from retruco.streams import Stream


@dataclass(frozen=True)
class Step:
    """A game made ready: its usual base opened, and one decision of an agent that remembers."""

    game: str
    agent: str
    seconds: float
    """How long it takes where nothing is there yet; a guess by which the time left is estimated."""


STEPS: Final = (Step("truco", "NPCS", 10.0), Step("holdem", "casey", 16.0), Step("euchre", "NPS", 1.0))


@dataclass(frozen=True)
class Standing:
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

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start = clock, clock()
        self.ready: tuple[str, ...] = ()

    def standing(self, message: str, part: float) -> Standing:
        """Say how far it is, with a part from 0 to 1 of the present step done."""
        whole = sum(step.seconds for step in STEPS)
        done = sum(step.seconds for step in STEPS[: len(self.ready)])
        if len(self.ready) < len(STEPS):
            done += part * STEPS[len(self.ready)].seconds
        elapsed = self._clock() - self._start
        pace = elapsed / done if done > 2 else 1.0
        return Standing(self.ready, message, done / whole, max(0.0, (whole - done) * pace))


def prepare(report: Callable[[Standing], None]) -> None:
    """Make what is missing, telling after every piece of work how far it is; what is there costs little."""
    estimate = Estimate()
    for step in STEPS:
        halves: list[str] = []  # a base is played, then turned into rows and clusters

        def progress(message: str, done: int = 0, of: int = 0, halves: list[str] = halves) -> None:
            if message not in halves:
                halves.append(message)
            report(estimate.standing(message, min(1.0, (halves.index(message) + done / max(1, of)) / 2)))

        report(estimate.standing(step.game, 0.0))
        _prepare_game(step, progress)
        estimate.ready += (step.game,)
    report(estimate.standing("", 0.0))


def _prepare_game(step: Step, progress: Progress) -> None:
    agent = find_agent(step.agent, step.game, lambda game: open_cases(None, game, progress).cases)
    game = find_game(step.game)
    hand = game.start(game.deal(Stream("prepare")), game.opening())
    seat = hand.to_act
    assert seat is not None
    agent.decide(hand.observe(seat), Stream("prepare", step.agent))
