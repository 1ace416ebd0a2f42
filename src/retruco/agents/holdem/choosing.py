"""How Casey chooses a strategy by similar cases, compiled: at a table in compiled code as in a single decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from retruco.cbr.summary import CaseTally
from retruco.compiler import compiled_step
from retruco.games.holdem.compiled import AT, Longs, bets_to_call
from retruco.vocab.holdem.rows import HALVES
from retruco.vocab.holdem.strategies import NAMES, PLAY
from retruco.vocab.holdem.strength import Floats

if TYPE_CHECKING:
    from retruco.cbr.tallies import Bytes, Ints, Longs

TOO_FEW, MAY_BLUFF, NONE_PAYS = -1, -2, -3
"""What `choose` says instead of a strategy, of which the first two are left to chance."""
PLAYED: Final = tuple(NAMES.index(name) for name in PLAY)
ROWS, POINTS, CLOSENESS = (CaseTally._fields.index(name) for name in ("rows", "points", "closeness"))
ROW_MASK: Final = (1 << 32) - 1
"""The row of a case, which may come with its distance; see `retruco.cbr.kernel`."""


class Terms(NamedTuple):
    """The numbers of a policy."""

    enough: int
    prior: int
    most_bets: int
    most_opponents: int
    sunk: bool
    best_match: bool


@compiled_step
def fold_result(situation: Longs, sunk: bool) -> float:
    """What folding brings: nothing, or the loss of one's own blind where blinds are sunk.

    Cases count a blind as paid in their stage, so that a strategy pays if it loses less than the blind.
    """
    if not sunk or situation[AT.stage]:
        return 0.0
    return float(-HALVES * situation[AT.paid] / situation[AT.blind])


@compiled_step
def generalise(sums: Longs, prior: int, means: Floats) -> int:
    """Write down the mean result of each strategy that means to win, and give the best of those that have cases; or -1.

    `prior` cases at the mean of all are added to each; closer cases break ties.
    """
    rows, points, best = 0, 0, -1
    for place in PLAYED:
        rows += sums[place, ROWS]
        points += sums[place, POINTS]
    pull = prior * points / rows if rows else 0.0
    for place in PLAYED:
        if sums[place, ROWS]:
            means[place] = (sums[place, POINTS] + pull) / (sums[place, ROWS] + prior)
            better = best < 0 or means[place] > means[best]
            if better or (means[place] == means[best] and sums[place, CLOSENESS] > sums[best, CLOSENESS]):
                best = place
    return best


@compiled_step
def choose(
    sums: Longs,
    means: Floats,
    near: Longs,
    actions: Bytes,
    results: Ints,
    situation: Longs,
    terms: Terms,
) -> int:
    """Choose the strategy that pays best in similar cases; or say that there are too few, or that none pays.

    `sums` has the tally of each strategy. The paper's first search takes the action of the nearest case that did
    not lose: `near` lists the rows of the cases, nearest first, `actions` and `results` are columns of the base.
    """
    found = 0
    for place in range(sums.shape[0]):
        found += sums[place, ROWS]
    folding, best = fold_result(situation, terms.sunk), generalise(sums, terms.prior, means)
    if found < terms.enough:
        return TOO_FEW
    if terms.best_match:
        for entry in range(found):
            row = near[entry] & ROW_MASK
            if results[row] >= folding:
                return int(actions[row])
    elif best >= 0 and means[best] > folding:
        return best
    is_cheap = bets_to_call(situation) <= terms.most_bets
    return MAY_BLUFF if is_cheap and situation[AT.opponents] <= terms.most_opponents else NONE_PAYS
