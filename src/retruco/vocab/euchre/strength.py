"""What a hand may be worth before a card is led: the suits that can be called, and tricks in sight."""

from __future__ import annotations

from typing import Final

from retruco.games.core import Action
from retruco.games.euchre import SUITS, Card, EuchreObservation, Suit
from retruco.games.euchre.deck import SUIT_OF, left_bower, right_bower
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import CALLS, ORDER
from retruco.vocab.euchre.values import NOTHING_LED, VALUES


def hand_with(seen: EuchreObservation, trump: Suit) -> tuple[Card, ...]:
    """The cards a seat would play with: an ordered upcard goes to the dealer, who puts the worst away."""
    if seen.dealer != seen.seat or len(seen.bids) >= SEATS:
        return seen.held
    values = VALUES[trump][NOTHING_LED]
    six = (*seen.held, seen.upcard)
    return tuple(card for card in six if card != min(six, key=values.__getitem__))


def suits_to_call(seen: EuchreObservation) -> dict[Suit, Action]:
    """The suits that may be made trumps now, and the word for each."""
    if len(seen.bids) < SEATS:
        return {seen.upcard[1]: ORDER}
    return {suit: name for name, suit in CALLS.items() if suit != seen.upcard[1]}


TRUMP_TRICKS: Final = {"A": 0.8, "K": 0.65, "Q": 0.5, "T": 0.4, "9": 0.35}
SIDE_TRICKS: Final = {"A": 0.65, "K": 0.2}
RUFF: Final = 0.25
"""What an empty suit adds to each trump beyond the first, up to two."""


def expected_tricks(hand: tuple[Card, ...], trump: Suit) -> float:
    """About how many tricks a hand takes with a suit as trumps.

    >>> round(expected_tricks(("Jh", "Jd", "Ah", "Ac", "9s"), "h"), 2)
    3.65
    """
    suits = [SUIT_OF[trump][card] for card in hand]
    tricks = 0.0
    for card, suit in zip(hand, suits, strict=True):
        if card == right_bower(trump):
            tricks += 1.0
        elif card == left_bower(trump):
            tricks += 0.95
        elif suit == trump:
            tricks += TRUMP_TRICKS[card[0]]
        else:
            alone = suits.count(suit) == 1
            tricks += SIDE_TRICKS.get(card[0], 0.0) * (1.0 if alone or card[0] == "A" else 0.5)
    empty = sum(suit not in suits for suit in SUITS if suit != trump)
    return tricks + RUFF * min(2, empty) * min(2, max(0, suits.count(trump) - 1)) / 2
