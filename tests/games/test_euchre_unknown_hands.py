"""Records of what one seat knew: unknown hands of others, and a discard that nobody saw."""

from typing import Any

import pytest

from retruco.games.core import BadRecord
from retruco.games.euchre import Euchre, EuchreState
from retruco.games.records import replay
from retruco.streams import Stream

RULES = ("classic", "seelbinder2012", "seelbinder2012-dealer-leads", "openspiel")


def random_state(rules: str, number: int) -> EuchreState:
    """A hand of random bids and cards, stopped somewhere before its end."""
    game, chance = Euchre.named(rules), Stream("unknown", rules, number)
    state = game.start(game.deal(chance), game.opening(chance.below(4)))
    for _ in range(chance.below(28)):
        later = state.play(chance.choice(state.legal))
        if later.outcome is not None:
            break
        state = later
    return state


def seen_record(state: EuchreState, seat: int) -> dict[str, Any]:
    """The record of a hand as one seat knows it."""
    record: dict[str, Any] = state.record()
    record["hands"] = [cards if place == seat else None for place, cards in enumerate(record["hands"])]
    if seat != state.dealer:
        record["actions"] = [
            "discard:?" if said.startswith("discard:") else said for said in record["actions"]
        ]
    return record


@pytest.mark.parametrize("rules", RULES)
def test_the_seat_to_act_sees_the_same_without_the_hands_of_others(rules: str) -> None:
    for number in range(150):
        state = random_state(rules, number)
        seat = state.to_act
        assert seat is not None
        record = seen_record(state, seat)
        partial = replay(record)
        assert isinstance(partial, EuchreState)
        assert partial.observe(seat) == state.observe(seat)
        assert partial.record()["hands"] == record["hands"]
        assert partial.record()["actions"] == record["actions"]


def test_what_a_seat_without_known_cards_may_do_is_not_told() -> None:
    state = random_state("classic", 3)
    assert state.to_act is not None
    other = (state.to_act + 1) % 4
    partial = replay(seen_record(state, other))
    assert isinstance(partial, EuchreState)
    assert partial.summary()["legal"] is None
    with pytest.raises(BadRecord, match=f"seat {state.to_act} cannot look at the table without its cards"):
        partial.observe(state.to_act)


def test_hands_that_fit_no_deal_are_refused() -> None:
    hand = {
        "game": "euchre", "rules": "classic", "target": 10, "scores": [0, 0], "dealer": 3, "upcard": "9h",
        "hands": [["Jh", "Jd", "Ah", "Kh", "Qh"], None, None, None],
        "actions": ["order", "discard:?", "Jh", "9c", "9s", "9d", "Jd", "Th"],
    }  # fmt: skip
    with pytest.raises(ValueError, match="illegal action '9c'"):
        replay(hand)  # seat 1 plays a heart later, so it had to follow
    with pytest.raises(BadRecord, match="the dealer's hand is known: its discard must be"):
        replay({**hand, "dealer": 0, "actions": ["pass", "order", "discard:?"]})


def test_by_one_preset_the_dealer_leads() -> None:
    for rules, leader in (("seelbinder2012", 2), ("seelbinder2012-dealer-leads", 1)):
        game = Euchre.named(rules)
        state = game.start(game.deal(Stream("lead")), game.opening(1))
        state = state.play("order")
        state = state.play(state.legal[0])
        assert state.to_act == state.leader == leader
