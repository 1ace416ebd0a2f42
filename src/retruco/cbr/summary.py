"""A retrieval in a few numbers: for each cluster and action, the number of rows and their results.

`Summary` has those of one question by name; many questions at once are `tallies`. `GeneralisedCase` compares
whole strategies by their mean results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from retruco.cbr.case import Json

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


@dataclass(frozen=True, slots=True)
class GeneralisedCase:
    """The results of similar cases by strategy (Sandven and Tessem 2006, table 3).

    `playing` names the strategies that are compared.
    """

    tallies: Mapping[str, CaseTally]
    playing: tuple[str, ...]

    @classmethod
    def of(cls, summary: Summary, playing: Sequence[str]) -> GeneralisedCase:
        """Build the generalised case of a retrieval."""
        return cls({name: summary.by_action.get(name, EMPTY) for name in summary.actions}, tuple(playing))

    @property
    def rows(self) -> int:
        """How many cases were found."""
        return sum(tally.rows for tally in self.tallies.values())

    def means(self, prior: int = 0) -> dict[str, float]:
        """The mean result of each playing strategy that has cases; `prior` cases at the mean of all are added to each."""
        tallies = {name: self.tallies[name] for name in self.playing if self.tallies[name].rows}
        whole = sum_tallies(tallies.values())
        pull = prior * whole.points / whole.rows if whole.rows else 0.0
        return {name: (tally.points + pull) / (tally.rows + prior) for name, tally in tallies.items()}

    def best(self, prior: int = 0) -> tuple[str, float] | None:
        """The playing strategy with the best mean result, and that mean; closer cases break ties."""
        means = self.means(prior)
        if not means:
            return None
        name = max(means, key=lambda strategy: (means[strategy], self.tallies[strategy].closeness))
        return name, means[name]

    def as_json(self) -> list[dict[str, Json]]:
        """Return the table as plain data, sums last."""
        lines = {
            **self.tallies,
            "sum of play": self._sum(self.playing),
            "sum": self._sum(self.tallies),
        }
        return [
            {
                "strategy": name,
                "result": tally.points,
                "mean": round(tally.points / tally.rows, 3) if tally.rows else None,
                "frequency": tally.rows,
                "wins": tally.wins,
                "losses": tally.rows - tally.wins - tally.draws,
            }
            for name, tally in lines.items()
        ]

    def _sum(self, names: Collection[str]) -> CaseTally:
        return sum_tallies(self.tallies[name] for name in names)
