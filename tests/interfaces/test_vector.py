"""The vectorised tables play as the readable engine does, array by array."""

from __future__ import annotations

import numpy as np
import pytest

from retruco.games.registry import find_game
from retruco.games.truco.rules import PRESETS
from retruco.interfaces.episodes import Episode, Unit
from retruco.interfaces.vector import VectorTruco

TABLES = 8


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("unit", ["hand", "match"])
def test_tables_are_the_episodes_of_the_readable_engine(rules: str, unit: Unit) -> None:
    game = find_game("truco", rules, 5)
    vector = VectorTruco(TABLES, rules, 5, unit, seed=3)
    episodes = [Episode(game, unit, 3, number) for number in range(TABLES)]
    begun, chance = TABLES * np.ones(TABLES, int), np.random.default_rng(1)
    batch = vector.reset()
    for _ in range(30):
        for table, episode in enumerate(episodes):
            seat = episode.to_act
            assert seat is not None
            assert seat == batch.seats[table]
            seen = episode.observe(seat)
            assert vector.encoding.mask(seen).tolist() == batch.masks[table].tolist()
            assert vector.encoding.encode(seen).tolist() == batch.observations[table].tolist()
        actions = (chance.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        batch = vector.step(actions)
        for table, episode in enumerate(episodes):
            seat = episode.to_act
            assert seat is not None
            episode.act(seat, vector.encoding.action_text(episode.observe(seat), int(actions[table])))
            assert episode.is_over == batch.over[table]
            assert episode.rewards() == batch.rewards[table].tolist()
            if episode.is_over:
                episodes[table] = Episode(game, unit, 3, table + int(begun[table]))
                begun[table] += TABLES


def test_an_illegal_action_leaves_all_tables_as_they_are() -> None:
    vector = VectorTruco(3, "argentino-sem-flor", seed=1)
    before = vector.reset().observations.copy()
    legal = vector.batch.masks.argmax(axis=1)
    with pytest.raises(
        ValueError, match=r"illegal action 6 at table 1: legal there are 0 \(weakest card\), 1"
    ):
        vector.step([legal[0], 6, legal[2]])
    assert (vector.batch.observations == before).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: VectorTruco(0), "there is at least one table, not 0"),
        (lambda: VectorTruco(1, "truco-mini"), "its hands are 2 of 6 cards, not three of forty"),
        (lambda: VectorTruco(2, seed=1).step([0]), r"2 tables take 2 actions, not an array of \(1,\)"),
    ],
)
def test_a_wrong_size_or_preset_is_refused_in_one_line(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=message):
        make()
