"""What is known of a hand once it is over, in the codes by which hands are clustered."""

from __future__ import annotations

from typing import Final

import numpy as np

from retruco.games.truco import Acted, TrucoObservation, envido_points
from retruco.games.truco.rounds import Play
from retruco.games.truco.rules import CALLS
from retruco.games.truco.situation import CALLERS, SITUATION, read_log
from retruco.vocab.truco.scenarios import (
    CALLER_CODES,
    CARD_CODES,
    CATEGORIES,
    FACE_DOWN,
    LABELS,
    ME,
    NOBODY,
    OTHER,
    OTHER_FOLDED,
    OWN_FOLD,
    OWN_LOST,
    SLOT_CODES,
)

ROUNDS: Final = ("first", "second", "third")
PLAYERS: Final = (CALLER_CODES[NOBODY], CALLER_CODES[ME], CALLER_CODES[OTHER])
"""The cluster codes of nobody, me and the other, as situations have them."""
WHO: Final = {
    f"who {name}": CALLERS + CALLS.index(call)
    for name, call in {
        "envido": "envido",
        "real": "real-envido",
        "falta": "falta-envido",
        "truco": "truco",
        "retruco": "retruco",
        "vale4": "vale4",
    }.items()
}
"""Where a situation tells who made a call."""


def hindsight_of(seen: TrucoObservation) -> dict[str, int]:
    """What the clusters of all scenarios are made of, from a hand as its seat saw it end."""
    calls, plays = np.zeros(SITUATION, np.int32), seen.rounds
    read_log(seen, calls)
    codes = sorted((CARD_CODES[card] for card in seen.hand), reverse=True)
    known = {name: PLAYERS[calls[place]] for name, place in WHO.items()}
    known["points"] = envido_points(seen.hand)
    known |= {f"{label} category": CATEGORIES[code] for label, code in zip(LABELS, codes, strict=True)}
    known |= dict.fromkeys([f"{side} {name}" for side in ("own", "other") for name in ROUNDS], why_not(seen))
    known |= {
        f"other {name}": category(play) for name, play in zip(ROUNDS, plays.by(seen.other), strict=False)
    }
    free = dict(zip(LABELS, codes, strict=True))
    for name, play in zip(ROUNDS, plays.by(seen.seat), strict=False):
        assert play.card is not None, "one knows one's own cards"
        label = next(label for label, code in free.items() if code == CARD_CODES[play.card])
        del free[label]
        known[f"own {name}"] = FACE_DOWN if play.down else SLOT_CODES[label]
    return known


def category(play: Play) -> int:
    """The category of a card on the table."""
    return FACE_DOWN if play.down or play.card is None else CATEGORIES[CARD_CODES[play.card]]


def why_not(seen: TrucoObservation) -> int:
    """Why the hand ended before a card was played: a fold, or a bet that somebody lost or declined."""
    assert seen.outcome is not None, "the hand is over"
    last = next(event for event in reversed(seen.log) if isinstance(event, Acted))
    if seen.outcome.reason == "fold" and last.seat == seen.seat:
        return OWN_FOLD
    return OTHER_FOLDED if seen.outcome.winner == seen.seat else OWN_LOST
