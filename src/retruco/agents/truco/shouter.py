"""`shouter`: calls envido and truco in every hand, whatever it holds, and accepts whatever is called."""

from __future__ import annotations

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream


class Shouter(ScriptedPlayer):
    """Calls at once and believes nobody."""

    bluffs_lost = 1.0
    folds_lost = 0.0

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call with any points."""
        return situation.on_points("envido", "envido.bluff")

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Accept with any points."""
        return situation.takes_points(True)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Call with any cards."""
        return situation.on_hand(call, "truco.bluff")

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Accept with any cards."""
        return self.takes(True, situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Win with the lowest card that does, lead the highest, else throw the lowest away."""
        winner = situation.cheapest_winner
        if winner is None:
            return situation.put(situation.cards[0], "card.low")
        if situation.faced is not None:
            return situation.put(winner, "card.cheapest")
        return situation.put(situation.cards[-1], "card.high")


ROSTER = (
    Entry(
        "shouter",
        "truco",
        "Calls envido and truco in every hand, whatever it holds, and accepts whatever is called.",
        alone(Shouter),
        tuple(PRESETS),
    ),
)
