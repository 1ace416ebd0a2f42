"""The rules of Euchre: a hand as a row of whole numbers, which an action changes in place, and what one seat knows of it.

A row begins with a situation, all that the seat to act knows; the hands of all seats and the dealer's discard stand behind
it. A card is its place in the deck, a set of cards a number with a bit for each, a suit its place in `SUITS`, and an action
its place in `TEXTS`. `state` and `observation` show the same in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import perm
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, below
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.euchre.deck import (
    DECK,
    HEIGHT,
    POWER,
    RANKS,
    SUIT_BITS,
    SUIT_OF,
    SUITS,
    Suit,
    left_bower,
    right_bower,
    set_of,
)
from retruco.games.euchre.observation import EuchreObservation, actions_seen
from retruco.games.euchre.rules import Rules, first_leader
from retruco.games.euchre.tricks import SEATS, TRICKS
from retruco.games.euchre.words import ALONE, AND_ALONE, CALLS, DISCARD, ORDER, PASSING, TOGETHER

Row: TypeAlias = NDArray[np.int64]
Situation: TypeAlias = Row

NONE: Final = -1
"""Stands for a seat, a suit or a card that there is not."""
DECK_SIZE, SUIT_COUNT = len(DECK), len(SUITS)
NO_SUIT: Final = SUIT_COUNT
"""The suit that is led before a card is."""

# The places of a situation: the table, the board, what was said, the trick being played, what was played before.
STICK, ALONE_RULE, KEEPS_UPCARD, LEADS, SCORES, DEALER, UPCARD = 0, 1, 2, 3, 4, 6, 7
SEAT, STAGE, SAID, MAKER, TRUMP, ORDERED, OUT = 8, 9, 10, 11, 12, 13, 14
LEADER, PLACED, TABLE, FINISHED, SUITS_LED, GONE = 15, 16, 17, 21, 22, 23
PLAYED, LEFT, LACKS, TAKEN = 24, 28, 32, 36
"""By seat: the cards that it has played, how many it has left, the suits that it did not follow, the tricks that it took."""
HELD, LEGAL, AWAY = 40, 41, 42
"""The cards of the seat to act; what it may do, cards to be put away as cards; the card that it has put away."""
SITUATION: Final = 43
"""The size of a situation."""
HANDS, PUT_AWAY = SITUATION, SITUATION + SEATS
"""By seat: its cards; the dealer's discard."""
ROW: Final = PUT_AWAY + 1
"""The size of a row."""

BIDDING, DISCARDING, ASKED_ALONE, PLAYING, OVER = range(5)
"""What the seat to act is asked."""
ALONE_RULES: Final = ("never", "with the call", "after the discard")
WITH_THE_CALL, AFTER_THE_DISCARD = 1, 2

TEXTS: Final = (
    *(*DECK, PASSING, ORDER, *CALLS, ORDER + AND_ALONE, *(name + AND_ALONE for name in CALLS)),
    *(ALONE, TOGETHER, *(DISCARD + card for card in DECK)),
)
"""All actions; the number of an action is its place."""
MOST_ACTIONS: Final = 2 * SEATS + 2 + SEATS * TRICKS
"""How many actions a hand has at the most."""
NUMBERS: Final = {text: number for number, text in enumerate(TEXTS)}
SAY_PASS, SAY_ORDER, SAY_SUIT = DECK_SIZE, DECK_SIZE + 1, DECK_SIZE + 2
BY_ITSELF: Final = 1 + SUIT_COUNT
"""What a call is more when the maker leaves the partner out in the same breath."""
SAY_ALONE, SAY_TOGETHER, FIRST_DISCARD = NUMBERS[ALONE], NUMBERS[TOGETHER], NUMBERS[DISCARD + DECK[0]]


def by_trump(row: Callable[[Suit], object]) -> Row:
    """A table with a row for each suit that may be trumps."""
    return np.array([row(trump) for trump in SUITS], np.int64)


