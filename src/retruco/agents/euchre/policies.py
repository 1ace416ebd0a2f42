"""The policy of `NPS` at Euchre: take what brought the most points in similar situations.

Its usual base comes from self-play (`retruco.learning.euchre.embedded`). The dealer's discard goes by
card values, as everybody's does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.euchre.players import EuchrePlayer
from retruco.cbr.case import Decision
from retruco.cbr.modes import Adaptive
from retruco.cbr.reuse import Conventional, Points
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre.words import DISCARD
from retruco.streams import Stream

GAME: Final = "euchre"
DISCARDING: Final = EuchrePlayer("HIGH")


@dataclass(frozen=True, slots=True)
class EuchrePolicy(Policy):
    """Answers by cases, but discards by card values."""

    @property
    def is_batched(self) -> bool:
        """It is: turns of many seats know what is forced."""
        return True

    def forced(self, seen: EuchreObservation, chance: Stream) -> Decision | None:
        """Play the only card there is; discard by card values."""
        if len(seen.legal) == 1:
            return Decision(seen.legal[0], "euchre.only-card")
        return DISCARDING.decide(seen, chance) if seen.legal[0].startswith(DISCARD) else None


NPS: Final = EuchrePolicy(
    "NPS",
    GAME,
    Adaptive(at_least=300),  # a hand is won or lost by much that nobody sees: only many cases together tell
    model=Conventional(Points(support=20, percent=2, prior=20)),
)


def make(cases_for: CasesFor) -> Agent:
    """Give the policy its case base."""
    return CaseBasedAgent(NPS, cases_for(GAME))


ROSTER = (
    Entry(
        "NPS",
        GAME,
        "Remembers similar situations of its self-play and takes what brought the most points.",
        make,
    ),
    Entry(
        "NPS-own",
        GAME,
        "An older name for NPS: with --cases it remembers the hands of a case base of your own.",
        make,
    ),
)
