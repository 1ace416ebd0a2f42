"""What a solution plays in a situation of a match.

A solution is for hands at no score. Once a side lacks few points, what counts is the chance to win the match
after each action, which the values of the solution tell. An action that costs chance is played more rarely the
more it costs, and not at all from `MOST_LOSS` on. At no score does a seat decline where that loses the match.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiled_streams import StreamState, weighted
from retruco.compiler import compiled_loop, compiled_step, fixed_types
from retruco.games.core import Action
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARD_COLUMNS,
    CARDS,
    FIRST_CALL,
    HAND,
    STATE,
    Row,
    action_text,
)
from retruco.games.truco.compiled.tables import POINTS_SHIFT, Tables
from retruco.games.truco.situation import IS_MAO, LEGAL, OTHER_SCORE, OWN_SCORE, STAKE, Situation
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import DECLINE, FOLD, SOLVER_ROW, Abstraction, solver_actions
from retruco.solver.truco.analysis import Judge
from retruco.solver.truco.observed import as_dealt, read_situation
from retruco.solver.truco.strategy import fill_strategy
from retruco.solver.truco.values import NO_VALUES, Values, write_worth

NEAR: Final = 8
"""The end is near once a side lacks so many points or fewer."""
MOST_LOSS: Final = 0.1
"""An action that costs so much chance to win the match is not played."""
REASONS: Final = ("solved", "solver.unknown", "solver.match")
SOLVED, UNKNOWN, WEIGHED = range(3)
"""Why a mixture is what it is."""


class Player(NamedTuple):
    """What plays a solution; compiled code takes it as it is."""

    tables: Tables
    abstraction: Abstraction
    policy: Policy
    valued: Abstraction
    """What the keys of its values distinguish."""
    values: Values
    has_values: bool
    """Whether actions are weighed near the end of a match."""


def make_player(
    tables: Tables, abstraction: Abstraction, policy: Policy, judge: Judge | None = None
) -> Player:
    """What plays a solution, with what judges actions near the end of a match or without."""
    if judge is None:
        return Player(tables, abstraction, policy, abstraction, NO_VALUES, has_values=False)
    return Player(tables, abstraction, policy, judge.abstraction, judge.values, has_values=True)


class Room(NamedTuple):
    """Room to work in."""

    row: Row
    actions: Row
    mixture: NDArray[np.float64]
    points: NDArray[np.float64]
    chances: NDArray[np.float64]
    weights: NDArray[np.float64]
    stream: StreamState


def make_room() -> Room:
    """Make room for a decision."""
    mixture, points, chances, weights = np.zeros((4, ACTIONS))
    row, actions, stream = np.zeros(SOLVER_ROW, np.int32), np.zeros(ACTIONS, np.int32), np.zeros(1, np.uint64)
    return Room(row, actions, mixture, points, chances, weights, stream)


class Mixture(NamedTuple):
    """What a solution plays in a situation."""

    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]
    reason: str = REASONS[SOLVED]

    @property
    def is_known(self) -> bool:
        """Whether the solution has met this information set."""
        return self.reason != REASONS[UNKNOWN]


def find_mixture(player: Player, situation: Situation) -> Mixture:
    """What a solution plays for the seat to act."""
    room = make_room()
    count, reason = look_up(player, situation, room)
    first = CARDS + HAND * (1 - situation[IS_MAO])
    hand = [SPANISH_DECK[card] for card in room.row[first : first + HAND]]
    actions = [action_text(hand, action) for action in room.actions[:count].tolist()]
    return Mixture(tuple(actions), tuple(room.mixture[:count].tolist()), REASONS[reason])


@compiled_loop
def draw_actions(
    player: Player,
    situations: NDArray[np.int32],
    streams: NDArray[np.uint64],
    room: Room,
    drawn: NDArray[np.int32],
) -> None:
    """Draw an action in every situation by its probability, cards by their place in the hand that was dealt."""
    for place in range(len(situations)):
        count, _ = fill_mixture(player, situations[place], room)
        room.stream[0] = streams[place]
        at = weighted(room.stream, room.mixture[:count])
        drawn[place] = as_dealt(situations[place], room.row, room.actions[at])


@compiled_step
def fill_mixture(player: Player, situation: Situation, room: Room) -> tuple[int, int]:
    """Write down what is considered and how probable it is; return how many actions these are, and the reason."""
    tables, row, actions, mixture = player.tables, room.row, room.actions, room.mixture
    read_situation(tables, situation, row)
    count = solver_actions(tables, row, actions)
    is_known = fill_strategy(tables, player.abstraction, player.policy, row, actions, count, mixture)
    reason = SOLVED if is_known else UNKNOWN
    if player.has_values and max(situation[OWN_SCORE], situation[OTHER_SCORE]) >= tables.target - NEAR:
        reason = WEIGHED
        if write_worth(tables, player.valued, player.values, row, actions, room.points, room.chances):
            weigh_by_chance(room.chances, count, room.weights)
            reweigh(mixture, room.weights, count)
    for at in range(count):
        room.weights[at] = may_be_played(tables, situation, row, actions[at])
    reweigh(mixture, room.weights, count)
    return count, reason


look_up = fixed_types(fill_mixture)


@compiled_step
def weigh_by_chance(chances: NDArray[np.float64], count: int, weights: NDArray[np.float64]) -> None:
    """Write down how much of each action is left by what it costs; 1 for the best."""
    best = chances[0]
    for at in range(1, count):
        best = max(best, chances[at])
    for at in range(count):
        weights[at] = max(0.0, 1 - (best - chances[at]) / MOST_LOSS)


@compiled_step
def may_be_played(tables: Tables, situation: Situation, row: Row, action: int) -> bool:
    """Whether an action is legal, and does not lose the match by giving way."""
    column, cost = action - FIRST_CALL + CARD_COLUMNS, 0
    if action < FIRST_CALL:
        column = action // HAND
    elif action == DECLINE:
        cost = tables.awards[tables.edge[row[STATE], column], 0, 0] >> POINTS_SHIFT
    elif action == FOLD:
        cost = situation[STAKE]
    is_safe = cost == 0 or situation[OTHER_SCORE] + cost < tables.target
    return bool(is_safe and situation[LEGAL] >> column & 1)


@compiled_step
def reweigh(mixture: NDArray[np.float64], weights: NDArray[np.float64], count: int) -> None:
    """Multiply probabilities by weights; where nothing is left, all of weight 1 are alike."""
    total, whole = 0.0, 0
    for at in range(count):
        total += mixture[at] * weights[at]
        whole += weights[at] == 1
    for at in range(count):
        if total > 0:
            mixture[at] *= weights[at] / total
        elif whole > 0:
            mixture[at] = (weights[at] == 1) / whole
