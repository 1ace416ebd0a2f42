"""Truco as questions and rows: scenarios, what is seen, hindsight, credit, revision."""

from retruco.vocab.truco.questions import Question, answer_of, questions, turn
from retruco.vocab.truco.rows import answered_in, rows, rows_of
from retruco.vocab.truco.scenarios import VOCABULARY
from retruco.vocab.truco.sense import fallback
from retruco.vocab.truco.turns import Turns

LATER_VERSIONS = {2: "retruco.vocab.truco.v2", 3: "retruco.vocab.truco.with_score"}
"""The modules of later vocabularies by version."""

__all__ = [
    "LATER_VERSIONS",
    "VOCABULARY",
    "Question",
    "Turns",
    "answer_of",
    "answered_in",
    "fallback",
    "questions",
    "rows",
    "rows_of",
    "turn",
]
