"""The exact best response to a strategy at Truco, hand by hand, and how exploitable that makes the strategy.

For one hand of the responder, all hands of the other seat are followed at once through everything that
can be played. They are grouped by type: strengths of the cards, envido and flor points. Each type has a
weight, the number of its hands that the responder's cards leave, times the probability that the
strategy plays like this with it. Once envido and flor are settled, only the strengths still held
distinguish types. In its own turn the responder takes what is worth most to it. It may do all
that the rules allow, and sees exact strengths and all points shown; so what it finds is
measured outside the abstraction of the strategy.

*Exploitability* is the mean, over both seats and over hands, of what the best response wins more than
the strategy itself with the same hand. It is estimated from a systematic sample of hands.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_loop, compiled_step
from retruco.games.truco.compiled.automaton import ENVIDO, FLOR, MAO_FLOR, PE_FLOR
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    ALL_HELD,
    CARD_COLUMNS,
    CARDS,
    CONDITIONS,
    DECK,
    FIRST_CALL,
    HAND,
    HELD,
    STATE,
    Row,
    copy_row,
)
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.estimates import NORMAL_95
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import (
    ENVIDO_POINTS,
    FLOR_POINTS,
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    begin_hand,
    hand_value,
    solver_actions,
)
from retruco.solver.truco.strategy import fill_strategy
from retruco.streams import Stream

CLASSES: Final = 15
FACE_DOWN_MOVE: Final = 0
FIRST_CALL_MOVE: Final = CLASSES
MOVES: Final = FIRST_CALL_MOVE + ACTIONS - FIRST_CALL
"""What the other seat is seen to do: a card face down, a card by its strength, or a call."""
NOT_SHOWN: Final = 0
GROUPS: Final = 64
NODES: Final = 0


class HandTypes(NamedTuple):
    """The hands of the other seat by type; compiled code takes it as it is."""

    cards: NDArray[np.int32]
    """By type: the cards of one such hand, in order of strength."""
    envido: NDArray[np.int32]
    flor: NDArray[np.int32]


class ResponseWork(NamedTuple):
    """Room for one search, by depth; compiled code takes it as it is."""

    rows: NDArray[np.int32]
    actions: NDArray[np.int32]
    size: NDArray[np.int64]
    """By depth: how many types are still possible."""
    kind: NDArray[np.int32]
    """By depth and place: the type."""
    held: NDArray[np.int8]
    """By depth and place: its cards that have not been played, as bits."""
    weight: NDArray[np.float64]
    first: NDArray[np.int64]
    """By depth and move: where the choices begin that make it; choices are sorted by move."""
    chooser: NDArray[np.int32]
    """By depth and choice: the place of the type that makes it."""
    chance: NDArray[np.float64]
    """By depth and choice: its probability."""
    listed: NDArray[np.int32]
    """Room to sort choices: the move and the place of the type."""
    listed_chance: NDArray[np.float64]
    is_own: NDArray[np.bool_]
    """By depth: whether the responder decides."""
    moves: NDArray[np.int64]
    """By depth: how many moves there are to look at."""
    move: NDArray[np.int64]
    """By depth: the move that is being followed."""
    group: NDArray[np.int64]
    """By depth: the group of types that is being followed."""
    value: NDArray[np.float64]
    """By depth: what the move is worth so far, by the best response."""
    own_value: NDArray[np.float64]
    """By depth: what it is worth by the strategy itself."""
    best: NDArray[np.float64]
    """By depth: what all moves so far are worth by the best response."""
    self_play: NDArray[np.float64]
    """By depth: what they are worth by the strategy itself."""
    place_of_code: NDArray[np.int32]
    """By strengths held: the place of the type, where `code` has them, too."""
    code: NDArray[np.int64]
    mixture: NDArray[np.float64]
    """By depth and action: the strategy of the responder's own seat."""
    counters: NDArray[np.int64]
    """How many decisions have been looked at."""


class Exploitability(NamedTuple):
    """An estimate with half the width of its 95 % interval."""

    mean: float
    margin: float
    gains: tuple[float, float]
    """What the best response gains as mão, and as the other seat."""
    hands: int
    """How many hands were sampled for each seat."""

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.margin:.3f} points per hand ({self.hands} hands for each seat)"


