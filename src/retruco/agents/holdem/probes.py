"""Players who do not look at their cards: the measure of all others."""

from __future__ import annotations

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.games.holdem import HoldemObservation
from retruco.streams import Stream
from retruco.vocab.holdem.drawing import chance_of
from retruco.vocab.holdem.strategies import STRATEGIES, carried_out
from retruco.vocab.holdem.view import view_of


class RandomStrategies:
    """Any of the six strategies in every stage, all equally likely (Sandven and Tessem 2006)."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Draw a strategy for the stage, the same each time it is asked, and carry it out."""
        view, again = view_of(seen)
        strategy = chance_of("random", view).choice(tuple(STRATEGIES))
        return Decision(carried_out(strategy, again, seen.legal), "drawn", {"strategy": strategy})


class AlwaysCall:
    """Checks and calls, whatever comes."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Check or call."""
        return Decision(carried_out("CALL-ANY", False, seen.legal), "always")


class AlwaysRaise:
    """Bets and raises as long as the rules allow it."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Bet or raise; call where the stage is capped."""
        return Decision(carried_out("RAISE-ANY", False, seen.legal), "always")


ROSTER = (
    Entry(
        "random",
        "holdem",
        "Draws one of six strategies for each stage, cards unseen.",
        alone(RandomStrategies),
    ),
    Entry("always-call", "holdem", "Checks and calls, whatever comes.", alone(AlwaysCall)),
    Entry("always-raise", "holdem", "Bets and raises as long as the rules allow it.", alone(AlwaysRaise)),
)
