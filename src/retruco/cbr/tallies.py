"""What was found for many questions: how many rows speak for each action and each cluster, and their results.

The search leaves, for each question, one *entry* for each pair of cluster and action that has rows. A question
then counts some actions as others, drops the actions that cannot be given, and sums the rest up: by action, by
cluster, or by action within one cluster. Items are ordered by the scenario's order of actions, or by the number
of the cluster; items without rows are all zeros.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.queries import Queries
from retruco.cbr.summary import CaseTally, Summary
from retruco.cbr.vocabulary import Vocabulary
from retruco.compiler import compiled_loop, fixed_types

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

CLUSTER, ACTION, ENTRY_ROWS, ENTRY_WINS, ENTRY_DRAWS, ENTRY_POINTS, ENTRY_CLOSENESS = range(7)
"""Columns of `entries`."""

FIRST_ENTRY, AFTER_ENTRIES, LIMIT, ROWS, WINS, DRAWS, POINTS, CLOSENESS = range(8)
"""Columns of `records`, one per retrieval: its entries, the distance limit applied, and the sums of all its rows."""

ANY_CLUSTER: Final = -1


class Items(NamedTuple):
    """The rows of some items (actions or clusters): their number, wins, draws, points and summed closeness.

    `closeness` is the sum of similarities in units of the scenario's scale. All are whole numbers.
    """

    rows: Longs
    wins: Longs
    draws: Longs
    points: Longs
    closeness: Longs

    @property
    def victories(self) -> NDArray[np.float64]:
        """The wins; a draw counts half."""
        return self.wins + self.draws / 2

    def select(self, questions: Any) -> Items:
        """Return the items of some questions, given by a mask or by their numbers."""
        return Items(*[column[questions] for column in self])


class Found(NamedTuple):
    """The results of a search; equal questions share one."""

    result: Ints
    """[n] The row of `records` that belongs to each question."""
    records: Longs
    entries: Longs


class Tallies:
    """The tallies of n questions, in the order in which they were asked."""

    def __init__(
        self,
        queries: Queries,
        found: Found,
        clusters: int,
        vocabulary: Vocabulary,
        within: Longs | None = None,
    ) -> None:
        self.queries, self.found, self.clusters, self.vocabulary = queries, found, clusters, vocabulary
        self.within = np.full(len(found.result), ANY_CLUSTER) if within is None else within
        """[n] The cluster whose rows count for the actions."""

    def __len__(self) -> int:
        return len(self.found.result)

    @cached_property
    def rows(self) -> Longs:
        """[n] How many rows were retrieved."""
        return self.whole.rows[:, 0]

    @cached_property
    def whole(self) -> Items:
        """[n, 1] The whole retrieval, actions that cannot be given included."""
        return Items(*self.found.records.take(self.found.result, axis=0).T[ROWS:, :, None])

    @cached_property
    def wins_only(self) -> NDArray[np.bool_]:
        """[n] Whether the answers to a question only win or lose, so that points add nothing."""
        return self.vocabulary.wins_only[self.queries.scenario]

    def by_action(self) -> Items:
        """[n, actions] The rows of each action that can be given."""
        sums = np.zeros((5, *self.queries.answers.shape), np.int64)
        _sum_by_action(*self.found, self.queries.answers, self.queries.counts_as, self.within, sums)
        return Items(*sums)

    def by_cluster(self) -> Items:
        """[n, clusters] The rows of each cluster, of actions that can be given."""
        sums = np.zeros((5, len(self), self.clusters), np.int64)
        _sum_by_cluster(*self.found, self.queries.answers, self.queries.counts_as, sums)
        return Items(*sums)

    def in_cluster(self, chosen: Longs) -> Tallies:
        """Return the tallies of one cluster for each question; -1 for all clusters."""
        return Tallies(self.queries, self.found, self.clusters, self.vocabulary, chosen)

    def summary(self, question: int) -> Summary:
        """Return the tallies of one question in words."""
        scenario = self.vocabulary.scenarios[self.queries.scenario[question]]
        can_be_given, counts_as = self.queries.answers[question], self.queries.counts_as[question]
        first, after = self.found.records[self.found.result[question], [FIRST_ENTRY, AFTER_ENTRIES]]
        items = tuple(
            (cluster, scenario.actions[action], CaseTally(*tally))
            for cluster, label, *tally in self.found.entries[first:after].tolist()
            if can_be_given[action := counts_as[label]] and self.within[question] in (ANY_CLUSTER, cluster)
        )
        whole = CaseTally(*(int(column[question, 0]) for column in self.whole))
        return Summary(items, scenario.actions, whole, scenario.wins_only)

    def select(self, questions: NDArray[Any]) -> Tallies:
        """Return the tallies of some questions, given by a mask or by their numbers."""
        found = self.found._replace(result=self.found.result[questions])
        queries, within = self.queries.select(questions), self.within[questions]
        return Tallies(queries, found, self.clusters, self.vocabulary, within)


@fixed_types
@compiled_loop
def _sum_by_action(
    result: Ints,
    records: Longs,
    entries: Longs,
    answers: NDArray[np.bool_],
    counts_as: Bytes,
    chosen: Longs,
    sums: Longs,
) -> None:
    """Sum up entries by action; `sums` is [5, questions, actions]."""
    for i in range(result.shape[0]):
        for entry in range(records[result[i], FIRST_ENTRY], records[result[i], AFTER_ENTRIES]):
            action = counts_as[i, entries[entry, ACTION]]
            if answers[i, action] and (chosen[i] == ANY_CLUSTER or chosen[i] == entries[entry, CLUSTER]):
                for column in range(5):
                    sums[column, i, action] += entries[entry, ENTRY_ROWS + column]


@fixed_types
@compiled_loop
def _sum_by_cluster(
    result: Ints,
    records: Longs,
    entries: Longs,
    answers: NDArray[np.bool_],
    counts_as: Bytes,
    sums: Longs,
) -> None:
    """Sum up entries by cluster; `sums` is [5, questions, clusters]."""
    for i in range(result.shape[0]):
        for entry in range(records[result[i], FIRST_ENTRY], records[result[i], AFTER_ENTRIES]):
            if answers[i, counts_as[i, entries[entry, ACTION]]]:
                cluster = entries[entry, CLUSTER]
                for column in range(5):
                    sums[column, i, cluster] += entries[entry, ENTRY_ROWS + column]
