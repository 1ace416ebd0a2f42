"""The agent that leaves everything to chance: the measure of all others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import ANY_GAME, Decisions, Entry, alone
from retruco.cbr.case import Decision
from retruco.compiled_streams import below
from retruco.compiler import compiled_loop
from retruco.games.core import Observation
from retruco.games.euchre import Euchre
from retruco.games.euchre import stepper as at
from retruco.games.euchre.stepper import count_of, nth_of
from retruco.games.truco.compiled.stepper import CARD_COLUMNS, FIRST_CALL, HAND
from retruco.games.truco.situation import CALL_COUNT, FOLD, HELD_CARDS, LEGAL
from retruco.streams import Stream


class RandomAgent:
    """Any legal action, all equally likely; but it never throws its hand away."""

    def decide(self, observation: Observation, chance: Stream) -> Decision:
        """Draw one of the legal actions, `baralho` left aside."""
        actions = [action for action in observation.legal if action != "baralho"]
        return Decision(chance.choice(actions), reason="drawn", values={"among": len(actions)})

    def decide_many(self, game: Any, situations: NDArray[np.int32], streams: NDArray[np.uint64]) -> Decisions:
        """Draw in every situation of Truco or Euchre."""
        actions = np.zeros((len(situations), FIRST_CALL + CALL_COUNT), np.int32)
        draw = draw_at_euchre if isinstance(game, Euchre) else draw_actions
        draw(situations, streams.copy(), actions)
        return Decisions(actions[:, 0])


@compiled_loop
def draw_actions(
    situations: NDArray[np.int32], streams: NDArray[np.uint64], actions: NDArray[np.int32]
) -> None:
    """List the legal actions of each situation but for folding, in the order of the game, and put the drawn one first."""
    for row in range(len(situations)):
        legal, held, count = situations[row, LEGAL], situations[row, HELD_CARDS], 0
        for card in range(CARD_COLUMNS * HAND):
            if legal >> card // HAND & 1 and held >> card % HAND & 1:
                actions[row, count] = card
                count += 1
        for call in range(CALL_COUNT):
            if call != FOLD and legal >> (CARD_COLUMNS + call) & 1:
                actions[row, count] = FIRST_CALL + call
                count += 1
        actions[row, 0] = actions[row, below(streams[row : row + 1], count)]


@compiled_loop
def draw_at_euchre(situations: NDArray[Any], streams: NDArray[np.uint64], actions: NDArray[np.int32]) -> None:
    """Draw one of the legal actions of each situation."""
    for row in range(len(situations)):
        legal = situations[row, at.LEGAL]
        first = at.FIRST_DISCARD if situations[row, at.STAGE] == at.DISCARDING else 0
        actions[row, 0] = first + nth_of(legal, below(streams[row : row + 1], count_of(legal)))


ROSTER = (
    Entry("random", ANY_GAME, "Any legal action, all equally likely, except folding.", alone(RandomAgent)),
)
