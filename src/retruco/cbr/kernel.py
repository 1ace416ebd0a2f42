"""The hot loops of the case base, compiled to machine code on first use and kept on disk.

*Tries.* Tuples of codes are kept once, in a trie whose levels are the features, those of few
values first; a leaf holds a handful of tuples that begin alike. A search walks the trie by
growing distance and leaves a branch as soon as the codes passed cost too much, so a query
touches hundreds of nodes among a million rows and is still exact. Nodes wait on one stack per
bucket of distances; nearer buckets are emptied first, and as soon as enough rows are known to
be near, the limit comes nearer for all the rest.

*Chains.* The rows of one state hang in a chain, oldest first; so do its tallies, one per
(cluster, action). Chains grow in place: adding a row moves nothing.

Arrays of links have named columns; -1 ends a chain. Loops are written out where numpy has a
word for them, such as array_equal or a slice: the compiler takes seconds over each such word.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.compiler import compiled

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

CODE, CHILD, SIBLING = 0, 1, 2
"""Columns of `nodes`. In place of a child a leaf holds -2 - number, the number of its first tuple."""

ROWS, OLDEST, YOUNGEST, TALLIES = 0, 1, 2, 3
"""Columns of `states`: living rows, both ends of the chain of rows, first tally."""

KEY, COUNT, WINS, DRAWS, NEXT = 0, 1, 2, 3, 4
"""Columns of `tallies`; a key is cluster * actions + action. Points are kept apart, as longs."""

FEATURE, SIZE, START = 0, 1, 2
"""Columns of `levels`: the feature compared there, its number of codes, its place in the table of costs."""

NODE, LEVEL, SUM, BELOW = 0, 1, 2, 3
"""Columns of `queue`: a node to visit, its level, the costs so far, the entry below on the stack."""

STATE, AWAY = 0, 1
"""Columns of `found`: a state and its distance."""

END: Final = -1
LEAF: Final = -2

CROWD: Final = 8
"""Tuples that a leaf holds before it is parted."""


# Tries


@compiled
def _child(nodes: Ints, node: int, code: int) -> int:
    child = nodes[node, CHILD]
    while child != END and nodes[child, CODE] != code:
        child = nodes[child, SIBLING]
    return int(child)


@compiled
def _same(one: Bytes, other: Bytes) -> bool:
    same = True
    for place in range(one.shape[0]):
        same &= one[place] == other[place]
    return same


@compiled
def _hang(nodes: Ints, used: int, beside: Ints, node: int, code: int, number: int) -> int:
    """Put a tuple into the leaf below a node that has this code, making the leaf if need be."""
    leaf = _child(nodes, node, code)
    if leaf == END:
        leaf = used
        used += 1
        nodes[leaf, CODE] = code
        nodes[leaf, CHILD] = LEAF - END
        nodes[leaf, SIBLING] = nodes[node, CHILD]
        nodes[node, CHILD] = leaf
    beside[number] = LEAF - nodes[leaf, CHILD]
    nodes[leaf, CHILD] = LEAF - number
    return used


@compiled
def intern(
    nodes: Ints, used: int, store: Bytes, beside: Ints, known: int, codes: Bytes, numbers: Ints
) -> tuple[int, int]:
    """Find or add every tuple of codes; give the numbers of nodes and of tuples afterwards."""
    for i in range(codes.shape[0]):
        node, level, number, crowd = 0, 0, END, 0
        child = _child(nodes, node, codes[i, level])
        while child != END:
            if nodes[child, CHILD] <= LEAF:
                number, crowd = LEAF - nodes[child, CHILD], 0
                while number != END and not _same(store[number], codes[i]):
                    number, crowd = beside[number], crowd + 1
                if number != END or crowd < CROWD:
                    break
                # Too many begin alike: the leaf becomes a node, and they part by their next code.
                number = LEAF - nodes[child, CHILD]
                nodes[child, CHILD] = END
                while number != END:
                    following = beside[number]
                    used = _hang(nodes, used, beside, child, store[number, level + 1], number)
                    number = following
            node, level = child, level + 1
            child = _child(nodes, node, codes[i, level])
        if number == END:
            number = known
            known += 1
            for place in range(codes.shape[1]):
                store[number, place] = codes[i, place]
            used = _hang(nodes, used, beside, node, codes[i, level], number)
        numbers[i] = number
    return used, known


@compiled
def lay_out(nodes: Ints, beside: Ints, tidy: Ints, tidy_beside: Ints, moved: Ints) -> None:
    """Copy a trie in the order of a walk: siblings side by side, and the tuples of a leaf too.

    `moved` says which number each tuple has now.
    """
    stack = np.zeros((nodes.shape[0], 2), np.int32)
    tidy[0, CODE] = tidy[0, CHILD] = tidy[0, SIBLING] = END
    depth, used, known = 1, 1, 0
    while depth:
        depth -= 1
        old, new = stack[depth, 0], stack[depth, 1]
        child = nodes[old, CHILD]
        if child >= 0:
            tidy[new, CHILD] = used
        while child >= 0:
            tidy[used, CODE] = nodes[child, CODE]
            tidy[used, SIBLING] = END if nodes[child, SIBLING] == END else used + 1
            if nodes[child, CHILD] >= 0:
                stack[depth, 0], stack[depth, 1] = child, used
                depth += 1
            else:
                tidy[used, CHILD] = LEAF - known
                number = LEAF - nodes[child, CHILD]
                while number != END:
                    moved[number] = known
                    tidy_beside[known] = END if beside[number] == END else known + 1
                    known += 1
                    number = beside[number]
            used += 1
            child = nodes[child, SIBLING]


# Rows in and out


@compiled
def _tally(
    states: Ints, tallies: Ints, points: Longs, used: int, state: int, key: int, credit: int, sign: int
) -> int:
    tally = states[state, TALLIES]
    while tally != END and tallies[tally, KEY] != key:
        tally = tallies[tally, NEXT]
    if tally == END:
        tally = used
        used += 1
        for column in range(tallies.shape[1]):
            tallies[tally, column] = 0
        tallies[tally, KEY] = key
        tallies[tally, NEXT] = states[state, TALLIES]
        points[tally] = 0
        states[state, TALLIES] = tally
    tallies[tally, COUNT] += sign
    tallies[tally, WINS] += sign * (credit > 0)
    tallies[tally, DRAWS] += sign * (credit == 0)
    points[tally] += sign * credit
    return used


@compiled
def append(
    start: int,
    stop: int,
    row_states: Ints,
    follow: Ints,
    keys: Ints,
    credit: Ints,
    states: Ints,
    tallies: Ints,
    points: Longs,
    used: int,
) -> int:
    """Hang new rows, already written to their columns, behind the older ones of their state."""
    for row in range(start, stop):
        state = row_states[row]
        if states[state, OLDEST] == END:
            states[state, OLDEST] = row
        else:
            follow[states[state, YOUNGEST]] = row
        states[state, YOUNGEST] = row
        states[state, ROWS] += 1
        follow[row] = END
        used = _tally(states, tallies, points, used, state, keys[row - start], credit[row], 1)
    return used


@compiled
def bury(
    rows: Longs, keys: Ints, row_states: Ints, credit: Ints, states: Ints, tallies: Ints, points: Longs
) -> None:
    """Remove rows: they leave the counts, and stay in their chain with their state complemented."""
    for i in range(rows.shape[0]):
        row = rows[i]
        state = row_states[row]
        _tally(states, tallies, points, 0, state, keys[i], credit[row], -1)
        states[state, ROWS] -= 1
        row_states[row] = ~state


@compiled
def recount(row_states: Ints, keys: Ints, credit: Ints, states: Ints, tallies: Ints, points: Longs) -> int:
    """Make all tallies anew from the living rows, after the clusters have changed."""
    for state in range(states.shape[0]):
        states[state, TALLIES] = END
    used = 0
    for row in range(row_states.shape[0]):
        if row_states[row] >= 0:
            used = _tally(states, tallies, points, used, row_states[row], keys[row], credit[row], 1)
    return used


# Search


@compiled
def _prices(query: Bytes, table: Longs, levels: Ints) -> Longs:
    """Lay out what every code costs this query at every level."""
    cost = np.empty((levels.shape[0], 256), np.int64)
    for level in range(levels.shape[0]):
        size = levels[level, SIZE]
        start = levels[level, START] + query[levels[level, FEATURE]] * size
        for code in range(size):
            cost[level, code] = table[start + code]
    return cost


@compiled
def _search(
    cost: Longs,
    nodes: Ints,
    codes: Bytes,
    beside: Ints,
    states: Ints,
    groups: Bytes,
    group: int,
    ceilings: Longs,
    shift: int,
    enough: int,
    queue: Longs,
    found: Longs,
) -> tuple[int, int]:
    """Find all states within the last ceiling, or within an earlier one that holds enough rows.

    `ceilings[b]` is the limit that stands once buckets 0 to b hold enough. Gives how many were
    found, in no order and some perhaps farther than the limit, and the limit.
    """
    top = ceilings.shape[0] - 1
    last = ceilings[top]
    stacks = np.full((last >> shift) + 1, END)
    rows = np.zeros(stacks.shape[0], np.int64)
    queue[0, NODE], queue[0, LEVEL], queue[0, SUM], queue[0, BELOW] = 0, 0, 0, END
    stacks[0] = 0
    waiting, count, inside, bucket = 1, 0, 0, 0
    while bucket <= last >> shift:
        here = stacks[bucket]
        if here == END:
            bucket += 1
            continue
        stacks[bucket] = queue[here, BELOW]
        distance, level = queue[here, SUM], queue[here, LEVEL]
        child = nodes[queue[here, NODE], CHILD]
        while child != END:
            nearer = distance + cost[level, nodes[child, CODE]]
            if nearer > last:
                pass
            elif nodes[child, CHILD] >= 0:
                place = nearer >> shift
                queue[waiting, NODE], queue[waiting, LEVEL] = child, level + 1
                queue[waiting, SUM], queue[waiting, BELOW] = nearer, stacks[place]
                stacks[place] = waiting
                waiting += 1
            else:
                state = LEAF - nodes[child, CHILD]
                while state != END:
                    away = nearer
                    for deeper in range(level + 1, codes.shape[1]):
                        away += cost[deeper, codes[state, deeper]]
                    if away <= last and states[state, ROWS] and (group < 0 or groups[state] == group):
                        found[count, STATE], found[count, AWAY] = state, away
                        count += 1
                        if away >> shift <= top:
                            rows[away >> shift] += states[state, ROWS]
                            inside += states[state, ROWS]
                            while top and inside - rows[top] >= enough:
                                inside -= rows[top]
                                top -= 1
                                last = ceilings[top]
                    state = beside[state]
            child = nodes[child, SIBLING]
    return count, last


@compiled
def _standing(limits: Longs, enough: int, found: Longs, count: int, states: Ints) -> int:
    """Give the first limit that holds enough rows, or the last."""
    level = 0
    while level < limits.shape[0] - 1:
        rows = 0
        for i in range(count):
            if found[i, AWAY] <= limits[level]:
                rows += states[found[i, STATE], ROWS]
        if rows >= enough:
            break
        level += 1
    return int(limits[level])


@compiled
def summarise(
    query: Bytes,
    table: Longs,
    levels: Ints,
    nodes: Ints,
    codes: Bytes,
    beside: Ints,
    states: Ints,
    groups: Bytes,
    group: int,
    ceilings: Longs,
    shift: int,
    enough: int,
    queue: Longs,
    found: Longs,
    limits: Longs,
    tallies: Ints,
    points: Longs,
    farthest: int,
    keys: int,
) -> tuple[Longs, int]:
    """Retrieve all rows within a limit as tallies per key; give them and the limit that stood."""
    cost = _prices(query, table, levels)
    count, _ = _search(
        cost, nodes, codes, beside, states, groups, group, ceilings, shift, enough, queue, found
    )
    limit = _standing(limits, enough, found, count, states)
    total = np.zeros((keys, 5), np.int64)
    for i in range(count):
        if found[i, AWAY] > limit:
            continue
        tally = states[found[i, STATE], TALLIES]
        while tally != END:
            key, rows = tallies[tally, KEY], tallies[tally, COUNT]
            total[key, 0] += rows
            total[key, 1] += tallies[tally, WINS]
            total[key, 2] += tallies[tally, DRAWS]
            total[key, 3] += points[tally]
            total[key, 4] += rows * (farthest - found[i, AWAY])
            tally = tallies[tally, NEXT]
    return _packed(total), limit


@compiled
def _packed(total: Longs) -> Longs:
    """Keep the keys that have rows: key, rows, wins, draws, points, closeness; last, their sum."""
    packed = np.zeros((total.shape[0] + 1, 6), np.int64)
    used = 0
    for key in range(total.shape[0]):
        if total[key, 0]:
            packed[used, 0] = key
            for column in range(5):
                packed[used, column + 1] = total[key, column]
                packed[-1, column + 1] += total[key, column]
            used += 1
    for column in range(6):
        packed[used, column] = packed[-1, column]
    return packed[: used + 1]


@compiled
def tally_rows(
    near: Longs,
    labels: Bytes,
    pattern: Ints,
    action: Bytes,
    credit: Ints,
    actions: int,
    farthest: int,
    keys: int,
) -> Longs:
    """Tally rows one by one, each given with its distance: distance << 32 | row."""
    total = np.zeros((keys, 5), np.int64)
    for one in near:
        row = one & 0xFFFFFFFF
        key = labels[pattern[row]] * actions + action[row]
        total[key, 0] += 1
        total[key, 1] += credit[row] > 0
        total[key, 2] += credit[row] == 0
        total[key, 3] += credit[row]
        total[key, 4] += farthest - (one >> 32)
    return _packed(total)


@compiled
def nearest(
    query: Bytes,
    table: Longs,
    levels: Ints,
    nodes: Ints,
    codes: Bytes,
    beside: Ints,
    states: Ints,
    groups: Bytes,
    group: int,
    ceilings: Longs,
    shift: int,
    keep: int,
    queue: Longs,
    found: Longs,
    row_states: Ints,
    follow: Ints,
    labels: Bytes,
    pattern: Ints,
    action: Bytes,
    credit: Ints,
    actions: int,
    farthest: int,
    keys: int,
) -> tuple[Longs, Longs]:
    """Retrieve the nearest rows, oldest first where equally near; give their tallies and them.

    A row comes with its distance, as distance << 32 | row.
    """
    cost = _prices(query, table, levels)
    count, limit = _search(
        cost, nodes, codes, beside, states, groups, group, ceilings, shift, keep, queue, found
    )
    pool = 0
    for i in range(count):
        if found[i, AWAY] <= limit:
            pool += min(keep, states[found[i, STATE], ROWS])
    near = np.empty(pool, np.int64)
    filled = 0
    for i in range(count):
        if found[i, AWAY] > limit:
            continue
        row = states[found[i, STATE], OLDEST]
        wanted = min(keep, states[found[i, STATE], ROWS])
        while wanted:
            if row_states[row] >= 0:
                near[filled] = found[i, AWAY] << 32 | row
                filled += 1
                wanted -= 1
            row = follow[row]
    near.sort()
    near = near[:keep].copy()
    return tally_rows(near, labels, pattern, action, credit, actions, farthest, keys), near


@compiled
def unchain(chosen: Longs, states: Ints, follow: Ints, horizon: int) -> tuple[Longs, Longs]:
    """List all rows of some states, living or not, older than the horizon, each with its place."""
    count = 0
    for state in chosen:
        row = states[state, OLDEST]
        while row != END and row < horizon:
            count += 1
            row = follow[row]
    rows, places = np.empty(count, np.int64), np.empty(count, np.int64)
    count = 0
    for place in range(chosen.shape[0]):
        row = states[chosen[place], OLDEST]
        while row != END and row < horizon:
            rows[count] = row
            places[count] = place
            count += 1
            row = follow[row]
    return rows, places
