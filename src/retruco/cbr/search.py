"""The search of a case index, compiled: many queries in one call.

A search visits the trie in order of distance and skips a branch when the codes on the way to it cost too much.
A query therefore visits a few hundred nodes among a million rows, and its result is exact. Nodes wait on one stack
per bucket of distances, and nearer buckets come first. As soon as enough rows are found, the distance limit shrinks
for the rest of the search. `readable_search` says in twenty lines what is found.

Nothing is allocated: results go to a memo (see `memo`), and all working memory is given.
"""

from __future__ import annotations

from typing import NamedTuple

from retruco.cbr.kernel import (
    END,
    FIRST_CHILD,
    FIRST_ROW,
    FIRST_TALLY,
    LEAF,
    LEVEL_FEATURE,
    LEVEL_SIZE,
    LEVEL_START,
    NEXT_SIBLING,
    NEXT_TALLY,
    NODE_CODE,
    ROW_BITS,
    ROW_MASK,
    STATE_ROWS,
    TALLY_DRAWS,
    TALLY_KEY,
    TALLY_ROWS,
    TALLY_WINS,
    CostTable,
    IndexArrays,
    KeyNumbers,
    TrieArrays,
)
from retruco.cbr.memo import EMPTY, MemoArrays, ResultArrays, find_slot, remember
from retruco.cbr.tallies import (
    ACTION,
    AFTER_ENTRIES,
    CLUSTER,
    ENTRY_ROWS,
    FIRST_ENTRY,
    LIMIT,
    ROWS,
    Bytes,
    Ints,
    Longs,
)
from retruco.compiler import compiled_loop, compiled_step, fixed_types

QUEUE_NODE, QUEUE_LEVEL, QUEUE_DISTANCE, QUEUE_BELOW = range(4)
"""Columns of `queue`: a node to visit, its level, the distance so far, the entry below it on its stack."""

FOUND_STATE, FOUND_DISTANCE = range(2)
"""Columns of `found`."""

BUCKET_STACK, BUCKET_ROWS = range(2)
"""Columns of `buckets`: the top of the bucket's stack, and how many rows were found in it."""


class SearchPlan(NamedTuple):
    """A retrieval mode in distances; see `retruco.cbr.modes.RetrievalPlan`."""

    limits: Longs
    ceilings: Longs
    shift: int
    enough: int
    keep: bool
    newest: bool


class SearchBuffers(NamedTuple):
    """Working memory of a search."""

    queue: Longs
    found: Longs
    costs: Ints
    """What each code costs the query at each level."""
    buckets: Longs
    sums: Longs
    """The sums per key, all 0 between searches."""
    near: Longs
    """The nearest rows with their distances."""


@compiled_step
def _set_costs(codes: Bytes, question: int, table: CostTable, costs: Ints) -> bool:
    """Write down what each code costs a query at each level; say whether the query's own codes exist."""
    levels, all_costs = table.levels, table.costs
    for level in range(levels.shape[0]):
        size, code = levels[level, LEVEL_SIZE], codes[question, levels[level, LEVEL_FEATURE]]
        if code >= size:
            return False
        start = levels[level, LEVEL_START] + code * size
        for other in range(size):
            costs[level, other] = all_costs[start + other]
    return True


@compiled_step
def _search(
    trie: TrieArrays, states: Ints, groups: Bytes, group: int, plan: SearchPlan, buffers: SearchBuffers
) -> tuple[int, int]:
    """Find all states within the last ceiling, or within an earlier one that holds enough rows.

    `plan.ceilings[b]` is the limit once buckets 0 to b hold enough rows. Returns how many states were
    found, in no order and perhaps some beyond the limit, and the limit. Searches index group `group`, or all for -1.
    """
    nodes, tuples, next_tuple = trie.nodes, trie.tuples, trie.next_tuple
    ceilings, shift, enough = plan.ceilings, plan.shift, plan.enough
    queue, found, costs, buckets = buffers.queue, buffers.found, buffers.costs, buffers.buckets
    top = ceilings.shape[0] - 1
    limit = ceilings[top]
    for place in range((limit >> shift) + 1):
        buckets[place, BUCKET_STACK], buckets[place, BUCKET_ROWS] = END, 0
    queue[0, QUEUE_NODE], queue[0, QUEUE_LEVEL], queue[0, QUEUE_DISTANCE] = 0, 0, 0
    queue[0, QUEUE_BELOW] = END
    buckets[0, BUCKET_STACK] = 0
    queued, count, inside, bucket = 1, 0, 0, 0
    while bucket <= limit >> shift:
        here = buckets[bucket, BUCKET_STACK]
        if here == END:
            bucket += 1
            continue
        buckets[bucket, BUCKET_STACK] = queue[here, QUEUE_BELOW]
        level, travelled = queue[here, QUEUE_LEVEL], queue[here, QUEUE_DISTANCE]
        child = nodes[queue[here, QUEUE_NODE], FIRST_CHILD]
        while child != END:
            so_far = travelled + costs[level, nodes[child, NODE_CODE]]
            if so_far > limit:
                pass
            elif nodes[child, FIRST_CHILD] >= 0:
                place = so_far >> shift
                queue[queued, QUEUE_NODE], queue[queued, QUEUE_LEVEL] = child, level + 1
                queue[queued, QUEUE_DISTANCE] = so_far
                queue[queued, QUEUE_BELOW] = buckets[place, BUCKET_STACK]
                buckets[place, BUCKET_STACK] = queued
                queued += 1
            else:
                state = LEAF - nodes[child, FIRST_CHILD]
                while state != END:
                    distance = so_far
                    for deeper in range(level + 1, tuples.shape[1]):
                        distance += costs[deeper, tuples[state, deeper]]
                    if (
                        distance <= limit
                        and states[state, STATE_ROWS]
                        and (group < 0 or groups[state] == group)
                    ):
                        found[count, FOUND_STATE], found[count, FOUND_DISTANCE] = state, distance
                        count += 1
                        if distance >> shift <= top:
                            buckets[distance >> shift, BUCKET_ROWS] += states[state, STATE_ROWS]
                            inside += states[state, STATE_ROWS]
                            while top and inside - buckets[top, BUCKET_ROWS] >= enough:
                                inside -= buckets[top, BUCKET_ROWS]
                                top -= 1
                                limit = ceilings[top]
                    state = next_tuple[state]
            child = nodes[child, NEXT_SIBLING]
    return count, limit


