"""The one question of a turn in vocabulary 2, as compiled functions over a situation, in words, and of many turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_loop, compiled_step
from retruco.games.core import Action
from retruco.games.truco import TrucoObservation
from retruco.games.truco.compiled.automaton import CARD, COLUMNS, DOWN
from retruco.games.truco.compiled.stepper import (
    BY_OTHER,
    CARD_COLUMNS,
    FACE_DOWN,
    FIRST_CALL,
    HAND,
)
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS
from retruco.games.truco.situation import (
    ENVIDO_BASE,
    ENVIDO_CALLED,
    ENVIDO_STATE,
    FACED,
    FLOR_BASE,
    FLOR_CALLED,
    FLOR_STATE,
    IS_MAO,
    LEGAL,
    ME,
    NOTHING,
    ON_TABLE,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    RAISER,
    ROUND_WINNERS,
    ROUNDS_OVER,
    SHOWN,
    STAKE,
    STRENGTHS,
    TARGET,
    TRUCO_CALL,
    TRUCO_CALLER,
    WON,
    Situation,
    pack_chain,
)
from retruco.vocab.truco.asking import (
    DOWN_ANSWER,
    ENVIDO_BITS,
    FLOR_BITS,
    NO_ACTION,
    NO_ANSWER,
    WHOLE_TURN,
    Actions,
    Codes,
    Longs,
    count_suit,
    is_held,
    number_answers,
    only_action,
    power_at,
)
from retruco.vocab.truco.questions import Question, in_words, known_by, make_room
from retruco.vocab.truco.turns import Turns as Turns1
from retruco.vocab.truco.v2.scenarios import (
    ENVIDO_CHAINS,
    LACKS,
    POINTS_STATES,
    STRONGEST,
    VOCABULARY,
    WINNERS,
)

ABSENT_CODE, DOWN_CODE = STRONGEST, STRONGEST + 1
"""Codes of a card that is not there, and of one face down; a card itself is its strength less 1."""
NO_FLOR, FIRST_FLOR = 19, 20
"""The code without a flor, and the points of the least flor."""
UNKNOWN_POINTS: Final = 34
MOST_BEATERS: Final = 15
STRONGER: Final = np.array([(power < STRENGTHS).sum() for power in range(STRONGEST + 1)], np.int32)
"""By strength, how many cards of the deck are stronger."""
SETTLED_NOT, DECLINED, WON_BY, BY_FLOR = (
    POINTS_STATES.index(state) for state in ("none", "declined by me", "won by me", "flor")
)
NOTHING_TO_BEAT, NO_WINNER, FIRST_WINNER = range(len(WINNERS) - HAND + 1)
SCENARIOS: Final = {scenario.name: place for place, scenario in enumerate(VOCABULARY.scenarios)}
OPEN, ANSWER_ENVIDO, ANSWER_FLOR, ANSWER_OPEN, ROUND, ANSWER_ROUND = (
    SCENARIOS[name]
    for name in (
        "open-lead",
        "answer-envido",
        "answer-flor",
        "answer-truco-open",
        "round-1-lead",
        "answer-truco-1",
    )
)
"""Where the scenarios of a kind begin; of two, the second is for who follows."""
ANSWERS: Final = number_answers(VOCABULARY)


def number_chains() -> NDArray[np.uint8]:
    """By the number of a chain of envido calls: its code."""
    longer = len(ENVIDO_CHAINS) - 1
    codes = np.full(ENVIDO_BASE**4, longer, np.uint8)
    by_letter = {call[0]: call for call in ENVIDO_CALLS}
    for code, chain in enumerate(ENVIDO_CHAINS[:longer]):
        codes[pack_chain([by_letter[letter] for letter in chain], ENVIDO_CALLS)] = code
    return codes


CHAIN_CODES: Final = number_chains()
CARD_COLUMN, DOWN_COLUMN = COLUMNS.index(CARD), COLUMNS.index(DOWN)
OPENING_BITS: Final = FLOR_BITS | ENVIDO_BITS


# Answers


@compiled_step
def count_held(situation: Situation) -> int:
    """How many cards this seat holds."""
    count = 0
    for place in range(HAND):
        count += is_held(situation, place)
    return count


@compiled_step
def label_at(held: int, rank: int) -> int:
    """The label of the card that so many held ones precede: of two cards the second is `low`."""
    return rank if held == HAND else 2 * rank


@compiled_step
def precedes(situation: Situation, place: int, other: int) -> Any:
    """Whether a card has a higher label than another: of equal ones that which tells least of the envido."""
    more = power_at(situation, place) - power_at(situation, other)
    less = count_suit(situation, other) - count_suit(situation, place)
    return more > 0 or (more == 0 and (less > 0 or (less == 0 and place < other)))


@compiled_step
def write_cards(situation: Situation, stands_for: Actions, counts_as: Codes) -> None:
    """Write the cards that can be played; where two are equal, the second label stands for the first."""
    held, lowest = count_held(situation), 0
    for place in range(HAND):
        if is_held(situation, place):
            rank = stronger = 0
            for other in range(HAND):
                if is_held(situation, other):
                    rank += precedes(situation, other, place)
                    stronger += power_at(situation, other) > power_at(situation, place)
            if rank == stronger:
                stands_for[label_at(held, rank)] = place
                lowest = max(lowest, label_at(held, rank))
            counts_as[label_at(held, rank)] = label_at(held, stronger)
    if held < HAND:
        counts_as[1] = 0
    if held == 1:
        counts_as[2] = 0
    if situation[LEGAL] >> DOWN_COLUMN & 1:
        stands_for[DOWN_ANSWER] = HAND + stands_for[lowest]


@compiled_step
def write_answers(situation: Situation, scenario: int, stands_for: Actions, counts_as: Codes) -> None:
    """Write the answers: all that can be done, equal cards being one answer."""
    for answer in range(len(stands_for)):
        stands_for[answer], counts_as[answer] = NO_ANSWER, answer
    if situation[LEGAL] >> CARD_COLUMN & 1:
        write_cards(situation, stands_for, counts_as)
    for call in range(len(CALLS)):
        if situation[LEGAL] >> (CARD_COLUMNS + call) & 1:
            stands_for[ANSWERS[scenario, call]] = FIRST_CALL + call


# What is seen


@compiled_step
def write_turn(situation: Situation, codes: Codes, stands_for: Actions, counts_as: Codes) -> Any:
    """Write the question of a turn, and return its scenario."""
    for place in range(len(codes)):
        codes[place] = 0
    answers_truco, follows = situation[TRUCO_CALL] > 0, situation[FACED] != NOTHING
    number = situation[ROUNDS_OVER]
    if situation[FLOR_STATE] == CHAIN_WAITS:
        scenario = ANSWER_FLOR
        place = write_flor(situation, codes)
    elif situation[ENVIDO_STATE] == CHAIN_WAITS:
        scenario = ANSWER_ENVIDO
        place = write_envido(situation, codes)
    elif situation[LEGAL] & OPENING_BITS:
        scenario = ANSWER_OPEN if answers_truco else OPEN + follows
        place = write_opening(situation, codes)
    else:
        scenario = ANSWER_ROUND + number if answers_truco else ROUND + 2 * number + follows
        place = write_round(situation, codes)
    for side in range(2):
        codes[place + side] = lack_code(situation[TARGET] - situation[OWN_SCORE + side])
    if scenario == ANSWER_OPEN:
        codes[place + 2] = situation[IS_MAO]
    write_answers(situation, scenario, stands_for, counts_as)
    return scenario


@compiled_step
def write_flor(situation: Situation, codes: Codes) -> int:
    """Write the features of the answer to a flor; return how many there are."""
    codes[0], codes[1] = flor_code(situation), situation[IS_MAO]
    codes[2] = situation[FLOR_CALLED] % FLOR_BASE - 1
    place = write_held(situation, codes, 3)
    codes[place] = table_code(situation)
    return place + 1


@compiled_step
def write_envido(situation: Situation, codes: Codes) -> int:
    """Write the features of the answer to an envido."""
    codes[0], codes[1] = situation[OWN_ENVIDO], situation[IS_MAO]
    codes[2] = CHAIN_CODES[min(situation[ENVIDO_CALLED], len(CHAIN_CODES) - 1)]
    place = write_held(situation, codes, 3)
    codes[place], codes[place + 1] = table_code(situation), truco_code(situation)
    return place + 2


@compiled_step
def write_opening(situation: Situation, codes: Codes) -> int:
    """Write the features of a turn in which envido or flor can be called."""
    place = write_held(situation, codes, 0)
    codes[place], codes[place + 1] = situation[OWN_ENVIDO], flor_code(situation)
    place = write_card_to_beat(situation, codes, place + 2)
    codes[place] = truco_code(situation)
    return place + 1


@compiled_step
def write_round(situation: Situation, codes: Codes) -> Any:
    """Write the features of a turn when envido and flor are over."""
    number = situation[ROUNDS_OVER]
    place = write_held(situation, codes, 0)
    if number:
        codes[1], place = codes[2], HAND - number
        codes[place] = count_beaters(situation)
        place += 1
    codes[place] = situation[IS_MAO]
    place = write_card_to_beat(situation, codes, place + 1)
    for past in range(number):
        codes[place + past] = situation[ROUND_WINNERS + past]
        codes[place + number + past] = best_code(situation, past)
    place += 2 * number
    codes[place] = truco_code(situation)
    codes[place + 1], codes[place + 2] = points_code(situation), other_points(situation)
    return place + 3


@compiled_step
def held_power(situation: Situation, rank: int) -> Any:
    """The strength of the strongest card held, of the second or the third; 0 if fewer are held."""
    for place in range(HAND):
        if is_held(situation, place):
            before = 0
            for other in range(HAND):
                if is_held(situation, other):
                    before += precedes(situation, other, place)
            if before == rank:
                return power_at(situation, place)
    return 0


@compiled_step
def write_held(situation: Situation, codes: Codes, place: int) -> int:
    """Write the strengths of the cards in hand by label; return the place after them."""
    held = count_held(situation)
    for label in range(HAND):
        codes[place + label] = ABSENT_CODE
    for rank in range(held):
        codes[place + label_at(held, rank)] = held_power(situation, rank) - 1
    return place + HAND


@compiled_step
def table_code(situation: Situation) -> Any:
    """The card of the other seat in this round."""
    power = situation[FACED]
    return ABSENT_CODE if power == NOTHING else power - 1 if power else DOWN_CODE


@compiled_step
def write_card_to_beat(situation: Situation, codes: Codes, place: int) -> int:
    """Write the card to be answered, the lowest card in hand that beats it, and whether one is as strong."""
    faced, held, stronger = situation[FACED], count_held(situation), 0
    codes[place], codes[place + 1], codes[place + 2] = table_code(situation), NOTHING_TO_BEAT, 0
    if faced != NOTHING:
        for rank in range(held):
            stronger += held_power(situation, rank) > faced
            if held_power(situation, rank) == faced:
                codes[place + 2] = 1
        codes[place + 1] = FIRST_WINNER + label_at(held, stronger - 1) if stronger else NO_WINNER
    return place + 3


@compiled_step
def table_power(situation: Situation, place: int) -> Any:
    """The strength of a card on the table, 0 face down."""
    face = situation[ON_TABLE + place] & (BY_OTHER - 1)
    return 0 if face >= FACE_DOWN else STRENGTHS[face]


@compiled_step
def best_code(situation: Situation, number: int) -> Any:
    """The strongest card of a finished round."""
    best = max(table_power(situation, 2 * number), table_power(situation, 2 * number + 1))
    return best - 1 if best else DOWN_CODE


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
def flor_code(situation: Situation) -> Any:
    """Own flor points; a value of its own without a flor."""
    return situation[OWN_FLOR] - FIRST_FLOR if situation[OWN_FLOR] else NO_FLOR


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
        return BY_FLOR if situation[FLOR_CALLED] else SETTLED_NOT
    lost = situation[WON] <= situation[WON + 1]
    if situation[SHOWN] or situation[SHOWN + 1]:
        return WON_BY + lost
    return DECLINED + 1 - lost


@compiled_step
def other_points(situation: Situation) -> Any:
    """The envido points that the other seat has shown."""
    is_shown = situation[SHOWN + 1] and situation[ENVIDO_CALLED] and not situation[FLOR_CALLED]
    return situation[SHOWN + 1] - 1 if is_shown else UNKNOWN_POINTS


@compiled_step
def lack_code(lack: int) -> int:
    """The class of what a side lacks, from 0.

    >>> [lack_code(lack) for lack in (1, 2, 3, 8, 9, 24)]
    [0, 1, 2, 3, 4, 4]
    """
    code = 0
    for most in LACKS:
        code += lack > most
    return code


# In words


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask what this turn asks: one question."""
    yield ask_turn(seen)


