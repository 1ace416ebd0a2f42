"""Many tables of Truco at once, in compiled code: arrays of actions in, arrays of observations out.

Both seats are played by the caller: at each step every table takes one action of the seat whose turn it is.
A finished episode is followed at once by the next one. Table `t` of `n` plays the episodes `t`, `t + n`, `t + 2n`...
of its seed; each is the same as in `retruco.interfaces.pettingzoo`. It needs no other library than numpy.

>>> tables = VectorTruco(1000, "cbtg", seed=7)
>>> batch = tables.reset()
>>> batch.observations.shape, batch.masks.shape
((1000, 213), (1000, 19))
>>> batch = tables.step(batch.masks.argmax(axis=1))
>>> batch.over.sum(), batch.rewards.shape
(np.int64(0), (1000, 2))
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.registry import find_game
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    DECK,
    HAND,
    MAO,
    SCORES,
    STATE,
    Row,
    deal_cards,
    seat_to_act,
)
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.situation import HAND_ROW, SITUATION, begin_hand, carry_out, fill_situation
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.encodings.truco import SIZE, dealt_action, write_entries, write_mask
from retruco.interfaces.episodes import check_unit, new_seed
from retruco.streams import begin_key, part_number

FIRST: Final = np.uint64(part_number("first"))
"""The part of a key that names who is mão first; see `Episode`."""

Array: TypeAlias = NDArray[Any]


class Batch(NamedTuple):
    """What stands at every table, by table; the next step overwrites these arrays."""

    observations: NDArray[np.float32]
    """What the seat to act sees."""
    masks: NDArray[np.bool_]
    """What it may do."""
    seats: NDArray[np.int8]
    """Which seat it is."""
    rewards: NDArray[np.float32]
    """What both seats get for the episode that the last step ended, else zeros."""
    over: NDArray[np.bool_]
    """Whether the last step ended an episode."""


class TableArrays(NamedTuple):
    """What is known of every table, and what is handed out."""

    rows: Array
    """By table: the hand as a row of the stepper."""
    situations: Array
    """By table: what the seat to act knows."""
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
    stream: StreamState


class VectorTruco:
    """So many tables of Truco, by rules of three cards, one hand or one match an episode."""

    def __init__(
        self,
        count: int,
        rules: str | None = None,
        target: int | None = None,
        episode: str = "hand",
        seed: int | None = None,
    ) -> None:
        if count < 1:
            raise ValueError(f"there is at least one table, not {count}")
        self.game = find_game("truco", rules, target)
        self.encoding = find_encoding(self.game)
        self.count, self.unit = count, check_unit(episode)
        self._tables = tables_for(self.game)
        self._arrays = make_arrays(count)
        self._room = Room(np.zeros(DECK, np.int32), np.zeros(1, np.uint64))
        arrays = self._arrays
        self.batch = Batch(
            arrays.observations, arrays.masks.view(np.bool_), arrays.seats, arrays.rewards, arrays.over
        )
        self._key = np.uint64(0)
        self.reset(new_seed() if seed is None else seed)

    def reset(self, seed: int | None = None) -> Batch:
        """Begin the first episode at every table, of another seed if one is given."""
        if seed is not None:
            self._key = np.uint64(begin_key(4, "episode", seed))
        self._arrays.rewards[:], self._arrays.over[:] = 0, False
        start_all(self._tables, self._key, self._arrays, self._room)
        return self.batch

    def step(self, actions: Any) -> Batch:
        """Carry out one action at every table; if one is illegal, none is carried out."""
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != (self.count,):
            raise ValueError(
                f"{self.count} tables take {self.count} actions, not an array of {numbers.shape}"
            )
        wrong = find_illegal(self._arrays.masks, numbers)
        if wrong >= 0:
            legal = np.flatnonzero(self._arrays.masks[wrong])
            listed = ", ".join(f"{number} ({self.encoding.actions[number]})" for number in legal)
            raise ValueError(f"illegal action {numbers[wrong]} at table {wrong}: legal there are {listed}")
        step_all(self._tables, self._key, self.unit == "match", numbers, self._arrays, self._room)
        return self.batch


def make_arrays(count: int) -> TableArrays:
    """Room for so many tables."""
    return TableArrays(
        rows=np.zeros((count, HAND_ROW), np.int32),
        situations=np.zeros((count, SITUATION), np.int32),
        episode=np.zeros(count, np.int64),
        hand=np.zeros(count, np.int64),
        observations=np.zeros((count, SIZE), np.float32),
        masks=np.zeros((count, ACTIONS), np.int8),
        seats=np.zeros(count, np.int8),
        rewards=np.zeros((count, 2), np.float32),
        over=np.zeros(count, np.bool_),
    )


# In compiled code


@compiled_loop
def start_all(tables: Tables, key: np.uint64, arrays: TableArrays, room: Room) -> None:
    """Begin an episode at every table."""
    for table in range(len(arrays.rows)):
        arrays.episode[table] = table
        begin_episode(tables, key, arrays, room, table)
        show(tables, arrays, table)


@compiled_loop
def find_illegal(masks: Array, actions: Array) -> int:
    """The first table whose action is illegal, or -1."""
    for table in range(len(actions)):
        action = actions[table]
        if action < 0 or action >= ACTIONS or not masks[table, action]:
            return table
    return -1


@compiled_loop
def step_all(
    tables: Tables, key: np.uint64, matches: bool, actions: Array, arrays: TableArrays, room: Room
) -> None:
    """Carry out one legal action at every table; a finished episode is followed by the next."""
    for table in range(len(actions)):
        arrays.rewards[table, 0] = arrays.rewards[table, 1] = 0.0
        arrays.over[table] = False
        row = arrays.rows[table]
        carry_out(tables, row, dealt_action(arrays.situations[table], actions[table]))
        if row[STATE] < 0:
            end_hand(tables, key, matches, arrays, room, table)
        show(tables, arrays, table)


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
    begin_hand(tables, row, mao)


@compiled_step
def show(tables: Tables, arrays: TableArrays, table: int) -> None:
    """Write what the seat to act sees and may do."""
    row, situation, entries = arrays.rows[table], arrays.situations[table], arrays.observations[table]
    arrays.seats[table] = seat_to_act(tables, row)
    fill_situation(tables, row, situation)
    write_mask(situation, arrays.masks[table])
    for place in range(SIZE):
        entries[place] = 0.0
    write_entries(situation, HAND, entries)
