"""Compiled streams draw the same numbers as streams in Python."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retruco import compiled_streams as compiled
from retruco.streams import Stream, begin_key, key_number

SEEDS = st.integers(0, 2**64 - 1)


def stream_at(*key: object) -> Any:
    return np.array([key_number(*key)], dtype=np.uint64)


@given(st.one_of(SEEDS, st.text(), st.integers(max_value=-1)), st.lists(SEEDS, max_size=4))
def test_a_key_begun_in_python_and_extended_in_compiled_code_is_the_same_key(
    first: object, parts: list[int]
) -> None:
    number = np.uint64(begin_key(2 + len(parts), "deal", first))
    for part in parts:
        number = np.uint64(compiled.add_part(number, np.uint64(part)))
    assert number == key_number("deal", first, *parts)


@given(SEEDS)
def test_both_draw_the_same_bits_and_fractions(seed: int) -> None:
    stream, chance = stream_at("x", seed), Stream("x", seed)
    assert [int(compiled.bits(stream)) for _ in range(5)] == [chance.bits() for _ in range(5)]
    assert [compiled.random(stream) for _ in range(5)] == [chance.random() for _ in range(5)]


@given(SEEDS, st.one_of(st.integers(1, 50), st.integers(2**62, 2**63 - 1)))
def test_both_draw_the_same_whole_numbers(seed: int, count: int) -> None:
    stream, chance = stream_at("x", seed), Stream("x", seed)
    drawn = [compiled.below(stream, count) for _ in range(20)]  # of great counts many draws are drawn again
    assert drawn == [chance.below(count) for _ in range(20)]


@given(SEEDS, st.lists(st.floats(0, 1e6), min_size=1, max_size=9).filter(any))
def test_both_draw_the_same_places_by_weight(seed: int, weights: list[float]) -> None:
    stream, chance = stream_at("x", seed), Stream("x", seed)
    drawn = [compiled.weighted(stream, np.array(weights)) for _ in range(10)]
    assert drawn == [chance.weighted(weights) for _ in range(10)]


@given(SEEDS, st.integers(0, 40))
def test_both_draw_the_same_sample(seed: int, count: int) -> None:
    pool = np.arange(40)
    compiled.sample(stream_at("x", seed), pool, count)
    assert pool[:count].tolist() == Stream("x", seed).sample(range(40), count)
