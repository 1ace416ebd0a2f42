"""What a seat sees of a hand as a row of the stepper: the strategy of a solution in any situation.

The other seat's cards are unknown. In their place the row has the cards that were played, and of their
points only what was shown; the rest never enters a key.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiler import compiled_step, fixed_types
from retruco.games.core import Action
from retruco.games.truco.compiled.automaton import ENVIDO, FLOR, MAO_FLOR, PE_FLOR
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARDS,
    CONDITIONS,
    FIRST_CALL,
    HAND,
    SCORES,
    STATE,
    Row,
    action_text,
    start_hand,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.games.truco.deck import STRENGTH, envido_points, flor_points
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS
from retruco.games.truco.state import Acted, Announced
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import (
    ENVIDO_POINTS,
    FLOR_POINTS,
    SOLVER_ROW,
    Abstraction,
    advance,
    solver_actions,
)
from retruco.solver.truco.strategy import fill_strategy

DECK_PLACE: Final = {card: place for place, card in enumerate(SPANISH_DECK)}
CALL_NUMBER: Final = {call: FIRST_CALL + place for place, call in enumerate(CALLS)}
MAO_IS_BETTER: Final = 2
HAND_IS_OVER: Final = "the hand is over"


class Mixture(NamedTuple):
    """What a solution plays in a situation."""

    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]
    is_known: bool
    """Whether the solution has met this information set."""


def find_mixture(tables: Tables, abstraction: Abstraction, policy: Policy, seen: TrucoObservation) -> Mixture:
    """What a solution plays for the seat to act."""
    hand = sorted(seen.hand, key=STRENGTH.__getitem__, reverse=True)
    row, numbers = observed_row(seen, hand), action_numbers(seen, hand)
    actions, mixture = np.zeros(ACTIONS, dtype=np.int32), np.zeros(ACTIONS)
    count, is_known = look_up(tables, abstraction, policy, row, numbers, actions, mixture)
    return Mixture(
        tuple([action_text(hand, action) for action in actions[:count].tolist()]),
        tuple(mixture[:count].tolist()),
        bool(is_known),
    )


def observed_row(seen: TrucoObservation, hand: list[Any]) -> Row:
    """The row at the beginning of the hand, with all that the seat knows now."""
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    me, other, mao = int(not seen.is_mao), int(seen.is_mao), seen.mao
    for place, seat in enumerate((mao, 1 - mao)):
        row[SCORES + place] = seen.scores[seat] - sum(pair[seat] for pair in seen.points)
    row[CARDS + HAND * me : CARDS + HAND * me + HAND] = [DECK_PLACE[card] for card in hand]
    row[ENVIDO_POINTS + me], row[FLOR_POINTS + me] = envido_points(seen.hand), flor_points(seen.hand)
    played = [play.card for play in seen.rounds.plays if play.seat != seen.seat]
    for place, card in enumerate(played):
        row[CARDS + HAND * other + place] = 0 if card is None else DECK_PLACE[card]
    row[CONDITIONS + ENVIDO] = row[CONDITIONS + FLOR] = MAO_IS_BETTER
    row[CONDITIONS + MAO_FLOR + me] = row[FLOR_POINTS + me] > 0
    row[CONDITIONS + MAO_FLOR + other] = bool(seen.knows_flor(seen.other))
    for event in seen.log:
        if type(event) is Announced:
            note_points(row, event, me, is_pe=event.seat != mao)
    return row


def note_points(row: Row, event: Announced, me: int, is_pe: bool) -> None:
    """Enter points that were shown; who shows them after the mão has the better ones."""
    envido = event.stage == "envido"
    if int(is_pe) != me:
        row[(ENVIDO_POINTS if envido else FLOR_POINTS) + int(is_pe)] = event.points
    if is_pe:
        row[CONDITIONS + (ENVIDO if envido else FLOR)] = 0


def action_numbers(seen: TrucoObservation, hand: list[Any]) -> Row:
    """All that was done so far, as numbers of the stepper."""
    numbers, played = [], 0
    for event in seen.log:
        if type(event) is not Acted:
            continue
        action = event.action
        if action in CALL_NUMBER:
            numbers.append(CALL_NUMBER[action])
        elif event.seat == seen.seat:
            is_down = action.startswith(DOWN_PREFIX)
            numbers.append(HAND * is_down + hand.index(action.removeprefix(DOWN_PREFIX)))
        else:
            numbers.append(HAND * action.startswith("down") + played)
            played += 1
    return np.array(numbers, dtype=np.int32)


@fixed_types
@compiled_step
def look_up(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    row: Row,
    numbers: Row,
    actions: Row,
    mixture: NDArray[np.float64],
) -> tuple[int, bool]:
    """Play a hand again and write down what is considered now, and how probable it is."""
    replay_row(tables, row, numbers)
    count = solver_actions(tables, row, actions)
    is_known = fill_strategy(tables, abstraction, policy, row, actions, count, mixture)
    return count, is_known


@compiled_step
def replay_row(tables: Tables, row: Row, numbers: Row) -> None:
    """Begin a hand of which some conditions are known, and play it up to now."""
    known = (
        row[CONDITIONS + ENVIDO],
        row[CONDITIONS + MAO_FLOR],
        row[CONDITIONS + PE_FLOR],
        row[CONDITIONS + FLOR],
    )
    start_hand(tables, row, 0)
    row[CONDITIONS + ENVIDO], row[CONDITIONS + MAO_FLOR] = known[0], known[1]
    row[CONDITIONS + PE_FLOR], row[CONDITIONS + FLOR] = known[2], known[3]
    for number in numbers:
        advance(tables, row, number)
        if row[STATE] < 0:
            raise ValueError(HAND_IS_OVER)
