"""Re-clustering of a growing base: clusters are reviewed as it grows, and made anew when the elbow has moved.

The rule (see `retruco.cbr.clusters.ReclusterSchedule`): a new row joins the nearest centroid; after a match in
which a scenario has grown by 1 % and at least 20 rows since the last look, count by the elbow how
many clusters there should be; make them anew when three looks in a row found the same new number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering, ReclusterSchedule, elbow, elbow_curve, fit


class Elbow(Protocol):
    """The clusters of one scenario, and the curve by which their number was chosen."""

    @property
    def clustering(self) -> Clustering: ...
    @property
    def curve(self) -> Mapping[int, float]: ...


@dataclass(frozen=True, eq=False)
class Group:
    """The clusters of one scenario while it grows."""

    clustering: Clustering
    curve: Mapping[int, float]
    watch: ReclusterSchedule


@dataclass(frozen=True, slots=True)
class Review:
    """What a review of a scenario's clusters found."""

    scenario: str
    rows: int
    found: int
    k: int
    """How many clusters there are after it."""
    anew: bool
    """Whether they were made anew."""

    def as_json(self) -> dict[str, Any]:
        """The review as plain data."""
        return asdict(self)


class Groups:
    """The clusters of all scenarios of a base that grows."""

    def __init__(self, cases: CaseBase, groups: Mapping[str, Group]) -> None:
        self._cases, self.groups = cases, dict(groups)

    @classmethod
    def begin(cls, cases: CaseBase, elbows: Mapping[str, Elbow]) -> Groups:
        """Schedule checks of the clusters that a base has to begin with."""
        watches = {
            name: ReclusterSchedule(elbow.clustering.k, cases.count(name)) for name, elbow in elbows.items()
        }
        return cls(
            cases, {name: Group(one.clustering, one.curve, watches[name]) for name, one in elbows.items()}
        )

    @classmethod
    def resume(cls, cases: CaseBase, elbows: Mapping[str, Elbow], watches: Mapping[str, Any]) -> Groups:
        """Go on with the clusters and the watches of a run."""
        groups = {
            name: Group(elbow.clustering, elbow.curve, ReclusterSchedule(**watches[name]))
            for name, elbow in elbows.items()
        }
        for name, group in groups.items():
            cases.cluster(name, group.clustering)
        return cls(cases, groups)

    @property
    def ks(self) -> dict[str, int]:
        """How many clusters every scenario has."""
        return {name: one.clustering.k for name, one in self.groups.items()}

    @property
    def watches(self) -> dict[str, dict[str, int]]:
        """What is remembered of the looks so far, as plain data."""
        return {name: asdict(one.watch) for name, one in self.groups.items()}

    def review(self) -> Iterator[Review]:
        """Review every scenario that has grown enough, and make clusters anew where it is time."""
        for scenario in self._cases.vocabulary.scenarios:
            rows = self._cases.count(scenario.name)
            if scenario.hindsight and rows:
                group = self.groups.get(scenario.name)
                if group is None or group.watch.due(rows):
                    yield self._review(scenario.name, group, rows)

    def _review(self, name: str, group: Group | None, rows: int) -> Review:
        sample = self._cases.sample(name)
        curve = elbow_curve(sample)
        found = elbow(curve)
        if group is None:  # a scenario that had no rows until now
            watch, anew = ReclusterSchedule(found, rows), True
        else:
            watch, anew = group.watch.record(rows, found)
        if anew or group is None:
            generation = group.clustering.generation + 1 if group else 0
            group = Group(fit(sample, found, generation), curve, watch)
            self._cases.cluster(name, group.clustering)
        else:
            group = Group(group.clustering, group.curve, watch)
        self.groups[name] = group
        return Review(name, rows, found, watch.k, anew)
