"""Hands of Truco played at random, as readable observations and in compiled code side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import agent_stream
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.games.truco.compiled.stepper import action_number, row_of
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.situation import HAND_ROW, SITUATION, begin_hand, carry_out, fill_situation
from retruco.streams import Stream, key_number


class Turn(NamedTuple):
    """A decision, as it is told to one agent and to a batch."""

    state: TrucoState
    situation: NDArray[np.int32]
    key: tuple[int, int, int, int]

    @property
    def seen(self) -> TrucoObservation:
        """What the seat to act sees."""
        return self.state.observe(self.key[1])

    @property
    def chance(self) -> Stream:
        """The chance of the decision."""
        return agent_stream(*self.key)

    @property
    def stream(self) -> int:
        """The same for a batch."""
        return key_number("agent", *self.key)


def random_turns(game: Truco, hands: int) -> Iterator[Turn]:
    """The decisions of some hands at all scores; nobody goes to the deck where something else can be done."""
    tables, row = tables_for(game), np.zeros(HAND_ROW, np.int32)
    for number in range(hands):
        chance = Stream("random turns", number)
        scores, mao = (chance.below(game.target), chance.below(game.target)), chance.below(2)
        state, taken = game.begin(game.deal(chance).hands, scores, mao), 0
        row[: len(row_of(state.hands, scores))] = row_of(state.hands, scores)
        begin_hand(tables, row, mao)
        while (seat := state.to_act) is not None:
            situation = np.zeros(SITUATION, np.int32)
            fill_situation(tables, row, situation)
            yield Turn(state, situation, (number, seat, number, taken))
            action = chance.choice(state.legal[:-1] or state.legal)
            carry_out(tables, row, action_number(state.hands[seat], action))
            state, taken = state.play(action), taken + 1
