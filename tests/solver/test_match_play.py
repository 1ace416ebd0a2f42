"""Solutions, responses and chance decide many situations at once as they decide each of them alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.reader import open_response
from retruco.agents.truco.shipped_solver import open_shipped, situations_at_target
from retruco.games.truco import Truco
from retruco.games.truco.compiled.stepper import action_number
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.situation import PUBLIC_STATE
from retruco.solver.truco.match_play import find_mixture
from retruco.solver.truco.observed import known_situation
from retruco.solver.truco.shipped import shipped_rules
from retruco.streams import Stream
from situations import random_turns

HANDS = 60


def decide_both_ways(agent: Any, game: Truco) -> tuple[list[int], list[int]]:
    turns = list(random_turns(game, HANDS))
    situations = np.array([turn.situation for turn in turns])
    streams = np.array([turn.stream for turn in turns], np.uint64)
    alone = [action_number(turn.seen.hand, ask_agent(agent, turn.seen, turn.chance).action) for turn in turns]
    return agent.decide_many(game, situations, streams).actions.tolist(), alone


@pytest.mark.parametrize("rules", shipped_rules())
@pytest.mark.parametrize("target", [None, 12, 40])
def test_many_situations_are_decided_as_each_of_them_is(rules: str, target: int | None) -> None:
    together, alone = decide_both_ways(find_agent("solver", "truco"), Truco.named(rules, target))
    assert together == alone


def test_a_response_decides_many_situations_as_each_of_them() -> None:
    response = open_response("balanced")
    together, alone = decide_both_ways(response, response.game)
    assert together == alone


def test_chance_draws_the_same_alone_and_among_many() -> None:
    together, alone = decide_both_ways(find_agent("random", "truco"), Truco.named("cbtg"))
    assert together == alone


@pytest.mark.parametrize("rules", shipped_rules())
def test_the_public_state_follows_from_what_was_said_and_shown(rules: str) -> None:
    game = Truco.named(rules)
    for turn in random_turns(game, HANDS):
        assert known_situation(tables_for(game), turn.seen).tolist() == turn.situation.tolist()


def test_a_chain_that_the_solution_cannot_have_is_answered_as_a_shorter_one() -> None:
    """To 40 points, real-envido is repeated more often than to the 24 of the solution."""
    played, solver = Truco.named("cbtg", 40), open_shipped("cbtg")
    state = played.begin(played.deal(Stream(1)).hands, (0, 0), 0)
    while "real-envido" in state.legal:
        state = state.play("real-envido")
    assert state.to_act is not None
    seen = state.observe(state.to_act)
    situation = known_situation(tables_for(played), seen)
    (there,) = situations_at_target(solver.game, played, situation[np.newaxis])
    assert there[PUBLIC_STATE] == known_situation(solver.tables, seen)[PUBLIC_STATE]
    assert set(find_mixture(solver.player, there).actions) >= {"quero", "nao-quero"}


def test_it_never_declines_what_would_lose_the_match() -> None:
    solver, declined = find_agent("solver", "truco"), 0
    for turn in random_turns(Truco.named("trucogame"), 3 * HANDS):
        action = ask_agent(solver, turn.seen, turn.chance).action
        if action == "nao-quero":
            declined += 1
            assert not max(turn.state.play(action).scores) >= turn.state.game.target
    assert declined > HANDS / 2
