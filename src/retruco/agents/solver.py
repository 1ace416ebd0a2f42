"""The agent `solver:FILE`: it plays a solution that `retruco solve` has written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, Decisions
from retruco.cbr.case import Decision, Json
from retruco.games.core import Game, Observation
from retruco.games.registry import find_game
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.deck import envido_points
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.situation import Situation
from retruco.solver.cfr import key_of_text, tree_digest
from retruco.solver.files import EXACT, Solution, read_solution
from retruco.solver.policy import fill_mixture
from retruco.solver.truco.abstraction import LEVELS, abstraction_for, keys_digest
from retruco.solver.truco.analysis import Judge
from retruco.solver.truco.beliefs import Beliefs, find_beliefs
from retruco.solver.truco.match_play import (
    REASONS,
    Mixture,
    Player,
    draw_actions,
    find_mixture,
    make_player,
    make_room,
)
from retruco.solver.truco.observed import known_situation
from retruco.solver.truco.values import check_values, values_file
from retruco.streams import Stream

MIXTURE: Final = "mixture"


def load_solver(file: str, game: str) -> Agent:
    """Make the agent that plays a solution; refuse a file that holds none for this game."""
    solution = open_solution(file)
    solution.facts.check(file, game=game)
    return TreeSolver(file, solution) if solution.facts.abstraction == EXACT else TrucoSolver(file, solution)


def open_solution(file: str) -> Solution:
    """Read a solution that a user names."""
    if not Path(file).is_file():
        raise ValueError(f"no solution file at {file}")
    return read_solution(Path(file))


def open_judge(file: str, values: str | None = None) -> Judge:
    """What judges decisions of Truco by a solution, with the values beside it or those that are named."""
    solution = open_solution(file)
    solution.facts.check(file, game=Truco.name)
    agent = TrucoSolver(file, solution)
    return Judge.open(agent.facts, Path(file), Path(values) if values else None)


def check_solution_table(file: str, table: Game) -> None:
    """Refuse a table that a solution was not made for; where matches are a number of hands, any number will do."""
    facts = open_solution(file).facts
    facts.check(file, game=table.name, rules=table.rules_name)
    if table.name == Truco.name:
        facts.check(file, target=table.goal)


class Evidence(Mapping[str, Json]):
    """The values of a decision: the mixture at once, all else when it is first asked for."""

    def __init__(self, mixture: Mixture, find_more: Callable[[], Mapping[str, Json]]) -> None:
        self.mixture, self.find_more = mixture, find_more

    @cached_property
    def everything(self) -> Mapping[str, Json]:
        """All values."""
        return {MIXTURE: self[MIXTURE], **self.find_more()}

    def __getitem__(self, name: str) -> Json:
        if name == MIXTURE:
            return by_action(self.mixture.actions, self.mixture.probabilities)
        return self.everything[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.everything)

    def __len__(self) -> int:
        return len(self.everything)


def by_action(actions: tuple[str, ...], numbers: tuple[float, ...]) -> dict[str, Json]:
    """Numbers by the action they belong to, rounded."""
    return {action: round(number, 4) for action, number in zip(actions, numbers, strict=True)}


def no_more() -> Mapping[str, Json]:
    """No evidence but the mixture."""
    return {}


def draw(mixture: Mixture, chance: Stream, find_more: Callable[[], Mapping[str, Json]] = no_more) -> Decision:
    """Draw an action by its probability; the mixture is the evidence, and what can be found out on request."""
    place = chance.weighted(mixture.probabilities)
    return Decision(mixture.actions[place], mixture.reason, Evidence(mixture, find_more))


class TrucoSolver:
    """Plays a solution of Truco."""

    def __init__(self, file: str, solution: Solution) -> None:
        facts = self.facts = solution.facts
        self.file, self.policy = file, solution.policy
        self.has_values = values_file(Path(file)).is_file()
        if self.has_values:
            check_values(values_file(Path(file)), Path(file))
        if facts.abstraction not in LEVELS:
            raise ValueError(f"{file} is for abstraction {facts.abstraction}, not one of {', '.join(LEVELS)}")
        self.game = Truco.named(facts.rules, facts.target)
        facts.check(file, version=Truco.version, meaning=keys_digest(self.game, facts.abstraction))
        self.tables = tables_for(self.game)
        self.abstraction = abstraction_for(self.game, facts.abstraction)

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Draw an action from the mixture of this information set."""
        self._check_game(observation.game)
        return self.decide_in(known_situation(self.tables, observation), observation, chance)

    def decide_in(self, situation: Situation, seen: TrucoObservation, chance: Stream) -> Decision:
        """Draw an action in a situation of the solution's own tables, which an observation shows."""
        return draw(find_mixture(self.player, situation), chance, lambda: self.find_evidence(seen))

    def decide_many(
        self, game: Truco, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Draw an action from the mixture of each situation."""
        self._check_game(game)
        actions = np.zeros(len(situations), np.int32)
        draw_actions(self.player, situations, streams, make_room(), actions)
        return Decisions(actions)

    def _check_game(self, game: Truco) -> None:
        if game != self.game:
            raise ValueError(f"{self.file} is for {self.game!r}, not {game!r}")

    @cached_property
    def player(self) -> Player:
        """What plays it in compiled code."""
        return make_player(self.tables, self.abstraction, self.policy, self.judge)

    @cached_property
    def judge(self) -> Judge | None:
        """What actions are worth, if values lie beside the solution."""
        return Judge.open(self.facts, Path(self.file)) if self.has_values else None

    def find_evidence(self, seen: TrucoObservation) -> dict[str, Json]:
        """What each action is worth, in points and in match-winning chance, and what the other side may hold."""
        beliefs = find_beliefs(self.tables, self.abstraction, self.policy, seen)
        worth = self.judge.worth(seen) if self.judge else None
        evidence: dict[str, Json] = {}
        if worth is not None:
            evidence["action_points"] = by_action(worth.actions, worth.points)
            evidence["action_chances"] = by_action(worth.actions, worth.chances)
        return {**evidence, "other_hand": describe_beliefs(beliefs, seen)}


def describe_beliefs(beliefs: Beliefs, seen: TrucoObservation) -> dict[str, Json]:
    """What the other side may hold, in a few numbers."""
    points = envido_points(seen.hand)
    return {
        "flor": round(beliefs.flor, 4),
        "envido": {str(points): round(share, 4) for points, share in beliefs.envido.items()},
        "mean_envido": round(beliefs.mean_envido, 1),
        "own_envido": points,
        "more_envido": round(beliefs.more_envido(points), 4),
        "beats": {str(card): round(beliefs.beats(card), 4) for card in seen.held},
        "likely": [{"hand": " ".join(hand), "share": round(share, 4)} for hand, share in beliefs.likely()],
    }


class TreeSolver:
    """Plays a solution of a game that was solved exactly."""

    def __init__(self, file: str, solution: Solution) -> None:
        facts = solution.facts
        self.policy = solution.policy
        self.game = find_game(facts.game, facts.rules, facts.target)
        facts.check(file, version=self.game.version, meaning=tree_digest(self.game))

    def decide(self, observation: Observation, chance: Stream) -> Decision:
        """Draw an action from the mixture of this information set."""
        legal = tuple(sorted(observation.legal))
        mixture = np.zeros(len(legal))
        key = key_of_text(self.game.information_key(observation))
        is_known = fill_mixture(self.policy, key, len(mixture), mixture)
        return draw(Mixture(legal, tuple(mixture.tolist()), REASONS[not is_known]), chance)
