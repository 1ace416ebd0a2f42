"""What cards are worth: to the agents of Seelbinder (2012), figure 1.2, and by any other reckoning.

The published values count trumps in hundreds, the suit led in tens, all others in ones, and the
bowers most of all. Those learnt from play are in `learnt`.

>>> VALUES["h"]["c"]["Jd"], VALUES["h"]["c"]["Ah"], VALUES["h"]["c"]["Ac"], VALUES["h"]["c"]["As"]
(1000, 600, 60, 6)
>>> share_of(("Jc", "Kh", "Ah", "Js", "Ad"), "c")  # the hand of figure 3.2
0.5772935779816514
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from retruco.games.euchre import DECK, SUITS, Card, Suit, suit_of
from retruco.games.euchre.deck import RANKS, left_bower, right_bower

RIGHT, LEFT = 1500, 1000
NOTHING_LED: Final = ""
"""The suit led before a card is."""


def _value(card: Card, trump: Suit, led: Suit) -> int:
    if card == right_bower(trump):
        return RIGHT
    if card == left_bower(trump):
        return LEFT
    suit = suit_of(card, trump)
    return (RANKS.index(card[0]) + 1) * (100 if suit == trump else 10 if suit == led else 1)


Table: TypeAlias = dict[Suit, dict[Suit, dict[Card, float]]]
"""A number for every card, by trumps and the suit led."""
Reckoning: TypeAlias = Callable[[Card, Suit, Suit], float]
"""Says what a card is worth, given trumps and the suit led."""


class CardValues:
    """What every card is worth, by trumps and the suit led, and what part of it some cards are."""

    def __init__(self, value: Reckoning) -> None:
        self.values: Table = {
            trump: {led: {card: value(card, trump, led) for card in DECK} for led in (*SUITS, NOTHING_LED)}
            for trump in SUITS
        }
        self.whole = {
            trump: {led: sum(values.values()) for led, values in by_led.items()}
            for trump, by_led in self.values.items()
        }
        """The value of the whole deck."""

    def share_of(
        self, held: Iterable[Card], trump: Suit, led: Suit = NOTHING_LED, played: Iterable[Card] = ()
    ) -> float:
        """What part of the value still in play some cards are."""
        values = self.values[trump][led]
        left = self.whole[trump][led] - sum([values[card] for card in played])
        return sum([values[card] for card in held]) / left


PUBLISHED: Final = CardValues(_value)
VALUES: Final = PUBLISHED.values
"""The published value of every card, by trumps and the suit led."""
share_of: Final = PUBLISHED.share_of
