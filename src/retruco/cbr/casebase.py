"""The case base: rows by scenario, added and removed in place, retrieved exactly.

A retrieval comes as a summary (see `summary`); the matches themselves are produced when
somebody looks, and are those of the moment of retrieval, whatever was learnt since.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from threading import RLock
from typing import Any, Final

import numpy as np

from retruco.cbr.case import Choice, Json, Match, Problem, Row
from retruco.cbr.clusters import Clustering, Sample
from retruco.cbr.kernel import Bytes, Longs
from retruco.cbr.modes import Adaptive, Mode
from retruco.cbr.reuse.criterion import Model
from retruco.cbr.shelf import Batch, Found, Scratch, Shelf
from retruco.cbr.similarity import Measure, Scale
from retruco.cbr.summary import Summary
from retruco.cbr.vocabulary import Vocabulary
from retruco.streams import Stream

MEMO: Final = 4096
"""Retrievals remembered by a base, the longest unused forgotten first."""

SWEEP: Final = 256
"""Every so many of them, those that no longer hold are forgotten: a base that learns would keep little else."""

ADAPTIVE: Final = Adaptive()


class Retrieval:
    """What a query found: a summary at once, the matches when somebody looks."""

    def __init__(
        self, shelf: Shelf, problem: Problem, mode: Mode, query: Bytes, found: Found, lock: RLock
    ) -> None:
        self.problem, self.mode = problem, mode
        self.summary: Summary = shelf.summary(found.tallies)
        self.version, self.horizon = shelf.version, shelf.size
        self.clusters = shelf.clustering.generation if shelf.clustering else 0
        self._shelf, self._query, self._found, self._lock = shelf, query, found, lock
        self._choices: dict[Hashable, Choice] = {}
        # A re-clustered shelf has new labels; these are the ones this retrieval saw.
        self._labels, self._grouping = shelf.labels, shelf.grouping if mode.grouped else None

    def __len__(self) -> int:
        return self.summary.whole.rows

    def __repr__(self) -> str:
        return f"<Retrieval of {len(self)} rows at {self.threshold:.0%} by {self.mode}>"

    def choose(
        self,
        model: Model,
        available: Collection[str],
        stream: Stream,
        adapt: Mapping[str, str] | None = None,
    ) -> Choice:
        """Reuse the retrieval, some actions counted as others if need be.

        A model without chance is asked only once for the same answers, so that a question that
        comes again costs next to nothing.
        """
        key = (model, frozenset(available), frozenset(adapt.items()) if adapt else None)
        choice = self._choices.get(key)
        if choice is None:
            summary = self.summary.adapted(adapt) if adapt else self.summary
            choice = model(summary, available, stream)
            if not model.by_chance:
                self._choices[key] = choice
        return choice

    def seen_by(self, shelf: Shelf) -> bool:
        """Whether this is still what the shelf would answer."""
        return self._shelf is shelf and self.version == shelf.version

    @property
    def threshold(self) -> float:
        """The threshold that stood: every row found is at least this similar."""
        plan, _, _ = self._shelf.plan(self.mode)
        return plan.levels[plan.limits.index(self._found.limit)]

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The rows found, most similar first, the older first where equally similar."""
        with self._lock:
            return self._matches()

    @cached_property
    def episodes(self) -> tuple[int, ...]:
        """The episodes of the rows found, in the order of the matches; cheap where the nearest were asked for."""
        with self._lock:
            return tuple(self._shelf.episode[self._near() & 0xFFFFFFFF].tolist())

    def _near(self) -> Longs:
        """The rows found, nearest first: distance << 32 | row."""
        near, shelf = self._found.near, self._shelf
        if near is not None:
            return near
        return shelf.within(self._query, self._found.limit, self._grouping, self.horizon, self.version)

    def _matches(self) -> tuple[Match, ...]:
        shelf, near = self._shelf, self._near()
        rows, distances = near & 0xFFFFFFFF, near >> 32
        columns = zip(
            shelf.episode[rows].tolist(),
            shelf.question[rows].tolist(),
            map(shelf.scale.similarity, distances.tolist()),
            [shelf.scenario.actions[action] for action in shelf.action[rows]],
            shelf.credit[rows].tolist(),
            self._labels[shelf.pattern[rows]].tolist(),
            map(tuple, shelf.visible(rows).tolist()),
            itertools.repeat(partial(shelf.scale.parts, self.problem.values)),
        )
        return tuple(itertools.starmap(Match, columns))

    def as_json(self) -> dict[str, Json]:
        """Show the retrieval as plain data, matches included."""
        return {
            "retrieval": repr(self.mode),
            "threshold": self.threshold,
            "retrieved": len(self),
            "query": dict(self._shelf.scenario.named(self.problem)),
            "similar": [match.as_json() for match in self.matches],
            "clusters_generation": self.clusters,
        }


