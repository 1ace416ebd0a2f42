"""How an entrant played: its behaviour with intervals, and what its decisions rested on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from retruco.agents.core import REVISED
from retruco.arena.stats import Interval, ratio_interval
from retruco.games.core import Game

Counts: TypeAlias = Mapping[str, int]


def added_up(units: Iterable[Counts]) -> dict[str, int]:
    """Add counts up, in one order whatever was counted first."""
    counts: Counter[str] = Counter()
    for unit in units:
        counts.update(unit)
    return dict(sorted(counts.items()))


def behaviour_of(game: Game, units: Sequence[Counts]) -> dict[str, dict[str, Any] | None]:
    """A game's rates of behaviour over independent units; a rate of nothing is nothing.

    >>> from retruco.games.kuhn import Kuhn
    >>> found = behaviour_of(Kuhn(), [{"bet": 1, "opened": 4}, {"bet": 3, "opened": 4}])
    >>> found["bets"]["share"], found["calls"]
    (0.5, None)
    """
    found: dict[str, dict[str, Any] | None] = {}
    for name, (top, bottom) in game.behaviour_ratios.items():
        tops, bottoms = [unit.get(top, 0) for unit in units], [unit.get(bottom, 0) for unit in units]
        share, interval = _rate(tops, bottoms) if sum(bottoms) else (0.0, (0.0, 0.0))
        found[name] = {"share": share, "ci95": interval} if sum(bottoms) else None
    return found


def _rate(tops: Sequence[int], bottoms: Sequence[int]) -> tuple[float, Interval]:
    """A rate with its interval; what was never done may still be done once in three times as many."""
    if not any(tops):
        return 0.0, (0.0, min(1.0, 3 / sum(bottoms)))
    most = max(1.0, sum(tops) / sum(bottoms))  # in Truco two cards of a hand may lie face down
    return ratio_interval(tops, bottoms, (0.0, most))


def grounds_of(counts: Counts) -> dict[str, Any]:
    """What decisions rested on: questions asked of the case base, answered without, revised."""
    return {
        "decisions": counts.get("decisions", 0),
        "questions": counts.get("questions", 0),
        "without_experience": counts.get("without experience", 0),
        "revisions": {
            name.removeprefix(REVISED): count
            for name, count in sorted(counts.items())
            if name.startswith(REVISED)
        },
    }
