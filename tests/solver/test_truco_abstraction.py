"""The keys and actions of the solver at Truco, against the readable engine."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import pytest

from retruco.cards import SPANISH_DECK, card
from retruco.games.truco import PRESETS, Truco, TrucoState
from retruco.games.truco.compiled.stepper import ACTIONS, CARDS, HAND, SCORES, Row, action_number, action_text
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.deck import STRENGTH, Hand
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.solver.truco.abstraction import (
    KEYS_VERSION,
    LEVELS,
    SOLVER_ROW,
    abstraction_for,
    advance,
    begin_hand,
    information_key,
    solver_actions,
)
from retruco.solver.truco.considered import considered_actions
from retruco.solver.truco.observed import known_situation, read_situation
from retruco.streams import Stream

HANDS = 150


def by_strength(hand: Hand) -> list[str]:
    return sorted(hand, key=lambda held: STRENGTH[held], reverse=True)


def true_row(tables: Tables, state: TrucoState, scores: tuple[int, int]) -> Row:
    """A hand as the cards know it: both hands open, the mão in seat 0."""
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    hands = [by_strength(state.hands[seat]) for seat in (state.mao, 1 - state.mao)]
    row[CARDS : CARDS + 2 * HAND] = [SPANISH_DECK.index(card(held)) for hand in hands for held in hand]
    row[SCORES : SCORES + 2] = scores[state.mao], scores[1 - state.mao]
    begin_hand(tables, row)
    return row


def considered(tables: Tables, row: Row, hand: list[str]) -> list[str]:
    actions = np.zeros(ACTIONS, dtype=np.int32)
    count = solver_actions(tables, row, actions)
    return [action_text(hand, action) for action in actions[:count].tolist()]


def classes(actions: Iterable[str]) -> set[object]:
    """Actions by strength: the solver takes cards of equal strength as one."""
    faces = [(action.removeprefix(DOWN_PREFIX), action.startswith(DOWN_PREFIX)) for action in actions]
    return {(STRENGTH.get(face, face), is_down) for face, is_down in faces}


@pytest.mark.parametrize("rules", PRESETS)
def test_what_a_seat_sees_gives_the_same_key_as_the_open_cards(rules: str) -> None:
    """So a key holds nothing that the seat may not know, and an agent finds the key that was learnt."""
    game = Truco.named(rules)
    tables, levels = tables_for(game), [abstraction_for(game, level) for level in LEVELS]
    decisions = 0
    for number in range(HANDS):
        chance = Stream("keys", number)
        scores = chance.below(game.target), chance.below(game.target)
        state = game.begin(game.deal(chance).hands, scores, chance.below(2))
        row = true_row(tables, state, scores)
        while state.to_act is not None:
            seen = state.observe(state.to_act)
            hand = by_strength(seen.hand)
            ours = np.zeros(SOLVER_ROW, dtype=np.int32)
            read_situation(tables, known_situation(tables, seen), ours)
            for abstraction in levels:
                assert information_key(tables, abstraction, ours) == information_key(tables, abstraction, row)
            assert considered(tables, ours, hand) == considered(tables, row, hand)
            assert classes(considered(tables, ours, hand)) == classes(considered_actions(state))
            assert set(considered(tables, ours, hand)) <= set(state.legal)
            decisions += 1
            action = chance.choice([act for act in state.legal if act != "baralho"] or state.legal)
            advance(tables, row, action_number(hand, action))
            state = state.play(action)
    assert decisions > HANDS


def test_a_finer_abstraction_has_more_keys() -> None:
    game = Truco.named("trucogame")
    tables = tables_for(game)
    found = defaultdict(set)
    for number in range(400):
        chance = Stream("levels", number)
        state = game.begin(game.deal(chance).hands, (0, 0), 0)
        row = true_row(tables, state, (0, 0))
        while state.to_act is not None:
            for level in LEVELS:
                found[level].add(int(information_key(tables, abstraction_for(game, level), row)))
            action = chance.choice([act for act in state.legal if act != "baralho"])
            advance(tables, row, action_number(by_strength(state.hands[state.to_act]), action))
            state = state.play(action)
    assert len(found["xs"]) < len(found["s"]) < len(found["m"])


def test_equal_cards_are_one_action_and_the_deck_is_only_gone_to_at_once() -> None:
    game = Truco.named("argentino-sem-flor")
    state = game.begin((hand_of("3e 3b 4c"), hand_of("2e 2b 5c")), (0, 0), 0)
    row = true_row(tables_for(game), state, (0, 0))
    first = considered(tables_for(game), row, by_strength(state.hands[0]))
    assert first == ["3e", "4c", "envido", "real-envido", "falta-envido", "truco", "baralho"]
    advance(tables_for(game), row, action_number(by_strength(state.hands[0]), "3e"))
    assert "baralho" not in considered(tables_for(game), row, by_strength(state.hands[1]))


def test_a_face_down_card_is_considered_as_the_lower_one_of_who_won_round_one() -> None:
    game = Truco.named("trucogame")
    state = game.begin((hand_of("3e 2b 4c"), hand_of("2e 1c 5c")), (0, 0), 0)
    tables = tables_for(game)
    row = true_row(tables, state, (0, 0))
    for hand, action in ((state.hands[0], "3e"), (state.hands[1], "2e")):
        advance(tables, row, action_number(by_strength(hand), action))
    downs = [act for act in considered(tables, row, by_strength(state.hands[0])) if act.startswith("down")]
    assert downs == ["down:4c"]


def hand_of(cards: str) -> Hand:
    a, b, c = map(card, cards.split())
    return a, b, c


def test_an_unknown_abstraction_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown abstraction 'xl': one of xs, s, m"):
        abstraction_for(Truco.named("cbtg"), "xl")


def test_keys_and_actions_that_have_changed_have_another_version() -> None:
    """If this fails, solutions of before would be misread: raise KEYS_VERSION, then pin what is found here."""
    game = Truco.named("trucogame")
    tables, levels = tables_for(game), [abstraction_for(game, level) for level in LEVELS]
    digest = hashlib.sha256()
    for number in range(60):
        chance = Stream("pinned", number)
        state = game.begin(game.deal(chance).hands, (0, 0), 0)
        row = true_row(tables, state, (0, 0))
        while state.to_act is not None:
            hand = by_strength(state.hands[state.to_act])
            keys = [int(information_key(tables, abstraction, row)) for abstraction in levels]
            digest.update(f"{keys} {considered(tables, row, hand)}".encode())
            action = chance.choice([act for act in state.legal if act != "baralho"])
            advance(tables, row, action_number(hand, action))
            state = state.play(action)
    assert (KEYS_VERSION, digest.hexdigest()[:16]) == (1, "93c0281f7588866d")
