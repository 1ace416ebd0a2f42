"""Vocabulary 2 of Truco: one question a turn, in every preset, live and from records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import pytest

from retruco.cbr.casebase import CaseBase
from retruco.games.core import Seat
from retruco.games.records import replay
from retruco.games.truco import PRESETS, Truco, TrucoState
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.streams import Stream
from retruco.vocab.registry import find_vocabulary
from retruco.vocab.truco.one_sided import one_sided, turns_of
from retruco.vocab.truco.v2 import VOCABULARY, answer_of, ask_turn, fallback, rows, turn, turn_rows


def random_hands(rules: str, count: int) -> Iterator[TrucoState]:
    """Finished hands that are played at random, at any score."""
    game = Truco.named(rules)
    for number in range(count):
        chance = Stream("vocabulary 2", rules, number)
        state = game.begin(
            game.deal(chance).hands, (chance.below(game.target), chance.below(game.target)), number % 2
        )
        while state.to_act is not None:
            calls = [action for action in state.legal if action != "baralho"]
            state = state.play(chance.choice(calls or state.legal))
        yield state


def state_after(actions: str, scores: tuple[int, int] = (0, 0)) -> TrucoState:
    record: dict[str, object] = {
        "game": "truco",
        "rules": "trucogame",
        "target": 24,
        "scores": list(scores),
        "mao": 0,
        "hands": [["3o", "10b", "4e"], ["7c", "6e", "2c"]],
        "actions": actions.split(),
    }
    state = replay(record)
    assert isinstance(state, TrucoState)
    return state


def describe(actions: str, scores: tuple[int, int] = (0, 0)) -> tuple[str, Mapping[str, object]]:
    state = state_after(actions, scores)
    assert state.to_act is not None
    problem = ask_turn(state.observe(state.to_act)).problem
    return problem.scenario, VOCABULARY[problem.scenario].decode(problem)


@pytest.mark.parametrize("rules", PRESETS)
def test_every_turn_is_one_question_whose_answers_are_what_can_be_done(rules: str) -> None:
    for end in random_hands(rules, 60):
        for seat in (0, 1):
            for seen, action in turns_of(end, seat):
                question = ask_turn(seen)
                assert set(question.answers.values()) <= set(seen.legal)
                answer = answer_of(question, action)
                assert stands_for(question.answers[answer], action)
                assert turn(seen, partial(give, answer)) == question.answers[answer]
                assert question.answers[fallback(question)] in seen.legal


def give(answer: str, question: object) -> str:
    return answer


def stands_for(chosen: str, action: str) -> bool:
    """Whether two actions are the same: equal cards are, and so are cards face down."""
    if action.startswith(DOWN_PREFIX):
        return chosen.startswith(DOWN_PREFIX)
    return chosen == action or STRENGTH.get(chosen) == STRENGTH[action]


@pytest.mark.parametrize("rules", PRESETS)
def test_rows_fit_their_scenarios_and_come_back_from_records(rules: str) -> None:
    cases, episodes = CaseBase(VOCABULARY), 0
    for end in random_hands(rules, 40):
        for seat in (0, 1):
            live = turn_rows(end.observe(seat), turns_of(end, seat), episodes)
            assert rows(end.record(), seat, episodes) == live
            assert rows(one_sided(end, seat), seat, episodes) == live
            cases.add(live)
            episodes += 1
    assert len(cases) > 100


def test_the_points_of_a_row_are_those_won_from_its_turn_on() -> None:
    end = state_after("envido nao-quero 3o 6e truco nao-quero")
    assert end.outcome is not None
    won: dict[Seat, list[int]] = {
        seat: [row.credit for row in rows(end.record(), seat, 1)] for seat in (0, 1)
    }
    assert won[0] == [2, 1, 1]  # one point for the envido, one for the truco
    assert won[1] == [-2, -1, -1]


def test_a_turn_is_described_by_what_counts_then() -> None:
    assert describe("") == (
        "open-lead",
        {
            "high": 10,
            "medium": 5,
            "low": 1,
            "envido_points": 4,
            "flor_points": "absent",
            "table": "absent",
            "lowest_winner": "nothing",
            "tie": "no",
            "last_truco": "none",
            "own_lack": 5,
            "other_lack": 5,
        },
    )
    scenario, seen = describe("envido quero 10b", scores=(21, 3))
    assert scenario == "round-1-follow"
    assert (seen["table"], seen["lowest_winner"], seen["tie"]) == (5, "high", "no")
    assert seen["envido_result"] == "won by me"
    assert seen["other_points"] == 4
    assert (seen["own_lack"], seen["other_lack"]) == (5, 3)
    scenario, seen = describe("10b truco")
    assert scenario == "answer-truco-1"
    assert seen["last_truco"] == "truco other"


def test_a_vocabulary_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="truco has no vocabulary 9: one of 1, 2, 3"):
        find_vocabulary("truco", 9)
