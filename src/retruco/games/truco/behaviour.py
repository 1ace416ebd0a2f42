"""How a seat plays: what it calls, accepts, raises, declines and bluffs, counted hand by hand."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from retruco.compiler import compiled_step
from retruco.games.core import Seat
from retruco.games.truco.deck import STRENGTH, envido_points
from retruco.games.truco.rules import CALLS
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


COUNTED: Final = (
    "face down", "folds", "folds unprovoked", "flor sung", "envido faced", "envido raised", "envido accepted",
    "envido declined", "envido opened", "envido bluffed", "falta opened low", "truco faced", "truco raised",
    "truco accepted", "truco declined", "truco opened", "truco bluffed",
)  # fmt: skip
"""What actions count as."""
(
    FACE_DOWN, FOLDS, UNPROVOKED, FLOR_SUNG, ENVIDO_FACED, ENVIDO_RAISED, ENVIDO_ACCEPTED, ENVIDO_DECLINED,
    ENVIDO_OPENED, ENVIDO_BLUFFED, FALTA_LOW, TRUCO_FACED, TRUCO_RAISED, TRUCO_ACCEPTED, TRUCO_DECLINED,
    TRUCO_OPENED, TRUCO_BLUFFED,
) = range(len(COUNTED))  # fmt: skip

CARD, DOWN = -2, -1
"""A card, open or face down, in the place of a call, which is its place in `CALLS`."""
NO_CALL: Final = -1
FLOR, QUERO, DECLINE, FOLD = (CALLS.index(call) for call in ("flor", "quero", "nao-quero", "baralho"))
FIRST_ENVIDO, FALTA, FIRST_TRUCO = (CALLS.index(call) for call in ("envido", "falta-envido", "truco"))


def behaviour(end: TrucoState, seat: Seat) -> Counter[str]:
    """Count what one seat did in a finished hand."""
    counts, held = array("l", [0] * len(COUNTED)), list(map(str, end.hands[seat]))
    points, facing = envido_points(end.hands[seat]), NO_CALL
    for event in (event for event in end.log if isinstance(event, Acted)):
        call = CALLS.index(event.action) if event.action in CALLS else DOWN if ":" in event.action else CARD
        if event.seat == seat:
            count_action(counts, call, facing, points, max((STRENGTH[card] for card in held), default=0))
            if call < 0:
                held.remove(event.action.removeprefix("down:"))
        facing = call if 0 <= call < QUERO and event.seat != seat else NO_CALL
    found = {name: count for name, count in zip(COUNTED, counts, strict=True) if count}
    return Counter(hands=1, **found)


@compiled_step
def count_action(counts: Any, call: int, facing: int, points: int, best: int) -> None:
    """Count an action as all that it is.

    `facing` is the other's bet that the seat has to answer by its last action, `points` are the own envido points, `best`
    is the strength of the best card held.
    """
    faces_envido, faces_truco = FIRST_ENVIDO <= facing < FIRST_TRUCO, FIRST_TRUCO <= facing < QUERO
    if call == DOWN:
        counts[FACE_DOWN] += 1
    elif call == FOLD:
        counts[FOLDS] += 1
        counts[UNPROVOKED] += facing == NO_CALL
    elif call == FLOR:
        counts[FLOR_SUNG] += 1
    elif FIRST_ENVIDO <= call < FIRST_TRUCO:
        counts[ENVIDO_FACED] += faces_envido
        counts[ENVIDO_RAISED] += faces_envido
        counts[ENVIDO_OPENED] += not faces_envido
        counts[ENVIDO_BLUFFED] += not faces_envido and points < POOR_POINTS
        counts[FALTA_LOW] += not faces_envido and call == FALTA and points < LOW_FALTA
    elif FIRST_TRUCO <= call < QUERO:
        counts[TRUCO_FACED] += faces_truco
        counts[TRUCO_RAISED] += faces_truco
        counts[TRUCO_OPENED] += not faces_truco
        counts[TRUCO_BLUFFED] += not faces_truco and best <= POOR_CARD
    elif call in (QUERO, DECLINE):
        counts[ENVIDO_FACED] += faces_envido
        counts[ENVIDO_ACCEPTED if call == QUERO else ENVIDO_DECLINED] += faces_envido
        counts[TRUCO_FACED] += faces_truco
        counts[TRUCO_ACCEPTED if call == QUERO else TRUCO_DECLINED] += faces_truco


def rates(found: Counter[str]) -> dict[str, float]:
    """Turn counts into the shares of a table of behaviour.

    >>> rates(Counter(hands=4, **{"envido opened": 2}))["opens envido"]
    0.5
    """
    return {
        name: found[top] / found[bottom] if found[bottom] else 0.0 for name, (top, bottom) in RATES.items()
    }
