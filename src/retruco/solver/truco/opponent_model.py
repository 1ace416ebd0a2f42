"""What an agent does, counted by information set: the model of an opponent that a response is learnt against.

Every decision of the agent is counted under four keys, from fine to coarse:

| level | what is distinguished |
|---|---|
| `BY_SCORE` | the information set of abstraction `m`, and the class of the score |
| `EXACT` | the information set of abstraction `m` |
| `COARSE` | the information set of abstraction `xs` |
| `PUBLIC` | the public state, how good the best card is, how many cards win the round, a class of envido points |

Where few decisions were counted, the probabilities lean towards those of the next coarser level.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import mix
from retruco.compiler import compiled_step, inlined
from retruco.games.truco.compiled.stepper import (
    CARD_COLUMNS,
    CARDS,
    FACING,
    FIRST_CALL,
    HAND,
    HELD,
    PLAYS,
    SCORES,
    STATE,
    Row,
    legal_columns,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.games.truco.game import Truco
from retruco.solver.truco.abstraction import (
    ENVIDO_BUCKETS,
    ENVIDO_POINTS,
    THIRDS,
    Abstraction,
    abstraction_for,
    information_key,
)
from retruco.solver.truco.infosets import AVERAGE, EMPTY, Infosets, find_or_add

BY_SCORE, EXACT, COARSE, PUBLIC = range(4)
LEVELS: Final = 4
LEVEL_BITS: Final = 2
COUNT_BITS: Final = 5
SCORE_BITS: Final = 2
SCORE_CLASSES: Final = 4
FEW: Final = 4
"""A seat that lacks so many points at most is close to winning the match."""
LEANING: Final = 2.0
"""How many decisions the next coarser level counts for."""
ENOUGH: Final = 100.0
"""From so many decisions on, coarser levels are not asked."""


class Distinctions(NamedTuple):
    """The abstractions that the keys of a model are made of; compiled code takes it as it is."""

    exact: Abstraction
    coarse: Abstraction


def distinctions_for(game: Truco) -> Distinctions:
    """The distinctions of a game."""
    return Distinctions(abstraction_for(game, "m"), abstraction_for(game, "xs"))


@inlined
def score_class(tables: Tables, row: Row, seat: int) -> Any:
    """Whether a seat and the other are close to winning, as a number below `SCORE_CLASSES`."""
    own, other = tables.target - row[SCORES + seat], tables.target - row[SCORES + 1 - seat]
    return np.int64(2 * (own <= FEW) + (other <= FEW))


@compiled_step
def model_key(tables: Tables, distinctions: Distinctions, row: Row, count: int, level: int) -> Any:
    """The key of the seat to act at a level; `count` is how many actions it has."""
    if level == PUBLIC:
        key = public_key(tables, distinctions.exact, row)
    else:
        abstraction = distinctions.coarse if level == COARSE else distinctions.exact
        key = information_key(tables, abstraction, row)
        if level == BY_SCORE:
            key = key << SCORE_BITS | score_class(tables, row, tables.actor[row[STATE]])
    return (key << COUNT_BITS | count) << LEVEL_BITS | level


@compiled_step
def public_key(tables: Tables, abstraction: Abstraction, row: Row) -> Any:
    """A key of the public state and of how good the hand is."""
    seat, state = tables.actor[row[STATE]], row[STATE]
    best, winning = np.int64(0), np.int64(0)
    for place in range(HAND):
        if row[HELD + seat] >> place & 1:
            strength = tables.strength[row[CARDS + HAND * seat + place]]
            best = max(best, np.int64(strength))
            winning += row[PLAYS] % 2 == 1 and strength > row[FACING]
    points = np.int64(0)
    if abstraction.is_open[state]:
        for least in ENVIDO_BUCKETS:
            points += row[ENVIDO_POINTS + seat] >= least
    key = np.int64(abstraction.family[state])
    return ((key << 2 | THIRDS[best]) << 2 | winning) << 3 | points


# Actions of any agent: more of them than the solver considers


@compiled_step
def agent_actions(tables: Tables, row: Row, actions: Row) -> int:
    """Write down all actions that an agent has; return how many. Cards of equal strength are one action."""
    columns = legal_columns(tables, row)
    seat = tables.actor[row[STATE]]
    count = 0
    for column in range(CARD_COLUMNS):
        last = -1
        for place in range(HAND):
            power = tables.strength[row[CARDS + HAND * seat + place]]
            if columns >> column & 1 and row[HELD + seat] >> place & 1 and power != last:
                actions[count] = HAND * column + place
                count += 1
                last = power
    calls, action = columns >> CARD_COLUMNS, FIRST_CALL
    while calls:
        if calls & 1:
            actions[count] = action
            count += 1
        calls >>= 1
        action += 1
    return count


@compiled_step
def find_action(tables: Tables, row: Row, actions: Row, count: int, action: int) -> int:
    """The place of an action among those listed; a card of the same strength is the same action."""
    first = CARDS + HAND * tables.actor[row[STATE]]
    for place in range(count):
        listed = actions[place]
        if listed == action:
            return place
        is_same_column = listed < FIRST_CALL and action < FIRST_CALL and listed // HAND == action // HAND
        powers = tables.strength[row[first + listed % HAND]], tables.strength[row[first + action % HAND]]
        if is_same_column and powers[0] == powers[1]:
            return place
    return -1


# Counting and reading


@compiled_step
def count_decision(
    tables: Tables, distinctions: Distinctions, model: Infosets, row: Row, count: int, place: int
) -> None:
    """Count a decision of the seat to act at every level."""
    for level in range(LEVELS):
        first = find_or_add(model.sets, model_key(tables, distinctions, row, count, level), count)
        model.learnt[first + place, AVERAGE] += np.float32(1)


@compiled_step
def fill_model_mixture(
    tables: Tables,
    distinctions: Distinctions,
    model: Infosets,
    row: Row,
    count: int,
    mixture: NDArray[np.float64],
) -> None:
    """Write down how probable each action of the agent is."""
    for place in range(count):
        mixture[place] = 1.0 / count
    level = 0
    while level < LEVELS - 1 and total_at(tables, distinctions, model, row, count, level)[0] < ENOUGH:
        level += 1
    while level >= 0:
        total, first = total_at(tables, distinctions, model, row, count, level)
        if total == 0:
            return
        leaning = 0.0 if total >= ENOUGH else LEANING
        for place in range(count):
            counted = model.learnt[first + place, AVERAGE]
            mixture[place] = (counted + leaning * mixture[place]) / (total + leaning)
        level -= 1


@compiled_step
def total_at(
    tables: Tables, distinctions: Distinctions, model: Infosets, row: Row, count: int, level: int
) -> tuple[float, int]:
    """How many decisions were counted at a level, and where their actions begin."""
    total, first = 0.0, find_counted(model, model_key(tables, distinctions, row, count, level))
    if first != EMPTY:
        for place in range(first, first + count):
            total += model.learnt[place, AVERAGE]
    return total, first


@compiled_step
def find_counted(model: Infosets, key: Any) -> Any:
    """The first place of a key, or `EMPTY`."""
    mask = len(model.sets.slots) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while model.sets.slots[slot, 0] != EMPTY:
        if model.sets.slots[slot, 0] == key:
            return model.sets.slots[slot, 1]
        slot = (slot + 1) & mask
    return np.int64(EMPTY)
