"""What a seat knows of a hand as a row of the solver.

A row has the mão in seat 0 and own cards in order of strength. Of the other seat it has what was played and shown; all
else of it never enters a key. A situation of compiled play says in which public state of the tables it is; in one that
was read from an observation that is found by following the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retruco.cards import Card
from retruco.compiler import compiled_step
from retruco.games.truco.compiled.automaton import ENVIDO, MAO_FLOR, NO_CONDITION, PE_FLOR, ROUND
from retruco.games.truco.compiled.stepper import (
    CARD_COLUMNS,
    CARDS,
    CONDITIONS,
    FACING,
    FIRST_CALL,
    HAND,
    HELD,
    MAO,
    PLAYS,
    SCORES,
    STATE,
    TABLE,
    Row,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import CALLS
from retruco.games.truco.situation import (
    DEALT,
    DECLINED_BY_ME,
    DECLINED_BY_OTHER,
    FLOR_SETTLED,
    HELD_CARDS,
    IS_MAO,
    ON_TABLE,
    OTHER_FLOR,
    OTHER_SCORE,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    POINTS_END,
    PUBLIC_STATE,
    SHOWN,
    TABLE_SIZE,
    Situation,
    situation_of,
)
from retruco.games.truco.state import Acted
from retruco.solver.policy import UNKNOWN
from retruco.solver.truco.abstraction import DECLINED, ENVIDO_POINTS, FLOR_POINTS, SETTLED, power_on_table
from retruco.solver.truco.abstraction import SHOWN as SHOWN_BY_SEAT

NO_CARD: Final = -1


@compiled_step
def read_situation(tables: Tables, situation: Situation, row: Row) -> None:
    """Write down what the seat to act knows."""
    me, other = 1 - situation[IS_MAO], situation[IS_MAO]
    row[STATE], row[MAO] = situation[PUBLIC_STATE], 0
    row[SCORES + me], row[SCORES + other] = situation[OWN_SCORE], situation[OTHER_SCORE]
    row[ENVIDO_POINTS + me], row[FLOR_POINTS + me] = situation[OWN_ENVIDO], situation[OWN_FLOR]
    row[CONDITIONS + MAO_FLOR + me] = situation[OWN_FLOR] > 0
    row[CONDITIONS + MAO_FLOR + other] = situation[OTHER_FLOR] > 0
    read_cards(tables, situation, row, me)
    row[PLAYS], row[FACING] = situation[TABLE_SIZE], 0
    for place in range(row[PLAYS]):
        row[TABLE + place] = situation[ON_TABLE + place]
        row[FACING] = power_on_table(tables, row, place)
    end = situation[POINTS_END]
    row[SHOWN_BY_SEAT + me] = 0
    row[SHOWN_BY_SEAT + other] = situation[SHOWN + (3 if end == FLOR_SETTLED else 1)]
    if end in (DECLINED_BY_ME, DECLINED_BY_OTHER):
        end = DECLINED + (me if end == DECLINED_BY_ME else other)
    row[SETTLED] = end


@compiled_step
def read_cards(tables: Tables, situation: Situation, row: Row, me: int) -> None:
    """Write down own cards, highest first, equal ones as they were dealt, and which of them are held."""
    row[HELD + me] = 0
    for place in range(HAND):
        card, higher = situation[DEALT + place], 0
        for before in range(HAND):
            more = tables.strength[situation[DEALT + before]] - tables.strength[card]
            higher += more > 0 or (more == 0 and before < place)
        row[CARDS + HAND * me + higher] = card
        row[HELD + me] |= (situation[HELD_CARDS] >> place & 1) << higher


@compiled_step
def as_dealt(situation: Situation, row: Row, action: int) -> int:
    """An action of a row as the stepper has it, with the card by its place in the hand that was dealt."""
    if action < FIRST_CALL:
        card = row[CARDS + HAND * (1 - situation[IS_MAO]) + action % HAND]
        for place in range(HAND):
            if situation[DEALT + place] == card:
                return HAND * (action // HAND) + place
    return action


@compiled_step
def as_sorted(situation: Situation, row: Row, action: int) -> int:
    """The other way round: an action with a card by its place in the hand that was dealt as the row has it."""
    if action < FIRST_CALL:
        first = CARDS + HAND * (1 - situation[IS_MAO])
        for place in range(HAND):
            if row[first + place] == situation[DEALT + action % HAND]:
                return HAND * (action // HAND) + place
    return action


# From an observation


def known_situation(tables: Tables, seen: TrucoObservation) -> Situation:
    """What the seat to act knows, with the public state."""
    found, path = situation_of(seen), follow_log(tables, seen)
    found[PUBLIC_STATE] = path[-1][2] if path else 0
    return found


def follow_log(tables: Tables, seen: TrucoObservation) -> list[tuple[int, int, int]]:
    """All that was done so far: the number of the action, the strength of a card, and the public state after it.

    A card of the other seat has no number, because its place in the hand is not known. A chain of calls that is longer
    than the tables know, because it was to another target, counts as two calls shorter.
    """
    hand, plays = strongest_first(seen.hand), iter(seen.rounds.plays)
    state, facing, path = 0, 0, list[tuple[int, int, int]]()
    for event in seen.log:
        if type(event) is not Acted:
            continue
        if event.action in CALLS:
            column, power = CARD_COLUMNS + CALLS.index(event.action), NO_CARD
            number = column - CARD_COLUMNS + FIRST_CALL
        else:
            play = next(plays)
            column, power = int(play.down), play.power
            number = (
                HAND * column + hand.index(play.card) if play.seat == seen.seat and play.card else NO_CARD
            )
        edge = int(tables.edge[state, column])
        condition = int(tables.condition[edge])
        outcome = tables.result[facing, power] if condition == ROUND else known_outcome(seen, condition)
        state = int(tables.next[edge, outcome]) if edge != UNKNOWN else path[-2][2]
        facing = facing if power == NO_CARD else power
        path.append((number, power, state))
    return path


def known_outcome(seen: TrucoObservation, condition: int) -> int:
    """What the deal has led to, as far as it was shown; the mão has more points if the other has shown none."""
    if condition == NO_CONDITION:
        return 0
    if condition in (MAO_FLOR, PE_FLOR):
        return int(bool(seen.knows_flor(seen.mao if condition == MAO_FLOR else 1 - seen.mao)))
    shown = seen.announced("envido" if condition == ENVIDO else "flor")[1 - seen.mao]
    return 2 if shown is None else 0


def strongest_first(hand: Sequence[Card]) -> list[Card]:
    """A hand in the order of a row.

    >>> strongest_first((Card("4c"), Card("3e"), Card("4o")))
    ['3e', '4c', '4o']
    """
    return sorted(hand, key=STRENGTH.__getitem__, reverse=True)
