"""Revision: named rules that hold an answer back when it is plainly unwise.

Each looks at what a seat knows, at what the question is about and at the action proposed, and gives the action that
it prefers: the same one if it has nothing against it. Each can be switched off by its name. The first three of
`PUBLISHED_RULES` are those of Paulus (2020), section 4.1.2; the others are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from retruco.cbr.case import NOTHING as NO_VALUES
from retruco.cbr.case import Json
from retruco.cbr.revise import Replacement, Rule
from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import CARD_COLUMNS, FIRST_CALL, HAND
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.situation import (
    DECLINE,
    ENVIDO_STATE,
    FACED,
    FIRST_ENVIDO,
    FIRST_TRUCO,
    FOLD,
    IS_MAO,
    LEGAL,
    ME,
    NOTHING,
    OWN_ENVIDO,
    QUERO,
    ROUND_WINNERS,
    ROUNDS_OVER,
    Situation,
)
from retruco.vocab.truco.asking import ABOUT_CARD, ABOUT_ENVIDO, ABOUT_FLOR, ABOUT_TRUCO, NO_ACTION
from retruco.vocab.truco.seeing import lowest_card, power_at

if TYPE_CHECKING:
    from retruco.vocab.truco.questions import Question

POOR_ENVIDO: Final = 20
GOOD_FALTA: Final = 28
ENVIDO, FALTA = FIRST_CALL + FIRST_ENVIDO, FIRST_CALL + FIRST_ENVIDO + 2
ACCEPT, NAO_QUERO, BARALHO = FIRST_CALL + QUERO, FIRST_CALL + DECLINE, FIRST_CALL + FOLD
"""Calls as actions."""


@compiled_step
def can_call(situation: Situation, action: int) -> Any:
    """Whether a call is legal."""
    return situation[LEGAL] >> (action - FIRST_CALL + CARD_COLUMNS) & 1


@compiled_step
def faces_last_card(situation: Situation) -> Any:
    """Whether the other's card of the third round lies there to be answered."""
    return situation[ROUNDS_OVER] == 2 and situation[FACED] != NOTHING


@compiled_step
def wins_for_sure(situation: Situation) -> Any:
    """Whether the last card held wins the hand against the other's: a tie goes to who won before, or to the mão."""
    last = lowest_card(situation, 0)
    if last == NO_ACTION:
        return False
    more = power_at(situation, last) - situation[FACED]
    if more == 0:
        first = situation[ROUND_WINNERS]
        return first == ME if first else situation[IS_MAO] > 0
    return more > 0


# Rules


@compiled_step
def reckless_raise(situation: Situation, about: int, action: int) -> int:
    """A falta put on top of an envido stakes the match: below twenty-eight points accept, below twenty decline it."""
    if action != FALTA or situation[ENVIDO_STATE] != CHAIN_WAITS or situation[OWN_ENVIDO] >= GOOD_FALTA:
        return action
    return ACCEPT if situation[OWN_ENVIDO] >= POOR_ENVIDO else NAO_QUERO


@compiled_step
def reckless_falta(situation: Situation, about: int, action: int) -> int:
    """A falta is opened on points that win it most of the time: below twenty-eight call a plain envido instead."""
    if action == FALTA and can_call(situation, ENVIDO) and situation[OWN_ENVIDO] < GOOD_FALTA:
        return ENVIDO
    return action


@compiled_step
def compulsive_bluff(situation: Situation, about: int, action: int) -> int:
    """The first to bet on the envido needs points to bet on: below twenty stay silent."""
    opens = ENVIDO <= action <= FALTA and situation[ENVIDO_STATE] != CHAIN_WAITS
    return NO_ACTION if opens and situation[OWN_ENVIDO] < POOR_ENVIDO else action


@compiled_step
def logical_bet(situation: Situation, about: int, action: int) -> int:
    """Last to play the third card, and holding the winner: raise if that is legal, accept if not."""
    if about != ABOUT_TRUCO or not faces_last_card(situation) or not wins_for_sure(situation):
        return action
    for call in range(FIRST_TRUCO, QUERO):
        if can_call(situation, FIRST_CALL + call):
            return FIRST_CALL + call
    return ACCEPT if can_call(situation, ACCEPT) else action


