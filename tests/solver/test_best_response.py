"""The exact best response at Truco, against a search of our own through the readable engine."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from retruco.cards import SPANISH_DECK, card
from retruco.games.truco import Truco, TrucoState
from retruco.games.truco.compiled.stepper import ALL_HELD, CARDS, HAND, action_number
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.deck import STRENGTH, Hand, envido_points, flor_points
from retruco.solver.policy import Policy, make_policy
from retruco.solver.truco.abstraction import SOLVER_ROW, abstraction_for, advance, begin_hand, information_key
from retruco.solver.truco.best_response import (
    HandTypes,
    hand_types,
    respond_from,
    response_gain,
    sample_hands,
)
from retruco.solver.truco.match_play import Mixture, find_mixture, make_player
from retruco.solver.truco.observed import known_situation

GAME = Truco.named("trucogame")
LEVEL = "s"


def hand_of(cards: str) -> Hand:
    a, b, c = sorted(map(card, cards.split()), key=lambda held: STRENGTH[held], reverse=True)
    return a, b, c


MINE = hand_of("7o 12e 5b")
OTHERS = [hand_of("1e 11c 4o"), hand_of("3e 2b 6c"), hand_of("1b 10c 7c"), hand_of("7e 1o 4c")]
"""Hands of the other seat in which no two cards of one strength differ."""
WEIGHTS = [0.4, 0.3, 0.2, 0.1]


@cache
def no_policy() -> Policy:
    """A policy that knows nothing, and so plays all that it considers alike."""
    return make_policy(np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0))


def without_policy(game: Truco, state: TrucoState) -> Mixture:
    assert state.to_act is not None
    tables = tables_for(game)
    player = make_player(tables, abstraction_for(game, LEVEL), no_policy())
    return find_mixture(player, known_situation(tables, state.observe(state.to_act)))


def mixture(state: TrucoState) -> dict[str, float]:
    found = without_policy(GAME, state)
    return dict(zip(found.actions, found.probabilities, strict=True))


Weighted = list[tuple[TrucoState, float]]


def search(states: Weighted, seat: int, best: bool) -> float:
    """What the states are worth to a seat that cannot tell them apart."""
    first = states[0][0]
    if first.outcome is not None:
        return sum(weight * value(state, seat) for state, weight in states)
    if first.to_act == seat:
        values = {
            action: follow([(state.play(action), weight) for state, weight in states], seat, best)
            for action in mixture(first)
        }
        return max(values.values()) if best else sum(p * values[act] for act, p in mixture(first).items())
    following = [
        (state.play(action), weight * probability)
        for state, weight in states
        for action, probability in mixture(state).items()
    ]
    return follow(following, seat, best)


def follow(states: Weighted, seat: int, best: bool) -> float:
    """Go on with each group of states that looks alike to a seat."""
    groups = defaultdict(list)
    for state, weight in states:
        seen = state.observe(seat)
        groups[seen.log, seen.to_act, seen.outcome].append((state, weight))
    return sum(search(group, seat, best) for group in groups.values())


def value(state: TrucoState, seat: int) -> float:
    assert state.outcome is not None
    mine, other = GAME.gains(GAME.opening(), state)[seat], GAME.gains(GAME.opening(), state)[1 - seat]
    return mine - other


@pytest.mark.parametrize(
    ("seat", "actions"),
    [
        (0, ("envido", "nao-quero", "truco", "quero", "12e", "{lowest}")),
        (1, ("envido", "quero", "{lowest}", "12e")),
        (0, ("truco", "quero", "5b", "{highest}")),
    ],
)
def test_a_search_through_the_readable_engine_finds_the_same(seat: int, actions: Sequence[str]) -> None:
    states: Weighted = []
    for other, weight in zip(OTHERS, WEIGHTS, strict=True):
        state = GAME.begin((MINE, other) if seat == 0 else (other, MINE), (0, 0), 0)
        for action in actions:
            state = state.play(action.format(highest=other[0], lowest=other[2]))
        states.append((state, weight))
    seen = {state.observe(seat).log for state, _ in states}
    for log in seen:  # what the other has shown so far tells some of its hands apart
        group = [(state, weight) for state, weight in states if state.observe(seat).log == log]
        ours = compiled_response(group, seat)
        assert ours == pytest.approx((search(group, seat, best=True), search(group, seat, best=False)))


def compiled_response(group: Weighted, seat: int) -> tuple[float, float]:
    others = [state.hands[1 - seat] for state, _ in group]
    kinds = HandTypes(
        np.array([[SPANISH_DECK.index(held) for held in hand] for hand in others], dtype=np.int32),
        np.array([envido_points(hand) for hand in others], dtype=np.int32),
        np.array([flor_points(hand) for hand in others], dtype=np.int32),
    )
    held = [
        sum(1 << place for place, held in enumerate(hand) if held not in state.actions)
        for (state, _), hand in zip(group, others, strict=True)
    ]
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    hands = group[0][0].hands
    row[CARDS : CARDS + 2 * HAND] = [SPANISH_DECK.index(held) for hand in hands for held in hand]
    begin_hand(tables_for(GAME), row)
    for action in group[0][0].actions:
        owner = next((hand for hand in hands if action in hand), hands[0])
        advance(tables_for(GAME), row, action_number(owner, action))
    weights = np.array([weight for _, weight in group])
    return respond_from(GAME, LEVEL, no_policy(), row, seat, kinds, np.array(held, dtype=np.int8), weights)


@pytest.mark.parametrize(("rules", "points"), [("trucogame", 1), ("argentino-sem-flor", 2)])
def test_a_strategy_that_always_goes_to_the_deck_loses_what_the_rules_say(rules: str, points: int) -> None:
    game = Truco.named(rules)
    places = tuple(SPANISH_DECK.index(held) for held in MINE)
    gain, own = response_gain(game, LEVEL, folding_policy(game, places), places, seat=1)
    assert (gain, own) == pytest.approx((0, points), abs=1e-6)


def folding_policy(game: Truco, mine: tuple[int, ...]) -> Policy:
    """A mão that always goes to the deck."""
    tables, abstraction = tables_for(game), abstraction_for(game, LEVEL)
    kinds, _ = hand_types(tables, mine)
    keys, counts, weights = [], [], list[float]()
    for cards in kinds.cards:
        row = np.zeros(SOLVER_ROW, dtype=np.int32)
        row[CARDS : CARDS + 2 * HAND] = [*cards, *mine]
        begin_hand(tables, row)
        hand = tuple(SPANISH_DECK[place] for place in cards)
        state = game.begin((hand_of(" ".join(hand)), MINE), (0, 0), 0)
        actions = without_policy(game, state).actions
        keys.append(int(information_key(tables, abstraction, row)))
        counts.append(len(actions))
        weights += [float(action == "baralho") for action in actions]
    return make_policy(np.array(keys), np.array(counts, dtype=np.int8), np.array(weights))


def test_types_of_hands_keep_the_number_of_hands() -> None:
    """Of 37 cards that are left, three can be dealt in 7,770 ways."""
    kinds, counts = hand_types(tables_for(GAME), (0, 11, 22))
    assert counts.sum() == 7770
    assert len(kinds.cards) == len(counts) < 1727
    assert ALL_HELD == 7


def test_a_systematic_sample_covers_the_deck_and_depends_on_the_seed() -> None:
    hands = sample_hands(40, seed=1)
    assert len(set(hands)) == 40
    assert {place for hand in hands for place in hand} >= set(range(0, 40, 10))
    assert sample_hands(40, seed=1) == hands != sample_hands(40, seed=2)
    with pytest.raises(ValueError, match="at least 2 hands, not 1"):
        sample_hands(1, seed=1)
