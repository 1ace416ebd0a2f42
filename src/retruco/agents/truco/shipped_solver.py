"""The agent `solver`: it plays the solution that comes with the package for the rules of its table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.truco.shipped import shipped_file, shipped_rules
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.agents.solver import TrucoSolver


class ShippedSolver:
    """Plays the solution of the rules it meets; a table may have another target than the solution."""

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Draw an action from the mixture of this information set."""
        solver = open_shipped(observation.game.rules_name)
        return solver.decide(at_target_of(solver.game, observation), chance)


@cache
def open_shipped(rules: str) -> TrucoSolver:
    """Read a solution once; what reads it is heavy, so it is imported here."""
    from retruco.agents.solver import TrucoSolver, open_solution

    file = str(shipped_file(rules))
    return TrucoSolver(file, open_solution(file))


def at_target_of(game: Truco, seen: TrucoObservation) -> TrucoObservation:
    """The same situation in a match to the target of a solution: both lack as many points as before."""
    if seen.game.target == game.target:
        return seen
    return seen._replace(game=game, scores=shift_scores(seen.scores, game.target - seen.game.target))


def shift_scores(scores: tuple[int, int], points: int) -> tuple[int, int]:
    """Add points to both scores, not below 0; who is ahead stays ahead.

    >>> shift_scores((3, 0), 12), shift_scores((9, 5), -24)
    ((15, 12), (1, 0))
    """
    first, second = (max(score + points, 0) for score in scores)
    if first == second and scores[0] != scores[1]:
        return (first + 1, second) if scores[0] > scores[1] else (first, second + 1)
    return first, second


ROSTER = (
    Entry(
        "solver",
        Truco.name,
        "Plays a solution of the game: mixtures that leave little to exploit, whoever the opponent is.",
        alone(ShippedSolver),
        rules=shipped_rules(),
    ),
)
