"""Information sets by key: a hash table in arrays that compiled code reads and fills.

An information set has one place for each action, and its places lie together. A place has two numbers:
the regret of the action and its weight in the average strategy. What one decision needs lies side by side
in memory, because most of the time goes into waiting for it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import mix
from retruco.compiler import compiled_loop, inlined

EMPTY: Final = -1
"""No key is below 0."""
MARGIN: Final = 100_000
"""How many information sets one iteration may add at most."""
ACTIONS_EACH: Final = 8
"""Places for actions per information set; most have fewer."""
SETS, PLACES = 0, 1
REGRET, AVERAGE = 0, 1


class InfosetIndex(NamedTuple):
    """Information sets by key; compiled code takes it as it is."""

    used: NDArray[np.int64]
    """How many sets and how many places of actions are in use."""
    slots: NDArray[np.int64]
    """By hash: the key, or `EMPTY`, and the first place of its actions."""
    key: NDArray[np.int64]
    """By information set, in the order in which they were met."""
    actions: NDArray[np.int8]
    """By information set: how many there are."""


class Infosets(NamedTuple):
    """The table of a solver; compiled code takes it as it is."""

    sets: InfosetIndex
    learnt: NDArray[np.float32]
    """By place: the regret, and the weight in the average strategy."""


def make_index(room: int) -> InfosetIndex:
    """An empty index with room for so many information sets."""
    return InfosetIndex(
        used=np.zeros(2, dtype=np.int64),
        slots=np.full((1 << (2 * room - 1).bit_length(), 2), EMPTY, dtype=np.int64),
        key=np.zeros(room, dtype=np.int64),
        actions=np.zeros(room, dtype=np.int8),
    )


def fill_index(keys: NDArray[np.int64], counts: NDArray[np.int8], room: int) -> InfosetIndex:
    """An index of these information sets, in this order."""
    made = make_index(room)
    add_all(made, keys, counts)
    return made


def grow_index(index: InfosetIndex) -> InfosetIndex:
    """The same index with twice the room."""
    sets = int(index.used[SETS])
    return fill_index(index.key[:sets], index.actions[:sets], 2 * len(index.key))


def make_infosets(room: int) -> Infosets:
    """An empty table with room for so many information sets."""
    return Infosets(make_index(room), np.zeros((room * ACTIONS_EACH, 2), dtype=np.float32))


def grow(infosets: Infosets) -> Infosets:
    """The same table with twice the room."""
    sets, places = (int(number) for number in infosets.sets.used)
    keys, counts = infosets.sets.key[:sets], infosets.sets.actions[:sets]
    return fill_infosets(keys, counts, infosets.learnt[:places], 2 * len(infosets.sets.key))


def fill_infosets(
    keys: NDArray[np.int64], counts: NDArray[np.int8], learnt: NDArray[np.float32], room: int
) -> Infosets:
    """A table that holds these information sets, in this order."""
    made = make_infosets(room)
    add_all(made.sets, keys, counts)
    made.learnt[: len(learnt)] = learnt
    return made


@compiled_loop
def add_all(index: InfosetIndex, keys: NDArray[np.int64], counts: NDArray[np.int8]) -> None:
    """Add information sets in order."""
    for place in range(len(keys)):
        find_or_add(index, keys[place], counts[place])


@inlined
def find_or_add(index: InfosetIndex, key: Any, count: int) -> Any:
    """The first place of an information set, a new one if it was not met before."""
    mask = len(index.slots) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while index.slots[slot, 0] != EMPTY:
        if index.slots[slot, 0] == key:
            return index.slots[slot, 1]
        slot = (slot + 1) & mask
    number, place = index.used[SETS], index.used[PLACES]
    if number >= len(index.key) or place + count > len(index.key) * ACTIONS_EACH:
        raise IndexError("one iteration has met more information sets than there is room for")
    index.slots[slot, 0], index.slots[slot, 1] = key, place
    index.key[number], index.actions[number] = key, count
    index.used[SETS], index.used[PLACES] = number + 1, place + count
    return index.slots[slot, 1]


@inlined
def find_set(index: InfosetIndex, key: Any) -> Any:
    """The first place of an information set, or `EMPTY`."""
    mask = len(index.slots) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while index.slots[slot, 0] != EMPTY and index.slots[slot, 0] != key:
        slot = (slot + 1) & mask
    return index.slots[slot, 1]


@inlined
def has_room(index: InfosetIndex) -> bool:
    """Whether the table can take what one iteration may add."""
    return has_room_for(index, MARGIN)


@inlined
def has_room_for(index: InfosetIndex, more: int) -> bool:
    """Whether the table can take so many more information sets."""
    sets, places = index.used[SETS] + more, index.used[PLACES] + more * ACTIONS_EACH
    return bool(sets <= len(index.key) and places <= len(index.key) * ACTIONS_EACH)
