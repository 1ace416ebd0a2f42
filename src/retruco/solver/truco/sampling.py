"""What actions are worth by a solution, sampled: hands are dealt, and one seat tries all its actions.

The other seat plays the solution. At a decision of the seat that explores, every action is tried, and
both seats go on by the solution; the worth of a decision is the mean over its actions by their
probability. So the plain mean over samples weights the hidden cards by the other seat's reach. Once an
information set has enough samples, its decisions are played by the solution and no longer explored,
which leaves the time to those that have fewer.

A falta is worth more at the beginning of a match than at its end. So points that depend on the score,
or that are worth a whole match, are not added up but counted: how often the seat wins and loses them.

Hands are played to a far target: they do not end early, and `match_chances` applies them to any score.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below, random
from retruco.compiler import compiled, compiled_loop, compiled_step
from retruco.games.truco.compiled.automaton import COLUMNS
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARD_COLUMNS,
    DECK,
    FIRST_CALL,
    HAND,
    SCORES,
    STATE,
    Row,
    copy_row,
    legal_actions,
)
from retruco.games.truco.compiled.tables import BY_SCORE_BIT, NO_AWARD, POINTS_SHIFT, Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.policy import Policy, draw_action
from retruco.solver.policy import starts as first_places
from retruco.solver.truco.abstraction import (
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    deal_hand,
    information_key,
    solver_actions,
)
from retruco.solver.truco.infosets import (
    ACTIONS_EACH,
    InfosetIndex,
    find_or_add,
    grow_index,
    has_room,
    make_index,
)
from retruco.solver.truco.strategy import fill_strategy
from retruco.streams import begin_key

FAR_TARGET: Final = 1 << 20
WHOLE_MATCH: Final = 1000
"""What a falta pays while sampling, far more than all other points of a hand."""
POINTS, WON, LOST = 0, 1, 2
PARTS: Final = 3
"""What a result has: the points from here on without faltas, and whether a falta was won, and lost."""
ENOUGH: Final = 2000
"""How many samples of an information set are enough."""
MOST_POINTS: Final = 20
"""The greatest difference of points in a hand, faltas apart, that outcomes distinguish."""
NETS: Final = 2 * MOST_POINTS + 1
FIRST_ROOM: Final = 1 << 18
EVENT_BITS: Final = 6
LEAVES_EXPLORING: Final = 0.5


class Sums(NamedTuple):
    """What has been sampled, by information set; compiled code takes it as it is."""

    sets: InfosetIndex
    visits: NDArray[np.int64]
    """By first place of an information set."""
    total: NDArray[np.float64]
    """By first place of an information set and part: the worth of the decision."""
    gain: NDArray[np.float64]
    """By place of an action and part: what the action was worth more than the decision."""
    square: NDArray[np.float64]
    """By place of an action and part: the squares of that."""


class SamplingWork(NamedTuple):
    """Room for one hand in progress, by depth; compiled code takes it as it is."""

    begin: NDArray[np.int32]
    """The row of the hand at its beginning."""
    rows: NDArray[np.int32]
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    strategy: NDArray[np.float64]
    results: NDArray[np.float64]
    """By depth, action and part."""
    result: NDArray[np.float64]
    """By part: what the hand was worth that has just been played."""
    first: NDArray[np.int64]
    """By depth: the first place of the information set."""
    choices: NDArray[np.int64]
    place: NDArray[np.int64]
    deck: NDArray[np.int32]
    stream: StreamState


class Sample(NamedTuple):
    """All that `sample_values` has found; see `Sums`."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int8]
    visits: NDArray[np.int64]
    total: NDArray[np.float64]
    gain: NDArray[np.float64]
    square: NDArray[np.float64]