@fixed_types
@compiled_loop
def count_rows(codes: Bytes, arrays: IndexArrays, plan: SearchPlan, buffers: SearchBuffers) -> int:
    """Count the rows that the first query finds by a plan for the nearest `plan.enough`; -1 if it is no query."""
    states, found = arrays.table.states, buffers.found
    if not _set_costs(codes, 0, arrays.cost_table, buffers.costs):
        return -1
    count, limit = _search(arrays.trie, states, arrays.groups, -1, plan, buffers)
    rows = 0
    for i in range(count):
        if found[i, FOUND_DISTANCE] <= limit:
            rows += states[found[i, FOUND_STATE], STATE_ROWS]
    return min(rows, plan.enough)


@compiled_step
def _first_limit_with_enough(plan: SearchPlan, found: Longs, count: int, states: Ints) -> int:
    """Return the first limit within which enough rows lie, or the last limit."""
    limits, enough = plan.limits, plan.enough
    level = 0
    while level < limits.shape[0] - 1:
        rows = 0
        for i in range(count):
            if found[i, FOUND_DISTANCE] <= limits[level]:
                rows += states[found[i, FOUND_STATE], STATE_ROWS]
        if rows >= enough:
            break
        level += 1
    return int(limits[level])


@compiled_step
def _sum_within(limit: int, count: int, arrays: IndexArrays, buffers: SearchBuffers) -> None:
    """Sum up the states found within a limit per key."""
    states, tallies, points = arrays.table.states, arrays.table.tallies, arrays.table.points
    found, sums, farthest = buffers.found, buffers.sums, arrays.numbers.farthest
    for i in range(count):
        if found[i, FOUND_DISTANCE] > limit:
            continue
        tally = states[found[i, FOUND_STATE], FIRST_TALLY]
        while tally != END:
            key, rows = tallies[tally, TALLY_KEY], tallies[tally, TALLY_ROWS]
            sums[key, 0] += rows
            sums[key, 1] += tallies[tally, TALLY_WINS]
            sums[key, 2] += tallies[tally, TALLY_DRAWS]
            sums[key, 3] += points[tally]
            sums[key, 4] += rows * (farthest - found[i, FOUND_DISTANCE])
            tally = tallies[tally, NEXT_TALLY]


@compiled_step
def _sum_rows(near: Longs, count: int, arrays: IndexArrays, sums: Longs) -> None:
    """Sum up rows per key, each row given with its distance."""
    pattern, action, credit = arrays.columns.pattern, arrays.columns.action, arrays.columns.credit
    labels, actions, farthest = arrays.labels, arrays.numbers.actions, arrays.numbers.farthest
    for i in range(count):
        row, distance = near[i] & ROW_MASK, near[i] >> ROW_BITS
        key = labels[pattern[row]] * actions + action[row]
        sums[key, 0] += 1
        sums[key, 1] += credit[row] > 0
        sums[key, 2] += credit[row] == 0
        sums[key, 3] += credit[row]
        sums[key, 4] += farthest - distance


@compiled_step
def _list_nearest(
    limit: int, count: int, arrays: IndexArrays, plan: SearchPlan, buffers: SearchBuffers
) -> int:
    """List the nearest `plan.enough` rows of the states found, nearest first; return how many there are.

    At equal distance the oldest come first, or the newest if the plan says so. While rows are collected, `near` is
    a heap with the last of them on top, so that most rows are compared once.
    """
    states, row_state, next_row = arrays.table.states, arrays.columns.state, arrays.columns.next_row
    found, near, enough = buffers.found, buffers.near, plan.enough
    flip = ROW_MASK if plan.newest else 0  # turns the order of rows round
    size = 0
    for i in range(count):
        if found[i, FOUND_DISTANCE] > limit:
            continue
        state = found[i, FOUND_STATE]
        missing = min(enough, states[state, STATE_ROWS])
        older = states[state, STATE_ROWS] - missing if flip else 0
        row = states[state, FIRST_ROW]
        while missing:
            if row_state[row] >= 0 and older:
                older -= 1
            elif row_state[row] >= 0:
                size = _keep_nearest(near, size, enough, found[i, FOUND_DISTANCE] << ROW_BITS | (row ^ flip))
                missing -= 1
            row = next_row[row]
    for last in range(size - 1, 0, -1):
        entry, near[last] = near[last], near[0]
        _sift_down(near, last, entry)
    for i in range(size):
        near[i] ^= flip
    return size


