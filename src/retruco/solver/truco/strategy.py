"""What a solution of Truco plays in a hand: its mixture, and something sensible where it does not know the hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import Row
from retruco.games.truco.compiled.tables import Tables
from retruco.solver.policy import UNKNOWN, Policy, find_key
from retruco.solver.truco.abstraction import COARSEST, DECLINE, Abstraction, coarse_key, information_key


@compiled_step
def fill_strategy(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    row: Row,
    actions: Row,
    count: int,
    mixture: NDArray[np.float64],
) -> bool:
    """Write down how probable some actions are for the seat to act; tell whether the solution knows the situation.

    A solution of a finer level may have information sets of the coarsest, for where it has left out its own. Where it
    has neither, the seat declines what it is asked, and else plays its highest card.
    """
    if count == 1:
        mixture[0] = 1.0
        return True
    place = find_key(policy, information_key(tables, abstraction, row))
    if place == UNKNOWN and abstraction.level != COARSEST:
        place = find_key(policy, coarse_key(tables, abstraction, row))
    for at in range(count):
        if place != UNKNOWN:
            mixture[at] = policy.probability[policy.first[place] + at]
        else:
            mixture[at] = 0.0
    if place == UNKNOWN:
        mixture[default_place(actions, count)] = 1.0
    return bool(place != UNKNOWN)


@compiled_step
def default_place(actions: Row, count: int) -> int:
    """The place of the action without a solution: to decline, or the first, which is the highest card."""
    for at in range(count):
        if actions[at] == DECLINE:
            return at
    return 0
