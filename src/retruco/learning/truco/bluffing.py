"""Learning to bluff: a learner tries calls on poor cards where its base has few, and keeps what they brought.

A base of sensible hands holds few bluffs, so a policy that goes by it never learns what one would bring. Here the
learner opens a bet on poor points or cards now and then, as long as similar cases with that call are few. The stage is
retained whether the bluff worked or not: its credit is the points it won or lost, as of every case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.truco.opponent_turns import reply_to_question
from retruco.cbr.case import Decision
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Threshold
from retruco.games.core import Action, Observation
from retruco.games.truco import TrucoObservation
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_CALLS
from retruco.learning.tutor import answer_up_to
from retruco.streams import Stream
from retruco.vocab.truco import Question
from retruco.vocab.truco.questions import NONE
from retruco.vocab.truco.with_score import ask_in

TRIED: Final = "bluff tried"
"""The rule that decided when a bluff was tried."""
FEW_BLUFFS: Final = 5
SIMILAR: Final = Threshold(0.90)
"""Bluffs are missing where fewer than five cases of at least 90 % similarity made the call."""


@dataclass(frozen=True, slots=True)
class BluffTrying(CaseBasedAgent):
    """A player that tries bluffs which its base knows little of."""

    share: float = field(kw_only=True)
    """How often it tries one where it could."""

    def decide(self, seen: Observation, chance: Stream) -> Decision:
        """Decide by cases; instead of passing on a bet, perhaps open it with poor cards."""
        assert isinstance(seen, TrucoObservation)
        own, ask = CaseBasedAgent.decide(self, seen, chance), ask_in(self.cases.vocabulary)
        for place, question in zip(range(len(own.asked)), ask(seen), strict=False):
            call = bluff_to_try(question, self.cases)
            if call is not None and own.action != call and chance.chance(self.share):
                return answer_up_to(seen, own.asked[:place], call, TRIED, ask)
        return own


def bluff_to_try(question: Question, cases: CaseBase) -> Action | None:
    """The lowest call of a question, if it would be a bluff that the base knows little of."""
    calls = [answer for answer in question.answers if answer in ENVIDO_CALLS or answer in TRUCO_CALLS]
    if not calls or NONE not in question.answers:
        return None
    reply = reply_to_question(question.seen, question.stage, calls[0])
    if reply is None or not reply.is_bluff:
        return None
    known = cases.retrieve(question.problem, SIMILAR).summary.by_action.get(calls[0])
    return calls[0] if known is None or known.rows < FEW_BLUFFS else None
