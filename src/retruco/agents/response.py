"""The agent `response:FILE`: it plays a response that `retruco exploit` has learnt against one agent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, Decisions
from retruco.cbr.case import Decision
from retruco.compiler import compiled_loop, fixed_types
from retruco.games.core import Game
from retruco.games.truco.compiled.stepper import ACTIONS, Row, action_text
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import SOLVER_ROW, Abstraction, abstraction_for, keys_digest
from retruco.solver.truco.observed import as_dealt, known_situation, read_situation
from retruco.solver.truco.response import choose_response
from retruco.solver.truco.response_files import Response, read_response
from retruco.streams import Stream


def load_response(file: str, game: str) -> Agent:
    """Make the agent that plays a response; refuse a file that holds none for this game."""
    response = open_response(file)
    response.facts.check(file, game=game)
    return TrucoResponse(file, response)


def open_response(file: str) -> Response:
    """Read a response that a user names."""
    if not Path(file).is_file():
        raise ValueError(f"no response file at {file}")
    return read_response(Path(file))


def check_response_table(file: str, table: Game) -> None:
    """Refuse a table that a response was not learnt for."""
    open_response(file).facts.check(file, game=table.name, rules=table.rules_name, target=table.goal)


class TrucoResponse:
    """Plays a response of Truco."""

    def __init__(self, file: str, response: Response) -> None:
        facts = response.facts
        self.file, self.policy, self.against = file, response.policy, facts.against
        self.game = Truco.named(facts.rules, facts.target)
        facts.check(file, version=Truco.version, meaning=keys_digest(self.game, facts.abstraction))
        self.tables, self.abstraction = tables_for(self.game), abstraction_for(self.game, facts.abstraction)

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Play the best action that was learnt for this information set."""
        self._check_game(observation.game)
        actions, is_learnt = self._choose(known_situation(self.tables, observation)[np.newaxis])
        reason = "response.learnt" if is_learnt[0] else "response.unknown"
        return Decision(action_text(observation.hand, int(actions[0])), reason, {"against": self.against})

    def decide_many(
        self, game: Truco, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Play the best action that was learnt for each information set."""
        self._check_game(game)
        return Decisions(self._choose(situations)[0])

    def _check_game(self, game: Truco) -> None:
        if game != self.game:
            raise ValueError(f"{self.file} is for {self.game!r}, not {game!r}")

    def _choose(self, situations: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        chosen, is_learnt = np.zeros(len(situations), np.int32), np.zeros(len(situations), np.bool_)
        row, actions = np.zeros(SOLVER_ROW, np.int32), np.zeros(ACTIONS, np.int32)
        choose_responses(
            self.tables, self.abstraction, self.policy, situations, row, actions, chosen, is_learnt
        )
        return chosen, is_learnt


@fixed_types
@compiled_loop
def choose_responses(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    situations: NDArray[np.int32],
    row: Row,
    actions: Row,
    chosen: NDArray[np.int32],
    is_learnt: NDArray[np.bool_],
) -> None:
    """Choose an action in every situation, cards by their place in the hand that was dealt; tell whether it was learnt."""
    for number in range(len(situations)):
        read_situation(tables, situations[number], row)
        place, is_learnt[number] = choose_response(tables, abstraction, policy, row, actions)
        chosen[number] = as_dealt(situations[number], row, actions[place])
