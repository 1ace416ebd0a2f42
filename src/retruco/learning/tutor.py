"""The tutor: somebody who shows a move when an agent does not know what to do.

The agent asks when it finds fewer than ten cases at 90 % (Moral 2020, algorithm 4). The question
comes with what that seat sees and nothing else; the answer is an action of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent, ask_agent
from retruco.agents.truco.guessing import knows
from retruco.cbr.case import Choice, Decision, Pick, QuestionRecord
from retruco.games.core import Action, IllegalAction, Observation
from retruco.games.truco import TrucoObservation
from retruco.streams import Stream, key_number
from retruco.vocab.truco import Question, answer_of
from retruco.vocab.truco.questions import NONE, Ask, stage_of
from retruco.vocab.truco.with_score import ask_in

PERSON: Final = "person"
"""The tutor who is not an agent."""

SHOWN: Final = "shown"
"""The rule that decided when a tutor showed the move."""


class Tutor(Protocol):
    """Anybody who can show a move."""

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        """Say what to do here: one of `seen.legal`; `proposed` is what the agent would do."""


@dataclass(frozen=True, slots=True)
class ScriptedTutor:
    """An agent that shows what it would play itself, for experiments."""

    agent: Agent
    seed: int = 0

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        """Decide in the pupil's place; the chance is keyed by what is seen."""
        key = key_number(seen.seat, str(seen.hand), str(seen.log), len(seen.history), str(seen.scores))
        return ask_agent(self.agent, seen, Stream("tutor", self.seed, key)).action


@dataclass(frozen=True, slots=True)
class DrawnTutors:
    """Several tutors with styles of their own, one of whom is drawn for every match."""

    tutors: Sequence[Tutor]
    seed: int = 0

    def of_match(self, match: int) -> Tutor:
        """Draw the tutor of a match."""
        return Stream("tutor of a match", self.seed, match).choice(self.tutors)

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        """Let the tutor of the first match show the move, where nobody says which match it is."""
        return self.of_match(0).show(question, seen, proposed)


@dataclass(frozen=True, slots=True)
class Pupil(CaseBasedAgent):
    """A bot that asks its tutor what it does not know."""

    tutor: Tutor = field(kw_only=True, repr=False, compare=False)

    def in_match(self, match: int) -> Pupil:
        """The pupil with the tutor of a match."""
        return (
            replace(self, tutor=self.tutor.of_match(match)) if isinstance(self.tutor, DrawnTutors) else self
        )

    def decide(self, seen: Observation, chance: Stream) -> Decision:
        """Answer what is known; from the first unknown question on, do what the tutor shows."""
        assert isinstance(seen, TrucoObservation)
        own, ask = CaseBasedAgent.decide(self, seen, chance), ask_in(self.cases.vocabulary)
        for place, question in zip(range(len(own.asked)), ask(seen), strict=False):
            if len(question.answers) > 1 and not knows(self, question):
                action = self.tutor.show(question, seen, own.action)
                if action not in seen.legal:
                    raise IllegalAction(action, seen.legal, " shown by the tutor")
                return answer_up_to(seen, own.asked[:place], action, SHOWN, ask)
        return own


def answer_up_to(
    seen: TrucoObservation, known: Sequence[QuestionRecord], action: Action, rule: str, ask: Ask
) -> Decision:
    """Write down what an action answers that a rule put in place of the agent's own, after the questions it knew."""
    asked = tuple(_answered(seen, known, action, rule, ask))
    return Decision(action, rule, {"answer": asked[-1].answer}, asked)


def _answered(
    seen: TrucoObservation, known: Sequence[QuestionRecord], action: Action, rule: str, ask: Ask
) -> Iterator[QuestionRecord]:
    """Go through the questions up to the rule's answer, which may be to one that the agent knew."""
    for place, question in enumerate(ask(seen)):
        answer = answer_of(question, action)
        if answer == NONE and place < len(known):
            yield known[place]
        else:
            yield QuestionRecord(
                question.problem, answer, Choice(answer, (Pick(answer, rule, {answer: 1.0}),))
            )
        if answer != NONE:
            return


def stages_by_rule(decision: Decision, rule: str) -> Iterator[str]:
    """Name the stage of every answer that a rule, such as a tutor's, gave with this decision."""
    for asked in decision.asked:
        if asked.choice.picks and asked.choice.rule == rule:
            yield stage_of(asked.scenario)
