"""The memo of a case base: the results of its searches, found again by a hash of the query.

The results of all scenarios and modes lie in one set of arrays that grows. A result belongs to a *section*, a number
for scenario, mode and version of the scenario's rows: when rows or clusters of a scenario change, its queries have
another section, and nothing else is searched anew. Results are never moved or overwritten, so that tallies may refer
to them: a memo that is full of old results is replaced by an empty one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from retruco.cbr.modes import Mode
from retruco.cbr.tallies import AFTER_ENTRIES, Bytes, Ints, Longs
from retruco.cbr.trie import grow
from retruco.compiler import compiled_loop, compiled_step, fixed_types

MOST_BYTES: Final = 1 << 28
"""A memo that holds more is replaced by an empty one."""

FEWEST_RESULTS: Final = 256
"""The space of a new memo; a small one costs a short duel least."""

ENTRIES: Final = 8
"""The entries per result that a new memo has space for."""

EMPTY: Final = -1
"""A slot that holds no number."""

MODE_SHIFT, VERSION_SHIFT = 8, 24
"""A section is version << VERSION_SHIFT | mode << MODE_SHIFT | scenario."""

PRIME: Final = 1_099_511_628_211
"""The multiplier of the Fowler-Noll-Vo hash."""


class ResultArrays(NamedTuple):
    """The results of searches; see `retruco.cbr.tallies` for their columns."""

    records: Longs
    entries: Longs
    used: Longs
    """How many records and how many entries there are."""


class MemoArrays(NamedTuple):
    """Results with their queries and a hash table."""

    slots: Ints
    """The hash table: numbers of results. Its length is a power of 2, at most half of it is used."""
    sections: Longs
    """The section of each result."""
    codes: Bytes
    """The query of each result."""
    results: ResultArrays


@compiled_step
def find_slot(memo: MemoArrays, codes: Bytes, question: int, section: int) -> int:
    """Find the slot of a query, or the empty slot in which it belongs."""
    slots, sections, known = memo.slots, memo.sections, memo.codes
    features, last = codes.shape[1], slots.shape[0] - 1
    hashed = section * PRIME
    for place in range(features):
        hashed = (hashed ^ codes[question, place]) * PRIME
    slot = (hashed ^ hashed >> 32) & last
    while slots[slot] != EMPTY:
        number, place = slots[slot], 0
        if sections[number] == section:
            while place < features and known[number, place] == codes[question, place]:
                place += 1
        if place == features:
            break
        slot = (slot + 1) & last
    return int(slot)


@compiled_step
def remember(memo: MemoArrays, codes: Bytes, question: int, section: int, slot: int, number: int) -> None:
    """Write down which query a result belongs to."""
    memo.slots[slot] = number
    memo.sections[number] = section
    for place in range(codes.shape[1]):
        memo.codes[number, place] = codes[question, place]


@compiled_loop
def fill_slots(memo: MemoArrays) -> None:
    """Fill an empty hash table."""
    for number in range(memo.results.used[0]):
        memo.slots[find_slot(memo, memo.codes, number, memo.sections[number])] = number


@fixed_types
@compiled_loop
def recall(
    scenario: Bytes,
    codes: Bytes,
    sections: Longs,
    memo: MemoArrays,
    result: Ints,
    unknown: Ints,
    starts: Ints,
) -> int:
    """Write the numbers of the known results of queries, and list the unknown queries by scenario.

    `sections` holds the section of each scenario. Those of scenario s become `unknown[starts[s] : starts[s + 1]]`;
    `starts` is given with zeros. Returns how many queries are unknown, or -1 if one is of no scenario.
    """
    count = sections.shape[0]
    for i in range(scenario.shape[0]):
        if scenario[i] >= count:
            return -1
        result[i] = memo.slots[find_slot(memo, codes, i, sections[scenario[i]])]
        starts[scenario[i]] += result[i] == EMPTY
    for place in range(count):
        starts[place + 1] += starts[place]  # where the scenario ends; below it moves to where it starts
    missing = starts[count]
    if missing:
        for i in range(scenario.shape[0] - 1, -1, -1):
            if result[i] == EMPTY:
                starts[scenario[i]] -= 1
                unknown[starts[scenario[i]]] = i
    return int(missing)


def new_memo(features: int, results: int) -> MemoArrays:
    """Return an empty memo for queries of so many features, with space for so many results."""
    return MemoArrays(
        np.full(2 * results, EMPTY, np.int32),
        np.empty(results, np.int64),
        np.zeros((results, features), np.uint8),
        ResultArrays(
            np.empty((results, 8), np.int64),
            np.empty((ENTRIES * results, 7), np.int64),
            np.zeros(2, np.int64),
        ),
    )


class Memo:
    """A memo that grows, and begins anew when it is full of old results."""

    def __init__(self, features: int, results: int = FEWEST_RESULTS) -> None:
        self._fewest = features, results
        self.arrays = new_memo(features, results)
        self._modes: dict[Mode, int] = {}

    def sections(self, mode: Mode, versions: Longs) -> Longs:
        """Number the section of each scenario, given the version of its rows."""
        number = self._modes.setdefault(mode, len(self._modes))
        return versions << VERSION_SHIFT | number << MODE_SHIFT | np.arange(len(versions))

    def prepare(self, versions: Longs) -> None:
        """If the memo is nearly full, make space: by a larger one, or by an empty one if most of it is old."""
        records, entries, used = self.arrays.results
        count, filled = used.tolist()
        if count * 8 < len(records) * 7 and filled * 8 < len(entries) * 7:
            return
        sections = self.arrays.sections[:count]
        current = versions[sections & (1 << MODE_SHIFT) - 1] == sections >> VERSION_SHIFT
        if np.count_nonzero(current) * 2 < count or 2 * records.nbytes + 2 * entries.nbytes > MOST_BYTES:
            self.drop()
        else:
            self.make_space(count // 2, filled // 2)

    def drop(self) -> None:
        """Drop all results; tallies that refer to them keep theirs."""
        self.arrays = new_memo(*self._fewest)

    def overwrite(self) -> None:
        """Drop all results, and write the next ones over them."""
        self.arrays.slots.fill(EMPTY)
        self.arrays.results.used.fill(0)

    def first_result(self) -> tuple[Longs, Longs]:
        """Copy the first result: its record and its entries."""
        record, entries = self.arrays.results.records[:1].copy(), self.arrays.results.entries
        return record, entries[: record[0, AFTER_ENTRIES]].copy()

    def make_space(self, more_results: int, more_entries: int) -> None:
        """Make space for more results."""
        slots, sections, codes, (records, entries, used) = self.arrays
        count, filled = used.tolist()
        records = grow(records, count, count + more_results)
        results = ResultArrays(records, grow(entries, filled, filled + more_entries), used)
        self.arrays = self.arrays._replace(results=results)
        if len(records) * 2 > len(slots):
            space = len(records)
            slots = np.full(2 * space, EMPTY, np.int32)
            self.arrays = MemoArrays(slots, grow(sections, count, space), grow(codes, count, space), results)
            fill_slots(self.arrays)
