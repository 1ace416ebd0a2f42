"""What a seat did in a finished hand, counted in poker players' words."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from retruco.games.core import Seat
from retruco.games.holdem.state import HoldemState

RATES: Final = {
    "hands played": ("flops", "hands"),
    "hands entered": ("entered", "hands"),
    "entered first to act": ("entered first to act", "first to act"),
    "entered on the button": ("entered on the button", "on the button"),
    "entered from the blinds": ("entered from the blinds", "in the blinds"),
    "flops won": ("flops won", "flops"),
    "showdowns": ("showdowns", "flops"),
    "showdowns won or split": ("showdowns won or split", "showdowns"),
    "aggression": ("bets and raises", "bets, raises and calls"),
}
"""A hand is played when its flop is seen, and entered when chips are put in by choice before it."""


def behaviour(end: HoldemState, seat: Seat) -> Counter[str]:
    """Count what a seat did."""
    return Counter(_counts(end)[seat])


@lru_cache(maxsize=1)
def _counts(end: HoldemState) -> list[dict[str, int]]:
    """Count what every seat did."""
    import numpy as np

    from retruco.games.holdem.compiled import COUNTS, count_behaviour, finished_hand, read_counts

    hand, counts = finished_hand(end), np.zeros((end.game.seats, len(COUNTS)), np.int64)
    for seat, own in enumerate(counts):
        count_behaviour(hand, seat, own)
    return list(map(read_counts, counts))
