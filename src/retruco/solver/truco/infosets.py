"""Information sets by key: a hash table in arrays that compiled code reads and fills.

Every information set has a number, in the order in which they were met. Its regrets and its average
strategy lie in `regret` and `average` from `first[number]` on, one place an action.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import mix
from retruco.compiler import compiled, inlined

EMPTY: Final = -1
MARGIN: Final = 100_000
"""How many information sets one iteration may add at most."""
ACTIONS_EACH: Final = 8
"""Places for actions per information set; most have fewer."""
SETS, PLACES = 0, 1


class Infosets(NamedTuple):
    """The table; compiled code takes it as it is."""

    used: NDArray[np.int64]
    """How many sets and how many places of actions are in use."""
    slots: NDArray[np.int32]
    """By hash: the number of the information set, or `EMPTY`."""
    key: NDArray[np.int64]
    """By information set."""
    first: NDArray[np.int64]
    """By information set: the first place of its actions."""
    actions: NDArray[np.int8]
    """By information set: how many there are."""
    regret: NDArray[np.float32]
    average: NDArray[np.float32]


def make_infosets(room: int) -> Infosets:
    """An empty table with room for so many information sets."""
    return Infosets(
        used=np.zeros(2, dtype=np.int64),
        slots=np.full(1 << (2 * room - 1).bit_length(), EMPTY, dtype=np.int32),
        key=np.zeros(room, dtype=np.int64),
        first=np.zeros(room, dtype=np.int64),
        actions=np.zeros(room, dtype=np.int8),
        regret=np.zeros(room * ACTIONS_EACH, dtype=np.float32),
        average=np.zeros(room * ACTIONS_EACH, dtype=np.float32),
    )


def grow(infosets: Infosets) -> Infosets:
    """The same table with twice the room."""
    sets, places = (int(number) for number in infosets.used)
    return fill_infosets(
        infosets.key[:sets],
        infosets.actions[:sets],
        infosets.regret[:places],
        infosets.average[:places],
        2 * len(infosets.key),
    )


def fill_infosets(
    keys: NDArray[np.int64],
    counts: NDArray[np.int8],
    regret: NDArray[np.float32],
    average: NDArray[np.float32],
    room: int,
) -> Infosets:
    """A table that holds these information sets, numbered in this order."""
    made = make_infosets(room)
    add_all(made, keys, counts)
    made.regret[: len(regret)] = regret
    made.average[: len(average)] = average
    return made


@compiled
def add_all(infosets: Infosets, keys: NDArray[np.int64], counts: NDArray[np.int8]) -> None:
    """Add information sets in order."""
    for place in range(len(keys)):
        find_or_add(infosets, keys[place], counts[place])


@inlined
def find_or_add(infosets: Infosets, key: Any, count: int) -> Any:
    """The number of an information set, a new one if it was not met before."""
    mask = len(infosets.slots) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while infosets.slots[slot] != EMPTY:
        if infosets.key[infosets.slots[slot]] == key:
            return infosets.slots[slot]
        slot = (slot + 1) & mask
    number, place = infosets.used[SETS], infosets.used[PLACES]
    if number >= len(infosets.key) or place + count > len(infosets.average):
        raise IndexError("one iteration has met more information sets than there is room for")
    infosets.slots[slot] = number
    infosets.key[number], infosets.first[number], infosets.actions[number] = key, place, count
    infosets.used[SETS], infosets.used[PLACES] = number + 1, place + count
    return infosets.slots[slot]


@inlined
def has_room(infosets: Infosets) -> bool:
    """Whether the table can take what one iteration may add."""
    return has_room_for(infosets, MARGIN)


@inlined
def has_room_for(infosets: Infosets, more: int) -> bool:
    """Whether the table can take so many more information sets."""
    sets, places = infosets.used[SETS] + more, infosets.used[PLACES] + more * ACTIONS_EACH
    return bool(sets <= len(infosets.key) and places <= len(infosets.average))
