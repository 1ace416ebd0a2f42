"""Sound play: safeguards that replace an answer which no player of any strength would give.

A safeguard looks at what the seat knows and at the action that an answer stands for, whatever the question is called, so
it serves every vocabulary. It gives the action that it prefers: the same one if it has nothing against it. Cases decide
what is good; safeguards only stop what cannot be right:

| name | what it stops |
|---|---|
| `contrary-cards` | accepting a bet that own points or cards are far from winning, or declining one that they are close to winning |
| `falta-odds` | accepting a falta (or a resto) below its break-even chance |
| `folded-turn` | going to the deck in one's own turn: playing a card and declining later costs no more |
| `losing-card` | a card with which the hand cannot be won any more, while another card still can |
| `kept-winner` | a card with which the hand can still be lost, while another card wins it for certain |
| `nothing-to-lose` | declining or folding where that loses the match: accepting cannot cost more |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.case_based import Safeguard
from retruco.agents.truco.card_chances import (
    HELD_BASE,
    LEVEL_BITS,
    LEVEL_MASK,
    LEVELS,
    NO_LEVEL,
    REST,
    Chances,
    Deal,
    after,
    read_deal,
    rest_without,
    result_of,
)
from retruco.agents.truco.estimates import (
    ACHICO,
    BARALHO,
    FLOR,
    NAO_QUERO,
    QUERO,
    RESTO_CALLED,
    Estimates,
    answered_flor_odds,
    best_card,
    declining_loses_match,
    faces_falta,
    flor_price,
    hand_odds,
    may,
    points_odds,
    points_price,
    truco_price,
)
from retruco.agents.truco.odds import Odds, whole_odds
from retruco.cbr.case import Json
from retruco.cbr.revise import Replacement
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.truco.compiled.stepper import HAND
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.game import Truco
from retruco.games.truco.situation import (
    ENVIDO_STATE,
    FLOR_BASE,
    FLOR_CALLED,
    FLOR_STATE,
    HELD_CARDS,
    NOTHING,
    ROUNDS_OVER,
    TRUCO_CALL,
    Situation,
)
from retruco.vocab.truco import Question
from retruco.vocab.truco.asking import Actions, Longs, find_answer
from retruco.vocab.truco.turns import Counts, Turns

FAR: Final = 0.1
"""How far the chance to win a bet lies from its price before cases that say the opposite are not believed."""
RESPECT: Final = 0.18
"""Who calls truco has something: so much less is the chance to win the hand than against any cards."""


# Answers to bets


@compiled_step
def find_stake(tables: Odds, situation: Situation) -> tuple[float, float]:
    """The chance to win the bet that waits for an answer, and the chance at which accepting breaks even."""
    if situation[FLOR_STATE] == CHAIN_WAITS:
        return answered_flor_odds(tables, situation), flor_price(tables, situation)
    if situation[ENVIDO_STATE] == CHAIN_WAITS:
        return points_odds(tables, situation), points_price(tables, situation)
    return max(0.0, hand_odds(tables, situation) - RESPECT), truco_price(tables, situation)


@compiled_step
def declines(action: int) -> bool:
    """Whether an action declines a bet."""
    return action in (NAO_QUERO, BARALHO, ACHICO)


@compiled_step
def contrary_cards(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Accept well above the price of a bet, decline well below it."""
    if not may(situation, QUERO) or not (action == QUERO or declines(action)):
        return action
    chance, price = find_stake(tables, situation)
    if action == QUERO:
        return NAO_QUERO if chance < price - FAR else action
    return QUERO if chance > price + FAR else action


