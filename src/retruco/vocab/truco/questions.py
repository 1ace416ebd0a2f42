"""The questions a turn asks, in words, one after the other: flor, envido, truco, card.

They are those of `asking`, with one situation: live play and rows rebuilt from records both ask through `questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import local
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from retruco.cbr.case import Problem
from retruco.cbr.vocabulary import Scenario, Vocabulary
from retruco.games.core import Action
from retruco.games.truco import TrucoObservation
from retruco.games.truco.compiled.stepper import action_number, action_text
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS
from retruco.games.truco.situation import Situation, situation_of
from retruco.vocab.truco.asking import (
    ABOUT_BITS,
    ABOUT_MASK,
    NO_ACTION,
    NO_ANSWER,
    Actions,
    Codes,
    write_next,
)
from retruco.vocab.truco.scenarios import VOCABULARY
from retruco.vocab.truco.view import View

NONE: Final = "none"


class Question(NamedTuple):
    """One question: what is seen, the answers there are, and what each of them does."""

    problem: Problem
    answers: Mapping[str, Action]
    """Every answer with the action it stands for; `none` stands for no action, but the next question."""
    adapted: Mapping[str, str]
    """Answers that cannot be given here, and what they become."""
    seen: TrucoObservation
    situation: Situation
    """What the seat knows, for compiled functions."""
    about: int
    """What it asks about: `asking.ABOUT_FLOR` and so on."""

    @property
    def view(self) -> View:
        """The hand as clusters see it."""
        return View(self.seen)

    @property
    def scenario(self) -> str:
        """The kind of question."""
        return self.problem.scenario

    @property
    def stage(self) -> str:
        """What it plays for: cards and truco share the truco stage."""
        return stage_of(self.scenario)

    def number_of(self, answer: str) -> int:
        """The number of the action that an answer stands for; `NO_ACTION` for `none`."""
        action = self.answers[answer]
        return action_number(self.seen.hand, action) if action else NO_ACTION

    def answer_with(self, number: int) -> str | None:
        """The answer that stands for an action, given by its number."""
        action = "" if number == NO_ACTION else action_text(self.seen.hand, number)
        return next((answer for answer, stands_for in self.answers.items() if stands_for == action), None)


class AnsweredQuestion(NamedTuple):
    """What remains of a question once it was answered: enough for a row."""

    problem: Problem

    @property
    def scenario(self) -> str:
        """The kind of question."""
        return self.problem.scenario

    @property
    def stage(self) -> str:
        """What it plays for."""
        return stage_of(self.scenario)


Ask: TypeAlias = Callable[[TrucoObservation], Iterator[Question]]
"""Asks the questions of a turn, in the words of a vocabulary."""


def stage_of(scenario: str) -> str:
    """Name the stage that a scenario plays for.

    >>> stage_of("card-1-lead"), stage_of("envido-first"), stage_of("flor")
    ('truco', 'envido', 'flor')
    """
    kind = scenario.partition("-")[0]
    return "truco" if kind == "card" else kind


class TurnQuestions:
    """The questions of one turn, each made when somebody first asks for it."""

    def __init__(self, seen: TrucoObservation) -> None:
        self.seen, self._made, self._rest = seen, list[Question](), make_questions(seen)

    def __iter__(self) -> Iterator[Question]:
        place = 0
        while place < len(self._made) or self._make_next():
            yield self._made[place]
            place += 1

    def _make_next(self) -> bool:
        question = next(self._rest, None)
        if question is not None:
            self._made.append(question)
        return question is not None


_latest = local()
"""The questions that a thread asked last: a learner asks them once to decide, and again to note what it answered."""


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask, one after the other, what this turn asks."""
    latest: TurnQuestions | None = getattr(_latest, "questions", None)
    if latest is None or latest.seen is not seen:
        latest = _latest.questions = TurnQuestions(seen)
    return iter(latest)


def make_questions(seen: TrucoObservation) -> Iterator[Question]:
    """Make the questions of a turn."""
    situation, rows, about = situation_of(seen), QuestionRows.make(VOCABULARY), 0
    while (found := write_next(situation, about, *rows)) >= 0:
        about, scenario = found & ABOUT_MASK, VOCABULARY.scenarios[found >> ABOUT_BITS]
        yield rows.in_words(scenario, seen, situation, about)
        about += 1


class QuestionRows(NamedTuple):
    """Room for one question, as compiled functions write it."""

    codes: Codes
    stands_for: Actions
    counts_as: Codes

    @classmethod
    def make(cls, vocabulary: Vocabulary) -> QuestionRows:
        """Room for any question of a vocabulary."""
        answers = vocabulary.most_actions
        return cls(
            np.empty(vocabulary.most_features, np.uint8),
            np.empty(answers, np.int8),
            np.empty(answers, np.uint8),
        )

    def in_words(
        self, scenario: Scenario, seen: TrucoObservation, situation: Situation, about: int
    ) -> Question:
        """The question that was written down."""
        codes = tuple(self.codes[: len(scenario.visible)].tolist())
        answers, adapted = dict[str, Action](), dict[str, str]()
        for answer, action, counts_as in zip(
            scenario.actions, self.stands_for.tolist(), self.counts_as.tolist(), strict=False
        ):
            if action != NO_ANSWER:
                answers[answer] = "" if action == NO_ACTION else action_text(seen.hand, action)
            elif scenario.actions[counts_as] != answer:
                adapted[answer] = scenario.actions[counts_as]
        return Question(Problem(scenario.name, codes), answers, adapted, seen, situation, about)


def turn(seen: TrucoObservation, answer: Callable[[Question], str], ask: Ask = questions) -> Action:
    """Ask what this turn asks until an answer is an action."""
    for question in ask(seen):
        chosen = answer(question)
        if chosen != NONE:
            return question.answers[chosen]
    raise AssertionError("a turn always ends in an action")


def answer_of(question: Question, action: Action) -> str:
    """Name the answer that an action gives to a question, equal cards being one answer; `none` if it answers a later one."""
    power = STRENGTH.get(action)
    for answer, stands_for in question.answers.items():
        if stands_for == action or (power is not None and power == STRENGTH.get(stands_for)):
            return answer
    return "down" if action.startswith(DOWN_PREFIX) and "down" in question.answers else NONE


def key_parts(seen: TrucoObservation) -> Sequence[str]:
    """The parts of an observation that the questions of a turn depend on; points only where they are asked for."""
    asks_flor = seen.flor.pending or any(call in FLOR_CALLS for call in seen.legal)
    asks_envido = seen.envido.pending or any(call in ENVIDO_CALLS for call in seen.legal)
    points = ("points",) if asks_envido else ()
    return ("cards", "twins", *points, *(("flor",) if asks_flor else ()))
