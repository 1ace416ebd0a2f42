"""The chance to win the hand by cards, counted over all that the other may still hold.

A seat chooses one card against everything that may be out; after that both sides are taken to play their best with
open cards. That flatters neither side, and it is exact where a card decides the hand.

Of a card that is out it matters only which own cards it beats or ties with. So it has one of seven levels: with own
cards a, b and c in rising order it is weaker than a (0), as strong as a (1), between a and b (2), and so on up to 6;
own cards have the levels 1, 3 and 5. What somebody holds is one of 120 holdings, each of up to three levels. Ways to
deal are counted in whole numbers and divided once, so that a chance is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import BY_OTHER, FACE_DOWN, HAND
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import TIE, decided
from retruco.games.truco.situation import (
    DEALT,
    FACED,
    HELD_CARDS,
    IS_MAO,
    LYING,
    NOTHING,
    ON_TABLE,
    OTHER,
    ROUND_WINNERS,
    ROUNDS_OVER,
    STRENGTHS,
    TABLE_SIZE,
    Situation,
)

Array: TypeAlias = NDArray[Any]

WON, LOST, TIED = range(3)
"""How a round can come out for a seat."""
SEATS: Final = (0, 1, TIE)
"""Who has won it then, this seat being seat 0."""
OPEN: Final = -1
"""Not settled."""

LEVELS: Final = 7
HOLDINGS: Final = [
    held for size in range(HAND + 1) for held in combinations_with_replacement(range(LEVELS), size)
]
FIRST: Final = (0, 1, 8, 36, 120)
"""Where the holdings of no, one, two and three cards begin in the list."""
NO_LEVEL: Final = -1
"""No card; and the level of a card that lies face down, for any card beats it."""
NOTHING_LED: Final = -2
COPIES, REST = HAND, 2 * HAND
LEVEL_BITS: Final = 6
"""How many cards of each level are out stands in one number, each level in so many bits."""
LEVEL_MASK: Final = (1 << LEVEL_BITS) - 1
ALL_LEVELS: Final = (1 << LEVELS * LEVEL_BITS) - 1

HELD_BASE: Final = 4
"""A card held is its strength times this and its place in the hand: so they are sorted."""
NO_CARD: Final = 16
"""The strength of a card that is not held: more than any."""
WEAKER: Final = tuple(sum(power < bound for power in STRENGTH.values()) for bound in range(NO_CARD + 2))
"""By strength: how many cards of the deck are weaker."""


class Lookup(dict[Any, Any]):
    """A table for plain Python: an entry is worked out when it is first asked for."""

    def __init__(self, find: Callable[..., float]) -> None:
        self.find = find

    def __missing__(self, place: Any) -> float:
        found = self[place] = self.find(*place)
        return found


class Chances(NamedTuple):
    """What counting the chances of cards needs: arrays, or a `Lookup` for each in plain Python."""

    settled: Any
    """By rounds played (see `rounds_code`) and mão: 1 won, 0 lost, `OPEN`."""
    wins: Any
    """By rounds played, mão, own holding and the other's: whether the hand is won with open cards."""
    holdings: Any
    """By holding and card: its level; how many cards the holding has of this level, told at the first of them (`COPIES`);
    and the holding that is left when it is played (`REST`)."""
    place: Any
    """By three levels in any order: the holding; `NO_LEVEL` counts as the last one."""
    ways: Any
    """In how many ways cards can be drawn, by how many there are and how many are drawn."""
    first: Any
    """Chances of the first round that were counted, by own strengths, mão and the level led; 0 if it was not yet."""


@cache
def chance_tables() -> Chances:
    """The tables for compiled code, made once a process."""
    numbers = {held: number for number, held in enumerate(HOLDINGS)}
    holdings = np.full((len(HOLDINGS), 3 * HAND), NO_LEVEL, dtype=np.int8)
    levels, copies, rest = holdings[:, :COPIES], holdings[:, COPIES:REST], holdings[:, REST:]
    place = np.zeros((LEVELS + 1,) * HAND, dtype=np.int8)
    for held, number in numbers.items():
        levels[number, : len(held)] = held
        copies[number, : len(held)] = [held.count(a) * (held.index(a) == i) for i, a in enumerate(held)]
        rest[number, : len(held)] = [numbers[held[:i] + held[i + 1 :]] for i in range(len(held))]
        for order in permutations(levels[number]):
            place[order] = number
    settled = settled_table()
    wins = open_wins(settled, levels, rest)
    ways = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(len(SPANISH_DECK) + 1)])
    first = np.zeros((NO_CARD + 1, NO_CARD + 1, NO_CARD + 1, 2, LEVELS + 2))
    return Chances(settled, wins, holdings, place, ways, first)


@cache
def plain_chance_tables() -> Chances:
    """The same tables for plain Python, which reads single numbers of an array slowly."""
    return Chances(*(Lookup(lambda *place, table=table: table[place].item()) for table in chance_tables()))


