"""What a player can count without looking at its cards in play: better points, and how near the end is.

All of it is counted over the cards that may still be out, never looked up in the other's hand. The tables of a game are
made by the plain functions below, floats being added in one order everywhere, so that equal odds are equal. Plain Python
works out an entry when it asks for it; compiled code takes whole arrays.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from retruco.agents.truco.card_chances import Chances, Lookup, chance_tables, plain_chance_tables
from retruco.cards import SPANISH_DECK, Card
from retruco.compiler import compiled_step
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.deck import envido_points, flor_points, has_flor
from retruco.games.truco.rules import FLOR_CALLS, Rules
from retruco.games.truco.situation import FLOR_BASE

EnvidoTalk: TypeAlias = Literal["nothing", "passed", "called", "raised"]
"""What the other seat's talk says of its points."""
TALKS: Final[tuple[EnvidoTalk, ...]] = get_args(EnvidoTalk)
SHOWN: Final = (None, *SPANISH_DECK)
"""The first card that the other has shown, if it has."""
MOST_ENVIDO, MOST_FLOR = 33, 38

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
def odds_by_points(talk: EnvidoTalk, shown: Card | None, flor: bool) -> NDArray[np.float64]:
    """The chance that envido points are the better ones, by points and whether they win ties."""
    weights = [(theirs, count * _likely(talk, theirs)) for theirs, count in _points_out(shown, flor)]
    won = np.zeros((MOST_ENVIDO + 1, 2))
    for theirs, weight in weights:
        won[theirs + 1 :, 0] += weight
        won[theirs:, 1] += weight
    return won / sum(weight for _, weight in weights)


def points_odds(
    points: int, wins_ties: bool, talk: EnvidoTalk = "nothing", shown: Card | None = None, flor: bool = True
) -> float:
    """The chance that these envido points are the better ones.

    `shown` is the first card the other has played. A caller has better points than a silent one:

    >>> round(points_odds(27, True), 2), round(points_odds(27, True, "called"), 2)
    (0.85, 0.7)
    """
    return float(odds_by_points(talk, shown, flor)[points, int(wins_ties)])


@cache
def _all_flor_points() -> list[int]:
    """The points of every flor of the deck."""
    return [flor_points(hand) for hand in combinations(SPANISH_DECK, 3) if has_flor(hand)]


def flor_odds(points: int, wins_ties: bool) -> float:
    """The chance that a flor of these points is the better of two."""
    out = _all_flor_points()
    return sum(theirs < points or (wins_ties and theirs == points) for theirs in out) / len(out)


FAR: Final = 60
"""Lacking more points than this, nobody looks at the end yet."""

STEPS: Final = (1, 2, 3)
"""What a hand usually moves the board by, one as likely as the other."""


@cache
def even_race() -> NDArray[np.float64]:
    """The chance to get there first in an even race, by what each side still lacks."""
    table = [[1.0] * (FAR + 1)] + [[0.0] * (FAR + 1) for _ in range(FAR)]
    for mine in range(1, FAR + 1):
        for theirs in range(1, FAR + 1):
            ahead = sum(table[max(0, mine - step)][theirs] for step in STEPS)
            behind = sum(table[mine][max(0, theirs - step)] for step in STEPS)
            table[mine][theirs] = (ahead + behind) / (2 * len(STEPS))
    return np.array(table)


@compiled_step
def board(race: NDArray[np.float64], mine: int, theirs: int) -> Any:
    """What a board is worth: the chance to win the match from here, by what each side lacks.

    >>> [round(float(board(even_race(), *lacks)), 2) for lacks in ((5, 5), (1, 5), (0, 5), (5, 0))]
    [0.5, 0.84, 1.0, 0.0]
    """
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine > FAR or theirs > FAR:
        return min(1.0, max(0.0, 0.5 + (theirs - mine) / (4 * FAR)))
    return race[mine, theirs]


@compiled_step
def price(
    race: NDArray[np.float64], mine: int, theirs: int, if_accepted: tuple[int, int], declined: int
) -> Any:
    """The odds at which accepting a bet is worth as much as declining it, by what each side lacks.

    A bet wins or loses so much if it is accepted, and costs something if it is declined. Truco early on, and truco when
    declining loses the match:

    >>> round(float(price(even_race(), 20, 20, (2, 2), 1)), 2), price(even_race(), 5, 1, (2, 2), 1)
    (0.25, 0.0)
    """
    won, lost = if_accepted
    if_won, if_lost = board(race, mine - won, theirs), board(race, mine, theirs - lost)
    return max(0.0, (board(race, mine, theirs - declined) - if_lost) / max(1e-9, if_won - if_lost))


# The tables of a game

FALTA, RESTO = range(2)


class Odds(NamedTuple):
    """All that is looked up when a seat counts."""

    points: Any
    """By talk of the other, the first card it has shown, from 1, points and whether the seat is the mão: `points_odds`."""
    flor: Any
    """By flor points and whether the seat is the mão: `flor_odds`."""
    race: Any
    for_all: Any
    """By `FALTA` and `RESTO`, own score and the other's: what an accepted falta-envido or contraflor-resto wins."""
    contraflor: int
    flor_cost: Any
    """By the last two flor calls, from 1: what giving way to them costs."""
    chances: Chances
    """Of cards."""


@lru_cache(maxsize=16)
def plain_odds(rules: Rules, target: int) -> Odds:
    """The tables of a game for plain Python."""

    def find_points(talk: int, shown: int, points: int, is_mao: int) -> float:
        return points_odds(points, bool(is_mao), TALKS[talk], SHOWN[shown], rules.flor)

    def find_for_all(bet: int, *scores: int) -> int:
        own, other = scores
        if bet == FALTA:
            return envidos.falta(rules, target, (own, other), 0)
        return flores.worth(rules, target, (own, other), ("contraflor-resto",), 0)

    return Odds(
        Lookup(find_points),
        Lookup(lambda points, is_mao: flor_odds(points, bool(is_mao))),
        Lookup(lambda *lacks: even_race()[lacks].item()),
        Lookup(find_for_all),
        rules.contraflor,
        Lookup(lambda *calls: flor_declined(rules, calls)),
        plain_chance_tables(),
    )


@lru_cache(maxsize=16)
def whole_odds(rules: Rules, target: int) -> Odds:
    """The same tables as arrays."""
    plain = plain_odds(rules, target)
    return plain._replace(
        points=np.array([[odds_by_points(talk, shown, rules.flor) for shown in SHOWN] for talk in TALKS]),
        flor=whole(plain.flor, MOST_FLOR + 1, 2),
        race=even_race(),
        for_all=whole(plain.for_all, 2, target, target),
        flor_cost=whole(plain.flor_cost, FLOR_BASE, FLOR_BASE),
        chances=chance_tables(),
    )


def whole(table: Lookup, *sizes: int) -> NDArray[Any]:
    """All entries of a table of these sizes."""
    entries = [table.find(*place) for place in product(*map(range, sizes))]
    return np.array(entries).reshape(sizes)


def flor_declined(rules: Rules, last_calls: tuple[int, ...]) -> int:
    """What a flor that waits costs a seat that gives way to it."""
    calls = tuple(FLOR_CALLS[call - 1] for call in last_calls if call)
    if calls[-1:] == ("flor",):
        return rules.achico or 0
    return flores.declined(rules, calls) if calls else 0
