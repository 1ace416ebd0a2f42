"""The hot loops of the case base, compiled to machine code on first use and saved on disk.

*Trie.* Each distinct tuple of codes is stored once, in a trie with one feature per level, features
with few values first. A leaf holds up to `LEAF_SIZE` tuples that share a prefix. A search visits the
trie in order of distance and skips a branch when the codes on the way to it cost too much. A query
therefore visits a few hundred nodes among a million rows, and its result is exact. Nodes wait on one
stack per bucket of distances, and nearer buckets come first. As soon as enough rows are found, the
distance limit shrinks for the rest of the search.

*Linked lists.* The rows of a state form a linked list, oldest first. Its tallies, one per pair of
cluster and action, form another. Adding a row moves no other row.

Arrays travel in named groups (`TrieArrays`, `RowColumns`, ...); `case_index` and `trie` use the same
names. Loops read arrays from local variables: numba counts references each time it takes an array from
a group. The columns of two-dimensional arrays are named by constants. -1 ends a list.

Loops are written out where numpy has a function for them, such as array_equal or a slice: numba takes
seconds to compile each such function.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled, fixed_types

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

END: Final = -1
"""Ends a linked list."""

LEAF: Final = -2
"""A leaf stores `LEAF - number` in place of a child: the number of its first tuple."""

LEAF_SIZE: Final = 8
"""A leaf with this many tuples is split when another one arrives."""

NODE_CODE, FIRST_CHILD, NEXT_SIBLING = range(3)
"""Columns of `nodes`."""

LEVEL_FEATURE, LEVEL_SIZE, LEVEL_START = range(3)
"""Columns of `levels`: the feature, its number of codes, and where its costs start in `costs`."""

STATE_ROWS, FIRST_ROW, LAST_ROW, FIRST_TALLY = range(4)
"""Columns of `states`: the number of present rows, both ends of the list of rows, the first tally."""

TALLY_KEY, TALLY_ROWS, TALLY_WINS, TALLY_DRAWS, NEXT_TALLY = range(5)
"""Columns of `tallies`; a key is cluster * actions + action. `points` is a separate array, of longs."""

QUEUE_NODE, QUEUE_LEVEL, QUEUE_DISTANCE, QUEUE_BELOW = range(4)
"""Columns of `queue`: a node to visit, its level, the distance so far, the entry below it on its stack."""

FOUND_STATE, FOUND_DISTANCE = range(2)
"""Columns of `found`."""

SUM_KEY, SUM_ROWS, SUM_WINS, SUM_DRAWS, SUM_POINTS, SUM_CLOSENESS = range(6)
"""Columns of the sums that a retrieval returns, one row per key and a last row for all keys."""

ROW_BITS: Final = 32
"""A row with its distance is one number: distance << ROW_BITS | row."""

ROW_MASK: Final = (1 << ROW_BITS) - 1


class TrieArrays(NamedTuple):
    """Distinct tuples of codes, numbered, with the trie that finds them."""

    nodes: Ints
    tuples: Bytes
    """The codes of each tuple, in the order of the levels."""
    next_tuple: Ints
    """The next tuple in the same leaf."""


class CostTable(NamedTuple):
    """What each pair of codes costs, level by level."""

    levels: Ints
    costs: Longs


class RowColumns(NamedTuple):
    """What the index stores about each row."""

    state: Ints
    """The number of the row's state; complemented (`~state`) once the row is removed."""
    pattern: Ints
    action: Bytes
    credit: Ints
    next_row: Ints
    """The next younger row of the same state."""


class StateTallies(NamedTuple):
    """What the index stores about each state, with its tallies."""

    states: Ints
    tallies: Ints
    points: Longs


class KeyNumbers(NamedTuple):
    """The numbers that turn rows into sums per key."""

    actions: int
    keys: int
    farthest: int
    """The distance at which similarity is 0."""


class SearchPlan(NamedTuple):
    """A retrieval mode in distances; see `retruco.cbr.modes.RetrievalPlan`."""

    limits: Longs
    ceilings: Longs
    shift: int
    enough: int
    newest: bool


class GroupFilter(NamedTuple):
    """The index group of each state, and the group to search; -1 searches all."""

    groups: Bytes
    group: int


class SearchBuffers(NamedTuple):
    """Working memory of a search."""

    queue: Longs
    found: Longs


# The trie


