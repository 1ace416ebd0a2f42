"""The compiled loop: many matches of Truco side by side, each in a lane, until somebody has to be asked.

A lane deals, reads decisions from the trees of its players, plays and counts. It stops when its match
is over, or when a tree has no answer: then Python asks the player and lets the lane go on.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.trees import (
    BELOW,
    CHANCE,
    COMPARE,
    LEAF,
    UNKNOWN,
    WEIGHTED,
    TreeArrays,
    find_place,
)
from retruco.agents.truco.situation_tables import FEATURES, LookTables, compare
from retruco.compiled_streams import StreamState, add_part, below, random, weighted
from retruco.compiler import compiled_step, inlined
from retruco.games.truco.compiled.conduct import ConductTable
from retruco.games.truco.compiled.situation import own_action, situation, sort_hand, write_key
from retruco.games.truco.compiled.stepper import (
    CARDS,
    DECK,
    FIRST_CALL,
    HAND,
    HELD,
    MAO,
    POINTS,
    ROW,
    SCORES,
    STATE,
    Row,
    deal_cards,
    play,
    seat_to_act,
    start_hand,
)
from retruco.games.truco.compiled.tables import Tables

# The places of a lane's own numbers, beside the row of its hand.
STATUS: Final = 0
HAND_NUMBER: Final = 1
PLAYER: Final = 2
"""By seat: the number of its player."""
DECISIONS: Final = 4
"""By seat: how many decisions it has made in this hand."""
LENGTH: Final = 6
"""How many actions the hand has had."""
ANSWERS: Final = 7
"""The column that the seat to act has to answer, 0 for none."""
ACTION: Final = 8
"""The action that somebody was asked for, in the order of strength; unknown if nobody was."""
TAG: Final = 9
"""The tag of that action."""
GAINS: Final = 10
"""By seat: what it has gained towards the match."""
HITS: Final = 12
"""How many decisions were read from trees."""
LANE: Final = 13

NEW, DEALING, READY, PLAYING, ASKING, CHECKING, OVER = range(7)
"""What a lane does: `DEALING` waits for the cards of a fixed deal, `ASKING` and `CHECKING` for a decision."""

CHECK_EVERY: Final = 4096
"""Every so many decisions a player is asked though its tree has an answer, which must be the same."""
ALL_HANDS: Final = -1
CARD_COLUMNS: Final = 2


class Lanes(NamedTuple):
    """Matches side by side; the first place of every array is the lane."""

    rows: Row
    numbers: NDArray[np.int32]
    deal_keys: NDArray[np.uint64]
    """The number of the key of the deals, to which a hand's number is added; 0 if deals are fixed."""
    agent_keys: NDArray[np.uint64]
    """The number of the key of the agents' chance, to which seat, hand and decision are added."""
    actions: NDArray[np.int32]
    """The actions of the hand being played."""
    tags: NDArray[np.int64]
    """By seat and tag: how many decisions had it."""
    conduct: NDArray[np.int64]
    """By seat and kind of action: how many there were."""
    keys: NDArray[np.uint64]
    """What the seat to act sees, if it has to be asked."""


class Room(NamedTuple):
    """Room to work in."""

    stream: StreamState
    order: Row
    deck: Row
    values: NDArray[np.float64]
    """The features of a look that were counted."""
    read: NDArray[np.int64]
    """How many decisions were looked for in trees."""


def new_room() -> Room:
    """Make room."""
    return Room(
        np.zeros(1, dtype=np.uint64),
        np.zeros(HAND, dtype=np.int32),
        np.zeros(DECK, dtype=np.int32),
        np.zeros(FEATURES, dtype=np.float64),
        np.zeros(1, dtype=np.int64),
    )


def new_lanes(count: int, longest: int, tags: int, kinds: int) -> Lanes:
    """Lanes for so many matches."""
    lanes = Lanes(
        np.zeros((count, ROW), dtype=np.int32),
        np.zeros((count, LANE), dtype=np.int32),
        np.zeros(count, dtype=np.uint64),
        np.zeros(count, dtype=np.uint64),
        np.zeros((count, longest), dtype=np.int32),
        np.zeros((count, 2, tags), dtype=np.int64),
        np.zeros((count, 2, kinds), dtype=np.int64),
        np.zeros((count, 2), dtype=np.uint64),
    )
    lanes.numbers[:, ACTION] = UNKNOWN
    return lanes


@compiled_step
def advance(
    tables: Tables,
    conduct: ConductTable,
    looks: LookTables,
    trees: TreeArrays,
    parts: Any,
    lanes: Lanes,
    room: Room,
    most_hands: int,
) -> None:
    """Let every lane play on until its match is over or a player has to be asked."""
    for lane in range(len(lanes.numbers)):
        row, numbers = lanes.rows[lane], lanes.numbers[lane]
        while numbers[STATUS] == NEW or numbers[STATUS] == READY or numbers[STATUS] == PLAYING:
            if numbers[STATUS] == NEW and lanes.deal_keys[lane] == 0:
                numbers[STATUS] = DEALING
            elif numbers[STATUS] != PLAYING:
                begin_hand(tables, lanes, room, lane)
            elif row[STATE] < 0:
                end_hand(tables, row, numbers, most_hands)
            else:
                take_turn(tables, conduct, looks, trees, parts, lanes, room, lane)


