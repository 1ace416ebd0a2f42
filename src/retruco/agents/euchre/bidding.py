"""Bidding as a part of its own, which any way to play cards can be joined with.

The common bidding is the one rule that the published agents share here, since their paper describes none:
the values of figure 1.2 say what a hand would be worth with a suit as trumps. `tricks` counts the
tricks a hand may take; `alone` does so too and leaves the partner out with a very strong hand;
`blind` draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.agents.euchre import moves as why
from retruco.agents.euchre.moves import Move, drawn, one
from retruco.compiler import compiled_step
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import RANKS
from retruco.games.euchre.stepper import Situation
from retruco.games.euchre.tricks import SEATS
from retruco.vocab.euchre.cards import (
    JACK,
    PUBLISHED,
    Hand,
    call_for,
    expected_tricks,
    hand_with,
    lowest,
    share_of,
)

BIDDERS: Final[Mapping[str, str]] = {
    "": "the common bidding",
    "tricks": "counting tricks",
    "alone": "counting tricks, alone with four",
    "blind": "drawing",
}
"""The bidders by the name that follows the @; without one it is the common bidding. A bidder is its place here."""
COMMON, TRICKS, ALONE, BLIND = range(len(BIDDERS))
LEAST: Final = (0.35, 2.25, 2.25, 0.0)
"""The worth from which a bidder calls: a good third of the deck, where of 0.20 to 0.45 none is clearly better
(`benchmarks/euchre_threshold.py`), or so many tricks."""
UPCARD_WORTH: Final = 0.25
"""What the upcard is worth in the hands of the partner, or costs in those of an opponent."""
LONE: Final = 4.0
"""The tricks in sight with which `alone` leaves the partner out, given a bower to lead them."""


@compiled_step
def bid(bidder: int, least: float, seen: Situation) -> Move:
    """Call the best suit if it is good enough, or if the dealer is stuck; by published values."""
    if bidder == BLIND:
        return drawn(seen[at.LEGAL] & ~(-1 << at.SAY_ORDER + at.BY_ITSELF))
    best, most = at.NONE, 0.0
    for suit in range(at.SUIT_COUNT):
        if call_for(seen, suit) != at.NONE:
            worth = worth_of(bidder, seen, suit)
            if best == at.NONE or worth > most:
                best, most = suit, worth
    word = call_for(seen, best)
    if most >= least:
        if bidder == ALONE and seen[at.LEGAL] >> word + at.BY_ITSELF & 1:
            hand = hand_with(seen, best)
            word += at.BY_ITSELF if is_strong(hand, best) else 0
        return Move(1 << word, why.ONE, why.CALLS, most, best, at.NONE)
    if seen[at.LEGAL] >> at.SAY_PASS & 1:
        return Move(1 << at.SAY_PASS, why.ONE, why.PASSES, most, best, at.NONE)
    return Move(1 << word, why.ONE, why.STUCK, most, best, at.NONE)


@compiled_step
def worth_of(bidder: int, seen: Situation, trump: int) -> float:
    """What a hand is worth with a suit as trumps: its part of the deck's value, or tricks.

    The upcard adds to the tricks or takes from them, by who gets it.
    """
    hand = hand_with(seen, trump)
    if bidder == COMMON:
        return share_of(PUBLISHED[trump, at.NO_SUIT], hand.cards, 0)
    tricks = expected_tricks(hand, trump)
    if seen[at.SAID] >= SEATS or seen[at.DEALER] == seen[at.SEAT]:
        return tricks
    upcard = UPCARD_WORTH * (2 if seen[at.UPCARD] % len(RANKS) == JACK else 1)
    return tricks + upcard if (seen[at.DEALER] - seen[at.SEAT]) % SEATS == 2 else tricks - upcard


@compiled_step
def is_strong(hand: Hand, trump: int) -> bool:
    """Whether a hand goes alone."""
    return bool(hand.cards & at.BOWERS[trump] and expected_tricks(hand, trump) >= LONE)


@compiled_step
def discard(seen: Situation) -> Move:
    """Put the card of the least value away."""
    return one(
        at.FIRST_DISCARD + lowest(PUBLISHED[seen[at.TRUMP], at.NO_SUIT], seen[at.LEGAL]), why.WORST_CARD
    )


@compiled_step
def say_alone(bidder: int, seen: Situation) -> Move:
    """Go alone or not, where that is asked after the discard."""
    goes = bidder == ALONE and is_strong(Hand(seen[at.HELD], at.NONE), seen[at.TRUMP])
    return one(at.SAY_ALONE, why.GOES_ALONE) if goes else one(at.SAY_TOGETHER, why.STAYS_TOGETHER)
