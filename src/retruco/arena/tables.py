"""More than two at a table: every deal is played once for every seating, and points are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from retruco.arena.conduct import behaviour_of
from retruco.arena.duel import widest
from retruco.arena.sets import Score
from retruco.arena.stats import holm, ratio_interval, ratio_test
from retruco.games.core import Game


def numbered(names: Sequence[str]) -> list[str]:
    """Tell entrants of one name apart.

    >>> numbered(["random", "first", "random"])
    ['random', 'first', 'random (2)']
    """
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return labels


def table_results(game: Game, names: Sequence[str], seed: int, played: Sequence[Score]) -> dict[str, Any]:
    """Sum up a table: points per hand of everybody, and every two compared; the unit is the deal."""
    hands = [score.all_hands for score in played]
    gains = [[sum(match[one] for match in score.gains) for score in played] for one in range(len(names))]
    labels = numbered(names)
    return {
        "game": game.name,
        "rules": game.rules_name,
        "version": game.version,
        "unit": game.result_unit[0],
        "seed": seed,
        "deals": len(played),
        "hands": sum(sum(score.hands) for score in played),
        "entrants": [
            {
                **_rate(game, gains[entrant], hands),
                "name": name,
                **_faults(entrant, played),
                "behaviour": behaviour_of(game, [score.counts[entrant] for score in played]),
            }
            for entrant, name in enumerate(labels)
        ],
        "differences": _differences(game, labels, gains, hands),
    }


def _rate(game: Game, tops: Sequence[float], hands: Sequence[int]) -> dict[str, Any]:
    points, interval = ratio_interval(tops, hands, widest(game))
    unit, scale = game.result_unit
    in_unit = {f"{unit}_per_hand": scale * points, f"{unit}_ci95": tuple(scale * one for one in interval)}
    return {"points_per_hand": points, "ci95": interval, **({} if unit == "points" else in_unit)}


def _differences(
    game: Game, labels: Sequence[str], gains: Sequence[Sequence[int]], hands: Sequence[int]
) -> list[dict[str, Any]]:
    """What one won more than another, for every two, with Holm's correction."""
    rows, chances = [], []
    for a, b in combinations(range(len(labels)), 2):
        ahead = [one - other for one, other in zip(gains[a], gains[b], strict=True)]
        rows.append({"a": labels[a], "b": labels[b], **_rate(game, ahead, hands)})
        chances.append(ratio_test(ahead, hands))
    return [{**row, "p_holm": chance} for row, chance in zip(rows, holm(chances), strict=True)]


def _faults(entrant: int, played: Sequence[Score]) -> dict[str, int]:
    lost = Counter(one["fault"] for score in played for one in score.forfeits if one["entrant"] == entrant)
    return {fault: lost[fault] for fault in ("illegal", "failed", "late")}
