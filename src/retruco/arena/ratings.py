"""Who is best, told three more ways: Bradley-Terry on Elo's scale, OpenSkill, instant run-off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, Final, TypeAlias

from retruco.arena.stats import Interval, t_quantile

Shares: TypeAlias = Mapping[tuple[int, int], Sequence[float]]
"""For every pairing (a before b) the share of each duplicate pair that a won, by number of the pair."""

ELO: Final = 400 / log(10)
"""Points of Elo in one unit of the logistic scale."""
PRIOR: Final = 0.25
"""Drawn pairs added to every pairing, so that a clean sweep has a finite rating."""
WIDEST_ELO: Final = 4000.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength on Elo's scale, the mean of all being 0, with its 95 % interval."""

    elo: float
    interval: Interval


def bradley_terry(entrants: int, shares: Shares) -> list[Rating]:
    """Fit the strengths that make the results most likely (Bradley and Terry 1952).

    All pairings play the same deals, so the pairs of one number stand or fall together: the
    interval is a sandwich estimate with the number of the pair as its unit, and Student's t.

    >>> strong, weak = bradley_terry(2, {(0, 1): [1.0, 0.5, 1.0, 0.5]})
    >>> strong.elo > 50 > -50 > weak.elo
    True
    """
    import numpy as np

    strength = np.zeros(entrants)
    for _ in range(100):
        gradient, bend = _slopes(strength, shares)
        step = np.linalg.solve(bend + np.ones_like(bend), gradient)
        strength += step
        if np.abs(step).max() < 1e-12:
            break
    errors = _errors(strength, shares, np.linalg.inv(bend + np.ones_like(bend)))
    return [
        Rating(ELO * float(value), _elo_interval(ELO * float(value), error))
        for value, error in zip(strength, errors, strict=True)
    ]


def _elo_interval(elo: float, reach: float | None) -> Interval:
    if reach is None:
        return -WIDEST_ELO, WIDEST_ELO
    return max(-WIDEST_ELO, elo - reach), min(WIDEST_ELO, elo + reach)


def _slopes(strength: Any, shares: Shares) -> tuple[Any, Any]:
    """The gradient of the log likelihood, and its curvature, at some strengths."""
    import numpy as np

    gradient, bend = np.zeros(len(strength)), np.zeros((len(strength), len(strength)))
    for (a, b), won in shares.items():
        chance = 1 / (1 + exp(strength[b] - strength[a]))
        slope = sum(won) + PRIOR / 2 - (len(won) + PRIOR) * chance
        weight = (len(won) + PRIOR) * chance * (1 - chance)
        gradient[a] += slope
        gradient[b] -= slope
        bend[a, a] += weight
        bend[b, b] += weight
        bend[a, b] -= weight
        bend[b, a] -= weight
    return gradient, bend


def _errors(strength: Any, shares: Shares, inverse: Any) -> list[float | None]:
    """How far each interval reaches, or nothing when one pair alone was played."""
    import numpy as np

    numbers = max(len(won) for won in shares.values())
    if numbers < 2:
        return [None] * len(strength)
    scores = np.zeros((numbers, len(strength)))
    for (a, b), won in shares.items():
        chance = 1 / (1 + exp(strength[b] - strength[a]))
        surprise = np.array(won) - chance - PRIOR * (chance - 0.5) / len(won)
        scores[: len(won), a] += surprise
        scores[: len(won), b] -= surprise
    middle = scores.T @ scores * numbers / (numbers - 1)
    spread = np.sqrt(np.maximum(0, np.diag(inverse @ middle @ inverse)))
    return [ELO * t_quantile(numbers - 1) * float(one) for one in spread]


def open_skill(
    names: Sequence[str], matches: Iterable[tuple[int, int, int | None]]
) -> list[tuple[float, float]]:
    """Rate by OpenSkill's Plackett-Luce model, match by match: the mean and deviation of each skill."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = [model.rating(name=name) for name in names]
    for a, b, winner in matches:
        ranks = [0.0, 0.0] if winner is None else [float(winner != a), float(winner != b)]
        [[skills[a]], [skills[b]]] = model.rate([[skills[a]], [skills[b]]], ranks=ranks)
    return [(skill.mu, skill.sigma) for skill in skills]


def run_off(entrants: int, shares: Shares) -> list[int]:
    """Order the entrants by instant run-off, the winner first.

    Whoever won the smallest share of its matches against those still in is out, again and again (as
    in the Annual Computer Poker Competition); of equals, the one entered later.

    >>> run_off(3, {(0, 1): [1.0], (0, 2): [0.0], (1, 2): [1.0]})
    [0, 1, 2]
    """
    inside, out = list(range(entrants)), []
    while inside:
        worst = min(inside, key=lambda entrant: (round(_share_among(entrant, inside, shares), 12), -entrant))
        inside.remove(worst)
        out.append(worst)
    return out[::-1]


def _share_among(entrant: int, inside: Sequence[int], shares: Shares) -> float:
    won = [share for other in inside if other != entrant for share in seen_by(entrant, other, shares)]
    return sum(won) / len(won) if won else 0.0


def seen_by(entrant: int, other: int, shares: Shares) -> Sequence[float]:
    """The shares of a pairing as one of the two tells it.

    >>> seen_by(1, 0, {(0, 1): [1.0, 0.25]})
    [0.0, 0.75]
    """
    return shares[entrant, other] if entrant < other else [1 - share for share in shares[other, entrant]]
