"""A sitting as a piece of work: a learner plays hand after hand from an empty base."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, TypeAlias

from retruco.arena.blocks import Block, Played, Post, Task
from retruco.cbr.casebase import CaseBase
from retruco.experiments.starting_hands import starting_counts
from retruco.experiments.study import ReportProgress
from retruco.games.holdem import Holdem
from retruco.learning.holdem.sitting import Sitting
from retruco.vocab.holdem.scenarios import VOCABULARY, WEIGHT, HandWeight

BUNCH: Final = 500
"""Hands in a bunch: what is kept of a sitting is one line a bunch."""
PER_HAND: Final = 0.003
"""How long a hand takes with four at a compiled table, in matches of a contest."""

Bunches: TypeAlias = Sequence[Mapping[str, Any]]
"""A learning run, bunch by bunch."""


def split_phases(bunches: Bunches, phases: int) -> list[Bunches]:
    """Split a run into phases of about the same length."""
    size = -(-len(bunches) // phases)
    return [bunches[start : start + size] for start in range(0, len(bunches), size)]


def mean_result(bunches: Bunches, big_blind: int) -> tuple[float, float]:
    """What a hand brought in the mean, in mbb, and its standard error over hands."""
    hands, points, squares = (sum(one[what] for one in bunches) for what in ("hands", "points", "squares"))
    mean, scale = points / hands, 1000 / big_blind
    return mean * scale, scale * sqrt(max(0.0, squares / hands - mean**2) / max(1, hands - 1))


@dataclass(frozen=True)
class Learning:
    """Who learns among whom, and for how many hands; its name says all of it, so that equal runs are made once."""

    rules: str
    learner: str
    others: tuple[str, ...]
    hands: int
    seed: int
    hand_weight: int = WEIGHT
    """What the feature of hand strength weighs; the others weigh five."""
    keeps_folds: bool = True
    """Whether cases of FOLD are retained."""

    @property
    def name(self) -> str:
        """What is played.

        >>> Learning("casey-4", "casey", ("rulebot",) * 3, 500, 1, keeps_folds=False).name
        'casey among rulebot, rulebot, rulebot at casey-4, 500 hands, seed 1, without FOLD cases'
        """
        weight = "" if self.hand_weight == WEIGHT else f", hand weight {self.hand_weight}"
        folds = "" if self.keeps_folds else ", without FOLD cases"
        table = f"{self.learner} among {', '.join(self.others)} at {self.rules}"
        return f"{table}, {self.hands} hands, seed {self.seed}{weight}{folds}"

    def blocks(self) -> list[Block]:
        """It is one piece: every hand needs the cases of those before."""
        return [Block(0, (), 0, 1)]

    def weight(self, block: Block) -> float:
        """The more sit at the table, the longer a hand takes."""
        return PER_HAND * self.hands * (13 + len(self.others)) / 16

    def found(self, played: Sequence[Sequence[Mapping[str, Any]]]) -> Any:
        """The bunches of hands, in order."""
        return played[0]

    def play(self, task: Task, post: Post, tell: ReportProgress) -> list[Played]:
        """Sit down and learn."""
        started = time.process_time()
        sitting = self.sitting()
        bunches, bunch = [], Bunch()
        for hand in sitting.hands(self.hands, self.seed):
            bunch.add(hand.points, hand.unknown, hand.plans)
            bunch.starting.update(starting_counts(hand.hole, len(self.others), hand.entered, hand.points))
            if (hand.number + 1) % self.bunch == 0 or hand.number + 1 == self.hands:
                bunch.counts, bunch.others = sitting.take_counts()
                bunches.append(bunch.as_json(len(sitting.cases)))
                bunch = Bunch()
                tell((hand.number + 1) / self.hands)
        return [Played(bunches, seconds=time.process_time() - started)]

    def sitting(self) -> Sitting:
        """Seat the learner with an empty base."""
        measure = None if self.hand_weight == WEIGHT else HandWeight(self.hand_weight)
        game, cases = Holdem.named(self.rules), CaseBase(VOCABULARY, measure)
        return Sitting(game, self.learner, self.others, cases, self.keeps_folds)

    @property
    def bunch(self) -> int:
        """Hands in a bunch; a short run still has one for every phase."""
        return min(BUNCH, max(1, self.hands // 5))


class Bunch:
    """Some hands summed up."""

    def __init__(self) -> None:
        self.points: list[int] = []
        self.unknown, self.plans = 0, 0
        self.counts: dict[str, int] = {}
        self.others: dict[str, int] = {}
        self.starting: Counter[str] = Counter()

    def add(self, points: int, unknown: int, plans: int) -> None:
        """Add one hand."""
        self.points.append(points)
        self.unknown += unknown
        self.plans += plans

    def as_json(self, cases: int) -> dict[str, Any]:
        """The bunch as plain data; its highs and lows are those of the running result within it."""
        running, highest, lowest = 0, 0, 0
        for points in self.points:
            running += points
            highest, lowest = max(highest, running), min(lowest, running)
        return {
            "hands": len(self.points),
            "points": running,
            "squares": sum(one * one for one in self.points),
            "highest": highest,
            "lowest": lowest,
            "unknown": self.unknown,
            "plans": self.plans,
            "cases": cases,
            "counts": dict(sorted(self.counts.items())),
            "others": dict(sorted(self.others.items())),
            "starting": dict(sorted(self.starting.items())),
        }
