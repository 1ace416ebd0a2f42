"""Chance that can be repeated: the same numbers for ever, since deals and records rest on them."""

import pytest

from retruco.streams import Stream, key_number


@pytest.mark.parametrize(
    ("key", "number"),
    [
        ((), 0),
        (("deal", 7, 0), 2797638781145519682),
        ((7, "deal"), 15984923735476407646),
        (("1",), 8727591529024228290),
        ((1,), 10905525725756348110),
        ((True,), 16060203635930729782),
        (("deal", -1, 2.5), 17420218691626181594),
    ],
)
def test_a_key_has_one_number_for_ever(key: tuple[object, ...], number: int) -> None:
    assert key_number(*key) == number


def test_a_stream_draws_the_same_for_ever() -> None:
    chance = Stream("deal", 7, 0)
    assert [chance.below(count) for count in (6, 52, 10**18, 3 * 2**62)] == [
        0,
        9,
        780105711574405336,
        1845939050973544356,
    ]


def test_what_would_favour_low_numbers_is_drawn_again() -> None:
    """Three quarters of all numbers: every fourth draw is thrown away, and the rest is even."""
    count = 3 * 2**62
    chance, drawn = Stream("again"), Stream("again")
    numbers = [chance.below(count) for _ in range(300)]
    kept = [number for number in (drawn.bits() for _ in range(450)) if number < count]
    assert numbers == kept[:300]
    assert len(kept) < 400
