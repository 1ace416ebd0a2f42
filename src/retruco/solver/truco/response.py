"""A response: the action that it plays in every information set.

A response distinguishes what its abstraction does, and the class of the score. Where it has not met an
information set, it plays as in a coarse one: the public state and how good the hand is (see `opponent_model`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled, compiled_step
from retruco.games.truco.compiled.stepper import STATE, Row
from retruco.games.truco.compiled.tables import Tables
from retruco.solver.policy import UNKNOWN, Policy, find_key, make_policy
from retruco.solver.truco.abstraction import Abstraction, information_key, solver_actions
from retruco.solver.truco.opponent_model import COUNT_BITS, SCORE_BITS, public_key, score_class
from retruco.solver.truco.strategy import default_place

LEVEL: Final = "xs"
"""The abstraction of a response."""


def one_choice_policy(keys: NDArray[np.int64], counts: NDArray[np.int8], chosen: NDArray[np.int8]) -> Policy:
    """A policy that always does the same in an information set."""
    ends = np.cumsum(counts, dtype=np.int64)
    weights = np.zeros(int(ends[-1]) if len(ends) else 0)
    weights[ends - counts + chosen] = 1
    return make_policy(keys, counts, weights)


@compiled
def best_places(
    regret: NDArray[np.float32], first: NDArray[np.int64], counts: NDArray[np.int8]
) -> NDArray[np.int8]:
    """By information set: the action with the greatest regret."""
    chosen = np.zeros(len(first), dtype=np.int8)
    for number in range(len(first)):
        chosen[number] = np.argmax(regret[first[number] : first[number] + counts[number]])
    return chosen


@compiled_step
def response_key(tables: Tables, abstraction: Abstraction, row: Row) -> Any:
    """The key of what the responder knows."""
    key = information_key(tables, abstraction, row)
    return (key << SCORE_BITS | score_class(tables, row, tables.actor[row[STATE]])) << 1


@compiled_step
def coarse_key(tables: Tables, abstraction: Abstraction, row: Row, count: int) -> Any:
    """The key of the coarse information set."""
    key = public_key(tables, abstraction, row) << COUNT_BITS | count
    return (key << SCORE_BITS | score_class(tables, row, tables.actor[row[STATE]])) << 1 | 1


@compiled_step
def choose_response(
    tables: Tables, abstraction: Abstraction, policy: Policy, row: Row, actions: Row
) -> tuple[int, bool]:
    """The place of the action that a response plays, among those it considers, and whether it has learnt it.

    Where it has met neither this information set nor the coarse one, it declines or plays its highest card.
    """
    count = solver_actions(tables, row, actions)
    if count == 1:
        return 0, True
    for key in (
        response_key(tables, abstraction, row),
        coarse_key(tables, abstraction, row, count),
    ):
        at = find_key(policy, key)
        if at != UNKNOWN and policy.actions[at] == count:
            best = 0
            for place in range(1, count):
                if policy.probability[policy.first[at] + place] > policy.probability[policy.first[at] + best]:
                    best = place
            return best, bool(key & 1 == 0)
    return default_place(actions, count), False
