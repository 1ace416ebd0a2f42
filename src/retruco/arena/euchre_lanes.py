"""Matches of Euchre in lanes, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.arena.lanes import (
    DEALING,
    GAINS,
    HAND_NUMBER,
    NEW,
    NONE,
    OVER,
    PLAYING,
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
from retruco.games.euchre import DECK, Euchre, EuchreDeal, EuchreObservation
from retruco.games.euchre import stepper as at
from retruco.games.euchre.behaviour import COUNTED, count_behaviour
from retruco.games.euchre.deck import set_of
from retruco.games.euchre.stepper import Row, balance, begin, deal, is_legal, play
from retruco.games.euchre.tricks import SEATS


@compiled
def go_on(lanes: Lanes, which: NDArray[Any], actions: NDArray[Any], target: int, most_hands: int) -> None:
    """Carry out an action in each of some lanes, and let them run until they wait for a decision or are over.

    A lane without an action (-1) only begins.
    """
    stream, deck = np.zeros(1, np.uint64), np.zeros(at.DECK_SIZE, np.int64)
    for place in range(len(which)):
        lane, action = which[place], actions[place]
        if action == NONE:
            run_on(lanes, lane, stream, deck, target, most_hands)
        elif is_legal(lanes.rows[lane], action):
            note_action(lanes, lane, action)
            play(lanes.rows[lane], action)
            run_on(lanes, lane, stream, deck, target, most_hands)
        else:
            lanes.illegal[lane] = action


@compiled_step
def run_on(lanes: Lanes, lane: int, stream: StreamState, deck: Row, target: int, most_hands: int) -> None:
    """Deal and finish hands until somebody has to decide, and write down what that seat knows."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    while numbers[STATUS] != OVER:
        if numbers[STATUS] == NEW and lanes.deal_keys[lane] == 0:
            numbers[STATUS] = DEALING
            return
        if numbers[STATUS] == NEW:
            stream[0] = add_part(lanes.deal_keys[lane], numbers[HAND_NUMBER])
            deal(row, row[at.DEALER], stream, deck)
            numbers[STATUS] = PLAYING
        elif numbers[STATUS] == DEALING:
            begin(row, row[at.DEALER], row[at.UPCARD])
            numbers[STATUS] = PLAYING
        elif row[at.STAGE] == at.OVER:
            end_hand(lanes, lane, target, most_hands)
        else:
            wait_for(lanes, lane, row[at.SEAT])
            for known in range(at.SITUATION):
                lanes.situations[lane, known] = row[known]
            return


@compiled_step
def end_hand(lanes: Lanes, lane: int, target: int, most_hands: int) -> None:
    """Enter a finished hand; the deal moves on."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    for team in range(2):
        points = max(0, balance(row, team))
        numbers[GAINS + team] += points
        row[at.SCORES + team] += points
    for seat in range(SEATS):
        count_behaviour(row, seat, lanes.hand_behaviour[lane, seat])
    row[at.DEALER] = (row[at.DEALER] + 1) % SEATS
    enter_hand(lanes, lane, max(row[at.SCORES], row[at.SCORES + 1]) >= target, most_hands)


class EuchreLanes:
    """How the lanes of a table of Euchre are played."""

    counted, counts_nothing = COUNTED, True

    def __init__(self, game: Euchre) -> None:
        self.game = game

    def new_lanes(self, first: Sequence[Seat]) -> Lanes:
        """Room for matches."""
        rows = np.tile(at.new_row(self.game.rules, (0, 0)), (len(first), 1))
        rows[:, at.DEALER] = first
        return new_lanes(rows, at.SITUATION, SEATS, len(COUNTED))

    def go_on(self, lanes: Lanes, which: NDArray[Any], actions: NDArray[Any], most_hands: int) -> None:
        """Carry out actions, and play on."""
        go_on(lanes, which, actions, self.game.target, most_hands)

    def put_cards(self, row: Row, deal: EuchreDeal) -> None:
        """Put the cards of all hands into a row."""
        row[at.HANDS : at.HANDS + SEATS] = [set_of(hand) for hand in deal.hands]
        row[at.UPCARD] = DECK.index(deal.upcard)

    def text_of(self, table: Table, seat: Seat, number: int) -> Action:
        """Name an action."""
        return at.TEXTS[number] if 0 <= number < len(at.TEXTS) else str(number)

    def number_of(self, seen: EuchreObservation, action: Action) -> int:
        """Number an action."""
        return at.NUMBERS[action]

    def scores(self, row: Row) -> tuple[int, ...]:
        """The points of both teams."""
        return int(row[at.SCORES]), int(row[at.SCORES + 1])
