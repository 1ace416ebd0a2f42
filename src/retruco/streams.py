"""Chance that can be repeated: a small stream of random numbers named by a key.

Every random choice in Retruco is drawn from a stream whose key says what it is for, such as
(match seed, seat, hand, decision). The same key gives the same numbers on every machine and
in every process; no two purposes share a stream; nothing touches a global generator.

>>> Stream("deal", 7, 0).random() == Stream("deal", 7, 0).random()
True
>>> Stream("deal", 7, 0).random() == Stream("deal", 7, 1).random()
False
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(value: int) -> int:
    """Scramble 64 bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014)."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


@lru_cache(maxsize=4096)
def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def key_number(*key: object) -> int:
    """Turn the parts of a key into one 64-bit number; order and parts all count."""
    if key and type(key[0]) is str:  # most keys begin with the name of what they are for
        number, parts = _named(len(key), key[0]), key[1:]
    else:
        number, parts = len(key), key
    for part in parts:
        number = _mix((number + _GOLDEN ^ part_number(part)) & _MASK)
    return number


def begin_key(parts: int, *key: object) -> int:
    """The number of a key of so many parts in all after its first ones; `compiled_streams` adds the others."""
    number = parts
    for part in key:
        number = _mix((number + _GOLDEN ^ part_number(part)) & _MASK)
    return number


def part_number(part: object) -> int:
    """The number of one part of a key: itself where it fits into 64 bits, else a digest of how it prints."""
    return part if type(part) is int and 0 <= part <= _MASK else _digest(repr(part))


@lru_cache(maxsize=4096)
def _named(parts: int, name: str) -> int:
    """The number of a key of so many parts after its first, a name."""
    return begin_key(parts, name)


class Stream:
    """Random numbers named by a key; cheap to make, so that every decision has its own.

    The key becomes a number when the first is drawn: most decisions draw none.
    """

    __slots__ = ("_key", "_state")

    def __init__(self, *key: object) -> None:
        self._key = key
        self._state: int | None = None

    @property
    def state(self) -> int:
        """The 64 bits from which the next number is made; that of another stream goes on from there."""
        if self._state is None:
            self._state = key_number(*self._key)
        return self._state

    @state.setter
    def state(self, state: int) -> None:
        self._state = state

    def bits(self) -> int:
        """Draw the next 64 random bits (SplitMix64)."""
        state = self._state
        if state is None:
            state = key_number(*self._key)
        self._state = state = (state + _GOLDEN) & _MASK
        return _mix(state)

    def random(self) -> float:
        """Draw a number from 0 up to, but not including, 1."""
        return (self.bits() >> 11) * 2.0**-53

    def below(self, count: int) -> int:
        """Draw a whole number from 0 to count - 1, each equally likely."""
        if count < 1:
            raise ValueError(f"cannot draw from {count} things")
        drawn = self.bits()
        if drawn > _MASK - count:  # rarely: draw again what would favour the lower numbers
            limit = (1 << 64) - (1 << 64) % count
            while drawn >= limit:
                drawn = self.bits()
        return drawn % count

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.random() < probability

    def choice(self, things: Sequence[T]) -> T:
        """Pick one thing, each equally likely."""
        return things[self.below(len(things))]

    def weighted(self, weights: Sequence[float]) -> int:
        """Pick a place in proportion to its weight; a place of weight zero is never picked."""
        total: float = 0
        for weight in weights:  # in this order on every machine: newer Pythons sum in another one
            total += weight
        if total <= 0 or min(weights) < 0:
            raise ValueError(f"weights must be non-negative with a positive sum, not {list(weights)}")
        left = self.random() * total
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        return max(place for place, weight in enumerate(weights) if weight > 0)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put things into a random order, every order equally likely."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        """Draw some things without putting them back, in the order drawn."""
        pool = list(things)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def generator(self) -> Random:
        """Make a `Random` for libraries that want one, seeded from this stream."""
        return Random(self.bits())
