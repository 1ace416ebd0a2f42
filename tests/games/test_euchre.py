"""Euchre: the rulebook, what must hold in every hand, and lock-step with OpenSpiel."""

import json
import pickle
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retruco.agents.euchre.openspiel import in_lock_step, load_game
from retruco.games.check import assert_refused, check_game
from retruco.games.core import BadRecord, IllegalAction, Match
from retruco.games.euchre import DECK, PRESETS, Euchre, EuchreDeal, EuchreState, power, suit_of, winning
from retruco.games.euchre.deck import listed
from retruco.games.euchre.state import score
from retruco.games.euchre.stepper import HELD, SITUATION, situation_of
from retruco.games.euchre.tricks import TEAMS
from retruco.games.records import replay
from retruco.streams import Stream

HANDS = ("9c Tc Qc Kc Ac", "9d Td Qd Kd Ad", "9s Ts Qs Ks As", "Jc Jd Jh 9h Th")
"""One suit each; seat 3 has three jacks. The upcard is the queen of hearts."""


def table(
    *actions: str, rules: str = "classic", dealer: int = 3, hands: tuple[str, ...] = HANDS
) -> EuchreState:
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), "Qh")
    state = Euchre.named(rules).start(deal, Match((0, 0), dealer))
    for action in " ".join(actions).split():
        state = state.play(action)
    return state


# The cards.


def test_trumps_stand_in_this_order() -> None:
    high_to_low = ("Jh", "Jd", "Ah", "Kh", "Qh", "Th", "9h", "Ac", "Kc", "Qc", "Jc", "Tc", "9c")
    for strong, weak in pairwise(high_to_low):
        assert power(strong, "h", led="c") > power(weak, "h", led="c")
    assert power("As", "h", led="c") == power("Ad", "h", led="c") == 0


def test_the_left_bower_is_a_trump_and_nothing_else() -> None:
    for trump, left in {"h": "Jd", "d": "Jh", "c": "Js", "s": "Jc"}.items():
        assert suit_of(left, trump) == trump
        assert [suit_of(card, trump) for card in DECK].count(trump) == 7
        assert [suit_of(card, trump) for card in DECK].count(left[1]) == 5


def test_a_trick_goes_to_the_highest_trump_or_the_highest_of_the_suit_led() -> None:
    assert winning(("9c", "Ac", "Kd", "Qc"), "h") == 1
    assert winning(("Ac", "9h", "Jd", "Jh"), "h") == 3
    assert winning(("9d", "As", "Ac", "Ah"), "s") == 1


def test_the_same_stream_deals_the_same_cards_for_ever() -> None:
    assert (
        str(Euchre.named().deal(Stream("deal", 1)))
        == "9h Qc Ah Qd Kd / Th Jh 9d As Qh / Ad Qs Jd 9c Ac / Js 9s Tc Jc Kc / Ts up"
    )


# The bidding.


def test_the_dealers_left_speaks_first_and_two_rounds_pass_out() -> None:
    state = table()
    assert (state.to_act, state.legal) == (0, ("pass", "order", "order-alone"))
    state = table("pass " * 4)
    assert state.to_act == 0
    assert state.legal[:4] == ("pass", "clubs", "diamonds", "spades")
    assert not any("hearts" in action for action in state.legal), "the suit turned down may not be named"
    over = table("pass " * 8)
    assert over.outcome is not None
    assert (over.outcome.reason, over.outcome.points, over.legal) == ("passed", (0, 0), ())
    assert Euchre.named().after(Match((0, 0), 3), over) == Match((0, 0), 0, 1)


def test_the_dealer_may_be_stuck() -> None:
    assert table("pass " * 7, rules="stick").legal[:3] == ("clubs", "diamonds", "spades")
    assert "pass" not in table("pass " * 7, rules="stick").legal
    assert table("pass " * 7, rules="seelbinder2012").legal == ("clubs", "diamonds", "spades")


def test_the_dealer_takes_the_upcard_and_discards_one_of_six() -> None:
    state = table("order")
    assert state.to_act == 3
    assert sorted(state.legal) == sorted(f"discard:{card}" for card in (*HANDS[3].split(), "Qh"))
    assert "discard:Qh" not in table("order", rules="openspiel").legal
    assert "Qh" in table("order discard:Jc").held(3)
    assert "Jc" not in table("order discard:Jc").held(3)
    assert len(table("order discard:Jc").held(3)) == 5


def test_going_alone_is_said_with_the_call_or_after_the_discard_or_never() -> None:
    assert table("pass pass pass order-alone discard:Jc").contract == (3, "h", True, 1)
    assert table("order discard:Jc", rules="openspiel").legal == ("alone", "together")
    assert table("order discard:Jc", rules="openspiel").to_act == 0
    assert table(rules="seelbinder2012").legal == ("pass", "order")


def test_the_partner_of_a_lone_maker_lays_its_cards_down() -> None:
    state = table("pass pass order-alone discard:Jc")
    assert state.to_act == 1, "seat 0 would lead, but its partner plays alone"
    seats: list[int | None] = []
    while state.outcome is None:
        seats.append(state.to_act)
        state = state.play(state.legal[0])
    assert 0 not in seats
    assert len(seats) == 15


