"""The case index: the rows of one scenario in columns that grow, and the trie that finds them.

Thousands of rows may share one state (the same visible codes), which is stored once. What hindsight
adds is stored once per *pattern*, and a row belongs to the cluster of its pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import lt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cbr import kernel, search
from retruco.cbr.case import Row
from retruco.cbr.clusters import Clustering, Sample
from retruco.cbr.kernel import CostTable, IndexArrays, KeyNumbers, RowColumns, StateTallies
from retruco.cbr.memo import Memo
from retruco.cbr.modes import Mode, RetrievalPlan, Threshold, Top
from retruco.cbr.search import SearchBuffers, SearchPlan
from retruco.cbr.similarity import Amount, Scale
from retruco.cbr.summary import CaseTally, Summary
from retruco.cbr.tallies import LIMIT, ROWS, Bytes, Ints, Longs
from retruco.cbr.trie import Trie, grow, reorder
from retruco.cbr.vocabulary import Scenario

BLOCK: Final = 16_384
"""Rows added at a time, so that the space reserved for the worst case stays small."""

LOWEST, HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max
HIGHEST_QUESTION: Final = np.iinfo(np.uint16).max
"""The numbers that the columns of credits, episodes and questions hold."""


class Batch(NamedTuple):
    """Checked rows of one scenario, as columns."""

    visible: Bytes
    hindsight: Bytes
    actions: Bytes
    credits: Ints
    episodes: Ints
    questions: NDArray[np.uint16]

    def part(self, rows: slice | NDArray[np.integer[Any]]) -> Batch:
        """Return some of the rows."""
        columns: list[Any] = [column[rows] for column in self]
        return Batch(*columns)


def check_numbers(scenario: Scenario, what: str, numbers: Any, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Turn whole numbers into a column of this type; the error names a number that does not fit."""
    wide = np.asarray(numbers, np.int64)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    wrong = wide[(wide < low) | (wide > high)]
    if wrong.size:
        raise ValueError(f"{scenario.name}: a row's {what} is {wrong[0]}: it lies between {low} and {high}")
    return wide.astype(dtype)


def check_codes(scenario: Scenario, names: Sequence[str], sizes: Sequence[int], codes: Any) -> Bytes:
    """Turn tuples of codes into a matrix; the error names a code that its feature does not have."""
    wide = np.asarray(codes, np.int64).reshape(len(codes), -1)
    if wide.shape[1] != len(sizes) and len(wide):
        raise ValueError(f"{scenario.name} has features {list(names)}: a row has {wide.shape[1]} codes")
    wide = wide.reshape(-1, len(sizes))
    rows, columns = np.nonzero((wide < 0) | (wide >= np.asarray(sizes)))
    if rows.size:
        code, place = wide[rows[0], columns[0]], int(columns[0])
        raise ValueError(f"{names[place]} has no code {code}: codes run from 0 to {sizes[place] - 1}")
    return wide.astype(np.uint8)


def build_cost_table(trie: Trie, scale: Scale) -> CostTable:
    """Lay out the costs of a scale in the order of a trie's levels."""
    sizes = np.array(trie.sizes)[trie.feature_order]
    starts = np.cumsum(sizes * sizes) - sizes * sizes
    costs = [cost for feature in trie.feature_order for row in scale.costs[feature] for cost in row]
    levels = np.column_stack([trie.feature_order, sizes, starts]).astype(np.int32)
    return CostTable(np.ascontiguousarray(levels), np.array(costs, np.int32))


FIRST: Final = np.zeros(1, np.int32)
"""The place of a single query."""

ALL_GROUPS: Final = np.empty(0, np.int32)
"""Searches all states, whatever their index group."""


