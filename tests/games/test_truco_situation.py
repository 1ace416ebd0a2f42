"""A situation is the same record from an observation and from a hand in compiled code, and knows no hidden card."""

from __future__ import annotations

import numpy as np
import pytest

from retruco.compiler import load_numba
from retruco.games.truco import Truco
from retruco.games.truco.compiled.stepper import ACTIONS, SCORES, STATE, legal_actions, row_of
from retruco.games.truco.compiled.stepper import action_number as number_of
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.rules import PRESETS
from retruco.games.truco.situation import (
    ENVIDO_CALLED,
    HAND_ROW,
    NOTHING,
    PUBLIC_STATE,
    SITUATION,
    begin_hand,
    carry_out,
    fill_situation,
    situation_of,
)
from retruco.streams import Stream

HANDS = 400


@pytest.mark.parametrize("rules", PRESETS)
def test_a_situation_is_the_same_from_an_observation_and_from_a_compiled_hand(rules: str) -> None:
    game = Truco.named(rules)
    tables = tables_for(game)
    row, filled = np.zeros(HAND_ROW, np.int32), np.zeros(SITUATION, np.int32)
    for number in range(HANDS):
        chance = Stream("situations", number)
        scores, mao = (chance.below(game.target), chance.below(game.target)), chance.below(2)
        state = game.begin(game.deal(chance).hands, scores, mao)
        row[: len(row_of(state.hands, scores))] = row_of(state.hands, scores)
        begin_hand(tables, row, mao)
        while state.to_act is not None:
            fill_situation(tables, row, filled)
            read = situation_of(state.observe(state.to_act))
            assert read[PUBLIC_STATE] == NOTHING
            read[PUBLIC_STATE] = filled[PUBLIC_STATE]
            assert read.tolist() == filled.tolist(), (state.actions, state.hands)
            action = chance.choice(state.legal[:-1] or state.legal)
            carry_out(tables, row, number_of(state.hands[state.to_act], action))
            state = state.play(action)
        assert tuple(row[SCORES : SCORES + 2]) == state.scores


def test_compiled_code_fills_a_situation_as_plain_python_does() -> None:
    game = Truco.named("trucogame")
    tables = tables_for(game)
    plain, machine = np.zeros((2, SITUATION), np.int32)
    for number in range(50):
        state = game.begin(game.deal(Stream("compiled", number)).hands, (0, 0), number % 2)
        row = np.zeros(HAND_ROW, np.int32)
        row[: len(row_of(state.hands, (0, 0)))] = row_of(state.hands, (0, 0))
        begin_hand(tables, row, number % 2)
        load_numba()
        while row[STATE] >= 0:
            fill_situation.py_func(tables, row, plain)  # type: ignore[attr-defined]  # what is compiled
            fill_situation(tables, row, machine)
            assert plain.tolist() == machine.tolist()
            legal = np.zeros(ACTIONS, np.int32)
            carry_out(tables, row, legal[number % legal_actions(tables, row, legal)])


def test_any_chain_of_envidos_is_told_exactly() -> None:
    game = Truco.named("cbtg", 250)
    state = game.begin(game.deal(Stream("chain", 3)).hands, (0, 0), 0)
    tables, row, filled = tables_for(game), np.zeros(HAND_ROW, np.int32), np.zeros(SITUATION, np.int32)
    row[: len(row_of(state.hands, (0, 0)))] = row_of(state.hands, (0, 0))
    begin_hand(tables, row, 0)
    told = set[int]()
    for call in ("envido", "envido", *["real-envido"] * 40, "falta-envido"):
        carry_out(tables, row, number_of(state.hands[0], call))
        state = state.play(call)
        assert state.to_act is not None
        fill_situation(tables, row, filled)
        read = situation_of(state.observe(state.to_act))
        assert read[ENVIDO_CALLED] == filled[ENVIDO_CALLED]
        told.add(int(read[ENVIDO_CALLED]))
    assert len(told) == 43
