"""A model of the opponents: how often they bet or raise where they might call or check.

It is computed from the hands of the match that a seat has seen, and from nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.betting import AGGRESSIVE, FOLD
from retruco.games.holdem.state import seat_at
from retruco.vocab.holdem.scenarios import UNREAD

PRIOR: Final = 10
"""How many actions at the usual aggression everybody is credited with, so that few tell little."""


def aggression(seen: HoldemObservation) -> int:
    """How aggressive those still in have been in this match, in per cent of what they did but fold."""
    counts = _counted(seen.history)
    seats = seen.game.seats
    live = [seat_at(seen.dealer, position, seats) for position in seen.betting.live_positions()]
    others = [counts[seat] for seat in live if seat != seen.seat]
    bold, all_of_them = (sum(one[place] for one in others) for place in (0, 1))
    prior = PRIOR * len(others)
    return round((100 * bold + UNREAD * prior) / (all_of_them + prior)) if others else UNREAD


@lru_cache(maxsize=64)
def _counted(history: tuple[HoldemObservation, ...]) -> tuple[tuple[int, int], ...]:
    """Count each seat's bets and raises, and all it did but fold; the same match is counted once a hand."""
    if not history:
        return ((0, 0),) * 10
    found = [list(one) for one in _counted(history[:-1])]
    for step in history[-1].steps():
        if step.action != FOLD:
            found[step.seat][0] += step.action in AGGRESSIVE
            found[step.seat][1] += 1
    return tuple((bold, every) for bold, every in found)