class Workspace:
    """Working memory of searches, and a memo for the result of a single one."""

    def __init__(self, features: int) -> None:
        self.single = Memo(features, results=1)
        self.buffers = SearchBuffers(
            queue=np.empty((64, 4), np.int64),
            found=np.empty((64, 2), np.int64),
            costs=np.empty((features, 256), np.int32),
            buckets=np.empty((64, 2), np.int64),
            sums=np.zeros((64, 5), np.int64),
            near=np.empty(64, np.int64),
        )

    def fit(self, index: CaseIndex, plan: SearchPlan) -> SearchBuffers:
        """Return buffers large enough for a search: it queues a node once and finds a state once."""
        buffers, trie, numbers = self.buffers, index.state_trie, index.key_numbers
        nearest, keys = min(plan.enough, index.row_count), numbers.clusters * numbers.actions
        if (
            len(buffers.queue) < trie.node_count
            or len(buffers.found) < trie.tuple_count
            or len(buffers.buckets) < len(plan.ceilings)
            or len(buffers.sums) < keys
            or len(buffers.near) < nearest
        ):
            self.buffers = buffers = SearchBuffers(
                grow(buffers.queue, 0, trie.node_count),
                grow(buffers.found, 0, trie.tuple_count),
                buffers.costs,
                grow(buffers.buckets, 0, len(plan.ceilings)),
                grow(buffers.sums, 0, keys),
                grow(buffers.near, 0, nearest),
            )
        return buffers


class SearchResult(NamedTuple):
    """The record and the entries of one query (see `tallies`), and for `Top` the rows.

    `near` holds the rows nearest first, each with its distance: distance << 32 | row.
    """

    records: Longs
    entries: Longs
    near: Longs | None = None

    @property
    def rows(self) -> int:
        """How many rows were found."""
        return int(self.records[0, ROWS])

    @property
    def limit(self) -> int:
        """The distance limit that was applied."""
        return int(self.records[0, LIMIT])


