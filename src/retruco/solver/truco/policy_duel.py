"""A quick duel of two strategies at Truco in compiled code: hands at no score, every deal played in both seats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part
from retruco.compiler import compiled
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE, Row
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.estimates import Estimate, estimate_mean
from retruco.solver.policy import Policy, draw_action, fill_mixture
from retruco.solver.truco.abstraction import (
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    deal_hand,
    hand_value,
    information_key,
    solver_actions,
)
from retruco.streams import begin_key


def compare_policies(
    game: Truco, level: str, policy: Policy, older: Policy, deals: int, seed: int
) -> Estimate:
    """What a policy wins a hand from another one; a deal, played in both seats, is the unit of the interval."""
    gains = np.zeros(deals)
    key = np.uint64(begin_key(3, "policy duel", seed))
    play_deals(tables_for(game), abstraction_for(game, level), policy, older, key, gains)
    return estimate_mean(gains)


@compiled
def play_deals(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    older: Policy,
    key: Any,
    gains: NDArray[np.float64],
) -> None:
    """Play deals; write down what the first policy won in the mean of both seats."""
    deal, row = np.zeros(SOLVER_ROW, dtype=np.int32), np.zeros(SOLVER_ROW, dtype=np.int32)
    deck, stream = np.zeros(DECK, dtype=np.int32), np.zeros(1, dtype=np.uint64)
    for number in range(len(gains)):
        stream[0] = add_part(key, number)
        deal[SCORES], deal[SCORES + 1] = 0, 0
        deal_hand(tables, deal, stream, deck)
        for seat in range(2):
            row[:] = deal
            value = play_hand(tables, abstraction, policy, older, seat, row, stream)
            gains[number] += (value if seat == 0 else -value) / 2


@compiled
def play_hand(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    older: Policy,
    seat: int,
    row: Row,
    stream: StreamState,
) -> float:
    """Play a hand in which the first policy has a seat; return what it is worth to the mão."""
    actions, mixture = np.zeros(ACTIONS, dtype=np.int32), np.zeros(ACTIONS)
    while row[STATE] >= 0:
        count = solver_actions(tables, row, actions)
        key = information_key(tables, abstraction, row)
        if tables.actor[row[STATE]] == seat:
            fill_mixture(policy, key, count, mixture)
        else:
            fill_mixture(older, key, count, mixture)
        advance(tables, row, actions[draw_action(stream, mixture, count)])
    return float(hand_value(tables, row))
