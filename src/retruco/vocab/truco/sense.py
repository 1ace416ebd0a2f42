"""What to answer without any experience: a few plain rules, so that a match always goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import FIRST_CALL
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.situation import (
    ENVIDO_STATE,
    FACED,
    FLOR_STATE,
    NOTHING,
    OWN_ENVIDO,
    OWN_FLOR,
    TRUCO_CALL,
    Situation,
)
from retruco.vocab.truco.asking import ABOUT_CARD, ABOUT_ENVIDO, ABOUT_FLOR, NO_ACTION, WHOLE_TURN, is_asked
from retruco.vocab.truco.revision import ACCEPT, NAO_QUERO, can_call
from retruco.vocab.truco.seeing import lowest_card, place_by_power, power_at

if TYPE_CHECKING:
    from retruco.vocab.truco.questions import Question

ENVIDO_TO_ACCEPT: Final = 27
FLOR_TO_ACCEPT: Final = 30
CARD_TO_ACCEPT: Final = STRENGTH["3e"]
"""A three, or better."""
FLOR: Final = FIRST_CALL


@compiled_step
def sensible_answer(situation: Situation, about: int) -> int:
    """Answer a question of vocabulary 1 by rule.

    Stay silent; sing a flor; accept a bet with 27 in envido, 30 in flor or a three in hand; follow
    with the lowest card that wins, else with the lowest; lead the middle card.
    """
    if about == ABOUT_CARD:
        return sensible_card(situation)
    if about == ABOUT_FLOR and can_call(situation, FLOR):
        return FLOR
    if about == ABOUT_FLOR:
        is_answer, strong = situation[FLOR_STATE] == CHAIN_WAITS, situation[OWN_FLOR] >= FLOR_TO_ACCEPT
    elif about == ABOUT_ENVIDO:
        is_answer, strong = situation[ENVIDO_STATE] == CHAIN_WAITS, situation[OWN_ENVIDO] >= ENVIDO_TO_ACCEPT
    else:
        strong = power_at(situation, place_by_power(situation, 0)) >= CARD_TO_ACCEPT
        is_answer = situation[TRUCO_CALL] > 0
    return NO_ACTION if not is_answer else ACCEPT if strong else NAO_QUERO


@compiled_step
def sensible_card(situation: Situation) -> int:
    """The lowest card that wins, or else the lowest; to lead, the middle one of three different ones."""
    lowest, faced = lowest_card(situation, 0), situation[FACED]
    if faced != NOTHING:
        winner = lowest_card(situation, faced)
        return lowest if winner == NO_ACTION else winner
    middle = lowest_card(situation, power_at(situation, lowest))
    if middle == NO_ACTION or lowest_card(situation, power_at(situation, middle)) == NO_ACTION:
        return lowest
    return middle


@compiled_step
def sensible_action(situation: Situation, about: int) -> int:
    """What plain sense does; asked about a whole turn, what it would do question by question."""
    if about != WHOLE_TURN:
        return sensible_answer(situation, about)
    for part in range(WHOLE_TURN):
        if is_asked(situation, part):
            action = sensible_answer(situation, part)
            if action != NO_ACTION:
                return action
    return NO_ACTION


def fallback(question: Question) -> str:
    """Answer a question by rule."""
    answer = question.answer_with(sensible_action(question.situation, question.about))
    assert answer is not None, "plain sense gives an answer that can be given"
    return answer
