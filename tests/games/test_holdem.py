"""Limit hold'em by the rulebook, beside PokerKit, and against what is wrong from outside."""

import pickle
from random import Random

import pytest

from retruco.games.check import check_game, perft
from retruco.games.core import BadRecord, IllegalAction, Match
from retruco.games.holdem import Holdem, HoldemDeal, HoldemState, betting
from retruco.games.holdem.betting import after, opening
from retruco.games.holdem.deck import CARDS, drawn
from retruco.games.holdem.rules import preset
from retruco.games.records import replay
from retruco.streams import Stream

ACES = "As Ah / Ks Kh / Qs Qh / Js Jh | 2c 7d 9h 4s 3d"


def dealt(text: str) -> HoldemDeal:
    hands, board = text.split(" | ")
    return HoldemDeal(
        tuple((one, two) for one, two in (hand.split() for hand in hands.split(" / "))), tuple(board.split())
    )


def played(rules: str, actions: str, deal: str = ACES, dealer: int = 0) -> HoldemState:
    state = Holdem.named(rules).begin(dealt(deal), dealer)
    for action in actions.split():
        state = state.play(action)
    return state


def points(rules: str, actions: str, deal: str = ACES, dealer: int = 0) -> tuple[int, ...]:
    outcome = played(rules, actions, deal, dealer).outcome
    assert outcome is not None
    return outcome.points


class TestOrder:
    def test_the_seat_after_the_big_blind_opens_and_the_dealers_left_opens_later_stages(self) -> None:
        state = played("limit-4", "")
        assert (state.to_act, state.betting.spent) == (3, (1, 2, 0, 0))  # seat 1 and 2 post, seat 3 opens
        assert played("limit-4", "call call call check").to_act == 1
        assert played("limit-4", "call call fold check").to_act == 2

    def test_with_two_seats_the_dealer_posts_the_small_blind_acts_first_then_last(self) -> None:
        start = played("limit-2", "", "As Ah / Ks Kh | 2c 7d 9h 4s 3d", dealer=1)
        assert start.to_act == 1
        assert start.betting.to_call == 1
        assert start.play("call").play("check").to_act == 0

    def test_the_big_blind_may_still_raise_when_all_have_only_called(self) -> None:
        assert played("limit-4", "call call call").legal == ("check", "raise")

    def test_after_a_raise_everybody_else_must_answer(self) -> None:
        assert played("limit-4", "call raise call call").to_act == 3
        assert played("limit-4", "call raise call call call").betting.stage == 1

    def test_the_deal_moves_on_one_seat_a_hand(self) -> None:
        game = Holdem.named("limit-3", target=2)
        match = game.opening(2)
        end = game.start(game.deal(Stream(1)), match).play("fold").play("fold")
        following = game.after(match, end)
        assert (following.first, game.is_over(following)) == (0, False)
        assert game.is_over(Match((0, 0, 0), 1, 2))


class TestBets:
    @pytest.mark.parametrize(
        ("rules", "raises"), [("limit-3", (4, 5, 5, 5)), ("acpc-3", (3, 4, 4, 4)), ("four-3", (4, 4, 4, 4))]
    )
    def test_a_stage_has_no_more_raises_than_the_rules_allow(
        self, rules: str, raises: tuple[int, ...]
    ) -> None:
        betting = opening(preset(rules))
        for stage, most in enumerate(raises):
            assert betting.stage == stage
            done = 0
            while {"bet", "raise"} & {*betting.legal}:
                betting, done = after(betting, betting.legal[-1]), done + 1
            assert done == most
            while betting.stage == stage and betting.to_act is not None:
                betting = after(betting, "call")
        assert max(betting.spent) == preset(rules).most_spent

    def test_five_bets_are_the_most_anybody_pays_in_a_stage_of_the_seed(self) -> None:
        rules = preset("casey-4")
        assert rules.big_blind + rules.raises[0] * rules.sizes[0] == 5 * rules.sizes[0]
        assert rules.most_spent == 4 * 5 * 2

    def test_bets_double_on_the_turn(self) -> None:
        state = played("limit-4", "call call call check check check check bet")
        assert state.betting.to_call == 2
        state = played("limit-4", "call call call check check check check check bet")
        assert state.betting.to_call == 4

    def test_nobody_folds_for_nothing(self) -> None:
        with pytest.raises(IllegalAction, match="legal here: check bet"):
            played("limit-4", "call call call check fold")


