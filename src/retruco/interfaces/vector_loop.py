"""The compiled loop of the vectorised environment: acts at every table, deals anew, writes the arrays."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below
from retruco.compiler import compiled, compiled_step
from retruco.games.truco.compiled.automaton import ENVIDO, FLOR
from retruco.games.truco.compiled.situation import SUIT, own_action, sort_hand
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    BY_OTHER,
    CARD_COLUMNS,
    CARDS,
    CONDITIONS,
    FACE_DOWN,
    FIRST_CALL,
    HAND,
    HELD,
    MAO,
    PLAYS,
    POINTS,
    SCORES,
    STATE,
    TABLE,
    Row,
    deal_cards,
    legal_columns,
    play,
    seat_to_act,
    start_hand,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.interfaces.encodings.truco import CARD, FIELDS, MOST_POINTS, PLAY, STRENGTHS
from retruco.streams import part_number

FIRST: Final = np.uint64(part_number("first"))
"""The part of a key that names who is mão first; see `Episode`."""
CALLS: Final = ACTIONS - FIRST_CALL

(
    DEALT_AT, HELD_AT, OWN_TABLE_AT, OTHER_TABLE_AT, OWN_CALLS_AT, OTHER_CALLS_AT,
    SHOWN_AT, POINTS_AT, TURN_AT, WON_AT, SCORES_AT, SIZE,
) = accumulate(FIELDS.values(), initial=0)  # fmt: skip
"""Where each part of an array begins, and its length."""

Array: TypeAlias = NDArray[Any]


class TableArrays(NamedTuple):
    """What is known of every table, and what is handed out."""

    rows: Array
    """By table: the row of the stepper."""
    calls: Array
    """By table, seat and call: how often it was made in this hand."""
    shown: Array
    """By table: envido points of both seats and flor points of both seats, plus 1, as far as they were shown."""
    episode: Array
    """By table: the number of its episode."""
    hand: Array
    """By table: how many hands of the episode are over."""
    observations: Array
    masks: Array
    seats: Array
    rewards: Array
    over: Array


class Room(NamedTuple):
    """Small arrays that the loop writes into."""

    deck: Row
    order: Row
    stream: StreamState


@compiled
def start_all(tables: Tables, key: np.uint64, arrays: TableArrays, room: Room) -> None:
    """Begin an episode at every table."""
    for table in range(len(arrays.rows)):
        arrays.episode[table] = table
        begin_episode(tables, key, arrays, room, table)
        show(tables, arrays, room, table)


@compiled
def find_illegal(masks: Array, actions: Array) -> int:
    """The first table whose action is illegal, or -1."""
    for table in range(len(actions)):
        action = actions[table]
        if action < 0 or action >= ACTIONS or not masks[table, action]:
            return table
    return -1


@compiled
def step_all(
    tables: Tables, key: np.uint64, matches: bool, actions: Array, arrays: TableArrays, room: Room
) -> None:
    """Carry out one legal action at every table; a finished episode is followed by the next."""
    for table in range(len(actions)):
        arrays.rewards[table, 0] = arrays.rewards[table, 1] = 0.0
        arrays.over[table] = False
        row = arrays.rows[table]
        sort_hand(tables, row, arrays.seats[table], room.order)
        act(tables, row, arrays.calls[table], arrays.shown[table], own_action(room.order, actions[table]))
        if row[STATE] < 0:
            end_hand(tables, key, matches, arrays, room, table)
        show(tables, arrays, room, table)


@compiled_step
def act(tables: Tables, row: Row, calls: Array, shown: Array, action: int) -> None:
    """Carry out an action, and note the calls and the points that it shows."""
    if action >= FIRST_CALL:
        calls[seat_to_act(tables, row), action - FIRST_CALL] += 1
        edge = tables.edge[row[STATE], action - FIRST_CALL + CARD_COLUMNS]
        condition = tables.condition[edge]
        if condition in (ENVIDO, FLOR):
            place = 0 if condition == ENVIDO else 2
            mao = row[MAO]
            shown[place + mao] = points_of(tables, row, mao, condition) + 1
            if row[CONDITIONS + condition] == 0:  # the other has more, and shows it
                shown[place + 1 - mao] = points_of(tables, row, 1 - mao, condition) + 1
    play(tables, row, action)


@compiled_step
def points_of(tables: Tables, row: Row, seat: int, condition: int) -> Any:
    """The envido or flor points of a seat."""
    first = CARDS + HAND * seat
    cards = (row[first], row[first + 1], row[first + 2])
    return tables.envido[cards] if condition == ENVIDO else tables.flor[cards]


@compiled_step
def end_hand(
    tables: Tables, key: np.uint64, matches: bool, arrays: TableArrays, room: Room, table: int
) -> None:
    """Deal the next hand of a match, or pay the rewards and begin the next episode."""
    row = arrays.rows[table]
    arrays.hand[table] += 1
    if matches and max(row[SCORES], row[SCORES + 1]) < tables.target:
        deal_hand(tables, key, arrays, room, table, 1 - row[MAO])
        return
    mine, other = min(row[SCORES], tables.target), min(row[SCORES + 1], tables.target)
    reward = np.float32(np.sign(mine - other) if matches else mine - other)
    arrays.rewards[table, 0], arrays.rewards[table, 1] = reward, -reward
    arrays.over[table] = True
    arrays.episode[table] += len(arrays.rows)
    begin_episode(tables, key, arrays, room, table)


@compiled_step
def begin_episode(tables: Tables, key: np.uint64, arrays: TableArrays, room: Room, table: int) -> None:
    """Begin at 0 to 0, with the mão and the cards drawn by the number of the episode."""
    row = arrays.rows[table]
    row[SCORES] = row[SCORES + 1] = 0
    arrays.hand[table] = 0
    room.stream[0] = add_part(add_part(key, arrays.episode[table]), FIRST)
    deal_hand(tables, key, arrays, room, table, below(room.stream, 2))


@compiled_step
def deal_hand(tables: Tables, key: np.uint64, arrays: TableArrays, room: Room, table: int, mao: int) -> None:
    """Deal a hand from its own stream."""
    row = arrays.rows[table]
    room.stream[0] = add_part(add_part(key, arrays.episode[table]), arrays.hand[table])
    deal_cards(row, room.stream, room.deck)
    start_hand(tables, row, mao)
    for call in range(CALLS):
        arrays.calls[table, 0, call] = arrays.calls[table, 1, call] = 0
    for place in range(4):
        arrays.shown[table, place] = 0


@compiled_step
def show(tables: Tables, arrays: TableArrays, room: Room, table: int) -> None:
    """Write what the seat to act sees and may do."""
    row = arrays.rows[table]
    seat = seat_to_act(tables, row)
    arrays.seats[table] = seat
    sort_hand(tables, row, seat, room.order)
    write_mask(tables, row, seat, room.order, arrays.masks[table])
    entries = arrays.observations[table]
    for place in range(SIZE):
        entries[place] = 0.0
    write_cards(tables, row, seat, room.order, entries)
    write_table(tables, row, seat, entries)
    write_numbers(tables, row, seat, arrays.calls[table], arrays.shown[table], entries)


@compiled_step
def write_mask(tables: Tables, row: Row, seat: int, order: Row, mask: Array) -> None:
    """Write which actions are legal, cards in the order of strength."""
    columns, held = legal_columns(tables, row), row[HELD + seat]
    for column in range(CARD_COLUMNS):
        for rank in range(HAND):
            mask[HAND * column + rank] = (columns >> column & 1) & (held >> order[rank] & 1)
    for call in range(CALLS):
        mask[FIRST_CALL + call] = columns >> (CARD_COLUMNS + call) & 1


@compiled_step
def write_card(tables: Tables, card: int, entries: Array, begin: int) -> None:
    """Write the strength and the suit of a card."""
    entries[begin + tables.strength[card] - 1] = 1.0
    entries[begin + STRENGTHS + card // SUIT] = 1.0


@compiled_step
def write_cards(tables: Tables, row: Row, seat: int, order: Row, entries: Array) -> None:
    """Write the dealt cards, weakest first, and which of them are held."""
    for rank in range(HAND):
        write_card(tables, row[CARDS + HAND * seat + order[rank]], entries, DEALT_AT + CARD * rank)
        entries[HELD_AT + rank] = row[HELD + seat] >> order[rank] & 1


@compiled_step
def write_table(tables: Tables, row: Row, seat: int, entries: Array) -> None:
    """Write the cards on the table by who played them; the other's face-down cards have no face."""
    own_round = other_round = 0
    for place in range(row[PLAYS]):
        card = row[TABLE + place]
        is_own = (card >= BY_OTHER) == (seat == 1)
        is_down = card & FACE_DOWN > 0
        if is_own:
            begin = OWN_TABLE_AT + PLAY * own_round
            own_round += 1
        else:
            begin = OTHER_TABLE_AT + PLAY * other_round
            other_round += 1
        if is_own or not is_down:
            write_card(tables, card % FACE_DOWN, entries, begin)
        entries[begin + CARD] = is_down


@compiled_step
def write_numbers(tables: Tables, row: Row, seat: int, calls: Array, shown: Array, entries: Array) -> None:
    """Write calls, points and scores, the seat's own before the other's."""
    for call in range(CALLS):
        entries[OWN_CALLS_AT + call] = calls[seat, call]
        entries[OTHER_CALLS_AT + call] = calls[1 - seat, call]
    entries[POINTS_AT] = points_of(tables, row, seat, ENVIDO) / MOST_POINTS
    entries[POINTS_AT + 1] = points_of(tables, row, seat, FLOR) / MOST_POINTS
    entries[TURN_AT] = seat == row[MAO]
    entries[TURN_AT + 1] = 1.0
    for side in range(2):
        player = seat if side == 0 else 1 - seat
        for stage in range(2):
            entries[SHOWN_AT + 2 * stage + side] = shown[2 * stage + player] / MOST_POINTS
        for stage in range(3):
            entries[WON_AT + 2 * stage + side] = row[POINTS + 2 * stage + player] / tables.target
        entries[SCORES_AT + side] = row[SCORES + player] / tables.target
