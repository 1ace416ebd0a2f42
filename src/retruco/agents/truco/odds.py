"""What a player can count: better points, and how near the end is.

All of it is counted over the cards that may still be out, never looked up in the other's hand.
Everything is memoised.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, Literal, TypeAlias

from retruco.cards import SPANISH_DECK, Card
from retruco.games.truco.deck import envido_points, flor_points, has_flor

EnvidoTalk: TypeAlias = Literal["nothing", "passed", "called", "raised"]
"""What the other seat's talk says of its points."""

# How often people call envido, and raise the other's, by their points (human hands of the
# TrucoGame table, 3,195 hands, as measured); from the highest points down.
CALL_RATES: Final = ((29, 0.80), (27, 0.72), (25, 0.60), (20, 0.35), (0, 0.18))
RAISE_RATES: Final = ((31, 0.73), (29, 0.60), (27, 0.28), (25, 0.10), (0, 0.04))


@cache
def _points_out(shown: Card | None, flor: bool) -> tuple[tuple[int, int], ...]:
    """Count the hands the other may hold by their points; where flor is played, without flores."""
    deck = [card for card in SPANISH_DECK if card != shown]
    known = () if shown is None else (shown,)
    hands = ((*known, *rest) for rest in combinations(deck, 3 - len(known)))
    return tuple(Counter(envido_points(hand) for hand in hands if not (flor and has_flor(hand))).items())


def _rate(rates: tuple[tuple[int, float], ...], points: int) -> float:
    return next(rate for least, rate in rates if points >= least)


def _likely(talk: EnvidoTalk, points: int) -> float:
    """How likely a hand of these points would have talked as the other did."""
    if talk == "called":
        return _rate(CALL_RATES, points)
    if talk == "raised":
        return _rate(RAISE_RATES, points)
    return 1.0 if talk == "nothing" else 1.0 - _rate(CALL_RATES, points)


@cache
def _weights_out(talk: EnvidoTalk, shown: Card | None, flor: bool) -> tuple[list[tuple[int, float]], float]:
    """How likely the other's points are after its talk: a weight for each, and their sum."""
    out = [(theirs, count * _likely(talk, theirs)) for theirs, count in _points_out(shown, flor)]
    return out, sum(weight for _, weight in out)


@lru_cache(maxsize=1 << 16)
def points_odds(
    points: int, wins_ties: bool, talk: EnvidoTalk = "nothing", shown: Card | None = None, flor: bool = True
) -> float:
    """The chance that these envido points are the better ones.

    `shown` is the first card the other has played. A caller has better points than a silent one:

    >>> round(points_odds(27, True), 2), round(points_odds(27, True, "called"), 2)
    (0.85, 0.7)
    """
    out, whole = _weights_out(talk, shown, flor)
    won = sum(weight for theirs, weight in out if theirs < points or (wins_ties and theirs == points))
    return won / whole


@cache
def _all_flor_points() -> list[int]:
    """The points of every flor of the deck."""
    return [flor_points(hand) for hand in combinations(SPANISH_DECK, 3) if has_flor(hand)]


@cache
def flor_odds(points: int, wins_ties: bool) -> float:
    """The chance that a flor of these points is the better of two."""
    out = _all_flor_points()
    return sum(theirs < points or (wins_ties and theirs == points) for theirs in out) / len(out)


FAR: Final = 60
"""Lacking more points than this, nobody looks at the end yet."""

STEPS: Final = (1, 2, 3)
"""What a hand usually moves the board by, one as likely as the other."""


@cache
def _race() -> list[list[float]]:
    """The chance to get there first in an even race, by what each side still lacks."""
    table = [[1.0] * (FAR + 1)] + [[0.0] * (FAR + 1) for _ in range(FAR)]
    for mine in range(1, FAR + 1):
        for theirs in range(1, FAR + 1):
            ahead = sum(table[max(0, mine - step)][theirs] for step in STEPS)
            behind = sum(table[mine][max(0, theirs - step)] for step in STEPS)
            table[mine][theirs] = (ahead + behind) / (2 * len(STEPS))
    return table


def board(mine: int, theirs: int) -> float:
    """What a board is worth: the chance to win the match from here, by what each side lacks.

    >>> board(5, 5), round(board(1, 5), 2), board(0, 5), board(5, 0)
    (0.5, 0.84, 1.0, 0.0)
    """
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine > FAR or theirs > FAR:
        return min(1.0, max(0.0, 0.5 + (theirs - mine) / (4 * FAR)))
    return _race()[mine][theirs]


@lru_cache(maxsize=1 << 16)
def price(lacks: tuple[int, int], won: int, lost: int, declined: int) -> float:
    """The odds at which accepting a bet is worth as much as declining it.

    `lacks` are one's own and the other's points to the target; a bet wins `won`, loses `lost`
    or, declined, costs `declined`. Truco early on, and truco when declining loses the match:

    >>> round(price((20, 20), 2, 2, 1), 2), price((5, 1), 2, 2, 1)
    (0.25, 0.0)
    """
    mine, theirs = lacks
    if_won, if_lost = board(mine - won, theirs), board(mine, theirs - lost)
    return max(0.0, (board(mine, theirs - declined) - if_lost) / max(1e-9, if_won - if_lost))
