"""The agent `response:FILE`: it plays a response that `retruco exploit` has learnt against one agent."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retruco.agents.core import Agent
from retruco.cbr.case import Decision
from retruco.compiler import compiled_step, fixed_types
from retruco.games.core import Game
from retruco.games.truco.compiled.stepper import ACTIONS, Row, action_text
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import Abstraction, abstraction_for, keys_digest
from retruco.solver.truco.observed import action_numbers, observed_row, replay_row
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
        if observation.game != self.game:
            raise ValueError(f"{self.file} is for {self.game!r}, not {observation.game!r}")
        hand = sorted(observation.hand, key=STRENGTH.__getitem__, reverse=True)
        row, numbers = observed_row(observation, hand), action_numbers(observation, hand)
        actions = np.zeros(ACTIONS, dtype=np.int32)
        place, is_known = look_up_response(self.tables, self.abstraction, self.policy, row, numbers, actions)
        reason = "response.learnt" if is_known else "response.unknown"
        return Decision(action_text(hand, int(actions[place])), reason, {"against": self.against})


@fixed_types
@compiled_step
def look_up_response(
    tables: Tables, abstraction: Abstraction, policy: Policy, row: Row, numbers: Row, actions: Row
) -> tuple[int, bool]:
    """Play a hand again, and choose among the actions that are considered now."""
    replay_row(tables, row, numbers)
    return choose_response(tables, abstraction, policy, row, actions)
