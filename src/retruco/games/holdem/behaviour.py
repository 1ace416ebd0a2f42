"""What a seat did in a finished hand, counted in poker players' words."""

from __future__ import annotations

from collections import Counter
from typing import Final

from retruco.games.core import Seat
from retruco.games.holdem.betting import AGGRESSIVE, FOLD, first_to_act
from retruco.games.holdem.state import HoldemState, position_of

RATES: Final = {
    "hands played": ("flops", "hands"),
    "hands entered": ("entered", "hands"),
    "entered first to act": ("entered first to act", "first to act"),
    "entered on the button": ("entered on the button", "on the button"),
    "entered from the blinds": ("entered from the blinds", "in the blinds"),
    "flops won": ("flops won", "flops"),
    "showdowns": ("showdowns", "flops"),
    "showdowns won or split": ("showdowns won or split", "showdowns"),
    "aggression": ("bets and raises", "bets, raises and calls"),
}
"""A hand is played when its flop is seen, and entered when chips are put in by choice before it."""


def behaviour(end: HoldemState, seat: Seat) -> Counter[str]:
    """Count what a seat did."""
    assert end.outcome is not None
    own = [step for step in end.steps() if step.seat == seat]
    actions = [step.action for step in own]
    found = Counter(hands=1)
    found["bets and raises"] = sum(action in AGGRESSIVE for action in actions)
    found["bets, raises and calls"] = found["bets and raises"] + actions.count("call")
    entered = any(step.betting.stage == 0 and step.action in ("call", "raise") for step in own)
    found["entered"] = entered
    for place in places(end, seat):
        found[place] += 1
        found[f"entered {place}".replace("entered in", "entered from")] += entered
    if end.betting.stage > 0 and not any(step.betting.stage == 0 and step.action == FOLD for step in own):
        paid = end.outcome.points[seat] + _spent(end, seat) > 0
        found["flops"] += 1
        found["flops won"] += paid
        if end.outcome.reason == "showdown" and FOLD not in actions:
            found["showdowns"] += 1
            found["showdowns won or split"] += paid
    return found


def places(end: HoldemState, seat: Seat) -> list[str]:
    """Name the place of a seat before the flop: first to act, on the button, in the blinds."""
    seats = end.game.seats
    position = position_of(end.dealer, seat, seats)
    named = {
        "first to act": position == first_to_act(seats),
        "on the button": position == seats - 1,
        "in the blinds": position < 2,
    }
    return [name for name, here in named.items() if here]


def _spent(end: HoldemState, seat: Seat) -> int:
    return end.betting.spent[position_of(end.dealer, seat, end.game.seats)]
