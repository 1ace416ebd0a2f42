"""What to answer without any experience: a few plain rules, so that a match always goes on."""

from __future__ import annotations

from typing import Final

from retruco.vocab.truco.questions import NONE, Question
from retruco.vocab.truco.revision import lowest_that_wins
from retruco.vocab.truco.scenarios import LABELS

ENVIDO_TO_ACCEPT: Final = 27
FLOR_TO_ACCEPT: Final = 30
CARD_TO_ACCEPT: Final = 24
"""A three, or better."""


def fallback(question: Question) -> str:
    """Answer by rule."""
    return plain_sense(question)[0]


def plain_sense(question: Question) -> tuple[str, str]:
    """Answer by rule and name the rule.

    Stay silent; sing a flor; accept a bet with 27 in envido, 30 in flor or a three in hand; follow
    with the lowest card that wins, else with the lowest; lead the middle card.
    """
    answers = question.answers
    if question.stage == "flor" and "flor" in answers:
        return "flor", "sing"
    if NONE in answers:
        return NONE, "silence"
    if question.scenario.startswith("card"):
        return _card(question)
    view = question.view
    strong = {
        "envido": view.envido_points >= ENVIDO_TO_ACCEPT,
        "flor": view.flor_points >= FLOR_TO_ACCEPT,
        "truco": view.codes[0] >= CARD_TO_ACCEPT,
    }[question.stage]
    return ("quero", "strong") if strong else ("nao-quero", "weak")


def _card(question: Question) -> tuple[str, str]:
    winner = lowest_that_wins(question)
    if winner is not None:
        return winner, "lowest-winner"
    labels = [label for label in LABELS if label in question.answers]
    if question.view.seen.rounds.facing is not None:
        return labels[-1], "lowest-card"
    return labels[len(labels) // 2], "middle-card"
