"""The hot loops of hold'em: hands valued by the thousand, compiled on first use and kept on disk.

A *holding* is one of the 1,326 pairs of cards, by its place in `HOLDINGS`; cards are places from
0 to 51 and sets of cards are bits, as in `retruco.games.holdem.deck`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.kernel import Ints, Longs
from retruco.compiler import compiled
from retruco.games.holdem.deck import CARDS
from retruco.games.holdem.ranking import TABLE, value_by

Shorts = NDArray[np.int16]

HOLDINGS: Final = tuple(combinations(range(len(CARDS)), 2))
"""All pairs of cards."""

PAIRS: Final = np.array([1 << one | 1 << two for one, two in HOLDINGS], np.int64)
"""The holdings as bits."""

FAST: Final = np.array(TABLE, np.int16)
"""The table of the ranking as an array."""

CLASH: Final = -1
"""In the place of a value: a card would be there twice."""

BEHIND, TIED, AHEAD = 0, 1, 2

THIRD: Final = 20
"""The bits of a third of a number: enough for every holding with every card."""

value_of: Callable[[Shorts, int | np.int64], int] = compiled(value_by)  # type: ignore[assignment]


@compiled
def values_on(table: Shorts, board: int, pairs: Longs) -> Ints:
    """Value every holding on a board."""
    found = np.empty(pairs.shape[0], np.int32)
    for holding in range(pairs.shape[0]):
        cards = pairs[holding]
        found[holding] = -1 if cards & board else value_of(table, cards | board)
    return found


@compiled
def holding_of(first: int, second: int) -> int:
    """The place of a pair of cards, the lower one first, among all holdings."""
    return first * 51 - first * (first + 1) // 2 + second - 1


@compiled
def values_on_next(table: Shorts, board: int, pairs: Longs) -> NDArray[np.int32]:
    """Value every holding on a board with one card more, for every card that may come.

    Any of three cards may be the one that comes: their value is found once and written down three times.
    """
    found = np.full((52, pairs.shape[0]), CLASH, np.int32)
    for low in range(52):
        with_low = board | np.int64(1) << low
        if with_low == board:
            continue
        for middle in range(low + 1, 52):
            with_middle = with_low | np.int64(1) << middle
            if with_middle == with_low:
                continue
            for high in range(middle + 1, 52):
                cards = with_middle | np.int64(1) << high
                if cards != with_middle:
                    worth = value_of(table, cards)
                    found[low, holding_of(middle, high)] = worth
                    found[middle, holding_of(low, high)] = worth
                    found[high, holding_of(low, middle)] = worth
    return found


@compiled
def standing(now: Ints, pairs: Longs, own: int) -> Longs:
    """Count the holdings that this one is behind, ties with and is ahead of."""
    counts = np.zeros(3, np.int64)
    for other in range(pairs.shape[0]):
        if now[other] >= 0 and not pairs[other] & pairs[own]:
            counts[1 + (now[own] > now[other]) - (now[own] < now[other])] += 1
    return counts


@compiled
def changes(now: Ints, later: NDArray[np.int32], pairs: Longs, own: int) -> Longs:
    """Count how each standing changes with the next card: from (row) to (column).

    A holding counts 1 in the third of a number that its standing now says, so that one sum counts all three.
    """
    share = np.zeros(pairs.shape[0], np.int64)
    for other in range(pairs.shape[0]):
        if now[other] >= 0 and not pairs[other] & pairs[own]:
            share[other] = np.int64(1) << THIRD * (1 + (now[own] > now[other]) - (now[own] < now[other]))
    totals = np.zeros(3, np.int64)
    for card in range(later.shape[0]):
        mine = later[card, own]
        if mine < 0:
            continue
        behind, ahead, all_three = np.int64(0), np.int64(0), np.int64(0)
        for other in range(pairs.shape[0]):
            theirs = later[card, other]
            all_three += share[other] if theirs >= 0 else 0
            ahead += share[other] if theirs >= 0 and mine > theirs else 0
            behind += share[other] if mine < theirs else 0
        totals[BEHIND] += behind
        totals[AHEAD] += ahead
        totals[TIED] += all_three - ahead - behind
    counts = np.empty((3, 3), np.int64)
    for before in range(3):
        for after in range(3):
            counts[before, after] = totals[after] >> THIRD * before & (1 << THIRD) - 1
    return counts


@compiled
def _draw(state: np.uint64) -> np.uint64:
    """The next 64 random bits (SplitMix64), of a state that grows by a constant."""
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@compiled
def equities(table: Shorts, first: int, second: int, most: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Sample the share of the pot that a holding wins against 1, 2, ... random hands, all in."""
    state = np.uint64(seed)
    pool = np.empty(50, np.int64)
    left = 0
    for card in range(52):
        if card not in (first, second):
            pool[left] = card
            left += 1
    own = 1 << first | 1 << second
    won = np.zeros(most, np.float64)
    for _ in range(deals):
        for place in range(5 + 2 * most):
            state += np.uint64(0x9E3779B97F4A7C15)
            # 32 random bits times the cards left: off an even chance by less than one in 80 million.
            other = place + np.int64((_draw(state) >> np.uint64(32)) * np.uint64(50 - place) >> np.uint64(32))
            pool[place], pool[other] = pool[other], pool[place]
        board = np.int64(0)
        for place in range(5):
            board |= np.int64(1) << pool[place]
        mine = value_of(table, own | board)
        sharing = 1
        for opponent in range(most):
            theirs = np.int64(1) << pool[5 + 2 * opponent] | np.int64(1) << pool[6 + 2 * opponent]
            worth = value_of(table, theirs | board)
            if worth > mine:
                break
            sharing += worth == mine
            won[opponent] += 1 / sharing
    return won / deals
