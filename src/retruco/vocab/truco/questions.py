"""The questions a turn asks, in words, one after the other: flor, envido, truco, card.

They are those of `asking`, with one situation: live play and rows rebuilt from records both ask through `questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import local
from typing import Final, NamedTuple, TypeAlias

from retruco.cbr.case import Problem
from retruco.games.core import Action, BadRecord
from retruco.games.truco import TrucoObservation
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS, FULL_HAND
from retruco.games.truco.situation import Situation, situation_of
from retruco.vocab.truco.asking import (
    NO_ANSWER,
    WHOLE_TURN,
    WORDS,
    Words,
    make_room,
    write_turn,
)

NONE: Final = "none"
NOTHING: Final = ""
"""The action that `none` stands for."""


class Question(NamedTuple):
    """One question: what is seen, the answers there are, and what each of them does."""

    problem: Problem
    answers: Mapping[str, Action]
    """Every answer with the action it stands for; `none` stands for no action, but the next question."""
    adapted: Mapping[str, str]
    """Answers that cannot be given here, and what they become."""
    stands_for: Mapping[str, int]
    """The same actions as compiled functions number them; `NO_ACTION` for `none`."""
    seen: TrucoObservation
    situation: Situation
    """What the seat knows, for compiled functions."""
    about: int
    """What it asks about: `asking.ABOUT_FLOR` and so on."""

    @property
    def scenario(self) -> str:
        """The kind of question."""
        return self.problem.scenario

    @property
    def stage(self) -> str:
        """What it plays for: cards and truco share the truco stage."""
        return stage_of(self.scenario)

    def answer_with(self, action: int) -> str | None:
        """The answer that stands for an action, given by its number."""
        return next((answer for answer, number in self.stands_for.items() if number == action), None)


class AnsweredQuestion(NamedTuple):
    """What remains of a question once it was answered: enough for a row."""

    problem: Problem


Ask: TypeAlias = Callable[[TrucoObservation], Iterator[Question]]
"""Asks the questions of a turn, in the words of a vocabulary."""


def stage_of(scenario: str) -> str:
    """Name the stage that a scenario plays for.

    >>> stage_of("card-1-lead"), stage_of("envido-first"), stage_of("flor")
    ('truco', 'envido', 'flor')
    """
    kind = scenario.partition("-")[0]
    return "truco" if kind == "card" else kind


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask, one after the other, what this turn asks."""
    return ask_in_words(WORDS, seen)


_latest = local()
"""The turn about which a thread asked last: a learner asks to decide, and again to note what it answered."""


def ask_in_words(words: Words, seen: TrucoObservation) -> Iterator[Question]:
    """The questions of a turn in the words of a vocabulary."""
    asked: tuple[Words, TrucoObservation, list[Question]] | None = getattr(_latest, "asked", None)
    if asked is None or asked[0] is not words or asked[1] is not seen:
        asked = _latest.asked = words, seen, make_questions(words, seen)
    return iter(asked[2])


def make_questions(words: Words, seen: TrucoObservation) -> list[Question]:
    """Make the questions of a turn, as far as no answer ends it."""
    situation, room = known_by(seen), make_room(words.vocabulary, WHOLE_TURN)
    count = write_turn(words.sources, words.calls, words.first, situation, *room)
    texts = (*seen.hand, *[DOWN_PREFIX + card for card in seen.hand], *CALLS, NOTHING)
    questions = zip(*[rows[:count].tolist() for rows in room], strict=True)
    return [word_question(words, seen, situation, texts, *rows) for rows in questions]


def known_by(seen: TrucoObservation) -> Situation:
    """What a seat knows; raises `BadRecord` for hands that are no hands of three cards."""
    if len(seen.hand) != FULL_HAND:
        raise BadRecord(
            f"cases of Truco are hands of three cards, not {len(seen.hand)}: {' '.join(seen.hand)}"
        )
    return situation_of(seen)


def word_question(
    words: Words,
    seen: TrucoObservation,
    situation: Situation,
    texts: tuple[str, ...],
    number: int,
    codes: list[int],
    actions: list[int],
    counts_as: list[int],
) -> Question:
    """The question that compiled functions wrote down; `texts` are the actions by their numbers."""
    scenario = words.vocabulary.scenarios[number]
    answers, stands_for, adapted = dict[str, Action](), dict[str, int](), dict[str, str]()
    for answer, action, other in zip(scenario.actions, actions, counts_as, strict=False):
        if action != NO_ANSWER:
            answers[answer], stands_for[answer] = texts[action], action
        elif scenario.actions[other] != answer:
            adapted[answer] = scenario.actions[other]
    problem = Problem(scenario.name, tuple(codes[: len(scenario.visible)]))
    return Question(problem, answers, adapted, stands_for, seen, situation, words.about[number])


def turn(seen: TrucoObservation, answer: Callable[[Question], str], ask: Ask = questions) -> Action:
    """Ask what this turn asks until an answer is an action."""
    for question in ask(seen):
        chosen = answer(question)
        if chosen != NONE:
            return question.answers[chosen]
    raise AssertionError("a turn always ends in an action")


def answer_of(question: Question, action: Action) -> str:
    """Name the answer that an action gives to a question, equal cards being one answer; `none` if it answers a later one."""
    if action in question.answers:
        return action  # a call
    if action.startswith(DOWN_PREFIX):
        return "down" if "down" in question.answers else NONE
    power = STRENGTH.get(action, NOTHING)
    return next((name for name, one in question.answers.items() if STRENGTH.get(one) == power), NONE)


def answers_given(
    seen: TrucoObservation, action: Action, ask: Ask = questions
) -> Iterator[tuple[Question, str]]:
    """Name the questions that an action answered: those passed over with `none`, then its own.

    A question with a single answer is no question.
    """
    for question in ask(seen):
        answer = answer_of(question, action)
        if len(question.answers) > 1:
            yield question, answer
        if answer != NONE:
            return


def answers_in(
    turns: Iterable[tuple[TrucoObservation, Action]], ask: Ask = questions
) -> list[tuple[Question, str]]:
    """The questions of some turns of a seat, with its answers."""
    return [answered for seen, action in turns for answered in answers_given(seen, action, ask)]