@compiled_step
def _keep_nearest(heap: Longs, size: int, most: int, entry: int) -> int:
    """Put an entry into a heap that keeps the `most` smallest, the greatest of them on top; return its size."""
    if size == most:
        if entry < heap[0]:
            _sift_down(heap, size, entry)
        return size
    place = size
    while place and heap[(place - 1) >> 1] < entry:
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = entry
    return size + 1


@compiled_step
def _sift_down(heap: Longs, size: int, entry: int) -> None:
    """Put an entry in the place of the top of a heap."""
    place, child = 0, 1
    while child < size:
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= entry:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = entry


@compiled_step
def _write_result(numbers: KeyNumbers, sums: Longs, limit: int, results: ResultArrays) -> int:
    """Turn the sums per key into a result, leave them all 0, and return the number of the result."""
    entries, records, used = results.entries, results.records, results.used
    number, entry = used[0], used[1]
    for column in range(records.shape[1]):
        records[number, column] = 0
    records[number, FIRST_ENTRY], records[number, LIMIT] = entry, limit
    for cluster in range(numbers.clusters):
        for action in range(numbers.actions):
            key = cluster * numbers.actions + action
            if sums[key, 0]:
                entries[entry, CLUSTER], entries[entry, ACTION] = cluster, action
                for column in range(5):
                    entries[entry, ENTRY_ROWS + column] = sums[key, column]
                    records[number, ROWS + column] += sums[key, column]
                    sums[key, column] = 0
                entry += 1
    records[number, AFTER_ENTRIES] = entry
    used[0], used[1] = number + 1, entry
    return int(number)


@compiled_step
def _has_space(results: ResultArrays, numbers: KeyNumbers) -> bool:
    """Whether one more result fits in."""
    used, keys = results.used, numbers.clusters * numbers.actions
    return bool(used[0] < results.records.shape[0] and used[1] + keys <= results.entries.shape[0])


@compiled_step
def sum_similar(
    codes: Bytes, question: int, group: int, arrays: IndexArrays, plan: SearchPlan, buffers: SearchBuffers
) -> int:
    """Sum up in `buffers.sums` the rows that a plan asks for, and give the limit; -1 if a code of the query does not exist.

    If the plan keeps the nearest, `buffers.near` begins with them. Whoever has read the sums leaves them all 0.
    """
    if not _set_costs(codes, question, arrays.cost_table, buffers.costs):
        return -1
    count, limit = _search(arrays.trie, arrays.table.states, arrays.groups, group, plan, buffers)
    if plan.keep:
        size = _list_nearest(limit, count, arrays, plan, buffers)
        _sum_rows(buffers.near, size, arrays, buffers.sums)
        return int(plan.limits[0])
    limit = _first_limit_with_enough(plan, buffers.found, count, arrays.table.states)
    _sum_within(limit, count, arrays, buffers)
    return int(limit)


@fixed_types
@compiled_loop
def search_many(
    asked: Ints,
    codes: Bytes,
    section: int,
    wanted: Ints,
    arrays: IndexArrays,
    plan: SearchPlan,
    buffers: SearchBuffers,
    memo: MemoArrays,
    result: Ints,
) -> int:
    """Find the results of some queries of one scenario, given by their place in `codes`; known ones are not searched.

    `wanted` holds the index group to search for each query; it is empty to search all. Writes the number of each result, and
    returns how many queries are done: fewer than asked if there is no space for another result, or if a query has
    a code that does not exist.
    """
    for i in range(asked.shape[0]):
        question = asked[i]
        slot = find_slot(memo, codes, question, section)
        if memo.slots[slot] == EMPTY:
            if not _has_space(memo.results, arrays.numbers):
                return i
            group = wanted[i] if wanted.shape[0] else -1
            limit = sum_similar(codes, question, group, arrays, plan, buffers)
            if limit < 0:
                return i
            number = _write_result(arrays.numbers, buffers.sums, limit, memo.results)
            remember(memo, codes, question, section, slot, number)
        result[question] = memo.slots[slot]
    return int(asked.shape[0])


@fixed_types
@compiled_loop
def sum_rows(rows: Longs, arrays: IndexArrays, buffers: SearchBuffers, results: ResultArrays) -> None:
    """Write the result that consists of these rows, each given with its distance."""
    _sum_rows(rows, rows.shape[0], arrays, buffers.sums)
    _write_result(arrays.numbers, buffers.sums, 0, results)