@compiled
def _find_child(nodes: Ints, node: int, code: int) -> int:
    child = nodes[node, FIRST_CHILD]
    while child != END and nodes[child, NODE_CODE] != code:
        child = nodes[child, NEXT_SIBLING]
    return int(child)


@compiled
def _equal_tuples(left: Bytes, right: Bytes) -> bool:
    equal = True
    for place in range(left.shape[0]):
        equal &= left[place] == right[place]
    return equal


@compiled
def _insert_in_leaf(trie: TrieArrays, node_count: int, node: int, code: int, number: int) -> int:
    """Put a tuple into the leaf below a node that has this code; create the leaf if it is missing."""
    nodes = trie.nodes
    leaf = _find_child(nodes, node, code)
    if leaf == END:
        leaf = node_count
        node_count += 1
        nodes[leaf, NODE_CODE] = code
        nodes[leaf, FIRST_CHILD] = LEAF - END
        nodes[leaf, NEXT_SIBLING] = nodes[node, FIRST_CHILD]
        nodes[node, FIRST_CHILD] = leaf
    trie.next_tuple[number] = LEAF - nodes[leaf, FIRST_CHILD]
    nodes[leaf, FIRST_CHILD] = LEAF - number
    return node_count


@compiled
def _split_leaf(trie: TrieArrays, node_count: int, leaf: int, level: int) -> int:
    """Turn a leaf into a node, and distribute its tuples by their code at this level."""
    number = LEAF - trie.nodes[leaf, FIRST_CHILD]
    trie.nodes[leaf, FIRST_CHILD] = END
    while number != END:
        following = trie.next_tuple[number]
        node_count = _insert_in_leaf(trie, node_count, leaf, trie.tuples[number, level], number)
        number = following
    return node_count


@fixed_types
@compiled
def intern(
    trie: TrieArrays, node_count: int, tuple_count: int, codes: Bytes, numbers: Ints
) -> tuple[int, int]:
    """Find or add each tuple of codes and write its number; return the new counts of nodes and tuples."""
    nodes, tuples, next_tuple = trie.nodes, trie.tuples, trie.next_tuple
    for i in range(codes.shape[0]):
        node, level, number, size = 0, 0, END, 0
        child = _find_child(nodes, node, codes[i, level])
        while child != END:
            if nodes[child, FIRST_CHILD] <= LEAF:
                number, size = LEAF - nodes[child, FIRST_CHILD], 0
                while number != END and not _equal_tuples(tuples[number], codes[i]):
                    number, size = next_tuple[number], size + 1
                if number != END or size < LEAF_SIZE:
                    break
                node_count = _split_leaf(trie, node_count, child, level + 1)
            node, level = child, level + 1
            child = _find_child(nodes, node, codes[i, level])
        if number == END:
            number = tuple_count
            tuple_count += 1
            for place in range(codes.shape[1]):
                tuples[number, place] = codes[i, place]
            node_count = _insert_in_leaf(trie, node_count, node, codes[i, level], number)
        numbers[i] = number
    return node_count, tuple_count


@compiled
def copy_in_search_order(
    nodes: Ints, next_tuple: Ints, new_nodes: Ints, new_next_tuple: Ints, new_numbers: Ints
) -> None:
    """Copy a trie so that siblings, and the tuples of a leaf, lie side by side.

    `new_numbers` receives the new number of each tuple.
    """
    stack = np.zeros((nodes.shape[0], 2), np.int32)
    new_nodes[0, NODE_CODE] = new_nodes[0, FIRST_CHILD] = new_nodes[0, NEXT_SIBLING] = END
    depth, node_count, tuple_count = 1, 1, 0
    while depth:
        depth -= 1
        old, new = stack[depth, 0], stack[depth, 1]
        child = nodes[old, FIRST_CHILD]
        if child >= 0:
            new_nodes[new, FIRST_CHILD] = node_count
        while child >= 0:
            new_nodes[node_count, NODE_CODE] = nodes[child, NODE_CODE]
            new_nodes[node_count, NEXT_SIBLING] = END if nodes[child, NEXT_SIBLING] == END else node_count + 1
            if nodes[child, FIRST_CHILD] >= 0:
                stack[depth, 0], stack[depth, 1] = child, node_count
                depth += 1
            else:
                new_nodes[node_count, FIRST_CHILD] = LEAF - tuple_count
                number = LEAF - nodes[child, FIRST_CHILD]
                while number != END:
                    new_numbers[number] = tuple_count
                    new_next_tuple[tuple_count] = END if next_tuple[number] == END else tuple_count + 1
                    tuple_count += 1
                    number = next_tuple[number]
            node_count += 1
            child = nodes[child, NEXT_SIBLING]


