"""A case base laid open: its scenarios, the rows of one by what they are like, its clusters and their elbow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Problem
from retruco.cbr.clusters import profiles
from retruco.cbr.vocabulary import Scenario
from retruco.storage.library import Base
from retruco.web.core.i18n import Texts
from retruco.web.review.why import answer_in, query_of

if TYPE_CHECKING:
    from retruco.cbr.case_index import Batch

Json = dict[str, Any]
A_PAGE: Final = 25


@dataclass(frozen=True)
class Filter:
    """Which rows to show; what is not said is not asked for."""

    action: str = ""
    cluster: int | None = None
    won: bool | None = None
    feature: str = ""
    value: str = ""


@dataclass(frozen=True)
class ScenarioCases:
    """The rows of one scenario of a base."""

    base: Base
    scenario: Scenario

    @cached_property
    def columns(self) -> Batch:
        """All its rows, as columns."""
        return self.base.cases.columns(self.scenario.name)

    @cached_property
    def clusters(self) -> NDArray[np.uint8] | None:
        """The cluster of every row, if there are clusters."""
        made = self.base.cases.clustering(self.scenario.name)
        if made is None or not len(self.columns.actions):
            return None
        tables = [np.array(one.values, np.float64) for one in self.scenario.hindsight]
        numbers = [table[self.columns.hindsight[:, place]] for place, table in enumerate(tables)]
        return made.assign(np.column_stack(numbers))

    def found(self, wanted: Filter) -> NDArray[np.intp]:
        """The rows that a filter lets through, the newest first."""
        here = np.ones(len(self.columns.actions), bool)
        if wanted.action in self.scenario.actions:
            here &= self.columns.actions == self.scenario.actions.index(wanted.action)
        if wanted.cluster is not None and self.clusters is not None:
            here &= self.clusters == wanted.cluster
        if wanted.won is not None:
            here &= (self.columns.credits > 0) == wanted.won
        names = [one.name for one in self.scenario.visible]
        if wanted.feature in names:
            place = names.index(wanted.feature)
            codes = [
                code
                for code, value in enumerate(self.scenario.visible[place].values)
                if str(value) == wanted.value
            ]
            here &= np.isin(self.columns.visible[:, place], codes)
        return np.flatnonzero(here)[::-1]

    def rows(self, places: NDArray[np.intp], texts: Texts) -> list[Json]:
        """Some rows as plain data, in the reader's words."""
        return [self._row(int(place), texts) for place in places]

    def _row(self, place: int, texts: Texts) -> Json:
        columns = self.columns
        problem = Problem(self.scenario.name, tuple(columns.visible[place].tolist()))
        return {
            "case": f"{columns.episodes[place]}.{columns.questions[place]}",
            "query": query_of(problem, texts),
            "action": answer_in(texts, self.scenario.actions[int(columns.actions[place])]),
            "points": int(columns.credits[place]),
            "cluster": None if self.clusters is None else int(self.clusters[place]),
        }

    def profiles(self, texts: Texts) -> list[Json]:
        """What its clusters are like."""
        made = self.base.cases.clustering(self.scenario.name)
        if made is None:
            return []
        cases = self.base.cases
        found = profiles(cases.sample(self.scenario.name), made, cases.census(self.scenario.name))
        return [
            {
                "cluster": profile.cluster,
                "rows": profile.rows,
                "share": profile.share,
                "means": {name: round(mean, 1) for name, mean in profile.means.items()},
                "actions": {answer_in(texts, name): share for name, share in _often(profile.actions)},
                "victories": profile.victories,
                "points": profile.points,
            }
            for profile in found
        ]

    def elbow(self) -> Json | None:
        """How the number of clusters was chosen, as a drawing: points from 0 to 1 of the most."""
        made = self.base.elbows.get(self.scenario.name)
        if made is None or len(made.curve) < 2:
            return None
        most = max(made.curve.values()) or 1.0
        ks = list(made.curve)
        width = max(ks) - min(ks)
        points = [(k, (k - min(ks)) / width, within / most) for k, within in made.curve.items()]
        return {"k": made.clustering.k, "points": points}


def _often(actions: Any) -> list[tuple[str, float]]:
    return sorted(actions.items(), key=lambda item: -item[1])[:3]
