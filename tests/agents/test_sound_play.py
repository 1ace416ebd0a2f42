"""Safeguards stop moves that cannot be right, whatever the cases say, and only those."""

from collections.abc import Iterator

import numpy as np
import pytest

from retruco.agents.case_based import Safeguard
from retruco.agents.truco.sound_play import (
    CONTRARY_CARDS,
    FALTA_ODDS,
    FOLDED_TURN,
    KEPT_WINNER,
    LOSING_CARD,
    NOTHING_TO_LOSE,
    SOUND_RULES,
    CompiledSafeguard,
)
from retruco.cards import card
from retruco.cbr.case import Problem
from retruco.cbr.revise import revise
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.games.truco.compiled.stepper import action_number
from retruco.games.truco.situation import situation_of
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY, Question, questions
from retruco.vocab.truco.asking import WHOLE_TURN
from retruco.vocab.truco.turns import Turns

GAME = Truco.named("trucogame")


def played(mine: str, theirs: str, actions: str, scores: tuple[int, int] = (0, 0)) -> TrucoObservation:
    """What seat 0, the mão, sees after some actions."""
    first, second = (tuple(map(card, hand.split())) for hand in (mine, theirs))
    state = GAME.begin(((first[0], first[1], first[2]), (second[0], second[1], second[2])), scores, 0)
    for action in actions.split():
        state = state.play(action)
    assert state.to_act == 0
    return state.observe(0)


def ask_at_once(seen: TrucoObservation) -> Question:
    """A turn as one question: every legal action is an answer."""
    answers = {action: action for action in seen.legal}
    numbers = {action: action_number(seen.hand, action) for action in seen.legal}
    return Question(Problem("turn", ()), answers, {}, numbers, seen, situation_of(seen), WHOLE_TURN)


def revised(rule: Safeguard, seen: TrucoObservation, action: str) -> str:
    """The action that a safeguard makes of another one."""
    question = ask_at_once(seen)
    return question.answers[revise([rule], question, action)[0]]


# Cards. Round one is lost: seat 0 has to win round two.
LOST_FIRST = played("4e 3b 1e", "2c 6c 5o", "4e 2c 6c")


def test_a_card_that_loses_the_hand_gives_way_to_the_lowest_that_keeps_it_alive() -> None:
    even = played("4e 6b 1e", "2c 6c 5o", "4e 2c 6c")
    assert revised(LOSING_CARD, even, "6b") == "1e"  # a tie loses to who won the first round
    assert revised(LOSING_CARD, LOST_FIRST, "down:3b") == "3b"


def test_a_card_that_keeps_the_hand_alive_is_left_as_it_is() -> None:
    assert revised(LOSING_CARD, LOST_FIRST, "1e") == "1e"
    hopeless = played("4e 5b 4o", "2c 6c 5o", "4e 2c 6c")
    assert revised(LOSING_CARD, hopeless, "4o") == "4o"


def test_a_face_down_lead_that_loses_to_anything_is_a_losing_card() -> None:
    tied = played("2e 4b 1e", "2c 6c 5o", "2e 2c")
    assert revised(LOSING_CARD, tied, "down:4b") == "4b"


def test_the_card_that_wins_the_hand_for_certain_is_not_kept_back() -> None:
    tied = played("2e 4b 1e", "2c 6c 5o", "2e 2c")
    assert revised(KEPT_WINNER, tied, "4b") == "1e"


def test_a_winner_may_be_kept_for_the_last_round_if_it_wins_there_too() -> None:
    won = played("3e 4b 1e", "2c 6c 5o", "3e 2c")
    assert revised(KEPT_WINNER, won, "4b") == "4b"


def test_a_hand_is_not_thrown_in_while_it_can_be_played_on() -> None:
    assert revised(FOLDED_TURN, LOST_FIRST, "baralho") == "3b"
    bet = played("4e 3b 1e", "2c 6c 5o", "4e truco")
    assert revised(FOLDED_TURN, bet, "baralho") == "baralho"  # it answers a truco: that is a decline
    points = played("4e 3b 1e", "2c 6c 5o", "4e envido")
    assert revised(FOLDED_TURN, points, "baralho") == "nao-quero"


# Bets


