"""`NPS` at Euchre: decides by similar situations of its case base, taking what brought the most points.

Its embedded cases come from self-play (`retruco.learning.euchre`): they are synthetic, no person
played them. The dealer's discard goes by card values, as everybody's does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.euchre.bidding import Common
from retruco.cbr.case import Choice, Decision, QuestionRecord
from retruco.cbr.modes import Adaptive, Mode
from retruco.cbr.reuse import Conventional, Model, Points
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre.words import DISCARD
from retruco.streams import Stream
from retruco.vocab.euchre.questions import Question, turn
from retruco.vocab.euchre.scenarios import ALONE as BY_ITSELF

if TYPE_CHECKING:  # numpy and numba are loaded when a case base is opened, not to list agents
    from retruco.cbr.casebase import CaseBase

NEAR: Final = Adaptive(at_least=300)
"""A hand is won or lost by much that nobody can see: only many cases together tell."""
MOST_POINTS: Final = Conventional(Points(support=20, percent=2, prior=20))
DISCARDING: Final = Common()


def plain_sense(question: Question) -> str:
    """An answer without experience: keep the partner, else what comes first."""
    return next(answer for answer in question.answers if answer != BY_ITSELF)


@dataclass(frozen=True, slots=True)
class RemembersEuchre:
    """A Euchre player that decides by similar situations of its case base."""

    cases: CaseBase = field(repr=False)
    model: Model = MOST_POINTS
    mode: Mode = NEAR

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Ask what the turn asks; every answer carries the cases it rests on."""
        if len(seen.legal) == 1:
            return Decision(seen.legal[0], "euchre.only-card")
        if seen.legal[0].startswith(DISCARD):
            return DISCARDING.discard(seen, chance)
        asked: list[QuestionRecord] = []

        def answer(question: Question) -> str:
            asked.append(self.answer(question, chance))
            return str(asked[-1].answer)

        action = turn(seen, answer)
        return Decision(action, asked[-1].choice.rule, {"answer": asked[-1].answer}, tuple(asked))

    def answer(self, question: Question, chance: Stream) -> QuestionRecord:
        """Answer one question from experience, or by plain sense without any."""
        if len(question.answers) == 1:
            only = next(iter(question.answers))
            return QuestionRecord(question.problem, only, Choice(only))
        found = self.cases.retrieve(question.problem, self.mode)
        choice = found.choose(self.model, question.answers, chance)
        chosen = choice.answer if choice.answer is not None else plain_sense(question)
        return QuestionRecord(question.problem, chosen, choice, found)


EMBEDDED: Final = "euchre_cases.npz"


@cache
def embedded_cases() -> CaseBase:
    """The cases that come with the program, learnt by self-play."""
    from retruco.agents.euchre.keeping import read_cases

    return read_cases(files("retruco.agents.euchre") / EMBEDDED)


def make(cases_for: CasesFor) -> Agent:
    """Give the player the cases that come with the program."""
    return RemembersEuchre(embedded_cases())


def make_own(cases_for: CasesFor) -> Agent:
    """Give the player the cases of a base that the user names."""
    return RemembersEuchre(cases_for("euchre"))


ROSTER = (
    Entry(
        "NPS",
        "euchre",
        "Remembers similar situations of its self-play and takes what brought the most points.",
        make,
    ),
    Entry(
        "NPS-own",
        "euchre",
        "Remembers as NPS does, by the hands of a case base of your own: name it with --cases.",
        make_own,
    ),
)