@inlined
def begin_hand(tables: Tables, lanes: Lanes, room: Room, lane: int) -> None:
    """Begin the next hand; if its cards do not lie there already, they are dealt."""
    row, numbers = lanes.rows[lane], lanes.numbers[lane]
    if numbers[STATUS] == NEW:
        room.stream[0] = add_part(lanes.deal_keys[lane], numbers[HAND_NUMBER])
        deal_cards(row, room.stream, room.deck)
    start_hand(tables, row, row[MAO])
    numbers[STATUS], numbers[LENGTH], numbers[ANSWERS] = PLAYING, 0, 0
    numbers[DECISIONS], numbers[DECISIONS + 1] = 0, 0


@inlined
def end_hand(tables: Tables, row: Row, numbers: Row, most_hands: int) -> None:
    """Enter a finished hand; the mão moves on."""
    for seat in range(2):
        points = row[POINTS + seat] + row[POINTS + 2 + seat] + row[POINTS + 4 + seat]
        lacked = tables.target - (row[SCORES + seat] - points)
        numbers[GAINS + seat] += min(points, lacked)
    numbers[HAND_NUMBER] += 1
    row[MAO] = 1 - row[MAO]
    is_over = max(row[SCORES], row[SCORES + 1]) >= tables.target
    numbers[STATUS] = OVER if is_over or numbers[HAND_NUMBER] == most_hands else NEW


@inlined
def take_turn(
    tables: Tables,
    conduct: ConductTable,
    looks: LookTables,
    trees: TreeArrays,
    parts: Any,
    lanes: Lanes,
    room: Room,
    lane: int,
) -> None:
    """Find the decision of the seat to act, count it and carry it out."""
    row, numbers, order = lanes.rows[lane], lanes.numbers[lane], room.order
    seat = seat_to_act(tables, row)
    sort_hand(tables, row, seat, order)
    action, tag = numbers[ACTION], numbers[TAG]
    if action == UNKNOWN:
        node = find_leaf(tables, looks, trees, parts, lanes, room, lane, seat)
        if node == UNKNOWN:
            return
        action, tag = trees.nodes[node, 2], trees.nodes[node, 3]
        numbers[HITS] += 1
    numbers[ACTION] = UNKNOWN
    lanes.tags[lane, seat, tag] += 1
    action = own_action(order, action)
    count_conduct(tables, conduct, lanes, lane, seat, action)
    lanes.actions[lane, numbers[LENGTH]] = action
    numbers[LENGTH] += 1
    numbers[DECISIONS + seat] += 1
    column = action // HAND if action < FIRST_CALL else action - FIRST_CALL + CARD_COLUMNS
    play(tables, row, action)
    still_on = row[STATE] >= 0
    numbers[ANSWERS] = (
        column if still_on and conduct.waits[column] and seat_to_act(tables, row) != seat else 0
    )


@inlined
def find_leaf(
    tables: Tables,
    looks: LookTables,
    trees: TreeArrays,
    parts: Any,
    lanes: Lanes,
    room: Room,
    lane: int,
    seat: int,
) -> Any:
    """The leaf of the seat's decision in its tree; unknown if it has to be asked, which the lane then says.

    The seat's hand has been sorted.
    """
    row, numbers, key = lanes.rows[lane], lanes.numbers[lane], lanes.keys[lane]
    player = numbers[PLAYER + seat]
    needed = parts[player, situation(tables, row)]
    write_key(tables, row, seat, room.order, player, max(0, needed), key)
    node = np.int64(UNKNOWN)
    if needed != UNKNOWN:
        number = add_part(add_part(lanes.agent_keys[lane], seat), numbers[HAND_NUMBER])
        room.stream[0] = add_part(number, numbers[DECISIONS + seat])
        root = trees.roots[find_place(trees.keys, trees.roots, key[0], key[1])]
        room.values[:] = np.nan
        node = np.int64(walk(tables, looks, trees, row, seat, room, root))
    room.read[0] += 1
    if node == UNKNOWN or room.read[0] % CHECK_EVERY == 0:
        numbers[STATUS] = ASKING if node == UNKNOWN else CHECKING
        node = np.int64(UNKNOWN)
    return node


@inlined
def walk(
    tables: Tables, looks: LookTables, trees: TreeArrays, row: Row, seat: int, room: Room, node: int
) -> Any:
    """Follow a tree by chance and by what is compared; return the leaf, or unknown."""
    while node != UNKNOWN and trees.nodes[node, 0] != LEAF:
        kind, outcomes, at = trees.nodes[node, 0], trees.nodes[node, 1], trees.nodes[node, 2]
        if kind == CHANCE:
            outcome = np.int64(random(room.stream) < trees.numbers[at])
        elif kind == BELOW:
            outcome = below(room.stream, outcomes)
        elif kind == WEIGHTED:
            outcome = np.int64(weighted(room.stream, trees.numbers[at : at + outcomes]))
        elif kind == COMPARE:
            outcome = np.int64(
                compare(tables, looks, row, seat, room.order, room.values, trees.numbers[at : at + 4])
            )
        else:
            return UNKNOWN
        node = trees.branches[trees.nodes[node, 3] + outcome]
    return node


@inlined
def count_conduct(
    tables: Tables, conduct: ConductTable, lanes: Lanes, lane: int, seat: int, action: int
) -> None:
    """Count an action by its kind."""
    row = lanes.rows[lane]
    column = action // HAND if action < FIRST_CALL else action - FIRST_CALL + CARD_COLUMNS
    best = 0
    for place in range(HAND):
        if row[HELD + seat] >> place & 1:
            best = max(best, tables.strength[row[CARDS + HAND * seat + place]])
    first = CARDS + HAND * seat
    points = tables.envido[row[first], row[first + 1], row[first + 2]]
    kind = conduct.kinds[column, lanes.numbers[lane, ANSWERS], points, best]
    lanes.conduct[lane, seat, kind] += 1
