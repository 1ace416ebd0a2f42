"""Vocabulary 2 of Truco: one question a turn, with what strong play needs."""

from retruco.vocab.truco.questions import Question, answer_of
from retruco.vocab.truco.sense import fallback
from retruco.vocab.truco.v2.questions import Turns, ask_turn, questions, turn
from retruco.vocab.truco.v2.rows import rows, turn_rows
from retruco.vocab.truco.v2.scenarios import VOCABULARY

__all__ = [
    "VOCABULARY",
    "Question",
    "Turns",
    "answer_of",
    "ask_turn",
    "fallback",
    "questions",
    "rows",
    "turn",
    "turn_rows",
]
