"""What a poker hand is worth: the best five of up to seven cards, as one whole number.

A hand comes as bits, thirteen a suit (see `deck`), and is looked up in a table of facts about
the 8,192 sets of ranks. The same functions are plain Python here and compiled for the millions
(`retruco.vocab.holdem.kernel`), with the table as an array. It is checked against phevaluator
and eval7 in `tests/games/test_holdem_ranking.py` and `benchmarks/holdem.py`.

>>> from retruco.games.holdem.deck import bits
>>> straight, pair = bits("Ac 2d 3h 4s 5c Kd Ks".split()), bits("Ac Ad 3h 4s 9c Kd Js".split())
>>> value(straight) > value(pair), kind(value(straight)), kind(value(pair))
(True, 'straight', 'pair')
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

KINDS: Final = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""From the lowest to the highest."""

SETS: Final = 1 << 13
"""How many sets of ranks there are."""

_HIGH, _PAIR, _TWO_PAIR, _THREE, _STRAIGHT, _FLUSH, _FULL, _FOUR, _STRAIGHT_FLUSH = range(len(KINDS))
_KIND: Final = 26
_UPPER: Final = 13
"""A value is its kind, then the ranks that make it, then the ranks beside, as sets of ranks."""


COUNT, STRAIGHT, TOP1, TOP2, TOP3, TOP5 = range(0, 6 * SETS, SETS)
"""Where the facts about sets of ranks begin in the table: how many ranks are in a set, the top of
its best straight (as a set; 0 without any), and its highest one, two, three and five ranks."""


def _straight(ranks: int) -> int:
    """Find the top of the best straight; an ace is also below the deuce."""
    with_low_ace = ranks << 1 | ranks >> 12
    for top in range(12, 2, -1):
        if with_low_ace >> (top - 3) & 31 == 31:
            return 1 << top
    return 0


def _top(counts: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Drop the lowest rank of every set until few enough are left."""
    found = [0] * SETS
    for ranks in range(SETS):
        found[ranks] = ranks if counts[ranks] <= most else found[ranks & (ranks - 1)]
    return tuple(found)


def _table() -> tuple[int, ...]:
    counts = tuple(ranks.bit_count() for ranks in range(SETS))
    tops = (_top(counts, most) for most in (1, 2, 3, 5))
    return (*counts, *map(_straight, range(SETS)), *chain(*tops))


TABLE: Final = _table()
"""All facts, end to end: one flat table is what compiled code is quickest with."""


def flush_by(table: Sequence[int], cards: int) -> int:
    """Value a flush among five to seven cards, given as bits; 0 without any."""
    for suit in range(4):
        ranks = cards >> 13 * suit & 8191
        if table[COUNT + ranks] >= 5:
            if table[STRAIGHT + ranks]:
                return _STRAIGHT_FLUSH << _KIND | table[STRAIGHT + ranks]
            return _FLUSH << _KIND | table[TOP5 + ranks]
    return 0


def count_ranks(cards: int) -> tuple[int, int, int, int]:
    """Give the sets of ranks that are there at least once, twice, three times and four times."""
    clubs, diamonds = cards & 8191, cards >> 13 & 8191
    hearts, spades = cards >> 26 & 8191, cards >> 39 & 8191
    black, red = clubs & spades, diamonds & hearts
    any_black, any_red = clubs | spades, diamonds | hearts
    return (
        any_black | any_red,
        black | red | any_black & any_red,
        black & any_red | red & any_black,
        black & red,
    )


def value_by(table: Sequence[int], ranks: int, paired: int, threes: int, four: int) -> int:
    """Value the best five of five to seven cards without a flush, by the ranks that `count_ranks` gives."""
    if not paired:
        if table[STRAIGHT + ranks]:
            return _STRAIGHT << _KIND | table[STRAIGHT + ranks]
        return _HIGH << _KIND | table[TOP5 + ranks]
    # Four of a kind, a full house.
    if four:
        return _FOUR << _KIND | four << _UPPER | table[TOP1 + (ranks ^ four)]
    three = table[TOP1 + threes]
    if threes and paired != three:
        return _FULL << _KIND | three << _UPPER | table[TOP1 + (paired ^ three)]
    if table[STRAIGHT + ranks]:
        return _STRAIGHT << _KIND | table[STRAIGHT + ranks]
    if threes:
        return _THREE << _KIND | three << _UPPER | table[TOP2 + (ranks ^ three)]
    # Two pair, a pair.
    pairs = table[TOP2 + paired]
    if table[COUNT + pairs] == 2:
        return _TWO_PAIR << _KIND | pairs << _UPPER | table[TOP1 + (ranks ^ pairs)]
    return _PAIR << _KIND | pairs << _UPPER | table[TOP3 + (ranks ^ pairs)]


def value(cards: int) -> int:
    """Value the best five of five to seven cards, given as bits; a higher number is a better hand.

    A flush leaves no room for four of a kind or a full house among seven cards.
    """
    return flush_by(TABLE, cards) or value_by(TABLE, *count_ranks(cards))


def kind(worth: int) -> str:
    """Name the kind of hand that a value stands for."""
    return KINDS[worth >> _KIND]
