"""One scenario's rows: columns that grow in place, found through a trie of distinct states.

Of any state there may be thousands of rows; its codes are kept once. What hindsight knew is
kept once per *pattern* likewise, and a row's cluster is its pattern's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import lt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cbr import kernel
from retruco.cbr.case import Row
from retruco.cbr.clusters import Clustering, Sample
from retruco.cbr.kernel import Bytes, Ints, Longs
from retruco.cbr.modes import Mode, Plan
from retruco.cbr.similarity import Scale
from retruco.cbr.summary import Summary, Tally
from retruco.cbr.trie import Trie, reordered, room
from retruco.cbr.vocabulary import Scenario

BLOCK = 16_384
"""Rows added at a time, so that room made for the worst case stays small."""


def priced(trie: Trie, scale: Scale) -> tuple[Ints, Longs]:
    """Lay out a scale's costs level by level of a trie: where each level's are, and the costs."""
    sizes = np.array(trie.sizes)[trie.order]
    starts = np.cumsum(sizes * sizes) - sizes * sizes
    costs = [cost for feature in trie.order for row in scale.costs[feature] for cost in row]
    return np.column_stack([trie.order, sizes, starts]).astype(np.int32), np.array(costs, np.int64)


class Batch(NamedTuple):
    """Checked rows of one scenario, as columns."""

    visible: Bytes
    hindsight: Bytes
    actions: Bytes
    credits: Ints
    episodes: Ints
    questions: NDArray[np.uint16]

    def part(self, rows: slice | NDArray[np.integer[Any]]) -> Batch:
        """Take some of the rows."""
        columns: list[Any] = [one[rows] for one in self]
        return Batch(*columns)


def column(scenario: Scenario, what: str, numbers: Any, kind: type[np.integer[Any]]) -> NDArray[Any]:
    """Turn whole numbers into a column of this kind, or say which one does not fit."""
    wide = np.asarray(numbers, np.int64)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    wrong = wide[(wide < low) | (wide > high)]
    if wrong.size:
        raise ValueError(f"{scenario.name}: a row's {what} is {wrong[0]}: it lies between {low} and {high}")
    return wide.astype(kind)


def coded(scenario: Scenario, names: Sequence[str], sizes: Sequence[int], codes: Any) -> Bytes:
    """Turn tuples of codes into a matrix, or say which code its feature does not have."""
    wide = np.asarray(codes, np.int64).reshape(len(codes), -1)
    if wide.shape[1] != len(sizes) and len(wide):
        raise ValueError(f"{scenario.name} has features {list(names)}: a row has {wide.shape[1]} codes")
    wide = wide.reshape(-1, len(sizes))
    rows, columns = np.nonzero((wide < 0) | (wide >= np.asarray(sizes)))
    if rows.size:
        code, place = wide[rows[0], columns[0]], int(columns[0])
        raise ValueError(f"{names[place]} has no code {code}: codes run from 0 to {sizes[place] - 1}")
    return wide.astype(np.uint8)


class Found(NamedTuple):
    """What a search gave: tallies by key and the limit that stood.

    For a top also the rows themselves, nearest first: distance << 32 | row.
    """

    tallies: list[list[int]]
    limit: int
    near: Longs | None = None


@dataclass
class Scratch:
    """Working space of the search, shared by all shelves of a base."""

    queue: Longs
    found: Longs

    @classmethod
    def empty(cls) -> Scratch:
        """Start small; it grows with the largest shelf."""
        return cls(np.empty((64, 4), np.int64), np.empty((64, 2), np.int64))

    def fit(self, trie: Trie) -> None:
        """Make room to search a trie: a node is queued once, a state found once."""
        self.queue = room(self.queue, 0, trie.used)
        self.found = room(self.found, 0, trie.known)


class Shelf:
    """The rows of one scenario, by age, with their clusters and the means to search them."""

    def __init__(self, scenario: Scenario, scale: Scale) -> None:
        self.scenario, self.scale = scenario, scale
        self.version = 0
        self.states = Trie([len(one.values) for one in scenario.visible])
        # Without hindsight all rows share one pattern: a constant code keeps the trie whole.
        self.patterns = Trie([len(one.values) for one in scenario.hindsight] or [1])
        self.levels, self.table = priced(self.states, scale)
        self.clustering: Clustering | None = None
        self.grouping: Clustering | None = None
        self.labels = np.zeros(16, np.uint8)
        self.groups, self.grouped = np.zeros(16, np.uint8), 0
        self.size, self.dead = 0, 0
        self.ascending = True
        """Whether episodes lie in the order of their numbers."""
        self.died: dict[int, int] = {}
        self.episode = np.empty(0, np.int32)
        self.question = np.empty(0, np.uint16)
        self.action = np.empty(0, np.uint8)
        self.credit = np.empty(0, np.int32)
        self.state = np.empty(0, np.int32)
        self.pattern = np.empty(0, np.int32)
        self.follow = np.empty(0, np.int32)
        self.links = np.empty((16, 4), np.int32)
        self.tallies, self.points, self.tallied = np.empty((16, 5), np.int32), np.empty(16, np.int64), 0
        self._plans: dict[Mode, tuple[Plan, Longs, Longs]] = {}

    def __len__(self) -> int:
        return self.size - self.dead

    # Rows in and out

    def batch(
        self, visible: Any, hindsight: Any, actions: Any, credit: Any, episodes: Any, questions: Any
    ) -> Batch:
        """Check rows given as columns of codes and numbers."""
        scenario = self.scenario
        seen = coded(scenario, [one.name for one in scenario.visible], self.states.sizes, visible)
        if scenario.hindsight:
            known = coded(scenario, [one.name for one in scenario.hindsight], self.patterns.sizes, hindsight)
        else:
            known = np.zeros((len(seen), 1), np.uint8)
        answers = coded(scenario, ["action"], [len(scenario.actions)], actions)[:, 0]
        columns = (
            column(scenario, "credit", credit, np.int32),
            column(scenario, "episode", episodes, np.int32),
            column(scenario, "question", questions, np.uint16),
        )
        lengths = {len(seen), len(known), len(answers), *map(len, columns)}
        if len(lengths) > 1:
            raise ValueError(f"{scenario.name}: columns have different lengths: {sorted(lengths)}")
        return Batch(seen, known, answers, *columns)

    def batch_of(self, rows: Sequence[Row]) -> Batch:
        """Check rows given one by one."""
        shape = len(self.scenario.visible), len(self.scenario.hindsight)
        for row in rows:
            if (len(row.problem.values), len(row.hindsight)) != shape:
                raise ValueError(
                    f"{self.scenario.name} has {shape} visible and hindsight codes: {row} has not"
                )
        return self.batch(
            [row.problem.values for row in rows],
            [row.hindsight for row in rows],
            [self.scenario.action_code(row.action) for row in rows],
            [row.credit for row in rows],
            [row.episode for row in rows],
            [row.question for row in rows],
        )

    def add(self, batch: Batch) -> None:
        """Append checked rows; they are younger than all others."""
        for start in range(0, len(batch.actions), BLOCK):
            self._append(batch.part(slice(start, start + BLOCK)))
        if self.states.untidy:
            self._tidy()
        self.version += 1

    def _append(self, batch: Batch) -> None:
        start, stop = self.size, self.size + len(batch.actions)
        self._make_room(stop)
        before = self.states.known
        self.state[start:stop] = self.states.intern(batch.visible)
        self.links = room(self.links, before, self.states.known)
        self.links[before : self.states.known] = (0, kernel.END, kernel.END, kernel.END)
        self.pattern[start:stop] = self._patterns(batch.hindsight)
        self.episode[start:stop] = batch.episodes
        self.question[start:stop] = batch.questions
        self.action[start:stop] = batch.actions
        self.credit[start:stop] = batch.credits
        self.size = stop
        self.ascending &= bool((np.diff(self.episode[max(start - 1, 0) : stop]) >= 0).all())
        keys = self._keys(np.arange(start, stop))
        self.tallies = room(self.tallies, self.tallied, self.tallied + len(keys))
        self.points = room(self.points, self.tallied, self.tallied + len(keys))
        self.tallied = kernel.append(
            start, stop, self.state, self.follow, keys, self.credit,
            self.links, self.tallies, self.points, self.tallied,
        )  # fmt: skip

    def _tidy(self) -> None:
        moved = self.states.tidy()
        self.links = reordered(self.links, moved)
        state = self.state[: self.size]
        state[:] = np.where(state < 0, ~moved[~state], moved[state])
        self.groups, self.grouped = np.zeros(16, np.uint8), 0

    def _make_room(self, needed: int) -> None:
        for name in ("episode", "question", "action", "credit", "state", "pattern", "follow"):
            setattr(self, name, room(getattr(self, name), self.size, needed))

    def _patterns(self, hindsight: Bytes) -> Ints:
        before = self.patterns.known
        numbers = self.patterns.intern(hindsight)
        new = slice(before, self.patterns.known)
        self.labels = room(self.labels, before, self.patterns.known)
        if before < self.patterns.known:
            self.labels[new] = self.clustering.assign(self._numbers(new)) if self.clustering else 0
        return numbers

    def _numbers(self, which: slice) -> NDArray[np.float64]:
        codes = self.patterns.codes(which)
        return np.column_stack(
            [np.array(one.values, float)[codes[:, i]] for i, one in enumerate(self.scenario.hindsight)]
            or [np.zeros(len(codes))]
        )

    def _keys(self, rows: Longs) -> Ints:
        actions = len(self.scenario.actions)
        return self.labels[self.pattern[rows]].astype(np.int32) * np.int32(actions) + self.action[rows]

    def remove(self, episode: int) -> int:
        """Remove an episode's rows; give how many there were."""
        rows = self._rows_of(episode)
        rows = rows[self.state[rows] >= 0]
        if rows.size:
            kernel.bury(
                rows, self._keys(rows), self.state, self.credit, self.links, self.tallies, self.points
            )
            self.version += 1
            self.dead += rows.size
            self.died.update(dict.fromkeys(rows.tolist(), self.version))
        return int(rows.size)

    def _rows_of(self, episode: int) -> Longs:
        """Find the rows of an episode, at once where episodes came in the order of their numbers."""
        episodes = self.episode[: self.size]
        if not self.ascending:
            return np.flatnonzero(episodes == episode)
        first, after = np.searchsorted(episodes, np.array([episode, episode + 1], np.int32))
        return np.arange(first, after)

    def living(self) -> Longs:
        """List the rows that are not removed, by age."""
        return np.flatnonzero(self.state[: self.size] >= 0)

    def compacted(self) -> Shelf:
        """Copy the living rows to a fresh shelf; what was retrieved from the old one stays with it."""
        fresh = Shelf(self.scenario, self.scale)
        fresh.cluster(self.clustering)
        fresh.group(self.grouping)
        fresh.add(self.columns())
        fresh.version = self.version + 1
        return fresh

    def visible(self, rows: Longs) -> Bytes:
        """Give the visible codes of rows, removed ones too."""
        states = self.state[rows]
        return self.states.codes(np.where(states < 0, ~states, states))

    def columns(self) -> Batch:
        """Give the living rows as columns."""
        rows = self.living()
        return Batch(
            self.visible(rows),
            self.patterns.codes(self.pattern[rows]),
            self.action[rows],
            self.credit[rows],
            self.episode[rows],
            self.question[rows],
        )

    # Clusters and index groups

    def cluster(self, clustering: Clustering | None) -> None:
        """Give every row the cluster of its pattern, and count anew."""
        self.clustering = clustering
        # A new array: what was retrieved before keeps the labels it saw.
        labels = np.zeros(len(self.labels), np.uint8)
        known = slice(0, self.patterns.known)
        labels[known] = clustering.assign(self._numbers(known)) if clustering and self.patterns.known else 0
        self.labels = labels
        self.tallies = room(self.tallies, 0, len(self) + 1)
        self.points = room(self.points, 0, len(self) + 1)
        keys = self._keys(np.arange(self.size))
        self.tallied = kernel.recount(
            self.state[: self.size],
            keys,
            self.credit,
            self.links[: self.states.known],
            self.tallies,
            self.points,
        )
        self.version += 1

    def group(self, grouping: Clustering | None) -> None:
        """Take an index of groups over visible features, for retrieval in two steps."""
        self.grouping = grouping
        self.groups, self.grouped = np.zeros(len(self.groups), np.uint8), 0
        self.version += 1

    def sample(self) -> Sample:
        """Give the distinct patterns as numbers, with how many living rows have each."""
        living = self.pattern[: self.size][self.state[: self.size] >= 0]
        counts = np.bincount(living, minlength=self.patterns.known)
        present = np.flatnonzero(counts)
        names = tuple(one.name for one in self.scenario.hindsight)
        numbers = self._numbers(slice(0, self.patterns.known))[present]
        return Sample(names, numbers[:, : len(names)], counts[present])

    def index_sample(self, names: Sequence[str]) -> Sample:
        """Give the distinct values of some visible features as numbers, with their rows."""
        numbers = self._visible_numbers(names, self.states.codes(slice(self.states.known)))
        distinct, which = np.unique(numbers, axis=0, return_inverse=True)
        rows = self.links[: self.states.known, kernel.ROWS]
        counts = np.bincount(which.ravel(), rows, len(distinct)).astype(np.int64)
        return Sample(tuple(names), distinct[counts > 0], counts[counts > 0])

    def _visible_numbers(self, names: Sequence[str], codes: Bytes) -> NDArray[np.float64]:
        places = {one.name: place for place, one in enumerate(self.scenario.visible)}
        if unknown := [name for name in names if name not in places]:
            raise ValueError(f"{self.scenario.name} has no visible feature {unknown}: it has {list(places)}")
        tables = [np.array(self.scenario.visible[places[name]].values) for name in names]
        if any(table.dtype.kind != "i" for table in tables):
            raise ValueError(f"index groups need numbers, but one of {list(names)} has special words")
        columns = [table[codes[:, places[name]]] for name, table in zip(names, tables, strict=True)]
        return np.column_stack(columns).astype(float)

    def _group_of(self, query: Bytes) -> int:
        if self.grouping is None:
            raise ValueError(f"{self.scenario.name} has no index groups: give it an index first")
        old, known = self.grouped, self.states.known
        if old < known:
            self.groups = room(self.groups, old, known)
            self.groups[old:known] = self._grouped(self.grouping, self.states.codes(slice(old, known)))
            self.grouped = known
        return int(self._grouped(self.grouping, query[None])[0])

    def _grouped(self, grouping: Clustering, codes: Bytes) -> Bytes:
        return grouping.assign(self._visible_numbers(grouping.names, codes))

    # Search

    def query(self, values: Sequence[int]) -> Bytes:
        """Check a problem's codes and lay them out for the search."""
        sizes = self.states.sizes
        if len(values) != len(sizes) or min(values) < 0 or not all(map(lt, values, sizes)):
            raise ValueError(
                f"{values} is no problem of {self.scenario.name}: its {len(sizes)} codes are below {sizes}"
            )
        return np.frombuffer(bytearray(values), np.uint8)

    def plan(self, mode: Mode) -> tuple[Plan, Longs, Longs]:
        """Put a mode into this scenario's distances, once."""
        found = self._plans.get(mode)
        if found is None:
            plan = mode.plan(self.scale)
            found = self._plans[mode] = plan, np.array(plan.limits), np.array(plan.ceilings)
        return found

    def search(self, query: Bytes, mode: Mode, scratch: Scratch) -> Found:
        """Retrieve: tallies per (cluster, action), and for a top the rows themselves."""
        plan, limits, ceilings = self.plan(mode)
        group = self._group_of(query) if mode.grouped else -1
        scratch.fit(self.states)
        where = (
            query, self.table, self.levels, self.states.nodes, self.states.paths, self.states.beside,
            self.links, self.groups, group, ceilings, plan.shift, plan.enough, scratch.queue, scratch.found,
        )  # fmt: skip
        if plan.keep:
            tallies, near = kernel.nearest(*where, self.state, self.follow, *self._told())
            return Found(tallies.tolist(), plan.limits[0], near)
        tallies, limit = kernel.summarise(
            *where, limits, self.tallies, self.points, self.scale.farthest, self.keys
        )
        return Found(tallies.tolist(), limit)

    def _told(self) -> tuple[Bytes, Ints, Bytes, Ints, int, int, int]:
        """What rows are tallied by."""
        actions = len(self.scenario.actions)
        return self.labels, self.pattern, self.action, self.credit, actions, self.scale.farthest, self.keys

    @property
    def keys(self) -> int:
        """How many pairs of cluster and action there can be."""
        return (self.clustering.k if self.clustering else 1) * len(self.scenario.actions)

    def summary(self, tallies: list[list[int]]) -> Summary:
        """Name the tallies of a search; the last is their sum."""
        actions = self.scenario.actions
        many = len(actions)
        *parts, whole = tallies
        items = tuple([(one[0] // many, actions[one[0] % many], Tally(*one[1:])) for one in parts])
        return Summary(items, actions, Tally(*whole[1:]), self.scenario.wins_only)

    def census(self) -> Summary:
        """Summarise all rows of the scenario."""
        rows = self.living()
        return self.summary(kernel.tally_rows(rows, *self._told()).tolist())

    def within(
        self, query: Bytes, limit: int, grouping: Clustering | None, horizon: int, version: int
    ) -> Longs:
        """List the rows within a limit as they were at that version, as `nearest` does."""
        codes = self.states.codes(slice(self.states.known))
        away = np.zeros(len(codes), np.int64)
        for cost, code, one in zip(self.scale.costs, query, codes.T, strict=True):
            away += np.array(cost[code], np.int64)[one]
        chosen = np.flatnonzero(away <= limit)
        if grouping:
            here = self._grouped(grouping, query[None])[0]
            chosen = chosen[self._grouped(grouping, codes[chosen]) == here]
        rows, places = kernel.unchain(chosen, self.links, self.follow, horizon)
        then = np.array([self.died.get(row, version + 1) > version for row in rows.tolist()], bool)
        return np.sort(away[chosen[places[then]]] << 32 | rows[then])
