"""Our games as OpenSpiel games, and our agents as OpenSpiel bots.

`register_games()` registers every game once; `load_game("kuhn")` loads one by a preset. One hand at an even score is
played. The deal is one chance node where a game can list its deals; elsewhere two chance nodes draw the
number of a deal, one of a million.

>>> game = load_game("leduc")
>>> state = game.new_initial_state()
>>> state.apply_action(0)
>>> state.information_state_string(0), [state.action_to_string(action) for action in state.legal_actions()]
('0 J -', ['check', 'bet'])
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.games.core import Action, Game, Seat, State
from retruco.games.registry import find_game, game_class, game_names
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.encodings.core import Encoding
from retruco.interfaces.episodes import zero_sum
from retruco.interfaces.extras import import_extra
from retruco.solver.cfr import Strategy, TreeSolver
from retruco.streams import Stream

pyspiel: Any = import_extra("pyspiel", "openspiel")
policies: Any = import_extra("open_spiel.python.policy", "openspiel")

PREFIX: Final = "retruco_"
DRAWS: Final = 1024
"""Where deals are numbered, a number is two draws of so many."""
LONGEST: Final = 300
"""No hand of any game has more actions."""


def load_game(name: str, rules: str | None = None) -> Any:
    """Load a game by a preset, as `pyspiel.load_game("retruco_kuhn(rules=three-seats)")` does.

    >>> load_game("whist")
    Traceback (most recent call last):
    ...
    ValueError: unknown game 'whist': one of euchre, holdem, kuhn, leduc, truco
    """
    find_game(name, rules)
    register_games()
    return pyspiel.load_game(PREFIX + name, {"rules": rules or ""})


@cache
def register_games() -> tuple[str, ...]:
    """Register every game at OpenSpiel, and return the names."""
    for name in game_names():
        kind = type(f"Spiel{name.title()}", (SpielGame,), {"name": name})
        pyspiel.register_game(game_type(name), kind)
    return tuple(PREFIX + name for name in game_names())


def game_type(name: str) -> Any:
    """What OpenSpiel knows of a game before it is loaded."""
    kinds, seats = pyspiel.GameType, [find_game(name, rules).seats for rules in game_class(name).presets()]
    return kinds(
        short_name=PREFIX + name,
        long_name=f"{name.title()} of Retruco",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": ""},
    )


class Deals(NamedTuple):
    """All deals with their probabilities, or none where they are numbered."""

    listed: tuple[tuple[Any, float], ...]

    @property
    def draws(self) -> int:
        """How many chance nodes a hand begins with."""
        return 1 if self.listed else 2

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node."""
        if self.listed:
            return [(number, probability) for number, (_, probability) in enumerate(self.listed)]
        return [(number, 1 / DRAWS) for number in range(DRAWS)]

    def find(self, game: Game, drawn: tuple[int, ...]) -> Any:
        """The deal that was drawn."""
        return self.listed[drawn[0]][0] if self.listed else game.deal(Stream("openspiel", *drawn))


def deals_of(game: Game) -> Deals:
    """List the deals of a game that can."""
    try:
        return Deals(tuple(game.all_deals()))
    except ValueError:  # too many to list
        return Deals(())


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # published without types
    """One hand of a game, by one preset."""

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.game = find_game(self.name, (params or {}).get("rules") or None)
        self.encoding, self.deals = find_encoding(self.game), deals_of(self.game)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.actions),
            max_chance_outcomes=len(self.deals.outcomes),
            num_players=self.game.seats,
            min_utility=-float(self.game.most_points),
            max_utility=float(self.game.most_points),
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.name), info, dict(params or {}))

    def new_initial_state(self) -> Any:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if params:
            raise ValueError(f"an observer of Retruco takes no parameters, not {params}")
        is_public = iig_obs_type is not None and iig_obs_type.private_info == pyspiel.PrivateInfoType.NONE
        return PublicObserver() if is_public else SpielObserver(self.encoding)


class Position(NamedTuple):
    """Where a hand stands. It does not change, so that copies of a state share it."""

    game: Game
    encoding: Encoding
    deals: Deals
    drawn: tuple[int, ...] = ()
    """What chance has drawn so far."""
    state: State | None = None
    """The hand, once it is dealt."""

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def after(self, action: int) -> Position:
        """The position after a draw of chance or an action of a seat."""
        if self.state is not None:
            return self._replace(state=self.state.play(self.text(action)))
        drawn = (*self.drawn, action)
        if len(drawn) < self.deals.draws:
            return self._replace(drawn=drawn)
        deal = self.deals.find(self.game, drawn)
        return self._replace(drawn=drawn, state=self.game.start(deal, self.game.opening()))

    def text(self, action: int) -> Action:
        """An action of the seat to act, in the notation."""
        assert self.state is not None
        assert self.state.to_act is not None
        return self.encoding.action_text(self.state.observe(self.state.to_act), action)

    def key(self, seat: Seat) -> str:
        """All that a seat knows about this hand, as text; nothing before the deal."""
        if self.state is None:
            return f"{seat}"
        seen = self.state.observe(seat)
        if type(self.game).information_key is Game.information_key:
            return f"{seat} {json.dumps(self.game.write_observation(seen), sort_keys=True)}"
        return f"{seat} {self.game.information_key(seen)}"


