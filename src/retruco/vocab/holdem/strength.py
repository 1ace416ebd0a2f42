"""How strong a hand is: now, and after the next card (Papp 1998, Billings et al. 2002).

*Hand strength* is the share of all holdings that are worse, ties counting half. The *positive
potential* says how often a hand that is behind (or tied) gets ahead with the next card, the
*negative potential* how often one that is ahead (or tied) falls behind. All are exact: every
holding and every card counts. Before the flop a hand is worth its equity (`starting`).

>>> seen = strength(("Ad", "Qc"), ("3h", "4c", "Jh"))
>>> seen.ahead, seen.tied, seen.behind, round(seen.now, 3)
(628, 9, 444, 0.585)
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.holdem.compiled import AT, NOT_COUNTED, Longs
from retruco.games.holdem.deck import PLACE, RANKS, SUIT_WIDTH, Hole, bits
from retruco.vocab.holdem.kernel import Scratch, count_potentials, count_standing, new_scratch
from retruco.vocab.holdem.starting import MOST_OPPONENTS, table

Floats: TypeAlias = NDArray[np.float64]

RIVER: Final = 3


class Odds(NamedTuple):
    """What a hand is valued with."""

    equity: Floats
    """Of two cards against so many others before the flop: by the higher and the lower rank, the lower one first if the
    suits differ."""
    scratch: Scratch


@cache
def odds() -> Odds:
    """The one that all share; a thread counts in one go."""
    equity = np.zeros((SUIT_WIDTH, SUIT_WIDTH, MOST_OPPONENTS))
    for kind, shares in table().items():
        high, low = RANKS.index(kind[0]), RANKS.index(kind[1])
        equity[(low, high) if kind.endswith("o") else (high, low)] = shares
    return Odds(equity, new_scratch())


@compiled_step
def held_cards(situation: Longs) -> int:
    """The cards that a seat holds, as bits."""
    return int(1 << situation[AT.held] | 1 << situation[AT.held + 1])


@compiled_step
def strength_of(situation: Longs, odds: Odds) -> float:
    """The share of holdings that a seat beats on the board, ties counting half."""
    if situation[AT.standing] == NOT_COUNTED:
        count_standing(odds.scratch, situation[AT.board], held_cards(situation), situation[AT.standing :])
    behind, tied, ahead = situation[AT.standing], situation[AT.standing + 1], situation[AT.standing + 2]
    return float((ahead + tied / 2) / (ahead + tied + behind))


@compiled_step
def potentials_of(situation: Longs, odds: Odds) -> tuple[float, float]:
    """The positive and the negative potential; none when no card is to come."""
    if situation[AT.stage] == RIVER:
        return 0.0, 0.0
    found = situation[AT.potentials : AT.end]
    if found[0] == NOT_COUNTED:
        count_potentials(odds.scratch, situation[AT.board], held_cards(situation), found)
    return found[0] / found[1] if found[1] else 0.0, found[2] / found[3] if found[3] else 0.0


@compiled_step
def equity_of(situation: Longs, odds: Odds) -> float:
    """The share of the pot that two cards win against as many random hands as there are opponents, all in."""
    one, other = situation[AT.held], situation[AT.held + 1]
    low, high = min(one % SUIT_WIDTH, other % SUIT_WIDTH), max(one % SUIT_WIDTH, other % SUIT_WIDTH)
    if one // SUIT_WIDTH == other // SUIT_WIDTH:
        low, high = high, low
    return float(odds.equity[low, high, situation[AT.opponents] - 1])


@compiled_step
def chance_of(situation: Longs, odds: Odds) -> float:
    """The chance to be the best of those still in: equity before the flop, strength after."""
    if not situation[AT.stage]:
        return equity_of(situation, odds)
    return float(strength_of(situation, odds) ** np.float64(situation[AT.opponents]))


@compiled_step
def price_of(situation: Longs) -> float:
    """The share of the pot that a call has to pay for."""
    return float(situation[AT.to_call] / (situation[AT.pot] + situation[AT.to_call]))


@compiled_step
def percent(share: float) -> int:
    """Round a share to whole per cents, halves to the even one.

    >>> percent(0.585), percent(0.125)
    (58, 12)
    """
    return int(np.rint(100 * share))


class Strength(NamedTuple):
    """How a hand stands against all holdings, and how that may change."""

    ahead: int
    tied: int
    behind: int
    now: float
    """The share of holdings that it beats, ties counting half."""
    positive: float
    negative: float


def strength(hole: Hole, board: tuple[str, ...]) -> Strength:
    """Value a hand on a board of three, four or five cards."""
    if len(board) not in (3, 4, 5) or len({*hole, *board}) < 2 + len(board):
        raise ValueError(f"no such hand: {' '.join(hole)} on {' '.join(board) or 'no board'}")
    situation = np.full(AT.end, NOT_COUNTED)
    situation[AT.held : AT.held + 2] = [PLACE[card] for card in hole]
    situation[AT.board], situation[AT.stage] = bits(board), len(board) - 2
    now = strength_of(situation, odds())
    behind, tied, ahead = situation[AT.standing : AT.potentials].tolist()
    return Strength(ahead, tied, behind, now, *potentials_of(situation, odds()))
