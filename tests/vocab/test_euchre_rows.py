"""Euchre hands as rows: what is written down from a record is what was asked and answered at the table."""

import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.euchre.policies import NPS
from retruco.cbr.case import Problem
from retruco.cli.decide import usual_agent
from retruco.games.core import BadRecord, Match
from retruco.games.euchre import Euchre
from retruco.learning.euchre.embedded import EUCHRE
from retruco.streams import Stream
from retruco.vocab.euchre import VOCABULARY, rows
from retruco.vocab.euchre.rows import answers_in
from retruco.vocab.registry import find_scenario

GAME = Euchre.named("openspiel")


@pytest.fixture(scope="module")
def player() -> CaseBasedAgent:
    return CaseBasedAgent(NPS, EUCHRE.cases())


@pytest.mark.parametrize("number", range(8))
def test_rows_are_the_questions_and_answers_of_the_table(number: int, player: CaseBasedAgent) -> None:
    chance = Stream("rows", number)
    state = GAME.start(GAME.deal(chance), Match((0, 0), number % 4))
    asked: dict[int, list[tuple[Problem, object]]] = {seat: [] for seat in range(4)}
    while state.outcome is None:
        assert state.to_act is not None
        decision = player.decide(state.observe(state.to_act), chance)
        asked[state.to_act] += [(one.problem, one.answer) for one in decision.asked if one.evidence]
        state = state.play(decision.action)
    for seat, answered in asked.items():
        found = rows(state.record(), seat, 7)
        assert [(row.problem, row.action) for row in found] == answered
        team = GAME.teams[seat]
        points = state.outcome.points
        assert {row.credit for row in found} <= {points[team] - points[1 - team]}
        assert {row.hindsight for row in found} <= {(state.tricks_of(team),)}
        assert {row.episode for row in found} <= {7}


def test_what_no_answer_stands_for_gives_no_row() -> None:
    hands = [
        ["9h", "Th", "Qh", "9s", "Ts"],
        ["9c", "Tc", "Jc", "Qc", "Kc"],
        ["Qs", "Ks", "As", "Kh", "Ah"],
        ["9d", "Td", "Qd", "Kd", "Ad"],
    ]
    state = GAME.read(
        {
            "game": "euchre",
            "rules": "openspiel",
            "target": 10,
            "scores": [0, 0],
            "dealer": 3,
            "hands": hands,
            "upcard": "Jh",
            "actions": ["pass", "pass", "pass", "pass", "spades"],
        }
    )
    while "Th" not in state.legal:
        state = state.play(state.legal[-1])
    seen = state.observe(0)
    assert answers_in(seen, "Th") == []
    assert [answer for _, answer in answers_in(seen, "Qh")] == ["side-high"]


def test_an_unfinished_hand_is_refused() -> None:
    state = GAME.start(GAME.deal(Stream("rows")), Match((0, 0), 0))
    with pytest.raises(BadRecord, match="not over"):
        rows(state.record(), 0, 0)


def test_the_command_line_finds_the_words_and_somebody_who_uses_them() -> None:
    for scenario in VOCABULARY.scenarios:
        assert find_scenario("euchre", Problem(scenario.name, (0,) * len(scenario.visible))) == scenario
    assert usual_agent("euchre") == "NPS"