def sampling_tables(game: Truco) -> Tables:
    """The tables of a game to a far target, in which a falta pays `WHOLE_MATCH`."""
    tables = tables_for(game)
    is_plain = (tables.awards != NO_AWARD) & (tables.awards & BY_SCORE_BIT == 0)
    is_match = is_plain & (tables.awards >> POINTS_SHIFT >= game.target)
    last = len(tables.by_score)
    pays_match = (tables.awards & ((1 << POINTS_SHIFT) - 1)) | BY_SCORE_BIT | last << POINTS_SHIFT
    by_score = np.full((last + 1, *tables.by_score.shape[1:]), WHOLE_MATCH, dtype=tables.by_score.dtype)
    awards = np.where(is_match, pays_match, tables.awards).astype(tables.awards.dtype)
    return tables._replace(target=FAR_TARGET, by_score=by_score, awards=awards)


def sample_values(
    game: Truco,
    level: str,
    policy: Policy,
    deals: int,
    seed: int,
    value_level: str = "xs",
    starts: NDArray[np.int32] | None = None,
    enough: int = ENOUGH,
) -> Sample:
    """Deal so many hands and try what each seat can do, with keys of the abstraction `value_level`.

    `starts` are rows to begin with instead of dealing, drawn alike.
    """
    tables = sampling_tables(game)
    both = abstraction_for(game, level), abstraction_for(game, value_level)
    sums, work = empty_sums(make_index(FIRST_ROOM)), make_work(tables)
    rows = np.zeros((0, SOLVER_ROW), dtype=np.int32) if starts is None else starts
    key, done = np.uint64(begin_key(3, "values", seed)), 0
    while done < deals:
        done = explore_deals(tables, both, policy, sums, work, rows, key, (done, deals), enough)
        if not has_room(sums.sets):
            sums = larger_sums(sums)
    sets, places = (int(number) for number in sums.sets.used)
    counts = sums.sets.actions[:sets]
    first = first_places(counts)
    by_set = sums.sets.key[:sets], counts, sums.visits[first], sums.total[first]
    return Sample(*by_set, sums.gain[:places], sums.square[:places])


def empty_sums(index: InfosetIndex) -> Sums:
    """Sums of nothing, with room for all that an index can hold."""
    places = len(index.key) * ACTIONS_EACH
    parts = (np.zeros((places, PARTS)) for _ in range(3))
    return Sums(index, np.zeros(places, dtype=np.int64), *parts)


def larger_sums(sums: Sums) -> Sums:
    """The same sums with twice the room."""
    larger = empty_sums(grow_index(sums.sets))
    for new, old in zip(larger[1:], sums[1:], strict=True):
        new[: len(old)] = old
    return larger


def make_work(tables: Tables) -> SamplingWork:
    """Room for hands of some rules."""
    depth = tables.longest + 1
    return SamplingWork(
        begin=np.zeros(SOLVER_ROW, dtype=np.int32),
        rows=np.zeros((depth, SOLVER_ROW), dtype=np.int32),
        actions=np.zeros((depth, ACTIONS), dtype=np.int32),
        legal=np.zeros(ACTIONS, dtype=np.int32),
        strategy=np.zeros((depth, ACTIONS)),
        results=np.zeros((depth, ACTIONS, PARTS)),
        result=np.zeros(PARTS),
        first=np.zeros(depth, dtype=np.int64),
        choices=np.zeros(depth, dtype=np.int64),
        place=np.zeros(depth, dtype=np.int64),
        deck=np.zeros(DECK, dtype=np.int32),
        stream=np.zeros(1, dtype=np.uint64),
    )


@compiled_loop
def explore_deals(
    tables: Tables,
    both: tuple[Abstraction, Abstraction],
    policy: Policy,
    sums: Sums,
    work: SamplingWork,
    starts: NDArray[np.int32],
    key: Any,
    numbers: tuple[int, int],
    enough: int,
) -> int:
    """Explore deals from the first number up to the last, or until the table may be full; return how far it is."""
    done, last = numbers
    begin = work.begin
    while done < last and has_room(sums.sets):
        work.stream[0] = add_part(key, done)
        if len(starts):
            copy_row(begin, starts[below(work.stream, len(starts))])
        else:
            begin[SCORES], begin[SCORES + 1] = 0, 0
            deal_hand(tables, begin, work.stream, work.deck)
        for seat in range(2):
            copy_row(work.rows[0], begin)
            explore(tables, both, policy, sums, work, seat, enough)
        done += 1
    return done


