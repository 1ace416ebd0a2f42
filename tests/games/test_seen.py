"""What a seat sees survives the way to a player elsewhere and back."""

import json

import pytest

from retruco.games.core import BadRecord
from retruco.games.truco import PRESETS, Truco
from retruco.games.truco.seen import read_seen, write_seen
from retruco.streams import Stream


@pytest.mark.parametrize("rules", PRESETS)
def test_what_is_written_is_read_as_it_was_in_every_position(rules: str) -> None:
    game = Truco.named(rules)
    for number in range(150):
        chance = Stream("seen", rules, number)
        hand = game.start(game.deal(chance), game.opening(number % 2))
        while hand.outcome is None:
            for seat in (0, 1):
                sight = hand.observe(seat)
                assert read_seen(json.loads(json.dumps(write_seen(sight)))) == sight
            hand = hand.play(chance.choice(hand.legal))
        assert read_seen(write_seen(hand.observe(0)), (hand.observe(0),)).history == (hand.observe(0),)


@pytest.mark.parametrize(
    "change", [{"hand": ["99x"]}, {"rules": "mineiro"}, {"plays": 3}, {"bet": {"stakes": 1}}, {"log": [{}]}]
)
def test_anything_else_is_refused(change: dict[str, object]) -> None:
    game = Truco.named("cbtg")
    plain = write_seen(game.start(game.deal(Stream("seen")), game.opening()).observe(0))
    with pytest.raises(BadRecord, match="not what a seat of truco sees"):
        read_seen({**plain, **change})
