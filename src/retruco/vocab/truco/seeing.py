"""What is seen when a question is asked, as codes read from a situation, for all vocabularies of Truco.

Every feature of a scenario has a source: a place of the situation, or something that is worked out from it. So the
scenarios alone say which features a question has, and in what order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.cbr.vocabulary import Vocabulary
from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import BY_OTHER, FACE_DOWN, HAND
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS
from retruco.games.truco.situation import (
    ABSENT,
    CALLERS,
    DEALT,
    ENVIDO_AGAIN,
    ENVIDO_CALLED,
    FACED,
    FLOR_BASE,
    FLOR_CALLED,
    HELD_CARDS,
    IS_MAO,
    ME,
    NOTHING,
    ON_TABLE,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    RAISER,
    ROUND_WINNERS,
    SHOWN,
    SITUATION,
    STAKE,
    STRENGTHS,
    TARGET,
    TRUCO_CALL,
    TRUCO_CALLER,
    WON,
    Situation,
    count_envidos,
)
from retruco.vocab.truco.scenarios import CARD_CODES, LABELS
from retruco.vocab.truco.scenarios_2 import ENVIDO_CHAINS, LACKS, POINTS_STATES, STRONGEST, WINNERS

Sources: TypeAlias = NDArray[np.int16]

VISIBLE_CODES: Final = np.array([CARD_CODES[card] - 1 for card in SPANISH_DECK], np.int32)
"""The visible code of every card in vocabulary 1: its strength on the scale of the documents, less 1."""
ABSENT_CODE, DOWN_CODE = 52, 53
"""The codes of a card that is not there, and of one face down, in vocabulary 1."""
NO_CARD, HIDDEN_CARD = STRONGEST, STRONGEST + 1
"""The same in vocabulary 2, where the code of a card is its strength, less 1."""
NO_FLOR, LEAST_FLOR = 19, 20
"""The code without a flor in vocabulary 2, and the points of the least flor."""
UNKNOWN_POINTS: Final = 34
MOST_BEATERS: Final = 15
STRONGER: Final = np.array([(power < STRENGTHS).sum() for power in range(STRONGEST + 1)], np.int32)
"""By strength, how many cards of the deck are stronger."""
NOTHING_TO_BEAT, NO_WINNER, FIRST_WINNER = range(len(WINNERS) - HAND + 1)
NOT_CALLED, DECLINED, WON_BY, BY_FLOR = (
    POINTS_STATES.index(state) for state in ("none", "declined by me", "won by me", "flor")
)
STEPS: Final = 24
"""How finely vocabulary 3 tells the score: by points, in matches to the target of the documents."""
SUITS: Final = np.array(["ebco".index(card.suit) for card in SPANISH_DECK], np.int32)


def code_chains() -> NDArray[np.uint8]:
    """By the number of a chain of envido calls: its code in vocabulary 2; the last is that of all longer ones."""
    calls, longer = {call[0]: call for call in ENVIDO_CALLS}, len(ENVIDO_CHAINS) - 1
    chains = ([calls[letter] for letter in chain] for chain in ENVIDO_CHAINS[:longer])
    codes = {count_envidos(chain): code for code, chain in enumerate(chains)}
    return np.array([codes.get(number, longer) for number in range(max(codes) + 2)], np.uint8)


CHAIN_CODES: Final = code_chains()

# Sources

(
    DEALT_CARD, OWN_PLAYED, OTHER_PLAYED, SCORE, HELD_CARD, BEST_PLAYED, LACK, TABLE, LOWEST_WINNER, TIE, LAST_TRUCO,
    POINTS_RESULT, OTHER_POINTS, BEATERS, FLOR_POINTS, ENVIDO_CHAIN, FLOR_CHAIN,
) = range(SITUATION, SITUATION + 17 * HAND, HAND)  # fmt: skip
"""What is worked out: of a card, the next numbers are those of the second and the third one."""


def number_each(names: tuple[str, ...], first: int) -> dict[str, int]:
    """Number names from a number on."""
    return {name: first + place for place, name in enumerate(names)}


CALL_NAMES: Final = {
    "envido_again": ENVIDO_AGAIN,
    "real": CALLS.index("real-envido"),
    "falta": CALLS.index("falta-envido"),
    "contraflor_resto": CALLS.index("contraflor-resto"),
    **{call: CALLS.index(call) for call in ("flor", "contraflor", "envido", "truco", "retruco", "vale4")},
}
SHARED: Final = {"is_mao": IS_MAO, "envido_points": OWN_ENVIDO} | number_each(
    ("winner_1", "winner_2"), ROUND_WINNERS
)
SOURCES_1: Final = {
    **SHARED,
    **{name: CALLERS + call for name, call in CALL_NAMES.items()},
    **number_each(LABELS, DEALT_CARD),
    **number_each(("own_first", "own_second", "own_third"), OWN_PLAYED),
    **number_each(("other_first", "other_second", "other_third"), OTHER_PLAYED),
    **number_each(("own_score", "other_score"), SCORE),
    "flor_points": OWN_FLOR,
}
"""Where vocabularies 1 and 3 take a feature from."""
SOURCES_2: Final = {
    **SHARED,
    **number_each(LABELS, HELD_CARD),
    **number_each(("best_1", "best_2"), BEST_PLAYED),
    **number_each(("own_lack", "other_lack"), LACK),
    "table": TABLE,
    "lowest_winner": LOWEST_WINNER,
    "tie": TIE,
    "last_truco": LAST_TRUCO,
    "envido_result": POINTS_RESULT,
    "other_points": OTHER_POINTS,
    "beaters": BEATERS,
    "flor_points": FLOR_POINTS,
    "answer-envido chain": ENVIDO_CHAIN,
    "answer-flor chain": FLOR_CHAIN,
}
"""Where vocabulary 2 takes a feature from; of features with the same name, by scenario."""


def list_sources(vocabulary: Vocabulary, sources: Mapping[str, int]) -> Sources:
    """By scenario, where its features are taken from; -1 beyond them."""
    found = np.full((len(vocabulary.scenarios), vocabulary.most_features), NOTHING, np.int16)
    for row, scenario in zip(found, vocabulary.scenarios, strict=True):
        for place, feature in enumerate(scenario.visible):
            row[place] = sources.get(f"{scenario.name} {feature.name}", sources.get(feature.name, NOTHING))
    return found


@compiled_step
def code_of(situation: Situation, source: int) -> Any:
    """The code of a feature by its source."""
    if source < SITUATION:
        return situation[source]
    number = (source - SITUATION) % HAND
    kind = source - number
    if kind == DEALT_CARD:
        return VISIBLE_CODES[situation[DEALT + place_by_power(situation, number)]]
    if kind in (OWN_PLAYED, OTHER_PLAYED):
        return played_code(situation, number, kind == OTHER_PLAYED)
    if kind == SCORE:
        return min(situation[OWN_SCORE + number], situation[TARGET]) * STEPS // situation[TARGET]
    return code_of_turn(situation, kind, number)


@compiled_step
def code_of_turn(situation: Situation, kind: int, number: int) -> Any:
    """The code of a feature that only vocabulary 2 has."""
    if kind == HELD_CARD:
        return power_code(held_power(situation, number), NO_CARD)
    if kind == BEST_PLAYED:
        best = max(table_power(situation, 2 * number), table_power(situation, 2 * number + 1))
        return power_code(best, HIDDEN_CARD)
    if kind == LACK:
        return lack_code(situation[TARGET] - situation[OWN_SCORE + number])
    if kind == TABLE:
        return NO_CARD if situation[FACED] == NOTHING else power_code(situation[FACED], HIDDEN_CARD)
    if kind == LOWEST_WINNER:
        return winner_code(situation)
    if kind == LAST_TRUCO:
        return truco_code(situation)
    if kind == POINTS_RESULT:
        return points_code(situation)
    if kind == OTHER_POINTS:
        is_shown = situation[SHOWN + 1] and situation[ENVIDO_CALLED] and not situation[FLOR_CALLED]
        return situation[SHOWN + 1] - 1 if is_shown else UNKNOWN_POINTS
    if kind == BEATERS:
        return count_beaters(situation)
    if kind == FLOR_POINTS:
        return situation[OWN_FLOR] - LEAST_FLOR if situation[OWN_FLOR] else NO_FLOR
    if kind == ENVIDO_CHAIN:
        return CHAIN_CODES[min(situation[ENVIDO_CALLED], len(CHAIN_CODES) - 1)]
    if kind == FLOR_CHAIN:
        return situation[FLOR_CALLED] % FLOR_BASE - 1
    return holds_equal(situation)


# Cards in hand


@compiled_step
def power_at(situation: Situation, place: int) -> Any:
    """The strength of a card by its place in the hand dealt."""
    return STRENGTHS[situation[DEALT + place]]


@compiled_step
def is_held(situation: Situation, place: int) -> Any:
    """Whether a card has not been played."""
    return situation[HELD_CARDS] >> place & 1


@compiled_step
def count_held(situation: Situation) -> Any:
    """How many cards this seat holds."""
    return is_held(situation, 0) + is_held(situation, 1) + is_held(situation, 2)


@compiled_step
def count_suit(situation: Situation, place: int) -> int:
    """How much a card tells of the envido: how many of its suit were dealt."""
    count = 0
    for other in range(HAND):
        count += SUITS[situation[DEALT + other]] == SUITS[situation[DEALT + place]]
    return count


@compiled_step
def order_of(situation: Situation, place: int) -> Any:
    """A number by which cards are ordered: by strength; of equal ones that which tells less of the envido is higher."""
    return (power_at(situation, place) << 4) - 4 * count_suit(situation, place) - place


@compiled_step
def place_by_power(situation: Situation, rank: int) -> int:
    """The place of the strongest card of the hand dealt, of the second or of the weakest."""
    orders = order_of(situation, 0), order_of(situation, 1), order_of(situation, 2)
    for place in range(HAND):
        stronger = 0
        for order in orders:  # added one by one: numpy's truth values do not add up
            stronger += order > orders[place]
        if stronger == rank:
            return place
    return 0


@compiled_step
def lowest_card(situation: Situation, above: int) -> int:
    """The lowest held card above a strength, of equal ones that which tells least of the envido; -1 if none is."""
    found = -1
    for place in range(HAND):
        power = power_at(situation, place)
        if is_held(situation, place) and power > above:
            more = power_at(situation, found) - power if found >= 0 else 1
            if more > 0 or (more == 0 and order_of(situation, place) > order_of(situation, found)):
                found = place
    return found


@compiled_step
def held_power(situation: Situation, label: int) -> Any:
    """The strength of a card in hand by its label, 0 for none: of two the second is `low`, a single one is `high`."""
    held = count_held(situation)
    rank, before = (label if held == HAND else HAND if label == 1 else label // 2), 0
    for place in range(HAND):
        card = place_by_power(situation, place)
        if is_held(situation, card):
            if before == rank:
                return power_at(situation, card)
            before += 1
    return 0


@compiled_step
def winner_code(situation: Situation) -> int:
    """The lowest card in hand that beats the one to be answered."""
    if situation[FACED] == NOTHING:
        return NOTHING_TO_BEAT
    for label in range(HAND - 1, -1, -1):
        if held_power(situation, label) > situation[FACED]:
            return FIRST_WINNER + label
    return NO_WINNER


@compiled_step
def holds_equal(situation: Situation) -> int:
    """Whether a card in hand is as strong as the one to be answered."""
    for place in range(HAND):
        if is_held(situation, place) and power_at(situation, place) == situation[FACED]:
            return 1
    return 0


@compiled_step
def count_beaters(situation: Situation) -> Any:
    """How many cards that were not seen yet beat the best one in hand."""
    best = held_power(situation, 0)
    if best == 0:
        return MOST_BEATERS
    count = STRONGER[best]
    for place in range(HAND):
        count -= power_at(situation, place) > best
    for place in range(2 * HAND):
        if situation[ON_TABLE + place] >= BY_OTHER:
            count -= table_power(situation, place) > best
    return min(MOST_BEATERS, count)


@compiled_step
def power_code(power: int, nothing: int) -> int:
    """The code of a card of some strength in vocabulary 2."""
    return power - 1 if power else nothing


# The table


@compiled_step
def played_code(situation: Situation, number: int, is_other: bool) -> Any:
    """The code of the card that a side played in a round."""
    for place in range(2 * number, 2 * number + 2):
        card = situation[ON_TABLE + place]
        if card != ABSENT and (card >= BY_OTHER) == is_other:
            face = card & (BY_OTHER - 1)
            return DOWN_CODE if face >= FACE_DOWN else VISIBLE_CODES[face]
    return ABSENT_CODE


@compiled_step
def table_power(situation: Situation, place: int) -> Any:
    """The strength of a card on the table, 0 face down."""
    face = situation[ON_TABLE + place] & (BY_OTHER - 1)
    return 0 if face >= FACE_DOWN else STRENGTHS[face]


# Bets and scores


@compiled_step
def truco_code(situation: Situation) -> Any:
    """The last call of the truco that stands, and who made it."""
    if situation[TRUCO_CALL]:
        return 2 * situation[TRUCO_CALL] - (situation[TRUCO_CALLER] == ME)
    if situation[STAKE] == 1:
        return 0
    return 2 * (situation[STAKE] - 1) - (situation[RAISER] != ME)


@compiled_step
def points_code(situation: Situation) -> Any:
    """How envido ended; `flor` if there was one."""
    if situation[FLOR_CALLED] or not situation[ENVIDO_CALLED]:
        return BY_FLOR if situation[FLOR_CALLED] else NOT_CALLED
    lost = situation[WON] <= situation[WON + 1]
    is_shown = situation[SHOWN] or situation[SHOWN + 1]
    return WON_BY + lost if is_shown else DECLINED + 1 - lost


@compiled_step
def lack_code(lack: int) -> int:
    """The class of what a side lacks to the target, from 0.

    >>> [lack_code(lack) for lack in (1, 2, 3, 8, 9, 24)]
    [0, 1, 2, 3, 4, 4]
    """
    code = 0
    for most in LACKS:
        code += lack > most
    return code
