"""The hot loops of hold'em: holdings compared by the thousand, compiled on first use and kept on disk.

Cards are places from 0 to 51 and sets of cards are bits, as in `retruco.games.holdem.deck`.

To compare a hand with all others, holdings are not gone through one by one: what two cards are worth on a board
depends on their ranks, and on whether they are of the one suit that may give a flush there. So the 1,081 holdings
on a flop are 91 pairs of ranks, or four times as many where three cards of a suit lie.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.kernel import Longs
from retruco.compiler import compiled
from retruco.games.holdem.compiled import Shorts, count_ranks_of, flush_value, ranks_value, value_of
from retruco.games.holdem.deck import SUIT_WIDTH
from retruco.games.holdem.ranking import COUNT

BEHIND, TIED, AHEAD = 0, 1, 2

FLUSH: Final = 5
"""So many cards of a suit are a flush."""
FLUSH_CARDS: Final = FLUSH - 2
"""So many must lie for a holding to make one."""

Standings: TypeAlias = NDArray[np.int8]
"""How a hand stands against two cards, by whether each is of the suit that may give a flush, and by their ranks."""


@compiled
def suit_ranks(cards: int, suit: int) -> int:
    """The ranks of the cards of one suit, as bits."""
    return cards >> SUIT_WIDTH * suit & 8191


@compiled
def flush_suit(table: Shorts, board: int) -> int:
    """The suit in which a holding may make a flush; -1 without any."""
    for suit in range(4):
        if table[COUNT + suit_ranks(board, suit)] >= FLUSH_CARDS:
            return suit
    return -1


@compiled
def add_rank(counts: Any, rank: int) -> Any:
    """Add a card to the sets of ranks that are there once, twice, three times and four times."""
    bit = 1 << rank
    ranks, paired, threes, four = counts
    return ranks | bit, paired | ranks & bit, threes | paired & bit, four | threes & bit


@compiled
def compare(table: Shorts, board: int, mine: int, standings: Standings) -> None:
    """Write down how a hand of this worth stands against every two cards on a board."""
    suit = flush_suit(table, board)
    lying = suit_ranks(board, suit) if suit >= 0 else 0  # without that suit, two cards are never enough
    counts = count_ranks_of(board)
    for low in range(SUIT_WIDTH):
        with_low = add_rank(counts, low)
        for high in range(low, SUIT_WIDTH):
            ranks, paired, threes, four = add_rank(with_low, high)
            plain = ranks_value(table, ranks, paired, threes, four)
            for first in range(2):
                for second in range(2):
                    suited = lying | first << low | second << high
                    theirs = flush_value(table, suited) if table[COUNT + suited] >= FLUSH else plain
                    standings[first, second, low, high] = 1 + (mine > theirs) - (mine < theirs)


@compiled
def count_unseen(seen: int, suit: int, unseen: Longs) -> None:
    """Count the cards of each rank that nobody has seen: those of other suits, and that of a suit."""
    for rank in range(SUIT_WIDTH):
        unseen[0, rank] = unseen[1, rank] = 0
        for other in range(4):
            if not seen >> SUIT_WIDTH * other + rank & 1:
                unseen[1 if other == suit else 0, rank] += 1


@compiled
def add_pairs(
    counts: Longs, before: Standings, after: Standings, unseen: Longs, suited: bool, times: int
) -> None:
    """Count the holdings of unseen cards by their standing before (row) and after (column)."""
    for first in range(2 if suited else 1):
        for second in range(2 if suited else 1):
            for low in range(SUIT_WIDTH):
                start = low if first < second else low + 1
                if first == second == 0:
                    same = unseen[0, low] * (unseen[0, low] - 1) // 2
                    counts[before[0, 0, low, low], after[0, 0, low, low]] += times * same
                for high in range(start, SUIT_WIDTH):
                    holdings = unseen[first, low] * unseen[second, high]
                    was, becomes = before[first, second, low, high], after[first, second, low, high]
                    counts[was, becomes] += times * holdings


@compiled
def standing(table: Shorts, board: int, hole: int) -> Longs:
    """Count the holdings that a hand is behind, ties with and is ahead of."""
    standings, unseen = np.empty((2, 2, SUIT_WIDTH, SUIT_WIDTH), np.int8), np.empty((2, SUIT_WIDTH), np.int64)
    compare(table, board, value_of(table, board | hole), standings)
    suit = flush_suit(table, board)
    count_unseen(board | hole, suit, unseen)
    counts = np.zeros((3, 3), np.int64)
    add_pairs(counts, standings, standings, unseen, suit >= 0, 1)
    return np.array([counts[BEHIND, BEHIND], counts[TIED, TIED], counts[AHEAD, AHEAD]])


@compiled
def changes(table: Shorts, board: int, hole: int) -> Longs:
    """Count how each standing changes with the next card: from (row) to (column).

    Cards of one rank that cannot bring a flush nearer are looked at once, and counted as often as they are unseen.
    """
    before = np.empty((2, 2, SUIT_WIDTH, SUIT_WIDTH), np.int8)
    after, unseen = np.empty_like(before), np.empty((2, SUIT_WIDTH), np.int64)
    counts = np.zeros((3, 3), np.int64)
    compare(table, board, value_of(table, board | hole), before)
    for rank in range(SUIT_WIDTH):
        plain, plain_cards = 0, 0
        for suit in range(5):
            card = 1 << SUIT_WIDTH * suit + rank
            if suit == 4:  # at last those that stand for one another
                card = plain
            elif (board | hole) & card:
                continue
            elif table[COUNT + suit_ranks(board, suit)] < FLUSH_CARDS - 1:
                plain, plain_cards = card, plain_cards + 1
                continue
            if not card:
                continue
            flush = flush_suit(table, board | card)
            compare(table, board | card, value_of(table, board | card | hole), after)
            count_unseen(board | card | hole, flush, unseen)
            add_pairs(counts, before, after, unseen, flush >= 0, plain_cards if suit == 4 else 1)
    return counts


@compiled
def potential(moved: Longs, start: int, end: int) -> float:
    """How often one comes from `start` to `end`; from or to a tie counts half."""
    whole = moved[start].sum() + moved[TIED].sum() / 2
    return (moved[start, end] + moved[start, TIED] / 2 + moved[TIED, end] / 2) / whole if whole else 0.0


@compiled
def potentials(table: Shorts, board: int, hole: int) -> tuple[float, float]:
    """The positive and the negative potential of a hand, while a card is to come."""
    moved = changes(table, board, hole)
    return potential(moved, BEHIND, AHEAD), potential(moved, AHEAD, BEHIND)


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