class CaseBase:
    """Rows of a vocabulary's scenarios, searched with one measure of similarity, the vocabulary's own if none is given.

    >>> from retruco.cbr.vocabulary import Scenario, equal
    >>> toss = Scenario("toss", (equal("coin", ("heads", "tails")),), (), ("stay", "go"))
    >>> base = CaseBase(Vocabulary("coins", 1, (toss,)))
    >>> heads = toss.problem({"coin": "heads"})
    >>> base.add([Row(heads, "go", credit=1, hindsight=(), episode=7, question=0)])
    >>> [(match.episode, match.similarity, match.action) for match in base.retrieve(heads).matches]
    [(7, 1.0, 'go')]
    """

    def __init__(self, vocabulary: Vocabulary, measure: Measure | None = None) -> None:
        self.vocabulary, self.measure = vocabulary, measure or vocabulary.measure
        self.generation = 0
        self._shelves: dict[str, Shelf] = {}
        self._scratch = Scratch.empty()
        self._memo: OrderedDict[tuple[str, tuple[int, ...], Mode], Retrieval] = OrderedDict()
        # Queries share working space, and a query must not meet a half-added row.
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        # For other processes: the rows go along, what was looked up before does not.
        return {"of": (self.vocabulary, self.measure), "is": (self.generation, self._shelves)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["of"])  # type: ignore[misc]
        self.generation, self._shelves = state["is"]

    def __len__(self) -> int:
        return sum(map(len, self._shelves.values()))

    def _shelf(self, scenario: str) -> Shelf:
        shelf = self._shelves.get(scenario)
        if shelf is None:
            described = self.vocabulary[scenario]
            shelf = self._shelves[scenario] = Shelf(described, Scale.of(self.measure, described.visible))
        return shelf

    # Rows

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows, younger than all before; either all of them or, if one is wrong, none."""
        by_scenario: dict[str, list[Row]] = {}
        for row in rows:
            by_scenario.setdefault(row.problem.scenario, []).append(row)
        self._add([(shelf := self._shelf(name), shelf.batch_of(some)) for name, some in by_scenario.items()])

    def add_columns(
        self,
        scenario: str,
        visible: Any,
        hindsight: Any,
        actions: Any,
        credit: Any,
        episodes: Any,
        questions: Any,
    ) -> None:
        """Add rows of one scenario as columns of codes and numbers, as a store keeps them."""
        shelf = self._shelf(scenario)
        self._add([(shelf, shelf.batch(visible, hindsight, actions, credit, episodes, questions))])

    def _add(self, batches: Sequence[tuple[Shelf, Batch]]) -> None:
        with self._lock:
            for shelf, batch in batches:
                shelf.add(batch)
            self.generation += 1

    def remove(self, *episodes: int) -> int:
        """Remove episodes from all scenarios; give how many rows went."""
        with self._lock:
            removed = sum(shelf.remove(one) for one in episodes for shelf in self._shelves.values())
            for name, shelf in self._shelves.items():
                if shelf.dead > 64 and shelf.dead * 3 > shelf.size:
                    self._shelves[name] = shelf.compacted()
            self.generation += removed > 0
        return removed

    def rows(self, scenario: str) -> Iterator[Row]:
        """Go through the rows of a scenario, oldest first."""
        shelf = self._shelf(scenario)
        columns = shelf.columns()
        for visible, known, action, credit, episode, question in zip(
            *(one.tolist() for one in columns), strict=True
        ):
            problem = Problem(scenario, tuple(visible))
            known = tuple(known) if shelf.scenario.hindsight else ()
            yield Row(problem, shelf.scenario.actions[action], credit, known, episode, question)

    def columns(self, scenario: str) -> Batch:
        """Give the rows of a scenario as columns, oldest first."""
        return self._shelf(scenario).columns()

    def count(self, scenario: str) -> int:
        """Count the rows of a scenario."""
        return len(self._shelf(scenario))

    def episodes(self) -> int:
        """Count the episodes that have rows."""
        found = [shelf.episode[shelf.living()] for shelf in self._shelves.values()]
        return len(np.unique(np.concatenate(found))) if found else 0

    # Retrieval

    def retrieve(self, problem: Problem, mode: Mode = ADAPTIVE) -> Retrieval:
        """Find the rows of the problem's scenario that the mode asks for."""
        shelf = self._shelf(problem.scenario)
        key = (problem.scenario, problem.values, mode)
        with self._lock:
            known = self._memo.get(key)
            if known is not None and known.seen_by(shelf):
                self._memo.move_to_end(key)
                return known
            query = shelf.query(problem.values)
            found = shelf.search(query, mode, self._scratch)
            retrieval = self._memo[key] = Retrieval(shelf, problem, mode, query, found, self._lock)
            self._memo.move_to_end(key)
            if len(self._memo) % SWEEP == 0:
                self._forget_outdated()
            if len(self._memo) > MEMO:
                self._memo.popitem(last=False)
        return retrieval

    def _forget_outdated(self) -> None:
        """Forget retrievals that a base that has changed since would not answer any more."""
        for key in [one for one, kept in self._memo.items() if not kept.seen_by(self._shelves[one[0]])]:
            del self._memo[key]

    # Clusters

    def sample(self, scenario: str) -> Sample:
        """Give what a scenario's clusters are made of."""
        return self._shelf(scenario).sample()

    def cluster(self, scenario: str, clustering: Clustering | None) -> None:
        """Take clusters for a scenario; None takes them away."""
        names = tuple(one.name for one in self.vocabulary[scenario].hindsight)
        if clustering is not None and clustering.names != names:
            raise ValueError(f"{scenario} is clustered by {names}, not by {clustering.names}")
        with self._lock:
            self._shelf(scenario).cluster(clustering)
            self.generation += 1

    def clustering(self, scenario: str) -> Clustering | None:
        """Give a scenario's clusters, if it has any."""
        return self._shelf(scenario).clustering

    def census(self, scenario: str) -> Summary:
        """Summarise all rows of a scenario."""
        return self._shelf(scenario).census()

    def index_sample(self, scenario: str, names: Sequence[str]) -> Sample:
        """Give what an index over these visible features is made of."""
        return self._shelf(scenario).index_sample(names)

    def index(self, scenario: str, grouping: Clustering | None) -> None:
        """Take an index of groups, which modes with `grouped=True` search by."""
        with self._lock:
            self._shelf(scenario).group(grouping)
            self.generation += 1
