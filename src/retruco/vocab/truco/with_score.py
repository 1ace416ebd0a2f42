"""Vocabulary 3 of Truco: the questions of vocabulary 1, and both scores at the time of the question.

Table I of Moral (2020) lists the score among the attributes and compares it by the difference. Here it counts as a share of
the target, in 24 steps, so that matches to different targets can be compared. A recorded hand without scores counts as
played from 0 to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from retruco.cbr.case import Row
from retruco.cbr.vocabulary import Vocabulary, interval
from retruco.games.core import Action, Seat
from retruco.games.truco import Truco, TrucoObservation
from retruco.vocab.truco.asking import words_of
from retruco.vocab.truco.partial import is_partial
from retruco.vocab.truco.questions import Ask, Question, answer_of, ask_in_words
from retruco.vocab.truco.questions import questions as questions_1
from retruco.vocab.truco.questions import turn as turn_1
from retruco.vocab.truco.rows import read_partial
from retruco.vocab.truco.rows import rows as rows_1
from retruco.vocab.truco.scenarios import VOCABULARY as VOCABULARY_1
from retruco.vocab.truco.seeing import SOURCES_1, STEPS
from retruco.vocab.truco.sense import fallback
from retruco.vocab.truco.turns import Turns as Turns1

__all__ = ["VOCABULARY", "Turns", "answer_of", "fallback", "questions", "rows", "turn"]

VERSION: Final = 3
SCORES: Final = tuple(interval(name, 0, STEPS) for name in ("own_score", "other_score"))

VOCABULARY: Final = Vocabulary(
    VOCABULARY_1.name,
    VERSION,
    tuple(replace(scenario, visible=(*scenario.visible, *SCORES)) for scenario in VOCABULARY_1.scenarios),
)
"""The scenarios of vocabulary 1, with both scores."""


def ask_in(vocabulary: Vocabulary) -> Ask:
    """What asks the questions of a turn for cases in vocabulary 1 or 3."""
    return questions if vocabulary.version == VERSION else questions_1


WORDS: Final = words_of(VOCABULARY, SOURCES_1)


class Turns(Turns1):
    """What the turns of n seats ask, and what they do."""

    words = WORDS


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask, one after the other, what this turn asks."""
    return ask_in_words(WORDS, seen)


def turn(seen: TrucoObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what this turn asks until an answer is an action."""
    return turn_1(seen, answer, questions)


def rows(record: Mapping[str, object], seat: Seat, episode: int) -> list[Row]:
    """Replay a record and write down every question that this seat answered, with the score at that time."""
    return rows_1(record, seat, episode, _ask_in_hand(record))


def _ask_in_hand(record: Mapping[str, object]) -> Ask:
    """What asks the questions of a recorded hand; a partial one is replayed from 0 to 0 and without a target."""
    hand = read_partial(record) if is_partial(record) else None
    if hand is None or hand.record is not None:
        return questions
    game = Truco.named(hand.rules)
    mine, other = hand.scores[0] if hand.scores else (0, 0)
    return lambda seen: questions(
        seen._replace(game=game, scores=(mine + seen.scores[0], other + seen.scores[1]))
    )