@compiled_step
def hopeless_bet(situation: Situation, about: int, action: int) -> int:
    """Last to act on the deciding card, and unable to win: put nothing more into the hand."""
    if about != ABOUT_TRUCO or action != ACCEPT or not faces_last_card(situation):
        return action
    return action if wins_for_sure(situation) else NAO_QUERO


@compiled_step
def wasted_card(situation: Situation, about: int, action: int) -> int:
    """A card is beaten with the lowest one that wins."""
    if about != ABOUT_CARD or not 0 <= action < HAND or situation[FACED] == NOTHING:
        return action
    return (
        lowest_card(situation, situation[FACED]) if power_at(situation, action) > situation[FACED] else action
    )


@compiled_step
def dear_fold(situation: Situation, about: int, action: int) -> int:
    """Going to the deck instead of declining an envido or a flor gives the hand away too: decline, and play on."""
    is_points = about in (ABOUT_FLOR, ABOUT_ENVIDO)
    return NAO_QUERO if is_points and action == BARALHO and can_call(situation, NAO_QUERO) else action


@compiled_step
def thrown_hand(situation: Situation, about: int, action: int) -> int:
    """No hand is thrown away while a card can be played and nobody asks for more: play the lowest."""
    return lowest_card(situation, 0) if about == ABOUT_CARD and action == BARALHO else action


@compiled_step
def apply_rule(rule: int, situation: Situation, about: int, action: int) -> int:
    """The action that a rule prefers, by the place of the rule in `ALL_RULES`."""
    if rule == 0:
        return reckless_raise(situation, about, action)
    if rule == 1:
        return reckless_falta(situation, about, action)
    if rule == 2:
        return compulsive_bluff(situation, about, action)
    if rule == 3:
        return logical_bet(situation, about, action)
    if rule == 4:
        return hopeless_bet(situation, about, action)
    if rule == 5:
        return wasted_card(situation, about, action)
    if rule == 6:
        return dear_fold(situation, about, action)
    return thrown_hand(situation, about, action)


# Rules with their reasons


def no_values(question: Question) -> Mapping[str, Json]:
    """A reason that needs no values."""
    return NO_VALUES


def own_points(question: Question) -> Mapping[str, Json]:
    """The own envido points."""
    return {"points": int(question.situation[OWN_ENVIDO])}


def card_to_beat(question: Question) -> Mapping[str, Json]:
    """The card that is beaten."""
    return {"beats": str(question.seen.rounds.facing)}


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule of revision that also revises the answers of many questions at once."""

    name: str
    number: int
    """Its place in `ALL_RULES`."""
    prefers: Any = field(repr=False)
    """The compiled function that says which action it prefers."""
    values: Callable[[Question], Mapping[str, Json]] = field(default=no_values, repr=False)
    """What its reason tells of a question."""

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Prefer another answer to one question, if the rule does."""
        action = question.stands_for[proposed]
        better = self.prefers.plain(question.situation, question.about, action)
        if better == action:
            return None
        answer = question.answer_with(better)
        return None if answer is None else Replacement(answer, self.values(question))


RULES: Final = (
    CompiledRule("reckless-raise", 0, reckless_raise, own_points),
    CompiledRule("reckless-falta", 1, reckless_falta, own_points),
    CompiledRule("compulsive-bluff", 2, compulsive_bluff, own_points),
    CompiledRule("logical-bet", 3, logical_bet),
    CompiledRule("hopeless-bet", 4, hopeless_bet),
    CompiledRule("wasted-card", 5, wasted_card, card_to_beat),
    CompiledRule("dear-fold", 6, dear_fold),
    CompiledRule("thrown-hand", 7, thrown_hand),
)
ALL_RULES: Final[tuple[Rule[Question], ...]] = RULES
"""In the order in which they are applied."""
ALWAYS_ON: Final = ALL_RULES[7:]
PUBLISHED_RULES: Final = (ALL_RULES[2], ALL_RULES[3], ALL_RULES[5], *ALWAYS_ON)
"""The three rules of Paulus (2020), section 4.1.2, and that no hand is thrown away."""
