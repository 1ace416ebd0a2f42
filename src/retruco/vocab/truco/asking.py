"""What a turn asks, as compiled functions over a situation, for all vocabularies of Truco.

In vocabulary 1 a turn asks about flor, envido, truco and the card, in this order. In a free turn each is asked only if
some call of its kind is legal, and the first answer that is not `none` ends the asking. Facing a bet, what comes first
is asked before the answer to the bet. In vocabulary 2 a turn is one question, whose answers are all that can be done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.vocabulary import Vocabulary
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.truco.compiled.automaton import CARD, COLUMNS, DOWN
from retruco.games.truco.compiled.stepper import CARD_COLUMNS, FIRST_CALL, HAND
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.games.truco.situation import (
    COLUMN_BITS,
    ENVIDO_STATE,
    FACED,
    FLOR_STATE,
    HELD_CARDS,
    IS_MAO,
    LEGAL,
    LYING,
    ME,
    NOTHING,
    QUERO,
    ROUND_WINNERS,
    ROUNDS_OVER,
    TRUCO_CALL,
    Situation,
)
from retruco.vocab.truco.scenarios import VOCABULARY
from retruco.vocab.truco.scenarios_2 import VOCABULARY as VOCABULARY_2
from retruco.vocab.truco.seeing import (
    SOURCES_1,
    Sources,
    code_of,
    count_held,
    is_held,
    list_sources,
    place_by_power,
    power_at,
)

Codes: TypeAlias = NDArray[np.uint8]
Actions: TypeAlias = NDArray[np.int8]
"""Actions as the stepper numbers them."""
Longs: TypeAlias = NDArray[np.int64]

NO_ACTION, NO_ANSWER = -1, -2
"""`none` stands for no action, but for the next question; what cannot be answered is no answer."""
ABOUT_FLOR, ABOUT_ENVIDO, ABOUT_TRUCO, ABOUT_CARD, WHOLE_TURN = range(5)
"""What a question is about; in vocabulary 2 about all that a turn can bring."""
ABOUT: Final = {"flor": ABOUT_FLOR, "envido": ABOUT_ENVIDO, "truco": ABOUT_TRUCO, "card": ABOUT_CARD}
"""By the first word of a scenario."""
NONE: Final = 0
"""The first answer to a question about calls."""
DOWN_ANSWER: Final = HAND
"""After the labels comes the lowest card face down."""
FAR: Final = len(STRENGTH)
"""Further apart than any two strengths are."""

FLOR_BITS, ENVIDO_BITS, TRUCO_BITS = (
    sum(COLUMN_BITS[call] for call in calls) for calls in (FLOR_CALLS, ENVIDO_CALLS, TRUCO_CALLS)
)
CARD_BIT, DOWN_BIT = 1 << COLUMNS.index(CARD), 1 << COLUMNS.index(DOWN)


class Words(NamedTuple):
    """How compiled functions ask in the words of a vocabulary."""

    vocabulary: Vocabulary
    sources: Sources
    """By scenario, where its features are taken from."""
    calls: Actions
    """By scenario and call: which answer the call is, or `NO_ANSWER`."""
    about: tuple[int, ...]
    """By scenario, what its questions are about."""
    first: int
    """What the first question of a turn is about."""


def words_of(vocabulary: Vocabulary, sources: Mapping[str, int]) -> Words:
    """Prepare a vocabulary for asking."""
    calls = np.full((len(vocabulary.scenarios), len(CALLS)), NO_ANSWER, np.int8)
    for row, scenario in zip(calls, vocabulary.scenarios, strict=True):
        for answer, action in enumerate(scenario.actions):
            if action in CALLS:
                row[CALLS.index(action)] = answer
    about = tuple(ABOUT.get(scenario.name.partition("-")[0], WHOLE_TURN) for scenario in vocabulary.scenarios)
    return Words(vocabulary, list_sources(vocabulary, sources), calls, about, min(about))


WORDS: Final = words_of(VOCABULARY, SOURCES_1)


def make_room(vocabulary: Vocabulary, questions: int) -> tuple[Codes, Codes, Actions, Codes]:
    """Room for questions to be written down: scenarios, codes, what answers stand for and what they count as."""
    answers = questions, vocabulary.most_actions
    return (
        np.empty(questions, np.uint8),
        np.empty((questions, vocabulary.most_features), np.uint8),
        np.empty(answers, np.int8),
        np.empty(answers, np.uint8),
    )


# Scenarios


def places(vocabulary: Vocabulary, *names: str) -> list[int]:
    """The places of scenarios in a vocabulary."""
    return [vocabulary.scenarios.index(vocabulary[name]) for name in names]


FIRST_CARD, ENVIDO_FIRST, TRUCO_FIRST, FLOR = places(
    VOCABULARY, "card-1-lead", "envido-first", "truco-1-first", "flor"
)
"""Where the scenarios of a kind begin; of two, the second is for who plays second."""
OPEN, ANSWER_ENVIDO, ANSWER_FLOR, ANSWER_OPEN, FIRST_ROUND, ANSWER_ROUND = places(
    VOCABULARY_2, "open-lead", "answer-envido", "answer-flor", "answer-truco-open", "round-1-lead", "answer-truco-1"
)  # fmt: skip
"""The same in vocabulary 2; of two, the second is for who follows."""


@compiled_step
def scenario_of(situation: Situation, about: int) -> Any:
    """The scenario of a question."""
    number = situation[ROUNDS_OVER]
    if about == WHOLE_TURN:
        return scenario_of_turn(situation)
    if about == ABOUT_FLOR:
        return FLOR
    if about == ABOUT_ENVIDO:
        return ENVIDO_FIRST + 1 - situation[IS_MAO]
    if about == ABOUT_CARD:
        return FIRST_CARD + 2 * number + (situation[FACED] != NOTHING)
    return TRUCO_FIRST + 2 * number + (not leads_round(situation))


@compiled_step
def leads_round(situation: Situation) -> Any:
    """Whether this seat leads the round being played; the mão leads the first."""
    if situation[ROUNDS_OVER] == 0:
        return situation[IS_MAO] > 0
    if situation[LYING] != NOTHING or situation[FACED] != NOTHING:
        return situation[LYING] != NOTHING
    winner = situation[ROUND_WINNERS + situation[ROUNDS_OVER] - 1]
    return winner == ME or (winner == 0 and situation[IS_MAO] > 0)


@compiled_step
def scenario_of_turn(situation: Situation) -> Any:
    """The scenario of a turn in vocabulary 2."""
    answers_truco, follows = situation[TRUCO_CALL] > 0, situation[FACED] != NOTHING
    if situation[FLOR_STATE] == CHAIN_WAITS:
        return ANSWER_FLOR
    if situation[ENVIDO_STATE] == CHAIN_WAITS:
        return ANSWER_ENVIDO
    if situation[LEGAL] & (FLOR_BITS | ENVIDO_BITS):
        return ANSWER_OPEN if answers_truco else OPEN + follows
    number = situation[ROUNDS_OVER]
    return ANSWER_ROUND + number if answers_truco else FIRST_ROUND + 2 * number + follows


# Answers


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
    return bool(about == WHOLE_TURN or not (flor or envido or truco or situation[HELD_CARDS] == 0))


@compiled_step
def has_replies(situation: Situation, about: int) -> Any:
    """Whether replies are answers to a question: those to a bet, or going to the deck instead of playing a card."""
    if about == ABOUT_FLOR:
        return situation[FLOR_STATE] == CHAIN_WAITS
    if about == ABOUT_ENVIDO:
        return situation[ENVIDO_STATE] == CHAIN_WAITS
    return about != ABOUT_TRUCO or situation[TRUCO_CALL] > 0


@compiled_step
def write_calls(situation: Situation, answers: Actions, replies: bool, stands_for: Actions) -> None:
    """Write the calls that are legal beside the replies or, if one need not call, `none`."""
    need_not = situation[LEGAL] & (CARD_BIT | DOWN_BIT) != 0
    for call in range(len(CALLS)):
        if situation[LEGAL] >> (call + CARD_COLUMNS) & 1:
            if answers[call] != NO_ANSWER and (call < QUERO or replies):
                stands_for[answers[call]] = FIRST_CALL + call
            else:
                need_not = True
    if need_not and not replies:
        stands_for[NONE] = NO_ACTION


@compiled_step
def write_cards(situation: Situation, about: int, stands_for: Actions, counts_as: Codes) -> None:
    """Write the cards that can be played, equal ones as one answer, and the lowest of them face down.

    Of equal cards the one is played whose suit tells least of the envido.
    """
    held, before, label, power = count_held(situation), 0, 0, 0
    for rank in range(HAND):
        place = place_by_power(situation, rank)
        if is_held(situation, place):
            own = label_of(situation, place) if about == ABOUT_CARD else label_in_hand(held, before)
            if power_at(situation, place) != power:
                label, power = own, power_at(situation, place)
                stands_for[label] = place
            counts_as[own] = label
            before += 1
    if situation[LEGAL] & DOWN_BIT:
        stands_for[DOWN_ANSWER] = HAND + stands_for[label]
    if about == WHOLE_TURN:
        counts_as[1] = counts_as[1] if held == HAND else 0
        counts_as[2] = counts_as[2] if held > 1 else 0
        return
    for gone in range(HAND):
        if stands_for[gone] < 0:
            counts_as[gone] = nearest_label(situation, stands_for, gone)


@compiled_step
def label_in_hand(held: int, rank: int) -> int:
    """The label of a card by its rank among those held: of two the second is `low`, a single one is `high`."""
    return rank if held == HAND else 2 * rank


@compiled_step
def label_of(situation: Situation, place: int) -> int:
    """The label under which a held card would be played in vocabulary 1, equal cards under the same.

    Of equal cards the one played first takes the higher free label.
    """
    power, label = power_at(situation, place), 0
    for other in range(HAND):
        label += power_at(situation, other) >= power
        label -= power_at(situation, other) == power and is_held(situation, other)
    return label


@compiled_step
def nearest_label(situation: Situation, stands_for: Actions, gone: int) -> int:
    """The label left whose card is nearest by strength to one that is gone, the higher of two as near."""
    power, found, least = power_at(situation, place_by_power(situation, gone)), 0, FAR
    for label in range(HAND):
        if stands_for[label] >= 0:
            far = abs(power_at(situation, stands_for[label]) - power)
            if far < least:
                found, least = label, far
    return found


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


# Questions


@compiled_step
def write_question(
    sources: Sources,
    calls: Actions,
    situation: Situation,
    about: int,
    codes: Codes,
    stands_for: Actions,
    counts_as: Codes,
) -> Any:
    """Write down what is seen, what each answer stands for and what it counts as; return the scenario."""
    scenario = scenario_of(situation, about)
    for place in range(len(codes)):
        source = sources[scenario, place]
        codes[place] = 0 if source == NOTHING else code_of(situation, source)
    for answer in range(len(stands_for)):
        stands_for[answer], counts_as[answer] = NO_ANSWER, answer
    if about >= ABOUT_CARD and situation[LEGAL] & CARD_BIT:
        write_cards(situation, about, stands_for, counts_as)
    write_calls(situation, calls[scenario], has_replies(situation, about), stands_for)
    return scenario


@compiled_step
def write_turn(
    sources: Sources,
    calls: Actions,
    first: int,
    situation: Situation,
    scenario: Codes,
    codes: Codes,
    stands_for: Actions,
    counts_as: Codes,
) -> int:
    """Write down the questions of a turn, as far as no answer ends it, and return how many these are."""
    count = 0
    for about in range(first, max(WHOLE_TURN, first + 1)):
        if is_asked(situation, about):
            row = codes[count], stands_for[count], counts_as[count]
            scenario[count] = write_question(sources, calls, situation, about, row[0], row[1], row[2])
            count += 1
    return count


@compiled_loop
def ask_many(
    sources: Sources,
    calls: Actions,
    situations: NDArray[np.int32],
    next_about: Actions,
    actions: Actions,
    waiting: Longs,
    about: Actions,
    scenario: Codes,
    codes: Codes,
    stands_for: Actions,
    counts_as: Codes,
) -> int:
    """Write down the next question of every turn that has no action, and return how many these are."""
    count = 0
    for turn in range(len(situations)):
        while actions[turn] == NO_ACTION and next_about[turn] <= WHOLE_TURN:
            about[count] = next_about[turn]
            next_about[turn] += 1
            if is_asked(situations[turn], about[count]):
                scenario[count] = write_question(
                    sources,
                    calls,
                    situations[turn],
                    about[count],
                    codes[count],
                    stands_for[count],
                    counts_as[count],
                )
                actions[turn] = only_action(stands_for[count])
                if actions[turn] == NO_ACTION:
                    waiting[count] = turn
                    count += 1
                    break
    return count
