"""What is known of a hand once it is over, in the codes by which hands are clustered."""

from __future__ import annotations

from typing import Final

from retruco.games.truco import Acted
from retruco.vocab.truco.scenarios import (
    CALLER_CODES,
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
from retruco.vocab.truco.view import ABSENT_CODE, DOWN_CODE, View

ROUNDS: Final = ("first", "second", "third")
PLAYERS: Final = (CALLER_CODES[NOBODY], CALLER_CODES[ME], CALLER_CODES[OTHER])
"""The cluster codes of nobody, me and the other, by their visible codes."""


def hindsight_of(scenario: str, view: View) -> dict[str, int]:
    """What the clusters of a scenario are made of, from the hand as its seat saw it end."""
    kind, *rest = scenario.split("-")
    if kind == "envido":
        return {
            **_who(view, envido="envido", real="real-envido", falta="falta-envido"),
            "points": view.envido_points,
        }
    if kind == "truco":
        return {**_who(view, truco="truco", retruco="retruco", vale4="vale4"), **_categories(view)}
    if kind == "card":
        return _cards(view, int(rest[0]), follows=rest[1] == "follow")
    return {}


def _who(view: View, **calls: str) -> dict[str, int]:
    return {f"who {name}": PLAYERS[view.callers.get(call, 0)] for name, call in calls.items()}


def _categories(view: View) -> dict[str, int]:
    return {f"{label} category": CATEGORIES[code] for label, code in zip(LABELS, view.codes, strict=True)}


def _cards(view: View, number: int, follows: bool) -> dict[str, int]:
    name = ROUNDS[number - 1]
    known = {f"own {name}": own_slot(view, number)}
    if follows:
        known[f"other {name}"] = other_shown(view, number)
    return known | (_categories(view) if number == 1 else {})


def own_slot(view: View, number: int) -> int:
    """The slot of one's own card of a round, or why none was played."""
    code = view.own[number - 1]
    if code == ABSENT_CODE:
        return why_not(view)
    return FACE_DOWN if code == DOWN_CODE else SLOT_CODES[view.played_labels()[number - 1]]


def other_shown(view: View, number: int) -> int:
    """The category of the other's card of a round, or why none was seen."""
    code = view.other[number - 1]
    if code == ABSENT_CODE:
        return why_not(view)
    return FACE_DOWN if code == DOWN_CODE else CATEGORIES[code + 1]


def why_not(view: View) -> int:
    """Why the hand ended before a card was played: a fold, or a bet that somebody lost or declined."""
    outcome, seat = view.seen.outcome, view.seen.seat
    assert outcome is not None
    last = next(event for event in reversed(view.seen.log) if isinstance(event, Acted))
    if outcome.reason == "fold" and last.seat == seat:
        return OWN_FOLD
    return OTHER_FOLDED if outcome.winner == seat else OWN_LOST
