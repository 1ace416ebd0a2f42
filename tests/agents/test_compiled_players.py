"""What players count in compiled code is what they count in Python, and their keys hold all that they decide by."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.trees import COMPARE, RecordedStream, Step
from retruco.agents.truco.sense import Situation
from retruco.agents.truco.situation_tables import (
    ANSWERED_FLOR_ODDS,
    BEST_CARD,
    CHEAPEST_WINNER,
    FEATURES,
    FLOR_ODDS,
    FLOR_PRICE,
    HAND_ODDS,
    LOST_HAND,
    NO_FEATURE,
    OTHER_LACKS,
    OWN_LACKS,
    POINTS,
    POINTS_ODDS,
    POINTS_PRICE,
    TRUCO_PRICE,
    WEAKEST,
    LookData,
    feature,
)
from retruco.agents.truco.traced import Traced, TracedSituation
from retruco.arena.compiled_asking import in_order_of_strength
from retruco.cards import card
from retruco.games.truco import PRESETS, Truco, TrucoState
from retruco.games.truco.compiled.situation import part_bits, situation, sort_hand, write_key
from retruco.games.truco.compiled.stepper import Row, action_number, play, row_of, start_hand
from retruco.games.truco.compiled.tables import tables_for
from retruco.learning.case_bases import open_cases
from retruco.streams import Stream

GAME = Truco.named("trucogame")


def turns(game: Truco, hands: int, name: str = "turns") -> Iterator[tuple[TrucoState, Row]]:
    """Every turn of random hands, in both engines; cards are played more often than hands are thrown in."""
    tables = tables_for(game)
    for number in range(hands):
        chance = Stream(name, number)
        scores = chance.below(game.target), chance.below(game.target)
        state = game.begin(game.deal(chance).hands, scores, chance.below(2))
        row = row_of(state.hands, state.scores)
        start_hand(tables, row, state.mao)
        while state.to_act is not None:
            yield state, row.copy()
            choices = [action for action in state.legal if action != "baralho"] or list(state.legal)
            action = chance.choice(choices)
            play(tables, row, action_number(state.hands[state.to_act], action))
            state = state.play(action)


def look_features(look: Situation) -> Iterator[tuple[int, float]]:
    """The features that a look has here."""
    obs = look.obs
    yield from ((POINTS, look.points), (POINTS_ODDS, look.points_odds), (LOST_HAND, look.lost))
    yield from ((OWN_LACKS, look.lacks[0]), (OTHER_LACKS, look.lacks[1]))
    yield from ((FLOR_ODDS, look.flor_odds), (ANSWERED_FLOR_ODDS, look.answered_flor_odds))
    yield from ((WEAKEST + place, strength) for place, strength in enumerate(look.strengths))
    if look.cards:
        winner = look.cheapest_winner
        yield CHEAPEST_WINNER, look.cards.index(winner) if winner else len(look.cards)
    if obs.envido.pending:
        yield POINTS_PRICE, look.points_price
    if obs.flor.pending and "quero" in obs.legal:
        yield FLOR_PRICE, look.flor_price
    if obs.bet.call is not None:
        yield TRUCO_PRICE, look.truco_price
    yield HAND_ODDS, look.hand_odds
    if obs.legal[0] in obs.hand:
        yield BEST_CARD, look.cards.index(look.best_card)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_feature_of_a_look_is_the_same_number_in_compiled_code(preset: str) -> None:
    game = Truco.named(preset)
    tables, order = tables_for(game), np.zeros(3, dtype=np.int32)
    looks, met = LookData(game, 2 * len(tables.actor)), set[int]()
    for state, row in turns(game, 120):
        assert state.to_act is not None
        seat = state.to_act
        look = Situation(state.observe(seat))
        sort_hand(tables, row, seat, order)
        place = int(situation(tables, row))
        looks.learn(place, look.obs, ())
        for wanted, value in look_features(look):
            if wanted in (POINTS_PRICE, FLOR_PRICE, TRUCO_PRICE):
                looks._add_prices(wanted, place, look.obs)
            assert feature(tables, looks.tables, row, seat, order, wanted) == value, (wanted, look.obs)
            met.add(wanted)
    assert met >= set(range(FEATURES)) - {FLOR_PRICE}


def key_of(agent: Any, state: TrucoState, row: Row) -> tuple[int, int]:
    tables, order, key = tables_for(state.game), np.zeros(3, dtype=np.int32), np.zeros(2, dtype=np.uint64)
    assert state.to_act is not None
    sort_hand(tables, row, state.to_act, order)
    parts = part_bits(agent.key_parts(state.observe(state.to_act)))
    write_key(tables, row, state.to_act, order, 1, parts, key)
    return int(key[0]), int(key[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["MJS", "PVCNPS", "guarded-majority", "random"])
def test_where_the_key_is_the_same_a_player_decides_the_same_whatever_else_is_different(name: str) -> None:
    base = open_cases().cases
    agent: Agent = find_agent(name, "truco", lambda game: base)
    decided: dict[tuple[int, int], Any] = {}
    repeated = 0
    for state, row in turns(GAME, 900):
        assert state.to_act is not None
        hand, key = state.hands[state.to_act], key_of(agent, state, row)
        decision: Any = agent.decide(state.observe(state.to_act), Stream("same", 1))
        action = in_order_of_strength(hand, decision.action)
        repeated += key in decided
        assert decided.setdefault(key, action) == action, state
    assert repeated > 100


def test_equal_cards_of_other_suits_make_another_key() -> None:
    base = open_cases().cases
    agent = find_agent("MJS", "truco", lambda game: base)
    keys = set()
    for cards in (
        "3e 3b 4e",
        "3b 3e 4e",
    ):  # the envido points are the same, but not which three tells less of them
        a, b, c = map(card, cards.split())
        state = GAME.begin(((a, b, c), (card("7o"), card("12c"), card("4c"))), (0, 0), 0)
        row = row_of(state.hands, state.scores)
        start_hand(tables_for(GAME), row, 0)
        keys.add(key_of(agent, state, row))
    assert len(keys) == 2


# Tracing


def test_a_traced_player_decides_as_ever_and_its_comparisons_are_recorded() -> None:
    player: Any = find_agent("balanced", "truco")
    kinds = set()
    for state, _ in turns(GAME, 40):
        assert state.to_act is not None
        seen = state.observe(state.to_act)
        recorded = RecordedStream(Stream("traced", 1))
        assert player.decide_traced(seen, recorded).action == player.decide(seen, Stream("traced", 1)).action
        kinds |= {step.kind for step in recorded.steps}
    assert COMPARE in kinds


@pytest.mark.parametrize(
    "use",
    [
        lambda odds: odds * 2,
        lambda odds: odds == 0.5,
        lambda odds: bool(odds),
        lambda odds: -odds,
        lambda odds: odds + 1 + 1,
        lambda odds: odds + 1 > 2,
        lambda odds: {odds},
        lambda odds: int(odds),
    ],
)
def test_what_cannot_be_recorded_is_refused(use: Any) -> None:
    with pytest.raises(TypeError, match="may compare what it counts"):
        use(Traced(0.5, HAND_ODDS, []))


def test_comparisons_are_recorded_with_their_terms() -> None:
    steps = list[Step]()
    odds, price = Traced(0.5, HAND_ODDS, steps), Traced(0.25, TRUCO_PRICE, [])
    assert [odds >= price + 0.5, odds < 0.6] == [False, True]
    assert [step.numbers[::2] for step in steps] == [(HAND_ODDS, TRUCO_PRICE), (HAND_ODDS, NO_FEATURE)]
    assert [step.numbers[3] for step in steps] == [0.5, 0.6]


def test_a_traced_look_does_not_show_single_chances() -> None:
    state = next(state for state, _ in turns(GAME, 1))
    with pytest.raises(TypeError, match="the best card"):
        _ = TracedSituation(state.observe(state.to_act or 0), []).card_odds
