"""The agent `solver`: it plays the solution that comes with the package for the rules of its table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Decisions, Entry, alone
from retruco.cbr.case import Decision
from retruco.games.truco.compiled.automaton import OUTCOMES
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.situation import NOTHING, OTHER_SCORE, OWN_SCORE, PUBLIC_STATE, TARGET
from retruco.solver.truco.shipped import shipped_file, shipped_rules
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.agents.solver import TrucoSolver


class ShippedSolver:
    """Plays the solution of the rules it meets; a table may have another target than the solution."""

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Draw an action from the mixture of this information set."""
        from retruco.solver.truco.observed import known_situation

        game = observation.game
        solver = open_shipped(game.rules_name)
        situations = known_situation(tables_for(game), observation)[np.newaxis]
        there = situations_at_target(solver.game, game, situations)
        return solver.decide_in(there[0], at_target_of(solver.game, observation), chance)

    def decide_many(
        self, game: Truco, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Draw an action from the mixture of each situation."""
        solver = open_shipped(game.rules_name)
        return solver.decide_many(solver.game, situations_at_target(solver.game, game, situations), streams)


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


def situations_at_target(game: Truco, played: Truco, situations: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same situations in matches to the target of a solution."""
    if played.target == game.target:
        return situations
    there = situations.copy()
    there[:, PUBLIC_STATE] = map_states(played, game)[situations[:, PUBLIC_STATE]]
    scores = scores_by_score(game, played)[situations[:, OWN_SCORE], situations[:, OTHER_SCORE]]
    there[:, OWN_SCORE], there[:, OTHER_SCORE], there[:, TARGET] = scores[:, 0], scores[:, 1], game.target
    return there


@cache
def scores_by_score(game: Truco, played: Truco) -> NDArray[np.int32]:
    """By the scores of a match: those that stand for them in a match to the target of a solution."""
    board = range(played.target)
    return np.array([[scores_at_target(game, played, (a, b)) for b in board] for a in board], np.int32)


@cache
def map_states(played: Truco, game: Truco) -> NDArray[np.int32]:
    """By public state: the same state in matches to another target.

    A chain of calls that is too long for it counts as two calls shorter, as in `follow_log`.
    """
    ours, theirs = tables_for(played), tables_for(game)
    found = np.full(len(ours.actor), NOTHING, np.int32)
    found[0], waiting = 0, [(0, 0)]
    while waiting:
        state, before = waiting.pop()
        for edge, same in zip(ours.edge[state], theirs.edge[found[state]], strict=True):
            afters = theirs.next[same] if same >= 0 else [found[before]] * OUTCOMES
            for after, there in zip(ours.next[edge], afters, strict=True) if edge >= 0 else ():
                if after > 0 and found[after] == NOTHING:
                    found[after] = there
                    waiting.append((int(after), state))
    return found


@cache
def pays_by_lack(rules: str, target: int) -> bool:
    """Whether a falta pays the same at both targets if both sides lack as many points."""
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