# The tricks.


def test_suit_must_be_followed_and_the_left_bower_follows_trumps() -> None:
    hands = ("9h Tc Qc Kc Ac", "9d Td Qd Kd Ad", "9s Ts Qs Ks As", "Jc Jd Jh 9c Th")
    state = table("order discard:9c 9h", hands=hands)
    assert state.legal == ("9d", "Td", "Qd", "Kd", "Ad"), "no trump: any card"
    state = state.play("Td").play("9s")
    assert state.legal == ("Jd", "Th", "Jh", "Qh"), "the jack of diamonds is a heart now"
    with pytest.raises(IllegalAction, match="legal here: Jd Th Jh Qh"):
        state.play("Jc")
    diamonds = table("pass pass pass order discard:9c Tc Ad 9s", hands=hands)
    assert diamonds.legal == ("Jc",)


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = table("pass pass pass order discard:Jc 9c 9d 9s 9h")
    assert state.to_act == 3
    assert state.tricks[0].winner == 3


@pytest.mark.parametrize(
    ("taken", "alone", "makers", "defenders"),
    [
        *((0, False, 0, 2), (2, False, 0, 2), (3, False, 1, 0), (4, False, 1, 0), (5, False, 2, 0)),
        *((2, True, 0, 2), (3, True, 1, 0), (4, True, 1, 0), (5, True, 4, 0)),
    ],
)
def test_points(taken: int, alone: bool, makers: int, defenders: int) -> None:
    assert score(0, taken, alone).points == (makers, defenders)
    assert score(1, taken, alone).points == (defenders, makers)


def test_a_game_is_to_ten_and_may_end_at_eleven() -> None:
    game = Euchre.named("seelbinder2012")
    assert not game.is_over(Match((9, 9), 0))
    assert game.is_over(Match((11, 9), 0))
    assert game.winner(Match((9, 10), 0)) == 1
    assert game.teams == (0, 1, 0, 1)


# Every hand.


@pytest.mark.parametrize("rules", PRESETS)
def test_the_contract_of_games(rules: str) -> None:
    check_game(Euchre.named(rules), 40)


@st.composite
def hands_in_progress(draw: st.DrawFn) -> EuchreState:
    """Any state that play can reach, in any preset."""
    game = Euchre.named(draw(st.sampled_from(Euchre.presets())))
    chance = Stream("property", draw(st.integers(0, 2**32)))
    state = game.start(game.deal(chance), Match((0, 0), chance.below(4)))
    for _ in range(draw(st.integers(0, 28))):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal))
    return state


@given(hands_in_progress())
def test_everything_that_is_not_listed_is_refused(state: EuchreState) -> None:
    for action in {*DECK, "pass", "order", "hearts", "clubs-alone", "alone", "discard:9c"} - {*state.legal}:
        assert_refused(state, action)


def test_a_seat_sees_nothing_of_what_is_hidden() -> None:
    """Another deal of the cards that a seat has not seen shows it the very same hand."""
    tried = 0
    for number in range(400):
        chance = Stream("hidden", number)
        game = Euchre.named(chance.choice(Euchre.presets()))
        state = game.start(game.deal(chance), Match((0, 0), chance.below(4)))
        for _ in range(chance.below(26)):
            if state.outcome is None:
                state = state.play(chance.choice(state.legal))
        seat = chance.below(4)
        other = redealt(state, seat, chance)
        if other is not None:
            tried += other != state
            assert other.observe(seat) == state.observe(seat)
    assert tried > 150, "too few hands were really dealt anew"


def redealt(state: EuchreState, seat: int, chance: Stream) -> EuchreState | None:
    """Deal what one seat has not seen anew, if the same hand can then be played; played cards stay."""
    deal, dealer = state.deal, state.dealer
    shown = {card for trick in state.tricks for card in trick.cards} | {*state.table, *deal.hands[seat]}
    loose = [card for card in DECK if card not in shown and card != deal.upcard]
    chance.shuffle(loose)
    hands = tuple(tuple(card if card in shown else loose.pop() for card in hand) for hand in deal.hands)
    again = state.game.start(EuchreDeal(hands, deal.upcard), Match(state.scores, dealer))
    for action in state.actions:
        if action.startswith("discard:") and dealer != seat and action != f"discard:{deal.upcard}":
            hidden = [card for card in hands[dealer] if card not in shown]
            action = f"discard:{chance.choice(hidden)}"
        if action not in again.legal:
            return None  # the new cards would have had to follow suit
        again = again.play(action)
    return again


@given(hands_in_progress())
def test_what_a_seat_knows_is_the_same_from_its_observation(state: EuchreState) -> None:
    for seat in range(4):
        known = situation_of(state.observe(seat))
        if seat == state.to_act:
            assert tuple(known) == state.row[:SITUATION], (
                "the front of the row is the situation of the seat to act"
            )
        assert listed(int(known[HELD])) == state.held(seat)


