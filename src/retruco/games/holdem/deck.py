"""The French deck in poker notation: `As` is the ace of spades, `Td` the ten of diamonds.

Every card is also one bit of a whole number, suit by suit, so that a set of cards is a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import prod
from typing import Final, TypeAlias

from retruco.games.core import short_repr
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
            f"unknown card {short_repr(text)}: a card is one of {RANKS} followed by one of {SUITS}, such as As or Td"
        )
    return text


def bits(cards: Iterable[str]) -> int:
    """Write a set of cards as a number.

    >>> bin(bits(["2c", "4c"]))
    '0b101'
    """
    together = 0
    for card in cards:
        together |= BIT[card]
    return together


Run: TypeAlias = tuple[int, tuple[int, ...]]
"""In how many orders some cards may be drawn, and the sizes of the deck as they are."""


def _cut(sizes: tuple[int, ...], most: int) -> list[Run]:
    """Cut a draw into runs of so few orders that a number below `most` can name them."""
    runs: list[Run] = []
    while sizes:
        fit = max(count for count in range(1, len(sizes) + 1) if prod(sizes[:count]) < most)
        runs.append((prod(sizes[:fit]), sizes[:fit]))
        sizes = sizes[fit:]
    return runs


@cache
def draw_runs(count: int) -> tuple[tuple[int, tuple[Run, ...]], ...]:
    """Cut a draw into runs that one number of the stream decides, and these into quicker, small ones."""
    sizes = tuple(len(CARDS) - place for place in range(count))
    return tuple((orders, tuple(_cut(run, 1 << 30))) for orders, run in _cut(sizes, 1 << 63))


def drawn(chance: Stream, count: int) -> list[str]:
    """Draw cards from a shuffled deck, every order equally likely, with few random numbers."""
    pool: list[str] = list(CARDS)
    hand: list[str] = []
    lay = hand.append
    for orders, parts in draw_runs(count):
        number = chance.below(orders)
        for part, sizes in parts:
            number, places = divmod(number, part)
            for size in sizes:
                place = places % size
                places //= size
                lay(pool[place])
                pool[place] = pool[size - 1]
    return hand
