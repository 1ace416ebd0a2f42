"""A policy that answers a bet by lot where it finds too few similar cases (Moral 2020: BOT3 and BOT4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.cbr.case import Choice, Pick
from retruco.cbr.modes import Top
from retruco.streams import Stream
from retruco.vocab.registry import Question as AnyQuestion
from retruco.vocab.truco import Question

if TYPE_CHECKING:
    from retruco.cbr.casebase import Retrieval

TEN: Final = Top(10, 0.90)
"""Fewer than ten cases at ninety per cent: that is what a bot calls not knowing."""

BETS: Final = ("quero", "nao-quero")
LOT: Final = "lot"
"""The rule that decided when the answer was drawn by lot."""


def knows(agent: CaseBasedAgent, question: Question) -> bool:
    """Whether an agent finds enough similar cases to answer a question by."""
    return len(agent.cases.retrieve(question.problem, TEN)) >= TEN.k


@dataclass(frozen=True, slots=True)
class Guessing(Policy):
    """The policy of a bot that answers a bet by lot when it does not know the situation."""

    by_chance = True

    def reuse(self, found: Retrieval, question: AnyQuestion, chance: Stream) -> Choice:
        """Accept or decline by lot what is not known; reuse everything else."""
        assert isinstance(question, Question)
        is_bet = all(reply in question.answers for reply in BETS)
        if not is_bet or question.stage == "flor" or len(found) >= TEN.k:
            return Policy.reuse(self, found, question, chance)
        drawn = chance.choice(BETS)
        return Choice(drawn, (Pick(drawn, LOT, dict.fromkeys(BETS, 0.5)),))
