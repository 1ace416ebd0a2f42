"""How strong a hand is: now, and after the next card (Papp 1998, Billings et al. 2002).

*Hand strength* is the share of all holdings that are worse, ties counting half. The *positive
potential* says how often a hand that is behind (or tied) gets ahead with the next card, the
*negative potential* how often one that is ahead (or tied) falls behind. All are exact: every
holding and every card is looked at. Boards that differ only by the names of the suits are the
same board, and what was valued once on a board serves everybody who sits at it.

>>> seen = strength(("Ad", "Qc"), ("3h", "4c", "Jh"))
>>> seen.ahead, seen.tied, seen.behind, round(seen.now, 3)
(628, 9, 444, 0.585)
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from retruco.games.holdem.deck import PLACE, SUIT_WIDTH, Hole, bits

if TYPE_CHECKING:
    from retruco.cbr.kernel import Ints

BOARDS: Final = 256
"""Boards whose values are remembered; with the next cards they take a quarter of a megabyte each."""

HANDS: Final = 100_000
"""Hands on a board whose strength is remembered."""


class Strength(NamedTuple):
    """How a hand stands against all holdings, and how that may change."""

    ahead: int
    tied: int
    behind: int
    cards: tuple[int, int, int]
    """The board as bits and the two cards held, suits renamed: what the potentials are counted from."""

    @property
    def positive(self) -> float:
        """The positive potential, counted when somebody asks for it: many who look at a hand do not."""
        return _potentials(*self.cards)[0]

    @property
    def negative(self) -> float:
        """The negative potential."""
        return _potentials(*self.cards)[1]

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
    if len(board) not in (3, 4, 5) or len({*hole, *board}) < 2 + len(board):
        raise ValueError(f"no such hand: {' '.join(hole)} on {' '.join(board) or 'no board'}")
    canonical, turned = relabelled(bits(board))
    first, second = sorted(_turned(PLACE[card], turned) for card in hole)
    return _strength(canonical, first, second)


def relabelled(board: int) -> tuple[int, tuple[int, ...]]:
    """Name the suits of a board by what lies in them; give the board and each suit's new place.

    >>> relabelled(bits(["2d", "3d", "4h"])) == relabelled(bits(["2s", "3s", "4c"]))
    False
    >>> relabelled(bits(["2d", "3d", "4h"]))[0] == relabelled(bits(["2s", "3s", "4c"]))[0]
    True
    """
    suits = [board >> SUIT_WIDTH * suit & 8191 for suit in range(4)]
    order = sorted(range(4), key=lambda suit: -suits[suit])
    canonical = sum(suits[suit] << SUIT_WIDTH * place for place, suit in enumerate(order))
    return canonical, tuple(order.index(suit) for suit in range(4))


def _turned(card: int, turned: tuple[int, ...]) -> int:
    suit, rank = divmod(card, SUIT_WIDTH)
    return turned[suit] * SUIT_WIDTH + rank


@lru_cache(maxsize=HANDS)
def _strength(board: int, first: int, second: int) -> Strength:
    from retruco.vocab.holdem import kernel

    own, now = kernel.holding_of(first, second), _values(board)
    behind, tied, ahead = kernel.standing(now, kernel.PAIRS, own).tolist()
    return Strength(ahead, tied, behind, (board, first, second))


@lru_cache(maxsize=HANDS)
def _potentials(board: int, first: int, second: int) -> tuple[float, float]:
    """The positive and the negative potential; none when no card is to come."""
    from retruco.vocab.holdem import kernel

    if board.bit_count() == 5:
        return 0.0, 0.0
    own = kernel.holding_of(first, second)
    moved = kernel.changes(_values(board), _next_values(board), kernel.PAIRS, own).tolist()
    return (
        _potential(moved, kernel.BEHIND, kernel.AHEAD),
        _potential(moved, kernel.AHEAD, kernel.BEHIND),
    )


def _potential(moved: list[list[int]], start: int, end: int) -> float:
    """How often one comes from `start` to `end`; from or to a tie counts half."""
    tied = 1
    whole = sum(moved[start]) + sum(moved[tied]) / 2
    return (moved[start][end] + moved[start][tied] / 2 + moved[tied][end] / 2) / whole if whole else 0.0


@lru_cache(maxsize=BOARDS)
def _values(board: int) -> Ints:
    from retruco.vocab.holdem import kernel

    return kernel.values_on(kernel.FAST, board, kernel.PAIRS)


@lru_cache(maxsize=BOARDS)
def _next_values(board: int) -> Ints:
    from retruco.vocab.holdem import kernel

    return kernel.values_on_next(kernel.FAST, board, kernel.PAIRS)
