"""The chance chart as Seelbinder (2012, section 3.4) describes it: every place that may hold a card is equally likely.

A place is another seat or the cards that nobody plays, so that an unseen card is with each of the three seats
at 0.25, and at 0.333 once one seat cannot hold it: the numbers of figure 3.4 (its 0.666 follows from no rule of the text,
and its caption calls the chart perhaps impossible). A seat that does not follow suit cannot hold that suit,
"unless it is the Jack of trump or the Jack of the side suit". `chart` counts deals instead.
"""

from __future__ import annotations

from typing import NamedTuple

from retruco.games.core import Seat
from retruco.games.euchre import Card, EuchreObservation, Suit
from retruco.games.euchre.deck import BIT, SUIT_BITS, Cards, left_bower, listed, right_bower, set_of
from retruco.games.euchre.tricks import SEATS
from retruco.vocab.euchre.chart import ALL_CARDS, plays_of


class EvenChart(NamedTuple):
    """How likely each seat holds each card, by counting places."""

    trump: Suit
    chances: tuple[dict[Card, float], ...]
    """By seat; a card that is not there cannot be held."""

    def chance(self, seat: Seat, card: Card) -> float:
        """How likely a seat holds a card."""
        return self.chances[seat].get(card, 0.0)

    def any_of(self, seat: Seat, cards: Cards) -> float:
        """About how likely a seat holds at least one of some cards: each taken by itself."""
        none = 1.0
        for card in listed(cards):
            none *= 1.0 - self.chance(seat, card)
        return 1.0 - none

    def is_void(self, seat: Seat, suit: Suit) -> bool:
        """Whether a seat cannot hold a card of a suit."""
        return not any(self.chance(seat, card) for card in listed(SUIT_BITS[self.trump][suit]))


def even_chart_of(seen: EuchreObservation) -> EvenChart:
    """Draw up the chart of what a seat has seen; trumps must have been made."""
    contract = seen.contract
    assert contract is not None
    played, voids, left = plays_of(seen)
    chances: tuple[dict[Card, float], ...] = tuple({} for _ in range(SEATS))
    chances[seen.seat].update(dict.fromkeys(seen.held, 1.0))
    gone = played | set_of(seen.held) | BIT[seen.upcard] | (BIT[seen.discard] if seen.discard else 0)
    if contract.ordered and seen.dealer != seen.seat and not played & BIT[seen.upcard]:
        chances[seen.dealer][seen.upcard] = 1.0
    bowers = right_bower(contract.trump), left_bower(contract.trump)
    for card in listed(ALL_CARDS & ~gone):
        seats = [
            seat
            for seat in range(SEATS)
            if seat != seen.seat and left[seat] and (card in bowers or card[1] not in voids[seat])
        ]
        for seat in seats:
            chances[seat][card] = 1 / (len(seats) + 1)  # or nobody plays it
    return EvenChart(contract.trump, chances)
