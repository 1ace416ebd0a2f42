"""Streams of chance in compiled code: the same numbers as `retruco.streams` for the same key.

A key is hashed in Python as far as it is known there (`begin_key`), and extended here by whole
numbers. A stream in compiled code is an array of one 64-bit number, its state.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step

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