SUIT: Final = by_trump(lambda trump: [list(SUITS).index(SUIT_OF[trump][card]) for card in DECK])
"""The suit of each card, by trumps."""
SUIT_CARDS: Final = by_trump(lambda trump: list(SUIT_BITS[trump].values()))
"""The cards of each suit."""
HEIGHTS: Final = by_trump(lambda trump: list(HEIGHT[trump].values()))
"""How high each card stands in its own suit."""
BEATS: Final = by_trump(
    lambda trump: [
        [sum(1 << place for place, other in enumerate(DECK) if worth[other] > worth[card]) for card in DECK]
        for worth in POWER[trump].values()
    ]
)
"""The cards that beat each card, by the suit led."""
BOWERS: Final = by_trump(lambda trump: set_of((left_bower(trump), right_bower(trump))))


BIT_PLACES: Final = np.array(
    [{2**place % 67: place for place in range(66)}.get(rest, 0) for rest in range(67)]
)
"""The place of a single bit, by the remainder that it leaves."""


@compiled_step
def first_of(cards: int) -> int:
    """The first of some cards. To go through cards, take the first while there are some: `cards &= cards - 1` leaves the others."""
    return int(BIT_PLACES[(cards & -cards) % 67])


@compiled_step
def count_of(cards: int) -> int:
    """How many cards there are."""
    found = 0
    while cards:
        cards &= cards - 1
        found += 1
    return found


@compiled_step
def nth_of(cards: int, place: int) -> int:
    """The card at a place among some."""
    for _ in range(place):
        cards &= cards - 1
    return first_of(cards)


@compiled_step
def begin(row: Row, dealer: int, upcard: int) -> None:
    """Begin a hand with the rules, scores and hands that the row holds; the seat to the dealer's left speaks first."""
    for place in range(SEAT, SITUATION):
        row[place] = 0
    row[DEALER], row[UPCARD], row[SEAT] = dealer, upcard, (dealer + 1) % SEATS
    row[MAKER] = row[TRUMP] = row[OUT] = row[PUT_AWAY] = NONE
    row[LEADER] = (dealer + row[LEADS]) % SEATS
    for seat in range(SEATS):
        row[LEFT + seat] = TRICKS
    look(row)


@compiled_step
def play(row: Row, action: int) -> None:
    """Carry out a legal action of the seat to act."""
    stage = row[STAGE]
    if stage == BIDDING:
        bid(row, action)
    elif stage == DISCARDING:
        row[PUT_AWAY] = action - FIRST_DISCARD
        row[HANDS + row[DEALER]] &= ~(1 << row[PUT_AWAY])
        ask_alone_or_lead(row)
    elif stage == ASKED_ALONE:
        if action == SAY_ALONE:
            row[OUT] = (row[MAKER] + 2) % SEATS
        ask_alone_or_lead(row)
    else:
        play_card(row, action)
    look(row)


@compiled_step
def play_all(row: Row, actions: Row) -> None:
    """Carry out some actions; a seat whose hand is not known may do anything."""
    for action in actions:
        play(row, action)


@compiled_step
def is_legal(row: Row, action: int) -> bool:
    """Whether the seat to act may do this."""
    first = FIRST_DISCARD if row[STAGE] == DISCARDING else 0
    return bool(first <= action < first + FIRST_DISCARD and row[LEGAL] >> (action - first) & 1)


@compiled_step
def look(row: Row) -> None:
    """Write down what the seat to act holds, and what it may do."""
    seat = row[SEAT]
    row[HELD] = row[HANDS + seat]
    row[AWAY] = row[PUT_AWAY] if seat == row[DEALER] else NONE
    if row[STAGE] == BIDDING:
        row[LEGAL] = legal_bids(row)
    elif row[STAGE] == ASKED_ALONE:
        row[LEGAL] = 1 << SAY_ALONE | 1 << SAY_TOGETHER
    elif row[STAGE] == DISCARDING:
        row[LEGAL] = row[HELD] & ~(1 << row[UPCARD] if row[KEEPS_UPCARD] else 0)
    elif row[STAGE] == PLAYING:
        following = SUIT_CARDS[row[TRUMP], SUIT[row[TRUMP], row[TABLE]]] if row[PLACED] else row[HELD]
        row[LEGAL] = row[HELD] & following or row[HELD]  # any card where none follows
    else:
        row[LEGAL] = 0