def rounds_code(results: tuple[int, ...]) -> int:
    """Number the results of rounds played: none is 0, then those of one round, of two and of three.

    >>> rounds_code(()), rounds_code((WON,)), rounds_code((WON, LOST)), rounds_code((TIED, TIED, TIED))
    (0, 1, 5, 39)
    """
    code = 0
    for result in results:
        code = after(code, result)
    return code


def settled_table() -> Array:
    """Who has won, by rounds played and mão."""
    table = np.full((40, 2), OPEN, dtype=np.int8)
    for count in range(HAND + 1):
        for results, mao in product(product(range(3), repeat=count), (0, 1)):
            winner = decided(tuple(SEATS[result] for result in results), mao)
            table[rounds_code(results), mao] = OPEN if winner is None else winner == 0
    return table


def open_wins(settled: Array, levels: Array, rest: Array) -> Array:
    """Whether a hand is won with open cards, from the last round back to the first."""
    wins = np.zeros((*settled.shape, len(HOLDINGS), len(HOLDINGS)), dtype=np.int8)
    for rounds, mao in product(reversed(range(len(settled))), (0, 1)):
        count = HAND - sum(rounds >= first for first in (1, 4, 13))
        if settled[rounds, mao] != OPEN:
            wins[rounds, mao] = settled[rounds, mao]
            continue
        held = slice(FIRST[count], FIRST[count + 1])
        played = np.zeros((count, count, held.stop - held.start, held.stop - held.start), dtype=np.int8)
        for mine, theirs in product(range(count), repeat=2):
            own, other = levels[held, mine][:, None], levels[held, theirs][None, :]
            won, lost, tied = (
                wins[after(rounds, result), mao][rest[held, mine][:, None], rest[held, theirs][None, :]]
                for result in (WON, LOST, TIED)
            )
            played[mine, theirs] = np.where(own > other, won, np.where(own < other, lost, tied))
        leads = mao if rounds == 0 or (rounds - 1) % 3 == TIED else (rounds - 1) % 3
        wins[rounds, mao, held, held] = played.min(1).max(0) if leads == WON else played.max(0).min(0)
    return wins


@compiled_step
def after(rounds: int, result: int) -> int:
    """The rounds after one more of this result."""
    return 3 * rounds + 1 + result


@compiled_step
def result_of(mine: int, theirs: int) -> int:
    """How a round comes out in which these strengths or levels meet."""
    return WON if mine > theirs else LOST if mine < theirs else TIED


# Reading a situation


class Deal(NamedTuple):
    """What counts of the cards in a situation."""

    cards: tuple[int, int, int]
    """The cards held, weakest first and equal ones in the order of the hand: strength times `HELD_BASE`, and place."""
    levels: tuple[int, int, int]
    """Their levels."""
    size: int
    """How many they are."""
    own: tuple[int, int, int]
    """The strengths of those held and of the own card that lies, in rising order: levels 1, 3 and 5."""
    lying: int
    """The level of the own card that the other has to answer, or `NOTHING_LED`."""
    faced: int
    """The strength of the other's card that waits for an answer, or `NOTHING`."""
    rounds: int
    """The finished rounds as `rounds_code` numbers them."""
    mao: int
    out: int
    """How many cards of each level the other may hold: all but those dealt to this seat and those it has shown."""
    total: int
    """How many they are."""


@compiled_step
def read_deal(situation: Situation) -> Deal:
    """Read what counts of the cards."""
    cards = held_cards(situation)
    strengths = cards[0] // HELD_BASE, cards[1] // HELD_BASE, cards[2] // HELD_BASE
    first, second, third = strengths
    lying = situation[LYING]
    if lying != NOTHING:  # then two are held at most
        if lying <= first:
            first, second, third = lying, first, second
        elif lying <= second:
            second, third = lying, second
        else:
            third = lying
    bounds = (first, first + 1, max(first + 1, second), second + 1, max(second + 1, third), third + 1)
    levels = level_of(bounds, strengths[0]), level_of(bounds, strengths[1]), level_of(bounds, strengths[2])
    out, total = count_unseen(situation, bounds)
    return Deal(
        cards,
        levels,
        (levels[0] != NO_LEVEL) + (levels[1] != NO_LEVEL) + (levels[2] != NO_LEVEL),
        (first, second, third),
        NOTHING_LED if lying == NOTHING else level_of(bounds, lying),
        situation[FACED],
        read_rounds(situation),
        1 - situation[IS_MAO],
        out,
        total,
    )


@compiled_step
def held_cards(situation: Situation) -> tuple[int, int, int]:
    """The cards held, weakest first; see `Deal.cards`."""
    first = second = third = NO_CARD * HELD_BASE
    for place in range(HAND):
        if situation[HELD_CARDS] >> place & 1:
            card = int(STRENGTHS[situation[DEALT + place]]) * HELD_BASE + place
            if card < first:
                first, second, third = card, first, second
            elif card < second:
                second, third = card, second
            else:
                third = card
    return first, second, third


@compiled_step
def level_of(bounds: tuple[int, ...], strength: int) -> int:
    """The level of an own card, by the least strength of each level from the second on."""
    if strength in (0, NO_CARD):
        return NO_LEVEL
    return 1 if strength < bounds[1] else 3 if strength < bounds[3] else 5


