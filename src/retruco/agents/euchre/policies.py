"""The policy of `NPS` at Euchre: take what brought the most points in similar situations.

Its embedded cases come from self-play (`retruco.learning.euchre`): they are synthetic, no person
played them. The dealer's discard goes by card values, as everybody's does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.euchre.bidding import Common
from retruco.cbr.case import Decision
from retruco.cbr.modes import Adaptive
from retruco.cbr.reuse import Conventional, Points
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre.words import DISCARD
from retruco.streams import Stream

if TYPE_CHECKING:  # numpy and numba are loaded when a case base is opened, not to list agents
    from retruco.cbr.casebase import CaseBase

GAME: Final = "euchre"
DISCARDING: Final = Common()


@dataclass(frozen=True, slots=True)
class EuchrePolicy(Policy):
    """Answers by cases, but discards by card values."""

    def forced(self, seen: EuchreObservation, chance: Stream) -> Decision | None:
        """Play the only card there is; discard by card values."""
        if len(seen.legal) == 1:
            return Decision(seen.legal[0], "euchre.only-card")
        return DISCARDING.discard(seen, chance) if seen.legal[0].startswith(DISCARD) else None


NPS: Final = EuchrePolicy(
    "NPS",
    GAME,
    Adaptive(at_least=300),  # a hand is won or lost by much that nobody sees: only many cases together tell
    model=Conventional(Points(support=20, percent=2, prior=20)),
)

EMBEDDED: Final = "euchre_cases.npz"


@cache
def embedded_cases() -> CaseBase:
    """The cases that come with the program, learnt by self-play."""
    from retruco.agents.euchre.case_file import read_cases

    return read_cases(files("retruco.agents.euchre") / EMBEDDED)


def make(cases_for: CasesFor) -> Agent:
    """Give the player the cases that come with the program."""
    return CaseBasedAgent(NPS, embedded_cases())


def make_own(cases_for: CasesFor) -> Agent:
    """Give the player the cases of a base that the user names."""
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
        "Remembers as NPS does, by the hands of a case base of your own: name it with --cases.",
        make_own,
    ),
)