# Adding and removing rows


@compiled
def _count_row(table: StateTallies, tally_count: int, state: int, key: int, credit: int, sign: int) -> int:
    """Add a row to the tally of its state and key, or subtract it; return the number of tallies."""
    states, tallies, points = table.states, table.tallies, table.points
    tally = states[state, FIRST_TALLY]
    while tally != END and tallies[tally, TALLY_KEY] != key:
        tally = tallies[tally, NEXT_TALLY]
    if tally == END:
        tally = tally_count
        tally_count += 1
        for column in range(tallies.shape[1]):
            tallies[tally, column] = 0
        tallies[tally, TALLY_KEY] = key
        tallies[tally, NEXT_TALLY] = states[state, FIRST_TALLY]
        points[tally] = 0
        states[state, FIRST_TALLY] = tally
    tallies[tally, TALLY_ROWS] += sign
    tallies[tally, TALLY_WINS] += sign * (credit > 0)
    tallies[tally, TALLY_DRAWS] += sign * (credit == 0)
    points[tally] += sign * credit
    return tally_count


@fixed_types
@compiled
def append_rows(
    start: int, stop: int, keys: Ints, columns: RowColumns, table: StateTallies, tally_count: int
) -> int:
    """Append rows, already written to their columns, to the list of their state; return the number of tallies."""
    states, row_state, next_row, credit = table.states, columns.state, columns.next_row, columns.credit
    for row in range(start, stop):
        state = row_state[row]
        if states[state, FIRST_ROW] == END:
            states[state, FIRST_ROW] = row
        else:
            next_row[states[state, LAST_ROW]] = row
        states[state, LAST_ROW] = row
        states[state, STATE_ROWS] += 1
        next_row[row] = END
        tally_count = _count_row(table, tally_count, state, keys[row - start], credit[row], 1)
    return tally_count


@fixed_types
@compiled
def remove_rows(rows: Longs, keys: Ints, columns: RowColumns, table: StateTallies) -> None:
    """Subtract rows from the counts; they stay in the list of their state, with the state complemented."""
    for i in range(rows.shape[0]):
        row = rows[i]
        state = columns.state[row]
        _count_row(table, 0, state, keys[i], columns.credit[row], -1)
        table.states[state, STATE_ROWS] -= 1
        columns.state[row] = ~state


@fixed_types
@compiled
def recount(row_count: int, state_count: int, keys: Ints, columns: RowColumns, table: StateTallies) -> int:
    """Count all tallies again after the clusters have changed; return their number."""
    for state in range(state_count):
        table.states[state, FIRST_TALLY] = END
    row_state, credit = columns.state, columns.credit
    tally_count = 0
    for row in range(row_count):
        state = row_state[row]
        if state >= 0:
            tally_count = _count_row(table, tally_count, state, keys[row], credit[row], 1)
    return tally_count


# Search


@compiled
def _costs_of_query(query: Bytes, table: CostTable) -> Longs:
    """Return what each code costs this query at each level."""
    levels, costs = table.levels, table.costs
    costs_of_query = np.empty((levels.shape[0], 256), np.int64)
    for level in range(levels.shape[0]):
        size = levels[level, LEVEL_SIZE]
        start = levels[level, LEVEL_START] + query[levels[level, LEVEL_FEATURE]] * size
        for code in range(size):
            costs_of_query[level, code] = costs[start + code]
    return costs_of_query