@given(hands_in_progress())
def test_every_card_is_somewhere_and_points_go_to_one_team(state: EuchreState) -> None:
    held = [card for seat in range(4) for card in state.held(seat)]
    played = [card for trick in state.tricks for card in trick.cards]
    away = [state.discard] if state.discard else []
    known = [*held, *played, *state.table, *away]
    assert len(known) == len(set(known))
    dealt = {card for hand in state.deal.hands for card in hand}
    assert set(known) - {state.deal.upcard} == dealt
    if state.outcome is not None and state.contract is not None:
        assert min(state.outcome.points) == 0 < max(state.outcome.points)
        taken = sum(TEAMS[trick.winner] == TEAMS[state.contract.maker] for trick in state.tricks)
        assert (state.outcome.winner == TEAMS[state.contract.maker]) == (taken >= 3)


def test_deals_are_even() -> None:
    """Every card comes up, and comes to each seat, as often as the others."""
    game, number = Euchre.named(), 4800
    deals = [game.deal(Stream("even", one)) for one in range(number)]
    for card in ("9c", "Jh", "As"):
        ups = sum(deal.upcard == card for deal in deals)
        assert abs(ups - number / 24) < 4 * (number / 24) ** 0.5
        for seat in range(4):
            held = sum(card in deal.hands[seat] for deal in deals)
            assert abs(held - number * 5 / 24) < 4 * (number * 5 / 24) ** 0.5


# The oracle.


@pytest.mark.parametrize(("rules", "stick"), [("openspiel", True), ("openspiel-pass", False)])
@pytest.mark.openspiel
def test_in_lock_step_with_openspiel(rules: str, stick: bool) -> None:
    game, theirs = Euchre.named(rules), load_game(stick)
    for number in range(1000):
        chance = Stream("lock-step", rules, number)
        match = Match((0, 0), chance.below(4))
        assert in_lock_step(game, theirs, game.deal(chance), match, chance) == []


class Passes(Stream):
    """A stream that always takes what comes first: it passes while it may."""

    def choice(self, things: Any) -> Any:
        return things[0]


@pytest.mark.openspiel
def test_the_lock_step_notices_other_rules() -> None:
    game, theirs = Euchre.named("openspiel"), load_game(stick_the_dealer=False)
    chance = Passes("other rules")
    found = in_lock_step(game, theirs, game.deal(chance), Match((0, 0), 0), chance)
    assert found
    assert found[0].startswith("legal: ours")
    assert "OpenSpiel's [24, " in found[0], "there the dealer may pass"


def test_a_state_does_not_change_and_pickles() -> None:
    for actions in ("pass", "order", "order discard:Jc", "order discard:Jc 9c 9d"):
        state = table(actions)
        for name in ("legal", "contract", "deal", "bids", "table"):
            with pytest.raises(AttributeError):
                setattr(state, name, ())
        assert pickle.loads(pickle.dumps(state)) == state
        assert hash(pickle.loads(pickle.dumps(state))) == hash(state)


# What comes from outside.

GOOD: dict[str, Any] = {
    "game": "euchre",
    "rules": "classic",
    "target": 10,
    "scores": [0, 0],
    "dealer": 3,
    "hands": [hand.split() for hand in HANDS],
    "upcard": "Qh",
    "actions": ["order", "discard:Jc"],
}


def test_a_record_reads_back() -> None:
    assert replay(json.loads(json.dumps(GOOD))) == table("order discard:Jc")


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("rules", "british", "unknown rules 'british': one of classic, stick"),
        ("target", 0, "target must be at least 1, not 0"),
        ("target", "ten", "target must be an integer, not 'ten'"),
        ("scores", [0], "scores must be a list of two integers"),
        ("scores", [0, 10], "a score must be from 0 to 9"),
        ("dealer", 4, "dealer must be a seat from 0 to 3, not 4"),
        ("hands", [["9c"]], "hands must be four lists of five cards"),
        ("hands", [["9c"]] * 4, "a hand has exactly five cards"),
        ("upcard", "9c", "card '9c' is dealt twice"),
        ("upcard", "2c", "unknown card '2c': a card is 9, T, J, Q, K or A"),
        ("actions", "order", "actions must be a list of strings"),
        ("colour", "red", "unknown key 'colour'"),
    ],
)
def test_a_bad_record_is_named(key: str, value: object, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint.replace("[", r"\[")):
        replay({**GOOD, key: value})


def test_an_illegal_action_in_a_record_is_named() -> None:
    with pytest.raises(IllegalAction, match="illegal action 'discard:As' as action 2; legal here: discard:"):
        replay({**GOOD, "actions": ["order", "discard:As"]})
    with pytest.raises(BadRecord, match="missing key 'upcard'"):
        replay({key: value for key, value in GOOD.items() if key != "upcard"})


def test_the_target_and_the_rules_are_checked() -> None:
    with pytest.raises(ValueError, match="target must be at least 1, not 0"):
        Euchre.named("classic", target=0)
    with pytest.raises(ValueError, match="unknown rules 'x'"):
        Euchre.named("x")