class SpielState(pyspiel.State):  # type: ignore[misc]  # published without types
    """A hand as OpenSpiel plays it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = Position(game.game, game.encoding, game.deals)

    def current_player(self) -> int:
        state = self.position.state
        if state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if state.to_act is None else state.to_act

    def _legal_actions(self, player: int) -> list[int]:
        state = self.position.state
        if state is None or state.to_act != player:
            return []
        mask = self.position.encoding.mask(state.observe(player))
        return [int(number) for number in np.flatnonzero(mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.deals.outcomes

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.position.state is None else self.position.text(action)

    def is_terminal(self) -> bool:
        return self.position.state is not None and self.position.state.to_act is None

    def returns(self) -> list[float]:
        game, state = self.position.game, self.position.state
        if state is None or state.outcome is None:
            return [0.0] * game.seats
        gains = zero_sum(game.gains(game.opening(), state))
        return [gains[team] for team in game.teams]

    def __str__(self) -> str:
        state = self.position.state
        return f"drawn {self.position.drawn}" if state is None else json.dumps(state.record())


class SpielObserver:
    """What a seat knows, as text and as the array of `retruco.interfaces.encodings`."""

    def __init__(self, encoding: Encoding) -> None:
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict, begin = {}, 0
        for name, size in encoding.fields.items():
            self.dict[name] = self.tensor[begin : begin + size]
            begin += size

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the array."""
        position = state.position
        self.tensor[:] = (
            0 if position.state is None else position.encoding.encode(position.state.observe(player))
        )

    def string_from(self, state: SpielState, player: int) -> str:
        """Write the text: in the game's own words if it has such a key, else the whole observation as JSON."""
        return state.position.key(player)


class PublicObserver:
    """What everybody knows, as far as all games share it: whose turn it is, and how many actions there were."""

    def __init__(self) -> None:
        self.tensor, self.dict = None, dict[str, Any]()

    def set_from(self, state: SpielState, player: int) -> None:
        """There is no array."""

    def string_from(self, state: SpielState, player: int) -> str:
        """Write the text."""
        hand = state.position.state
        return "not dealt" if hand is None else f"turn {hand.to_act}, {len(hand.actions)} actions"


# Agents and strategies


class AgentBot(pyspiel.Bot):  # type: ignore[misc]  # published without types
    """One of our agents as an OpenSpiel bot at one seat; its chance is named by the seed and the hand."""

    def __init__(self, agent: Agent, player: int, seed: int = 0) -> None:
        super().__init__()
        self.agent, self.player, self.seed, self.hand = agent, player, seed, 0

    def player_id(self) -> int:
        return self.player

    def restart(self) -> None:
        self.hand += 1

    def restart_at(self, state: Any) -> None:
        self.hand += 1

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """The state says everything."""

    def step(self, state: Any) -> int:
        position = state.position
        seen = position.state.observe(self.player)
        chance = agent_stream(self.seed, self.player, self.hand, len(position.state.actions))
        return int(position.encoding.action_number(seen, ask_agent(self.agent, seen, chance).action))


class SolverPolicy(policies.Policy):  # type: ignore[misc]  # published without types
    """A strategy of our solver as an OpenSpiel policy."""

    def __init__(self, game: Any, solver: TreeSolver, strategy: Strategy) -> None:
        super().__init__(game, [0, 1])
        self.chances = {
            f"{infoset.seat} {infoset.key}": dict(zip(infoset.legal, row.tolist(), strict=False))
            for infoset, row in zip(solver.tree.infosets, strategy, strict=True)
        }

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action."""
        chances = self.chances[state.information_state_string()]
        return {action: chances[state.action_to_string(action)] for action in state.legal_actions()}


def solver_strategy(solver: TreeSolver, policy: Any) -> Strategy:
    """A tabular policy of OpenSpiel as a strategy of our solver."""
    chances = {
        state.information_state_string(): {
            state.action_to_string(action): chance
            for action, chance in policy.action_probabilities(state).items()
        }
        for state in policy.states
    }
    strategy = np.zeros_like(solver.regrets.average)
    for row, infoset in zip(strategy, solver.tree.infosets, strict=True):
        found = chances[f"{infoset.seat} {infoset.key}"]
        row[: len(infoset.legal)] = [found[action] for action in infoset.legal]
    return strategy
