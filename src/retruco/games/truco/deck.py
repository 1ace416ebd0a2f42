"""How strong a card is, and what a hand is worth in envido and flor.

>>> strength("1e") > strength("1b") > strength("7e") > strength("7o") > strength("3c")
True
>>> envido_points([Card("7e"), Card("6e"), Card("12o")])
33
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from retruco.cards import SPANISH_DECK, Card

Hand: TypeAlias = tuple[Card, ...]
"""The cards that a seat was dealt: three, or as many as the rules say."""

CLASSES: Final = (
    ("1e",),
    ("1b",),
    ("7e",),
    ("7o",),
    ("3e", "3b", "3o", "3c"),
    ("2e", "2b", "2o", "2c"),
    ("1c", "1o"),
    ("12e", "12b", "12o", "12c"),
    ("11e", "11b", "11o", "11c"),
    ("10e", "10b", "10o", "10c"),
    ("7b", "7c"),
    ("6e", "6b", "6o", "6c"),
    ("5e", "5b", "5o", "5c"),
    ("4e", "4b", "4o", "4c"),
)
"""The fourteen classes of strength, from the highest down; cards of one class tie."""

STRENGTH: Final = {text: len(CLASSES) - place for place, cards in enumerate(CLASSES) for text in cards}
"""The strength of every card, 14 for `1e` down to 1 for a four."""


def strength(card: str) -> int:
    """Tell how strong a card is in the rounds; equal strengths tie."""
    return STRENGTH[card]


def envido_value(card: Card) -> int:
    """Count a card for envido and flor: its rank, or nothing for 10, 11 and 12."""
    return card.rank if card.rank < 10 else 0


@lru_cache(maxsize=8192)  # a hand is asked about often while it is played, and rarely again
def _points(hand: tuple[Card, ...]) -> tuple[int, int]:
    pairs = [20 + envido_value(a) + envido_value(b) for a, b in combinations(hand, 2) if a.suit == b.suit]
    envido = max(pairs or map(envido_value, hand))
    is_flor = len({card.suit for card in hand}) == 1
    return envido, 20 + sum(map(envido_value, hand)) if is_flor else 0


def envido_points(hand: Sequence[Card]) -> int:
    """Count envido: 20 and the best two cards of one suit, else the best single card.

    >>> envido_points([Card("7e"), Card("6e"), Card("5e")])
    33
    >>> envido_points([Card("12e"), Card("6b"), Card("5c")])
    6
    """
    return _points(tuple(hand))[0]


def has_flor(hand: Sequence[Card]) -> bool:
    """Tell whether all cards are of one suit."""
    return _points(tuple(hand))[1] > 0


def flor_points(hand: Sequence[Card]) -> int:
    """Count a flor: 20 and the three cards; nothing for a hand that is no flor.

    >>> flor_points([Card("7e"), Card("6e"), Card("5e")])
    38
    """
    return _points(tuple(hand))[1]


assert set(STRENGTH) == set(SPANISH_DECK)
