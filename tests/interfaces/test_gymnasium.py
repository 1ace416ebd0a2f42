"""A seat against our agents is a Gymnasium environment by Gymnasium's own checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retruco.games.registry import game_names

env_checker = pytest.importorskip("gymnasium.utils.env_checker")
SeatEnv = pytest.importorskip("retruco.interfaces.gymnasium").SeatEnv


@pytest.mark.parametrize("game", game_names())
# Gymnasium would rather have bounds; how often a call is made has none.
@pytest.mark.filterwarnings("ignore:.*A Box observation space maximum value is infinity")
def test_every_game_passes_the_checks_of_gymnasium(game: str) -> None:
    env_checker.check_env(SeatEnv("random", game, seed=1, illegal="forfeit"), skip_render_check=True)


def play(env: Any, seed: int) -> list[float]:
    """Play some episodes with random legal actions; return their rewards."""
    chance, rewards = np.random.default_rng(seed), []
    for number in range(30):
        _, info = env.reset(seed=seed if number == 0 else None)
        is_over, reward = False, 0.0
        while not is_over:
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            _, reward, is_over, _, info = env.step(action)
        rewards.append(reward)
    return rewards


def test_a_seed_repeats_the_cards_and_the_opponent() -> None:
    first, again, other = (play(SeatEnv("bluffer", "truco", "cbtg"), seed) for seed in (4, 4, 5))
    assert first == again
    assert first != other


def test_a_match_against_an_agent_is_won_or_lost() -> None:
    rewards = play(SeatEnv("balanced", "truco", "cbtg", target=2, episode="match", seat=1), 2)
    assert set(rewards) == {1.0, -1.0}


def test_partners_and_opponents_at_four_seats_are_played_by_the_agent() -> None:
    rewards = play(SeatEnv("random", "euchre", target=1, episode="match"), 3)
    assert set(rewards) == {1.0, -1.0}


def test_an_illegal_action_is_refused_or_costs_the_episode() -> None:
    refusing = SeatEnv("random", "kuhn", seed=1, seat=0)
    refusing.reset()
    with pytest.raises(ValueError, match="illegal action 9: legal here are"):
        refusing.step(9)
    forfeiting = SeatEnv("random", "kuhn", seed=1, seat=0, illegal="forfeit")
    _, info = forfeiting.reset()
    _, reward, is_over, *_ = forfeiting.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, is_over) == (-2.0, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "nobody"}, "unknown agent 'nobody' for truco: one of"),
        ({"seat": 2}, "truco has seats 0 to 1, not 2"),
        ({"illegal": "ignore"}, "unknown treatment of illegal actions 'ignore': one of refuse, forfeit"),
        ({"episode": "year"}, "unknown episode 'year': one of hand, match"),
    ],
)
def test_a_wrong_option_is_named_with_the_alternatives(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeatEnv(**options)
