"""The chance to win the hand by cards, in compiled code: the same numbers as `chances`.

Both count deals in whole numbers and divide once. What is settled by open cards is taken from the tables
of `chances`; chances of the first round, which repeat, are written down when they are first counted.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.agents.truco.chances import IN_DECK, ME, OTHER, holdings, open_wins
from retruco.compiler import compiled_step, inlined
from retruco.games.truco.rounds import TIE, decided

STRENGTHS: Final = len(IN_DECK)
RESULTS: Final = (ME, OTHER, TIE)
"""How a round can come out from one's own side, in the order of the tables."""
WON, LOST, TIED = range(3)
NOTHING: Final = -1
"""No card lies there."""


class ChanceTables(NamedTuple):
    """What counting needs; compiled code takes it as it is."""

    in_deck: Any
    """By strength from 1: how many cards there are."""
    place_of_two: Any
    """By two strengths in rising order: the holding."""
    place_of_three: Any
    settled: Any
    """By rounds played (see `rounds_code`) and whether the other is the mão: 1 won, 0 lost, -1 open."""
    settled_wins: Any
    """The wins of a hand that is lost, and of one that is won, whatever the other holds."""
    open_one: Any
    """By rounds played, mão, own and other holding: whether open cards win; with one card each."""
    open_two: Any
    open_three: Any
    lead_first: Any
    """Chances of the first round, by own holding, mão and card led; below 0 where they were not counted yet."""
    hand_first: Any
    """Chances of the first round before a card is played, by own holding and mão."""
    lying_first: Any
    """Chances of the first round with an own card lying, by the holding left, that card and mão."""
    cards: Any
    """Room for the cards held,"""
    rest: Any
    """for what is left of them,"""
    out: Any
    """for the cards that are out by strength,"""
    odds: Any
    """and for the chances of each card held."""


@cache
def chance_tables() -> ChanceTables:
    """The tables, made once a process."""
    two, three = holdings(2), holdings(3)
    return ChanceTables(
        in_deck=np.array((0, *IN_DECK), dtype=np.int64),
        place_of_two=places(two, 2),
        place_of_three=places(three, 3),
        settled=settled_table(),
        settled_wins=np.repeat(np.array([[0], [1]], dtype=np.int8), len(three), axis=1),
        open_one=open_table(2, 1),
        open_two=open_table(1, 2),
        open_three=open_table(0, 3),
        lead_first=np.full((len(three), 2, 3), -1.0),
        hand_first=np.full((len(three), 2), -1.0),
        lying_first=np.full((len(two), STRENGTHS + 1, 2), -1.0),
        cards=np.zeros(3, dtype=np.int64),
        rest=np.zeros(3, dtype=np.int64),
        out=np.zeros(STRENGTHS + 1, dtype=np.int64),
        odds=np.zeros(3),
    )


def places(numbered: dict[tuple[int, ...], int], count: int) -> Any:
    """The holdings by their strengths in rising order."""
    table = np.zeros((STRENGTHS + 1,) * count, dtype=np.int64)
    for held, place in numbered.items():
        table[held] = place
    return table


def rounds_code(rounds: tuple[int, ...]) -> int:
    """Number the results of rounds played: none is 0, then those of one round, of two and of three.

    >>> rounds_code(()), rounds_code((ME,)), rounds_code((ME, ME))
    (0, 1, 4)
    """
    code = 0
    for result in rounds:
        code = 3 * code + 1 + RESULTS.index(result)
    return code


def settled_table() -> Any:
    """Who has won, by rounds played and mão."""
    table = np.full((40, 2), -1, dtype=np.int64)
    for count in range(4):
        for rounds, mao in product(product(RESULTS, repeat=count), (ME, OTHER)):
            winner = decided(rounds, mao)
            table[rounds_code(rounds), mao] = -1 if winner is None else int(winner == ME)
    return table


def open_table(count: int, cards: int) -> Any:
    """Whether open cards win, after so many rounds that settled nothing."""
    size = len(holdings(cards))
    table = np.zeros((3**count + (count > 0) + 3 * (count > 1), 2, size, size), dtype=np.int8)
    for rounds, mao in product(product(RESULTS, repeat=count), (ME, OTHER)):
        if decided(rounds, mao) is None:
            table[rounds_code(rounds), mao] = open_wins(rounds, mao, cards)
    return table


