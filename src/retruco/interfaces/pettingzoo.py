"""Every game as a PettingZoo environment, in which the seats act in turn (AEC).

An observation is a dictionary with the array of `retruco.interfaces.encodings` and the mask of the legal
actions; `env.unwrapped.game_observation(agent)` is the same as an object, which our agents take.

>>> environment = env("kuhn", seed=1)
>>> environment.reset()
>>> environment.agent_selection, environment.observe(environment.agent_selection)["action_mask"].tolist()
('seat_1', [1, 1, 0, 0])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retruco.games.core import Observation, Seat
from retruco.games.registry import USUAL_GAME, find_game
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.episodes import Episode, check_unit, new_seed
from retruco.interfaces.extras import import_extra

pettingzoo: Any = import_extra("pettingzoo", "pettingzoo")
spaces: Any = import_extra("gymnasium.spaces", "pettingzoo")


def env(
    game: str = USUAL_GAME,
    rules: str | None = None,
    target: int | None = None,
    episode: str = "hand",
    seed: int | None = None,
) -> Any:
    """Make an environment that refuses steps before `reset` and actions out of range."""
    wrappers: Any = import_extra("pettingzoo.utils.wrappers", "pettingzoo")
    return wrappers.OrderEnforcingWrapper(RetrucoEnv(game, rules, target, episode, seed))


class RetrucoEnv(pettingzoo.AECEnv):  # type: ignore[misc]  # published without types
    """A game, by any of its presets, one hand or one match an episode."""

    def __init__(
        self,
        game: str = USUAL_GAME,
        rules: str | None = None,
        target: int | None = None,
        episode: str = "hand",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game, self.unit, self.render_mode = (
            find_game(game, rules, target),
            check_unit(episode),
            render_mode,
        )
        name = f"retruco_{game}_{self.game.rules_name}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.encoding = find_encoding(self.game)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(len(self.encoding.actions)) for agent in self.possible_agents
        }
        self._seed, self._number = new_seed() if seed is None else seed, 0

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _observation_space(self) -> Any:
        box = spaces.Box(0, np.inf, (self.encoding.size,), np.float32)
        mask = spaces.Box(0, 1, (len(self.encoding.actions),), np.int8)
        return spaces.Dict({"observation": box, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next episode; a seed begins the sequence of episodes anew."""
        if seed is not None:
            self._seed, self._number = seed, 0
        self.episode = Episode(self.game, self.unit, self._seed, self._number)
        self._number += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(self.episode.to_act)

    def _select(self, seat: Seat | None) -> None:
        self.agent_selection = self.possible_agents[seat or 0]

    def game_observation(self, agent: str) -> Observation:
        """What an agent sees, as the object that our own agents decide by."""
        return self.episode.observe(self.possible_agents.index(agent))

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, as an array, and what it may do."""
        seen = self.game_observation(agent)
        return {"observation": self.encoding.encode(seen), "action_mask": self.encoding.mask(seen)}

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent whose turn it is; an illegal one is refused."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self.episode.act(seat, self.encoding.action_text(self.episode.observe(seat), action))
        self.rewards = dict(zip(self.agents, self.episode.rewards(), strict=True))
        if self.episode.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select(self.episode.to_act)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The hand in one line, in the mode `ansi`."""
        return None if self.render_mode is None else str(self.episode.table.state.summary())

    def close(self) -> None:
        """There is nothing to close."""