def turn(seen: TrucoObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what to do now, and give the action of the answer."""
    question = ask_turn(seen)
    return question.answers[answer(question)]


def ask_turn(seen: TrucoObservation) -> Question:
    """The question of a turn."""
    situation, room = known_by(seen), make_room(VOCABULARY, 1)
    number = int(write_turn(situation, *(rows[0] for rows in room[1:])))
    return in_words(VOCABULARY, seen, situation, number, *(rows[0].tolist() for rows in room[1:]))


# Many turns


class Turns(Turns1):
    """What the turns of n seats ask, one question each, and what they do."""

    vocabulary = VOCABULARY

    def _write_questions(self, scenario: Codes, codes: Codes, counts_as: Codes) -> int:
        self.about[:] = WHOLE_TURN
        return ask_turns(
            self.situations, self.actions, self.waiting, self.stands_for, scenario, codes, counts_as
        )


@compiled_loop
def ask_turns(
    situations: NDArray[np.int32],
    actions: Actions,
    waiting: Longs,
    stands_for: Actions,
    scenario: Codes,
    codes: Codes,
    counts_as: Codes,
) -> int:
    """Write down the question of every turn that has no action, and return how many these are."""
    count = 0
    for turn in range(len(situations)):
        if actions[turn] == NO_ACTION:
            scenario[count] = write_turn(situations[turn], codes[count], stands_for[count], counts_as[count])
            actions[turn] = only_action(stands_for[count])
            waiting[count] = turn
            count += actions[turn] == NO_ACTION
    return count