@inlined
def after(rounds: int, result: int) -> Any:
    """The rounds after one more of this result."""
    return 3 * rounds + 1 + result


@inlined
def result_of(mine: int, theirs: int) -> Any:
    """How a round comes out in which these strengths meet."""
    return WON if mine > theirs else LOST if mine < theirs else TIED


@inlined
def wins(tables: ChanceTables, rounds: int, mao: int, cards: int, mine: int) -> Any:
    """By what the other holds: whether a hand is won, being settled, or open with so many cards each."""
    settled = tables.settled[rounds, mao]
    if settled >= 0:
        return tables.settled_wins[settled]
    if cards == 1:
        return tables.open_one[rounds, mao, mine]
    return tables.open_two[rounds, mao, mine] if cards == 2 else tables.open_three[rounds, mao, mine]


@compiled_step
def share_won(out: Any, cards: int, wins: Any) -> Any:
    """The share of deals won, the other holding so many of the cards that are out."""
    won, total, place = 0, 0, 0
    if cards == 0:
        return np.float64(wins[0])
    for low in range(1, STRENGTHS + 1):
        if cards == 1:
            total += out[low]
            won += out[low] * wins[low - 1]
            continue
        for middle in range(low, STRENGTHS + 1):
            ways = out[low] * (out[low] - 1) // 2 if low == middle else out[low] * out[middle]
            if cards == 2:
                total += ways
                won += ways * wins[place]
                place += 1
                continue
            for high in range(middle, STRENGTHS + 1):
                each = ways_with_third(out, low, middle, high, ways)
                total += each
                won += each * wins[place]
                place += 1
    return won / total


@compiled_step
def ways_with_third(out: Any, low: int, middle: int, high: int, ways: int) -> Any:
    """In how many ways a third card joins two that can be held in so many ways."""
    if high != middle:
        return ways * out[high]
    left = out[high] - 1  # of the middle and the high card, which are equally strong
    return ways * (left - 1) // 3 if low == middle else ways * left // 2


@compiled_step
def share_answered(
    place_of_two: Any, out: Any, card: int, left: int, if_won: Any, if_lost: Any, if_tied: Any
) -> Any:
    """The share of deals won with a card that the other answers as well as it can; `left` cards remain to each.

    Whether the hand is then won is told, for each result of the round, by what the other has left.
    """
    won, total = 0, 0
    for low in range(1, STRENGTHS + 1):
        with_low = if_won if card > low else if_lost if card < low else if_tied
        if left == 0:
            total += out[low]
            won += out[low] * with_low[0]
            continue
        for middle in range(low, STRENGTHS + 1):
            ways = out[low] * (out[low] - 1) // 2 if low == middle else out[low] * out[middle]
            if ways == 0:
                continue
            with_middle = if_won if card > middle else if_lost if card < middle else if_tied
            if left == 1:
                total += ways
                won += ways * min(with_low[middle - 1], with_middle[low - 1])
                continue
            for high in range(middle, STRENGTHS + 1):
                each = ways_with_third(out, low, middle, high, ways)
                with_high = if_won if card > high else if_lost if card < high else if_tied
                worst = min(
                    with_low[place_of_two[middle, high]],
                    with_middle[place_of_two[low, high]],
                    with_high[place_of_two[low, middle]],
                )
                total += each
                won += each * worst
    return won / total


@inlined
def share_led(tables: ChanceTables, out: Any, rounds: int, mao: int, card: int, left: int, mine: int) -> Any:
    """The share of deals won with a card that lies before the other, `mine` being what is left."""
    return share_answered(
        tables.place_of_two,
        out,
        card,
        left,
        wins(tables, after(rounds, WON), mao, left, mine),
        wins(tables, after(rounds, LOST), mao, left, mine),
        wins(tables, after(rounds, TIED), mao, left, mine),
    )


@inlined
def place_of(tables: ChanceTables, cards: Any, count: int) -> Any:
    """The holding of some strengths in rising order."""
    if count == 0:
        return np.int64(0)
    if count == 1:
        return np.int64(cards[0] - 1)
    if count == 2:
        return np.int64(tables.place_of_two[cards[0], cards[1]])
    return np.int64(tables.place_of_three[cards[0], cards[1], cards[2]])
