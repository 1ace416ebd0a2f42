"""What the solver distinguishes in a hand of Truco: the key of an information set, and the actions it considers.

While envido or flor can still be paid, a key holds the strengths of the three cards, envido and flor
points, the card on the table and the public state. Afterwards it holds the strengths of the cards in
hand, the card on the table, the winning cards of past rounds and what envido or flor have shown:

| level | cards of a seat that answers a call | winning cards of past rounds | what envido or flor have shown |
|---|---|---|---|
| `xs` | the two highest, in three classes each | five buckets | nothing |
| `s` | all three | five buckets | twelve codes |
| `m` | all three | exact strengths | exact points |

The second column is about answers while envido or flor can still be paid.

Suits count only as envido and flor points. A last card that answers a card counts only as wins, ties or
loses. Two actions are left out nearly everywhere: going to the deck is considered only as the first
action of a hand, a face-down card only as the lower card of the seat that leads after winning round one.

A hand is a row of the stepper with some more places. The mão sits in seat 0, and the cards of a
hand lie in order of strength, highest first.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState
from retruco.compiler import compiled_step, inlined
from retruco.games.truco.compiled.automaton import CARD, COLUMNS, ENVIDO, FLOR, MAO_FLOR
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARD_COLUMNS,
    CARDS,
    CONDITIONS,
    FACE_DOWN,
    FACING,
    FIRST_CALL,
    HAND,
    HELD,
    PLAYS,
    ROW,
    SCORES,
    STATE,
    TABLE,
    Row,
    deal_cards,
    legal_columns,
    play,
    start_hand,
)
from retruco.games.truco.compiled.tables import NO_AWARD, STAGE_BITS, Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.games.truco.rules import CALLS
from retruco.games.truco.state import STAGES

LEVELS: Final = ("xs", "s", "m")
KEYS_VERSION: Final = 1
"""Raised when `information_key` or `solver_actions` change, so that older solutions are refused."""
COARSEST, EXACT = LEVELS.index("xs"), LEVELS.index("m")
COARSE_MARK: Final = 1 << 62
"""Marks a key of the coarsest level among keys of a finer one."""
END: Final = -1

ENVIDO_POINTS: Final = ROW
"""By seat: the envido points of the hand."""
FLOR_POINTS: Final = ROW + 2
"""By seat: the flor points of the hand, 0 without a flor."""
SETTLED: Final = ROW + 4
"""How envido or flor ended."""
SHOWN: Final = ROW + 5
"""By seat: the points it has shown, and 1; 0 if none."""
SOLVER_ROW: Final = ROW + 8

NOTHING_SETTLED, DECLINED, ACCEPTED, FLOR_SETTLED = 0, 1, 3, 4
"""`DECLINED` is 1 if the mão declined, 2 if the other did."""

FOLD: Final = ACTIONS - 1
DECLINE: Final = FIRST_CALL + CALLS.index("nao-quero")
FLOR_STAGE: Final = STAGES.index("flor")
TRUCO_STAGE: Final = STAGES.index("truco")

BUCKETS: Final = np.array([0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 5, 5, 5], dtype=np.int64)
"""By strength: fours to sevens, figures, twos and false aces, threes, the four strongest; 0 is face down."""
THIRDS: Final = np.array([0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3], dtype=np.int64)
"""By strength, coarser: up to the figures, up to the threes, the four strongest."""
ENVIDO_BUCKETS: Final = (20, 24, 27, 29, 31)
"""The least points of each bucket of what envido has shown, but the first."""
OTHER_HAS_FLOR, OTHER_HAS_NONE = 10, 11
MOST_FAMILIES: Final = 1 << 12
LAST_ANSWER: Final = 5
"""How many cards lie on the table when the last one is to be answered."""


class Abstraction(NamedTuple):
    """What the keys of some rules are made of; compiled code takes it as it is."""

    level: int
    """The place of its name in `LEVELS`."""
    family: NDArray[np.int32]
    """By public state: a number that states share which have the same future."""
    is_open: NDArray[np.bool_]
    """By public state: whether envido or flor can still be paid."""
    is_answer: NDArray[np.bool_]
    """By public state: whether a call is to be answered."""


def abstraction_for(game: Truco, level: str) -> Abstraction:
    """The abstraction of a game at one of the levels."""
    if level not in LEVELS:
        raise ValueError(f"unknown abstraction {level!r}: one of {', '.join(LEVELS)}")
    families, is_open = _families(game)
    is_answer = tables_for(game).legal[:, 0] & 1 << COLUMNS.index(CARD) == 0
    return Abstraction(LEVELS.index(level), families, is_open, is_answer)


@cache
def _families(game: Truco) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    tables = tables_for(game)
    numbers: dict[object, int] = {}
    family = np.full(len(tables.actor), -1, dtype=np.int32)
    is_open = np.zeros(len(tables.actor), dtype=np.bool_)

    def visit(state: int) -> int:
        """The family of a state; one state after the other, those that follow first."""
        if family[state] < 0:
            future = [describe_edge(edge) for edge in tables.edge[state]]
            signature = (tables.actor[state], *tables.legal[state], tuple(future))
            family[state] = numbers.setdefault(signature, len(numbers))
        return int(family[state])

    def describe_edge(edge: int) -> object:
        if edge < 0:
            return None
        following = tuple(visit(state) if state > 0 else END for state in tables.next[edge])
        return int(tables.condition[edge]), following, tuple(tables.awards[edge].flat)

    visit(0)
    for state in sorted(range(len(family)), key=lambda state: family[state]):
        is_open[state] = any(opens(tables, is_open, edge) for edge in tables.edge[state] if edge >= 0)
    if len(numbers) > MOST_FAMILIES:
        raise ValueError(f"{game!r} has {len(numbers)} families of states, more than {MOST_FAMILIES}")
    return family, is_open


def opens(tables: Tables, is_open: NDArray[np.bool_], edge: int) -> bool:
    """Whether an action depends on envido or flor, pays some, or leads to where that can still happen."""
    stages = {award >> STAGE_BITS & 3 for award in tables.awards[edge].flat if award != NO_AWARD}
    if tables.condition[edge] >= ENVIDO or stages - {TRUCO_STAGE}:
        return True
    return any(bool(is_open[state]) for state in tables.next[edge] if state > 0)


def automaton_digest(game: Truco) -> str:
    """A digest of the public states: keys of another automaton mean something else."""
    tables = tables_for(game)
    digest = hashlib.sha256()
    for array in (tables.actor, tables.legal, tables.edge, tables.condition, tables.next, tables.awards):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def keys_digest(game: Truco, level: str) -> str:
    """A digest of what the keys of a level mean: the public states, what of them is distinguished, the buckets."""
    abstraction = abstraction_for(game, level)
    digest = hashlib.sha256(f"{KEYS_VERSION} {level} {automaton_digest(game)} {ENVIDO_BUCKETS}".encode())
    for array in (BUCKETS, THIRDS, abstraction.family, abstraction.is_open, abstraction.is_answer):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


# A hand in compiled code


@inlined
def deal_hand(tables: Tables, row: Row, stream: StreamState, deck: Row) -> None:
    """Deal a hand at no score, the cards of each seat in order of strength."""
    deal_cards(row, stream, deck)
    begin_hand(tables, row)


@inlined
def begin_hand(tables: Tables, row: Row) -> None:
    """Begin a hand with the cards and scores that the row holds."""
    for seat in range(2):
        first = CARDS + HAND * seat
        sort_cards(tables, row, first)
        cards = (row[first], row[first + 1], row[first + 2])
        row[ENVIDO_POINTS + seat] = tables.envido[cards]
        row[FLOR_POINTS + seat] = tables.flor[cards]
        row[SHOWN + seat] = 0
    row[SETTLED] = NOTHING_SETTLED
    start_hand(tables, row, 0)


@inlined
def sort_cards(tables: Tables, row: Row, first: int) -> None:
    """Put three cards into order of strength, highest first."""
    for _ in range(2):
        for place in range(first, first + HAND - 1):
            if tables.strength[row[place]] < tables.strength[row[place + 1]]:
                row[place], row[place + 1] = row[place + 1], row[place]


@inlined
def advance(tables: Tables, row: Row, action: int) -> None:
    """Carry out an action, and note what it has shown."""
    if action < FIRST_CALL:
        play(tables, row, action)
        return
    state = row[STATE]
    edge = tables.edge[state, action - FIRST_CALL + CARD_COLUMNS]
    condition = tables.condition[edge]
    play(tables, row, action)
    if condition == ENVIDO:
        row[SETTLED] = ACCEPTED
        show_points(row, ENVIDO_POINTS, row[CONDITIONS + ENVIDO])
    elif condition == FLOR:
        row[SETTLED] = FLOR_SETTLED
        show_points(row, FLOR_POINTS, row[CONDITIONS + FLOR])
    else:
        award = tables.awards[edge, row[CONDITIONS + condition], 0]
        stage = award >> STAGE_BITS & 3
        if award != NO_AWARD and stage == FLOR_STAGE:
            row[SETTLED] = FLOR_SETTLED
        elif award != NO_AWARD and stage != TRUCO_STAGE and action == DECLINE:
            row[SETTLED] = DECLINED + tables.actor[state]


@inlined
def show_points(row: Row, points: int, comparison: int) -> None:
    """The mão shows its points, the other only if they are higher."""
    row[SHOWN] = row[points] + 1
    if comparison == 0:
        row[SHOWN + 1] = row[points + 1] + 1


@inlined
def hand_value(tables: Tables, row: Row) -> float:
    """What a finished hand at no score is worth to the mão; points beyond the target count for nothing."""
    return float(min(row[SCORES], tables.target) - min(row[SCORES + 1], tables.target))


@inlined
def solver_actions(tables: Tables, row: Row, actions: Row) -> int:
    """Write down the actions that are considered; return how many. Cards of equal strength are one action."""
    columns = legal_columns(tables, row)
    seat = tables.actor[row[STATE]]
    held, first = row[HELD + seat], CARDS + HAND * seat
    count = 0
    if columns & 1:
        last = -1
        for place in range(HAND):
            power = tables.strength[row[first + place]]
            if held >> place & 1 and power != last:
                actions[count] = place
                count += 1
                last = power
    if columns >> 1 & 1 and row[PLAYS] == 2 and won_first_round(tables, row, seat):
        actions[count] = HAND + (2 if held >> 2 & 1 else 1)
        count += 1
    calls, action = columns >> CARD_COLUMNS, FIRST_CALL
    while calls:
        if calls & 1 and (action != FOLD or row[STATE] == 0):
            actions[count] = action
            count += 1
        calls >>= 1
        action += 1
    return count


@inlined
def won_first_round(tables: Tables, row: Row, seat: int) -> bool:
    """Whether a seat has won round one, which the mão leads."""
    result = tables.result[power_on_table(tables, row, 0), power_on_table(tables, row, 1)]
    return bool(result == (2 if seat == 1 else 0))


@inlined
def power_on_table(tables: Tables, row: Row, place: int) -> Any:
    """The strength of a card on the table, 0 face down."""
    card = row[TABLE + place]
    return np.int64(0) if card & FACE_DOWN else np.int64(tables.strength[card & (FACE_DOWN - 1)])


@inlined
def information_key(tables: Tables, abstraction: Abstraction, row: Row) -> Any:
    """The key of what the seat to act knows, as far as the abstraction distinguishes it."""
    return key_at_level(tables, abstraction, abstraction.level, row)


@compiled_step
def coarse_key(tables: Tables, abstraction: Abstraction, row: Row) -> Any:
    """The key of the coarsest level, marked so that it can lie among keys of a finer one."""
    return key_at_level(tables, abstraction, COARSEST, row) | COARSE_MARK


@inlined
def key_at_level(tables: Tables, abstraction: Abstraction, level: int, row: Row) -> Any:
    """The key of what the seat to act knows, as far as a level distinguishes it."""
    state = row[STATE]
    seat = tables.actor[state]
    key = np.int64(abstraction.family[state])
    first = CARDS + HAND * seat
    if abstraction.is_open[state]:
        if level == COARSEST and abstraction.is_answer[state]:
            for place in range(2):
                key = key << 4 | THIRDS[tables.strength[row[first + place]]]
        else:
            for place in range(HAND):
                key = key << 4 | tables.strength[row[first + place]]
        key = key << 6 | row[ENVIDO_POINTS + seat]
        key = key << 6 | row[FLOR_POINTS + seat]
        return (key << 4 | row[FACING]) << 1 | 1
    return closed_key(tables, level, row, seat, key)


@inlined
def closed_key(tables: Tables, level: int, row: Row, seat: int, key: Any) -> Any:
    """The key once envido and flor are settled."""
    held, first, cards = row[HELD + seat], CARDS + HAND * seat, np.int64(0)
    count = 0
    for place in range(HAND):
        if held >> place & 1:
            cards = cards << 4 | tables.strength[row[first + place]]
            count += 1
    facing = np.int64(row[FACING])
    if row[PLAYS] == LAST_ANSWER and count == 1:
        cards, facing = np.int64(1 + tables.result[facing, cards]), np.int64(0)
    elif row[PLAYS] % 2 == 0:
        facing = np.int64(0)
    key = key << 12 | cards
    key = key << 4 | facing
    for past in range(2):
        key = key << 4 | past_card(tables, level, row, past)
    return (key << 6 | shown_code(level, row, seat)) << 1


@inlined
def past_card(tables: Tables, level: int, row: Row, number: int) -> Any:
    """The winning card of a past round, exactly or by bucket; 0 if that round is not over."""
    if row[PLAYS] < 2 * number + 2:
        return np.int64(0)
    power = max(power_on_table(tables, row, 2 * number), power_on_table(tables, row, 2 * number + 1))
    return power if level == EXACT else BUCKETS[power]


@inlined
def shown_code(level: int, row: Row, seat: int) -> Any:
    """What the end of envido or flor tells a seat about the other."""
    settled, points = row[SETTLED], np.int64(row[SHOWN + 1 - seat]) - 1
    if level == COARSEST or settled == NOTHING_SETTLED:
        return np.int64(0)
    if settled == FLOR_SETTLED:
        if not row[CONDITIONS + MAO_FLOR + 1 - seat]:
            return np.int64(OTHER_HAS_NONE)
        return np.int64(OTHER_HAS_FLOR) if level < EXACT or points < 0 else 14 + points
    if settled != ACCEPTED:
        return np.int64(1) if settled == DECLINED + seat else np.int64(2)
    if points < 0:
        return np.int64(3)
    if level == EXACT:
        return points if points >= ENVIDO_BUCKETS[0] else 12 + points
    code = np.int64(4)
    for least in ENVIDO_BUCKETS:
        code += points >= least
    return code
