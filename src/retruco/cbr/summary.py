"""A retrieval in a few numbers: for each cluster and action, the number of rows and their results.

`Summary` has those of one question by name; many questions at once are `tallies`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

K = TypeVar("K", int, str)


class CaseTally(NamedTuple):
    """The number of rows, of wins and of draws, the sum of points, and the closeness.

    `closeness` is the sum of similarities in units of the scenario's scale, a whole number.
    """

    rows: int
    wins: int
    draws: int
    points: int
    closeness: int

    def plus(self, other: CaseTally) -> CaseTally:
        """Add two tallies.

        >>> CaseTally(1, 1, 0, 2, 50).plus(CaseTally(2, 0, 1, -1, 90))
        CaseTally(rows=3, wins=1, draws=1, points=1, closeness=140)
        """
        return CaseTally(
            self.rows + other.rows,
            self.wins + other.wins,
            self.draws + other.draws,
            self.points + other.points,
            self.closeness + other.closeness,
        )


EMPTY = CaseTally(0, 0, 0, 0, 0)


def sum_tallies(tallies: Iterable[CaseTally]) -> CaseTally:
    """Add up tallies."""
    total = EMPTY
    for tally in tallies:
        total = total.plus(tally)
    return total


Item: TypeAlias = tuple[int, str, CaseTally]
"""A cluster, an action, and the tally of both together."""


@dataclass(frozen=True)
class Summary:
    """Tallies per (cluster, action) of one retrieval.

    `actions` is the scenario's order, which breaks the last ties. `whole` is the tally of the whole
    retrieval, also in a summary of only some clusters or actions.

    >>> items = (0, "low", CaseTally(2, 1, 0, 3, 9)), (1, "low", CaseTally(1, 0, 0, -1, 5))
    >>> summary = Summary(items, ("high", "low"), sum_tallies(tally for _, _, tally in items))
    >>> summary.by_action, list(summary.by_cluster)
    ({'low': CaseTally(rows=3, wins=1, draws=0, points=2, closeness=14)}, [0, 1])
    """

    items: tuple[Item, ...]
    actions: tuple[str, ...]
    whole: CaseTally
    wins_only: bool = False

    @cached_property
    def by_action(self) -> dict[str, CaseTally]:
        """The tallies of the actions, in the scenario's order."""
        found = _sum_by_key((action, tally) for _, action, tally in self.items)
        return {action: found[action] for action in self.actions if action in found}

    @cached_property
    def by_cluster(self) -> dict[int, CaseTally]:
        """The tallies of the clusters, by number."""
        found = _sum_by_key((cluster, tally) for cluster, _, tally in self.items)
        return {cluster: found[cluster] for cluster in sorted(found)}

    def select_cluster(self, cluster: int) -> Summary:
        """Return the summary of one cluster."""
        return replace(self, items=tuple([item for item in self.items if item[0] == cluster]))


def _sum_by_key(pairs: Iterable[tuple[K, CaseTally]]) -> dict[K, CaseTally]:
    sums: dict[K, CaseTally] = {}
    for key, tally in pairs:
        before = sums.get(key)
        sums[key] = tally if before is None else before.plus(tally)
    return sums
