"""Cards as players write them: `1e` is the ace of espadas.

A card *is* its notation, a string with a rank and a suit, so that hands, actions and
records all speak the same language.

>>> ace = Card("1e")
>>> ace.rank, ace.suit, ace == "1e"
(1, 'e', True)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

SUIT_NAMES: Final = {"e": "espadas", "b": "bastos", "o": "ouros", "c": "copas"}
"""The four suits of the Spanish deck, by the letter that names them."""

SPANISH_RANKS: Final = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)


class Card(str):
    """A card of the Spanish deck, equal to its notation. It does not change.

    Use `card()` to read text from outside; it says what is wrong with a bad card.
    """

    __slots__ = ("rank", "suit")

    rank: int
    suit: str

    def __new__(cls, text: str) -> Card:
        self = super().__new__(cls, text)
        object.__setattr__(self, "rank", int(text[:-1]))
        object.__setattr__(self, "suit", text[-1])
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card does not change: {name} of {self} is fixed")

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (str(self),)


SPANISH_DECK: Final = tuple(Card(f"{rank}{suit}") for suit in SUIT_NAMES for rank in SPANISH_RANKS)
"""The forty cards: 1 to 7, 10, 11 and 12 of each suit."""

_BY_TEXT: Final = {str(one): one for one in SPANISH_DECK}


def card(text: object) -> Card:
    """Read one card, or say what a card looks like.

    >>> card("12c")
    '12c'
    >>> card("8e")
    Traceback (most recent call last):
    ...
    ValueError: unknown card '8e': a card is 1-7, 10, 11 or 12 followed by e, b, o or c, such as 1e or 12c
    """
    found = _BY_TEXT.get(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(
            f"unknown card {text!r}: a card is 1-7, 10, 11 or 12 followed by e, b, o or c, such as 1e or 12c"
        )
    return found


@cache
def _order() -> dict[str, int]:
    return {str(one): place for place, one in enumerate(SPANISH_DECK)}


def in_deck_order(cards: Iterable[Card]) -> list[Card]:
    """Sort cards by suit, then rank, as they lie in a new deck."""
    return sorted(cards, key=lambda card: _order()[card])
