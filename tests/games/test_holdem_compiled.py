"""The compiled rules of hold'em beside the readable engine, step by step."""

from random import Random

import numpy as np
import pytest

from retruco.arena.sets import deal_key, deals_from
from retruco.compiler import load_numba
from retruco.games.holdem import Holdem
from retruco.games.holdem.compiled import (
    ACTIONS,
    AT,
    COUNTS,
    FAST,
    NOT_COUNTED,
    begin,
    count_behaviour,
    fill_situation,
    finished_hand,
    hand_arrays,
    play,
    read_actions,
    read_cards,
    round_ratio,
    situation_seen,
    stage_profits,
)
from retruco.games.holdem.rules import BOARD
from retruco.vocab.holdem.rows import HALVES

HANDS = 150


@pytest.mark.parametrize("rules", ["limit-2", "casey-4", "casey-paper-4", "acpc-3", "limit-10"])
def test_random_hands_go_as_in_the_readable_engine(rules: str) -> None:
    load_numba()
    game, chance, situation = Holdem.named(rules), Random(rules), np.full(AT.end, NOT_COUNTED)
    hand, stream, pool = hand_arrays(game.rules), np.zeros(1, np.uint64), np.zeros(52, np.int64)
    deals, key = deals_from(game, 5, 0), np.uint64(deal_key(5, 0))
    for number in range(HANDS):
        state = game.begin(deals(number), number % game.seats)
        begin(hand, key, number, number % game.seats, stream, pool)
        dealt = [read_cards(hand, 2 * seat, 2) for seat in range(game.seats)]
        assert dealt == list(state.deal.hands)
        assert read_cards(hand, 2 * game.seats, 5) == state.deal.board
        while state.outcome is None:
            assert state.to_act is not None
            fill_situation(hand, situation)
            assert situation.tolist() == situation_seen(state.observe(state.to_act)).tolist()
            # Seldom a fold, so that many hands come to a showdown of several.
            weights = [1 if action == "fold" else 5 for action in state.legal]
            action = chance.choices(state.legal, weights)[0]
            state = state.play(action)
            play(hand, FAST, ACTIONS.index(action))
        assert hand.spent[: game.seats].tolist() == list(state.betting.spent)
        assert read_actions(hand) == state.actions
        assert tuple(hand.points[: game.seats].tolist()) == state.outcome.points
        same = finished_hand(state)
        for seat in range(game.seats):
            counts, profits = np.zeros((2, len(COUNTS)), np.int64), np.zeros((2, len(BOARD)), np.int64)
            for one, some in enumerate((hand, same)):
                count_behaviour(some, seat, counts[one])
                stage_profits(some, seat, HALVES, profits[one])
            assert counts[0].tolist() == counts[1].tolist()
            assert profits[0].tolist() == profits[1].tolist()


def test_halves_are_rounded_to_the_even_number() -> None:
    for part in range(-12, 13):
        for whole in (1, 2, 3, 4, 8):
            assert round_ratio(part, whole) == round(part / whole)
