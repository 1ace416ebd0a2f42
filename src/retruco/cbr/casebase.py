"""The case base: rows by scenario, added and removed in place, retrieved exactly.

A retrieval returns a summary (see `summary`). The matches are built when somebody asks for them; they
are those of the moment of retrieval, even if the base has changed since.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from threading import RLock
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from retruco.cbr.case import NOTHING_ADAPTED, Choice, Json, Match, Problem, Row, matches_html
from retruco.cbr.case_index import FIRST, Batch, CaseIndex, SearchResult, Workspace
from retruco.cbr.clusters import Clustering, Sample
from retruco.cbr.kernel import ROW_BITS, ROW_MASK, IndexArrays
from retruco.cbr.memo import Memo, recall
from retruco.cbr.modes import Adaptive, Mode
from retruco.cbr.queries import Queries, check_queries, encode_queries
from retruco.cbr.reuse import Model
from retruco.cbr.search import SearchBuffers, SearchPlan
from retruco.cbr.similarity import Amount, Measure, Scale
from retruco.cbr.summary import Summary
from retruco.cbr.tallies import Bytes, Found, Longs, Tallies
from retruco.cbr.vocabulary import Vocabulary
from retruco.compiled_streams import Streams
from retruco.notebook import table_html, text_html
from retruco.streams import Stream

CACHE_SIZE: Final = 4096
"""How many retrievals a base caches; the least recently used is dropped first."""

CacheKey: TypeAlias = tuple[str, tuple[int, ...], Mode]
"""The scenario and the values of a problem, and the mode by which it was retrieved."""

ADAPTIVE: Final = Adaptive()
NO_CHANCE: Final = Streams.of(Stream("for models that do not draw"))


class Retrieval:
    """The result of a query: a summary at once, the matches on demand."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        index: CaseIndex,
        problem: Problem,
        mode: Mode,
        query: Bytes,
        result: SearchResult,
        lock: RLock,
    ) -> None:
        self.problem, self.mode = problem, mode
        self.version, self.row_count = index.version, index.row_count
        self.clusters = index.clustering.generation if index.clustering else 0
        self._vocabulary, self._index, self._lock = vocabulary, index, lock
        self._query, self._result, self._cluster_count = query, result, index.key_numbers.clusters
        self._summary: Summary | None = None
        self._choices: dict[Hashable, Choice] = {}
        # Clustering again gives the index a new array of labels; this retrieval keeps the old one.
        self._labels, self._grouping = index.labels, index.grouping if mode.grouped else None

    def __len__(self) -> int:
        return self._result.rows

    @property
    def summary(self) -> Summary:
        """The tallies of the rows found; those who only count rows do without."""
        if self._summary is None:
            self._summary = self._index.summary(self._result.records, self._result.entries)
        return self._summary

    def __repr__(self) -> str:
        return f"<Retrieval of {len(self)} rows at {self.threshold:.0%} by {self.mode}>"

    def choose(
        self,
        model: Model,
        available: Collection[str],
        stream: Stream,
        adapt: Mapping[str, str] | None = None,
    ) -> Choice:
        """Choose an answer by a reuse model; `adapt` counts some actions as others.

        The choice of a model that does not draw is cached, so a repeated question costs almost nothing.
        """
        key = (model, frozenset(available), frozenset(adapt.items()) if adapt else None)
        choice = self._choices.get(key)
        if choice is None:
            streams = Streams.of(stream) if model.by_chance else NO_CHANCE
            choices = model.choose_many(self.tallies(available, adapt or NOTHING_ADAPTED), streams)
            choice = choices.choice(0, self._index.scenario.actions, adapt or NOTHING_ADAPTED)
            if model.by_chance:
                stream.state = int(streams.states[0])
            else:
                self._choices[key] = choice
        return choice

    def tallies(self, available: Collection[str], adapt: Mapping[str, str]) -> Tallies:
        """The tallies of the actions that can be given, after some have been counted as others."""
        queries = encode_queries(self._vocabulary, [(self.problem, available, adapt)])
        found = Found(FIRST, self._result.records, self._result.entries)
        return Tallies(queries, found, self._cluster_count, self._vocabulary)

    @property
    def threshold(self) -> float:
        """The threshold that was applied: each row found is at least this similar."""
        plan = self._index.plan(self.mode)
        return plan.levels[plan.limits.index(self._result.limit)]

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The rows found, most similar first, the older first where equally similar."""
        with self._lock:
            return self._build_matches()

    @cached_property
    def episodes(self) -> tuple[int, ...]:
        """The episodes of the rows found, in the order of the matches; cheap for `Top`."""
        with self._lock:
            return tuple(self._index.episode[self._near() & ROW_MASK].tolist())

    def _near(self) -> Longs:
        """The rows found, nearest first, each with its distance."""
        if self._result.near is not None:
            return self._result.near
        return self._index.rows_within(
            self._query, self._result.limit, self._grouping, self.row_count, self.version
        )

    def _build_matches(self) -> tuple[Match, ...]:
        index, near = self._index, self._near()
        rows, distances = near & ROW_MASK, near >> ROW_BITS
        columns = zip(
            index.episode[rows].tolist(),
            index.question[rows].tolist(),
            map(index.scale.similarity, distances.tolist()),
            [index.scenario.actions[action] for action in index.row_columns.action[rows]],
            index.row_columns.credit[rows].tolist(),
            self._labels[index.row_columns.pattern[rows]].tolist(),
            map(tuple, index.visible(rows).tolist()),
            itertools.repeat(partial(index.scale.parts, self.problem.values)),
        )
        return tuple(itertools.starmap(Match, columns))

    def _repr_html_(self) -> str:
        """For notebooks: the query and the cases found."""
        query = ", ".join(
            f"{name} {value}" for name, value in self._index.scenario.show(self.problem).items()
        )
        return text_html(f"{self.problem.scenario}: {query}") + matches_html(self.matches)

    def as_json(self) -> dict[str, Json]:
        """Return the retrieval as plain data, matches included."""
        return {
            "retrieval": repr(self.mode),
            "threshold": self.threshold,
            "retrieved": len(self),
            "query": self._index.scenario.decode(self.problem),
            "similar": [match.as_json() for match in self.matches],
            "clusters_generation": self.clusters,
        }


class Snapshot(NamedTuple):
    """What a search of all scenarios needs to know; it holds until the base changes."""

    generation: int
    indexes: tuple[CaseIndex, ...]
    versions: Longs
    clusters: int
    """The most clusters of a scenario."""
    sections: dict[Mode, Longs]
    """The sections of the memo by mode."""


class CaseBase:
    """Rows of a vocabulary's scenarios, searched with one similarity measure, by default the vocabulary's.

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
        self._indexes: dict[str, CaseIndex] = {}
        features = vocabulary.most_features
        self._space, self._memo = Workspace(features), Memo(features)
        self._snapshot: Snapshot | None = None
        self._cache: OrderedDict[CacheKey, Retrieval] = OrderedDict()
        self._cached_keys: dict[str, set[CacheKey]] = {}
        """The keys of the cache by scenario: when the rows of a scenario change, its retrievals are dropped."""
        # Queries share working memory, and a query must not see a row that is half added.
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        # For other processes: rows are copied, cached retrievals are not.
        return {"of": (self.vocabulary, self.measure), "is": (self.generation, self._indexes)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["of"])  # type: ignore[misc]
        self.generation, self._indexes = state["is"]

    def __len__(self) -> int:
        return sum(map(len, self._indexes.values()))

    def _index(self, scenario: str) -> CaseIndex:
        index = self._indexes.get(scenario)
        if index is None:
            description = self.vocabulary[scenario]
            scale = Scale.of(self.measure, description.visible)
            index = self._indexes[scenario] = CaseIndex(description, scale)
        return index

    def _repr_html_(self) -> str:
        """For notebooks: how many rows each scenario has."""
        rows = [
            (scenario.name, f"{self.count(scenario.name):,}", ", ".join(f.name for f in scenario.visible))
            for scenario in self.vocabulary.scenarios
        ]
        return table_html(("scenario", "rows", "features"), rows)

    # Rows

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows, younger than all before; if one is wrong, none is added."""
        by_scenario: dict[str, list[Row]] = {}
        for row in rows:
            by_scenario.setdefault(row.problem.scenario, []).append(row)
        self._add(
            [(index := self._index(name), index.check_rows(some)) for name, some in by_scenario.items()]
        )

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
        """Add rows of one scenario as columns of codes and numbers, the form in which they are stored."""
        index = self._index(scenario)
        batch = index.check_columns(visible, hindsight, actions, credit, episodes, questions)
        self._add([(index, batch)])

    def _add(self, batches: Sequence[tuple[CaseIndex, Batch]]) -> None:
        with self._lock:
            for index, batch in batches:
                index.add(batch)
                self._drop_cached(index.scenario.name)
            self.generation += 1

    def remove(self, *episodes: int) -> int:
        """Remove episodes from all scenarios; return how many rows were removed."""
        with self._lock:
            removed = 0
            for name, index in self._indexes.items():
                here = sum(map(index.remove, episodes))
                if here:
                    self._drop_cached(name)
                if index.mostly_removed:
                    self._indexes[name] = index.compact()
                removed += here
            self.generation += removed > 0
        return removed

    def rows(self, scenario: str) -> Iterator[Row]:
        """Iterate over the rows of a scenario, oldest first."""
        description = self.vocabulary[scenario]
        columns = [column.tolist() for column in self.columns(scenario)]
        for visible, hindsight, action, credit, episode, question in zip(*columns, strict=True):
            problem = Problem(scenario, tuple(visible))
            known = tuple(hindsight) if description.hindsight else ()
            yield Row(problem, description.actions[action], credit, known, episode, question)

    def columns(self, scenario: str) -> Batch:
        """Return the rows of a scenario as columns, oldest first."""
        return self._index(scenario).columns()

    def count(self, scenario: str) -> int:
        """Count the rows of a scenario."""
        return len(self._index(scenario))

    def compared_by(self, vocabulary: Vocabulary, measure: Measure) -> CaseBase:
        """Copy the rows and clusters into a base that compares them otherwise; the words must be the same."""
        copy = CaseBase(vocabulary, measure)
        for scenario in self.vocabulary.scenarios:
            rows = self.columns(scenario.name)
            if len(rows.actions):
                copy.add_columns(scenario.name, *rows)
            if (clustering := self.clustering(scenario.name)) is not None:
                copy.cluster(scenario.name, clustering)
        return copy

    def episodes(self) -> int:
        """Count the episodes that have rows."""
        found = [index.episode[index.present_rows()] for index in self._indexes.values()]
        return len(np.unique(np.concatenate(found))) if found else 0

    def scenario_of(self, episode: int) -> str | None:
        """Name the first scenario in which an episode has rows."""
        return next((name for name, index in self._indexes.items() if index.has_episode(episode)), None)

    # Retrieval

    def retrieve(self, problem: Problem, mode: Mode = ADAPTIVE) -> Retrieval:
        """Find the rows of the problem's scenario that the mode asks for."""
        index = self._index(problem.scenario)
        key = (problem.scenario, problem.values, mode)
        with self._lock:
            cached = self._cache.get(key)
            if cached is not None:
                self._cache.move_to_end(key)
                return cached
            query = index.make_query(problem.values)
            result = index.search(query, mode, self._space)
            retrieval = Retrieval(self.vocabulary, index, problem, mode, query, result, self._lock)
            self._cache_retrieval(key, retrieval)
        return retrieval

    def look_up(self, queries: Queries, mode: Mode = ADAPTIVE) -> Tallies:
        """Find the tallies of many questions at once; what was searched before is remembered."""
        queries = check_queries(self.vocabulary, queries)
        result, unknown = np.empty((2, queries.scenario.size), np.int32)
        starts = np.zeros(len(self.vocabulary.scenarios) + 1, np.int32)
        with self._lock:
            now, memo = self._take_snapshot(), self._memo
            memo.prepare(now.versions)
            sections = now.sections.get(mode)
            if sections is None:
                sections = now.sections[mode] = memo.sections(mode, now.versions)
            missing = recall(queries.scenario, queries.codes, sections, memo.arrays, result, unknown, starts)
            if missing < 0:
                raise ValueError(
                    f"{self.vocabulary.name} has {len(sections)} scenarios, a query is of another"
                )
            if missing:
                for place, (first, after) in enumerate(itertools.pairwise(starts.tolist())):
                    if first < after:
                        now.indexes[place].search_many(
                            unknown[first:after],
                            queries.codes,
                            mode,
                            int(sections[place]),
                            memo,
                            self._space,
                            result,
                        )
            records, entries, _ = memo.arrays.results
        return Tallies(queries, Found(result, records, entries), now.clusters, self.vocabulary)

    def prepare_search(self, scenario: str, mode: Mode) -> tuple[IndexArrays, SearchPlan, SearchBuffers]:
        """Give compiled code what it needs to search a scenario itself (`search.sum_similar`), until the base changes."""
        index = self._index(scenario)
        _, plan = index._plan_search(mode)
        with self._lock:
            return index.arrays, plan, self._space.fit(index, plan)

    def _take_snapshot(self) -> Snapshot:
        """Describe the base as it is now, in the numbers that a search of all scenarios needs."""
        now = self._snapshot
        if now is None or now.generation != self.generation:
            indexes = tuple([self._index(scenario.name) for scenario in self.vocabulary.scenarios])
            versions = np.array([index.version for index in indexes], np.int64)
            clusters = max(index.key_numbers.clusters for index in indexes)
            now = self._snapshot = Snapshot(self.generation, indexes, versions, clusters, {})
        return now

    def _cache_retrieval(self, key: CacheKey, retrieval: Retrieval) -> None:
        self._cache[key] = retrieval
        self._cached_keys.setdefault(key[0], set()).add(key)
        if len(self._cache) > CACHE_SIZE:
            oldest, _ = self._cache.popitem(last=False)
            self._cached_keys[oldest[0]].discard(oldest)

    def _drop_cached(self, scenario: str) -> None:
        """Drop the cached retrievals of a scenario whose rows or clusters have changed."""
        for key in self._cached_keys.pop(scenario, ()):
            del self._cache[key]

    def count_similar(self, problem: Problem, at_least: Amount, enough: int) -> int:
        """Count the rows of the problem's scenario that are at least this similar, up to `enough`."""
        index = self._index(problem.scenario)
        with self._lock:
            return index.count_similar(index.make_query(problem.values), at_least, enough, self._space)

    def clear_cache(self) -> None:
        """Drop all cached retrievals and results; they are computed again when they are asked for."""
        with self._lock:
            self._cache.clear()
            self._cached_keys.clear()
            self._memo.drop()

    # Clusters

    def sample(self, scenario: str) -> Sample:
        """Return the data from which the clusters of a scenario are made."""
        return self._index(scenario).sample()

    def cluster(self, scenario: str, clustering: Clustering | None) -> None:
        """Set the clusters of a scenario; None removes them."""
        names = tuple(feature.name for feature in self.vocabulary[scenario].hindsight)
        if clustering is not None and clustering.names != names:
            raise ValueError(f"{scenario} is clustered by {names}, not by {clustering.names}")
        with self._lock:
            self._index(scenario).cluster(clustering)
            self._drop_cached(scenario)
            self.generation += 1

    def clustering(self, scenario: str) -> Clustering | None:
        """Return the clusters of a scenario, if it has any."""
        return self._index(scenario).clustering

    def census(self, scenario: str) -> Summary:
        """Summarise all rows of a scenario."""
        with self._lock:
            return self._index(scenario).census(self._space)

    def index_sample(self, scenario: str, names: Sequence[str]) -> Sample:
        """Return the data from which index groups over these visible features are made."""
        return self._index(scenario).index_sample(names)

    def index_groups(self, scenario: str) -> Clustering | None:
        """Return the index groups of a scenario, if it has any."""
        return self._index(scenario).grouping

    def index(self, scenario: str, grouping: Clustering | None) -> None:
        """Set the index groups of a scenario, which modes with `grouped=True` search by; None removes them."""
        with self._lock:
            self._index(scenario).group(grouping)
            self._drop_cached(scenario)
            self.generation += 1
