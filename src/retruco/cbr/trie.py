"""Distinct tuples of codes in a trie, and arrays that grow."""

from __future__ import annotations

import math
import mmap
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retruco.cbr import kernel
from retruco.cbr.kernel import TrieArrays
from retruco.cbr.tallies import Bytes, Ints

A = TypeVar("A", bound=NDArray[Any])

SMALL = 4096
"""Up to this many nodes a trie needs no reordering."""


def allocate(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Allocate an array in memory pages of its own.

    Pages that are not written to take no memory, and all go back to the system with the array.
    """
    count = math.prod(shape)
    return np.frombuffer(_map_private(count * dtype.itemsize), dtype, count).reshape(shape)


def _map_private(size: int) -> mmap.mmap:
    """Map memory that a forked worker does not share."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def grow(array: A, used: int, needed: int) -> A:
    """Return an array with space for `needed` rows; a new array has at least twice the space."""
    if needed <= len(array):
        return array
    larger = allocate((max(needed, 2 * len(array), 64), *array.shape[1:]), array.dtype)
    larger[:used] = array[:used]
    return larger  # type: ignore[return-value]


def reorder(array: A, new_numbers: Ints) -> A:
    """Copy each row of an array to its new number."""
    copy = allocate((len(new_numbers), *array.shape[1:]), array.dtype)
    copy[new_numbers] = array[: len(new_numbers)]
    return copy  # type: ignore[return-value]


class Trie:
    """Distinct tuples of codes, each with a number.

    Each level of the trie holds one feature. Features with few values come first: they split the
    trie into few branches, and a mismatch there costs most.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.feature_order = np.argsort(sizes, kind="stable")
        """The feature of each level."""
        self.level_order = np.argsort(self.feature_order)
        """The level of each feature."""
        self.arrays = TrieArrays(
            np.full((64, 3), kernel.END, np.int32),
            np.empty((16, len(sizes)), np.uint8),
            np.empty(16, np.int32),
        )
        self.node_count, self.tuple_count = 1, 0
        self._ordered_nodes = SMALL

    def codes(self, which: slice | Ints) -> Bytes:
        """Return tuples by their numbers, with the codes in the order of the features."""
        return self.arrays.tuples[which][:, self.level_order]

    def intern(self, codes: Bytes) -> Ints:
        """Return the number of each tuple; tuples not seen before are added."""
        numbers = np.empty(len(codes), np.int32)
        self._make_space(len(codes))
        levels = codes.take(self.feature_order, axis=1)
        self.node_count, self.tuple_count = kernel.intern(
            self.arrays, self.node_count, self.tuple_count, levels, numbers
        )
        return numbers

    def _make_space(self, more: int) -> None:
        # In the worst case a new tuple splits full leaves all the way down.
        nodes = self.node_count + more * (len(self.sizes) + kernel.LEAF_SIZE)
        tuples = self.tuple_count + more
        old = self.arrays
        if nodes > len(old.nodes) or tuples > len(old.tuples):
            self.arrays = TrieArrays(
                grow(old.nodes, self.node_count, nodes),
                grow(old.tuples, self.tuple_count, tuples),
                grow(old.next_tuple, self.tuple_count, tuples),
            )

    @property
    def needs_reordering(self) -> bool:
        """Whether so much was added since the last reordering that another one pays."""
        return self.node_count * 2 > self._ordered_nodes * 3

    def reorder(self) -> Ints:
        """Store everything in the order in which a search reads it; return the new numbers of the tuples."""
        new_numbers = np.empty(self.tuple_count, np.int32)
        old = self.arrays
        nodes = allocate((self.node_count, 3), old.nodes.dtype)
        next_tuple = allocate((self.tuple_count,), old.next_tuple.dtype)
        kernel.copy_in_search_order(
            old.nodes[: self.node_count], old.next_tuple[: self.tuple_count], nodes, next_tuple, new_numbers
        )
        self.arrays = TrieArrays(nodes, reorder(old.tuples, new_numbers), next_tuple)
        self._ordered_nodes = self.node_count
        return new_numbers
