"""A strategy as a table: by key, the probabilities of the actions; what solution files hold and agents read."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, mix, random
from retruco.compiler import compiled_loop, compiled_step, inlined

UNKNOWN: Final = -1


class Policy(NamedTuple):
    """Keys in ascending order with their probabilities; compiled code takes it as it is."""

    key: NDArray[np.int64]
    first: NDArray[np.int64]
    """By key: the place of its first action."""
    actions: NDArray[np.int8]
    """By key: how many there are."""
    probability: NDArray[np.float32]
    """By place."""
    slots: NDArray[np.int32]
    """By hash of the key: its place, or `UNKNOWN`."""


def make_policy(keys: NDArray[np.int64], counts: NDArray[np.int8], weights: NDArray[np.float64]) -> Policy:
    """A policy that plays actions in proportion to weights, listed key by key; keys are put in order."""
    order = np.argsort(keys, kind="stable")
    first = starts(counts)
    places = np.repeat(first[order] - starts(counts[order]), counts[order]) + np.arange(len(weights))
    keys, counts, weights = keys[order], counts[order], weights[places]
    if len(keys) > 1 and (np.diff(keys) == 0).any():
        raise ValueError("two information sets have the same key")
    slots = np.full(1 << max(2 * len(keys) - 1, 1).bit_length(), UNKNOWN, dtype=np.int32)
    if len(keys):
        fill_slots(slots, keys)
    return Policy(keys, starts(counts), counts, normalise(counts, weights), slots)


def starts(counts: NDArray[np.int8]) -> NDArray[np.int64]:
    """Where the actions of each key begin."""
    ends = np.cumsum(counts, dtype=np.int64)
    return ends - counts


def normalise(counts: NDArray[np.int8], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Probabilities in proportion to weights; all actions alike where there are none."""
    owner = np.repeat(np.arange(len(counts)), counts)
    total = np.bincount(owner, weights, len(counts))[owner]
    alike = 1 / counts[owner].astype(np.float64)
    return np.divide(weights, total, out=alike, where=total > 0).astype(np.float32)


@compiled_loop
def fill_slots(slots: NDArray[np.int32], keys: NDArray[np.int64]) -> None:
    """Enter every key."""
    mask = len(slots) - 1
    for place in range(len(keys)):
        slot = np.int64(mix(np.uint64(keys[place])) & np.uint64(mask))
        while slots[slot] != UNKNOWN:
            slot = (slot + 1) & mask
        slots[slot] = place


@compiled_step
def find_key(policy: Policy, key: Any) -> Any:
    """The place of a key, or `UNKNOWN`."""
    mask = len(policy.slots) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while policy.slots[slot] != UNKNOWN and policy.key[policy.slots[slot]] != key:
        slot = (slot + 1) & mask
    return policy.slots[slot]


@compiled_step
def fill_mixture(policy: Policy, key: Any, count: int, mixture: NDArray[np.float64]) -> bool:
    """Write down the probabilities of some actions; tell whether the key is known. All are alike if not."""
    place = find_key(policy, key) if count > 1 else np.int32(UNKNOWN)
    for action in range(count):
        if place != UNKNOWN:
            mixture[action] = policy.probability[policy.first[place] + action]
        else:
            mixture[action] = 1.0 / count
    return count == 1 or place != UNKNOWN


@inlined
def draw_action(stream: StreamState, mixture: NDArray[np.float64], count: int) -> int:
    """Draw one of some actions by its probability."""
    left = random(stream)
    for place in range(count - 1):
        left -= mixture[place]
        if left < 0:
            return place
    return count - 1