def measure_exploitability(game: Truco, level: str, policy: Policy, hands: int, seed: int) -> Exploitability:
    """Sample hands and find the exact best response with each of them."""
    gains = np.array(
        [
            [response_gain(game, level, policy, hand, seat)[0] for hand in sample_hands(hands, seed)]
            for seat in (0, 1)
        ]
    )
    means, variance = gains.mean(axis=1), gains.var(axis=1, ddof=1) / gains.shape[1]
    margin = NORMAL_95 * float(np.sqrt(variance.sum())) / 2
    return Exploitability(float(means.mean()), margin, (float(means[0]), float(means[1])), gains.shape[1])


def sample_hands(count: int, seed: int) -> list[tuple[int, ...]]:
    """A systematic sample of all hands, from a random start."""
    if count < 2:
        raise ValueError(f"exploitability needs a sample of at least 2 hands, not {count}")
    hands = list(combinations(range(DECK), HAND))
    start = Stream("exploitability", seed).random()
    return [hands[int((place + start) * len(hands) / count)] for place in range(count)]


def response_gain(
    game: Truco, level: str, policy: Policy, hand: tuple[int, ...], seat: int
) -> tuple[float, float]:
    """What the best response with a hand gains, in points per hand, and what the strategy itself is worth."""
    tables = tables_for(game)
    kinds, counts = hand_types(tables, hand)
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    row[CARDS + HAND * seat : CARDS + HAND * seat + HAND] = hand
    row[CARDS + HAND * (1 - seat) : CARDS + HAND * (1 - seat) + HAND] = kinds.cards[0]
    begin_hand(tables, row)
    held = np.full(len(counts), ALL_HELD, dtype=np.int8)
    best, own = respond_from(game, level, policy, row, seat, kinds, held, counts / counts.sum())
    return best - own, own


def respond_from(
    game: Truco,
    level: str,
    policy: Policy,
    row: Row,
    seat: int,
    kinds: HandTypes,
    held: NDArray[np.int8],
    weights: NDArray[np.float64],
) -> tuple[float, float]:
    """What the best response and the strategy itself are worth to a seat, in a hand that the row describes.

    The other seat may have a hand of each type, with some weight; `held` says which of its cards it still holds.
    """
    tables = tables_for(game)
    work = make_work(tables, len(weights))
    work.rows[0] = row
    work.size[0] = len(weights)
    work.kind[0], work.weight[0], work.held[0] = np.arange(len(weights)), weights, held
    return respond(tables, abstraction_for(game, level), policy, kinds, work, seat)


def hand_types(tables: Tables, hand: tuple[int, ...]) -> tuple[HandTypes, NDArray[np.int64]]:
    """The types of hands that some cards leave to the other seat, and how many hands each has."""
    rest = [card for card in range(DECK) if card not in hand]
    others = np.array(list(combinations(rest, HAND)), dtype=np.int32)
    strengths = tables.strength[others]
    others = np.take_along_axis(others, np.argsort(-strengths, axis=1, kind="stable"), axis=1)
    places = others[:, 0], others[:, 1], others[:, 2]
    envido, flor = tables.envido[places], tables.flor[places]
    codes = np.column_stack((tables.strength[others], envido, flor))
    _, first, counts = np.unique(codes, axis=0, return_index=True, return_counts=True)
    kinds = HandTypes(others[first], envido[first].astype(np.int32), flor[first].astype(np.int32))
    return kinds, counts


def make_work(tables: Tables, types: int) -> ResponseWork:
    """Room for a search over so many types."""
    depth = tables.longest + 1
    return ResponseWork(
        rows=np.zeros((depth, SOLVER_ROW), dtype=np.int32),
        actions=np.zeros((depth, ACTIONS), dtype=np.int32),
        size=np.zeros(depth, dtype=np.int64),
        kind=np.zeros((depth, types), dtype=np.int32),
        held=np.zeros((depth, types), dtype=np.int8),
        weight=np.zeros((depth, types)),
        first=np.zeros((depth, MOVES + 1), dtype=np.int64),
        chooser=np.zeros((depth, types * ACTIONS), dtype=np.int32),
        chance=np.zeros((depth, types * ACTIONS)),
        listed=np.zeros((types * ACTIONS, 2), dtype=np.int32),
        listed_chance=np.zeros(types * ACTIONS),
        is_own=np.zeros(depth, dtype=np.bool_),
        moves=np.zeros(depth, dtype=np.int64),
        move=np.zeros(depth, dtype=np.int64),
        group=np.zeros(depth, dtype=np.int64),
        value=np.zeros(depth),
        own_value=np.zeros(depth),
        best=np.zeros(depth),
        self_play=np.zeros(depth),
        place_of_code=np.zeros(1 << 4 * HAND, dtype=np.int32),
        code=np.zeros(types, dtype=np.int64),
        mixture=np.zeros((depth, ACTIONS)),
        counters=np.zeros(1, dtype=np.int64),
    )


