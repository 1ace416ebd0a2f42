"""What a turn asks in vocabulary 1, as compiled functions over a situation.

A turn asks about flor, envido, truco and the card, in this order. In a free turn each is asked only if some call of
its kind is legal, and the first answer that is not `none` ends the asking. Facing a bet, what comes first is asked
before the answer to the bet. One question is written as three rows: the codes of what is seen, the action that each
answer stands for, and what each answer of a case counts as here.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.cbr.vocabulary import Vocabulary
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.truco.compiled.automaton import COLUMNS
from retruco.games.truco.compiled.stepper import BY_OTHER, CARD_COLUMNS, FACE_DOWN, FIRST_CALL, HAND
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.games.truco.situation import (
    ABSENT,
    CALLERS,
    DEALT,
    ENVIDO_AGAIN,
    ENVIDO_STATE,
    FACED,
    FIRST_ENVIDO,
    FIRST_TRUCO,
    FLOR_STATE,
    FOLD,
    HELD_CARDS,
    IS_MAO,
    LEGAL,
    LYING,
    ME,
    NOTHING,
    ON_TABLE,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    QUERO,
    ROUND_WINNERS,
    ROUNDS_OVER,
    STRENGTHS,
    TARGET,
    TRUCO_CALL,
    Situation,
)
from retruco.vocab.truco.scenarios import CARD_CODES, VOCABULARY

Codes: TypeAlias = NDArray[np.uint8]
Actions: TypeAlias = NDArray[np.int8]
"""Actions as the stepper numbers them."""
Longs: TypeAlias = NDArray[np.int64]

NO_ACTION, NO_ANSWER = -1, -2
"""`none` stands for no action, but for the next question; what cannot be answered is no answer."""

ABOUT_FLOR, ABOUT_ENVIDO, ABOUT_TRUCO, ABOUT_CARD, WHOLE_TURN = range(5)
"""What a question is about; in some vocabularies about all that a turn can bring."""

NONE: Final = 0
"""The first answer to a question about calls."""
DOWN_ANSWER, FOLD_ANSWER = HAND, HAND + 1
"""Answers to the question about the card: the labels, the lowest card face down, and the deck."""

VISIBLE_CODES: Final = np.array([CARD_CODES[card] - 1 for card in SPANISH_DECK], np.int32)
"""The visible code of every card: its strength on the scale of the documents, less 1."""
ABSENT_CODE, DOWN_CODE = 52, 53
"""Visible codes of a card that is not there, and of one face down."""
FAR: Final = len(STRENGTH)
"""Further apart than any two strengths are."""
SUITS: Final = np.array(["ebco".index(card.suit) for card in SPANISH_DECK], np.int32)
SCENARIOS: Final = {scenario.name: place for place, scenario in enumerate(VOCABULARY.scenarios)}
FIRST_CARD, ENVIDO_FIRST, FIRST_TRUCO_SCENARIO, FLOR = (
    SCENARIOS[name] for name in ("card-1-lead", "envido-first", "truco-1-first", "flor")
)
"""Where the scenarios of a kind begin; of two, the second is for who plays second."""
ABOUT: Final = {"flor": ABOUT_FLOR, "envido": ABOUT_ENVIDO, "truco": ABOUT_TRUCO, "card": ABOUT_CARD}
"""By the first word of a scenario."""
FEATURES: Final = np.array([len(scenario.visible) for scenario in VOCABULARY.scenarios], np.int32)
"""How many features each scenario has."""
STEPS: Final = 24
"""How finely vocabulary 3 tells the score: by points, in matches to the target of the documents."""


def number_answers(vocabulary: Vocabulary) -> NDArray[np.int8]:
    """By scenario and call: which answer the call is."""
    scenarios = vocabulary.scenarios
    answers = [{action: place for place, action in enumerate(one.actions)} for one in scenarios]
    return np.array([[found.get(call, NO_ANSWER) for call in CALLS] for found in answers], np.int8)


ANSWERS: Final = number_answers(VOCABULARY)


def bits_of(calls: tuple[str, ...]) -> int:
    """Calls as bits of the legal columns."""
    return sum(1 << COLUMNS.index(call) for call in calls)


CARD_BITS: Final = (1 << CARD_COLUMNS) - 1
FLOR_BITS, ENVIDO_BITS, TRUCO_BITS = (bits_of(calls) for calls in (FLOR_CALLS, ENVIDO_CALLS, TRUCO_CALLS))


# Cards


@compiled_step
def power_at(situation: Situation, place: int) -> Any:
    """The strength of a card by its place in the hand dealt."""
    return STRENGTHS[situation[DEALT + place]]


@compiled_step
def is_held(situation: Situation, place: int) -> Any:
    """Whether a card has not been played."""
    return situation[HELD_CARDS] >> place & 1


@compiled_step
def place_by_power(situation: Situation, label: int) -> int:
    """The place of the strongest card of the hand dealt, of the second or of the weakest."""
    for place in range(HAND):
        above = 0
        for other in range(HAND):
            more = power_at(situation, other) - power_at(situation, place)
            above += more > 0 or (more == 0 and other < place)
        if above == label:
            return place
    return 0


@compiled_step
def count_suit(situation: Situation, place: int) -> int:
    """How much a card tells of the envido: how many of its suit were dealt."""
    count = 0
    for other in range(HAND):
        count += SUITS[situation[DEALT + other]] == SUITS[situation[DEALT + place]]
    return count


@compiled_step
def label_of(situation: Situation, place: int) -> int:
    """The label under which a held card would be played, equal cards under the same.

    Of equal cards the one played first takes the higher free label.
    """
    power, label = power_at(situation, place), -1
    for other in range(HAND):
        label += power_at(situation, other) >= power
        label -= power_at(situation, other) == power and is_held(situation, other)
    return label + 1


@compiled_step
def write_cards(situation: Situation, stands_for: Actions, counts_as: Codes) -> None:
    """Write the answers to the question about the card.

    Of equal cards the one is played whose suit tells least of the envido. A label that is gone counts as the
    nearest one left by strength, the higher of two as near.
    """
    lowest = 0
    for place in range(HAND):
        if is_held(situation, place):
            label = label_of(situation, place)
            known = stands_for[label]
            if known < 0 or count_suit(situation, place) < count_suit(situation, known):
                stands_for[label] = place
            lowest = max(lowest, label)
    for label in range(HAND):
        if stands_for[label] < 0:
            counts_as[label] = nearest_label(situation, stands_for, label)
    if situation[ROUNDS_OVER]:
        stands_for[DOWN_ANSWER] = HAND + stands_for[lowest]
    stands_for[FOLD_ANSWER] = FIRST_CALL + FOLD


@compiled_step
def nearest_label(situation: Situation, stands_for: Actions, gone: int) -> int:
    """The label left that is nearest to one that is gone."""
    power, found, least = power_at(situation, place_by_power(situation, gone)), 0, FAR
    for label in range(HAND):
        if stands_for[label] >= 0:
            far = abs(power_at(situation, stands_for[label]) - power)
            if far < least:
                found, least = label, far
    return found


@compiled_step
def played_code(situation: Situation, number: int, is_other: bool) -> Any:
    """The code of the card that a side played in a round."""
    for place in range(2 * number, 2 * number + 2):
        card = situation[ON_TABLE + place]
        if card != ABSENT and (card >= BY_OTHER) == is_other:
            face = card & (BY_OTHER - 1)
            return DOWN_CODE if face >= FACE_DOWN else VISIBLE_CODES[face]
    return ABSENT_CODE


# Questions


@compiled_step
def is_asked(situation: Situation, about: int) -> bool:
    """Whether a turn asks about something, unless it ends before."""
    legal, truco = situation[LEGAL], situation[TRUCO_CALL] > 0
    flor, envido = situation[FLOR_STATE] == CHAIN_WAITS, situation[ENVIDO_STATE] == CHAIN_WAITS
    if about == ABOUT_FLOR:
        return bool(flor or legal & FLOR_BITS)
    if about == ABOUT_ENVIDO:
        return bool(not flor and (envido or legal & ENVIDO_BITS))
    if about == ABOUT_TRUCO:
        return bool(not flor and not envido and (truco or legal & TRUCO_BITS))
    return bool(about == ABOUT_CARD and not flor and not envido and not truco and situation[HELD_CARDS])


@compiled_step
def write_question(
    situation: Situation, about: int, codes: Codes, stands_for: Actions, counts_as: Codes
) -> Any:
    """Write a question down, and return its scenario."""
    for place in range(len(codes)):
        codes[place] = 0
    for answer in range(len(stands_for)):
        stands_for[answer], counts_as[answer] = NO_ANSWER, answer
    if about == ABOUT_CARD:
        write_cards(situation, stands_for, counts_as)
        return write_card(situation, codes)
    if about == ABOUT_FLOR:
        scenario, is_answer = write_flor(situation, codes), situation[FLOR_STATE] == CHAIN_WAITS
    elif about == ABOUT_ENVIDO:
        scenario, is_answer = write_envido(situation, codes), situation[ENVIDO_STATE] == CHAIN_WAITS
    else:
        scenario, is_answer = write_truco(situation, codes), situation[TRUCO_CALL] > 0
    write_calls(situation, scenario, is_answer, stands_for)
    return scenario


@compiled_step
def write_calls(situation: Situation, scenario: int, is_answer: bool, stands_for: Actions) -> None:
    """Write the calls that are legal beside the replies to a bet or, if one need not call, `none`."""
    need_not = not is_answer and situation[LEGAL] & CARD_BITS
    for call in range(len(CALLS)):
        if situation[LEGAL] >> (call + CARD_COLUMNS) & 1:
            answer = ANSWERS[scenario, call]
            if answer != NO_ANSWER and (call < QUERO or is_answer):
                stands_for[answer] = FIRST_CALL + call
            else:
                need_not = not is_answer
    if need_not:
        stands_for[NONE] = NO_ACTION


@compiled_step
def write_hand(situation: Situation, codes: Codes, rounds: int) -> int:
    """Write the hand, the seat, and the cards and winners of some rounds; return how many codes that are."""
    for label in range(HAND):
        codes[label] = VISIBLE_CODES[situation[DEALT + place_by_power(situation, label)]]
    codes[HAND] = situation[IS_MAO]
    place = HAND + 1
    for number in range(rounds):
        codes[place] = played_code(situation, number, False)
        codes[place + 1] = played_code(situation, number, True)
        codes[place + 2] = situation[ROUND_WINNERS + number]
        place += 3
    return place


@compiled_step
def write_flor(situation: Situation, codes: Codes) -> int:
    """Write what is seen when the question is about the flor."""
    codes[0], codes[1] = situation[OWN_FLOR], situation[IS_MAO]
    for call in range(3):
        codes[2 + call] = situation[CALLERS + call]
    return FLOR


@compiled_step
def write_envido(situation: Situation, codes: Codes) -> Any:
    """Write what is seen when the question is about the envido."""
    codes[0], codes[1] = situation[OWN_ENVIDO], situation[IS_MAO]
    codes[2], codes[3] = situation[CALLERS + FIRST_ENVIDO], situation[CALLERS + ENVIDO_AGAIN]
    codes[4], codes[5] = situation[CALLERS + FIRST_ENVIDO + 1], situation[CALLERS + FIRST_ENVIDO + 2]
    codes[6] = played_code(situation, 0, True)
    return ENVIDO_FIRST + 1 - situation[IS_MAO]


@compiled_step
def write_truco(situation: Situation, codes: Codes) -> Any:
    """Write what is seen when the question is about the truco."""
    number = situation[ROUNDS_OVER]
    place = write_hand(situation, codes, number)
    codes[place] = played_code(situation, number, False)
    codes[place + 1] = played_code(situation, number, True)
    for call in range(3):
        codes[place + 2 + call] = situation[CALLERS + FIRST_TRUCO + call]
    is_second = not situation[IS_MAO] if number == 0 else not leads_round(situation)
    return FIRST_TRUCO_SCENARIO + 2 * number + is_second


@compiled_step
def leads_round(situation: Situation) -> Any:
    """Whether this seat leads the round being played, the second or the third."""
    if situation[LYING] != NOTHING or situation[FACED] != NOTHING:
        return situation[LYING] != NOTHING
    winner = situation[ROUND_WINNERS + situation[ROUNDS_OVER] - 1]
    return winner == ME or (winner == 0 and situation[IS_MAO] > 0)


@compiled_step
def write_card(situation: Situation, codes: Codes) -> Any:
    """Write what is seen when the question is about the card."""
    number, follows = situation[ROUNDS_OVER], situation[FACED] != NOTHING
    place = write_hand(situation, codes, number)
    if follows:
        codes[place] = played_code(situation, number, True)
    return FIRST_CARD + 2 * number + follows


@compiled_step
def write_scores(situation: Situation, codes: Codes, place: int) -> None:
    """Write both scores in steps of the target, the own one first."""
    target = situation[TARGET]
    for side in range(2):
        codes[place + side] = min(situation[OWN_SCORE + side], target) * STEPS // target


# Questions of many turns


@compiled_step
def find_answer(stands_for: Actions, action: int) -> int:
    """The answer that stands for an action; -1 if none does."""
    for answer in range(len(stands_for)):
        if stands_for[answer] == action:
            return answer
    return -1


@compiled_step
def only_action(stands_for: Actions) -> Any:
    """The action of a question that has a single answer; `NO_ACTION` if it has several."""
    found = NO_ACTION
    for answer in range(len(stands_for)):
        action = stands_for[answer]
        if action != NO_ANSWER:
            if found != NO_ACTION or action == NO_ACTION:
                return NO_ACTION
            found = action
    return found


@compiled_step
def write_turn(
    situation: Situation, scenario: Codes, codes: Codes, stands_for: Actions, counts_as: Codes
) -> int:
    """Write down the questions of a turn, as far as no answer ends it, and return how many these are."""
    count = 0
    for about in range(WHOLE_TURN):
        if is_asked(situation, about):
            scenario[count] = write_question(
                situation, about, codes[count], stands_for[count], counts_as[count]
            )
            count += 1
    return count


@compiled_loop
def ask_many(
    with_score: bool,
    situations: NDArray[np.int32],
    next_about: Actions,
    actions: Actions,
    waiting: Longs,
    about: Actions,
    stands_for: Actions,
    scenario: Codes,
    codes: Codes,
    counts_as: Codes,
) -> int:
    """Write down the next question of every turn that has no action, and return how many these are."""
    count = 0
    for turn in range(len(situations)):
        while actions[turn] == NO_ACTION and next_about[turn] < WHOLE_TURN:
            about[count] = next_about[turn]
            next_about[turn] += 1
            if is_asked(situations[turn], about[count]):
                scenario[count] = write_question(
                    situations[turn], about[count], codes[count], stands_for[count], counts_as[count]
                )
                actions[turn] = only_action(stands_for[count])
                if actions[turn] == NO_ACTION:
                    if with_score:
                        write_scores(situations[turn], codes[count], FEATURES[scenario[count]])
                    waiting[count] = turn
                    count += 1
                    break
    return count
