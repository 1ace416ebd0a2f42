"""Calls as cases: how many of those in like situations were bluffs."""

from itertools import islice

import pytest

from retruco.agents.registry import find_agent
from retruco.agents.truco.bluff_cases import (
    ENOUGH,
    CallCase,
    CallCases,
    pack_cases,
    problem_of_call,
    shipped_calls,
    unpack,
)
from retruco.agents.truco.bluffs import bluff_chance
from retruco.agents.truco.opponent_model import OpponentModel, shipped_styles
from retruco.cbr.case import Problem
from retruco.games.truco import Truco
from retruco.games.truco.behaviour import POOR_CARD
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.observation import TrucoObservation
from retruco.learning.bluff_study import is_bluff, watch_calls
from retruco.streams import Stream

GAME = Truco.named("trucogame")


def called(*actions: str) -> TrucoObservation:
    """A hand after some calls, as the seat that has to answer sees it."""
    state = GAME.begin(GAME.deal(Stream("cases")).hands, (0, 0), 0)
    for action in actions:
        state = state.play(action)
    assert state.to_act is not None
    return state.observe(state.to_act)


def problem_after(*actions: str) -> Problem:
    """The question that a call asks."""
    problem = problem_of_call(called(*actions))
    assert problem is not None
    return problem


def test_the_question_is_about_the_call_that_waits() -> None:
    assert problem_after("truco").scenario.startswith("truco")
    assert problem_after("envido").scenario.startswith("envido")
    assert problem_after("truco", "envido").scenario.startswith("envido"), "the points come first"
    assert problem_of_call(GAME.begin(GAME.deal(Stream("cases")).hands, (0, 0), 0).observe(0)) is None


def test_the_share_of_bluffs_is_that_of_like_calls_and_not_of_all() -> None:
    envido, falta = problem_after("envido"), problem_after("falta-envido")
    assert envido.scenario == falta.scenario
    cases = CallCases([CallCase(envido, True)] * ENOUGH + [CallCase(falta, False)] * ENOUGH)
    loud, quiet = cases.share_of_bluffs(envido), cases.share_of_bluffs(falta)
    assert (loud.cases, quiet.cases) == (ENOUGH, ENOUGH)
    assert loud.share == pytest.approx(1 - quiet.share)
    assert loud.share > 0.9


def test_without_cases_nothing_is_claimed_for_certain() -> None:
    found = CallCases([]).share_of_bluffs(problem_after("truco"))
    assert found == (0.5, 0)


def test_packed_cases_are_the_same_cases() -> None:
    cases = [CallCase(problem_after("envido"), True), CallCase(problem_after("falta-envido"), False)]
    (scenario, table), *others = pack_cases(cases).items()
    assert not others
    assert list(unpack(scenario, table)) == cases


def test_a_bluff_of_an_agent_is_one_by_the_cards_it_was_dealt() -> None:
    observer, caller = find_agent("balanced", "truco"), find_agent("shouter", "truco")
    calls = list(islice(watch_calls(observer, caller, 2, 3), 60))
    assert {bluff for _, _, bluff in calls} == {True, False}
    hands = GAME.deal(Stream("poor")).hands
    end = GAME.begin(hands, (0, 0), 0).play("truco").play("nao-quero")
    best = max(STRENGTH[card] for card in hands[0])
    assert is_bluff(GAME.begin(hands, (0, 0), 0).play("truco").observe(1), end) == (best <= POOR_CARD)


def test_the_shipped_calls_stand_beside_the_model() -> None:
    model, seen = OpponentModel(shipped_styles()), called("truco")
    found = bluff_chance(model, model.start, seen, shipped_calls())
    assert found is not None
    assert found.by_cases is not None
    assert found.by_cases.cases >= ENOUGH
    assert 0 < found.by_cases.share < 1
    without = bluff_chance(model, model.start, seen)
    assert without is not None
    assert without == found._replace(by_cases=None)
