"""Matches of Truco in lanes, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.arena.lanes import (
    DEALING,
    FACING,
    GAINS,
    HAND_NUMBER,
    NEW,
    NONE,
    OVER,
    PLAYING,
    SEAT,
    STATUS,
    Lanes,
    enter_hand,
    new_lanes,
    note_action,
    wait_for,
)
from retruco.arena.table import Table
from retruco.compiled_streams import StreamState, add_part
from retruco.compiler import compiled, compiled_step
from retruco.games.core import Action, Seat
from retruco.games.truco import Truco, TrucoDeal, TrucoObservation
from retruco.games.truco.behaviour import CARD, COUNTED, DOWN, NO_CALL, count_action
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARD_COLUMNS,
    CARDS,
    DECK,
    FIRST_CALL,
    HAND,
    HELD,
    MAO,
    POINTS,
    SCORES,
    STATE,
    Row,
    action_number,
    action_text,
    deal_cards,
    legal_columns,
    row_of,
    seat_to_act,
)
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.situation import (
    HAND_ROW,
    QUERO,
    SITUATION,
    begin_hand,
    carry_out,
    fill_situation,
)


@compiled
def go_on(tables: Tables, lanes: Lanes, which: NDArray[Any], actions: NDArray[Any], most_hands: int) -> None:
    """Carry out an action in each of some lanes, and let them run until they wait for a decision or are over.

    A lane without an action (-1) only begins.
    """
    stream, deck = np.zeros(1, np.uint64), np.zeros(DECK, np.int32)
    for place in range(len(which)):
        lane = which[place]
        if actions[place] != NONE:
            act(tables, lanes, lane, actions[place])
        if lanes.illegal[lane] == NONE:
            run_on(tables, lanes, lane, stream, deck, most_hands)


@compiled_step
def act(tables: Tables, lanes: Lanes, lane: int, action: int) -> None:
    """Count an action and carry it out; an illegal one is noted instead."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    if not is_legal(tables, row, action):
        lanes.illegal[lane] = action
        return
    seat = numbers[SEAT]
    count_behaviour(tables, row, numbers, lanes.hand_behaviour[lane, seat], seat, action)
    note_action(lanes, lane, action)
    carry_out(tables, row, action)


@compiled_step
def is_legal(tables: Tables, row: Row, action: int) -> bool:
    """Whether the seat to act may do this."""
    columns = legal_columns(tables, row)
    if action < 0 or action >= ACTIONS:
        return False
    if action >= FIRST_CALL:
        return bool(columns >> (action - FIRST_CALL + CARD_COLUMNS) & 1)
    return bool(columns >> action // HAND & 1 and row[HELD + seat_to_act(tables, row)] >> action % HAND & 1)


@compiled_step
def count_behaviour(tables: Tables, row: Row, numbers: Row, counts: Row, seat: int, action: int) -> None:
    """Count an action, and note whether the other seat has to answer it."""
    best = 0
    for place in range(HAND):
        if row[HELD + seat] >> place & 1:
            best = max(best, tables.strength[row[CARDS + HAND * seat + place]])
    first = CARDS + HAND * seat
    points = tables.envido[row[first], row[first + 1], row[first + 2]]
    call = action - FIRST_CALL if action >= FIRST_CALL else DOWN if action >= HAND else CARD
    # What a seat faces is the last action if the other made it: a seat that acts twice in a row faces nothing.
    facing = numbers[FACING]
    count_action(counts, call, facing >> 1 if facing >= 0 and facing & 1 != seat else NO_CALL, points, best)
    numbers[FACING] = 2 * call + seat if 0 <= call < QUERO else NO_CALL


@compiled_step
def run_on(tables: Tables, lanes: Lanes, lane: int, stream: StreamState, deck: Row, most_hands: int) -> None:
    """Deal and finish hands until somebody has to decide, and write down what that seat knows."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    while numbers[STATUS] != OVER:
        if numbers[STATUS] == NEW:
            if lanes.deal_keys[lane] == 0:
                numbers[STATUS] = DEALING
                return
            stream[0] = add_part(lanes.deal_keys[lane], numbers[HAND_NUMBER])
            deal_cards(row, stream, deck)
            begin_hand(tables, row, row[MAO])
            numbers[STATUS] = PLAYING
        elif numbers[STATUS] == DEALING:
            begin_hand(tables, row, row[MAO])
            numbers[STATUS] = PLAYING
        elif row[STATE] < 0:
            end_hand(tables, lanes, lane, most_hands)
        else:
            wait_for(lanes, lane, seat_to_act(tables, row))
            fill_situation(tables, row, lanes.situations[lane])
            return


@compiled_step
def end_hand(tables: Tables, lanes: Lanes, lane: int, most_hands: int) -> None:
    """Enter a finished hand; the mão moves on."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    for seat in range(2):
        points = row[POINTS + seat] + row[POINTS + 2 + seat] + row[POINTS + 4 + seat]
        lacked = tables.target - (row[SCORES + seat] - points)
        numbers[GAINS + seat] += min(points, lacked)
    numbers[FACING] = NO_CALL
    row[MAO] = 1 - row[MAO]
    enter_hand(lanes, lane, max(row[SCORES], row[SCORES + 1]) >= tables.target, most_hands)


class TrucoLanes:
    """How the lanes of a table of Truco are played."""

    counted, counts_nothing = COUNTED, False

    def __init__(self, game: Truco) -> None:
        self.tables = tables_for(game)

    def new_lanes(self, first: Sequence[Seat]) -> Lanes:
        """Room for matches."""
        rows = np.zeros((len(first), HAND_ROW), np.int32)
        rows[:, MAO] = first
        lanes = new_lanes(rows, SITUATION, 2, len(COUNTED))
        lanes.numbers[:, FACING] = NO_CALL
        return lanes

    def go_on(self, lanes: Lanes, which: NDArray[Any], actions: NDArray[Any], most_hands: int) -> None:
        """Carry out actions, and play on."""
        go_on(self.tables, lanes, which, actions, most_hands)

    def put_cards(self, row: Row, deal: TrucoDeal) -> None:
        """Put the cards of both hands into a row."""
        row[CARDS : CARDS + 2 * HAND] = row_of(deal.hands, (0, 0))[CARDS : CARDS + 2 * HAND]

    def text_of(self, table: Table, seat: Seat, number: int) -> Action:
        """Name an action."""
        state: Any = table.state
        return action_text(state.hands[seat], number) if 0 <= number < ACTIONS else str(number)

    def number_of(self, seen: TrucoObservation, action: Action) -> int:
        """Number an action."""
        return action_number(seen.hand, action)

    def scores(self, row: Row) -> tuple[int, ...]:
        """The points of both seats."""
        return int(row[SCORES]), int(row[SCORES + 1])
