"""A seat at a table of our agents as a Gymnasium environment: one learner, everybody else decides by itself.

An observation is the array of `retruco.interfaces.encodings`. The mask of the legal actions is in `info`,
and `env.action_masks()` returns it for learners that ask so.

>>> from retruco.agents.chance import RandomAgent
>>> env = SeatEnv(RandomAgent(), "kuhn", seed=1)
>>> array, info = env.reset()
>>> array.shape, info["action_mask"].tolist()
((17,), [1, 1, 0, 0])
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.agents.registry import check_table, find_agent
from retruco.games.core import Observation, Seat
from retruco.games.registry import USUAL_GAME, find_game
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.encodings.core import Floats, Mask
from retruco.interfaces.episodes import Episode, check_unit, new_seed
from retruco.interfaces.extras import import_extra
from retruco.learning.case_bases import cases_named
from retruco.streams import Stream

gymnasium: Any = import_extra("gymnasium", "gymnasium")
ILLEGAL: Final = ("refuse", "forfeit")


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # imported only where it is installed
    """One seat against an agent, which sits at all other seats.

    The agent is an object with `decide`, or a name as `retruco duel` takes it; one that remembers opens the case
    base `cases`, by default the usual one of the game. The seat changes from episode to
    episode by chance, unless one is given. An illegal action is refused with an error; with `illegal="forfeit"`
    it ends the episode, and costs the most that a hand can cost, or the match.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        opponent: Agent | str = "random",
        game: str = USUAL_GAME,
        rules: str | None = None,
        target: int | None = None,
        episode: str = "hand",
        seat: Seat | None = None,
        seed: int | None = None,
        illegal: str = "refuse",
        cases: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game, self.unit, self.seat_wanted = find_game(game, rules, target), check_unit(episode), seat
        if seat is not None and seat not in range(self.game.seats):
            raise ValueError(f"{game} has seats 0 to {self.game.seats - 1}, not {seat}")
        if illegal not in ILLEGAL:
            raise ValueError(f"unknown treatment of illegal actions {illegal!r}: one of {', '.join(ILLEGAL)}")
        if isinstance(opponent, str):
            check_table(opponent, self.game)
            opponent = find_agent(opponent, self.game.name, cases_named(cases))
        self.opponent, self.illegal, self.render_mode = opponent, illegal, render_mode
        self.encoding = find_encoding(self.game)
        self.observation_space = gymnasium.spaces.Box(0, np.inf, (self.encoding.size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(len(self.encoding.actions))
        self._seed, self._number = new_seed() if seed is None else seed, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin the next episode, and let the others act until it is the learner's turn."""
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._number = seed, 0
        while True:  # an episode may end before the learner's first turn
            self._begin_episode()
            if not self.episode.is_over:
                return self.encoding.encode(self.game_observation()), self._info()

    def _begin_episode(self) -> None:
        number = self._number
        self._number += 1
        self.episode = Episode(self.game, self.unit, self._seed, number)
        chance = Stream("learner", self._seed, number)
        self.seat = chance.below(self.game.seats) if self.seat_wanted is None else self.seat_wanted
        self._agent_seed = chance.bits()
        self._let_others_act()

    def _let_others_act(self) -> None:
        table = self.episode.table
        while (seat := self.episode.to_act) not in (None, self.seat):
            assert seat is not None
            chance = agent_stream(self._agent_seed, seat, table.match.hand, table.decisions[seat])
            self.episode.act(seat, ask_agent(self.opponent, self.episode.observe(seat), chance).action)

    def game_observation(self) -> Observation:
        """What the learner sees, as the object that our own agents decide by."""
        return self.episode.observe(self.seat)

    def action_masks(self) -> Mask:
        """1 for each action that the learner may take now."""
        return self.encoding.mask(self.game_observation())

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def step(self, action: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Act, and let the others act until it is the learner's turn again or the episode is over."""
        seen = self.game_observation()
        if self.illegal == "forfeit" and not self.encoding.mask(seen)[action]:
            cost = 1.0 if self.unit == "match" else float(self.game.most_points)
            return self.encoding.encode(seen), -cost, True, False, self._info()
        self.episode.act(self.seat, self.encoding.action_text(seen, int(action)))
        self._let_others_act()
        reward = self.episode.rewards()[self.seat]
        array = self.encoding.encode(self.game_observation())
        return array, reward, self.episode.is_over, False, self._info()

    def render(self) -> str | None:
        """The hand in one line, in the mode `ansi`."""
        return None if self.render_mode is None else str(self.episode.table.state.summary())
