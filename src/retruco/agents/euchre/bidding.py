"""Bidding as a part of its own, which any way to play cards can be joined with.

`common` is the one rule that the published agents share here, since their paper describes none:
the values of figure 1.2 say what a hand would be worth with a suit as trumps. `tricks` counts the
tricks a hand may take; `alone` does so too and leaves the partner out with a very strong hand;
`blind` draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from retruco.cbr.case import Decision, Json
from retruco.games.core import Action
from retruco.games.euchre import Card, EuchreObservation, Suit, partner_of
from retruco.games.euchre.deck import left_bower, right_bower
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import ALONE, AND_ALONE, DISCARD, PASSING, TOGETHER
from retruco.streams import Stream
from retruco.vocab.euchre.strength import expected_tricks, hand_with, suits_to_call
from retruco.vocab.euchre.values import NOTHING_LED, VALUES, share_of


class Bidder(Protocol):
    """Speaks for a seat until the first card is led."""

    def bid(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Pass or make trumps."""

    def discard(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Put one of six cards away."""

    def alone(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Say whether to play without the partner, where that is asked by itself."""


class Common:
    """Make trumps with a large enough part of the deck's value; put the least valuable card away."""

    threshold: float = 0.35
    """A good third of the deck: of 0.20 to 0.45 none is clearly better (`benchmarks/euchre_threshold.py`)."""

    def worth(self, seen: EuchreObservation, trump: Suit) -> float:
        """What a hand is worth with a suit as trumps."""
        return share_of(hand_with(seen, trump), trump)

    def bid(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Call the best suit if it is good enough, or if the dealer is stuck."""
        words = suits_to_call(seen)
        worths = {suit: self.worth(seen, suit) for suit in words}
        best = max(worths, key=worths.__getitem__)
        values: dict[str, Json] = {"suit": best, "worth": round(worths[best], 3), "least": self.threshold}
        if worths[best] >= self.threshold:
            return Decision(self.call(words[best], worths[best], seen, best), "euchre.calls", values)
        if PASSING in seen.legal:
            return Decision(PASSING, "euchre.passes", values)
        return Decision(words[best], "euchre.stuck", values)

    def call(self, word: Action, worth: float, seen: EuchreObservation, trump: Suit) -> Action:
        """The word for a suit; this bidder never goes alone."""
        return word

    def discard(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Put the card of the least value away."""
        assert seen.contract is not None
        values = VALUES[seen.contract.trump][NOTHING_LED]
        worst = min(seen.legal, key=lambda action: values[action.removeprefix(DISCARD)])
        return Decision(worst, "euchre.worst-card")

    def alone(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Keep the partner."""
        return Decision(TOGETHER, "euchre.together")


UPCARD: Final = 0.25
"""What the upcard is worth in the hands of the partner, or costs in those of an opponent."""


class Tricks(Common):
    """Make trumps with tricks enough in sight; the upcard counts for the side that gets it."""

    threshold = 2.25

    def worth(self, seen: EuchreObservation, trump: Suit) -> float:
        """Count the tricks, and what the upcard does for partner or opponents."""
        tricks = expected_tricks(hand_with(seen, trump), trump)
        if len(seen.bids) >= SEATS or seen.dealer == seen.seat:
            return tricks
        high = UPCARD * (2 if seen.upcard[0] == "J" else 1)
        return tricks + high if seen.dealer == partner_of(seen.seat) else tricks - high


class Alone(Tricks):
    """As `tricks`, and alone with four tricks in sight and a bower to lead them."""

    lone: Final = 4.0

    def call(self, word: Action, worth: float, seen: EuchreObservation, trump: Suit) -> Action:
        """Go alone where the rules say so with the call."""
        goes = word + AND_ALONE in seen.legal and self._strong(hand_with(seen, trump), trump)
        return word + AND_ALONE if goes else word

    def alone(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Go alone where that is asked after the discard."""
        assert seen.contract is not None
        goes = self._strong(seen.held, seen.contract.trump)
        return Decision(ALONE, "euchre.alone") if goes else Decision(TOGETHER, "euchre.together")

    def _strong(self, hand: tuple[Card, ...], trump: Suit) -> bool:
        bower = right_bower(trump) in hand or left_bower(trump) in hand
        return bower and expected_tricks(hand, trump) >= self.lone


class Blind(Common):
    """Draw among passing and the suits, whatever the cards."""

    def bid(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Draw one of the words that do not leave the partner out."""
        words = [word for word in seen.legal if not word.endswith(AND_ALONE)]
        return Decision(chance.choice(words), "drawn", {"among": len(words)})


BIDDERS: Final[Mapping[str, tuple[Bidder, str]]] = {
    "": (Common(), "the common bidding"),
    "tricks": (Tricks(), "counting tricks"),
    "alone": (Alone(), "counting tricks, alone with four"),
    "blind": (Blind(), "drawing"),
}
"""The bidders by the name that follows the @; without one it is the common bidding."""