@compiled
def _search(
    costs: Longs,
    trie: TrieArrays,
    states: Ints,
    wanted: GroupFilter,
    plan: SearchPlan,
    buffers: SearchBuffers,
) -> tuple[int, int]:
    """Find all states within the last ceiling, or within an earlier one that holds enough rows.

    `plan.ceilings[b]` is the limit once buckets 0 to b hold enough rows. Returns how many states were
    found, in no order and perhaps some beyond the limit, and the limit.
    """
    nodes, tuples, next_tuple = trie.nodes, trie.tuples, trie.next_tuple
    groups, group = wanted.groups, wanted.group
    ceilings, shift, enough = plan.ceilings, plan.shift, plan.enough
    queue, found = buffers.queue, buffers.found
    top = ceilings.shape[0] - 1
    limit = ceilings[top]
    stacks = np.full((limit >> shift) + 1, END)
    rows = np.zeros(stacks.shape[0], np.int64)
    queue[0, QUEUE_NODE], queue[0, QUEUE_LEVEL], queue[0, QUEUE_DISTANCE], queue[0, QUEUE_BELOW] = (
        0,
        0,
        0,
        END,
    )
    stacks[0] = 0
    queued, count, inside, bucket = 1, 0, 0, 0
    while bucket <= limit >> shift:
        here = stacks[bucket]
        if here == END:
            bucket += 1
            continue
        stacks[bucket] = queue[here, QUEUE_BELOW]
        level, travelled = queue[here, QUEUE_LEVEL], queue[here, QUEUE_DISTANCE]
        child = nodes[queue[here, QUEUE_NODE], FIRST_CHILD]
        while child != END:
            so_far = travelled + costs[level, nodes[child, NODE_CODE]]
            if so_far > limit:
                pass
            elif nodes[child, FIRST_CHILD] >= 0:
                place = so_far >> shift
                queue[queued, QUEUE_NODE], queue[queued, QUEUE_LEVEL] = child, level + 1
                queue[queued, QUEUE_DISTANCE], queue[queued, QUEUE_BELOW] = so_far, stacks[place]
                stacks[place] = queued
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
                            rows[distance >> shift] += states[state, STATE_ROWS]
                            inside += states[state, STATE_ROWS]
                            while top and inside - rows[top] >= enough:
                                inside -= rows[top]
                                top -= 1
                                limit = ceilings[top]
                    state = next_tuple[state]
            child = nodes[child, NEXT_SIBLING]
    return count, limit


@fixed_types
@compiled
def count_within(
    query: Bytes,
    cost_table: CostTable,
    trie: TrieArrays,
    states: Ints,
    limit: int,
    enough: int,
    buffers: SearchBuffers,
) -> int:
    """Count the rows within a limit, and stop as soon as there are enough."""
    nodes, tuples, next_tuple = trie.nodes, trie.tuples, trie.next_tuple
    costs, queue = _costs_of_query(query, cost_table), buffers.queue
    queue[0, QUEUE_NODE], queue[0, QUEUE_LEVEL], queue[0, QUEUE_DISTANCE] = 0, 0, 0
    waiting, count = 1, 0
    while waiting and count < enough:
        waiting -= 1
        level, travelled = queue[waiting, QUEUE_LEVEL], queue[waiting, QUEUE_DISTANCE]
        child = nodes[queue[waiting, QUEUE_NODE], FIRST_CHILD]
        while child != END:
            so_far = travelled + costs[level, nodes[child, NODE_CODE]]
            if so_far > limit:
                pass
            elif nodes[child, FIRST_CHILD] >= 0:
                queue[waiting, QUEUE_NODE], queue[waiting, QUEUE_LEVEL] = child, level + 1
                queue[waiting, QUEUE_DISTANCE] = so_far
                waiting += 1
            else:
                state = LEAF - nodes[child, FIRST_CHILD]
                while state != END:
                    distance = so_far
                    for deeper in range(level + 1, tuples.shape[1]):
                        distance += costs[deeper, tuples[state, deeper]]
                    if distance <= limit:
                        count += states[state, STATE_ROWS]
                    state = next_tuple[state]
            child = nodes[child, NEXT_SIBLING]
    return count


@compiled
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


@fixed_types
@compiled
def sum_within_limit(
    query: Bytes,
    cost_table: CostTable,
    trie: TrieArrays,
    table: StateTallies,
    wanted: GroupFilter,
    plan: SearchPlan,
    buffers: SearchBuffers,
    numbers: KeyNumbers,
) -> tuple[Longs, int]:
    """Sum up all rows within a limit per key; return the sums and the limit."""
    states, tallies, points, found = table.states, table.tallies, table.points, buffers.found
    farthest = numbers.farthest
    count, _ = _search(_costs_of_query(query, cost_table), trie, states, wanted, plan, buffers)
    limit = _first_limit_with_enough(plan, found, count, states)
    sums = np.zeros((numbers.keys, 6), np.int64)
    for i in range(count):
        if found[i, FOUND_DISTANCE] > limit:
            continue
        tally = states[found[i, FOUND_STATE], FIRST_TALLY]
        while tally != END:
            key, rows = tallies[tally, TALLY_KEY], tallies[tally, TALLY_ROWS]
            sums[key, SUM_ROWS] += rows
            sums[key, SUM_WINS] += tallies[tally, TALLY_WINS]
            sums[key, SUM_DRAWS] += tallies[tally, TALLY_DRAWS]
            sums[key, SUM_POINTS] += points[tally]
            sums[key, SUM_CLOSENESS] += rows * (farthest - found[i, FOUND_DISTANCE])
            tally = tallies[tally, NEXT_TALLY]
    return _drop_empty_keys(sums), limit