@compiled_step
def falta_odds(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Decline a falta or a resto unless the chance is worth the price; where declining loses the match it has none."""
    if action != QUERO or not faces_all(situation):
        return action
    chance, price = find_stake(tables, situation)
    return NAO_QUERO if chance < price else action


@compiled_step
def faces_all(situation: Situation) -> Any:
    """Whether the bet that waits is a falta or a resto."""
    if situation[FLOR_STATE] == CHAIN_WAITS:
        return situation[FLOR_CALLED] % FLOR_BASE == RESTO_CALLED
    return situation[ENVIDO_STATE] == CHAIN_WAITS and faces_falta(situation)


@compiled_step
def nothing_to_lose(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Where declining loses the match accept, answer a flor with a flor, or play on."""
    if not declines(action) or not declining_loses_match(tables, situation):
        return action
    for call in (QUERO, FLOR):
        if find_answer(stands_for, call) >= 0:
            return call
    return first_card(situation, stands_for, action)


# Cards


@compiled_step
def first_card(situation: Situation, stands_for: Actions, action: int) -> int:
    """The first held card in the order of the hand that can be played openly; an action if none can."""
    for place in range(HAND):
        if situation[HELD_CARDS] >> place & 1 and find_answer(stands_for, place) >= 0:
            return place
    return action


@compiled_step
def folded_turn(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Play the card with the best chance instead of going to the deck; decline an envido or a flor and play on."""
    if action != BARALHO:
        return action
    if situation[ENVIDO_STATE] == CHAIN_WAITS or situation[FLOR_STATE] == CHAIN_WAITS:
        return NAO_QUERO
    card = first_card(situation, stands_for, NOTHING)
    if situation[TRUCO_CALL] or card == NOTHING:
        return action
    best = best_card(tables, situation)
    return best if find_answer(stands_for, best) >= 0 else card


@compiled_step
def losing_card(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Play the lowest card that keeps the hand alive, if the one proposed does not: the other may hold the weakest."""
    return prefer_card(tables, situation, stands_for, action, False)


@compiled_step
def kept_winner(tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """Play the lowest card that wins the hand for certain, if the one proposed does not: the other may hold the strongest."""
    return prefer_card(tables, situation, stands_for, action, True)


@compiled_step
def prefer_card(
    tables: Odds, situation: Situation, stands_for: Actions, action: int, for_certain: bool
) -> int:
    """Replace a card by the lowest that wins, if it does not; not in the first round, which cannot decide the hand."""
    if not 0 <= action < 2 * HAND or situation[ROUNDS_OVER] == 0:
        return action
    chances, deal = tables.chances, read_deal(situation)
    theirs = extreme_holding(chances, deal, for_certain)
    if card_wins(chances, deal, action, theirs, for_certain):
        return action
    for number in range(deal.size):
        card = deal.cards[number] % HELD_BASE
        if find_answer(stands_for, card) >= 0 and card_wins(chances, deal, card, theirs, for_certain):
            return card
    return action


@compiled_step
def extreme_holding(chances: Chances, deal: Deal, strongest: bool) -> Any:
    """The strongest cards that the other may hold, or the weakest."""
    first = second = third = NO_LEVEL
    left = deal.size - (deal.faced != NOTHING)
    for step in range(LEVELS):
        level = LEVELS - 1 - step if strongest else step
        count = min(left, deal.out >> LEVEL_BITS * level & LEVEL_MASK)
        left -= count
        for _ in range(count):
            first, second, third = second, third, level
    return chances.place[first, second, third]


@compiled_step
def card_wins(chances: Chances, deal: Deal, action: int, theirs: int, for_certain: bool) -> bool:
    """Whether the hand is won with a card against a holding: for certain, or if the other lets it happen."""
    number = 0
    while deal.cards[number] % HELD_BASE != action % HAND:
        number += 1
    rest, lies_down = rest_without(chances, deal, number), action >= HAND
    if deal.faced != NOTHING:
        strength = 0 if lies_down else deal.cards[number] // HELD_BASE
        then = after(deal.rounds, result_of(strength, deal.faced))
        return bool(chances.wins[then, deal.mao, rest, theirs])
    led = NO_LEVEL if lies_down else deal.levels[number]
    won, answers = 0, 0
    for place in range(HAND):
        level = chances.holdings[theirs, place]
        if level != NO_LEVEL:
            then = after(deal.rounds, result_of(led, level))
            won += chances.wins[then, deal.mao, rest, chances.holdings[theirs, REST + place]]
            answers += 1
    return won == answers if for_certain else won > 0


@compiled_step
def apply_safeguard(number: int, tables: Odds, situation: Situation, stands_for: Actions, action: int) -> int:
    """The action that a safeguard prefers, by the place of the safeguard in `SOUND_RULES`."""
    if number == 0:
        return contrary_cards(tables, situation, stands_for, action)
    if number == 1:
        return falta_odds(tables, situation, stands_for, action)
    if number == 2:
        return folded_turn(tables, situation, stands_for, action)
    if number == 3:
        return losing_card(tables, situation, stands_for, action)
    if number == 4:
        return kept_winner(tables, situation, stands_for, action)
    return nothing_to_lose(tables, situation, stands_for, action)


@compiled_loop
def guard_many(
    numbers: Longs,
    tables: Odds,
    situations: NDArray[np.int32],
    waiting: Longs,
    stands_for: Actions,
    answers: Longs,
    counts: Counts,
) -> None:
    """Apply safeguards to answers, each to the result of the one before, and count by turn which replaced one."""
    for row in range(len(answers)):
        situation = situations[waiting[row]]
        for place in range(len(numbers)):
            action = stands_for[row, answers[row]]
            better = apply_safeguard(numbers[place], tables, situation, stands_for[row], action)
            answer = find_answer(stands_for[row], better)
            if better != action and answer >= 0:
                counts[waiting[row], place] += 1
                answers[row] = answer


# Safeguards with their reasons


@dataclass(frozen=True, slots=True)
class CompiledSafeguard:
    """A safeguard for one question, and for many at once."""

    name: str
    number: int
    """Its place in `SOUND_RULES`."""
    prefers: Any = field(repr=False)
    """The compiled function that says which action it prefers."""
    tells_stake: bool = field(default=False, repr=False)
    """Whether its reason has the chance and the price of the bet."""

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Prefer another answer to one question, if the safeguard does."""
        estimates = Estimates(question.seen, question.situation, is_plain=True)  # most look at little
        stands_for = list(question.stands_for.values())
        better = estimates.of(self.prefers, stands_for, question.stands_for[proposed])
        answer = question.answer_with(better)
        if answer is None or answer == proposed:
            return None
        return Replacement(answer, self.values(estimates))

    def values(self, estimates: Estimates) -> Mapping[str, Json]:
        """The numbers of its reason."""
        return (
            dict(zip(("chance", "price"), estimates.of(find_stake), strict=True)) if self.tells_stake else {}
        )

    @staticmethod
    def guard(safeguards: Sequence[Any], game: Truco, turns: Turns, answers: Longs, counts: Counts) -> None:
        """Let safeguards replace answers to many questions, in place and in their order, and count by turn which did."""
        numbers = np.array([safeguard.number for safeguard in safeguards], np.int64)
        tables = whole_odds(game.rules, game.target)
        guard_many(numbers, tables, turns.situations, turns.waiting, turns.stands_for, answers, counts)


CONTRARY_CARDS: Final = CompiledSafeguard("contrary-cards", 0, contrary_cards, tells_stake=True)
FALTA_ODDS: Final = CompiledSafeguard("falta-odds", 1, falta_odds, tells_stake=True)
FOLDED_TURN: Final = CompiledSafeguard("folded-turn", 2, folded_turn)
LOSING_CARD: Final = CompiledSafeguard("losing-card", 3, losing_card)
KEPT_WINNER: Final = CompiledSafeguard("kept-winner", 4, kept_winner)
NOTHING_TO_LOSE: Final = CompiledSafeguard("nothing-to-lose", 5, nothing_to_lose)
SOUND_RULES: Final[tuple[Safeguard, ...]] = (
    CONTRARY_CARDS,
    FALTA_ODDS,
    FOLDED_TURN,
    LOSING_CARD,
    KEPT_WINNER,
    NOTHING_TO_LOSE,
)
"""In the order in which they are applied."""
