"""The arrays of a case index and the compiled loops that add and remove rows; `search` has those that search.

*Trie.* Each distinct tuple of codes is stored once, in a trie with one feature per level, features
with few values first. A leaf holds up to `LEAF_SIZE` tuples that share a prefix.

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

from retruco.cbr.tallies import Bytes, Ints, Longs
from retruco.compiler import compiled, fixed_types

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
    costs: Ints


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
    clusters: int
    farthest: int
    """The distance at which similarity is 0."""


class IndexArrays(NamedTuple):
    """All that a search reads of an index."""

    cost_table: CostTable
    trie: TrieArrays
    table: StateTallies
    columns: RowColumns
    labels: Bytes
    """The cluster of each pattern."""
    groups: Bytes
    """The index group of each state."""
    numbers: KeyNumbers


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
    start: int,
    stop: int,
    columns: RowColumns,
    labels: Bytes,
    actions: int,
    table: StateTallies,
    tally_count: int,
) -> int:
    """Append rows, already written to their columns, to the list of their state; return the number of tallies."""
    states, row_state, next_row, credit = table.states, columns.state, columns.next_row, columns.credit
    for row in range(start, stop):
        key = labels[columns.pattern[row]] * actions + columns.action[row]
        state = row_state[row]
        if states[state, FIRST_ROW] == END:
            states[state, FIRST_ROW] = row
        else:
            next_row[states[state, LAST_ROW]] = row
        states[state, LAST_ROW] = row
        states[state, STATE_ROWS] += 1
        next_row[row] = END
        tally_count = _count_row(table, tally_count, state, key, credit[row], 1)
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


# Listing rows


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
