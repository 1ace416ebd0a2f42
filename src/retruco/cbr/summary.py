"""A retrieval in a few numbers: for each cluster and action, the number of rows and their results.

Retrieve once, reuse in any way: each reuse model is a function of this summary.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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


class Summary:
    """Tallies per (cluster, action) of one retrieval.

    `actions` is the scenario's order, which breaks the last ties. `whole` is the tally of the whole
    retrieval, also in a summary of only some clusters or actions. Selections are cached, because a
    cached retrieval is asked for the same ones again.
    """

    __slots__ = ("_by_action", "_by_cluster", "_selections", "actions", "items", "whole", "wins_only")

    def __init__(
        self, items: tuple[Item, ...], actions: tuple[str, ...], whole: CaseTally, wins_only: bool = False
    ) -> None:
        self.items, self.actions, self.whole, self.wins_only = items, actions, whole, wins_only
        self._by_action: dict[str, CaseTally] | None = None
        self._by_cluster: dict[int, CaseTally] | None = None
        self._selections: dict[int, Summary] = {}

    @classmethod
    def of(cls, items: Iterable[Item], actions: tuple[str, ...], wins_only: bool = False) -> Summary:
        """Summarise a whole retrieval.

        >>> summary = Summary.of([(0, "low", CaseTally(2, 1, 0, 3, 9)), (1, "low", CaseTally(1, 0, 0, -1, 5))], ("low",))
        >>> summary.by_action, list(summary.by_cluster)
        ({'low': CaseTally(rows=3, wins=1, draws=0, points=2, closeness=14)}, [0, 1])
        """
        items = tuple(items)
        return cls(items, actions, sum_tallies(tally for _, _, tally in items), wins_only)

    @property
    def by_action(self) -> dict[str, CaseTally]:
        """The tallies of the actions, in the scenario's order."""
        if self._by_action is None:
            found = _sum_by_key([(action, tally) for _, action, tally in self.items])
            self._by_action = {action: found[action] for action in self.actions if action in found}
        return self._by_action

    @property
    def by_cluster(self) -> dict[int, CaseTally]:
        """The tallies of the clusters, by number."""
        if self._by_cluster is None:
            found = _sum_by_key([(cluster, tally) for cluster, _, tally in self.items])
            self._by_cluster = {cluster: found[cluster] for cluster in sorted(found)}
        return self._by_cluster

    def select_cluster(self, cluster: int) -> Summary:
        """Return the summary of one cluster."""
        selection = self._selections.get(cluster)
        if selection is None:
            items = tuple([item for item in self.items if item[0] == cluster])
            selection = self._selections[cluster] = self._with(items)
        return selection

    def select_actions(self, available: Collection[str]) -> Summary:
        """Return the summary of the actions that are available."""
        items = tuple([item for item in self.items if item[1] in available])
        return self if len(items) == len(self.items) else self._with(items)

    def relabel(self, actions: Mapping[str, str]) -> Summary:
        """Count some actions as others: this adapts answers that are not available.

        >>> rows = Summary.of([(0, "high", CaseTally(2, 1, 0, 3, 9))], ("high", "low"))
        >>> list(rows.relabel({"high": "low"}).by_action)
        ['low']
        """
        return self._with(
            tuple([(cluster, actions.get(action, action), tally) for cluster, action, tally in self.items])
        )

    def _with(self, items: tuple[Item, ...]) -> Summary:
        """Return a summary of other items of the same retrieval."""
        return Summary(items, self.actions, self.whole, self.wins_only)


def _sum_by_key(pairs: Iterable[tuple[K, CaseTally]]) -> dict[K, CaseTally]:
    sums: dict[K, CaseTally] = {}
    for key, tally in pairs:
        before = sums.get(key)
        sums[key] = tally if before is None else before.plus(tally)
    return sums
