"""The ladder of opponents, and the model of how people choose that its lower steps play by."""

import numpy as np
import pytest

from retruco.agents.registry import roster
from retruco.agents.truco.human_choice import PEOPLE, HumanChoice, chances, features, fitted_weights
from retruco.agents.truco.levels import BESIDE, LADDER, LEVELS, OLD_LEVELS, agent_at, level_of
from retruco.cards import card
from retruco.explain import LANGUAGES, sentences
from retruco.games.truco import PRESETS, Truco, TrucoObservation
from retruco.games.truco.compiled.stepper import action_text
from retruco.games.truco.situation import situation_of
from retruco.streams import Stream
from retruco.vocab.truco import Question, questions

GAME = Truco.named("trucogame")


def test_every_level_has_an_agent_that_plays_by_every_rules() -> None:
    known = roster("truco")
    assert len(LADDER) >= 5
    for agent in (*LEVELS.values(), *OLD_LEVELS.values()):
        assert set(known[agent].rules) == set(PRESETS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_is_a_person_with_a_name_and_a_character(language: str) -> None:
    say = sentences(language)
    assert {key.split(".")[1] for key in say.under("level.")} == set(LEVELS)
    for level in LEVELS:
        assert say(f"level.{level}.name") not in roster("truco")
        assert len(say(f"level.{level}.about")) > 20


def test_a_level_and_its_agent_are_found_by_each_other() -> None:
    for level, agent in (*LADDER.items(), *BESIDE.items()):
        assert agent_at(level) == agent
        assert level_of(agent) == level
    assert level_of("bluffer") is None


def all_questions(hands: int) -> list[Question]:
    """The questions of hands that are played by chance."""
    found = list[Question]()
    for number in range(hands):
        chance = Stream("people", number)
        state = GAME.begin(GAME.deal(chance).hands, (0, 0), chance.below(2))
        while state.to_act is not None:
            found += questions(state.observe(state.to_act))
            state = state.play(chance.choice([action for action in state.legal if action != "baralho"]))
    return found


def test_the_model_is_a_few_dozen_numbers_and_all_of_them_count() -> None:
    weights = fitted_weights()
    assert len(weights) < 60
    met = set[str]()
    for question in all_questions(120):
        for found in features(question).values():
            met |= found.keys()
    assert met == set(weights)


@pytest.mark.parametrize("sharpness", [sharpness for _, sharpness, _ in PEOPLE])
def test_chances_are_shares_of_what_may_be_answered(sharpness: float) -> None:
    for question in all_questions(8):
        found = chances(question, fitted_weights(), sharpness)
        assert found.keys() == question.answers.keys()
        assert sum(found.values()) == pytest.approx(1)


def test_better_points_are_bet_on_more_often() -> None:
    shares = []
    for hand in ("4e 12b 11o", "7e 6e 1o"):
        one, two, three = map(card, hand.split())
        state = GAME.begin(((one, two, three), (card("2c"), card("6c"), card("5o"))), (0, 0), 0)
        question = next(iter(questions(state.observe(0))))
        shares.append(1 - chances(question, fitted_weights())["none"])
    assert shares[0] < 0.4 < 0.6 < shares[1]


@pytest.mark.parametrize(("name", "sharpness"), [person[:2] for person in PEOPLE])
def test_many_turns_at_once_are_decided_as_each_alone(name: str, sharpness: float) -> None:
    agent = HumanChoice(sharpness)
    seen, streams = list[TrucoObservation](), list[Stream]()
    for number in range(20):
        state = GAME.begin(GAME.deal(Stream("levels", number)).hands, (0, 0), number % 2)
        while state.to_act is not None:
            seen.append(state.observe(state.to_act))
            streams.append(Stream(name, number, len(state.actions)))
            state = state.play(agent.decide(seen[-1], Stream(name, number, len(state.actions))).action)
    states = np.array([stream.state for stream in streams], np.uint64)
    many = agent.decide_many(GAME, np.array([situation_of(one) for one in seen]), states)
    actions = [action_text(one.hand, action) for one, action in zip(seen, many.actions, strict=True)]
    assert actions == [agent.decide(*each).action for each in zip(seen, streams, strict=True)]
