"""Distinct tuples of codes in a trie, and arrays that grow in place."""

from __future__ import annotations

import math
import mmap
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retruco.cbr import kernel
from retruco.cbr.kernel import Bytes, Ints

A = TypeVar("A", bound=NDArray[Any])

SMALL = 4096
"""Nodes up to which a trie need not be laid out."""


def pages(shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
    """Make an array in pages of its own.

    Those not yet written to take no memory, and all go back to the system with the array.
    """
    count = math.prod(shape)
    return np.frombuffer(_private(count * kind.itemsize), kind, count).reshape(shape)


def _private(size: int) -> mmap.mmap:
    """Ask for memory that a forked worker does not share."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def room(array: A, used: int, needed: int) -> A:
    """Give an array with room for so many rows, at least doubling when it grows."""
    if needed <= len(array):
        return array
    grown = pages((max(needed, 2 * len(array), 64), *array.shape[1:]), array.dtype)
    grown[:used] = array[:used]
    return grown  # type: ignore[return-value]


def reordered(array: A, moved: Ints) -> A:
    """Copy rows of an array to their new places."""
    copy = pages((len(moved), *array.shape[1:]), array.dtype)
    copy[moved] = array[: len(moved)]
    return copy  # type: ignore[return-value]


class Trie:
    """Distinct tuples of codes, each with a number.

    Inside, the features are in another order, one to a level of the trie: those of few values
    come first, for they part the trie into few branches, and a mismatch there costs most.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.order = np.argsort(sizes, kind="stable")
        self.back = np.argsort(self.order)
        self.nodes = np.full((64, 3), kernel.END, np.int32)
        self.used, self.laid_out = 1, SMALL
        self.paths, self.beside = np.empty((16, len(sizes)), np.uint8), np.empty(16, np.int32)
        self.known = 0

    def codes(self, which: slice | Ints) -> Bytes:
        """Give tuples by their numbers, in the order of the features."""
        return self.paths[which][:, self.back]

    def intern(self, codes: Bytes) -> Ints:
        """Number some tuples, adding those not seen before."""
        numbers = np.empty(len(codes), np.int32)
        # At worst a new tuple parts full leaves all the way down.
        worst = len(codes) * (len(self.sizes) + kernel.CROWD)
        self.nodes = room(self.nodes, self.used, self.used + worst)
        self.paths = room(self.paths, self.known, self.known + len(codes))
        self.beside = room(self.beside, self.known, self.known + len(codes))
        paths = np.ascontiguousarray(codes[:, self.order])
        self.used, self.known = kernel.intern(
            self.nodes, self.used, self.paths, self.beside, self.known, paths, numbers
        )
        return numbers

    @property
    def untidy(self) -> bool:
        """Whether so much was added that laying it out anew pays."""
        return self.used * 2 > self.laid_out * 3

    def tidy(self) -> Ints:
        """Lay everything out in the order in which a search reads; give the new numbers of tuples."""
        moved = np.empty(self.known, np.int32)
        nodes = pages((self.used, 3), self.nodes.dtype)
        beside = pages((self.known,), self.beside.dtype)
        kernel.lay_out(self.nodes[: self.used], self.beside[: self.known], nodes, beside, moved)
        self.nodes, self.beside, self.laid_out = nodes, beside, self.used
        self.paths = reordered(self.paths, moved)
        return moved
