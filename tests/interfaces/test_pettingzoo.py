"""Every game is a PettingZoo environment by PettingZoo's own tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retruco.agents.core import as_decision
from retruco.agents.registry import find_agent
from retruco.games.core import Game
from retruco.games.registry import all_tables, game_names
from retruco.interfaces.encodings import find_encoding
from retruco.streams import Stream

pettingzoo_test = pytest.importorskip("pettingzoo.test")
env = pytest.importorskip("retruco.interfaces.pettingzoo").env

TABLES = [(game.name, game.rules_name) for game in all_tables()]

pytestmark = [
    # PettingZoo's test knows the environments with action masks by name, and warns of all others.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


@pytest.mark.parametrize(("game", "rules"), TABLES)
def test_every_preset_passes_the_tests_of_pettingzoo(game: str, rules: str) -> None:
    pettingzoo_test.api_test(env(game, rules), num_cycles=10)
    pettingzoo_test.seed_test(lambda: env(game, rules), num_cycles=10)


@pytest.mark.parametrize("game", game_names())
def test_whole_matches_pass_the_tests_of_pettingzoo(game: str) -> None:
    pettingzoo_test.api_test(env(game, target=2, episode="match"), num_cycles=10)
    pettingzoo_test.seed_test(lambda: env(game, target=2, episode="match"), num_cycles=10)


def play_randomly(environment: Any, seed: int) -> list[float]:
    """Play an episode with random legal actions; return the sum of rewards by seat."""
    chance = np.random.default_rng(seed)
    environment.reset(seed=seed)
    total = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        total[agent] += reward
        is_over = terminated or truncated
        environment.step(None if is_over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return list(total.values())


@pytest.mark.parametrize("game", game_names())
def test_rewards_are_those_of_the_readable_table(game: str) -> None:
    environment = env(game)
    for seed in range(5):
        total = play_randomly(environment, seed)
        episode = environment.unwrapped.episode
        assert total == episode.rewards()
        assert sum(total) == pytest.approx(0)


def test_a_match_is_won_and_lost() -> None:
    environment = env("truco", "cbtg", target=3, episode="match")
    assert {tuple(play_randomly(environment, seed)) for seed in range(10)} == {(1.0, -1.0), (-1.0, 1.0)}


def test_our_own_agents_decide_by_the_observation_as_an_object() -> None:
    environment = env("truco", "cbtg", seed=3)
    environment.reset()
    agent, inner = environment.agent_selection, environment.unwrapped
    seen = inner.game_observation(agent)
    action = find_agent("balanced", "truco").decide(seen, Stream("test"))
    assert inner.encoding.action_number(seen, as_decision(action).action) in np.flatnonzero(
        environment.observe(agent)["action_mask"]
    )


def test_an_illegal_action_is_refused_in_one_line() -> None:
    environment = env("kuhn", seed=1)
    environment.reset()
    with pytest.raises(ValueError, match=r"illegal action 3: legal here are 0 \(check\), 1 \(bet\)"):
        environment.step(3)


def test_episodes_differ_until_a_seed_begins_them_anew() -> None:
    environment = env("truco", "cbtg", seed=5)
    hands = []
    for seed in (None, None, 5):
        environment.reset(seed=seed)
        hands.append(environment.unwrapped.game_observation("seat_0").hand)
    assert hands[0] != hands[1]
    assert hands[0] == hands[2]


@pytest.mark.parametrize("game", all_tables(), ids=lambda game: f"{game.name}-{game.rules_name}")
def test_an_encoding_has_a_number_for_every_action_and_a_fixed_size(game: Game) -> None:
    encoding, match = find_encoding(game), game.opening()
    for hand in range(20):
        chance = Stream("encoding", hand)
        state = game.start(game.deal(chance), match)
        while state.to_act is not None:
            seen = state.observe(state.to_act)
            numbers = [encoding.action_number(seen, action) for action in seen.legal]
            assert [encoding.action_text(seen, number) for number in numbers] == list(seen.legal)
            assert sorted(numbers) == np.flatnonzero(encoding.mask(seen)).tolist()
            array = encoding.encode(seen)
            assert array.shape == (encoding.size,)
            assert array.min() >= 0
            state = state.play(chance.choice(state.legal))
