"""The agent that leaves everything to chance: the measure of all others."""

from __future__ import annotations

from collections.abc import Sequence

from retruco.agents.core import ANY_GAME, Entry, alone
from retruco.cbr.case import Decision
from retruco.games.core import Observation
from retruco.streams import Stream


class RandomAgent:
    """Any legal action, all equally likely; but it never throws its hand away."""

    def key_parts(self, observation: Observation) -> Sequence[str]:
        """What its decision depends on beside what is legal: where in the list a card stands."""
        return ("order",)

    def decide(self, observation: Observation, chance: Stream) -> Decision:
        """Draw one of the legal actions, `baralho` left aside."""
        actions = [action for action in observation.legal if action != "baralho"]
        return Decision(chance.choice(actions), reason="drawn", values={"among": len(actions)})


ROSTER = (
    Entry("random", ANY_GAME, "Any legal action, all equally likely, except folding.", alone(RandomAgent)),
)
