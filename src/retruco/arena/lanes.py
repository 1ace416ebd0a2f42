"""Lanes: matches side by side in the same arrays, whatever the game.

Each game has a file of its own (`truco_lanes`, `euchre_lanes`) that plays its lanes in compiled code, and a class that tells
a batch how: what behaviour counts, how actions are numbered, where the scores stand.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import add_part
from retruco.compiler import compiled_step

STATUS, HAND_NUMBER, LENGTH, SEAT, FACING = range(5)
"""The places of a lane's own numbers. `LENGTH` is how many actions the match has had, `SEAT` who decides, `FACING` a number for
the game."""
PLAYER, DECISIONS, MADE, GAINS = 5, 9, 13, 17
"""By seat: its player, its decisions in this hand and in the match; by team, what the match has brought it."""
NUMBERS: Final = 19

NEW, DEALING, PLAYING, OVER = range(4)
"""What a lane does: `DEALING` waits for the cards of a fixed deal."""
NONE: Final = -1
ROOM_FOR_ACTIONS: Final = 256


class Lanes(NamedTuple):
    """Matches side by side; the first place of every array is the lane."""

    rows: NDArray[Any]
    """The hands, as the stepper of the game knows them."""
    numbers: NDArray[np.int32]
    deal_keys: NDArray[np.uint64]
    """The number of the key of the deals, to which a hand's number is added; 0 if deals are fixed."""
    agent_keys: NDArray[np.uint64]
    """The number of the key of the agents' chance, to which seat, hand and decision are added."""
    waits: NDArray[np.int32]
    """The player that a lane waits for; -1 if it waits for nobody."""
    illegal: NDArray[np.int32]
    """The action that was refused because it is illegal; -1 if none was."""
    situations: NDArray[Any]
    """What the seat to act knows."""
    streams: NDArray[np.uint64]
    """The chance of the decision that a lane waits for."""
    behaviour: NDArray[np.int32]
    """By seat: what it did in finished hands, counted."""
    hand_behaviour: NDArray[np.int32]
    """The same in the hand being played."""
    actions: NDArray[np.uint8]
    """All actions of the match so far."""


def new_lanes(rows: NDArray[Any], situation: int, seats: int, counted: int) -> Lanes:
    """Room for matches, given the rows of their hands, by the sizes of a situation and of what is counted."""
    count = len(rows)
    return Lanes(
        rows,
        np.zeros((count, NUMBERS), np.int32),
        np.zeros(count, np.uint64),
        np.zeros(count, np.uint64),
        np.full(count, NONE, np.int32),
        np.full(count, NONE, np.int32),
        np.zeros((count, situation), rows.dtype),
        np.zeros(count, np.uint64),
        np.zeros((count, seats, counted), np.int32),
        np.zeros((count, seats, counted), np.int32),
        np.zeros((count, ROOM_FOR_ACTIONS), np.uint8),
    )


@compiled_step
def note_action(lanes: Lanes, lane: int, action: int) -> None:
    """Note an action that is carried out."""
    numbers = lanes.numbers[lane]
    lanes.actions[lane, numbers[LENGTH]] = action
    numbers[LENGTH] += 1
    numbers[DECISIONS + numbers[SEAT]] += 1
    numbers[MADE + numbers[SEAT]] += 1
    lanes.waits[lane] = NONE


@compiled_step
def wait_for(lanes: Lanes, lane: int, seat: int) -> None:
    """Let a lane wait for a seat, and write down the chance of its decision."""
    numbers = lanes.numbers[lane]
    numbers[SEAT] = seat
    lanes.waits[lane] = numbers[PLAYER + seat]
    key = add_part(add_part(lanes.agent_keys[lane], seat), numbers[HAND_NUMBER])
    lanes.streams[lane] = add_part(key, numbers[DECISIONS + seat])


@compiled_step
def enter_hand(lanes: Lanes, lane: int, is_over: bool, most_hands: int) -> None:
    """Enter a finished hand; the match ends with it where it is decided, or was to have so many hands only."""
    numbers = lanes.numbers[lane]
    for seat in range(lanes.behaviour.shape[1]):
        numbers[DECISIONS + seat] = 0
        for place in range(lanes.behaviour.shape[2]):
            lanes.behaviour[lane, seat, place] += lanes.hand_behaviour[lane, seat, place]
            lanes.hand_behaviour[lane, seat, place] = 0
    numbers[HAND_NUMBER] += 1
    numbers[STATUS] = OVER if is_over or numbers[HAND_NUMBER] == most_hands else NEW
