"""Decision trees that grow while a player is asked: what compiled code reads instead of asking again.

A decision depends on a key (what counts of what the player sees) and on chance. For every key there is
a tree; its nodes are what the player drew from its stream, or compared, in the order in which it did so,
and its leaves are the actions. The tree of a new key is empty. Compiled code walks it with the same
stream; where it comes to a branch that nobody has been to, the player itself is asked, its draws are
recorded, and the branch is entered. So no decision is worked out before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.streams import Stream

LEAF, CHANCE, BELOW, WEIGHTED, COMPARE, OPAQUE = range(6)
"""The kinds of nodes. What an opaque one leads to is not known: the player is asked each time."""
UNKNOWN: Final = -1
FIRST_SIZE: Final = 1 << 12
FULLEST: Final = 0.5
"""How full the hash table may become before it grows."""


class Step(NamedTuple):
    """One draw or comparison of a player, and how it came out."""

    kind: int
    outcomes: int
    """How many ways it could come out."""
    outcome: int
    numbers: tuple[float, ...] = ()
    """What it was drawn by: a probability, or weights, or the terms of a comparison."""


class NotAFunction(ValueError):
    """A player that decided in two ways where its key was the same."""


class RecordedStream(Stream):
    """A stream that records what is drawn from it."""

    __slots__ = ("_source", "steps")

    def __init__(self, source: Stream, steps: list[Step] | None = None) -> None:
        self._source = source
        self.steps: list[Step] = [] if steps is None else steps

    @property
    def state(self) -> int:
        """The state of its source; what is drawn on from there is not recorded."""
        return self._source.state

    @state.setter
    def state(self, state: int) -> None:
        self._source.state = state

    def bits(self) -> int:
        """Draw bits; what they decide cannot be known."""
        self.steps.append(Step(OPAQUE, 0, 0))
        return self._source.bits()

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        drawn = self._source.chance(probability)
        self.steps.append(Step(CHANCE, 2, int(drawn), (float(probability),)))
        return drawn

    def below(self, count: int) -> int:
        """Draw a whole number from 0 to count - 1."""
        drawn = self._source.below(count)
        self.steps.append(Step(BELOW, count, drawn))
        return drawn

    def weighted(self, weights: Sequence[float]) -> int:
        """Pick a place in proportion to its weight."""
        drawn = self._source.weighted(weights)
        self.steps.append(Step(WEIGHTED, len(weights), drawn, tuple(map(float, weights))))
        return drawn


class TreeArrays(NamedTuple):
    """All trees as compiled code reads them."""

    keys: NDArray[np.uint64]
    """The keys, two numbers each, by their place in the hash table."""
    roots: NDArray[np.int32]
    """By place: the root of the tree, unknown where there is no key."""
    nodes: NDArray[np.int32]
    """By node: kind, outcomes, where its numbers begin, where its branches begin. A leaf has its action and its tag."""
    branches: NDArray[np.int32]
    """By branch: the node it leads to, unknown where nobody has been."""
    numbers: NDArray[np.float64]


@compiled_step
def find_place(keys: Any, roots: Any, first: Any, second: Any) -> Any:
    """The place of a key in the hash table, or the empty one where it belongs."""
    mask = len(roots) - 1
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    place = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while roots[place] != UNKNOWN and (keys[place, 0] != first or keys[place, 1] != second):
        place = (place + 1) & mask
    return place


@compiled_step
def move_keys(keys: Any, roots: Any, new_keys: Any, new_roots: Any) -> None:
    """Enter all keys of a hash table into a greater one."""
    for place in range(len(roots)):
        if roots[place] != UNKNOWN:
            at = find_place(new_keys, new_roots, keys[place, 0], keys[place, 1])
            new_keys[at, 0], new_keys[at, 1], new_roots[at] = keys[place, 0], keys[place, 1], roots[place]


class Trees:
    """The trees of some players."""

    def __init__(self) -> None:
        self.keys = np.zeros((FIRST_SIZE, 2), dtype=np.uint64)
        self.roots = np.full(FIRST_SIZE, UNKNOWN, dtype=np.int32)
        self.count = 0
        """How many keys there are."""
        self._nodes = Column(np.zeros((FIRST_SIZE, 4), dtype=np.int32))
        self._branches = Column(np.full(FIRST_SIZE, UNKNOWN, dtype=np.int32))
        self._numbers = Column(np.zeros(FIRST_SIZE, dtype=np.float64))

    @property
    def arrays(self) -> TreeArrays:
        """The trees as they are now; arrays that have grown since are left behind."""
        return TreeArrays(self.keys, self.roots, self._nodes.array, self._branches.array, self._numbers.array)

    def enter(self, key: NDArray[np.uint64], steps: Sequence[Step], action: int, tag: int) -> None:
        """Enter what a player did: its steps, and the action they came to with a tag of the caller's."""
        place = find_place(self.keys, self.roots, key[0], key[1])
        if self.roots[place] == UNKNOWN:
            self.keys[place] = key
            self.roots[place] = self._add_path(steps, action, tag)
            self.count += 1
            if self.count > FULLEST * len(self.roots):
                self._grow()
            return
        self._extend(int(self.roots[place]), steps, action, tag)

    def _extend(self, node: int, steps: Sequence[Step], action: int, tag: int) -> None:
        """Follow the steps down a tree to where they leave it."""
        for number, step in enumerate(steps):
            self._check(node, step)
            if step.kind == OPAQUE:
                return
            branch = int(self._nodes.array[node, 3]) + step.outcome
            node = int(self._branches.array[branch])
            if node == UNKNOWN:
                self._branches.array[branch] = self._add_path(steps[number + 1 :], action, tag)
                return
        if tuple(self._nodes.array[node]) != (LEAF, 0, action, tag):
            raise NotAFunction("the same key led to two decisions")

    def _check(self, node: int, step: Step) -> None:
        kind, outcomes, at, _ = self._nodes.array[node]
        same = (kind, outcomes) == (step.kind, step.outcomes)
        if not same or tuple(self._numbers.array[at : at + len(step.numbers)]) != step.numbers:
            raise NotAFunction("the same key led to other draws")

    def _add_path(self, steps: Sequence[Step], action: int, tag: int) -> int:
        """Add the nodes of some steps and a leaf; return the first."""
        known = [step.kind for step in steps]
        if OPAQUE in known:
            steps = steps[: known.index(OPAQUE)]
            node = self._nodes.add((OPAQUE, 0, 0, 0))
        else:
            node = self._nodes.add((LEAF, 0, action, tag))
        for step in reversed(steps):
            numbers = self._numbers.extend(step.numbers)
            branches = self._branches.extend([UNKNOWN] * step.outcomes)
            self._branches.array[branches + step.outcome] = node
            node = self._nodes.add((step.kind, step.outcomes, numbers, branches))
        return node

    def _grow(self) -> None:
        keys, roots = self.keys, self.roots
        self.keys = np.zeros((2 * len(roots), 2), dtype=np.uint64)
        self.roots = np.full(2 * len(roots), UNKNOWN, dtype=np.int32)
        move_keys(keys, roots, self.keys, self.roots)


@dataclass
class Column:
    """An array that grows at its end."""

    array: NDArray[Any]
    used: int = 0

    def add(self, value: Any) -> int:
        """Add a value; return its place."""
        return self.extend([value])

    def extend(self, values: Sequence[Any]) -> int:
        """Add values; return the place of the first."""
        first, self.used = self.used, self.used + len(values)
        if self.used > len(self.array):
            self.array = np.concatenate(
                [
                    self.array,
                    np.zeros_like(self.array, shape=(max(self.used, len(self.array)), *self.array.shape[1:])),
                ]
            )
        if values:
            self.array[first : self.used] = values
        return first
