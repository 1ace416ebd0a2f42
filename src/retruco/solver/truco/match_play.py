"""Near the end of a match points are not worth the same: the mixture of a solution, weighed by the chance to win.

A solution is for hands at no score. Once a side lacks few points, what counts is the chance to win the match
after each action, which the values of the solution tell. An action that costs chance is played more rarely the
more it costs, and not at all from `MOST_LOSS` on.
"""

from __future__ import annotations

from typing import Final

from retruco.games.truco.observation import TrucoObservation
from retruco.solver.truco.analysis import Worth
from retruco.solver.truco.observed import Mixture

NEAR: Final = 8
"""The end is near once a side lacks so many points or fewer."""
MOST_LOSS: Final = 0.1
"""An action that costs so much chance to win the match is not played."""


def is_near_end(seen: TrucoObservation) -> bool:
    """Whether a side lacks few points."""
    return max(seen.scores) >= seen.game.target - NEAR


def weigh_by_chance(mixture: Mixture, worth: Worth) -> Mixture:
    """The same mixture with less of what costs chance; the best alone where nothing else is left."""
    if worth.actions != mixture.actions:
        return mixture
    best = max(worth.chances)
    weights = [
        probability * max(0.0, 1 - (best - chance) / MOST_LOSS)
        for probability, chance in zip(mixture.probabilities, worth.chances, strict=True)
    ]
    if not any(weights):
        weights = [float(chance == best) for chance in worth.chances]
    total = sum(weights)
    return mixture._replace(probabilities=tuple(weight / total for weight in weights))
