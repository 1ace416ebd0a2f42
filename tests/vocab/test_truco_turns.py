"""Many turns at once are asked what each is asked alone, in every vocabulary, and come to the same actions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from retruco.cbr.queries import encode_queries
from retruco.cbr.revise import revise
from retruco.compiler import load_numba
from retruco.games.truco import PRESETS, Truco, TrucoObservation
from retruco.games.truco.compiled.stepper import ACTIONS, action_text
from retruco.games.truco.situation import situation_of
from retruco.streams import Stream
from retruco.vocab.registry import find_vocabulary
from retruco.vocab.truco import VOCABULARY, Question, Turns, v2, with_score
from retruco.vocab.truco.asking import NO_ACTION, WHOLE_TURN, WORDS, Words, make_room, write_turn
from retruco.vocab.truco.revision import RULES
from retruco.vocab.truco.turns import FIRST_RULE


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    load_numba()


def random_turns(rules: str, hands: int) -> Iterator[TrucoObservation]:
    """What seats see in hands that are played at random, at any score."""
    game = Truco.named(rules)
    for number in range(hands):
        chance = Stream("turns", rules, number)
        scores = chance.below(game.target), chance.below(game.target)
        state = game.begin(game.deal(chance).hands, scores, number % 2)
        while state.to_act is not None:
            yield state.observe(state.to_act)
            calls = tuple(action for action in state.legal if action not in ("baralho", "nao-quero"))
            state = state.play(chance.choice(calls * 4 + state.legal))


def asked_alone(words: Any, seen: TrucoObservation) -> Iterator[Question]:
    """The questions of a turn that have more than one answer."""
    return (question for question in words.questions(seen) if len(question.answers) > 1)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_many_turns_ask_and_do_what_each_does_alone(version: int, rules: str) -> None:
    words: Any = find_vocabulary("truco", version)
    chance, seen = Stream("answers", rules), list(random_turns(rules, 60))
    turns = words.Turns(np.array([situation_of(one) for one in seen]))
    alone = [asked_alone(words, one) for one in seen]
    done = [next(iter(next(words.questions(one)).answers.values())) for one in seen]
    while (queries := turns.ask()) is not None:
        asked = [next(alone[number]) for number in turns.waiting]
        in_words = [(question.problem, question.answers, question.adapted) for question in asked]
        for found, wanted in zip(queries, encode_queries(words.VOCABULARY, in_words), strict=True):
            assert found.tolist() == wanted.tolist()
        answers, expected = propose(words, asked, chance), list[str]()
        for question, proposed in zip(asked, answers_in_words(words, asked, answers), strict=True):
            expected.append(proposed if proposed is not None else words.fallback(question))
        unknown, counts = answers < 0, np.zeros((len(seen), FIRST_RULE + len(RULES)), np.int32)
        turns.revise(np.arange(len(RULES)), answers, counts)
        revised = [revise(RULES, *pair) for pair in zip(asked, expected, strict=True)]
        assert answers_in_words(words, asked, answers) == [answer for answer, _ in revised]
        assert (counts[turns.waiting, :FIRST_RULE] == np.column_stack([unknown >= 0, unknown])).all()
        for row, (_, revisions) in zip(counts[turns.waiting, FIRST_RULE:], revised, strict=True):
            assert [RULES[rule].name for rule in np.flatnonzero(row)] == [one.rule for one in revisions]
        for number, question, (answer, _) in zip(turns.waiting, asked, revised, strict=True):
            done[number] = question.answers[answer]
        turns.carry_out(answers)
    found = [action_text(one.hand, action) for one, action in zip(seen, turns.actions, strict=True)]
    assert found == done


def propose(words: Any, asked: list[Question], chance: Stream) -> NDArray[np.int64]:
    """Answers by chance, some of them by no experience."""
    actions = [words.VOCABULARY[question.scenario].actions for question in asked]
    return np.array(
        [
            -1 if chance.below(4) == 0 else known.index(chance.choice(list(question.answers)))
            for question, known in zip(asked, actions, strict=True)
        ]
    )


def answers_in_words(words: Any, asked: list[Question], answers: NDArray[np.int64]) -> list[str | None]:
    """Answers by name."""
    actions = [words.VOCABULARY[question.scenario].actions for question in asked]
    return [None if answer < 0 else known[answer] for known, answer in zip(actions, answers, strict=True)]


def test_what_cannot_be_answered_is_refused() -> None:
    seen = next(random_turns("trucogame", 1))
    turns = Turns(situation_of(seen)[np.newaxis])
    assert turns.ask() is not None
    for answer in (-1, VOCABULARY["envido-first"].actions.index("quero")):
        with pytest.raises(ValueError, match=f"question 0 has no answer {answer}"):
            turns.carry_out(np.array([answer]))


@pytest.mark.parametrize("words", [WORDS, with_score.WORDS, v2.WORDS])
@pytest.mark.parametrize("rules", PRESETS)
def test_plain_python_asks_and_revises_as_compiled_code_does(words: Words, rules: str) -> None:
    plain: Any = write_turn
    for seen in random_turns(rules, 4):
        situation = situation_of(seen)
        machine, python = (make_room(words.vocabulary, WHOLE_TURN) for _ in range(2))
        count = write_turn(words.sources, words.calls, words.first, situation, *machine)
        assert count == plain.plain(words.sources, words.calls, words.first, situation, *python)
        for one, other in zip(machine, python, strict=True):
            assert one[:count].tolist() == other[:count].tolist()
        for about, action, rule in product(range(WHOLE_TURN + 1), range(NO_ACTION, ACTIONS), RULES):
            assert rule.prefers(situation, about, action) == rule.prefers.plain(situation, about, action)
