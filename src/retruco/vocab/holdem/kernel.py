"""The hot loops of hold'em: a hand compared with all others, compiled on first use and kept on disk.

Cards are places from 0 to 51 and sets of cards are bits, as in `retruco.games.holdem.deck`.

Holdings are not gone through one by one: what two cards are worth on a board depends on their ranks, and on whether
they are of the one suit that may give a flush there. So the 1,081 holdings on a flop are 91 pairs of ranks, or four
times as many where three cards of a suit lie. Two ranks and that of the next card are three ranks, worth the same
whichever of them lies open: they are valued once for all next cards.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import bits as random_bits
from retruco.compiler import compiled, compiled_step
from retruco.games.holdem.compiled import (
    FAST,
    Longs,
    Shorts,
    count_ranks_of,
    flush_value,
    ranks_value,
    value_of,
)
from retruco.games.holdem.deck import SUIT_WIDTH
from retruco.games.holdem.ranking import COUNT

BEHIND, TIED, AHEAD = 0, 1, 2

FLUSH: Final = 5
"""So many cards of a suit are a flush."""
FLUSH_CARDS: Final = FLUSH - 2
"""So many must lie for a holding to make one."""

Worths: TypeAlias = NDArray[np.int32]
Standings: TypeAlias = NDArray[np.int8]
"""How a hand stands against two cards, by whether each is of the suit that may give a flush, and by their ranks."""


class Scratch(NamedTuple):
    """Working memory, and the table of the ranking."""

    ranking: Shorts
    board: Longs
    """The board on which ranks were valued last: seats at a table share it."""
    pairs: Worths
    """What two ranks are worth on the board, flushes left out; the lower one comes first."""
    triples: Worths
    """What they are worth with a third, which is named before them."""
    before: Standings
    after: Standings
    unseen: Longs
    """Unseen cards by rank: those of other suits, and that of the suit that may give a flush."""
    counts: Longs
    """Holdings by how the hand stood against them (row) and stands now (column)."""


def new_scratch() -> Scratch:
    """Make room for counting."""
    ranks = (SUIT_WIDTH, SUIT_WIDTH)
    pairs, triples = np.zeros(ranks, np.int32), np.zeros((SUIT_WIDTH, *ranks), np.int32)
    before, after = np.zeros((2, 2, 2, *ranks), np.int8)
    unseen, counts = np.zeros((2, SUIT_WIDTH), np.int64), np.zeros((3, 3), np.int64)
    return Scratch(FAST, np.zeros(1, np.int64), pairs, triples, before, after, unseen, counts)


@compiled_step
def _suit_ranks(cards: int, suit: int) -> int:
    """The ranks of the cards of one suit, as bits."""
    return cards >> SUIT_WIDTH * suit & 8191


@compiled_step
def _flush_suit(ranking: Shorts, board: int) -> int:
    """The suit in which a holding may make a flush; -1 without any."""
    for suit in range(4):
        if ranking[COUNT + _suit_ranks(board, suit)] >= FLUSH_CARDS:
            return suit
    return -1


@compiled_step
def _add_rank(counts: Any, rank: int) -> Any:
    """Add a card to the sets of ranks that are there once, twice, three times and four times."""
    bit = 1 << rank
    ranks, paired, threes, four = counts
    return ranks | bit, paired | ranks & bit, threes | paired & bit, four | threes & bit


@compiled_step
def _value_ranks(scratch: Scratch, board: int) -> None:
    """Write down what every two and every three ranks are worth on a board."""
    ranking, pairs, triples, counts = scratch.ranking, scratch.pairs, scratch.triples, count_ranks_of(board)
    for low in range(SUIT_WIDTH):
        with_low = _add_rank(counts, low)
        for middle in range(low, SUIT_WIDTH):
            ranks, paired, threes, four = with_middle = _add_rank(with_low, middle)
            pairs[low, middle] = ranks_value(ranking, ranks, paired, threes, four)
            for high in range(middle, SUIT_WIDTH):
                ranks, paired, threes, four = _add_rank(with_middle, high)
                worth = ranks_value(ranking, ranks, paired, threes, four)
                triples[low, middle, high] = triples[middle, low, high] = triples[high, low, middle] = worth


@compiled_step
def _compare(ranking: Shorts, worth: Worths, board: int, mine: int, suit: int, standings: Standings) -> None:
    """Write down how a hand of this worth stands against every two cards on a board."""
    for low in range(SUIT_WIDTH):
        for high in range(low, SUIT_WIDTH):
            standing = 1 + (mine > worth[low, high]) - (mine < worth[low, high])
            standings[0, 0, low, high] = standings[0, 1, low, high] = standing
            standings[1, 0, low, high] = standings[1, 1, low, high] = standing
    if suit < 0:
        return  # without that suit, two cards are never enough for a flush
    lying = _suit_ranks(board, suit)
    for low in range(SUIT_WIDTH):
        for high in range(low, SUIT_WIDTH):
            for both in range(4):
                first, second = both >> 1, both & 1
                suited = lying | first << low | second << high
                if ranking[COUNT + suited] >= FLUSH:
                    theirs = flush_value(ranking, suited)
                    standings[first, second, low, high] = 1 + (mine > theirs) - (mine < theirs)


@compiled_step
def _count_board(scratch: Scratch, standings: Standings, seen: int, suit: int, times: int) -> None:
    """Count the holdings of unseen cards by their standing before (row) and on this board (column)."""
    counts, before, unseen = scratch.counts, scratch.before, scratch.unseen
    for rank in range(SUIT_WIDTH):
        unseen[0, rank] = unseen[1, rank] = 0
        for other in range(4):
            if not seen >> SUIT_WIDTH * other + rank & 1:
                unseen[1 if other == suit else 0, rank] += 1
    for first in range(2 if suit >= 0 else 1):
        for second in range(2 if suit >= 0 else 1):
            for low in range(SUIT_WIDTH):
                if first == second == 0:
                    same = unseen[0, low] * (unseen[0, low] - 1) // 2
                    counts[before[0, 0, low, low], standings[0, 0, low, low]] += times * same
                for high in range(low if first < second else low + 1, SUIT_WIDTH):
                    was, becomes = before[first, second, low, high], standings[first, second, low, high]
                    counts[was, becomes] += times * unseen[first, low] * unseen[second, high]


@compiled_step
def _begin(scratch: Scratch, board: int, hole: int) -> int:
    """Begin to count: see how a hand stands on a board. Gives the suit in which there may be a flush."""
    for was in range(3):
        for becomes in range(3):
            scratch.counts[was, becomes] = 0
    if scratch.board[0] != board:
        _value_ranks(scratch, board)
        scratch.board[0] = board
    suit, mine = _flush_suit(scratch.ranking, board), value_of(scratch.ranking, board | hole)
    _compare(scratch.ranking, scratch.pairs, board, mine, suit, scratch.before)
    return suit


@compiled
def count_standing(scratch: Scratch, board: int, hole: int, found: Longs) -> None:
    """Count the holdings that a hand is behind, ties with and is ahead of."""
    suit = _begin(scratch, board, hole)
    _count_board(scratch, scratch.before, board | hole, suit, 1)
    for standing in range(3):
        found[standing] = scratch.counts[standing, standing]


@compiled
def count_changes(scratch: Scratch, board: int, hole: int) -> None:
    """Count how each standing changes with the next card: from (row) to (column).

    Cards of one rank that cannot bring a flush nearer are looked at once, and counted as often as they are unseen.
    """
    ranking, after = scratch.ranking, scratch.after
    _begin(scratch, board, hole)
    for rank in range(SUIT_WIDTH):
        plain, plain_cards = 0, 0
        for suit in range(5):
            card = 1 << SUIT_WIDTH * suit + rank
            if suit == 4:  # at last those that stand for one another
                card = plain
            elif (board | hole) & card:
                continue
            elif ranking[COUNT + _suit_ranks(board, suit)] < FLUSH_CARDS - 1:
                plain, plain_cards = card, plain_cards + 1
                continue
            if card:
                open_cards, times = board | card, plain_cards if suit == 4 else 1
                flush, mine = _flush_suit(ranking, open_cards), value_of(ranking, open_cards | hole)
                _compare(ranking, scratch.triples[rank], open_cards, mine, flush, after)
                _count_board(scratch, after, open_cards | hole, flush, times)


@compiled
def count_potentials(scratch: Scratch, board: int, hole: int, found: Longs) -> None:
    """Count in how many ways the next card puts a hand ahead, and of how many; and behind, alike.

    From a tie or to a tie counts half, so all is counted twice.
    """
    count_changes(scratch, board, hole)
    counts = scratch.counts
    for place in range(2):
        start, end = (AHEAD, BEHIND) if place else (BEHIND, AHEAD)
        found[2 * place] = 2 * counts[start, end] + counts[start, TIED] + counts[TIED, end]
        found[2 * place + 1] = 0
        for becomes in range(3):
            found[2 * place + 1] += 2 * counts[start, becomes] + counts[TIED, becomes]


@compiled
def equities(table: Shorts, first: int, second: int, most: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Sample the share of the pot that a holding wins against 1, 2, ... random hands, all in."""
    stream, pool = np.full(1, seed, np.uint64), np.empty(50, np.int64)
    left = 0
    for card in range(52):
        if card not in (first, second):
            pool[left] = card
            left += 1
    own = 1 << first | 1 << second
    won = np.zeros(most, np.float64)
    for _ in range(deals):
        for place in range(5 + 2 * most):
            # 32 random bits times the cards left: off an even chance by less than one in 80 million.
            other = place + np.int64(
                (random_bits(stream) >> np.uint64(32)) * np.uint64(50 - place) >> np.uint64(32)
            )
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