@compiled_step
def explore(
    tables: Tables,
    both: tuple[Abstraction, Abstraction],
    policy: Policy,
    sums: Sums,
    work: SamplingWork,
    seat: int,
    enough: int,
) -> None:
    """Try all actions of one seat in the hand at depth 0. A depth is a decision of this seat."""
    depth, returns, result = 0, False, work.result
    while True:
        if not returns and not play_on(tables, both, policy, sums, work, depth, seat, enough):
            for part in range(PARTS):
                result[part] = paid_part(work.rows[depth], seat, part)
            returns = True
        if returns:
            if depth == 0:
                return
            depth -= 1
            for part in range(PARTS):
                work.results[depth, work.place[depth], part] = result[part]
        if work.place[depth] + 1 < work.choices[depth]:
            work.place[depth] += 1
            copy_row(work.rows[depth + 1], work.rows[depth])
            advance(tables, work.rows[depth + 1], work.actions[depth, work.place[depth]])
            depth, returns = depth + 1, False
        else:
            add_sample(sums, work, depth, seat, result)
            returns = True


@compiled_step
def play_on(
    tables: Tables,
    both: tuple[Abstraction, Abstraction],
    policy: Policy,
    sums: Sums,
    work: SamplingWork,
    depth: int,
    seat: int,
    enough: int,
) -> bool:
    """Play the row of a depth on to the next decision that is explored; tell whether there is one."""
    row, actions, strategy = work.rows[depth], work.actions[depth], work.strategy[depth]
    while row[STATE] >= 0:
        count = solver_actions(tables, row, actions)
        is_own = tables.actor[row[STATE]] == seat
        if count == 1 and not (is_own and legal_actions(tables, row, work.legal) > 1):
            advance(tables, row, actions[0])
            continue
        fill_strategy(tables, both[0], policy, row, actions, count, strategy)
        if is_own:
            first = find_or_add(sums.sets, information_key(tables, both[1], row), count)
            if sums.visits[first] < enough:
                work.first[depth], work.choices[depth], work.place[depth] = first, count, -1
                return True
        advance(tables, row, actions[draw_action(work.stream, strategy, count)])
    return False


