"""Vocabulary 2 of Truco: one question a turn, with what strong play needs, and its rows.

A row is a turn of a seat with what it won from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from retruco.cbr.case import Row
from retruco.games.core import Action, Seat
from retruco.games.truco import TrucoObservation
from retruco.vocab.truco.asking import words_of
from retruco.vocab.truco.one_sided import SeenTurn, as_seen
from retruco.vocab.truco.partial import PartialHand, is_partial
from retruco.vocab.truco.questions import Question, answer_of, ask_in_words
from retruco.vocab.truco.scenarios_2 import VOCABULARY
from retruco.vocab.truco.seeing import SOURCES_2
from retruco.vocab.truco.sense import fallback
from retruco.vocab.truco.turns import Turns as Turns1

__all__ = [
    "VOCABULARY",
    "Turns",
    "answer_of",
    "ask_turn",
    "fallback",
    "questions",
    "rows",
    "turn",
    "turn_rows",
]

WORDS: Final = words_of(VOCABULARY, SOURCES_2)


class Turns(Turns1):
    """What the turns of n seats ask, one question each, and what they do."""

    words = WORDS


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask what this turn asks: one question."""
    return ask_in_words(WORDS, seen)


def ask_turn(seen: TrucoObservation) -> Question:
    """The question of a turn."""
    return next(questions(seen))


def turn(seen: TrucoObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what to do now, and give the action of the answer."""
    question = ask_turn(seen)
    return question.answers[answer(question)]


def rows(record: Mapping[str, Any], seat: Seat, episode: int) -> list[Row]:
    """Replay a record and write down every turn in which this seat had a choice.

    A partial hand whose course is not known completely has no rows here.
    """
    if is_partial(record):
        whole = PartialHand.of({key: value for key, value in record.items() if key != "result"}).record
        return rows(whole, seat, episode) if whole is not None else []
    return turn_rows(*as_seen(record, seat), episode)


def turn_rows(end: TrucoObservation, turns: Iterable[SeenTurn], episode: int) -> list[Row]:
    """A row for each turn; its credit is the balance of the hand less what was settled before the turn."""
    found, final = [], balance(end)
    for number, (seen, action) in enumerate(turns):
        question = ask_turn(seen)
        if len(question.answers) > 1:
            answer = answer_of(question, action)
            found.append(Row(question.problem, answer, final - balance(seen), (), episode, number))
    return found


def balance(seen: TrucoObservation) -> int:
    """The points that a seat is ahead by in this hand so far."""
    return sum(pair[seen.seat] - pair[seen.other] for pair in seen.points)