class CaseIndex:
    """The rows of one scenario, oldest first, with their clusters and the arrays that a search reads."""

    def __init__(self, scenario: Scenario, scale: Scale) -> None:
        self.scenario, self.scale = scenario, scale
        self.version = 0
        self.state_trie = Trie([len(feature.values) for feature in scenario.visible])
        # Without hindsight all rows share one pattern, whose only code is constant.
        self.pattern_trie = Trie([len(feature.values) for feature in scenario.hindsight] or [1])
        self.cost_table = build_cost_table(self.state_trie, scale)
        self.clustering: Clustering | None = None
        self.labels = np.zeros(16, np.uint8)
        """The cluster of each pattern."""
        self.grouping: Clustering | None = None
        self.groups, self.grouped_states = np.zeros(16, np.uint8), 0
        """The index group of each state, and how many states have theirs."""
        self.row_count, self.removed_count = 0, 0
        self.removed_in: dict[int, int] = {}
        """The version that removed each removed row."""
        self.episodes_ascend = True
        """Whether rows lie in the order of their episodes."""
        self.episode = np.empty(0, np.int32)
        self.question = np.empty(0, np.uint16)
        self.row_columns = RowColumns(
            state=np.empty(0, np.int32),
            pattern=np.empty(0, np.int32),
            action=np.empty(0, np.uint8),
            credit=np.empty(0, np.int32),
            next_row=np.empty(0, np.int32),
        )
        self.state_tallies = StateTallies(
            states=np.empty((16, 4), np.int32),
            tallies=np.empty((16, 5), np.int32),
            points=np.empty(16, np.int64),
        )
        self.tally_count = 0
        self.key_numbers = self._count_keys()
        self._plans: dict[Mode, tuple[RetrievalPlan, SearchPlan]] = {}

    def __len__(self) -> int:
        return self.row_count - self.removed_count

    # Adding and removing rows

    def check_columns(
        self, visible: Any, hindsight: Any, actions: Any, credit: Any, episodes: Any, questions: Any
    ) -> Batch:
        """Check rows given as columns of codes and numbers."""
        scenario = self.scenario
        names = [feature.name for feature in scenario.visible]
        visible = check_codes(scenario, names, self.state_trie.sizes, visible)
        if scenario.hindsight:
            names = [feature.name for feature in scenario.hindsight]
            hindsight = check_codes(scenario, names, self.pattern_trie.sizes, hindsight)
        else:
            hindsight = np.zeros((len(visible), 1), np.uint8)
        batch = Batch(
            visible,
            hindsight,
            check_codes(scenario, ["action"], [len(scenario.actions)], actions)[:, 0],
            check_numbers(scenario, "credit", credit, np.int32),
            check_numbers(scenario, "episode", episodes, np.int32),
            check_numbers(scenario, "question", questions, np.uint16),
        )
        lengths = {len(column) for column in batch}
        if len(lengths) > 1:
            raise ValueError(f"{scenario.name}: columns have different lengths: {sorted(lengths)}")
        return batch

    def check_rows(self, rows: Sequence[Row]) -> Batch:
        """Check rows given one by one; a learner adds a few at a time, so this is quick where nothing is wrong."""
        shape = len(self.scenario.visible), len(self.scenario.hindsight)
        for row in rows:
            if (len(row.problem.values), len(row.hindsight)) != shape:
                raise ValueError(
                    f"{self.scenario.name} has {shape} visible and hindsight codes: {row} has not"
                )
        make = self._lay_out_columns if all(map(self._fits, rows)) else self.check_columns
        return make(
            [row.problem.values for row in rows],
            [row.hindsight for row in rows],
            [self.scenario.action_code(row.action) for row in rows],
            [row.credit for row in rows],
            [row.episode for row in rows],
            [row.question for row in rows],
        )

    def _fits(self, row: Row) -> bool:
        """Whether the codes and numbers of a row fit into their columns."""
        return (
            min(row.problem.values) >= 0
            and all(map(lt, row.problem.values, self.state_trie.sizes))
            and all(
                0 <= code < size for code, size in zip(row.hindsight, self.pattern_trie.sizes, strict=False)
            )
            and LOWEST <= row.credit <= HIGHEST
            and LOWEST <= row.episode <= HIGHEST
            and 0 <= row.question <= HIGHEST_QUESTION
        )

    def _lay_out_columns(
        self, visible: Any, hindsight: Any, actions: Any, credit: Any, episodes: Any, questions: Any
    ) -> Batch:
        """Lay out columns whose codes and numbers fit."""
        if not self.scenario.hindsight:
            hindsight = [(0,)] * len(actions)
        return Batch(
            np.array(visible, np.uint8),
            np.array(hindsight, np.uint8),
            np.array(actions, np.uint8),
            np.array(credit, np.int32),
            np.array(episodes, np.int32),
            np.array(questions, np.uint16),
        )

    def add(self, batch: Batch) -> None:
        """Append checked rows; they are younger than all others."""
        for start in range(0, len(batch.actions), BLOCK):
            self._append(batch if len(batch.actions) <= BLOCK else batch.part(slice(start, start + BLOCK)))
        if self.state_trie.needs_reordering:
            self._reorder()
        self.version += 1

    def _append(self, batch: Batch) -> None:
        start, stop = self.row_count, self.row_count + len(batch.actions)
        self._write_rows(start, stop, batch)
        self.row_count = stop
        latest = self.episode[max(start - 1, 0) : stop].tolist()
        self.episodes_ascend = self.episodes_ascend and latest == sorted(latest)
        self._make_tally_space(self.tally_count, self.tally_count + stop - start)
        actions = self.key_numbers.actions
        self.tally_count = kernel.append_rows(
            start, stop, self.row_columns, self.labels, actions, self.state_tallies, self.tally_count
        )

    def _write_rows(self, start: int, stop: int, batch: Batch) -> None:
        self._make_row_space(start, stop)
        columns = self.row_columns
        self.episode[start:stop] = batch.episodes
        self.question[start:stop] = batch.questions
        columns.state[start:stop] = self._intern_states(batch.visible)
        if self.scenario.hindsight or not start:
            columns.pattern[start:stop] = self._intern_patterns(batch.hindsight)
        else:
            columns.pattern[start:stop] = 0  # the only one
        columns.action[start:stop] = batch.actions
        columns.credit[start:stop] = batch.credits

    def _make_row_space(self, used: int, needed: int) -> None:
        if needed > len(self.episode):
            self.episode, self.question = grow(self.episode, used, needed), grow(self.question, used, needed)
            larger: list[Any] = [grow(column, used, needed) for column in self.row_columns]
            self.row_columns = RowColumns(*larger)

    def _make_state_space(self, used: int, needed: int) -> None:
        states, tallies, points = self.state_tallies
        if needed > len(states):
            self.state_tallies = StateTallies(grow(states, used, needed), tallies, points)

    def _make_tally_space(self, used: int, needed: int) -> None:
        states, tallies, points = self.state_tallies
        if needed > len(points):
            self.state_tallies = StateTallies(states, grow(tallies, used, needed), grow(points, used, needed))

    def _intern_states(self, visible: Bytes) -> Ints:
        before = self.state_trie.tuple_count
        numbers = self.state_trie.intern(visible)
        new = slice(before, self.state_trie.tuple_count)
        if before < new.stop:
            self._make_state_space(before, new.stop)
            self.state_tallies.states[new] = (0, kernel.END, kernel.END, kernel.END)
        return numbers

    def _intern_patterns(self, hindsight: Bytes) -> Ints:
        before = self.pattern_trie.tuple_count
        numbers = self.pattern_trie.intern(hindsight)
        new = slice(before, self.pattern_trie.tuple_count)
        if before < new.stop:
            self.labels = grow(self.labels, before, new.stop)
            self.labels[new] = self.clustering.assign(self._pattern_values(new)) if self.clustering else 0
        return numbers

    def _reorder(self) -> None:
        new_numbers = self.state_trie.reorder()
        states = reorder(self.state_tallies.states, new_numbers)
        self.state_tallies = self.state_tallies._replace(states=states)
        state = self.row_columns.state[: self.row_count]
        state[:] = np.where(state < 0, ~new_numbers[~state], new_numbers[state])
        self.groups, self.grouped_states = np.zeros(16, np.uint8), 0

    def _pattern_values(self, which: slice) -> NDArray[np.float64]:
        codes = self.pattern_trie.codes(which)
        columns = [
            np.array(feature.values, float)[codes[:, place]]
            for place, feature in enumerate(self.scenario.hindsight)
        ]
        return np.column_stack(columns or [np.zeros(len(codes))])

    def _keys(self, rows: Longs | slice) -> Ints:
        columns, actions = self.row_columns, np.int32(len(self.scenario.actions))
        return self.labels[columns.pattern[rows]].astype(np.int32) * actions + columns.action[rows]

    def remove(self, episode: int) -> int:
        """Remove the rows of an episode; return how many there were."""
        rows = self._rows_of(episode)
        rows = rows[self.row_columns.state[rows] >= 0]
        if rows.size:
            kernel.remove_rows(rows, self._keys(rows), self.row_columns, self.state_tallies)
            self.version += 1
            self.removed_count += rows.size
            self.removed_in.update(dict.fromkeys(rows.tolist(), self.version))
        return int(rows.size)

    def has_episode(self, episode: int) -> bool:
        """Whether an episode has rows here."""
        return bool((self.row_columns.state[self._rows_of(episode)] >= 0).any())

    def _rows_of(self, episode: int) -> Longs:
        """Find the rows of an episode; by bisection where rows lie in the order of their episodes."""
        episodes = self.episode[: self.row_count]
        if not self.episodes_ascend:
            return np.flatnonzero(episodes == episode)
        first, after = np.searchsorted(episodes, np.array([episode, episode + 1], np.int32))
        return np.arange(first, after)

    def present_rows(self) -> Longs:
        """List the rows that are not removed, oldest first."""
        return np.flatnonzero(self.row_columns.state[: self.row_count] >= 0)

    @property
    def mostly_removed(self) -> bool:
        """Whether so many rows are removed that a compact copy pays."""
        return self.removed_count > 64 and self.removed_count * 3 > self.row_count

    def compact(self) -> CaseIndex:
        """Copy the present rows to a new index; earlier retrievals keep the old one."""
        copy = CaseIndex(self.scenario, self.scale)
        copy.cluster(self.clustering)
        copy.group(self.grouping)
        copy.add(self.columns())
        copy.version = self.version + 1
        return copy

    def visible(self, rows: Longs) -> Bytes:
        """Return the visible codes of rows, removed ones too."""
        states = self.row_columns.state[rows]
        return self.state_trie.codes(np.where(states < 0, ~states, states))

    def columns(self) -> Batch:
        """Return the rows that are not removed as columns."""
        rows = self.present_rows()
        return Batch(
            self.visible(rows),
            self.pattern_trie.codes(self.row_columns.pattern[rows]),
            self.row_columns.action[rows],
            self.row_columns.credit[rows],
            self.episode[rows],
            self.question[rows],
        )

    # Clusters and index groups

    def cluster(self, clustering: Clustering | None) -> None:
        """Assign each row to the cluster of its pattern, and count again."""
        self.clustering = clustering
        self.key_numbers = self._count_keys()
        # A new array: earlier retrievals keep their labels.
        labels = np.zeros(len(self.labels), np.uint8)
        known = slice(0, self.pattern_trie.tuple_count)
        labels[known] = clustering.assign(self._pattern_values(known)) if clustering and known.stop else 0
        self.labels = labels
        self._make_tally_space(0, len(self) + 1)
        self.tally_count = kernel.recount(
            self.row_count,
            self.state_trie.tuple_count,
            self._keys(np.arange(self.row_count)),
            self.row_columns,
            self.state_tallies,
        )
        self.version += 1

    def _count_keys(self) -> KeyNumbers:
        actions = len(self.scenario.actions)
        return KeyNumbers(actions, self.clustering.k if self.clustering else 1, self.scale.farthest)

    def group(self, grouping: Clustering | None) -> None:
        """Set the index groups over visible features, for modes with `grouped=True`."""
        self.grouping = grouping
        self.groups, self.grouped_states = np.zeros(len(self.groups), np.uint8), 0
        self.version += 1

    def sample(self) -> Sample:
        """Return the distinct patterns as numbers, with how many rows have each."""
        patterns = self.row_columns.pattern[self.present_rows()]
        counts = np.bincount(patterns, minlength=self.pattern_trie.tuple_count)
        present = np.flatnonzero(counts)
        names = tuple(feature.name for feature in self.scenario.hindsight)
        values = self._pattern_values(slice(0, self.pattern_trie.tuple_count))[present]
        return Sample(names, values[:, : len(names)], counts[present])

    def index_sample(self, names: Sequence[str]) -> Sample:
        """Return the distinct values of some visible features as numbers, with their rows."""
        known = self.state_trie.tuple_count
        values = self._visible_values(names, self.state_trie.codes(slice(known)))
        distinct, which = np.unique(values, axis=0, return_inverse=True)
        rows = self.state_tallies.states[:known, kernel.STATE_ROWS]
        counts = np.bincount(which.ravel(), rows, len(distinct)).astype(np.int64)
        return Sample(tuple(names), distinct[counts > 0], counts[counts > 0])

    def _visible_values(self, names: Sequence[str], codes: Bytes) -> NDArray[np.float64]:
        places = {feature.name: place for place, feature in enumerate(self.scenario.visible)}
        if unknown := [name for name in names if name not in places]:
            raise ValueError(f"{self.scenario.name} has no visible feature {unknown}: it has {list(places)}")
        tables = [np.array(self.scenario.visible[places[name]].values) for name in names]
        if any(table.dtype.kind != "i" for table in tables):
            raise ValueError(f"index groups need numbers, but one of {list(names)} has special words")
        columns = [table[codes[:, places[name]]] for name, table in zip(names, tables, strict=True)]
        return np.column_stack(columns).astype(float)

    def _wanted_groups(self, codes: Bytes) -> Ints:
        """Return the index group of each query; all states get theirs, if they have not."""
        if self.grouping is None:
            raise ValueError(f"{self.scenario.name} has no index groups: give it an index first")
        old, known = self.grouped_states, self.state_trie.tuple_count
        if old < known:
            self.groups = grow(self.groups, old, known)
            self.groups[old:known] = self._assign_groups(
                self.grouping, self.state_trie.codes(slice(old, known))
            )
            self.grouped_states = known
        return self._assign_groups(self.grouping, codes).astype(np.int32)

    def _assign_groups(self, grouping: Clustering, codes: Bytes) -> Bytes:
        return grouping.assign(self._visible_values(grouping.names, codes))

    # Search

    def make_query(self, values: Sequence[int]) -> Bytes:
        """Turn the codes of a problem into an array; a search checks that these codes exist."""
        try:
            query = np.frombuffer(bytearray(values), np.uint8)
        except ValueError:
            raise self._no_problem(values) from None
        if len(values) != len(self.state_trie.sizes):
            raise self._no_problem(values)
        return query

    def _no_problem(self, values: Sequence[int]) -> ValueError:
        sizes = self.state_trie.sizes
        return ValueError(
            f"{tuple(values)} is no problem of {self.scenario.name}: its {len(sizes)} codes are below {sizes}"
        )

    def plan(self, mode: Mode) -> RetrievalPlan:
        """Return the plan of a mode in this scenario's distances."""
        return self._plan_search(mode)[0]

    def _plan_search(self, mode: Mode) -> tuple[RetrievalPlan, SearchPlan]:
        both = self._plans.get(mode)
        if both is None:
            plan = mode.plan(self.scale)
            limits, ceilings = np.array(plan.limits, np.int64), np.array(plan.ceilings, np.int64)
            both = self._plans[mode] = (
                plan,
                SearchPlan(limits, ceilings, plan.shift, plan.enough, plan.keep, plan.newest),
            )
        return both

    @property
    def arrays(self) -> IndexArrays:
        """The arrays that a search reads."""
        return IndexArrays(
            self.cost_table,
            self.state_trie.arrays,
            self.state_tallies,
            self.row_columns,
            self.labels,
            self.groups,
            self.key_numbers,
        )

    def search_many(
        self, asked: Ints, codes: Bytes, mode: Mode, section: int, memo: Memo, space: Workspace, result: Ints
    ) -> None:
        """Write the number of the memo's result for each query that is asked, given by its place in `codes`."""
        _, plan = self._plan_search(mode)
        wanted = self._wanted_groups(codes[asked]) if mode.grouped else ALL_GROUPS
        arrays, buffers = self.arrays, space.fit(self, plan)
        done = search.search_many(asked, codes, section, wanted, arrays, plan, buffers, memo.arrays, result)
        if done < len(asked):
            stopped_at = codes[asked[done], : len(self.state_trie.sizes)].tolist()
            if not all(map(lt, stopped_at, self.state_trie.sizes)):
                raise self._no_problem(stopped_at)
            memo.make_space(1, len(buffers.sums))
            self.search_many(asked[done:], codes, mode, section, memo, space, result)

    def search(self, query: Bytes, mode: Mode, space: Workspace) -> SearchResult:
        """Retrieve the sums per cluster and action, and for `Top` also the rows."""
        memo, result = space.single, np.empty(1, np.int32)
        memo.overwrite()
        self.search_many(FIRST, query[None], mode, 0, memo, space, result)
        records, entries = memo.first_result()
        near = space.buffers.near[: records[0, ROWS]].copy() if self.plan(mode).keep else None
        return SearchResult(records, entries, near)

    def count_similar(self, query: Bytes, at_least: Amount, enough: int, space: Workspace) -> int:
        """Count the rows at least this similar, up to `enough`."""
        _, plan = self._plan_search(Top(enough, at_least))
        count = search.count_rows(query[None], self.arrays, plan, space.fit(self, plan))
        if count < 0:
            raise self._no_problem(query.tolist())
        return count

    def summary(self, records: Longs, entries: Longs) -> Summary:
        """Turn the result of one search into a summary."""
        actions = self.scenario.actions
        items = [(cluster, actions[action], CaseTally(*sums)) for cluster, action, *sums in entries.tolist()]
        whole = CaseTally(*records[0, ROWS:].tolist())
        return Summary(tuple(items), actions, whole, self.scenario.wins_only)

    def census(self, space: Workspace) -> Summary:
        """Summarise all rows of the scenario."""
        _, plan = self._plan_search(Threshold(0))
        buffers, memo = space.fit(self, plan), space.single
        memo.overwrite()
        memo.make_space(1, len(buffers.sums))
        search.sum_rows(self.present_rows(), self.arrays, buffers, memo.arrays.results)
        return self.summary(*memo.first_result())

    def rows_within(
        self, query: Bytes, limit: int, grouping: Clustering | None, row_count: int, version: int
    ) -> Longs:
        """List the rows within a limit, as they were at that version, each with its distance."""
        codes = self.state_trie.codes(slice(self.state_trie.tuple_count))
        distances = np.zeros(len(codes), np.int64)
        for costs, code, column in zip(self.scale.costs, query, codes.T, strict=True):
            distances += np.array(costs[code], np.int64)[column]
        chosen = np.flatnonzero(distances <= limit)
        if grouping:
            group = self._assign_groups(grouping, query[None])[0]
            chosen = chosen[self._assign_groups(grouping, codes[chosen]) == group]
        rows, places = kernel.list_rows(
            chosen, self.state_tallies.states, self.row_columns.next_row, row_count
        )
        present = [self.removed_in.get(row, version + 1) > version for row in rows.tolist()]
        then = np.array(present, bool)
        return np.sort(distances[chosen[places[then]]] << kernel.ROW_BITS | rows[then])