@compiled_loop
def respond(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    kinds: HandTypes,
    work: ResponseWork,
    seat: int,
) -> tuple[float, float]:
    """What the best response and the strategy itself are worth, summed over the weights of the other's types."""
    depth, returns = 0, False
    best, own = 0.0, 0.0
    while True:
        if not returns and work.rows[depth, STATE] < 0:
            best = end_value(tables, work, depth, seat)
            own, returns = best, True
        elif not returns:
            list_moves(tables, abstraction, policy, kinds, work, depth, seat)
        if returns:
            if depth == 0:
                return best, own
            depth -= 1
            work.value[depth] += best
            work.own_value[depth] += own
        if follow_next(tables, abstraction, kinds, work, depth, seat):
            depth, returns = depth + 1, False
        else:
            best, own, returns = work.best[depth], work.self_play[depth], True


@compiled_step
def end_value(tables: Tables, work: ResponseWork, depth: int, seat: int) -> float:
    """What a finished hand is worth to the responder, by the weight of all types that end it like this."""
    total = 0.0
    for place in range(work.size[depth]):
        total += work.weight[depth, place]
    value = hand_value(tables, work.rows[depth]) * total
    return value if seat == 0 else -value


@compiled_step
def list_moves(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    kinds: HandTypes,
    work: ResponseWork,
    depth: int,
    seat: int,
) -> None:
    """Begin with a decision: list what can be done, none of it followed yet."""
    row = work.rows[depth]
    work.counters[NODES] += 1
    work.is_own[depth] = tables.actor[row[STATE]] == seat
    if work.is_own[depth]:
        count = solver_actions(tables, row, work.actions[depth])
        fill_strategy(tables, abstraction, policy, row, work.actions[depth], count, work.mixture[depth])
        work.moves[depth], work.best[depth] = count, -np.inf
    else:
        other_moves(tables, abstraction, policy, kinds, work, depth, 1 - seat)
        work.moves[depth], work.best[depth] = MOVES, 0.0
    work.self_play[depth] = 0.0
    work.move[depth], work.group[depth] = 0, -1
    work.value[depth], work.own_value[depth] = 0.0, 0.0


@compiled_step
def follow_next(
    tables: Tables, abstraction: Abstraction, kinds: HandTypes, work: ResponseWork, depth: int, seat: int
) -> bool:
    """Prepare the next depth for the next group of types after a move; tell whether there is one."""
    row, following = work.rows[depth], work.rows[depth + 1]
    while work.move[depth] < work.moves[depth]:
        move = work.move[depth]
        action = work.actions[depth, move] if work.is_own[depth] else action_of(move)
        condition = condition_of(tables, row, action)
        while work.group[depth] + 1 < (GROUPS if splits(condition, seat) else 1):
            work.group[depth] += 1
            group = work.group[depth]
            if gather(tables, kinds, work, depth, condition, seat):
                set_group(following, row, condition, seat, group)
                if not work.is_own[depth] and move < FIRST_CALL_MOVE:
                    show_card(tables, kinds, work, depth + 1, 1 - seat, move)
                advance(tables, following, action)
                if following[STATE] >= 0 and not abstraction.is_open[following[STATE]]:
                    merge_types(tables, kinds, work, depth + 1)
                return True
        end_move(work, depth)
    return False


@compiled_step
def end_move(work: ResponseWork, depth: int) -> None:
    """Count what a move was worth, and go on to the next one."""
    if work.is_own[depth]:
        work.best[depth] = max(work.best[depth], work.value[depth])
        work.self_play[depth] += work.mixture[depth, work.move[depth]] * work.own_value[depth]
    else:
        work.best[depth] += work.value[depth]
        work.self_play[depth] += work.own_value[depth]
    work.move[depth] += 1
    work.group[depth] = -1
    work.value[depth], work.own_value[depth] = 0.0, 0.0


