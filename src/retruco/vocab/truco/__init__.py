"""Truco as questions and rows: scenarios, what is seen, hindsight, credit, revision."""

from retruco.vocab.truco.questions import Question, answer_of, questions
from retruco.vocab.truco.rows import answered_in, rows, rows_of
from retruco.vocab.truco.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "Question", "answer_of", "answered_in", "questions", "rows", "rows_of"]