@pytest.mark.parametrize("decline", ["nao-quero", "baralho"])
@pytest.mark.parametrize("calls", ["4e envido", "4e truco"])
def test_nobody_declines_where_that_loses_the_match(calls: str, decline: str) -> None:
    lost = played("4e 3b 1e", "2c 6c 5o", calls, (0, 23))
    assert revised(NOTHING_TO_LOSE, lost, decline) == "quero"
    early = played("4e 3b 1e", "2c 6c 5o", calls, (0, 10))
    assert revised(NOTHING_TO_LOSE, early, decline) == decline


def test_a_falta_is_accepted_only_at_a_chance_worth_its_price() -> None:
    poor, rich = "4e 10b 1o", "7e 6e 1o"
    for hand, scores, answer in (
        (poor, (0, 0), "nao-quero"),
        (rich, (20, 20), "quero"),
        (poor, (0, 23), "quero"),
    ):
        seen = played(hand, "2c 6c 5o", f"{hand.split()[2]} falta-envido", scores)
        assert revised(FALTA_ODDS, seen, "quero") == answer


def test_cases_do_not_outvote_points_and_cards_that_say_the_opposite() -> None:
    poor = played("6e 11b 12o", "2c 6c 5o", "12o envido")
    assert revised(CONTRARY_CARDS, poor, "quero") == "nao-quero"
    rich = played("7e 6e 1o", "2c 6c 5o", "1o envido")
    assert revised(CONTRARY_CARDS, rich, "nao-quero") == "quero"
    strong = played("1e 1b 7e", "2c 6c 5o", "7e truco")
    assert revised(CONTRARY_CARDS, strong, "nao-quero") == "quero"
    weak = played("4e 4b 5o", "2c 6c 5c", "5o truco")
    assert revised(CONTRARY_CARDS, weak, "quero") == "nao-quero"


def some_turns(count: int) -> Iterator[TrucoState]:
    """Turns of hands that are played by chance, at any score."""
    for number in range(count):
        chance = Stream("sound", number)
        scores = chance.below(GAME.target), chance.below(GAME.target)
        state = GAME.begin(GAME.deal(chance).hands, scores, chance.below(2))
        while state.to_act is not None:
            yield state
            state = state.play(chance.choice([each for each in state.legal if each != "baralho"]))


def test_whatever_is_proposed_the_answer_is_legal_and_gives_no_match_away() -> None:
    fired = set[str]()
    for state in some_turns(150):
        assert state.to_act is not None
        seen = state.observe(state.to_act)
        for question in (ask_at_once(seen), *questions(seen)):
            for proposed in question.answers:
                answer, revisions = revise(SOUND_RULES, question, proposed)
                fired |= {revision.rule for revision in revisions}
                action = question.answers[answer]
                assert not action or action in seen.legal
                if action in ("nao-quero", "baralho"):
                    assert state.play(action).match_winner is None
    assert fired == {rule.name for rule in SOUND_RULES}


def test_answers_to_many_questions_are_guarded_as_each_alone() -> None:
    seen = [state.observe(state.to_act or 0) for state in some_turns(60)]
    turns, chance = Turns(np.array([situation_of(one) for one in seen])), Stream("guarded")
    fired = 0
    while turns.ask() is not None:
        answers, wanted = np.zeros(len(turns.waiting), np.int64), list[tuple[int, list[str]]]()
        for row, (turn, about) in enumerate(zip(turns.waiting, turns.about, strict=True)):
            question = next(one for one in questions(seen[turn]) if one.about == about)
            proposed = chance.choice(list(question.answers))
            answers[row] = VOCABULARY[question.scenario].actions.index(proposed)
            answer, revisions = revise(SOUND_RULES, question, proposed)
            action = question.stands_for[answer]
            wanted.append(
                (action, [rule.name for rule in SOUND_RULES if rule.name in {one.rule for one in revisions}])
            )
        counts = np.zeros((len(seen), len(SOUND_RULES)), np.int32)
        CompiledSafeguard.guard(SOUND_RULES, GAME, turns, answers, counts)
        names = [
            [rule.name for rule, count in zip(SOUND_RULES, counts[turn], strict=True) if count]
            for turn in turns.waiting
        ]
        assert wanted == list(
            zip(turns.stands_for[np.arange(len(answers)), answers].tolist(), names, strict=True)
        )
        fired += counts.sum()
        turns.carry_out(answers)
    assert fired > 50
