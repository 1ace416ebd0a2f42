"""What a seat sees, as a key: two numbers that are equal where everything that counts is equal.

A player says which parts of an observation its decision depends on (`PARTS`); the public state, what
is legal and how many cards are held always count. Cards are told by strength, weakest first and, where
two are as strong, in the order of the hand; so hands that differ only in order or suits share their keys
unless a part says otherwise. Actions are told in the same order, see `own_action`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from retruco.compiler import compiled_step, inlined
from retruco.games.truco.compiled.automaton import MAO_FLOR
from retruco.games.truco.compiled.stepper import (
    BY_OTHER,
    CARDS,
    CONDITIONS,
    DECK,
    FACE_DOWN,
    FIRST_CALL,
    HAND,
    HELD,
    PLAYS,
    SCORES,
    STATE,
    TABLE,
    Row,
)
from retruco.games.truco.compiled.tables import Tables

PARTS: Final = ("cards", "points", "flor", "twins", "shown", "scores", "order")
"""The parts of an observation: the strength of own cards and of those on the table; own envido points; own
flor points; of equal cards held, how many dealt cards share the suit of each; the first card that the other
has played, suit and all; the scores; the order in which own cards were dealt."""
CARDS_PART, POINTS_PART, FLOR_PART, TWINS_PART, SHOWN_PART, SCORES_PART, ORDER_PART = (
    1 << place for place in range(7)
)

CARDS_BITS: Final = 21
"""The strengths of three cards, and which of them was played in each round."""
PLAYER_SHIFT: Final = 20 + HAND + CARDS_BITS
"""Where the number of the player begins in the first number of a key."""

SUIT: Final = DECK // 4
"""How many cards a suit has; a suit lies together in the deck."""


def part_bits(parts: object) -> int:
    """Parts as bits; an unknown one is refused.

    >>> part_bits(["cards", "flor"])
    5
    >>> part_bits(["mood"])
    Traceback (most recent call last):
    ...
    ValueError: unknown part of an observation 'mood': one of cards, points, flor, twins, shown, scores, order
    """
    if isinstance(parts, str) or not hasattr(parts, "__iter__"):
        raise ValueError(f"key_parts gives a list of names, not {parts!r}")
    for part in parts:
        if part not in PARTS:
            raise ValueError(f"unknown part of an observation {part!r}: one of {', '.join(PARTS)}")
    return sum(1 << place for place, part in enumerate(PARTS) if part in parts)


@compiled_step
def sort_hand(tables: Tables, row: Row, seat: int, order: Row) -> None:
    """Write down the places of a seat's dealt cards, weakest first, equal ones in the order of the hand."""
    for place in range(HAND):
        power = tables.strength[row[CARDS + HAND * seat + place]]
        at = place
        while at > 0 and tables.strength[row[CARDS + HAND * seat + order[at - 1]]] > power:
            order[at] = order[at - 1]
            at -= 1
        order[at] = place


@compiled_step
def situation(tables: Tables, row: Row) -> Any:
    """The public state as its actor knows it: with a flor or without."""
    state = row[STATE]
    return 2 * state + row[CONDITIONS + MAO_FLOR + tables.actor[state]]


@inlined
def own_action(order: Row, action: int) -> Any:
    """Turn an action told in the order of strength into one told in the order of the hand."""
    if action >= FIRST_CALL:
        return action
    return order[action % HAND] + HAND * (action // HAND)


@inlined
def held_in_order(row: Row, seat: int, order: Row) -> Any:
    """The cards still held, as bits in the order of strength."""
    held = 0
    for rank in range(HAND):
        held |= (row[HELD + seat] >> order[rank] & 1) << rank
    return held


@compiled_step
def write_key(tables: Tables, row: Row, seat: int, order: Row, player: int, parts: int, key: Any) -> None:
    """Write the key of what a player sees; each part has bits of its own."""
    first = np.uint64(player) << np.uint64(20) | np.uint64(situation(tables, row))
    first = first << np.uint64(3) | np.uint64(held_in_order(row, seat, order))
    second = np.uint64(0)
    if not parts & CARDS_PART:
        first <<= np.uint64(CARDS_BITS)
    else:
        for rank in range(HAND):
            first = first << np.uint64(4) | np.uint64(tables.strength[row[CARDS + HAND * seat + order[rank]]])
        first, second = add_table(tables, row, seat, order, first)
    cards = (row[CARDS + HAND * seat], row[CARDS + HAND * seat + 1], row[CARDS + HAND * seat + 2])
    second = second << np.uint64(6) | np.uint64(tables.envido[cards] if parts & POINTS_PART else 0)
    second = second << np.uint64(6) | np.uint64(tables.flor[cards] if parts & FLOR_PART else 0)
    second = second << np.uint64(6) | np.uint64(twins(tables, row, seat, order) if parts & TWINS_PART else 0)
    second = second << np.uint64(6) | np.uint64(first_shown(row, seat) if parts & SHOWN_PART else 0)
    scores = row[SCORES + seat] << 9 | row[SCORES + 1 - seat] if parts & SCORES_PART else 0
    second = second << np.uint64(18) | np.uint64(scores)
    places = HAND * order[0] + order[1] if parts & ORDER_PART else 0
    key[0], key[1] = first, second << np.uint64(4) | np.uint64(places)


@inlined
def add_table(tables: Tables, row: Row, seat: int, order: Row, first: Any) -> Any:
    """Add own plays by round (which card, and whether face down) to the first number, the other's to the second."""
    second = np.uint64(0)
    for place in range(2 * HAND):
        play = row[TABLE + place] if place < row[PLAYS] else -1
        mine, theirs = np.uint64(0), np.uint64(0)
        if play >= 0:
            card, down = play % FACE_DOWN, play & FACE_DOWN
            if (play >= BY_OTHER) == (seat == 1):
                for rank in range(HAND):
                    if row[CARDS + HAND * seat + order[rank]] == card:
                        mine = np.uint64(rank + 1 + 4 * (down > 0))
            else:
                theirs = np.uint64(1 if down else tables.strength[card] + 1)
        if place % 2 == 0:
            first, second = first << np.uint64(3), second << np.uint64(4)
        first, second = first | mine, second | theirs
    return first, second


@inlined
def twins(tables: Tables, row: Row, seat: int, order: Row) -> Any:
    """Of held cards that are equally strong, how many of the dealt cards share the suit of each."""
    found, held = 0, held_in_order(row, seat, order)
    for rank in range(HAND):
        card = row[CARDS + HAND * seat + order[rank]]
        equals = same_suit = 0
        for other in range(HAND):
            with_it = row[CARDS + HAND * seat + order[other]]
            equals += tables.strength[with_it] == tables.strength[card] and held >> other & 1
            same_suit += with_it // SUIT == card // SUIT
        found = found << 2 | (same_suit if equals > 1 and held >> rank & 1 else 0)
    return found


@compiled_step
def first_shown(row: Row, seat: int) -> Any:
    """The first card that the other seat has played, counted from 1; 0 if there is none."""
    for place in range(row[PLAYS]):
        play = row[TABLE + place]
        if (play >= BY_OTHER) != (seat == 1):
            return play % FACE_DOWN + 1
    return 0