@compiled_step
def count_unseen(situation: Situation, bounds: tuple[int, ...]) -> tuple[int, int]:
    """How many cards of each level the other may hold, and how many in all."""
    weaker, total = 0, len(SPANISH_DECK)
    for number in range(LEVELS - 1):
        weaker += WEAKER[bounds[number]] << LEVEL_BITS * number
    for place in range(HAND):
        weaker -= weaker_in(bounds, int(STRENGTHS[situation[DEALT + place]]))
        total -= 1
    for place in range(situation[TABLE_SIZE]):
        card = situation[ON_TABLE + place] - BY_OTHER
        if 0 <= card < FACE_DOWN:
            weaker -= weaker_in(bounds, int(STRENGTHS[card]))
            total -= 1
    weaker += total << LEVEL_BITS * (LEVELS - 1)
    return (weaker - (weaker << LEVEL_BITS)) & ALL_LEVELS, total


@compiled_step
def weaker_in(bounds: tuple[int, ...], strength: int) -> int:
    """Where one card counts among those that are weaker than each bound."""
    found = 0
    for number in range(LEVELS - 1):
        found += (strength < bounds[number]) << LEVEL_BITS * number
    return found


@compiled_step
def read_rounds(situation: Situation) -> int:
    """The finished rounds as `rounds_code` numbers them."""
    rounds = 0
    for number in range(situation[ROUNDS_OVER]):
        winner = situation[ROUND_WINNERS + number]
        rounds = after(rounds, TIED if winner == 0 else LOST if winner == OTHER else WON)
    return rounds


# Counting


@compiled_step
def card_chance(chances: Chances, deal: Deal, number: int) -> Any:
    """The chance to win the hand with one of the cards held, told in rising order, in one's own turn to play."""
    rounds, led, count = deal.rounds, deal.levels[number], deal.size
    if deal.faced != NOTHING:
        result = result_of(deal.cards[number] // HELD_BASE, deal.faced)
        rounds, led, count = after(rounds, result), NOTHING_LED, count - 1
    return share_won(chances, deal, rounds, led, number, count)


@compiled_step
def best_chance(chances: Chances, deal: Deal) -> tuple[float, int]:
    """The best chance to win the hand with a card held, and which it is: among equals the weakest."""
    best, chosen = -1.0, 0
    for number in range(deal.size):
        chance = card_chance(chances, deal, number)
        if chance > best:
            best, chosen = chance, number
    return best, chosen


@compiled_step
def hand_chance(chances: Chances, deal: Deal) -> Any:
    """The chance to win the hand as it stands.

    If a card of the other's waits, it is that of the best answer. The other has to answer an own card that lies; before
    a round both are taken to play with open cards, whoever leads.
    """
    if deal.faced != NOTHING:
        return best_chance(chances, deal)[0]
    count = deal.size + (deal.lying != NOTHING_LED)
    return share_won(chances, deal, deal.rounds, deal.lying, NOTHING, count)


@compiled_step
def share_won(chances: Chances, deal: Deal, rounds: int, led: int, played: int, count: int) -> Any:
    """The share of deals in which the hand is won when a card is played, or none (`NOTHING`).

    The other holds so many of the cards that are out, and answers the card led; see `is_won`.
    """
    low, middle, high = deal.own
    if count == HAND and chances.first[low, middle, high, deal.mao, led]:
        return chances.first[low, middle, high, deal.mao, led]
    mine, won = rest_without(chances, deal, played), 0
    for theirs in range(FIRST[count], FIRST[count + 1]):
        ways = 1
        for number in range(count):
            out = deal.out >> LEVEL_BITS * chances.holdings[theirs, number] & LEVEL_MASK
            ways *= chances.ways[out, chances.holdings[theirs, COPIES + number]]
        if ways:
            won += ways * is_won(chances, rounds, deal.mao, led, mine, theirs)
    share = won / chances.ways[deal.total, count]
    if count == HAND:
        chances.first[low, middle, high, deal.mao, led] = share
    return share


@compiled_step
def rest_without(chances: Chances, deal: Deal, played: int) -> Any:
    """The holding that is left when one of the cards held is played, told in rising order; all of it without (`NOTHING`)."""
    first, second, third = deal.levels
    return chances.place[
        NO_LEVEL if played == 0 else first,
        NO_LEVEL if played == 1 else second,
        NO_LEVEL if played == 2 else third,
    ]


@compiled_step
def is_won(chances: Chances, rounds: int, mao: int, led: int, mine: int, theirs: int) -> Any:
    """Whether a hand is won against a holding of the other: with open cards, or with a card led that it answers best.

    `led` is the level of that card, or `NOTHING_LED`.
    """
    if led == NOTHING_LED:
        return chances.wins[rounds, mao, mine, theirs]
    won = 1
    for number in range(HAND):
        level = chances.holdings[theirs, number]
        if level != NO_LEVEL:
            then = after(rounds, result_of(led, level))
            won = min(won, chances.wins[then, mao, mine, chances.holdings[theirs, REST + number]])
    return won