class TestPots:
    def test_the_last_one_in_takes_the_pot_without_showing(self) -> None:
        state = played("limit-4", "raise fold fold fold")
        assert state.outcome is not None
        assert (state.outcome.reason, state.outcome.winner, state.outcome.points) == (
            "fold",
            3,
            (0, -1, -2, 3),
        )
        assert state.observe(0).shown == (None,) * 4

    def test_the_best_hand_takes_the_pot_and_is_shown_with_the_others_still_in(self) -> None:
        state = played("limit-4", "call call fold check" + " check" * 9)
        assert state.outcome is not None
        assert state.outcome.points == (5, -1, -2, -2)
        assert state.observe(3).shown == (("As", "Ah"), None, ("Qs", "Qh"), ("Js", "Jh"))

    def test_the_board_alone_is_shared_by_all(self) -> None:
        split = "2c 3d / 2d 3h / 2h 3s / 4c 5c | As Ks Qs Js Ts"
        assert points("limit-4", "call call call check" + " check" * 12, split) == (0, 0, 0, 0)

    def test_an_odd_chip_goes_to_the_first_winner_from_the_dealers_left(self) -> None:
        split = "2c 3d / 4d 5h / 2h 3s / 2d 3h | As Ks Qs Js Ts"
        ends = "call call fold check" + " check" * 9  # seat 1 leaves its small blind: 7 chips for three
        assert points("limit-4", ends, split) == (0, -1, 1, 0)

    def test_two_odd_chips_go_to_the_same_first_winner(self) -> None:
        """Three share 17 chips: 5 each, and 2 more for the first from the dealer's left, as in PokerKit."""
        split = "2c 3d / 4d 5h / 2h 3s / 2d 3h / 7c 7d / 8c 8d | As Ks Qs Js Ts"
        ends = "call call call call fold check bet call call fold fold" + " check" * 6
        assert points("limit-6", ends, split) == (-2, -1, 3, 1, 1, -2)


@pytest.mark.slow
def test_lock_step_with_pokerkit_from_two_to_nine_seats() -> None:
    """Turn, legal actions, pot, amount to call at every step, and all points at the end."""
    from pokerkit_hands import differences  # PokerKit takes a while to import

    chance = Random(11)
    for number in range(800):
        seats = 2 + number % 8
        assert differences(seats, number, chance) == [], (seats, number)


def test_the_betting_of_two_seats_has_as_many_states_as_counted_by_hand() -> None:
    """With one raise a stage: 2 actions may open, 3 answer, so each stage goes on in few ways.

    A stage is checked through, bet and called (either seat), or folded. From the flop on: check-check
    1, bet-call 2 ways on, 2 folds. Before the flop: call-check, call-raise-call, raise-call on, and
    fold, raise-fold, call-raise-fold end. On ways: 3 each; ends: 3 + 3 * (2 + 3 * (2 + 3 * (2 + 3))).
    """
    from dataclasses import replace

    game = Holdem(replace(preset("limit-2"), raises=(1, 1, 1, 1)))
    state = game.begin(dealt("As Ah / Ks Kh | 2c 7d 9h 4s 3d"), 0)
    assert perft(state)["ends"] == 3 + 3 * (2 + 3 * (2 + 3 * (2 + 3)))


def test_every_card_is_drawn_equally_often_at_every_place() -> None:
    counts = [dict.fromkeys(CARDS, 0) for _ in range(25)]
    draws = 10_400
    for number in range(draws):
        hand = drawn(Stream("fair", number), 25)
        assert len(set(hand)) == 25
        for place, card in enumerate(hand):
            counts[place][card] += 1
    expected = draws / 52
    chi_square = [sum((n - expected) ** 2 / expected for n in one.values()) for one in counts]
    assert max(chi_square) < 110  # 51 degrees of freedom: 110 is passed once in 400,000 by chance


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_number_of_seats_keeps_the_contract(seats: int) -> None:
    check_game(Holdem.named(f"limit-{seats}", target=4), hands=15)


def test_states_survive_pickling_and_equal_states_are_equal() -> None:
    state = played("limit-4", "call raise call")
    assert pickle.loads(pickle.dumps(state)) == state
    assert hash(pickle.loads(pickle.dumps(state.betting))) == hash(state.betting)


def test_a_state_does_not_change() -> None:
    state = played("limit-4", "call raise call")
    for name in ("legal", "betting", "actions", "outcome"):
        with pytest.raises(AttributeError):
            setattr(state, name, ())


def test_the_same_stream_deals_the_same_cards_for_ever() -> None:
    dealt = str(Holdem.named("limit-3").deal(Stream("deal", 1)))
    assert dealt == "Ac Qh / 5s 8s / 7s Jd | Qs 6s 6h 3h Th"


