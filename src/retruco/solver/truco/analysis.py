"""Decisions of Truco judged by a solution: what was done, what is best, and what the difference costs.

    judge = Judge.open(facts, Path("mine.solution"))
    judge.judge(observation, "truco")

The loss of a decision is the worth of the best action minus that of the action taken, both seats going on by
the solution. It is told in points, as if all points were worth the same, and in chance to win the match from
the present score. A decision is *good*, *inaccurate*, a *mistake* or a *blunder* by its loss of chance.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from retruco.cards import Card
from retruco.compiler import compiled_step, fixed_types
from retruco.games.core import Action
from retruco.games.truco.compiled.stepper import ACTIONS, Row, action_number, action_text
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.situation import Situation
from retruco.solver.files import SolutionFacts
from retruco.solver.truco.abstraction import SOLVER_ROW, Abstraction, abstraction_for
from retruco.solver.truco.observed import known_situation, read_situation, strongest_first
from retruco.solver.truco.values import (
    Values,
    read_values,
    values_file,
    worth_elsewhere,
    write_worth,
)

GOOD, INACCURATE, MISTAKE, BLUNDER = "good", "inaccurate", "mistake", "blunder"
GRADES: Final = {INACCURATE: 0.005, MISTAKE: 0.02, BLUNDER: 0.05}
"""From which loss of match-winning chance a decision is called so."""
GRADE_NAMES: Final = (GOOD, *GRADES)
NO_ACTION: Final = -1


class Worth(NamedTuple):
    """What the actions that the solver considers are worth in a situation."""

    actions: tuple[Action, ...]
    points: tuple[float, ...]
    chances: tuple[float, ...]
    """Of winning the match."""


class Judgement(NamedTuple):
    """A decision judged."""

    action: Action
    points: float
    chance: float
    best: Action
    """What is worth most points."""
    best_points: float
    best_for_match: Action
    """What gives the greatest chance to win the match."""
    best_chance: float

    @property
    def loss(self) -> float:
        """The loss in points."""
        return self.best_points - self.points

    @property
    def chance_loss(self) -> float:
        """The loss of match-winning chance."""
        return self.best_chance - self.chance

    @property
    def grade(self) -> str:
        """How bad the decision was, in a word."""
        return grade_of(self.chance_loss)


def grade_of(chance_loss: float) -> str:
    """Name a loss of match-winning chance.

    >>> [grade_of(loss) for loss in (0, 0.01, 0.03, 0.4)]
    ['good', 'inaccurate', 'mistake', 'blunder']
    """
    return [GOOD, *(name for name, least in GRADES.items() if chance_loss >= least)][-1]


class Judge:
    """Judges decisions by the values of a solution."""

    def __init__(self, game: Truco, level: str, values: Values) -> None:
        self.game, self.values = game, values
        self.tables, self.abstraction = tables_for(game), abstraction_for(game, level)

    @classmethod
    def open(cls, facts: SolutionFacts, solution: Path, values: Path | None = None) -> Self:
        """Read the values of a solution, beside it if no other place is named; refuse those of another one."""
        file = values_file(solution) if values is None else values
        if not file.is_file():
            raise ValueError(f"there are no values of {solution} at {file}")
        found = read_values(file, solution)
        return cls(Truco.named(facts.rules, facts.target), found.level, found.values)

    def check_rules(self, game: Truco) -> None:
        """Refuse hands by other rules than those of the solution."""
        if game != self.game:
            raise ValueError(f"a hand of {game!r}, but the solution is for {self.game!r}")

    def worth(self, seen: TrucoObservation) -> Worth | None:
        """What each action is worth to the seat to act; nothing where there are not enough samples."""
        found = self._look_up(seen, strongest_first(seen.hand), NO_ACTION)
        return None if found is None else found[0]

    def judge(self, seen: TrucoObservation, action: Action) -> Judgement | None:
        """Judge what the seat to act did; nothing where there are not enough samples."""
        hand = strongest_first(seen.hand)
        found = self._look_up(seen, hand, action_number(hand, action))
        if found is None or math.isnan(found[1]):
            return None
        (actions, points, chances), done, chance = found
        best, best_for_match = int(np.argmax(points)), int(np.argmax(chances))
        return Judgement(
            action,
            done,
            chance,
            actions[best] if points[best] > done else action,
            max(points[best], done),
            actions[best_for_match] if chances[best_for_match] > chance else action,
            max(chances[best_for_match], chance),
        )

    def _look_up(
        self, seen: TrucoObservation, hand: list[Card], action: int
    ) -> tuple[Worth, float, float] | None:
        actions, room, row, changed = np.zeros((4, SOLVER_ROW), dtype=np.int32)
        points, chances = np.zeros((2, ACTIONS))
        count, done, chance = look_up_worth(
            self.tables, self.abstraction, self.values, known_situation(self.tables, seen), action, row, actions, room, changed, points, chances
        )  # fmt: skip
        if not count:
            return None
        worth = Worth(
            tuple([action_text(hand, number) for number in actions[:count].tolist()]),
            tuple(points[:count].tolist()),
            tuple(chances[:count].tolist()),
        )
        return worth, done, chance


@fixed_types
@compiled_step
def look_up_worth(
    tables: Tables,
    abstraction: Abstraction,
    values: Values,
    situation: Situation,
    action: int,
    row: Row,
    actions: Row,
    room: Row,
    changed: Row,
    points: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> tuple[int, float, float]:
    """Write down what actions are worth; return how many, and the worth of one of them."""
    read_situation(tables, situation, row)
    count = write_worth(tables, abstraction, values, row, actions, points, chances)
    if count == 0 or action == NO_ACTION:
        return count, np.nan, np.nan
    for at in range(count):
        if actions[at] == action:
            return count, points[at], chances[at]
    done, chance = worth_elsewhere(tables, abstraction, values, row, action, room, changed)
    return count, done, chance