@compiled_step
def paid_part(row: Row, seat: int, part: int) -> float:
    """A part of what has been paid in a hand so far, as one seat sees it."""
    mine, other = row[SCORES + seat], row[SCORES + 1 - seat]
    if part == POINTS:
        return float(mine % WHOLE_MATCH - other % WHOLE_MATCH)
    return float(mine // WHOLE_MATCH if part == WON else other // WHOLE_MATCH)


@compiled_step
def add_sample(
    sums: Sums,
    work: SamplingWork,
    depth: int,
    seat: int,
    mean: NDArray[np.float64],
) -> None:
    """Add what the actions of a decision were worth; `mean` becomes what the whole hand was worth by the strategy."""
    first, results, strategy = work.first[depth], work.results[depth], work.strategy[depth]
    sums.visits[first] += 1
    for part in range(PARTS):
        mean[part] = 0.0
        for place in range(work.choices[depth]):
            mean[part] += strategy[place] * results[place, part]
        sums.total[first, part] += mean[part] - paid_part(work.rows[depth], seat, part)
        for place in range(work.choices[depth]):
            gain = results[place, part] - mean[part]
            sums.gain[first + place, part] += gain
            sums.square[first + place, part] += gain * gain


# Whole hands by the solution


def sample_outcomes(
    game: Truco, level: str, policy: Policy, hands: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play hands by the solution; return how each was paid, and how actions turn out.

    How a hand was paid is one number, see `events_of`. How actions turn out are counts by family of
    public states, column of the action, and difference of points from there on; hands with a falta are left
    out.
    """
    tables, abstraction = sampling_tables(game), abstraction_for(game, level)
    paid = np.zeros(hands, dtype=np.int64)
    families = int(abstraction.family.max()) + 1
    shapes = np.zeros((families, len(COLUMNS), NETS), dtype=np.int64)
    key = np.uint64(begin_key(3, "outcomes", seed))
    play_hands(tables, abstraction, policy, key, paid, shapes)
    return paid, shapes


@compiled
def play_hands(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    key: Any,
    paid: NDArray[np.int64],
    shapes: NDArray[np.int64],
) -> None:
    """Play as many hands as there is room for; each three times: by the solution, and with each seat exploring."""
    begin, row = np.zeros(SOLVER_ROW, dtype=np.int32), np.zeros(SOLVER_ROW, dtype=np.int32)
    deck, stream = np.zeros(DECK, dtype=np.int32), np.zeros(1, dtype=np.uint64)
    actions, strategy = np.zeros(ACTIONS, dtype=np.int32), np.zeros(ACTIONS)
    for number in range(len(paid)):
        stream[0] = add_part(key, number)
        begin[SCORES], begin[SCORES + 1] = 0, 0
        deal_hand(tables, begin, stream, deck)
        copy_row(row, begin)
        paid[number] = play_whole_hand(tables, abstraction, policy, row, actions, strategy, stream)
        for seat in range(2):
            copy_row(row, begin)
            add_outcome(tables, abstraction, policy, row, actions, strategy, stream, seat, shapes)


@compiled_step
def play_whole_hand(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    row: Row,
    actions: Row,
    strategy: NDArray[np.float64],
    stream: StreamState,
) -> Any:
    """Play a hand by the solution; return how it was paid."""
    paid = np.int64(0)
    while row[STATE] >= 0:
        count = solver_actions(tables, row, actions)
        fill_strategy(tables, abstraction, policy, row, actions, count, strategy)
        mao, other = row[SCORES], row[SCORES + 1]
        advance(tables, row, actions[draw_action(stream, strategy, count)])
        paid = add_event(paid, row[SCORES] - mao, 0)
        paid = add_event(paid, row[SCORES + 1] - other, 1)
    return paid


@compiled_step
def add_outcome(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    row: Row,
    actions: Row,
    strategy: NDArray[np.float64],
    stream: StreamState,
    seat: int,
    shapes: NDArray[np.int64],
) -> None:
    """Let one seat act at random for a while, then play by the solution; count how the last random action turns out."""
    explores, family, column, before = True, -1, 0, 0.0
    while row[STATE] >= 0:
        count = solver_actions(tables, row, actions)
        if explores and tables.actor[row[STATE]] == seat:
            action = actions[below(stream, count)]
            family, column = abstraction.family[row[STATE]], column_of(action)
            before = paid_part(row, seat, POINTS)
            explores = random(stream) >= LEAVES_EXPLORING
        else:
            fill_strategy(tables, abstraction, policy, row, actions, count, strategy)
            action = actions[draw_action(stream, strategy, count)]
        advance(tables, row, action)
    if family >= 0 and row[SCORES] < WHOLE_MATCH and row[SCORES + 1] < WHOLE_MATCH:
        net = int(paid_part(row, seat, POINTS) - before)
        shapes[family, column, min(max(net, -MOST_POINTS), MOST_POINTS) + MOST_POINTS] += 1


@compiled_step
def column_of(action: int) -> int:
    """The column of an action: a card, a card face down, or a call."""
    return action // HAND if action < FIRST_CALL else action - FIRST_CALL + CARD_COLUMNS


@compiled_step
def add_event(paid: Any, points: Any, seat: int) -> Any:
    """Add a payment to the number that says how a hand was paid; no points are no payment."""
    if points == 0:
        return paid
    whole = (1 << EVENT_BITS - 1) - 1
    code = whole if points >= WHOLE_MATCH else min(points, whole - 1)
    return paid << EVENT_BITS | code << 1 | seat


def events_of(paid: int) -> list[tuple[int, int]]:
    """The payments of a hand in order: the seat, 0 for the mão, and the points, `WHOLE_MATCH` for a falta.

    >>> events_of(0b000100_000011)
    [(0, 2), (1, 1)]
    """
    events = []
    whole = (1 << EVENT_BITS - 1) - 1
    while paid:
        code = paid >> 1 & whole
        events.append((paid & 1, WHOLE_MATCH if code == whole else code))
        paid >>= EVENT_BITS
    return events[::-1]
