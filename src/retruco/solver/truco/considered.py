"""The actions that the solver considers at Truco, in the readable engine.

`abstraction.solver_actions` leaves out two kinds of actions on the compiled rules. These functions leave
out the same in the readable engine, so that small games can be solved with and without them.
"""

from __future__ import annotations

from collections.abc import Sequence

from retruco.games.core import Action
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.state import TrucoState


def without_folding(state: TrucoState) -> Sequence[Action]:
    """Go to the deck only as the first action of a hand."""
    return [action for action in state.legal if action != "baralho" or not state.log]


def without_face_down(state: TrucoState) -> Sequence[Action]:
    """Play a card face down only as the lowest card of the seat that leads after winning round one."""
    allowed = lowest_face_down(state)
    return [action for action in state.legal if not action.startswith(DOWN_PREFIX) or action == allowed]


def lowest_face_down(state: TrucoState) -> Action | None:
    """The lowest card face down, for the seat that has won round one and leads the second."""
    seat, rounds = state.to_act, state.rounds
    if seat is None or len(rounds.plays) != 2 or rounds.winners[0] != seat:
        return None
    return DOWN_PREFIX + min(rounds.held(seat, state.hands[seat]), key=STRENGTH.__getitem__)


def considered_actions(state: TrucoState) -> Sequence[Action]:
    """What is left of the legal actions without both kinds."""
    shown = without_face_down(state)
    return [action for action in without_folding(state) if action in shown]
