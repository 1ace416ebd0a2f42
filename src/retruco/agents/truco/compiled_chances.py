"""The chance to win the hand by cards, in compiled code: the same numbers as `chances`.

Both count deals in whole numbers and divide once. What is settled by open cards is taken from the tables
of `chances`; chances of the first round, which repeat, are written down when they are first counted.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.agents.truco.chances import IN_DECK, ME, OTHER, holdings, open_wins, plays_from, ways_to_draw
from retruco.compiler import compiled
from retruco.games.truco.rounds import TIE, decided

STRENGTHS: Final = len(IN_DECK)
RESULTS: Final = (ME, OTHER, TIE)
"""How a round can come out from one's own side, in the order of the tables."""
WON, LOST, TIED = range(3)
NOTHING: Final = -1
"""No card lies there."""


class ChanceTables(NamedTuple):
    """What counting needs; compiled code takes it as it is."""

    ways: Any
    """By cards out and cards held of a strength: in how many ways."""
    in_deck: Any
    """By strength from 1: how many cards there are."""
    one: Any
    """By holding of one card: its strength."""
    two: Any
    three: Any
    rest_of_two: Any
    """By holding of two cards and place: the holding that is left when the card there is played."""
    rest_of_three: Any
    place_of_two: Any
    """By two strengths: the holding."""
    place_of_three: Any
    settled: Any
    """By rounds played (see `rounds_code`) and whether the other is the mão: 1 won, 0 lost, -1 open."""
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


@cache
def chance_tables() -> ChanceTables:
    """The tables, made once a process."""
    two, three = holdings(2), holdings(3)
    return ChanceTables(
        ways=ways_to_draw().astype(np.int64),
        in_deck=np.array((0, *IN_DECK), dtype=np.int64),
        one=np.array(list(holdings(1)), dtype=np.int64),
        two=np.array(list(two), dtype=np.int64),
        three=np.array(list(three), dtype=np.int64),
        rest_of_two=np.stack([rest for _, rest in plays_from(2)], axis=1),
        rest_of_three=np.stack([rest for _, rest in plays_from(3)], axis=1),
        place_of_two=places(two, 2),
        place_of_three=places(three, 3),
        settled=settled_table(),
        open_one=open_table(2, 1),
        open_two=open_table(1, 2),
        open_three=open_table(0, 3),
        lead_first=np.full((len(three), 2, 3), -1.0),
        hand_first=np.full((len(three), 2), -1.0),
        lying_first=np.full((len(two), STRENGTHS + 1, 2), -1.0),
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


@compiled
def after(rounds: int, mine: int, theirs: int) -> Any:
    """The rounds after one more, in which these strengths met."""
    return 3 * rounds + 1 + (WON if mine > theirs else LOST if mine < theirs else TIED)


@compiled
def worth(tables: ChanceTables, rounds: int, mao: int, cards: int, mine: int, theirs: int) -> Any:
    """1 if a hand is won: settled, or open with so many cards each."""
    settled = tables.settled[rounds, mao]
    if settled >= 0:
        return settled
    if cards == 1:
        return np.int64(tables.open_one[rounds, mao, mine, theirs])
    if cards == 2:
        return np.int64(tables.open_two[rounds, mao, mine, theirs])
    return np.int64(tables.open_three[rounds, mao, mine, theirs])


@compiled
def ways_to_hold(tables: ChanceTables, out: Any, a: int, b: int, c: int) -> Any:
    """In how many ways the other holds these strengths, in rising order; 0 stands for no card."""
    if a == 0:
        return np.int64(1)
    if b == 0:
        return out[a]
    if c == 0:
        return tables.ways[out[a], 2] if a == b else out[a] * out[b]
    if a == b and b == c:
        return tables.ways[out[a], 3]
    if a == b:
        return tables.ways[out[a], 2] * out[c]
    if b == c:
        return out[a] * tables.ways[out[b], 2]
    return out[a] * out[b] * out[c]


@compiled
def place_of(tables: ChanceTables, cards: Any, count: int) -> Any:
    """The holding of some strengths in rising order."""
    if count == 0:
        return np.int64(0)
    if count == 1:
        return np.int64(cards[0] - 1)
    if count == 2:
        return tables.place_of_two[cards[0], cards[1]]
    return tables.place_of_three[cards[0], cards[1], cards[2]]


@compiled
def share_with_open_cards(
    tables: ChanceTables, out: Any, rounds: int, mao: int, cards: int, mine: int
) -> Any:
    """The share of deals won with open cards from here, both with so many."""
    won, total = np.int64(0), np.int64(0)
    if cards == 0:
        return np.float64(worth(tables, rounds, mao, 0, 0, 0))
    size = len(tables.one) if cards == 1 else len(tables.two) if cards == 2 else len(tables.three)
    for held in range(size):
        if cards == 1:
            ways = out[held + 1]
        elif cards == 2:
            ways = ways_to_hold(tables, out, tables.two[held, 0], tables.two[held, 1], 0)
        else:
            ways = ways_to_hold(
                tables, out, tables.three[held, 0], tables.three[held, 1], tables.three[held, 2]
            )
        total += ways
        if ways:
            won += ways * worth(tables, rounds, mao, cards, mine, held)
    return won / total


@compiled
def share_answered(
    tables: ChanceTables, out: Any, rounds: int, mao: int, card: int, left: int, mine: int
) -> Any:
    """The share of deals won after playing a card that the other answers as well as it can; `left` cards remain."""
    won, total = np.int64(0), np.int64(0)
    size = len(tables.one) if left == 0 else len(tables.two) if left == 1 else len(tables.three)
    for held in range(size):
        if left == 0:
            ways = out[held + 1]
        elif left == 1:
            ways = ways_to_hold(tables, out, tables.two[held, 0], tables.two[held, 1], 0)
        else:
            ways = ways_to_hold(
                tables, out, tables.three[held, 0], tables.three[held, 1], tables.three[held, 2]
            )
        total += ways
        if ways == 0:
            continue
        worst = np.int64(1)
        for place in range(left + 1):
            if left == 0:
                theirs, rest = held + 1, 0
            elif left == 1:
                theirs, rest = tables.two[held, place], tables.rest_of_two[held, place]
            else:
                theirs, rest = tables.three[held, place], tables.rest_of_three[held, place]
            worst = min(worst, worth(tables, after(rounds, card, theirs), mao, left, mine, rest))
        won += ways * worst
    return won / total
