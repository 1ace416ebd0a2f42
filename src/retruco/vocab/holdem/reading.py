"""A model of the opponents: how often they bet or raise where they might call or check.

It is computed from the hands of the match that a seat has seen, and from nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from retruco.compiler import compiled_step
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
    return share_of_bets(bold, all_of_them, len(others)) if others else UNREAD


@compiled_step
def share_of_bets(bold: int, all_of_them: int, opponents: int) -> int:
    """How many of some actions were bets or raises, in per cent, each opponent credited with the prior."""
    prior = PRIOR * opponents
    return int(np.rint((100 * bold + UNREAD * prior) / (all_of_them + prior)))


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