@compiled_step
def gather(
    tables: Tables, kinds: HandTypes, work: ResponseWork, depth: int, condition: int, seat: int
) -> bool:
    """Take the types of a group that make a move on to the next depth; tell whether there are any."""
    group = work.group[depth]
    if work.is_own[depth]:
        return gather_all(kinds, work, depth, condition, seat, group)
    return gather_move(tables, kinds, work, depth, condition, seat, group, work.move[depth])


# The strategy


@compiled_step
def other_moves(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    kinds: HandTypes,
    work: ResponseWork,
    depth: int,
    other: int,
) -> None:
    """Every move that a type still possible makes, sorted by move."""
    row, actions, mixture, first = (
        work.rows[depth],
        work.actions[depth],
        work.mixture[depth],
        work.first[depth],
    )
    listed = 0
    first[:] = 0
    for place in range(work.size[depth]):
        seat_type(kinds, row, other, work.kind[depth, place], work.held[depth, place])
        count = solver_actions(tables, row, actions)
        fill_strategy(tables, abstraction, policy, row, actions, count, mixture)
        for at in range(count):
            if mixture[at] > 0:
                move = move_of(tables, row, other, actions[at])
                work.listed[listed, 0], work.listed[listed, 1] = move, place
                work.listed_chance[listed] = mixture[at]
                first[move + 1] += 1
                listed += 1
    for move in range(MOVES):
        first[move + 1] += first[move]
    for at in range(listed):
        move = work.listed[at, 0]
        work.chooser[depth, first[move]] = work.listed[at, 1]
        work.chance[depth, first[move]] = work.listed_chance[at]
        first[move] += 1
    for move in range(MOVES, 0, -1):
        first[move] = first[move - 1]
    first[0] = 0


@compiled_step
def seat_type(kinds: HandTypes, row: Row, other: int, kind: int, held: int) -> None:
    """Give the other seat a hand of some type."""
    for card in range(HAND):
        row[CARDS + HAND * other + card] = kinds.cards[kind, card]
    row[HELD + other] = held
    row[ENVIDO_POINTS + other], row[FLOR_POINTS + other] = kinds.envido[kind], kinds.flor[kind]
    row[CONDITIONS + MAO_FLOR + other] = kinds.flor[kind] > 0


@compiled_step
def move_of(tables: Tables, row: Row, seat: int, action: int) -> Any:
    """What an action looks like from across the table."""
    if action >= FIRST_CALL:
        return FIRST_CALL_MOVE + action - FIRST_CALL
    if action >= HAND:
        return FACE_DOWN_MOVE
    return np.int64(tables.strength[row[CARDS + HAND * seat + action]])


@compiled_step
def action_of(move: int) -> int:
    """The action of a move; the card lies at the first place of the other's hand."""
    if move >= FIRST_CALL_MOVE:
        return move - FIRST_CALL_MOVE + FIRST_CALL
    return HAND if move == FACE_DOWN_MOVE else 0


@compiled_step
def show_card(
    tables: Tables, kinds: HandTypes, work: ResponseWork, depth: int, other: int, move: int
) -> None:
    """Put a card of the strength that was played at the first place of the other's hand."""
    kind = work.kind[depth, 0]
    for place in range(HAND):
        card = kinds.cards[kind, place]
        if move == FACE_DOWN_MOVE or tables.strength[card] == move:
            work.rows[depth, CARDS + HAND * other] = card
            return


# What a call depends on, and who remains possible after it


@compiled_step
def condition_of(tables: Tables, row: Row, action: int) -> Any:
    """What the outcome of a call depends on; nothing for a card, whose strength is known here."""
    if action < FIRST_CALL:
        return np.int64(0)
    edge = tables.edge[row[STATE], action - FIRST_CALL + CARD_COLUMNS]
    return np.int64(tables.condition[edge]) if edge >= 0 else np.int64(0)


@compiled_step
def splits(condition: int, seat: int) -> bool:
    """Whether the outcome tells something about the other's hand."""
    return condition in (ENVIDO, FLOR) or condition == (PE_FLOR if seat == 0 else MAO_FLOR)


