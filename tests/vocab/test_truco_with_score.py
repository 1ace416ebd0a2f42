"""Vocabulary 3 of Truco: the questions of vocabulary 1, with the score at the time they are asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retruco.cbr.casebase import CaseBase
from retruco.games.truco import PRESETS, Truco, TrucoState
from retruco.streams import Stream
from retruco.vocab.registry import find_scenario, find_vocabulary
from retruco.vocab.truco import VOCABULARY as VOCABULARY_1
from retruco.vocab.truco import rows as rows_1
from retruco.vocab.truco.one_sided import one_sided
from retruco.vocab.truco.with_score import VOCABULARY, questions, rows


def random_hands(rules: str, count: int) -> Iterator[TrucoState]:
    """Finished hands that are played at random, at any score."""
    game = Truco.named(rules)
    for number in range(count):
        chance = Stream("with score", rules, number)
        scores = chance.below(game.target), chance.below(game.target)
        state = game.begin(game.deal(chance).hands, scores, number % 2)
        while state.to_act is not None:
            calls = [action for action in state.legal if action != "baralho"]
            state = state.play(chance.choice(calls or state.legal))
        yield state


def hand_at(scores: tuple[int, int], target: int = 24) -> TrucoState:
    game = Truco.named("trucogame", target)
    return game.begin(game.deal(Stream("hand", 1)).hands, scores, 0)


def test_the_vocabulary_is_the_third_of_truco() -> None:
    found = find_vocabulary("truco", 3)
    assert found is not None
    assert found.VOCABULARY is VOCABULARY


@pytest.mark.parametrize("rules", PRESETS)
def test_rows_are_those_of_vocabulary_1_with_the_score_and_fit_a_base(rules: str) -> None:
    cases = CaseBase(VOCABULARY)
    for episode, end in enumerate(random_hands(rules, 30)):
        seat = episode % 2
        found = rows(end.record(), seat, episode)
        without = [row.problem.values[:-2] for row in found]
        assert without == [row.problem.values for row in rows_1(end.record(), seat, episode)]
        assert rows(one_sided(end, seat), seat, episode) == found
        cases.add(found)
    assert len(cases) > 50


def test_a_question_has_the_own_score_first() -> None:
    seen = hand_at((5, 11)).observe(0)
    for question in questions(seen):
        values = VOCABULARY[question.scenario].decode(question.problem)
        assert (values["own_score"], values["other_score"]) == (5, 11)


def score_codes(state: TrucoState, seat: int) -> tuple[int, ...]:
    """The scores that a question tells, as codes."""
    return next(questions(state.observe(seat))).problem.values[-2:]


def test_points_of_the_hand_count_as_soon_as_they_are_paid() -> None:
    state = hand_at((5, 11)).play("envido").play("nao-quero")
    assert score_codes(state, 0) == (6, 11)


def test_a_score_is_a_share_of_the_target() -> None:
    assert score_codes(hand_at((15, 29), target=30), 0) == (12, 23)
    assert score_codes(hand_at((3, 0), target=6), 0) == (12, 0)


def test_a_problem_tells_whether_it_has_the_score() -> None:
    for vocabulary in (VOCABULARY_1, VOCABULARY):
        for scenario in vocabulary.scenarios:
            assert (
                find_scenario(
                    "truco", scenario.problem({one.name: one.values[0] for one in scenario.visible})
                )
                == scenario
            )
