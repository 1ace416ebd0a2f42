"""The policies of Kuhn poker: what brought the most chips, or what was done most often.

Cases of self-play hold every answer as often as it was given. `PLS` draws in that proportion and
so plays the average of all that its self-play has tried; it bluffs now and then, as `NPS` cannot.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.cbr.modes import Adaptive
from retruco.cbr.reuse import Conventional, Lottery, Points

GAME: Final = "kuhn"
SIMILAR: Final = Adaptive(at_least=20)
"""The same situation; similar ones where it is remembered less often than this."""

NPS: Final = Policy("NPS", GAME, SIMILAR, model=Conventional(Points()))
PLS: Final = Policy("PLS", GAME, SIMILAR, model=Conventional(Lottery()))


def make(policy: Policy, cases_for: CasesFor) -> Agent:
    """Give a policy its case base."""
    return CaseBasedAgent(policy, cases_for(policy.game))


ROSTER = (
    Entry(
        "NPS", GAME, "Remembers similar situations and takes what brought the most chips.", partial(make, NPS)
    ),
    Entry(
        "PLS", GAME, "Remembers similar situations and draws among what was done in them.", partial(make, PLS)
    ),
)
