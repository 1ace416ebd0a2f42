"""The agent `solver`: it plays the solution that comes with the package for the rules of its table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.games.truco.deck import STRENGTH
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
        from retruco.solver.truco.observed import HAND_IS_OVER

        solver = open_shipped(observation.game.rules_name)
        try:
            return solver.decide(at_target_of(solver.game, observation), chance)
        except ValueError as error:
            if str(error) != HAND_IS_OVER:
                raise
            return decide_unknown(observation)


def decide_unknown(seen: TrucoObservation) -> Decision:
    """Decline or play the highest card, where a falta would have ended a match to the solution's own target."""
    if "nao-quero" in seen.legal:
        return Decision("nao-quero", "solver.unknown")
    cards = [card for card in seen.held if card in seen.legal]
    return Decision(max(cards, key=STRENGTH.__getitem__), "solver.unknown")


@cache
def open_shipped(rules: str) -> TrucoSolver:
    """Read a solution once; what reads it is heavy, so it is imported here."""
    from retruco.agents.solver import TrucoSolver, open_solution

    file = str(shipped_file(rules))
    return TrucoSolver(file, open_solution(file))


def at_target_of(game: Truco, seen: TrucoObservation) -> TrucoObservation:
    """The same situation in a match to the target of a solution."""
    if seen.game.target == game.target:
        return seen
    return seen._replace(game=game, scores=scores_at_target(game, seen.game, seen.scores))


def scores_at_target(game: Truco, played: Truco, scores: tuple[int, int]) -> tuple[int, int]:
    """Scores that stand for these in a match to the target of a solution: both lack as many points as before.

    Where a falta pays by halves of the match, both are as far in the match as before instead.
    """
    if played.target == game.target:
        return scores
    if pays_by_lack(game.rules_name, played.target):
        return keep_order([score + game.target - played.target for score in scores], scores)
    return keep_order([score * game.target // played.target for score in scores], scores)


@cache
def pays_by_lack(rules: str, target: int) -> bool:
    """Whether a falta pays the same at both targets if both sides lack as many points."""
    from retruco.games.truco.compiled.tables import tables_for
    from retruco.solver.truco.values import falta_points

    games = sorted((Truco.named(rules), Truco.named(rules, target)), key=lambda game: game.target)
    short, long = (falta_points(tables_for(game)) for game in games)
    more = long.shape[1] - short.shape[1]
    return bool((short == long[:, more:, more:]).all())


def keep_order(scores: list[int], before: tuple[int, int]) -> tuple[int, int]:
    """Scores not below 0, of which that stays ahead which was ahead before.

    >>> keep_order([15, 12], (3, 0)), keep_order([-15, -19], (9, 5))
    ((15, 12), (1, 0))
    """
    first, second = (max(score, 0) for score in scores)
    if first == second and before[0] != before[1]:
        return (first + 1, second) if before[0] > before[1] else (first, second + 1)
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
