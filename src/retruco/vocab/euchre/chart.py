"""The chance chart: how likely it is that a seat holds a card, given all that one seat has seen.

Every deal that agrees with what was seen is taken as equally likely: one's own cards, the upcard, every card played, and
every failure to follow suit. What others chose to play tells nothing here. A card that was ordered up is taken to be with the
dealer until it is played, or until the dealer shows that it is not.

What bids have shown of the hands behind them is told only where it is asked for. Who makes trumps holds more of them than
chance would have it, and who passed holds fewer of the suit that was turned. How much so was counted over many hands
(`benchmarks/euchre_bids.py`): for every role in the bidding and kind of suit, the cards that were held over those that the
plain chart expects.

The even chart is that of Seelbinder (2012, section 3.4): every place that may hold a card is equally likely. A place is
another seat or the cards that nobody plays, so that an unseen card is with each of the three seats at 0.25, and at 0.333
once one seat cannot hold it: the numbers of figure 3.4 (its 0.666 follows from no rule of the text, and its caption calls the
chart perhaps impossible). A seat that does not follow suit cannot hold that suit, "unless it is the Jack of trump or the
Jack of the side suit".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from retruco.compiler import compiled_step
from retruco.games.core import Seat
from retruco.games.euchre import DECK, Card, EuchreObservation
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import RANKS
from retruco.games.euchre.stepper import Row, Situation, count_of, first_of, situation_of
from retruco.games.euchre.tricks import SEATS
from retruco.vocab.euchre.cards import EVERY_CARD, Floats, played

EXACT, EVEN, WITH_BIDS = range(3)
"""The kinds of chart: by deals, by places, by deals and what bids show."""
CHOOSE: Final = np.array(
    [[comb(count, some) for some in range(at.DECK_SIZE)] for count in range(at.DECK_SIZE + 1)]
)
"""In how many ways so many can be chosen out of so many."""
OF_SUIT, LEFT_TO, ROOM, HEAP, HEAP_OF, KIND = 0, 4, 8, 11, 19, 23
"""The places of numbers of hidden cards: by suit; by seat how many it holds; the same of the three other seats that are tied;
by heap; and by suit the heap that it belongs to. Behind them stands the kind of the chart."""
NUMBERS: Final = 24


class Chart(NamedTuple):
    """What one seat can know of where the cards are, and room to find it out."""

    chances: Floats
    """By seat and card: how likely the seat holds it."""
    counts: Floats
    """By seat and suit: how likely the seat holds a hidden card, one that may lie in more than one place."""
    sums: Floats
    """Room for the sums of these rows."""
    numbers: Row
    weights: Floats
    """What bids show, by role in the bidding and kind of suit."""

    def chance(self, seat: Seat, card: Card) -> float:
        """How likely a seat holds a card."""
        return float(self.chances[seat, DECK.index(card)])


def new_chart(kind: int = EXACT) -> Chart:
    """Room for a chart."""
    rows = SEATS + 1  # the last is what nobody plays
    counts, numbers = np.zeros((rows, at.SUIT_COUNT)), np.zeros(NUMBERS, np.int64)
    numbers[KIND] = kind
    return Chart(np.zeros((SEATS, at.DECK_SIZE)), counts, np.zeros(rows), numbers, weights_array())


def chart_of(seen: EuchreObservation, kind: int = EXACT) -> Chart:
    """Draw up the chart of what a seat has seen; trumps must have been made."""
    chart = new_chart(kind)
    draw_chart(situation_of(seen), chart)
    return chart


@compiled_step
def draw_chart(seen: Situation, chart: Chart) -> None:
    """Draw up the chart of what a seat has seen."""
    me, dealer, numbers = seen[at.SEAT], seen[at.DEALER], chart.numbers
    kind = numbers[KIND]
    for seat in range(SEATS):
        numbers[LEFT_TO + seat] = 0 if seat == me else seen[at.LEFT + seat]
        for card in range(chart.chances.shape[1]):
            chart.chances[seat, card] = seat == me and seen[at.HELD] >> card & 1
    gone, upcard = played(seen) | seen[at.HELD], 1 << seen[at.UPCARD]
    if seen[at.AWAY] != at.NONE:
        gone |= 1 << seen[at.AWAY]
    if not seen[at.ORDERED]:
        gone |= upcard
    elif dealer != me and not gone & upcard:
        gone |= upcard
        may_hold = seen[at.LEFT + dealer] and not seen[at.LACKS + dealer] >> seen[at.TRUMP] & 1
        if kind == EVEN or may_hold:
            chart.chances[dealer, seen[at.UPCARD]] = 1.0
            numbers[LEFT_TO + dealer] -= 1
    if kind == EVEN:
        count_places(seen, EVERY_CARD & ~(gone | upcard), chart)
    else:
        count_deals(seen, EVERY_CARD & ~gone, kind == WITH_BIDS, chart)


@compiled_step
def count_places(seen: Situation, hidden: int, chart: Chart) -> None:
    """Every place that may hold a hidden card is as likely as the others, and one is that nobody plays it."""
    while hidden:
        card, seats = first_of(hidden), 0
        hidden &= hidden - 1
        is_bower = at.BOWERS[seen[at.TRUMP]] >> card & 1
        for seat in range(SEATS):
            lacks = seen[at.LACKS + seat] >> card // len(RANKS) & 1 and not is_bower
            if seat != seen[at.SEAT] and seen[at.LEFT + seat] and not lacks:
                seats |= 1 << seat
        for seat in range(SEATS):
            if seats >> seat & 1:
                chart.chances[seat, card] = 1.0 / (1 + count_of(seats))


# Deals
#
# All hidden cards of one suit are alike, so deals are counted by heaps: the cards that the same seats may hold. A seat that
# lacks a suit is tied: the share of deals in which it has a certain card is the ways to fill the tied hands with the other
# cards over all ways. Seats that may hold anything share what is left with the cards put aside.


@compiled_step
def count_deals(seen: Situation, hidden: int, by_bids: bool, chart: Chart) -> None:
    """Every deal is as likely as the others, unless bids tell more of it."""
    numbers, counts = chart.numbers, chart.counts
    pool = fill_heaps(seen, hidden, numbers)
    whole = ways(numbers)
    for suit in range(at.SUIT_COUNT):
        is_hidden, tied = numbers[OF_SUIT + suit] > 0, 0.0
        for seat in range(SEATS):
            counts[seat, suit] = 0.0
            if is_hidden and seat != seen[at.SEAT] and seen[at.LACKS + seat]:
                counts[seat, suit] = share_of_deals(numbers, suit, seat - (seat > seen[at.SEAT]), whole)
                tied += counts[seat, suit]
        for seat in range(SEATS):
            if is_hidden and pool and seat != seen[at.SEAT] and not seen[at.LACKS + seat]:
                counts[seat, suit] = numbers[LEFT_TO + seat] / pool * (1.0 - tied)
    if by_bids:
        weigh(seen, chart)
    for suit in range(at.SUIT_COUNT):
        cards = hidden & at.SUIT_CARDS[seen[at.TRUMP], suit]
        while cards:
            for seat in range(SEATS):
                chart.chances[seat, first_of(cards)] = counts[seat, suit]
            cards &= cards - 1


@compiled_step
def fill_heaps(seen: Situation, hidden: int, numbers: Row) -> int:
    """Count the hidden cards by suit and heap; give how many lie with seats that are not tied, or with nobody."""
    for place in range(HEAP, KIND):
        numbers[place] = 0
    pool = count_of(hidden)
    for seat in range(SEATS):
        place = seat - (seat > seen[at.SEAT])  # among the three others
        if seat != seen[at.SEAT]:
            numbers[ROOM + place] = numbers[LEFT_TO + seat] if seen[at.LACKS + seat] else 0
            pool -= numbers[ROOM + place]
            for suit in range(at.SUIT_COUNT):
                if seen[at.LACKS + seat] and not seen[at.LACKS + seat] >> suit & 1:
                    numbers[HEAP_OF + suit] |= 1 << place
    for suit in range(at.SUIT_COUNT):
        numbers[OF_SUIT + suit] = count_of(hidden & at.SUIT_CARDS[seen[at.TRUMP], suit])
        numbers[HEAP + numbers[HEAP_OF + suit]] += numbers[OF_SUIT + suit]
    return pool


@compiled_step
def share_of_deals(numbers: Row, suit: int, place: int, whole: int) -> float:
    """In what share of the deals a tied seat, told by its place among the others, has a certain hidden card of a suit."""
    heap = numbers[HEAP_OF + suit]
    if not heap >> place & 1 or not numbers[ROOM + place]:
        return 0.0
    numbers[HEAP + heap] -= 1
    numbers[ROOM + place] -= 1
    found = ways(numbers) / whole
    numbers[HEAP + heap] += 1
    numbers[ROOM + place] += 1
    return found


@compiled_step
def ways(numbers: Row) -> int:
    """In how many ways tied seats can be given their cards: the first takes of every heap, then the two others."""
    first, second, third, found = numbers[ROOM], numbers[ROOM + 1], numbers[ROOM + 2], 0
    for_one, for_two, one_or_two, for_three = numbers[HEAP + 1 : HEAP + 5]
    one_or_three, two_or_three, for_all = numbers[HEAP + 5 : HEAP + 8]
    for of_all in range(min(first, for_all) + 1):
        for with_two in range(min(first - of_all, one_or_two) + 1):
            for with_three in range(min(first - of_all - with_two, one_or_three) + 1):
                alone = first - of_all - with_two - with_three
                splits = CHOOSE[for_all, of_all] * CHOOSE[one_or_two, with_two]
                splits *= CHOOSE[one_or_three, with_three] * CHOOSE[for_one, alone]
                both, only_two = two_or_three + for_all - of_all, for_two + one_or_two - with_two
                only_three = for_three + one_or_three - with_three
                for shared in range(min(second, both) + 1 if splits else 0):
                    halves = CHOOSE[both, shared] * CHOOSE[only_two, second - shared]
                    found += splits * halves * CHOOSE[both - shared + only_three, third]
    return found


# What bids show

FILE: Final = "bid_signs.json"
ROLES: Final = ("silent", "passed", "passed twice", "ordered", "named")
SILENT, PASSED, PASSED_TWICE, ORDERED, NAMED = range(len(ROLES))
KINDS: Final = ("trump", "turned", "plain")
STEPS: Final = 12
"""How often rows and columns are brought to their sums; they hardly change any more then."""
Weights: TypeAlias = Mapping[str, Mapping[str, float]]
"""By role and kind of suit: how many times as many cards are held as chance would have it."""


@cache
def counted_weights() -> Weights:
    """The weights that were counted."""
    text = (files("retruco.vocab.euchre") / FILE).read_text(encoding="utf-8")
    weights: Weights = json.loads(text)["weights"]
    return weights


@cache
def weights_array() -> Floats:
    """The same as an array."""
    return np.array([[counted_weights()[role][kind] for kind in KINDS] for role in ROLES])


@compiled_step
def role_of(seen: Situation, seat: int) -> int:
    """What a seat has said until trumps were made."""
    turn = (seat - seen[at.DEALER] - 1) % SEATS
    if seat == seen[at.MAKER]:
        return ORDERED if seen[at.SAID] <= SEATS else NAMED
    if turn >= seen[at.SAID]:
        return SILENT
    return PASSED_TWICE if turn + SEATS < seen[at.SAID] else PASSED


@compiled_step
def kind_of(seen: Situation, suit: int) -> int:
    """Whether a suit is trumps, or was turned and passed over, or neither."""
    return 0 if suit == seen[at.TRUMP] else 1 if suit == seen[at.UPCARD] // len(RANKS) else 2


@compiled_step
def weigh(seen: Situation, chart: Chart) -> None:
    """Weigh how likely each seat holds a card by what it has said, with as many cards in every hand and suit as before.

    Rows and columns are brought to their sums in turn; the cards that nobody plays have a weight of 1.
    """
    counts, sums, suits = chart.counts, chart.sums, chart.numbers
    for suit in range(at.SUIT_COUNT):
        held = 0.0
        for seat in range(SEATS):
            counts[seat, suit] *= suits[suit]
            held += counts[seat, suit]
        counts[SEATS, suit] = suits[suit] - held
    for row in range(SEATS + 1):
        sums[row] = add_up(counts[row])
        for suit in range(at.SUIT_COUNT if row < SEATS else 0):
            counts[row, suit] *= chart.weights[role_of(seen, row), kind_of(seen, suit)]
    for _ in range(STEPS):
        for row in range(SEATS + 1):
            scale(counts[row], sums[row])
        for suit in range(at.SUIT_COUNT):
            scale(counts[:, suit], suits[suit])
    for suit in range(at.SUIT_COUNT):
        for seat in range(SEATS):
            counts[seat, suit] = min(1.0, counts[seat, suit] / suits[suit]) if suits[suit] else 0.0


@compiled_step
def add_up(parts: Floats) -> float:
    """The sum of parts, in their order."""
    whole = 0.0
    for part in parts:
        whole += part
    return whole


@compiled_step
def scale(parts: Floats, total: float) -> None:
    """Bring parts to a sum."""
    whole = add_up(parts)
    for place in range(len(parts) if whole > 0 else 0):
        parts[place] = parts[place] * total / whole


# Questions to a chart


@compiled_step
def any_of(chances: Floats, seat: int, cards: int) -> float:
    """About how likely a seat holds at least one of some cards: each taken by itself."""
    none = 1.0
    while cards:
        none *= 1.0 - chances[seat, first_of(cards)]
        cards &= cards - 1
    return 1.0 - none


@compiled_step
def is_void(chances: Floats, seat: int, cards: int) -> bool:
    """Whether a seat cannot hold any card of a suit, given by its cards."""
    held = 0.0
    while cards:
        held += chances[seat, first_of(cards)]
        cards &= cards - 1
    return held == 0.0
