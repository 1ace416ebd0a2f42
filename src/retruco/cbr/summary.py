"""A retrieval in a few numbers: per cluster and action, how many rows and what came of them.

"Retrieve once, reuse twenty ways": every reuse policy is a small function of this summary.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

K = TypeVar("K", int, str)


class Tally(NamedTuple):
    """How many rows, won and drawn, their points, and how close they are in all.

    `closeness` is the summed similarity in units of the scenario's scale, a whole number.
    """

    rows: int
    wins: int
    draws: int
    points: int
    closeness: int

    def plus(self, other: Tally) -> Tally:
        """Add two tallies.

        >>> Tally(1, 1, 0, 2, 50).plus(Tally(2, 0, 1, -1, 90))
        Tally(rows=3, wins=1, draws=1, points=1, closeness=140)
        """
        return Tally(
            self.rows + other.rows,
            self.wins + other.wins,
            self.draws + other.draws,
            self.points + other.points,
            self.closeness + other.closeness,
        )


EMPTY = Tally(0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Summary:
    """Tallies per (cluster, action) of one retrieval.

    `actions` is the scenario's order, which settles the last ties; `whole` is the tally of the
    whole retrieval and stays with every narrower view of it. Views are kept, for a summary that
    is remembered is asked for the same ones again.
    """

    items: tuple[tuple[int, str, Tally], ...]
    actions: tuple[str, ...]
    whole: Tally
    wins_only: bool = False

    @classmethod
    def of(
        cls, items: Iterable[tuple[int, str, Tally]], actions: tuple[str, ...], wins_only: bool = False
    ) -> Summary:
        """Summarise a whole retrieval.

        >>> one = Summary.of([(0, "low", Tally(2, 1, 0, 3, 9)), (1, "low", Tally(1, 0, 0, -1, 5))], ("low",))
        >>> one.by_action, list(one.by_cluster)
        ({'low': Tally(rows=3, wins=1, draws=0, points=2, closeness=14)}, [0, 1])
        """
        items = tuple(items)
        whole = EMPTY
        for _, _, tally in items:
            whole = whole.plus(tally)
        return cls(items, actions, whole, wins_only)

    @cached_property
    def by_action(self) -> dict[str, Tally]:
        """The tallies of the actions, in the scenario's order."""
        found = _joined((action, tally) for _, action, tally in self.items)
        return {action: found[action] for action in self.actions if action in found}

    @cached_property
    def by_cluster(self) -> dict[int, Tally]:
        """The tallies of the clusters, by number."""
        return dict(sorted(_joined((cluster, tally) for cluster, _, tally in self.items).items()))

    @cached_property
    def _inside(self) -> dict[int, Summary]:
        return {}

    def within(self, cluster: int) -> Summary:
        """Keep one cluster only."""
        inside = self._inside.get(cluster)
        if inside is None:
            items = tuple(item for item in self.items if item[0] == cluster)
            inside = self._inside[cluster] = replace(self, items=items)
        return inside

    def only(self, available: Collection[str]) -> Summary:
        """Keep only actions that are available."""
        for action in self.by_action:
            if action not in available:
                return replace(self, items=tuple(item for item in self.items if item[1] in available))
        return self

    def adapted(self, to: Mapping[str, str]) -> Summary:
        """Count some actions as others: the way an answer that cannot be given is adapted.

        >>> rows = Summary.of([(0, "high", Tally(2, 1, 0, 3, 9))], ("high", "low"))
        >>> list(rows.adapted({"high": "low"}).by_action)
        ['low']
        """
        return replace(self, items=tuple((c, to.get(action, action), t) for c, action, t in self.items))


def _joined(pairs: Iterable[tuple[K, Tally]]) -> dict[K, Tally]:
    joined: dict[K, Tally] = {}
    for key, tally in pairs:
        before = joined.get(key)
        joined[key] = tally if before is None else before.plus(tally)
    return joined
