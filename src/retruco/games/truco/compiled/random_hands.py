"""Random hands in batches, compiled and readable: for benchmarks, and to compare the two engines."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiled_streams import add_part, below
from retruco.compiler import compiled
from retruco.games.truco.compiled.automaton import REASONS
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    DECK,
    POINTS,
    ROW,
    SCORES,
    STATE,
    action_number,
    deal_cards,
    legal_actions,
    play,
    seat_to_act,
    start_hand,
)
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.state import TrucoState
from retruco.streams import Stream, begin_key

NAME: Final = "random hand"
FOLD: Final = ACTIONS - 1
TRACE_FACTOR: Final = 31
TRACE_SIZE: Final = 1 << 40
"""A trace is a digest of who did what: traces of the same hand are equal."""

REASON, LENGTH, TRACE, BOARD, PAID = 0, 1, 2, 3, 5
RESULT: Final = 11
"""A result: the reason of the end, how many actions, their trace, the scores, and what was paid by stage and seat."""

Results: TypeAlias = NDArray[np.int64]


def play_random_hands(game: Truco, seed: int, count: int, first: int = 0, folding: bool = True) -> Results:
    """Play random hands in compiled code, each at random scores, with all chance from its own stream."""
    results = np.zeros((count, RESULT), dtype=np.int64)
    key = np.uint64(begin_key(3, NAME, seed))
    play_batch(tables_for(game), key, first, folding, results)
    return results


@compiled
def play_batch(tables: Tables, key: np.uint64, first: int, folding: bool, results: Results) -> None:
    """Play as many hands as there is room for results."""
    row, deck = np.zeros(ROW, dtype=np.int32), np.zeros(DECK, dtype=np.int32)
    legal, stream = np.zeros(ACTIONS, dtype=np.int32), np.zeros(1, dtype=np.uint64)
    for number in range(len(results)):
        stream[0] = add_part(key, first + number)
        row[SCORES], row[SCORES + 1] = below(stream, tables.target), below(stream, tables.target)
        mao = below(stream, 2)
        deal_cards(row, stream, deck)
        start_hand(tables, row, mao)
        length, trace = 0, 0
        while row[STATE] >= 0:
            many = legal_actions(tables, row, legal)
            if not folding and many > 1 and legal[many - 1] == FOLD:
                many -= 1
            action = legal[below(stream, many)]
            trace = (trace * TRACE_FACTOR + 2 * action + seat_to_act(tables, row) + 1) % TRACE_SIZE
            play(tables, row, action)
            length += 1
        result = results[number]
        result[REASON], result[LENGTH], result[TRACE] = -1 - row[STATE], length, trace
        result[BOARD], result[BOARD + 1] = row[SCORES], row[SCORES + 1]
        result[PAID : PAID + 6] = row[POINTS : POINTS + 6]


def play_readable_hand(game: Truco, seed: int, number: int, folding: bool = True) -> list[int]:
    """Play the same random hand with the readable engine, and give the same result."""
    chance = Stream(NAME, seed, number)
    scores = chance.below(game.target), chance.below(game.target)
    mao = chance.below(2)
    state = game.begin(game.deal(chance).hands, scores, mao)
    length = trace = 0
    while state.to_act is not None:
        action = chance.choice(choices(state, folding))
        code = action_number(state.hands[state.to_act], action)
        trace = (trace * TRACE_FACTOR + 2 * code + state.to_act + 1) % TRACE_SIZE
        state = state.play(action)
        length += 1
    assert state.outcome is not None
    paid = [points for pair in state.points for points in pair]
    return [REASONS.index(state.outcome.reason), length, trace, *state.scores, *paid]


def choices(state: TrucoState, folding: bool) -> tuple[str, ...]:
    """The legal actions, with or without going to the deck."""
    some = tuple(action for action in state.legal if action != "baralho")
    return state.legal if folding or not some else some


assert len(SPANISH_DECK) == DECK