def test_betting_that_was_forgotten_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends() -> list[tuple[object, ...]]:
        game, chance = Holdem.named("limit-3"), Random(1)
        found: list[tuple[object, ...]] = []
        for number in range(100):
            state = game.begin(game.deal(Stream("forgetting", number)), number % 3)
            while state.outcome is None:
                state = state.play(chance.choice(state.legal))
            found.append((state.actions, state.betting, state.outcome))
        return found

    remembered = ends()
    monkeypatch.setattr(betting, "REMEMBERED", 20)
    opening.cache_clear()  # else all is found from there
    assert ends() == remembered
    assert len(betting._KNOWN) <= 20


def test_what_a_seat_cannot_see_does_not_change_what_it_observes() -> None:
    chance = Random(5)
    for number in range(60):
        game = Holdem.named(f"limit-{2 + number % 9}")
        state = game.begin(game.deal(Stream("hidden", number)), 0)
        for _ in range(chance.randrange(12)):
            if state.outcome is None:
                state = state.play(chance.choice([one for one in state.legal if one != "fold"]))
        if state.outcome is None:
            seat = chance.randrange(game.seats)
            assert redrawn(state, seat, chance).observe(seat) == state.observe(seat)


def redrawn(state: HoldemState, seat: int, chance: Random) -> HoldemState:
    """Give the others, and the board still to come, other cards."""
    own, seen = state.deal.hands[seat], state.board
    assert own is not None
    rest = [one for one in CARDS if one not in (*own, *seen)]
    chance.shuffle(rest)
    hands = tuple(own if at == seat else (rest.pop(), rest.pop()) for at in range(state.game.seats))
    board = seen + tuple(rest.pop() for _ in range(5 - len(seen)))
    again = state.game.begin(HoldemDeal(hands, board), state.dealer)
    for action in state.actions:
        again = again.play(action)
    return again


GOOD: dict[str, object] = {
    "game": "holdem",
    "rules": "limit-2",
    "dealer": 0,
    "hands": [["As", "Ah"], None],
    "board": ["2c", "7d", "9h"],
    "actions": ["call", "check", "bet"],
}


def test_a_hand_may_be_recorded_as_one_seat_saw_it() -> None:
    state = replay(GOOD)
    assert state.to_act == 0
    assert state.observe(0).legal == ("fold", "call", "raise")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": "limit-1"}, "unknown rules 'limit-1'"),
        ({"rules": 7}, "rules must be a name"),
        ({"target": 0}, "at least 1 hand"),
        ({"dealer": 2}, "dealer must be a seat from 0 to 1, not 2"),
        ({"dealer": True}, "dealer must be an integer, not True"),
        ({"colour": 1}, "unknown key 'colour'"),
        ({"hands": [["As", "Ah"]]}, "list of 2 hands"),
        ({"hands": [["As", "1h"], None]}, "unknown card '1h'"),
        ({"hands": [["As", "2c"], None]}, "card '2c' is dealt twice"),
        ({"hands": [["As"], None]}, "two cards"),
        ({"board": ["2c"]}, "0, 3, 4 or 5 cards"),
        ({"board": []}, "too short: the betting has reached 3 open cards"),
        ({"actions": ["call", "bet"]}, "illegal action 'bet' as action 2; legal here: check raise"),
        ({"actions": "call"}, "actions must be a list"),
        ({"actions": ["call", "check"] + ["check"] * 6}, "showdown needs"),
    ],
)
def test_a_wrong_record_is_refused_with_the_value_and_what_would_do(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        replay({**GOOD, **change})


def test_a_missing_key_is_named() -> None:
    with pytest.raises(BadRecord, match="missing key 'board'"):
        replay({key: value for key, value in GOOD.items() if key != "board"})


class TestBehaviour:
    def test_what_was_played_entered_and_won_is_counted(self) -> None:
        game = Holdem.named("limit-4")
        end = played("limit-4", "call fold fold raise call bet call" + " check check" * 2)
        first = game.behaviour(end, 3)
        assert (first["entered first to act"], first["flops"], first["showdowns"]) == (1, 1, 1)
        assert (first["bets and raises"], first["bets, raises and calls"]) == (0, 3)
        blind = game.behaviour(end, 2)
        assert (blind["bets and raises"], blind["showdowns won or split"], blind["flops won"]) == (2, 1, 1)
        button = game.behaviour(end, 0)
        assert (button["on the button"], button["entered"], button["flops"]) == (1, 0, 0)

    def test_a_big_blind_that_checks_plays_a_hand_without_entering_it(self) -> None:
        end = played("limit-4", "fold fold call check bet fold")
        assert end.game.behaviour(end, 2)["entered"] == 0
        assert end.game.behaviour(end, 2)["flops"] == 1
        assert end.game.behaviour(end, 1)["flops won"] == 1
