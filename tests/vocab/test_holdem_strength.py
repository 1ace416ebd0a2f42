"""Hand strength, potentials and starting hands: published values, and slow counts beside them."""

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import phevaluator
import pytest

from retruco.compiler import compiled
from retruco.games.holdem import Betting, preset
from retruco.games.holdem.compiled import FAST, Longs, Shorts, situation_of, value_of
from retruco.games.holdem.deck import CARDS, bits
from retruco.games.holdem.ranking import KINDS, value
from retruco.vocab.holdem.starting import kind_of, kinds, table
from retruco.vocab.holdem.strength import Strength, chance_of, odds, strength

FIVE_CARD_HANDS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
"""How many of each kind there are among all 2,598,960 hands of five cards, as every book has it."""


PAIRS = np.array([1 << one | 1 << two for one, two in combinations(range(52), 2)], np.int64)


@compiled
def values_on(table: Shorts, board: int, pairs: Longs) -> Longs:
    """Value every two cards on a board; -1 where a card would be there twice."""
    found = np.empty(pairs.shape[0], np.int64)
    for place in range(pairs.shape[0]):
        found[place] = -1 if pairs[place] & board else value_of(table, pairs[place] | board)
    return found


def test_all_hands_of_five_cards_are_of_the_kinds_that_books_count() -> None:
    """The pairs are valued on every board of three cards; each hand of five is met ten times."""
    found: Counter[int] = Counter()
    for board in combinations(range(52), 3):
        worth = values_on(FAST, sum(1 << card for card in board), PAIRS)
        found.update(dict(enumerate(np.bincount(worth[worth >= 0] >> 26, minlength=9).tolist())))
    assert {KINDS[place]: count // 10 for place, count in found.items()} == FIVE_CARD_HANDS
    assert sum(found.values()) == 10 * comb(52, 5)


def test_the_compiled_ranking_is_the_plain_one() -> None:
    chance = Random(1)
    for _ in range(2000):
        hand = bits(chance.sample(CARDS, chance.choice((5, 6, 7))))
        assert value_of(FAST, hand) == value(hand)


def test_the_example_of_billings_and_others() -> None:
    """Ace-queen on jack-four-three: 628 holdings ahead, 9 tied, 444 behind, strength 58.5 %.

    Billings et al. (2002) give 0.585, and 0.069 against five opponents.
    """
    seen = strength(("Ad", "Qc"), ("3h", "4c", "Jh"))
    assert (seen.ahead, seen.tied, seen.behind) == (628, 9, 444)
    assert round(seen.now, 3) == 0.585
    assert round(seen.now**5, 3) == 0.069


def slowly(hole: tuple[str, str], board: tuple[str, ...]) -> tuple[float, ...]:
    """Count with phevaluator, holding by holding and card by card, as the definition reads."""

    def worth(two: tuple[str, ...], lying: tuple[str, ...]) -> int:
        return -int(phevaluator.evaluate_cards(*two, *lying))

    def compared(two: tuple[str, ...], lying: tuple[str, ...]) -> int:
        mine, theirs = worth(hole, lying), worth(two, lying)
        return (mine > theirs) - (mine < theirs)

    left = [card for card in CARDS if card not in (*hole, *board)]
    now: Counter[int] = Counter()
    moved: Counter[tuple[int, int]] = Counter()
    for two in combinations(left, 2):
        before = compared(two, board)
        now[before] += 1
        for card in () if len(board) == 5 else left:
            if card not in two:
                moved[before, compared(two, (*board, card))] += 1

    def potential(start: int) -> float:
        of = {one: sum(moved[one, end] for end in (-1, 0, 1)) for one in (start, 0)}
        whole = of[start] + of[0] / 2
        gone = moved[start, -start] + moved[start, 0] / 2 + moved[0, -start] / 2
        return gone / whole if whole else 0.0

    return now[1], now[0], now[-1], potential(-1), potential(1)


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("Ad Qc", "3h 4c Jh"),
        ("2c 2d", "2h 2s 5c 5d"),
        ("Ah Kh", "Qh Jh Th 2c 3d"),
        ("2c 7d", "As Ks Qs Js Ts"),
        ("Ah 9h", "2h 7h Kh"),  # a flush lies open to all
        ("Ac 9h", "2h 7h Kh Ts"),
        ("8h 8c", "2h 7h Kh Th"),
        ("Jd 9s", "2h 7h Ks Ts"),  # two suits may still give one
    ],
)
def test_strength_and_potentials_are_what_a_slow_count_finds(hole: str, board: str) -> None:
    one, two = hole.split()
    fast, slow = strength((one, two), tuple(board.split())), slowly((one, two), tuple(board.split()))
    assert fast[:3] == slow[:3]
    assert (fast.positive, fast.negative) == pytest.approx(slow[3:])


def numbers(seen: Strength) -> tuple[float, ...]:
    return seen.ahead, seen.tied, seen.behind, seen.positive, seen.negative


def test_the_names_of_the_suits_do_not_matter() -> None:
    chance = Random(3)
    for _ in range(50):
        cards = chance.sample(CARDS, chance.choice((5, 6, 7)))
        renamed = dict(zip("cdhs", chance.sample("cdhs", 4), strict=True))
        turned = [card[0] + renamed[card[1]] for card in cards]
        one, other = ((hand[0], hand[1]) for hand in (cards, turned))
        assert numbers(strength(one, tuple(cards[2:]))) == numbers(strength(other, tuple(turned[2:])))


@pytest.mark.parametrize("board", ["", "2c 3c", "As 3c 4d", "2c 2c 3d"])
def test_an_impossible_board_is_refused(board: str) -> None:
    with pytest.raises(ValueError, match="no such hand: As Kd on"):
        strength(("As", "Kd"), tuple(board.split()))


def equity(hole: tuple[str, str], opponents: int) -> float:
    """The share of the pot that two cards win against random hands, from a situation and from the table."""
    betting = Betting(
        preset(f"limit-{opponents + 1}"), 0, 0, (2 << opponents) - 1, 1, (0,) * (opponents + 1), 2, 0
    )
    found = chance_of(situation_of(hole, (), betting), odds())
    assert found == table()[kind_of(hole)][opponents - 1]
    return found


class TestStartingHands:
    def test_there_are_169_kinds(self) -> None:
        assert len(set(kinds())) == 169
        assert set(table()) == set(kinds())

    @pytest.mark.parametrize(
        ("hole", "opponents", "published"),
        [
            (("As", "Ah"), 1, 0.852),
            (("As", "Ks"), 1, 0.670),
            (("2s", "2h"), 1, 0.503),
            (("3s", "2h"), 1, 0.323),
            (("As", "Ah"), 9, 0.311),
        ],
    )
    def test_equities_that_every_table_prints(
        self, hole: tuple[str, str], opponents: int, published: float
    ) -> None:
        assert equity(hole, opponents) == pytest.approx(published, abs=0.0015)

    def test_all_hands_together_win_one_half_of_two(self) -> None:
        ways = {name: 6 if len(name) == 2 else 4 if name.endswith("s") else 12 for name in kinds()}
        assert sum(ways.values()) == comb(52, 2)
        for opponents in (1, 9):
            whole = sum(ways[name] * table()[name][opponents - 1] for name in ways)
            assert whole / comb(52, 2) == pytest.approx(1 / (opponents + 1), abs=0.0002)

    def test_a_kind_is_named_the_same_whichever_card_comes_first(self) -> None:
        assert equity(("2c", "Ad"), 3) == equity(("Ah", "2s"), 3)
