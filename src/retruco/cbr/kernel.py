"""The hot loops of the case base, compiled to machine code on first use and kept on disk.

*Tries.* Tuples of codes are kept once, in a trie whose levels are the features, those of few
values first. A search walks it by growing distance: a branch is left as soon as the costs of
the codes passed exceed what is asked for, so a query touches hundreds of nodes among a
million rows and is still exact. The search keeps a stack per bucket of distances; a bucket is
emptied before the next is begun, so everything nearer is known when it is done.

*Chains.* The rows of one state hang in a chain, oldest first; so do its tallies, one per
(cluster, action). Chains grow in place: adding a row moves nothing.

Arrays of links have named columns; -1 ends a chain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

F = TypeVar("F", bound=Callable[..., Any])

SYMBOL, CHILD, SIBLING = 0, 1, 2
"""Columns of `nodes`. A leaf has no child: it holds -2 - number, the number of its tuple."""

ROWS, OLDEST, YOUNGEST, TALLIES = 0, 1, 2, 3
"""Columns of `states`: living rows, both ends of the chain of rows, first tally."""

KEY, COUNT, WINS, DRAWS, NEXT = 0, 1, 2, 3, 4
"""Columns of `tallies`; a key is cluster * actions + action. Points are kept apart, as longs."""

START, SIZE, OFFSET = 0, 1, 2
"""Columns of `features`: start in the table of costs, number of codes, first symbol."""

NODE, BELOW, SUM = 0, 1, 2
"""Columns of `queue`: a node to visit, the entry below it on its stack, the costs so far."""

STATE, AWAY = 0, 1
"""Columns of `found`: a state and its distance."""

END: Final = -1
LEAF: Final = -2


def compiled(function: F) -> F:
    """Compile a function, keeping its type for the reader and its code on disk."""
    return cast(F, njit(cache=True)(function))


# Tries


@compiled
def intern(
    nodes: Ints, used: int, known: int, codes: Bytes, order: Ints, features: Ints, store: Bytes, numbers: Ints
) -> tuple[int, int]:
    """Find or add every tuple of codes; give the numbers of nodes and of tuples afterwards."""
    last = order.shape[0] - 1
    for i in range(codes.shape[0]):
        node = 0
        for level in range(last + 1):
            feature = order[level]
            symbol = features[feature, OFFSET] + codes[i, feature]
            child = nodes[node, CHILD]
            while child != END and nodes[child, SYMBOL] != symbol:
                child = nodes[child, SIBLING]
            if child == END:
                child = used
                used += 1
                nodes[child, SYMBOL] = symbol
                nodes[child, CHILD] = END
                nodes[child, SIBLING] = nodes[node, CHILD]
                nodes[node, CHILD] = child
                if level == last:
                    nodes[child, CHILD] = LEAF - known
                    store[known] = codes[i]
                    known += 1
            node = child
        numbers[i] = LEAF - nodes[node, CHILD]
    return used, known


@compiled
def lay_out(nodes: Ints, tidy: Ints) -> None:
    """Copy a trie so that siblings lie side by side, which is how a search reads them."""
    stack = np.empty((nodes.shape[0], 2), np.int32)
    stack[0] = 0
    tidy[0] = nodes[0]
    depth, used = 1, 1
    while depth:
        depth -= 1
        old, new = stack[depth]
        child = nodes[old, CHILD]
        tidy[new, CHILD] = child if child < 0 else used
        while child >= 0:
            tidy[used, SYMBOL] = nodes[child, SYMBOL]
            tidy[used, SIBLING] = END if nodes[child, SIBLING] == END else used + 1
            stack[depth, 0] = child
            stack[depth, 1] = used
            depth += 1
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
        tallies[tally] = 0
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
    states[:, TALLIES] = END
    used = 0
    for row in range(row_states.shape[0]):
        if row_states[row] >= 0:
            used = _tally(states, tallies, points, used, row_states[row], keys[row], credit[row], 1)
    return used


# Search


@compiled
def _prices(query: Bytes, table: Longs, features: Ints) -> Longs:
    """Lay out what every symbol costs this query."""
    cost = np.empty(features[-1, OFFSET] + features[-1, SIZE], np.int64)
    for feature in range(query.shape[0]):
        start = features[feature, START] + query[feature] * features[feature, SIZE]
        for code in range(features[feature, SIZE]):
            cost[features[feature, OFFSET] + code] = table[start + code]
    return cost


@compiled
def _within(limit: int, found: Longs, count: int, states: Ints) -> int:
    rows = 0
    for i in range(count):
        if found[i, AWAY] <= limit:
            rows += states[found[i, STATE], ROWS]
    return rows


@compiled
def _search(
    cost: Longs,
    nodes: Ints,
    states: Ints,
    groups: Bytes,
    group: int,
    limits: Longs,
    enough: int,
    keep: int,
    shift: int,
    queue: Longs,
    found: Longs,
) -> tuple[int, int]:
    """Find states by growing distance; give how many were found and the limit that stands.

    States beyond that limit may be among those found: a bucket can be wider than a step.
    """
    last = limits[-1]
    stacks = np.full((last >> shift) + 1, END)
    stacks[0] = 0
    queue[0, NODE], queue[0, BELOW], queue[0, SUM] = 0, END, 0
    waiting, count, rows, level = 1, 0, 0, 0
    for bucket in range(stacks.shape[0]):
        while stacks[bucket] != END:
            here = stacks[bucket]
            stacks[bucket] = queue[here, BELOW]
            distance = queue[here, SUM]
            child = nodes[queue[here, NODE], CHILD]
            if child <= LEAF:
                state = LEAF - child
                if states[state, ROWS] and (group < 0 or groups[state] == group):
                    found[count, STATE], found[count, AWAY] = state, distance
                    count += 1
                    rows += states[state, ROWS]
            while child >= 0:
                farther = distance + cost[nodes[child, SYMBOL]]
                if farther <= last:
                    place = farther >> shift
                    queue[waiting, NODE], queue[waiting, BELOW], queue[waiting, SUM] = (
                        child,
                        stacks[place],
                        farther,
                    )
                    stacks[place] = waiting
                    waiting += 1
                child = nodes[child, SIBLING]
        if keep and rows >= keep:
            break
        while not keep and limits[level] < last and limits[level] < (bucket + 1) << shift:
            if rows >= enough and _within(limits[level], found, count, states) >= enough:
                return count, limits[level]
            level += 1
    return count, last


@compiled
def summarise(
    query: Bytes,
    table: Longs,
    features: Ints,
    nodes: Ints,
    states: Ints,
    tallies: Ints,
    points: Longs,
    groups: Bytes,
    group: int,
    limits: Longs,
    enough: int,
    shift: int,
    farthest: int,
    keys: int,
    queue: Longs,
    found: Longs,
) -> tuple[Longs, int]:
    """Retrieve all rows within a limit as tallies per key; give them and the limit that stood."""
    cost = _prices(query, table, features)
    count, limit = _search(cost, nodes, states, groups, group, limits, enough, 0, shift, queue, found)
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
    """Keep the keys that have rows: key, rows, wins, draws, points, closeness."""
    used = 0
    packed = np.empty((np.count_nonzero(total[:, 0]), 6), np.int64)
    for key in range(total.shape[0]):
        if total[key, 0]:
            packed[used, 0] = key
            packed[used, 1:] = total[key]
            used += 1
    return packed


@compiled
def tally_rows(keys: Ints, credit: Ints, distances: Longs, farthest: int, most: int) -> Longs:
    """Tally rows one by one, each with its key, credit and distance."""
    total = np.zeros((most, 5), np.int64)
    for i in range(keys.shape[0]):
        total[keys[i], 0] += 1
        total[keys[i], 1] += credit[i] > 0
        total[keys[i], 2] += credit[i] == 0
        total[keys[i], 3] += credit[i]
        total[keys[i], 4] += farthest - distances[i]
    return _packed(total)


@compiled
def nearest(
    query: Bytes,
    table: Longs,
    features: Ints,
    nodes: Ints,
    states: Ints,
    row_states: Ints,
    follow: Ints,
    groups: Bytes,
    group: int,
    limits: Longs,
    keep: int,
    shift: int,
    queue: Longs,
    found: Longs,
) -> tuple[Longs, Longs]:
    """Retrieve the nearest rows, oldest first where equally near; give them and their distances."""
    cost = _prices(query, table, features)
    count, _ = _search(cost, nodes, states, groups, group, limits, 0, keep, shift, queue, found)
    nearby = np.argsort(found[:count, AWAY])
    rows, distances = np.empty(keep, np.int64), np.empty(keep, np.int64)
    taken, first = 0, 0
    while taken < keep and first < count:
        distance = found[nearby[first], AWAY]
        behind = first
        while behind < count and found[nearby[behind], AWAY] == distance:
            behind += 1
        tied = _oldest(found[nearby[first:behind], STATE], keep - taken, states, row_states, follow)
        rows[taken : taken + tied.shape[0]] = tied
        distances[taken : taken + tied.shape[0]] = distance
        taken += tied.shape[0]
        first = behind
    return rows[:taken].copy(), distances[:taken].copy()


@compiled
def _oldest(tied: Longs, most: int, states: Ints, row_states: Ints, follow: Ints) -> Longs:
    """List the oldest living rows of some states, at most so many; a row's number is its age."""
    pool = 0
    for state in tied:
        pool += min(most, states[state, ROWS])
    rows = np.empty(pool, np.int64)
    filled = 0
    for state in tied:
        row = states[state, OLDEST]
        wanted = min(most, states[state, ROWS])
        while wanted:
            if row_states[row] >= 0:
                rows[filled] = row
                filled += 1
                wanted -= 1
            row = follow[row]
    rows.sort()
    return rows[:most]


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
