"""The French deck in poker notation: `As` is the ace of spades, `Td` the ten of diamonds.

Every card is also one bit of a whole number, suit by suit, so that a set of cards is a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import prod
from typing import Final, TypeAlias

from retruco.games.core import shown
from retruco.streams import Stream

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUIT_WIDTH: Final = len(RANKS)

CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The fifty-two cards; the place of a card is the place of its bit."""

PLACE: Final = {card: place for place, card in enumerate(CARDS)}
BIT: Final = {card: 1 << place for card, place in PLACE.items()}

Hole: TypeAlias = tuple[str, str]
"""The two cards that one seat holds."""


def card(text: object) -> str:
    """Read one card, or say what a card looks like.

    >>> card("1s")
    Traceback (most recent call last):
    ...
    ValueError: unknown card '1s': a card is one of 23456789TJQKA followed by one of cdhs, such as As or Td
    """
    if not isinstance(text, str) or text not in BIT:
        raise ValueError(
            f"unknown card {shown(text)}: a card is one of {RANKS} followed by one of {SUITS}, such as As or Td"
        )
    return text


def bits(cards: Iterable[str]) -> int:
    """Write a set of cards as a number.

    >>> bin(bits(["2c", "4c"]))
    '0b101'
    """
    together = 0
    for one in cards:
        together |= BIT[one]
    return together


@cache
def _runs(count: int) -> tuple[tuple[int, int, int], ...]:
    """Cut a draw of some cards into runs whose orders one number of 64 bits can name."""
    runs, start = [], 0
    while start < count:
        stop = start + 1
        while stop < count and prod(len(CARDS) - place for place in range(start, stop + 1)) < 1 << 63:
            stop += 1
        runs.append((start, stop, prod(len(CARDS) - place for place in range(start, stop))))
        start = stop
    return tuple(runs)


def drawn(chance: Stream, count: int) -> list[str]:
    """Draw cards from a shuffled deck, every order equally likely, with few random numbers."""
    pool, hand = list(CARDS), []
    for start, stop, orders in _runs(count):
        number = chance.below(orders)
        for left in range(len(CARDS) - start, len(CARDS) - stop, -1):
            number, place = divmod(number, left)
            hand.append(pool[place])
            pool[place] = pool[left - 1]
    return hand