@compiled
def _drop_empty_keys(sums: Longs) -> Longs:
    """Return the sums of the keys that have rows, and the sum over all keys as the last row."""
    kept = np.zeros((sums.shape[0] + 1, 6), np.int64)
    used = 0
    for key in range(sums.shape[0]):
        if sums[key, SUM_ROWS]:
            kept[used, SUM_KEY] = key
            for column in range(SUM_ROWS, 6):
                kept[used, column] = sums[key, column]
                kept[-1, column] += sums[key, column]
            used += 1
    for column in range(6):
        kept[used, column] = kept[-1, column]
    return kept[: used + 1]


@compiled
def sum_rows(near: Longs, columns: RowColumns, labels: Bytes, numbers: KeyNumbers) -> Longs:
    """Sum up rows per key, each row given with its distance; `labels` is the cluster of each pattern."""
    pattern, action, credit = columns.pattern, columns.action, columns.credit
    actions, farthest = numbers.actions, numbers.farthest
    sums = np.zeros((numbers.keys, 6), np.int64)
    for entry in near:
        row, distance = entry & ROW_MASK, entry >> ROW_BITS
        key = labels[pattern[row]] * actions + action[row]
        sums[key, SUM_ROWS] += 1
        sums[key, SUM_WINS] += credit[row] > 0
        sums[key, SUM_DRAWS] += credit[row] == 0
        sums[key, SUM_POINTS] += credit[row]
        sums[key, SUM_CLOSENESS] += farthest - distance
    return _drop_empty_keys(sums)


@fixed_types
@compiled
def sum_nearest(
    query: Bytes,
    cost_table: CostTable,
    trie: TrieArrays,
    table: StateTallies,
    wanted: GroupFilter,
    plan: SearchPlan,
    buffers: SearchBuffers,
    numbers: KeyNumbers,
    columns: RowColumns,
    labels: Bytes,
) -> tuple[Longs, Longs]:
    """Find the nearest `plan.enough` rows, at equal distance oldest first, or newest first if the plan says so.

    Returns their sums per key, and the rows with their distances.
    """
    states, row_state, next_row = table.states, columns.state, columns.next_row
    found, enough = buffers.found, plan.enough
    flip = ROW_MASK if plan.newest else 0  # turns the order of rows round
    count, limit = _search(_costs_of_query(query, cost_table), trie, states, wanted, plan, buffers)
    candidates = 0
    for i in range(count):
        if found[i, FOUND_DISTANCE] <= limit:
            candidates += min(enough, states[found[i, FOUND_STATE], STATE_ROWS])
    near = np.empty(candidates, np.int64)
    filled = 0
    for i in range(count):
        if found[i, FOUND_DISTANCE] > limit:
            continue
        row = states[found[i, FOUND_STATE], FIRST_ROW]
        missing = min(enough, states[found[i, FOUND_STATE], STATE_ROWS])
        older = states[found[i, FOUND_STATE], STATE_ROWS] - missing if flip else 0
        while missing:
            if row_state[row] >= 0 and older:
                older -= 1
            elif row_state[row] >= 0:
                near[filled] = found[i, FOUND_DISTANCE] << ROW_BITS | (row ^ flip)
                filled += 1
                missing -= 1
            row = next_row[row]
    near.sort()
    near = near[:enough].copy()
    for i in range(near.shape[0]):
        near[i] ^= flip
    return sum_rows(near, columns, labels, numbers), near


@compiled
def list_rows(chosen: Longs, states: Ints, next_row: Ints, before: int) -> tuple[Longs, Longs]:
    """List the rows of some states below row number `before`, removed ones too.

    Returns the rows, and for each row the place of its state in `chosen`.
    """
    count = 0
    for state in chosen:
        row = states[state, FIRST_ROW]
        while row != END and row < before:
            count += 1
            row = next_row[row]
    rows, places = np.empty(count, np.int64), np.empty(count, np.int64)
    count = 0
    for place in range(chosen.shape[0]):
        row = states[chosen[place], FIRST_ROW]
        while row != END and row < before:
            rows[count] = row
            places[count] = place
            count += 1
            row = next_row[row]
    return rows, places