@compiled_step
def legal_bids(row: Row) -> int:
    """What may be said: the upcard's suit in the first round, another one in the second; a stuck dealer may not pass."""
    turned = SAY_SUIT + row[UPCARD] // len(RANKS)
    others = ((1 << SUIT_COUNT) - 1) << SAY_SUIT & ~(1 << turned)
    calls = 1 << SAY_ORDER if row[SAID] < SEATS else others
    if row[ALONE_RULE] == WITH_THE_CALL:
        calls |= calls << BY_ITSELF
    is_stuck = row[STICK] and row[SAID] == 2 * SEATS - 1
    return calls if is_stuck else calls | 1 << SAY_PASS


# The bidding


@compiled_step
def bid(row: Row, action: int) -> None:
    """Pass, or make trumps; when all have passed twice the hand is over. An ordered upcard goes to the dealer, who discards."""
    seat = row[SEAT]
    row[SAID] += 1
    if action == SAY_PASS:
        row[SEAT] = (seat + 1) % SEATS
        if row[SAID] == 2 * SEATS:
            row[STAGE] = OVER
        return
    row[MAKER] = seat
    if action >= SAY_ORDER + BY_ITSELF:
        action -= BY_ITSELF
        row[OUT] = (seat + 2) % SEATS
    if action == SAY_ORDER:
        row[TRUMP], row[ORDERED] = row[UPCARD] // len(RANKS), 1
        row[STAGE], row[SEAT] = DISCARDING, row[DEALER]
        row[HANDS + row[DEALER]] |= 1 << row[UPCARD]
    else:
        row[TRUMP] = action - SAY_SUIT
        ask_alone_or_lead(row)


@compiled_step
def ask_alone_or_lead(row: Row) -> None:
    """Ask the maker about the partner, where that comes now; else the first seat leads, or the next one if it is out."""
    if row[ALONE_RULE] == AFTER_THE_DISCARD and row[STAGE] != ASKED_ALONE:
        row[STAGE], row[SEAT] = ASKED_ALONE, row[MAKER]
    else:
        row[LEADER] = row[SEAT] = next_seat(row, row[LEADER] - 1)
        row[STAGE] = PLAYING


@compiled_step
def next_seat(row: Row, seat: int) -> int:
    """The seat that plays after another."""
    after = (seat + 1) % SEATS
    return (after + 1) % SEATS if after == row[OUT] else after


# The tricks


@compiled_step
def play_card(row: Row, card: int) -> None:
    """Put a card on the table; the winner of a full trick leads to the next, and the last one ends the hand."""
    seat = row[SEAT]
    row[TABLE + row[PLACED]] = card
    row[PLACED] += 1
    row[HANDS + seat] &= ~(1 << card)
    row[PLAYED + seat] |= 1 << card
    row[LEFT + seat] -= 1
    led = SUIT[row[TRUMP], row[TABLE]]
    if SUIT[row[TRUMP], card] != led:
        row[LACKS + seat] |= 1 << led
    row[SEAT] = next_seat(row, seat)
    if row[SEAT] == row[LEADER]:
        row[LEADER] = row[SEAT] = seat_at(row, best_place(row))
        row[TAKEN + row[SEAT]] += 1
        row[GONE] |= row[PLAYED] | row[PLAYED + 1] | row[PLAYED + 2] | row[PLAYED + 3]
        row[SUITS_LED] |= 1 << led
        row[PLACED] = 0
        row[FINISHED] += 1
        row[STAGE] = PLAYING if row[FINISHED] < TRICKS else OVER


