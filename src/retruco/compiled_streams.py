"""Streams of chance in compiled code: the same numbers as `retruco.streams` for the same key.

A key is hashed in Python as far as it is known there (`begin_key`), and extended here by whole
numbers. A stream in compiled code is an array of one 64-bit number, its state. `Streams` draws from
many of them at once.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from retruco.compiler import compiled_loop, compiled_step
from retruco.streams import Stream

StreamState: TypeAlias = NDArray[np.uint64]
"""The state of one stream, in its first place."""

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR: Final = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR: Final = np.uint64(0x94D049BB133111EB)
MASK: Final = np.uint64((1 << 64) - 1)
UNIT: Final = 2.0**-53


@compiled_step
def mix(value: Any) -> Any:
    """Scramble 64 bits."""
    value = (value ^ (value >> np.uint64(30))) * FIRST_FACTOR
    value = (value ^ (value >> np.uint64(27))) * SECOND_FACTOR
    return value ^ (value >> np.uint64(31))


@compiled_step
def add_part(number: Any, part: Any) -> Any:
    """Extend the number of a key by a whole number from 0 to 2^64 - 1."""
    return mix((np.uint64(number) + GOLDEN) ^ np.uint64(part))


@compiled_step
def bits(stream: StreamState) -> Any:
    """Draw the next 64 random bits."""
    stream[0] += GOLDEN
    return mix(stream[0])


@compiled_step
def random(stream: StreamState) -> float:
    """Draw a number from 0 up to, but not including, 1."""
    return np.float64(bits(stream) >> np.uint64(11)) * UNIT


@compiled_step
def below(stream: StreamState, count: int) -> Any:
    """Draw a whole number from 0 to count - 1, each equally likely."""
    size = np.uint64(count)
    drawn = bits(stream)
    if drawn > MASK - size:  # rarely: draw again what would favour the lower numbers
        beyond = (MASK - size + np.uint64(1)) % size  # 2^64 modulo the count
        while drawn > MASK - beyond:
            drawn = bits(stream)
    return np.int64(drawn % size)


@compiled_step
def weighted(stream: StreamState, weights: NDArray[np.float64]) -> int:
    """Pick a place in proportion to its weight; a place of weight zero is never picked."""
    total = 0.0
    for weight in weights:
        total += weight
    left = random(stream) * total
    last = 0
    for place in range(len(weights)):
        left -= weights[place]
        if left < 0:
            return place
        if weights[place] > 0:
            last = place
    return last


@compiled_step
def sample(stream: StreamState, pool: NDArray[Any], count: int) -> None:
    """Draw some things to the front of a pool, in the order drawn."""
    for place in range(count):
        other = place + below(stream, len(pool) - place)
        pool[place], pool[other] = pool[other], pool[place]


# Many streams at once


class Streams:
    """Streams side by side: a draw is one number from each, the one that its `Stream` would draw.

    A selection draws from the same streams and advances only those.

    >>> streams = Streams.of(Stream("deal", 7, 0), Stream("deal", 7, 1))
    >>> streams.select(np.array([False, True])).random() == Stream("deal", 7, 1).random()
    array([ True])
    """

    def __init__(self, states: NDArray[np.uint64], rows: NDArray[np.int64] | None = None) -> None:
        self.states, self.rows = states, np.arange(len(states)) if rows is None else rows

    @classmethod
    def of(cls, *streams: Stream) -> Streams:
        """Go on from where some streams are; they stay there."""
        return cls(np.array([stream.state for stream in streams], np.uint64))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Stream:
        return _StreamOfMany(self.states, int(self.rows[place]))

    def select(self, which: NDArray[Any]) -> Streams:
        """Return some of the streams, given by a mask or by their places."""
        return Streams(self.states, self.rows[which])

    def random(self) -> NDArray[np.float64]:
        """Draw numbers from 0 up to, but not including, 1."""
        drawn = np.empty(len(self.rows))
        _draw_random(self.states, self.rows, drawn)
        return drawn

    def below(self, counts: ArrayLike) -> NDArray[np.int64]:
        """Draw whole numbers from 0 to count - 1, each equally likely; the count is one for all or one for each."""
        drawn = np.empty(len(self.rows), np.int64)
        drawn[:] = counts
        if (drawn < 1).any():
            raise ValueError(f"cannot draw from {drawn.min()} things")
        _draw_below(self.states, self.rows, drawn)
        return drawn

    def weighted(self, weights: ArrayLike) -> NDArray[np.int64]:
        """Pick places in proportion to their weights, a row for each stream; none of weight zero is picked.

        Without any weight a stream does not draw, and the place is -1.
        """
        wide = np.ascontiguousarray(weights, np.float64)
        if (wide < 0).any():
            raise ValueError("weights must be non-negative")
        drawn = np.empty(len(self.rows), np.int64)
        _draw_weighted(self.states, self.rows, wide, drawn)
        return drawn

    def choice(self, things: ArrayLike) -> NDArray[Any]:
        """Pick one of the things with each stream, each equally likely."""
        array = np.asarray(things)
        return array[self.below(len(array))]


class _StreamOfMany(Stream):
    """One of many streams, for what is written in plain Python."""

    __slots__ = ("_row", "_states")

    def __init__(self, states: NDArray[np.uint64], row: int) -> None:
        super().__init__()
        self._states, self._row = states, row

    def bits(self) -> int:
        self.state = int(self._states[self._row])
        drawn = super().bits()
        self._states[self._row] = self.state
        return drawn


@compiled_loop
def _draw_random(states: NDArray[np.uint64], rows: NDArray[np.int64], drawn: NDArray[np.float64]) -> None:
    for place in range(len(rows)):
        drawn[place] = random(states[rows[place] : rows[place] + 1])


@compiled_loop
def _draw_below(states: NDArray[np.uint64], rows: NDArray[np.int64], drawn: NDArray[np.int64]) -> None:
    """Replace counts by numbers below them."""
    for place in range(len(rows)):
        drawn[place] = below(states[rows[place] : rows[place] + 1], drawn[place])


@compiled_loop
def _draw_weighted(
    states: NDArray[np.uint64],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    drawn: NDArray[np.int64],
) -> None:
    for place in range(len(rows)):
        drawn[place] = -1
        for weight in weights[place]:
            if weight:
                drawn[place] = weighted(states[rows[place] : rows[place] + 1], weights[place])
                break
