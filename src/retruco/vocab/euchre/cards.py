"""What cards, hands and tricks are worth to who looks at them; cards are numbers, sets of cards bits.

Seelbinder (2012), figure 1.2, counts trumps in hundreds, the suit led in tens, all others in ones, and the bowers most of all.
Values learnt from play are in `learnt`. Values are an array by trumps, the suit led (none comes last) and the card.

>>> [value_of(card, "h", "c") for card in ("Jd", "Ah", "Ac", "As")]
[1000.0, 600.0, 60.0, 6.0]
>>> held = sum(1 << DECK.index(card) for card in ("Jc", "Kh", "Ah", "Js", "Ad"))
>>> share_of(PUBLISHED[0, -1], held, 0)  # the hand of figure 3.2, clubs are trumps
0.5772935779816514
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.euchre import DECK, SUITS, Card, Suit, suit_of
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import LEFT, RANKS, left_bower, right_bower
from retruco.games.euchre.stepper import Situation, best_place, count_of, first_of, next_seat, seat_at
from retruco.games.euchre.tricks import SEATS

NOTHING_LED: Final = ""
"""The suit led before a card is."""
JACK, ACE = RANKS.index("J"), RANKS.index("A")
EVERY_CARD: Final = (1 << at.DECK_SIZE) - 1

Floats: TypeAlias = NDArray[np.float64]
Reckoning: TypeAlias = Callable[[Card, Suit, Suit], float]
"""Says what a card is worth, given trumps and the suit led."""


def table_of(value: Reckoning) -> Floats:
    """What every card is worth, by trumps and the suit led."""
    leads = (*SUITS, NOTHING_LED)
    return np.array(
        [[[value(card, trump, led) for card in DECK] for led in leads] for trump in SUITS], np.float64
    )


def _value(card: Card, trump: Suit, led: Suit) -> int:
    if card == right_bower(trump):
        return 1500
    if card == left_bower(trump):
        return 1000
    suit = suit_of(card, trump)
    return (RANKS.index(card[0]) + 1) * (100 if suit == trump else 10 if suit == led else 1)


PUBLISHED: Final = table_of(_value)
"""The published value of every card."""


def value_of(card: Card, trump: Suit, led: Suit = NOTHING_LED, values: Floats = PUBLISHED) -> float:
    """What one card is worth."""
    place = list(SUITS).index(led) if led else -1
    return float(values[list(SUITS).index(trump), place, DECK.index(card)])


@compiled_step
def share_of(values: Floats, held: int, gone: int) -> float:
    """What part of the value still in play some cards are."""
    mine = whole = lost = 0.0
    for card in range(len(values)):
        whole += values[card]
        if held >> card & 1:
            mine += values[card]
        if gone >> card & 1:
            lost += values[card]
    return float(mine / (whole - lost))


@compiled_step
def highest(values: Floats, cards: int) -> int:
    """The card of the highest value among some, the first of those that are equal."""
    found = first_of(cards) if cards else at.NONE
    while cards:
        card = first_of(cards)
        cards &= cards - 1
        if values[card] > values[found]:
            found = card
    return found


@compiled_step
def lowest(values: Floats, cards: int) -> int:
    """The card of the lowest value among some, the first of those that are equal."""
    found = first_of(cards) if cards else at.NONE
    while cards:
        card = first_of(cards)
        cards &= cards - 1
        if values[card] < values[found]:
            found = card
    return found


# Hands before a card is led

BOWER_TRICKS: Final = (0.95, 1.0)
TRUMP_TRICKS: Final = (0.35, 0.4, 0.0, 0.5, 0.65, 0.8)
SIDE_TRICKS: Final = (0.0, 0.0, 0.0, 0.0, 0.2, 0.65)
"""What a card takes, by its rank; a king of a side suit half of it unless it is alone there."""
RUFF: Final = 0.25
"""What an empty suit adds to each trump beyond the first, up to two."""


class Hand(NamedTuple):
    """The cards a seat would play with; the last is one that it picked up."""

    cards: int
    picked: int


@compiled_step
def hand_with(seen: Situation, trump: int) -> Hand:
    """The hand with a suit as trumps: an ordered upcard goes to the dealer, who puts the card of the least value away."""
    if seen[at.DEALER] != seen[at.SEAT] or seen[at.SAID] >= SEATS:
        return Hand(seen[at.HELD], at.NONE)
    six = seen[at.HELD] | 1 << seen[at.UPCARD]
    worst = lowest(PUBLISHED[trump, at.NO_SUIT], six)
    return Hand(six & ~(1 << worst), seen[at.UPCARD] if worst != seen[at.UPCARD] else at.NONE)


@compiled_step
def call_for(seen: Situation, suit: int) -> int:
    """The call that makes a suit trumps now: the suit that was turned in the first round, another one in the second."""
    is_turned = suit == seen[at.UPCARD] // len(RANKS)
    if seen[at.SAID] < SEATS:
        return at.SAY_ORDER if is_turned else at.NONE
    return at.NONE if is_turned else at.SAY_SUIT + suit


@compiled_step
def expected_tricks(hand: Hand, trump: int) -> float:
    """About how many tricks a hand takes with a suit as trumps."""
    tricks = 0.0
    left = hand.cards if hand.picked == at.NONE else hand.cards & ~(1 << hand.picked)
    while left:
        tricks += tricks_of(hand.cards, trump, first_of(left))
        left &= left - 1
    if hand.picked != at.NONE:
        tricks += tricks_of(hand.cards, trump, hand.picked)
    empty = 0
    for suit in range(at.SUIT_COUNT):
        empty += suit != trump and not hand.cards & at.SUIT_CARDS[trump, suit]
    trumps = count_of(hand.cards & at.SUIT_CARDS[trump, trump])
    return float(tricks + RUFF * min(2, empty) * min(2, max(0, trumps - 1)) / 2)


@compiled_step
def tricks_of(cards: int, trump: int, card: int) -> float:
    """What one card of a hand takes."""
    height, suit = at.HEIGHTS[trump, card], at.SUIT[trump, card]
    if height >= LEFT:
        return BOWER_TRICKS[height - LEFT]
    if suit == trump:
        return TRUMP_TRICKS[height]
    is_alone = count_of(cards & at.SUIT_CARDS[trump, suit]) == 1
    return SIDE_TRICKS[height] * (1.0 if is_alone or height == ACE else 0.5)


# Tricks


class Trick(NamedTuple):
    """What lies on the table, who is winning, and what could be played."""

    seen: Situation
    values: Floats
    """What each card is worth in this trick to whoever looks."""
    trump: int
    led: int
    """The suit that was led; `at.NO_SUIT` before a card is."""
    legal: int
    best: int
    """The winning card on the table."""
    can_win: bool
    """Whether the highest legal card beats everything on the table; who leads always can."""
    partner_wins: bool
    is_last: bool
    """Whether nobody plays after this seat."""


@compiled_step
def look_at_trick(seen: Situation, values: Floats) -> Trick:
    """Look at the trick being played, with card values by trumps and the suit led."""
    trump, legal = seen[at.TRUMP], seen[at.LEGAL]
    is_last = next_seat(seen, seen[at.SEAT]) == seen[at.LEADER]
    if not seen[at.PLACED]:
        return Trick(seen, values[trump, at.NO_SUIT], trump, at.NO_SUIT, legal, at.NONE, True, False, is_last)
    led, place = at.SUIT[trump, seen[at.TABLE]], best_place(seen)
    best, here = seen[at.TABLE + place], values[trump, led]
    can_win = bool(at.BEATS[trump, led, best] >> highest(here, legal) & 1)
    partner_wins = seat_at(seen, place) == (seen[at.SEAT] + 2) % SEATS
    return Trick(seen, here, trump, led, legal, best, can_win, partner_wins, is_last)


@compiled_step
def above(trick: Trick, suit: int, card: int) -> int:
    """The cards of a suit that beat a card in this trick."""
    return int(at.SUIT_CARDS[trick.trump, suit] & at.BEATS[trick.trump, trick.led, card])


@compiled_step
def winners(trick: Trick) -> int:
    """The legal cards that beat everything on the table."""
    return int(trick.legal & at.BEATS[trick.trump, trick.led, trick.best])


@compiled_step
def played(seen: Situation) -> int:
    """Every card that was played before this one."""
    first, second, third, last = seen[at.PLAYED : at.PLAYED + SEATS]
    return int(first | second | third | last)


@compiled_step
def share(trick: Trick, counts_table: bool) -> float:
    """What part of the value not yet played this seat holds; as published, what lies on the table does not count."""
    gone = trick.seen[at.GONE] if counts_table else played(trick.seen)
    return share_of(trick.values, trick.seen[at.HELD], gone)


@compiled_step
def sensible(seen: Situation) -> int:
    """The card of plain sense: let a winning partner win; else win, cheaply if nobody plays after, or throw the lowest."""
    trick = look_at_trick(seen, PUBLISHED)
    cards = trick.legal if trick.led == at.NO_SUIT else 0 if trick.partner_wins else winners(trick)
    if not cards:
        return lowest(trick.values, trick.legal)
    return lowest(trick.values, cards) if trick.is_last else highest(trick.values, cards)
