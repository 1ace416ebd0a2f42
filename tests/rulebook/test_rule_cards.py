"""Deck, strength, points."""

from itertools import combinations, pairwise, permutations
from math import comb
from statistics import median

import pytest
from hands import cards, every_preset

from retruco.cards import SPANISH_DECK
from retruco.games.truco import PRESETS, envido_points, flor_points, has_flor, strength

CLASSES = (
    "1e",
    "1b",
    "7e",
    "7o",
    "3e 3b 3o 3c",
    "2e 2b 2o 2c",
    "1c 1o",
    "12e 12b 12o 12c",
    "11e 11b 11o 11c",
    "10e 10b 10o 10c",
    "7b 7c",
    "6e 6b 6o 6c",
    "5e 5b 5o 5c",
    "4e 4b 4o 4c",
)
HANDS = tuple(combinations(SPANISH_DECK, 3))
FLORS = tuple(hand for hand in HANDS if has_flor(hand))


@every_preset
def test_the_required_presets_exist(rules: str) -> None:
    assert rules in PRESETS


def test_the_deck_has_forty_cards_without_eights_and_nines() -> None:
    written = {f"{rank}{suit}" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12) for suit in "eboc"}
    assert len(SPANISH_DECK) == 40
    assert set(SPANISH_DECK) == written


def test_fourteen_classes_of_strength_hold_the_whole_deck() -> None:
    assert sorted(" ".join(CLASSES).split()) == sorted(SPANISH_DECK)
    assert len({strength(card) for card in SPANISH_DECK}) == len(CLASSES) == 14


@pytest.mark.parametrize("same", CLASSES)
def test_cards_of_a_class_are_equally_strong(same: str) -> None:
    assert len({strength(card) for card in cards(same)}) == 1


@pytest.mark.parametrize(("stronger", "weaker"), [*pairwise(CLASSES)])
def test_every_class_beats_the_next(stronger: str, weaker: str) -> None:
    assert min(map(strength, cards(stronger))) > max(map(strength, cards(weaker)))


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("7e 6e 1b", 33),
        ("7e 1b 6e", 33),
        ("1b 7e 6e", 33),
        ("7e 5e 6b", 32),
        ("4c 2c 12o", 26),
        ("1o 2o 7c", 23),
        ("7e 12e 6b", 27),
        ("10c 1c 7o", 21),
        ("12e 11e 7b", 20),
        ("12e 11b 10o", 0),
        ("12e 11b 1o", 1),
        ("12e 5b 3o", 5),
        ("1e 7c 4b", 7),
    ],
)
def test_envido_is_twenty_and_two_cards_of_a_suit_or_else_the_highest_card(hand: str, points: int) -> None:
    assert envido_points(cards(hand)) == points


@pytest.mark.parametrize(
    ("hand", "points"),
    [("7e 6e 5e", 33), ("1e 2e 3e", 25), ("1o 12o 7o", 28), ("10b 11b 4b", 24), ("10c 11c 12c", 20)],
)
def test_envido_of_three_cards_of_a_suit_is_that_of_its_best_two(hand: str, points: int) -> None:
    assert envido_points(cards(hand)) == points


@pytest.mark.parametrize(
    ("hand", "points"),
    [("7e 6e 5e", 38), ("1b 2b 3b", 26), ("12c 7c 1c", 28), ("11o 4o 10o", 24), ("10e 11e 12e", 20)],
)
def test_flor_is_twenty_and_all_three_cards(hand: str, points: int) -> None:
    assert flor_points(cards(hand)) == points


def test_the_order_of_the_cards_does_not_matter() -> None:
    assert {envido_points(hand) for hand in permutations(cards("5c 7c 4b"))} == {32}
    assert {flor_points(hand) for hand in permutations(cards("5c 7c 12c"))} == {32}


def test_a_flor_is_worth_twenty_to_thirty_eight() -> None:
    points = {flor_points(hand) for hand in FLORS}
    assert (min(points), max(points)) == (20, 38)


@pytest.mark.parametrize(
    ("hand", "flor"),
    [("1e 2e 3e", True), ("10c 11c 12c", True), ("1e 2e 3b", False), ("7e 7o 7b", False)],
)
def test_a_flor_is_three_cards_of_one_suit(hand: str, flor: bool) -> None:
    assert has_flor(cards(hand)) is flor


def test_there_are_9880_hands_and_502_strength_triples() -> None:
    assert len(HANDS) == 9_880
    assert len({tuple(sorted(map(strength, hand))) for hand in HANDS}) == 502


def test_there_are_76767600_ordered_deals() -> None:
    assert len(HANDS) * comb(len(SPANISH_DECK) - 3, 3) == 76_767_600


def test_chances_of_one_flor_of_any_and_of_both() -> None:
    deals = len(HANDS) * comb(37, 3)
    one = len(FLORS) / len(HANDS)
    both = sum(not set(mine) & set(other) for mine, other in permutations(FLORS, 2)) / deals
    assert round(100 * one, 2) == 4.86
    assert round(100 * (2 * one - both), 2) == 9.47
    assert round(100 * both, 2) == 0.25


def test_envido_of_hands_without_flor_has_median_21() -> None:
    assert median(envido_points(hand) for hand in HANDS if not has_flor(hand)) == 21


@pytest.mark.parametrize(("points", "percent"), [(27, 23.0), (30, 7.7), (33, 1.3)])
def test_how_often_a_hand_without_flor_has_a_good_envido(points: int, percent: float) -> None:
    envidos = [envido_points(hand) for hand in HANDS if not has_flor(hand)]
    assert round(100 * sum(envido >= points for envido in envidos) / len(envidos), 1) == percent