@compiled_step
def best_place(row: Situation) -> int:
    """The place of the winning card on the table."""
    beats, best = BEATS[row[TRUMP], SUIT[row[TRUMP], row[TABLE]]], 0
    for place in range(1, row[PLACED]):
        if beats[row[TABLE + best]] >> row[TABLE + place] & 1:
            best = place
    return best


@compiled_step
def seat_at(row: Situation, place: int) -> int:
    """The seat that plays to the trick at a place."""
    seat = row[LEADER]
    for _ in range(place):
        seat = next_seat(row, seat)
    return int(seat)


@compiled_step
def pay(taken: int, alone: bool) -> int:
    """What the makers win or lose by their tricks: they need three, and five pay more, most of all alone."""
    if taken < 3:
        return -2
    return 1 if taken < TRICKS else 4 if alone else 2


@compiled_step
def balance(row: Row, seat: int) -> int:
    """What a finished hand brought the team of a seat, or cost it."""
    if row[MAKER] == NONE:
        return 0
    taken = row[TAKEN + row[MAKER]] + row[TAKEN + (row[MAKER] + 2) % SEATS]
    points = pay(taken, row[OUT] != NONE)
    return points if (seat - row[MAKER]) % 2 == 0 else -points


# The deal

TWELVE, SIX, NINE = perm(24, 12), perm(24, 6), perm(12, 9)
"""In how many orders twelve cards may come from the whole deck, six of them, and nine of the rest."""
DRAWN: Final = SEATS * TRICKS + 1


@compiled_step
def draw(deck: Row, twelve: int, nine: int) -> None:
    """Draw the cards of a deal to the front of a deck; the numbers name the order of the first twelve and of the others."""
    for card in range(DECK_SIZE):
        deck[card] = card
    places = twelve % SIX
    for drawn in range(DRAWN):
        if drawn == 6:
            places = twelve // SIX
        elif drawn == 12:
            places = nine
        size = DECK_SIZE - drawn
        chosen = drawn + places % size
        places //= size
        card = deck[chosen]
        for place in range(chosen, drawn, -1):
            deck[place] = deck[place - 1]
        deck[drawn] = card


@compiled_step
def deal(row: Row, dealer: int, stream: StreamState, deck: Row) -> None:
    """Deal five cards to each seat, turn one up and begin the hand; `deck` is room for the deck."""
    twelve = below(stream, TWELVE)
    draw(deck, twelve, below(stream, NINE))
    for seat in range(SEATS):
        row[HANDS + seat] = 0
        for place in range(TRICKS):
            row[HANDS + seat] |= 1 << deck[TRICKS * seat + place]
    begin(row, dealer, deck[DRAWN - 1])


def new_row(rules: Rules, scores: Sequence[int]) -> Row:
    """A row for hands by these rules, before the first is dealt."""
    row = np.zeros(ROW, np.int64)
    row[STICK], row[ALONE_RULE] = rules.stick_the_dealer, ALONE_RULES.index(rules.alone)
    row[KEEPS_UPCARD], row[LEADS] = not rules.may_discard_upcard, first_leader(rules, 0)
    row[SCORES], row[SCORES + 1] = scores
    return row


def numbered(actions: Iterable[Action]) -> Row:
    """The numbers of some actions."""
    return np.array([NUMBERS[action] for action in actions], np.int64)


def situation_of(seen: EuchreObservation) -> Situation:
    """What a seat knows, from its observation."""
    row, discard = (
        new_row(seen.game.rules, seen.scores),
        seen.discard or seen.upcard,
    )  # another's is not known
    row[HANDS + seen.seat] = set_of(seen.dealt)
    begin(row, seen.dealer, DECK.index(seen.upcard))
    play_all(row, numbered(actions_seen(seen, discard)))
    if row[SEAT] != seen.seat:
        row[SEAT] = seen.seat
        look(row)
        row[LEGAL] = 0
    return row[:SITUATION]
