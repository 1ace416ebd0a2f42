"""What poker hands are worth, beside phevaluator and eval7."""

import warnings
from itertools import pairwise
from random import Random

import phevaluator
import pytest

from retruco.games.holdem.deck import CARDS, bits
from retruco.games.holdem.ranking import kind, value

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its parser of ranges calls things by old names
    import eval7


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Kd 9h 7c 5s 3d 2h", "high card"),
        ("As Ad 9h 7c 5s 3d 2h", "pair"),
        ("As Ad 9h 9c 5s 5d 2h", "two pair"),
        ("As Ad Ah 7c 5s 3d 2h", "three of a kind"),
        ("As 2d 3h 4c 5s Kd Kh", "straight"),
        ("As Ks 9s 7s 5s Kd Kh", "flush"),
        ("As Ad Ah Kc Ks Kd 2h", "full house"),
        ("As Ad Ah Ac Ks Kd Kh", "four of a kind"),
        ("As 2s 3s 4s 5s 6d 7h", "straight flush"),
    ],
)
def test_kinds_of_hands(cards: str, expected: str) -> None:
    assert kind(value(bits(cards.split()))) == expected


def test_hands_from_the_best_to_the_worst() -> None:
    """Kickers count; the low straight is the lowest; of three pairs the best two count."""
    hands = [
        "As Ks Qs Js Ts 2d 2h",
        "5s 4s 3s 2s As Kd Kh",
        "Ks Kd Kh Kc As 2d 2h",
        "As Ad Ah Ks Kd Kh 2h",
        "Ks Kd Kh As Ad 2d 2h",
        "Ts 9d 8h 7c 6s 2d 2h",
        "5s 4d 3h 2c As Kd Kh",
        "As Ad Kh Kc Qs Qd 2h",
        "As Ad Kh Kc Js 3d 2h",
        "As Ad Kh Qc Js 3d 2h",
        "As Ad Kh Qc Ts 3d 2h",
    ]
    values = [value(bits(hand.split())) for hand in hands]
    assert all(better > worse for better, worse in pairwise(values))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_order_of_random_hands_is_that_of_phevaluator_and_eval7(size: int) -> None:
    chance = Random(size)
    seen: dict[int, tuple[int, int]] = {}
    for _ in range(6000):
        hand = chance.sample(CARDS, size)
        theirs = -phevaluator.evaluate_cards(*hand), eval7.evaluate([eval7.Card(card) for card in hand])
        ours = value(bits(hand))
        assert seen.setdefault(ours, theirs) == theirs, hand
    ordered = [seen[ours] for ours in sorted(seen)]
    assert all(low[0] < high[0] and low[1] < high[1] for low, high in pairwise(ordered))
