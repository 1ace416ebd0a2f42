"""How a seat plays: what it calls, accepts, raises, declines and bluffs, counted hand by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from retruco.games.core import Action, Seat
from retruco.games.truco.deck import STRENGTH, Hand, envido_points
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.games.truco.state import Acted, TrucoState

POOR_POINTS: Final = 24
"""An envido opened on fewer points than these is a bluff."""
LOW_FALTA: Final = 28
POOR_CARD: Final = STRENGTH["12c"]
"""A truco called with nothing above a twelve left is a bluff."""

RATES: Final[Mapping[str, tuple[str, str]]] = {
    "opens envido": ("envido opened", "hands"),
    "on poor points": ("envido bluffed", "envido opened"),
    "opens falta low": ("falta opened low", "hands"),
    "accepts envido": ("envido accepted", "envido faced"),
    "raises envido": ("envido raised", "envido faced"),
    "sings flor": ("flor sung", "hands"),
    "calls truco": ("truco opened", "hands"),
    "on poor cards": ("truco bluffed", "truco opened"),
    "accepts truco": ("truco accepted", "truco faced"),
    "raises truco": ("truco raised", "truco faced"),
    "plays face down": ("face down", "hands"),
    "folds": ("folds", "hands"),
    "folds unprovoked": ("folds unprovoked", "hands"),
}
"""What a table of behaviour shows: a count over what it is a share of."""


def behaviour(end: TrucoState, seat: Seat) -> Counter[str]:
    """Count what one seat did in a finished hand."""
    found = Counter(hands=1)
    held: list[str] = list(end.hands[seat])
    facing: Action | None = None
    acted = [event for event in end.log if isinstance(event, Acted)]
    for event in acted:
        if event.seat == seat:
            found.update(names_of_action(event.action, facing, end.hands[seat], held))
        facing = facing_after(event, seat)
    return found


def facing_after(event: Acted, seat: Seat) -> Action | None:
    """The other seat's bet that waits for this seat's answer after something was done."""
    is_bet = event.action in ENVIDO_CALLS or event.action in TRUCO_CALLS or event.action in FLOR_CALLS
    return event.action if is_bet and event.seat != seat else None


def names_of_action(action: Action, facing: Action | None, hand: Hand, held: list[str]) -> list[str]:
    """Name everything that one action counts as; a card played is taken out of `held`."""
    if action in held:
        held.remove(action)
        return []
    if action.startswith("down:"):
        held.remove(action.removeprefix("down:"))
        return ["face down"]
    if action == "baralho":
        return ["folds"] if facing else ["folds", "folds unprovoked"]
    if action == "flor":
        return ["flor sung", *_answer(action, facing)]
    if action in ENVIDO_CALLS:
        return _envido(action, facing, envido_points(hand))
    if action in TRUCO_CALLS:
        return _truco(facing, held)
    return _answer(action, facing)


def _envido(action: Action, facing: Action | None, points: int) -> list[str]:
    if facing in ENVIDO_CALLS:
        return ["envido faced", "envido raised"]
    names = ["envido opened"]
    if points < POOR_POINTS:
        names.append("envido bluffed")
    if action == "falta-envido" and points < LOW_FALTA:
        names.append("falta opened low")
    return names


def _truco(facing: Action | None, held: list[str]) -> list[str]:
    if facing in TRUCO_CALLS:
        return ["truco faced", "truco raised"]
    poor = max((STRENGTH[card] for card in held), default=0) <= POOR_CARD
    return ["truco opened", "truco bluffed"] if poor else ["truco opened"]


def _answer(action: Action, facing: Action | None) -> list[str]:
    kind = "envido" if facing in ENVIDO_CALLS else "truco" if facing in TRUCO_CALLS else None
    if kind is None or action not in ("quero", "nao-quero"):
        return []
    return [f"{kind} faced", f"{kind} accepted" if action == "quero" else f"{kind} declined"]


def rates(found: Counter[str]) -> dict[str, float]:
    """Turn counts into the shares of a table of behaviour.

    >>> rates(Counter(hands=4, **{"envido opened": 2}))["opens envido"]
    0.5
    """
    return {
        name: found[top] / found[bottom] if found[bottom] else 0.0 for name, (top, bottom) in RATES.items()
    }
