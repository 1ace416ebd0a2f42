"""What to do without any experience, in vocabulary 2: the plain rules of version 1."""

from __future__ import annotations

from retruco.vocab.truco.questions import Question
from retruco.vocab.truco.questions import turn as ask_in_turn
from retruco.vocab.truco.sense import fallback as plain_fallback
from retruco.vocab.truco.v2.questions import answer_of


def fallback(question: Question) -> str:
    """Answer by rule."""
    return answer_of(question, ask_in_turn(question.view.seen, plain_fallback))
