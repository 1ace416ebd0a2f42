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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.games.registry import find_game
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, HAND, ROW
from retruco.games.truco.compiled.tables import tables_for
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.episodes import check_unit, new_seed
from retruco.interfaces.vector_loop import CALLS, SIZE, Room, TableArrays, find_illegal, start_all, step_all
from retruco.streams import begin_key


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
        self._room = Room(np.zeros(DECK, np.int32), np.zeros(HAND, np.int32), np.zeros(1, np.uint64))
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
        rows=np.zeros((count, ROW), np.int32),
        calls=np.zeros((count, 2, CALLS), np.int8),
        shown=np.zeros((count, 4), np.int8),
        episode=np.zeros(count, np.int64),
        hand=np.zeros(count, np.int64),
        observations=np.zeros((count, SIZE), np.float32),
        masks=np.zeros((count, ACTIONS), np.int8),
        seats=np.zeros(count, np.int8),
        rewards=np.zeros((count, 2), np.float32),
        over=np.zeros(count, np.bool_),
    )
