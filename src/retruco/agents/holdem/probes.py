"""Players who do not look at their cards: the measure of all others."""

from __future__ import annotations

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.compiled import ACTIONS, call_or_check, raise_or_call, situation_seen
from retruco.streams import Stream
from retruco.vocab.holdem.questions import view_of
from retruco.vocab.holdem.strategies import NAMES, carry_out


class RandomStrategies:
    """Any of the six strategies in every stage, all equally likely (Sandven and Tessem 2006)."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Draw a strategy for the stage, the same each time it is asked, and carry it out."""
        view, again = view_of(seen)
        strategy = drawn_strategy(view.stream("random"))
        action = ACTIONS[carry_out(strategy, again, situation_seen(seen))]
        return Decision(action, "drawn", {"strategy": NAMES[strategy]})


def drawn_strategy(stream: Stream) -> int:
    """Draw a strategy by the chance of the stage."""
    return stream.below(len(NAMES))


class AlwaysCall:
    """Checks and calls, whatever comes."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Check or call."""
        return Decision(ACTIONS[call_or_check(situation_seen(seen))], "always")


class AlwaysRaise:
    """Bets and raises as long as the rules allow it."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Bet or raise; call where the stage is capped."""
        return Decision(ACTIONS[raise_or_call(situation_seen(seen))], "always")


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
