"""Guided dealing: rare situations come up more often than chance would have it.

Moral (2020) saw six contraflores in some six thousand hands and asked for this. Deals are still
drawn by keyed chance; where a rare situation is due, they are drawn again until one has it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from retruco.games.core import Game
from retruco.games.truco import TrucoDeal, envido_points, has_flor, strength
from retruco.games.truco.behaviour import POOR_CARD, POOR_POINTS
from retruco.games.truco.deck import Hand
from retruco.streams import Stream

HIGH_ENVIDO: Final = 28
HIGH_CARD: Final = 11
"""The strength of the weakest of the four highest cards."""


def _both(holds: Callable[[Any], bool]) -> Callable[[TrucoDeal], bool]:
    return lambda deal: all(map(holds, deal.hands))


def is_poor(hand: Hand) -> bool:
    """Whether a hand has poor points and poor cards, so that it can only be won by others giving up."""
    return envido_points(hand) < POOR_POINTS and max(map(strength, hand)) <= POOR_CARD


RARE: Final[Mapping[str, Callable[[TrucoDeal], bool]]] = {
    "flor": lambda deal: any(map(has_flor, deal.hands)),
    "flor-flor": _both(has_flor),
    "envido-envido": _both(lambda hand: not has_flor(hand) and envido_points(hand) >= HIGH_ENVIDO),
    "high-high": _both(lambda hand: max(map(strength, hand)) >= HIGH_CARD),
    "poor": lambda deal: any(map(is_poor, deal.hands)),
}
"""Situations by name: somebody has a flor, both have; both have 28 in envido, or one of the four highest cards; somebody
has nothing, so that any call would be a bluff."""


def check_rare(names: Sequence[str]) -> tuple[str, ...]:
    """Refuse a situation that cannot be dealt for.

    >>> check_rare(["royal flush"])
    Traceback (most recent call last):
    ...
    ValueError: unknown rare situation 'royal flush': one of flor, flor-flor, envido-envido, high-high, poor
    """
    for name in names:
        if name not in RARE:
            raise ValueError(f"unknown rare situation {name!r}: one of {', '.join(RARE)}")
    return tuple(names)


def guided_deals(
    game: Game, seed: int, match: int, rare: Sequence[str] = (), every: int = 4
) -> Callable[[int], Any]:
    """Deal a match: every so many hands one of the rare situations, each in its turn."""

    def deal(number: int) -> Any:
        due = rare and number % every == every - 1
        wanted = RARE[rare[number // every % len(rare)]] if due else _anything
        drawn = (game.deal(Stream("learn", "deal", seed, match, number, one)) for one in itertools.count())
        return next(filter(wanted, drawn))

    return deal


def _anything(deal: TrucoDeal) -> bool:
    return True
