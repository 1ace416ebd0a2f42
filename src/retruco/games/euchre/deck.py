"""The twenty-four cards, the two bowers, and which card beats which.

A card is its notation: a rank of 9TJQKA and a suit of cdhs, such as `Jh`. Once a suit is trumps,
the other jack of its colour, the left bower, belongs to the trumps and to no other suit.

>>> suit_of("Jd", trump="h"), suit_of("Jd", trump="c")
('h', 'd')
>>> power("Jh", "h", led="c") > power("Jd", "h", led="c") > power("Ah", "h", led="c") > power("Ac", "h", led="c")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Card: TypeAlias = str
Suit: TypeAlias = str
Hand: TypeAlias = tuple[Card, ...]

RANKS: Final = "9TJQKA"
SUITS: Final[Mapping[Suit, str]] = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
"""The four suits by the letter that names them."""
SAME_COLOUR: Final[Mapping[Suit, Suit]] = {"c": "s", "s": "c", "d": "h", "h": "d"}

DECK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""All cards, suit by suit, from the nine up."""

LEFT: Final = len(RANKS)
RIGHT: Final = len(RANKS) + 1
"""The bowers stand above the ace, the right one above the left."""
OF_THE_SUIT_LED: Final = 10
OF_TRUMPS: Final = 20


def right_bower(trump: Suit) -> Card:
    """The jack of trumps, the best card."""
    return "J" + trump


def left_bower(trump: Suit) -> Card:
    """The other jack of the colour, the second best: it is a trump."""
    return "J" + SAME_COLOUR[trump]


def _suit_of(card: Card, trump: Suit) -> Suit:
    return trump if card == left_bower(trump) else card[1]


def _height(card: Card, trump: Suit) -> int:
    """How high a card stands in its own suit."""
    if card == right_bower(trump):
        return RIGHT
    return LEFT if card == left_bower(trump) else RANKS.index(card[0])


def _power(card: Card, trump: Suit, led: Suit) -> int:
    suit = _suit_of(card, trump)
    if suit == trump:
        return OF_TRUMPS + _height(card, trump)
    return OF_THE_SUIT_LED + _height(card, trump) if suit == led else 0


SUIT_OF: Final = {trump: {card: _suit_of(card, trump) for card in DECK} for trump in SUITS}
"""The suit each card belongs to, by trumps."""
HEIGHT: Final = {trump: {card: _height(card, trump) for card in DECK} for trump in SUITS}
"""How high each card stands in its suit, by trumps: 0 for a nine, up to 7 for the right bower."""
POWER: Final = {
    trump: {led: {card: _power(card, trump, led) for card in DECK} for led in SUITS} for trump in SUITS
}
"""What each card is worth in a trick, by trumps and the suit led; nothing where it cannot win."""

Cards: TypeAlias = int
"""A set of cards as one number, a bit a card: hands are made smaller and searched at no cost."""
BIT: Final = {card: 1 << place for place, card in enumerate(DECK)}
ALL: Final = sum(BIT.values())
SUIT_BITS: Final = {
    trump: {suit: sum(BIT[card] for card in DECK if _suit_of(card, trump) == suit) for suit in SUITS}
    for trump in SUITS
}
"""The cards of each suit, by trumps."""


def written(numbers: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Write out what the bits of a number stand for."""
    return tuple([texts[place] for place in range(numbers.bit_length()) if numbers >> place & 1])


@lru_cache(maxsize=1 << 14)
def listed(cards: Cards) -> Hand:
    """Write out a set of cards in the order of the deck."""
    return written(cards, DECK)


def set_of(cards: Iterable[Card]) -> Cards:
    """Gather cards into a set.

    >>> listed(set_of(["Jh", "9c"]))
    ('9c', 'Jh')
    """
    return sum([BIT[card] for card in cards])


def suit_of(card: Card, trump: Suit) -> Suit:
    """Name the suit a card belongs to when a suit is trumps."""
    return SUIT_OF[trump][card]


def power(card: Card, trump: Suit, led: Suit) -> int:
    """Tell what a card is worth in a trick; the greatest wins, and 0 cannot."""
    return POWER[trump][led][card]


def card(text: object) -> Card:
    """Read one card, or say what a card looks like.

    >>> card("10h")
    Traceback (most recent call last):
    ...
    ValueError: unknown card '10h': a card is 9, T, J, Q, K or A followed by c, d, h or s, such as 9c or Jh
    """
    if not isinstance(text, str) or text not in DECK:
        raise ValueError(
            f"unknown card {text!r}: a card is 9, T, J, Q, K or A followed by c, d, h or s, such as 9c or Jh"
        )
    return text
