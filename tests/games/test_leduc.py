"""Leduc hold'em against its published facts."""

from collections import Counter

import pytest

from retruco.games.check import perft
from retruco.games.core import BadRecord
from retruco.games.leduc import Leduc, LeducDeal, LeducState
from retruco.games.records import replay

RECORD = {"game": "leduc", "cards": ["K", "Q"], "board": "Q", "first": 0, "actions": ["bet", "call"]}


def test_all_deals_together_have_probability_one_and_leave_out_three_of_a_rank() -> None:
    deals = dict(Leduc().all_deals())
    assert sum(deals.values()) == pytest.approx(1)
    assert len(deals) == 24
    assert LeducDeal(("K", "K"), "K") not in deals


def test_a_deal_can_be_played_in_as_many_ways_as_openspiel_counts() -> None:
    """A round has five ways to go on to the next and four folds: 4 + 5 x 9 ends."""
    total: Counter[str] = Counter()
    for deal, _ in Leduc().all_deals():
        total += perft(LeducState(*deal))
    assert total["ends"] == 24 * (4 + 5 * 9)


def test_the_first_seat_may_be_either_and_opens_both_rounds() -> None:
    state = LeducState(("J", "Q"), "K", first=1)
    assert state.to_act == 1
    assert state.play("check").to_act == 0
    assert state.play("check").play("check").to_act == 1


@pytest.mark.parametrize(
    ("cards", "points"),
    [(("K", "Q"), (-9, 9)), (("K", "K"), (0, 0)), (("K", "J"), (9, -9))],
)
def test_a_pair_with_the_board_wins_then_the_higher_card_and_equals_share(
    cards: tuple[str, str], points: tuple[int, int]
) -> None:
    state = LeducState(cards, "Q")
    for action in ("bet", "raise", "call", "bet", "call"):
        state = state.play(action)
    assert state.outcome is not None
    assert state.outcome.points == points


def test_a_fold_loses_what_was_paid_and_shows_no_card() -> None:
    state = LeducState(("K", "J"), "Q")
    for action in ("check", "bet", "raise", "fold"):
        state = state.play(action)
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winner, state.outcome.points) == ("fold", 0, (3, -3))
    assert state.observe(0).shown == (None, None)


def test_the_board_is_hidden_until_the_first_round_is_over() -> None:
    state = LeducState(("K", "J"), "Q")
    assert state.play("check").observe(1).board is None
    assert state.play("check").play("check").observe(0).board == "Q"


def test_a_round_is_raised_twice_at_most() -> None:
    assert LeducState(("K", "J"), "Q").play("bet").play("raise").legal == ("call", "fold")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": ["K"]}, "cards must be two cards"),
        ({"board": "A"}, "unknown card 'A': one of J Q K"),
        ({"cards": ["Q", "Q"]}, "only two cards of each rank, not three Q"),
        ({"first": 2}, "first must be a seat from 0 to 1"),
    ],
)
def test_a_wrong_record_is_refused_by_name(change: dict[str, object], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        replay({**RECORD, **change})


def test_unknown_rules_and_targets_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown rules 'ten-cards': one of six-cards"):
        Leduc.named("ten-cards")
    with pytest.raises(ValueError, match="at least 1 hand, not 0"):
        Leduc.named(target=0)
