"""The chance chart: how likely it is that a seat holds a card, given all that one seat has seen.

Every deal that agrees with what was seen is taken as equally likely: one's own cards, the upcard,
every card played, and every failure to follow suit. What others chose to play tells nothing
here, and what they bid only where it is asked for (`bid_signs`). A card that was ordered up is taken to be with the dealer until it is played, or until the
dealer shows that it is not.

All hidden cards of one suit are alike, so deals are counted by how many cards of each suit lie in
each place: the three other hands and the cards that nobody plays.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple, Protocol, TypeAlias

from retruco.games.core import Seat
from retruco.games.euchre import SUITS, Card, EuchreObservation, Suit
from retruco.games.euchre.deck import BIT, SUIT_BITS, SUIT_OF, Cards, listed, set_of
from retruco.games.euchre.tricks import AROUND, SEATS, TRICKS
from retruco.vocab.euchre.bid_signs import Weights, counted_weights, weigh, weights_for

Counts: TypeAlias = tuple[int, ...]
ALL_CARDS: Final = (1 << 24) - 1


class ChanceChart(Protocol):
    """What one seat thinks of where the cards are."""

    def chance(self, seat: Seat, card: Card) -> float:
        """How likely a seat holds a card."""

    def any_of(self, seat: Seat, cards: Cards) -> float:
        """How likely a seat holds at least one of some cards."""

    def is_void(self, seat: Seat, suit: Suit) -> bool:
        """Whether a seat cannot hold a card of a suit."""


class Chart(NamedTuple):
    """What one seat can know of where the cards are."""

    trump: Suit
    known: tuple[Cards, ...]
    """The cards that each seat holds for certain."""
    hidden: Cards
    """The cards that may lie in more than one place."""
    chances: tuple[dict[Suit, float], ...]
    """The chance of each seat to hold any one hidden card of a suit."""

    def chance(self, seat: Seat, card: Card) -> float:
        """How likely a seat holds a card."""
        if self.known[seat] & BIT[card]:
            return 1.0
        if not self.hidden & BIT[card]:
            return 0.0
        return self.chances[seat][SUIT_OF[self.trump][card]]

    def any_of(self, seat: Seat, cards: Cards) -> float:
        """About how likely a seat holds at least one of some cards: each taken by itself."""
        if self.known[seat] & cards:
            return 1.0
        none = 1.0
        for suit, bits in SUIT_BITS[self.trump].items():
            count = (self.hidden & cards & bits).bit_count()
            if count:
                none *= (1.0 - self.chances[seat][suit]) ** count
        return 1.0 - none

    def is_void(self, seat: Seat, suit: Suit) -> bool:
        """Whether a seat cannot hold a card of a suit."""
        cards = SUIT_BITS[self.trump][suit]
        if self.known[seat] & cards:
            return False
        return not self.hidden & cards or self.chances[seat][suit] == 0.0

    def as_json(self) -> dict[str, list[float]]:
        """The whole chart: for every card the chance of each seat."""
        cards = listed(ALL_CARDS)
        return {card: [round(self.chance(seat, card), 3) for seat in range(SEATS)] for card in cards}


def chart_with_bids(seen: EuchreObservation) -> Chart:
    """Draw up the chart, with what bids have shown of the hands behind them."""
    return chart_of(seen, counted_weights())


def chart_of(seen: EuchreObservation, weights: Weights | None = None) -> Chart:
    """Draw up the chart of what a seat has seen; trumps must have been made. Weights say what bids have shown."""
    contract = seen.contract
    assert contract is not None
    trump, me = contract.trump, seen.seat
    played, voids, left = plays_of(seen)
    known = [0] * SEATS
    known[me] = set_of(seen.held)
    gone = played | known[me] | (BIT[seen.discard] if seen.discard else 0)
    aside = SEATS - 1  # the cards that were never dealt
    if not contract.ordered:
        gone |= BIT[seen.upcard]
    elif seen.dealer != me:
        aside += 1  # and what the dealer has put away
        if not played & BIT[seen.upcard]:
            gone |= BIT[seen.upcard]
            if left[seen.dealer] and trump not in voids[seen.dealer]:
                known[seen.dealer] = BIT[seen.upcard]
                left[seen.dealer] -= 1
            else:
                aside -= 1  # the upcard itself was put away
    hidden = ALL_CARDS & ~gone
    others = [seat for seat in range(SEATS) if seat != me]
    suits = tuple((hidden & bits).bit_count() for bits in SUIT_BITS[trump].values())
    barred = tuple(tuple(suit in voids[seat] for suit in SUITS) for seat in others)
    means = _means(suits, tuple(left[seat] for seat in others), aside, barred)
    if weights is not None:
        means = weigh(means, suits, weights_for(seen, others, weights))
    nothing = dict.fromkeys(SUITS, 0.0)
    chances = {seat: dict(zip(SUITS, row, strict=True)) for seat, row in zip(others, means, strict=True)}
    return Chart(trump, tuple(known), hidden, tuple(chances.get(seat, nothing) for seat in range(SEATS)))


def plays_of(seen: EuchreObservation) -> tuple[Cards, list[set[Suit]], list[int]]:
    """What was played, in which suits each seat has shown out, and how many cards it has left."""
    assert seen.contract is not None
    suit_of, played = SUIT_OF[seen.contract.trump], 0
    voids: list[set[Suit]] = [set() for _ in range(SEATS)]
    left = [TRICKS] * SEATS
    table = (AROUND[seen.contract.out][seen.leader], seen.table)
    for seats, cards in [*((trick.seats, trick.cards) for trick in seen.tricks), table]:
        for seat, card in zip(seats, cards, strict=False):
            played |= BIT[card]
            left[seat] -= 1
            if suit_of[card] != suit_of[cards[0]]:
                voids[seat].add(suit_of[cards[0]])
    return played, voids, left


@lru_cache(maxsize=1 << 17)
def _means(
    suits: Counts, left: Counts, aside: int, barred: tuple[tuple[bool, ...], ...]
) -> tuple[tuple[float, ...], ...]:
    """The chance of each of three seats to hold any one hidden card, suit by suit.

    Seats that may hold anything are one pool with the cards put aside, and suits that bar the same
    seats are one heap: only what differs has to be counted.

    >>> free = (False,) * 4
    >>> _means((4, 4, 0, 0), (2, 3, 0), 3, ((True, False, False, False), free, free))[:2]
    ((0.0, 0.5, 0.0, 0.0), (0.5, 0.25, 0.0, 0.0))
    """
    tied = [seat for seat, bars in enumerate(barred) if any(bars)]
    columns = [tuple(barred[seat][suit] for seat in tied) for suit in range(len(suits))]
    heaps: dict[tuple[bool, ...], int] = {}
    for column, count in zip(columns, suits, strict=True):
        heaps[column] = heaps.get(column, 0) + count
    pool = sum(suits) - sum(left[seat] for seat in tied)
    shares = _shares(tuple(sorted(heaps.items())), tuple(left[seat] for seat in tied), pool)
    rows = []
    for seat, own in enumerate(left):
        if seat in tied:
            row = [shares[column][tied.index(seat)] for column in columns]
        else:
            row = [own / pool * (1.0 - sum(shares[column])) if pool else 0.0 for column in columns]
        rows.append(tuple(part if count else 0.0 for part, count in zip(row, suits, strict=True)))
    return tuple(rows)


@lru_cache(maxsize=1 << 16)
def _shares(
    heaps: tuple[tuple[tuple[bool, ...], int], ...], left: Counts, pool: int
) -> dict[tuple[bool, ...], list[float]]:
    """How likely each tied seat holds any one card of each heap.

    Heap by heap: `rooms` holds, for the room that is left in the hands, in how many ways one comes
    there, and the sum over these ways of the cards that each seat took from each heap.
    """
    if len(left) == 1:  # one seat draws what it holds from the one heap that it may
        return {bars: [0.0 if bars[0] else left[0] / max(1, count)] for bars, count in heaps}
    start = [[0] * len(left) for _ in heaps]
    rooms: dict[Counts, tuple[int, list[list[int]]]] = {left: (1, start)}
    after = sum(count for _, count in heaps)
    for number, (bars, count) in enumerate(heaps):
        after -= count
        found: dict[Counts, tuple[int, list[list[int]]]] = {}
        for room, (ways, sums) in rooms.items():
            for split, factor in _splits(count, room, bars):
                rest = tuple([space - part for space, part in zip(room, split, strict=True)])
                if not sum(rest) <= after <= sum(rest) + pool:
                    continue
                total, tops = found.get(rest, (0, start))
                mine = [
                    [old + factor * new for old, new in zip(*rows, strict=True)]
                    for rows in zip(tops, sums, strict=True)
                ]
                mine[number] = [
                    old + factor * ways * part for old, part in zip(mine[number], split, strict=True)
                ]
                found[rest] = (total + ways * factor, mine)
        rooms = found
    whole, sums = rooms[(0,) * len(left)]
    return {
        bars: [taken / (whole * count) if count else 0.0 for taken in row]
        for (bars, count), row in zip(heaps, sums, strict=True)
    }


def _splits(count: int, room: Counts, bars: tuple[bool, ...]) -> list[tuple[Counts, int]]:
    """All ways to give cards of a heap to the tied seats, the rest to the pool, each with its number."""
    found: list[tuple[Counts, int]] = [((), 1)]
    for space, bar in zip(room, bars, strict=True):
        found = [
            ((*split, part), ways * comb(count - sum(split), part))
            for split, ways in found
            for part in range(0 if bar else min(space, count - sum(split)), -1, -1)
        ]
    return found
