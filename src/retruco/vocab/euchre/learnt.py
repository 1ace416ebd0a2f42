"""What cards are worth by experience: how often they took a trick, in hands played for that.

A card is met in one of six situations, and its value there is the share of tricks that it took. A
plain card while another suit is led takes nothing now: its value is the share of times it took a
trick later.

>>> situation_of("Jd", trump="h", led="c"), situation_of("Ad", "h", "d"), situation_of("Ad", "h", "c")
(('ruffs', 'left'), ('follows', 'A'), ('is kept', 'A'))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from retruco.games.euchre import Card, Suit, suit_of
from retruco.games.euchre.deck import left_bower, right_bower
from retruco.vocab.euchre.cards import NOTHING_LED, Floats, table_of

TRUMP_RANKS: Final = ("9", "T", "Q", "K", "A", "left", "right")
PLAIN_RANKS: Final = ("9", "T", "J", "Q", "K", "A")

LEADS_TRUMP, LEADS = "leads trump", "leads"
FOLLOWS_TRUMP, FOLLOWS = "follows trump", "follows"
RUFFS, IS_KEPT = "ruffs", "is kept"
SITUATIONS: Final = {
    LEADS_TRUMP: TRUMP_RANKS,
    FOLLOWS_TRUMP: TRUMP_RANKS,
    RUFFS: TRUMP_RANKS,
    LEADS: PLAIN_RANKS,
    FOLLOWS: PLAIN_RANKS,
    IS_KEPT: PLAIN_RANKS,
}
"""Where a card is met, and the ranks that it may have there."""

Shares: TypeAlias = Mapping[str, Mapping[str, float]]
"""The share of tricks that a card takes, by situation and rank."""


def situation_of(card: Card, trump: Suit, led: Suit) -> tuple[str, str]:
    """Say in which situation a card is, given what was led, and its rank there."""
    suit = suit_of(card, trump)
    if suit == trump:
        rank = {right_bower(trump): "right", left_bower(trump): "left"}.get(card, card[0])
        return (LEADS_TRUMP if led == NOTHING_LED else FOLLOWS_TRUMP if led == trump else RUFFS), rank
    return (LEADS if led == NOTHING_LED else FOLLOWS if led == suit else IS_KEPT), card[0]


def values_of(shares: Shares) -> Floats:
    """Make values of shares."""
    if min(shares[RUFFS].values()) <= max(shares[IS_KEPT].values()):
        raise ValueError("by these values a card that cannot take the trick is above one that can")

    def value(card: Card, trump: Suit, led: Suit) -> float:
        situation, rank = situation_of(card, trump, led)
        return shares[situation][rank]

    return table_of(value)


@cache
def learnt_values() -> Floats:
    """The values that come with the program."""
    found = json.loads((files("retruco.vocab.euchre") / "learnt_values.json").read_text())
    return values_of(
        {
            situation: {rank: one["share"] for rank, one in ranks.items()}
            for situation, ranks in found["cards"].items()
        }
    )
