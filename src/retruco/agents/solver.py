"""The agent `solver:FILE`: it plays a solution that `retruco solve` has written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from retruco.agents.core import Agent
from retruco.cbr.case import Decision
from retruco.games.core import Game, Observation
from retruco.games.registry import find_game
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.cfr import key_of_text, tree_digest
from retruco.solver.files import EXACT, Solution, read_solution
from retruco.solver.policy import fill_mixture
from retruco.solver.truco.abstraction import LEVELS, abstraction_for, keys_digest
from retruco.solver.truco.observed import Mixture, find_mixture
from retruco.streams import Stream

DECLINING: Final = ("nao-quero", "baralho")


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


def check_solution_table(file: str, table: Game) -> None:
    """Refuse a table that a solution was not made for; where matches are a number of hands, any number will do."""
    facts = open_solution(file).facts
    facts.check(file, game=table.name, rules=table.rules_name)
    if table.name == Truco.name:
        facts.check(file, target=table.goal)


def draw(mixture: Mixture, chance: Stream) -> Decision:
    """Draw an action by its probability; the mixture is the evidence."""
    place = chance.weighted(mixture.probabilities)
    values = {action: round(p, 4) for action, p in zip(mixture.actions, mixture.probabilities, strict=True)}
    reason = "solved" if mixture.is_known else "solver.unknown"
    return Decision(mixture.actions[place], reason, {"mixture": values})


class TrucoSolver:
    """Plays a solution of Truco."""

    def __init__(self, file: str, solution: Solution) -> None:
        facts = solution.facts
        self.file, self.policy = file, solution.policy
        if facts.abstraction not in LEVELS:
            raise ValueError(f"{file} is for abstraction {facts.abstraction}, not one of {', '.join(LEVELS)}")
        self.game = Truco.named(facts.rules, facts.target)
        facts.check(file, version=Truco.version, meaning=keys_digest(self.game, facts.abstraction))
        self.tables = tables_for(self.game)
        self.abstraction = abstraction_for(self.game, facts.abstraction)

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Draw an action from the mixture of this information set."""
        if observation.game != self.game:
            raise ValueError(f"{self.file} is for {self.game!r}, not {observation.game!r}")
        mixture = find_mixture(self.tables, self.abstraction, self.policy, observation)
        if declining_loses_match(observation):
            return draw(without_declining(mixture), chance)
        return draw(mixture, chance)


def declining_loses_match(seen: TrucoObservation) -> bool:
    """Whether the other seat reaches the target if this one declines or goes to the deck."""
    rules = seen.game.rules
    if seen.flor.pending:
        cost = flores.declined(rules, seen.flor.calls)
    elif seen.envido.pending:
        cost = envidos.declined(seen.envido.calls)
    else:
        cost = seen.bet.stake
    return seen.scores[seen.other] + cost >= seen.game.target


def without_declining(mixture: Mixture) -> Mixture:
    """The same mixture without what loses the match for sure; an acceptance costs nothing then."""
    kept = [0.0 if action in DECLINING else p for action, p in zip(*mixture[:2], strict=True)]
    if not any(kept):
        kept = [float(action not in DECLINING) for action in mixture.actions]
    total = sum(kept)
    return mixture._replace(probabilities=tuple(p / total for p in kept)) if total else mixture


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
        return draw(Mixture(legal, tuple(mixture.tolist()), bool(is_known)), chance)