@compiled_step
def group_of(kinds: HandTypes, row: Row, kind: int, condition: int, seat: int) -> Any:
    """What the outcome of a call shows of a type: its points and 1, or `NOT_SHOWN`; for a flor, whether it is one."""
    if condition == ENVIDO:
        mine, points = row[ENVIDO_POINTS + seat], kinds.envido[kind]
    elif condition == FLOR:
        mine, points = row[FLOR_POINTS + seat], kinds.flor[kind]
    else:
        return np.int64(kinds.flor[kind] > 0) if splits(condition, seat) else np.int64(NOT_SHOWN)
    is_shown = seat == 1 or points > mine
    return np.int64(points + 1) if is_shown else np.int64(NOT_SHOWN)


@compiled_step
def set_group(following: Row, row: Row, condition: int, seat: int, group: int) -> None:
    """Copy a row for the types of a group, with what the outcome of the call depends on."""
    copy_row(following, row)
    if not splits(condition, seat):
        return
    if condition in (ENVIDO, FLOR):
        points = ENVIDO_POINTS if condition == ENVIDO else FLOR_POINTS
        if group == NOT_SHOWN:
            following[CONDITIONS + condition] = 2
            return
        following[points + 1 - seat] = group - 1
        mao, other = following[points], following[points + 1]
        following[CONDITIONS + condition] = np.sign(mao - other) + 1
    else:
        following[CONDITIONS + condition] = group


@compiled_step
def gather_all(
    kinds: HandTypes, work: ResponseWork, depth: int, condition: int, seat: int, group: int
) -> bool:
    """Take the types of a group on to the next depth; tell whether there are any."""
    size = 0
    row = work.rows[depth]
    for place in range(work.size[depth]):
        kind = work.kind[depth, place]
        if group_of(kinds, row, kind, condition, seat) == group:
            work.kind[depth + 1, size] = kind
            work.held[depth + 1, size] = work.held[depth, place]
            work.weight[depth + 1, size] = work.weight[depth, place]
            size += 1
    work.size[depth + 1] = size
    return size > 0


@compiled_step
def gather_move(
    tables: Tables,
    kinds: HandTypes,
    work: ResponseWork,
    depth: int,
    condition: int,
    seat: int,
    group: int,
    move: int,
) -> bool:
    """Take the types of a group that make a move on to the next depth; tell whether there are any."""
    size = 0
    row = work.rows[depth]
    for choice in range(work.first[depth, move], work.first[depth, move + 1]):
        place = work.chooser[depth, choice]
        kind = work.kind[depth, place]
        if group_of(kinds, row, kind, condition, seat) == group:
            work.kind[depth + 1, size] = kind
            work.held[depth + 1, size] = held_after(tables, kinds, kind, work.held[depth, place], move)
            work.weight[depth + 1, size] = work.weight[depth, place] * work.chance[depth, choice]
            size += 1
    work.size[depth + 1] = size
    return size > 0


@compiled_step
def merge_types(tables: Tables, kinds: HandTypes, work: ResponseWork, depth: int) -> None:
    """Once envido and flor are settled, types that hold the same strengths play alike from here on: make them one."""
    size = 0
    for place in range(work.size[depth]):
        code = strengths_code(tables, kinds, work.kind[depth, place], work.held[depth, place])
        at = work.place_of_code[code]
        if at < size and work.code[at] == code:
            work.weight[depth, at] += work.weight[depth, place]
            continue
        work.place_of_code[code], work.code[size] = size, code
        work.kind[depth, size], work.held[depth, size] = work.kind[depth, place], work.held[depth, place]
        work.weight[depth, size] = work.weight[depth, place]
        size += 1
    work.size[depth] = size


@compiled_step
def strengths_code(tables: Tables, kinds: HandTypes, kind: int, held: int) -> Any:
    """The strengths that a type holds, as a number."""
    code = np.int64(0)
    for place in range(HAND):
        if held >> place & 1:
            code = code << 4 | tables.strength[kinds.cards[kind, place]]
    return code


@compiled_step
def held_after(tables: Tables, kinds: HandTypes, kind: int, held: int, move: int) -> Any:
    """The cards that a type still holds after a move: face down it plays its lowest."""
    if move >= FIRST_CALL_MOVE:
        return held
    chosen = -1
    for place in range(HAND):
        if held >> place & 1 and (
            move == FACE_DOWN_MOVE or (chosen < 0 and tables.strength[kinds.cards[kind, place]] == move)
        ):
            chosen = place
    return held & ~(1 << chosen)
