"""Compiled streams draw the same numbers as streams in Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retruco import compiled_streams as compiled
from retruco.compiler import load_numba
from retruco.streams import Stream, begin_key, key_number

load_numba()  # plain Python warns where 64 bits overflow

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


# Many streams at once


def side_by_side(seed: int, count: int) -> tuple[compiled.Streams, list[Stream]]:
    streams = [Stream("x", seed, place) for place in range(count)]
    return compiled.Streams.of(*streams), streams


@given(SEEDS, st.integers(0, 9), st.integers(1, 2**62))
def test_streams_side_by_side_draw_what_each_would_draw(seed: int, count: int, most: int) -> None:
    many, streams = side_by_side(seed, count)
    assert len(many) == count
    assert many.random().tolist() == [one.random() for one in streams]
    assert many.below(most).tolist() == [one.below(most) for one in streams]
    counts = [1 + place for place in range(count)]
    assert many.below(counts).tolist() == [one.below(n) for one, n in zip(streams, counts, strict=True)]
    assert many.choice(["a", "b", "c"]).tolist() == [one.choice("abc") for one in streams]
    assert many.states.tolist() == [one.state for one in streams]


@given(SEEDS, st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), max_size=9))
def test_streams_side_by_side_draw_places_by_weight(seed: int, weights: list[list[int]]) -> None:
    many, streams = side_by_side(seed, len(weights))
    drawn = [one.weighted(row) if any(row) else -1 for one, row in zip(streams, weights, strict=True)]
    assert many.weighted(np.array(weights).reshape(-1, 3)).tolist() == drawn
    assert many.states.tolist() == [one.state for one in streams]


@given(SEEDS, st.lists(st.booleans(), min_size=4, max_size=4))
def test_a_selection_advances_only_its_streams(seed: int, mask: list[bool]) -> None:
    many, streams = side_by_side(seed, 4)
    chosen = many.select(np.array(mask))
    assert chosen.random().tolist() == [
        one.random() for one, drawn in zip(streams, mask, strict=True) if drawn
    ]
    last = chosen.select(np.arange(len(chosen))[::-1])
    assert [last[place].below(6) for place in range(len(last))] == [
        one.below(6) for one, drawn in zip(reversed(streams), reversed(mask), strict=True) if drawn
    ]
    assert many.random().tolist() == [one.random() for one in streams]


def test_streams_refuse_what_a_stream_refuses() -> None:
    many, _ = side_by_side(1, 2)
    with pytest.raises(ValueError, match="cannot draw from 0 things"):
        many.below([3, 0])
    with pytest.raises(ValueError, match="non-negative"):
        many.weighted([[1, 2], [1, -2]])
