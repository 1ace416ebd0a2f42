"""The chance to win the hand by cards, counted over all that the other may still hold.

Whoever is to play chooses one card against everything that may be out; after that both are
taken to play their best with open cards. That flatters neither side, and it is exact where a
card decides the hand.

Rounds are told from one's own side of the table: won by `ME`, by `OTHER`, or a `TIE`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from retruco.games.truco.deck import CLASSES
from retruco.games.truco.rounds import TIE, decided

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[float64]
    Places: TypeAlias = NDArray[intp]

ME: Final = 0
OTHER: Final = 1
Strengths: TypeAlias = tuple[int, ...]
Winners: TypeAlias = tuple[int, ...]

IN_DECK: Final = tuple(len(cards) for cards in reversed(CLASSES))
"""How many cards there are of each strength, from the fours up."""


@cache
def holdings(count: int) -> dict[Strengths, int]:
    """Number all that can be held in so many cards, by strengths in rising order."""
    strengths = range(1, len(IN_DECK) + 1)
    return {held: place for place, held in enumerate(combinations_with_replacement(strengths, count))}


@cache
def plays_from(count: int) -> list[tuple[Values, Places]]:
    """For each place in a holding: the card played from there, and the holding that remains."""
    import numpy as np

    rest = holdings(count - 1)
    return [
        (
            np.array([held[i] for held in holdings(count)], dtype=float),
            np.array([rest[held[:i] + held[i + 1 :]] for held in holdings(count)], dtype=np.intp),
        )
        for i in range(count)
    ]


@lru_cache(maxsize=1 << 16)
def _deals(seen: Strengths, count: int) -> tuple[Places, int]:
    """In how many ways the other can hold each of the holdings, once these cards have been seen, and in all."""
    import numpy as np

    out = np.array([total - seen.count(place + 1) for place, total in enumerate(IN_DECK)])
    ways: Places = ways_to_draw()[out, _copies(count)].prod(axis=1)
    return ways, int(ways.sum())


def _share_won(won: Values, deals: tuple[Places, int]) -> float:
    """The share of deals in which the hand is won: whole numbers and one division, the same on every machine."""
    ways, total = deals
    return int(ways[won > 0].sum()) / total


@cache
def ways_to_draw() -> Places:
    """In how many ways so many cards can be drawn, by how many there are and how many are drawn."""
    import numpy as np

    return np.array([[comb(n, k) for k in range(4)] for n in range(max(IN_DECK) + 1)], dtype=np.intp)


@cache
def _copies(count: int) -> Places:
    """How many cards of each strength every holding has."""
    import numpy as np

    strengths = range(1, len(IN_DECK) + 1)
    return np.array([[held.count(one) for one in strengths] for held in holdings(count)], dtype=np.intp)


def _then(winners: Winners, mao: int, won_by: int, count: int, mine: Any, theirs: Any) -> Any:
    """What the hand is worth once this round is won: settled, or open with so many cards each."""
    after = (*winners, won_by)
    winner = decided(after, mao)
    return float(winner == ME) if winner is not None else open_wins(after, mao, count)[mine, theirs]


def _played(winners: Winners, mao: int, count: int, mine: tuple[Any, Any], theirs: tuple[Any, Any]) -> Values:
    """What the hand is worth after a card from each side; the rest has `count` cards each."""
    import numpy as np

    (my_card, my_rest), (their_card, their_rest) = mine, theirs
    won, lost, tied = (_then(winners, mao, result, count, my_rest, their_rest) for result in (ME, OTHER, TIE))
    values: Values = np.where(my_card > their_card, won, np.where(my_card < their_card, lost, tied))
    return values


def _leads(winners: Winners, mao: int) -> int:
    return mao if not winners or winners[-1] == TIE else winners[-1]


@cache
def open_wins(winners: Winners, mao: int, count: int) -> Values:
    """1 where the hand is won with open cards, for every holding of mine and of theirs."""
    import numpy as np

    def both(mine: tuple[Values, Places], theirs: tuple[Values, Places]) -> Values:
        mine_down = (mine[0][:, None], mine[1][:, None])
        return _played(winners, mao, count - 1, mine_down, theirs)

    grid = np.array([[both(mine, theirs) for theirs in plays_from(count)] for mine in plays_from(count)])
    value: Values = grid.min(1).max(0) if _leads(winners, mao) == ME else grid.max(0).min(0)
    return value


@lru_cache(maxsize=1 << 17)
def card_chances(
    held: Strengths, seen: Strengths, winners: Winners, mao: int, faced: int | None
) -> tuple[float, ...]:
    """The chance to win the hand with each held card, being about to play one of them.

    `held` and `seen` (one's own three cards and the other's open ones) are strengths in rising
    order; `faced` is the other's card in this round, 0 if it lies face down, `None` if one leads.
    The last round against a three, lost with a two, won with a seven of ouros:

    >>> card_chances((9,), (9, 10, 10), (ME, OTHER), ME, 10), card_chances((11,), (10, 10, 11), (ME, OTHER), ME, 10)
    ((0.0,), (1.0,))
    """
    import numpy as np

    left = len(held) - 1
    mine = [(card, holdings(left)[held[:i] + held[i + 1 :]]) for i, card in enumerate(held)]
    deals = _deals(seen, left + 1 if faced is None else left)
    if faced is not None:
        values = [_played(winners, mao, left, one, (faced, slice(None))) for one in mine]
        return tuple(_share_won(np.broadcast_to(value, deals[0].shape), deals) for value in values)
    plays = plays_from(left + 1)
    return tuple(
        _share_won(min_of([_played(winners, mao, left, card, theirs) for theirs in plays]), deals)
        for card in mine
    )


@lru_cache(maxsize=1 << 17)
def standing_chance(held: Strengths, seen: Strengths, winners: Winners, mao: int, lies: int | None) -> float:
    """The chance to win the hand as it stands, when no card of the other's waits for one's own.

    `lies` is one's own card that the other has to answer, `None` before a round; then both are
    taken to play with open cards, whoever leads.
    """
    left = len(held)
    mine = holdings(left)[held]
    if lies is None:
        return _share_won(open_wins(winners, mao, left)[mine], _deals(seen, left))
    answers = [_played(winners, mao, left, (lies, mine), theirs) for theirs in plays_from(left + 1)]
    return _share_won(min_of(answers), _deals(seen, left + 1))


def forget() -> None:
    """Free what was worked out before; a server that never ends would hold ever more of it."""
    for function in (_deals, card_chances, standing_chance):
        function.cache_clear()


def min_of(values: list[Values]) -> Values:
    """The worst of several, place by place."""
    import numpy as np

    worst: Values = np.minimum.reduce(values)
    return worst
