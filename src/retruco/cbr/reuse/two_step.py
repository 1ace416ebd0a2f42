"""The model of two steps: one criterion picks a cluster, another an action within it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from retruco.cbr.case import Choice
from retruco.cbr.reuse.criterion import Criterion
from retruco.cbr.summary import Summary
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class TwoStep:
    """Pick a cluster among the retrieved rows, then an action among that cluster's rows."""

    clusters: Criterion
    actions: Criterion

    @property
    def by_chance(self) -> bool:
        """Whether one of the criteria draws."""
        return self.clusters.by_chance or self.actions.by_chance

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""
        usable = summary.only(available)
        if not usable.items:
            return Choice(None)
        first = self.clusters(usable.by_cluster, usable, stream)
        inside = usable.within(int(first.chosen))
        second = self.actions(inside.by_action, inside, stream)
        return Choice(str(second.chosen), (first, second))
