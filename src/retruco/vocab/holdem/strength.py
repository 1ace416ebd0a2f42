"""How strong a hand is: now, and after the next card (Papp 1998, Billings et al. 2002).

*Hand strength* is the share of all holdings that are worse, ties counting half. The *positive
potential* says how often a hand that is behind (or tied) gets ahead with the next card, the
*negative potential* how often one that is ahead (or tied) falls behind. All are exact: every
holding and every card counts.

>>> seen = strength(("Ad", "Qc"), ("3h", "4c", "Jh"))
>>> seen.ahead, seen.tied, seen.behind, round(seen.now, 3)
(628, 9, 444, 0.585)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from retruco.games.holdem.deck import Hole, bits

HANDS: Final = 100_000
"""Hands on a board whose strength is remembered."""


class Strength(NamedTuple):
    """How a hand stands against all holdings, and how that may change."""

    ahead: int
    tied: int
    behind: int
    board: int
    hole: int
    """The cards as bits: what the potentials are counted from."""

    @property
    def positive(self) -> float:
        """The positive potential, counted when somebody asks for it: many who look at a hand do not."""
        return _potentials(self.board, self.hole)[0]

    @property
    def negative(self) -> float:
        """The negative potential."""
        return _potentials(self.board, self.hole)[1]

    @property
    def now(self) -> float:
        """The share of holdings that it beats, ties counting half."""
        return (self.ahead + self.tied / 2) / (self.ahead + self.tied + self.behind)

    def against(self, opponents: int) -> float:
        """The chance to be ahead of so many, taken as independent."""
        return float(self.now**opponents)


@lru_cache(maxsize=HANDS)
def strength(hole: Hole, board: tuple[str, ...]) -> Strength:
    """Value a hand on a board of three, four or five cards."""
    from retruco.games.holdem.compiled import FAST
    from retruco.vocab.holdem import kernel

    if len(board) not in (3, 4, 5) or len({*hole, *board}) < 2 + len(board):
        raise ValueError(f"no such hand: {' '.join(hole)} on {' '.join(board) or 'no board'}")
    lying, own = bits(board), bits(hole)
    behind, tied, ahead = kernel.standing(FAST, lying, own).tolist()
    return Strength(ahead, tied, behind, lying, own)


@lru_cache(maxsize=HANDS)
def _potentials(board: int, hole: int) -> tuple[float, float]:
    """The positive and the negative potential; none when no card is to come."""
    from retruco.games.holdem.compiled import FAST
    from retruco.vocab.holdem import kernel

    return (0.0, 0.0) if board.bit_count() == 5 else kernel.potentials(FAST, board, hole)
