"""Kuhn poker against its published facts."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

import pytest

from retruco.games.check import check_game, perft
from retruco.games.core import BadRecord
from retruco.games.kuhn import DECKS, Kuhn, KuhnState
from retruco.games.records import replay

Strategy = Mapping[tuple[str, tuple[str, ...]], Fraction]


def tree(seats: int) -> Counter[str]:
    total: Counter[str] = Counter()
    for cards in permutations(DECKS[seats], seats):
        total += perft(KuhnState(cards))
    return total


def test_two_seats_have_24_decisions_and_30_ends_over_all_deals() -> None:
    assert tree(2) == {"decisions": 24, "ends": 30}


def test_three_seats_have_twelve_decisions_and_thirteen_ends_a_deal() -> None:
    assert tree(3) == {"decisions": 24 * 12, "ends": 24 * 13}


def test_three_seats_have_four_situations_a_card_and_seat() -> None:
    """Szafron, Gibson and Sturtevant 2013: each seat meets four betting situations."""
    met: set[tuple[int, str, tuple[str, ...]]] = set()

    def walk(state: KuhnState) -> None:
        if state.to_act is not None:
            met.add((state.to_act, state.cards[state.to_act], state.actions))
            for action in state.legal:
                walk(state.play(action))

    for cards in permutations(DECKS[3], 3):
        walk(KuhnState(cards))
    assert Counter((seat, card) for seat, card, _ in met) == {
        (seat, card): 4 for seat in range(3) for card in DECKS[3]
    }


def kuhns_equilibrium(alpha: Fraction) -> Strategy:
    """The chance of betting or calling by card and actions (Kuhn 1950; alpha from 0 to 1/3)."""
    third = Fraction(1, 3)
    return {
        ("J", ()): alpha,
        ("Q", ()): Fraction(0),
        ("K", ()): 3 * alpha,
        ("J", ("check", "bet")): Fraction(0),
        ("Q", ("check", "bet")): alpha + third,
        ("K", ("check", "bet")): Fraction(1),
        ("J", ("check",)): third,
        ("Q", ("check",)): Fraction(0),
        ("K", ("check",)): Fraction(1),
        ("J", ("bet",)): Fraction(0),
        ("Q", ("bet",)): third,
        ("K", ("bet",)): Fraction(1),
    }


def value(state: KuhnState, strategy: Strategy) -> Fraction:
    """What the first seat wins on average from here."""
    if state.outcome is not None:
        return Fraction(state.outcome.points[0])
    assert state.to_act is not None
    bold = strategy[state.cards[state.to_act], state.actions]
    brave, meek = ("bet", "check") if "bet" in state.legal else ("call", "fold")
    return bold * value(state.play(brave), strategy) + (1 - bold) * value(state.play(meek), strategy)


def game_value(strategy: Strategy) -> Fraction:
    return sum(value(KuhnState(cards), strategy) for cards in permutations(DECKS[2], 2)) / Fraction(6)


ALPHAS = [Fraction(0), Fraction(1, 6), Fraction(1, 3)]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_game_is_worth_minus_one_eighteenth_to_the_first_seat(alpha: Fraction) -> None:
    assert game_value(kuhns_equilibrium(alpha)) == Fraction(-1, 18)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_nobody_gains_by_leaving_the_equilibrium(alpha: Fraction) -> None:
    """Against an equilibrium no pure change at one situation helps; the tree is that small."""
    equilibrium = dict(kuhns_equilibrium(alpha))
    for situation in equilibrium:
        for pure in (Fraction(0), Fraction(1)):
            changed = game_value({**equilibrium, situation: pure})
            is_first_seat = len(situation[1]) % 2 == 0
            gain = changed + Fraction(1, 18) if is_first_seat else Fraction(-1, 18) - changed
            assert gain <= 0


def test_a_fold_shows_no_card_and_a_showdown_shows_those_that_called() -> None:
    folded = KuhnState(("K", "J")).play("bet").play("fold")
    assert folded.observe(1).shown == (None, None)
    called = KuhnState(("K", "J", "T")).play("bet").play("call").play("fold")
    assert called.observe(2).shown == ("K", "J", None)


def test_a_match_goes_to_the_seat_with_more_chips() -> None:
    game = Kuhn.named("two-seats", target=2)
    match = game.opening()
    for _ in range(2):
        match = game.after(match, KuhnState(("K", "Q"), match.first, ("bet", "call")))
    assert game.is_over(match)
    assert game.winner(match) == 0
    assert match.scores == (4, -4)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_contract(seats: int) -> None:
    check_game(Kuhn(seats), hands=200)


@pytest.mark.parametrize(
    "wrong",
    [
        {"cards": ["K"]},
        {"cards": ["K", "K"]},
        {"cards": ["K", "A"]},
        {"first": 2},
        {"first": True},
        {"actions": "bet"},
        {"actions": ["fold"]},
    ],
)
def test_bad_records_are_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet"]}
    replay(good)
    with pytest.raises(ValueError, match=r"bet|card|first|fold"):
        replay(good | wrong)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(BadRecord, match="'bridge'"):
        replay({"game": "bridge"})
