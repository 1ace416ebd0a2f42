"""What each action is worth at each information set of a solution: made from samples, saved, looked up.

*Points* are the mean difference of points from the decision on, for the seat to act, when it takes the
action and both seats then play the solution. *Chance* is that of winning the match from the present
score, when the same goes on in all hands that follow.

A mean of few samples is noise. So what an action gains over the strategy itself counts only as far as it
exceeds its standard error: of a gain `g` with error `e`, `g * (1 - e² / g²)` remains, and nothing of a gain
that is smaller than its error. Information sets with fewer than `LEAST_VISITS` samples are left out.

A chance needs more than a mean. The values have, by public state and action, the distribution of points
won and that of points lost; the mean of the information set says how likely the seat is to win. Faltas
are counted apart, because what they pay depends on the score.
"""

from __future__ import annotations

import hashlib
import lzma
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.truco.compiled.stepper import (
    CARDS,
    FIRST_CALL,
    HAND,
    HELD,
    SCORES,
    STATE,
    Row,
    copy_row,
)
from retruco.games.truco.compiled.tables import (
    BY_SCORE_BIT,
    NO_AWARD,
    POINTS_SHIFT,
    SEAT_BIT,
    Tables,
    tables_for,
)
from retruco.games.truco.game import Truco
from retruco.solver.files import (
    SOLUTION,
    Solution,
    byte_planes,
    keys_of,
    pack_arrays,
    read_file,
    read_solution,
    unpack_arrays,
    write_file,
)
from retruco.solver.policy import UNKNOWN, Policy, find_key, make_policy, starts
from retruco.solver.truco.abstraction import Abstraction, advance, information_key, solver_actions
from retruco.solver.truco.sampling import (
    LOST,
    MOST_POINTS,
    NETS,
    POINTS,
    WHOLE_MATCH,
    WON,
    Sample,
    column_of,
    events_of,
    sample_outcomes,
    sample_values,
)

VALUES: Final = "retruco values 1"
LEAST_VISITS: Final = 20
DEALS: Final = 400_000
HANDS: Final = 1_000_000
"""How many deals are explored, and how many hands are played for outcomes, if nothing else is asked for."""
STEPS: Final = np.array([0.02, 0.001, 0.001])
"""How finely each part of a result is saved: points, faltas won, faltas lost."""
NOT_ENOUGH_SAMPLES: Final = 0
NONE_LOST: Final = 1


class Values(NamedTuple):
    """What actions are worth; compiled code takes it as it is."""

    sets: Policy
    """The keys and the places of their actions; its probabilities mean nothing."""
    base: NDArray[np.float32]
    """By key and part: what the strategy itself is worth."""
    gain: NDArray[np.float32]
    """By place of an action and part: what the action is worth more."""
    shape: NDArray[np.float64]
    """By family, column and difference of points: the distribution among hands won (above 0), and among the others."""
    ups: NDArray[np.float64]
    """By family and column: the mean of hands won, 0 if there are none."""
    downs: NDArray[np.float64]
    """By family and column: the mean of the others, `NONE_LOST` if there are none."""
    match: NDArray[np.float64]
    """By score of the mão and of the other: the mão's chance to win the match."""
    falta: NDArray[np.int64]
    """By seat that wins it, score of the mão and of the other: what a falta pays."""


class ValuesFile(NamedTuple):
    """Values and what they were made from."""

    level: str
    """The abstraction of their keys."""
    values: Values
    deals: int
    hands: int
    seed: int


# Making


def make_values(
    solution: Solution,
    deals: int = DEALS,
    hands: int = HANDS,
    seed: int = 1,
    level: str = "xs",
    begin: NDArray[np.int32] | None = None,
) -> ValuesFile:
    """Sample what the actions of a solution of Truco are worth; keys are of the abstraction `level`.

    `begin` has rows to begin with instead of dealing.
    """
    facts = solution.facts
    game = Truco.named(facts.rules, facts.target)
    sample = sample_values(game, facts.abstraction, solution.policy, deals, seed, level, begin)
    paid, shapes = sample_outcomes(game, facts.abstraction, solution.policy, hands, seed)
    arrays = {**pack_sample(sample), "shapes": pack_shapes(shapes), "match": match_chances(game, paid)}
    return ValuesFile(level, values_of(game, arrays), deals, hands, seed)


def value_solution(solution: Path, deals: int = DEALS, hands: int = HANDS, seed: int = 1) -> Path:
    """Make the values of a solution file and write them beside it; return where."""
    write_values(values_file(solution), solution, make_values(read_solution(solution), deals, hands, seed))
    return values_file(solution)


def write_values(file: Path, solution: Path, made: ValuesFile) -> None:
    """Write the values of a solution file."""
    facts = {**asdict(read_solution(solution).facts), "solution": body_digest(solution)}
    made_from = {name: getattr(made, name) for name in ("level", "deals", "hands")}
    write_file(file, VALUES, {**facts, **made_from, "values_seed": made.seed}, pack(made.values))


def values_file(solution: Path) -> Path:
    """Where the values of a solution lie: beside it.

    >>> values_file(Path("mine.solution")).name
    'mine.values'
    """
    return solution.with_name(f"{solution.stem}.values")


def body_digest(solution: Path) -> str:
    """What names a solution for its values."""
    return hashlib.sha256(read_file(solution, SOLUTION, "a solution")[1]).hexdigest()[:16]


def pack_sample(sample: Sample) -> dict[str, NDArray[Any]]:
    """The information sets with enough samples, keys ascending, as whole numbers of `STEPS`."""
    order = np.argsort(sample.keys, kind="stable")
    order = order[sample.visits[order] >= LEAST_VISITS]
    counts = sample.counts[order]
    places = np.repeat(starts(sample.counts)[order] - starts(counts), counts) + np.arange(counts.sum())
    visits = sample.visits[order]
    gain = believable_gain(sample, places, np.repeat(visits, counts))
    base = sample.total[order] / visits[:, None]
    return {
        "keys": sample.keys[order],
        "counts": counts,
        "base": np.rint(base / STEPS).astype(np.int16),
        "gain": np.rint(gain / STEPS).astype(np.int16),
    }


def believable_gain(
    sample: Sample, places: NDArray[np.int64], visits: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Mean gains, less what is noise."""
    mean = sample.gain[places] / visits[:, None]
    variance = (sample.square[places] / visits[:, None] - mean**2) / (visits[:, None] - 1)
    share = 1 - np.divide(np.maximum(variance, 0), mean**2, out=np.ones_like(mean), where=mean != 0)
    believable: NDArray[np.float64] = mean * np.maximum(share, 0)
    return believable


def pack_shapes(shapes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Counts as shares of those won and of the others, in 1/10,000."""
    is_won = np.arange(NETS) > MOST_POINTS
    shares = normalised(shapes * is_won) + normalised(shapes * ~is_won)
    return np.rint(shares * 10_000).astype(np.uint16)


def normalised(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Counts as shares of the sum over the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    shares: NDArray[np.float64] = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    return shares


def values_of(game: Truco, arrays: dict[str, NDArray[Any]]) -> Values:
    """Values that can be looked up."""
    keys, counts = arrays["keys"], arrays["counts"]
    nets = np.arange(NETS) - MOST_POINTS
    up, down = (normalised(arrays["shapes"] * side) for side in (nets > 0, nets <= 0))
    return Values(
        make_policy(keys, counts, np.zeros(int(counts.sum()))),
        (arrays["base"] * STEPS).astype(np.float32),
        (arrays["gain"] * STEPS).astype(np.float32),
        up + down,
        up @ nets,
        np.where(down.sum(axis=2) > 0, down @ nets, NONE_LOST),
        arrays["match"].astype(np.float64),
        falta_points(tables_for(game)),
    )


def falta_points(tables: Tables) -> NDArray[np.int64]:
    """By seat that wins a falta and by score: what it pays; everything where the score does not matter."""
    paid = np.full((2, tables.target, tables.target), tables.target, dtype=np.int64)
    for award in sorted({int(award) for award in tables.awards.flat if award != NO_AWARD}, reverse=True):
        if award & BY_SCORE_BIT:
            paid[award & SEAT_BIT] = tables.by_score[award >> POINTS_SHIFT]
    return paid


def match_chances(game: Truco, paid: NDArray[np.int64]) -> NDArray[np.float32]:
    """The mão's chance to win the match by its score and the other's, when hands are paid like these."""
    codes, counts = np.unique(paid, return_counts=True)
    hands = [(events_of(int(code)), count / len(paid)) for code, count in zip(codes, counts, strict=True)]
    target, falta = game.target, falta_points(tables_for(game))
    chances = np.zeros((target, target))
    for total in range(2 * target - 2, -1, -1):
        for mine in range(max(0, total - target + 1), min(total, target - 1) + 1):
            score = (mine, total - mine)
            chances[score] = sum(
                share * chance_after(chances, falta, score, events) for events, share in hands
            )
    return chances.astype(np.float32)


def chance_after(
    chances: NDArray[np.float64],
    falta: NDArray[np.int64],
    score: tuple[int, int],
    events: list[tuple[int, int]],
) -> float:
    """The mão's chance to win the match after a hand that was paid like this; then the other is mão."""
    board = list(score)
    for seat, points in events:
        board[seat] += int(falta[seat][tuple(board)]) if points == WHOLE_MATCH else points
        if board[seat] >= len(chances):
            return float(seat == 0)
    return 1 - float(chances[board[1], board[0]])


# Files


def pack(values: Values) -> bytes:
    """Values as bytes; numbers lie by byte, which packs well."""
    shape = np.rint(values.shape * 10_000).astype(np.uint16)
    return lzma.compress(
        pack_arrays(
            {
                "keys": byte_planes(values.sets.key),
                "counts": values.sets.actions,
                "base": planes_of(values.base),
                "gain": planes_of(values.gain),
                "shapes": shape,
                "match": values.match.astype(np.float32),
            }
        ),
        preset=9,
    )


def planes_of(parts: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Whole numbers of `STEPS`, part by part, low bytes first."""
    whole = np.ascontiguousarray(np.rint(parts / STEPS).astype("<i2").T)
    return np.ascontiguousarray(whole.view(np.uint8).reshape(len(STEPS), -1, 2).transpose(0, 2, 1))


def parts_of(planes: NDArray[np.uint8]) -> NDArray[np.int16]:
    """What `planes_of` wrote, in steps."""
    whole = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<i2")
    return np.ascontiguousarray(whole.reshape(len(STEPS), -1).T)


def check_values(file: Path, solution: Path) -> tuple[dict[str, Any], bytes]:
    """Refuse a file that is damaged, or has the values of another solution; return its facts and body."""
    facts, body = read_file(file, VALUES, "a file of values")
    if facts.get("solution") != body_digest(solution):
        raise ValueError(f"{file} has the values of another solution than {solution}")
    return facts, body


def read_values(file: Path, solution: Path) -> ValuesFile:
    """Read the values of a solution; refuse those of another one."""
    facts, body = check_values(file, solution)
    try:
        game = Truco.named(facts["rules"], facts["target"])
        found = unpack_arrays(lzma.decompress(body))
        arrays = {name: found[name] for name in ("counts", "shapes", "match")}
        arrays |= {name: parts_of(found[name]) for name in ("base", "gain")}
        values = values_of(game, {**arrays, "keys": keys_of(found["keys"])})
        made_from = (facts[name] for name in ("deals", "hands", "values_seed"))
        return ValuesFile(facts["level"], values, *made_from)
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{file} has no values that this version reads: {error}") from None


NO_VALUES: Final = Values(
    make_policy(np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0)),
    base=np.zeros((0, len(STEPS)), np.float32),
    gain=np.zeros((0, len(STEPS)), np.float32),
    shape=np.zeros((0, 0, NETS)),
    ups=np.zeros((0, 0)),
    downs=np.zeros((0, 0)),
    match=np.zeros((0, 0)),
    falta=np.zeros((2, 0, 0), np.int64),
)
"""Values that know nothing."""


# Looking up, in compiled code


@compiled_step
def write_worth(
    tables: Tables,
    abstraction: Abstraction,
    values: Values,
    row: Row,
    actions: Row,
    points: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> int:
    """Write down the actions that the solver considers and what each is worth; return how many.

    That is `NOT_ENOUGH_SAMPLES` where the values do not have the information set.
    """
    count = solver_actions(tables, row, actions)
    place = find_key(values.sets, information_key(tables, abstraction, row))
    if place == UNKNOWN or values.sets.actions[place] != count:
        return NOT_ENOUGH_SAMPLES
    for at in range(count):
        points[at], chances[at] = worth_of(tables, abstraction, values, row, place, at, actions[at])
    return count


@compiled_step
def worth_of(
    tables: Tables, abstraction: Abstraction, values: Values, row: Row, place: int, at: int, action: int
) -> tuple[float, float]:
    """What the action at some place of an information set is worth: points, and the chance to win the match."""
    seat = np.int64(tables.actor[row[STATE]])
    base, gain = values.base[place], values.gain[values.sets.first[place] + at]
    points = float(base[POINTS] + gain[POINTS])
    won = min(max(float(base[WON] + gain[WON]), 0.0), 1.0)
    lost = min(max(float(base[LOST] + gain[LOST]), 0.0), 1.0 - won)
    mine, other = np.int64(row[SCORES + seat]), np.int64(row[SCORES + 1 - seat])
    gets = values.falta[seat, row[SCORES], row[SCORES + 1]]
    gives = values.falta[1 - seat, row[SCORES], row[SCORES + 1]]
    chance = (1.0 - won - lost) * chance_of_points(
        values, abstraction.family[row[STATE]], column_of(action), points, seat, mine, other
    )
    chance += won * match_chance(values, seat, mine + gets, other)
    chance += lost * match_chance(values, seat, mine, other + gives)
    return points + won * gets - lost * gives, chance


@compiled_step
def chance_of_points(
    values: Values, family: int, column: int, points: float, seat: Any, mine: Any, other: Any
) -> float:
    """The chance to win the match if an action gives so many points in the mean."""
    up, down = values.ups[family, column], values.downs[family, column]
    if up == 0 and down == NONE_LOST:
        return chance_of_mean(values, points, seat, mine, other)
    share = share_won(up, down, points)
    chance = 0.0
    for net in range(-MOST_POINTS, MOST_POINTS + 1):
        weight = values.shape[family, column, net + MOST_POINTS]
        if weight > 0:
            weight *= share if net > 0 else 1 - share
            chance += weight * net_chance(values, seat, mine, other, net)
    return chance


@compiled_step
def share_won(up: float, down: float, points: float) -> float:
    """How many hands are won, if those won give `up` points in the mean and the others `down`."""
    if up == 0:
        return 0.0
    return 1.0 if down == NONE_LOST else min(max((points - down) / (up - down), 0.0), 1.0)


@compiled_step
def chance_of_mean(values: Values, points: float, seat: Any, mine: Any, other: Any) -> float:
    """The chance to win the match where nothing but the mean of points is known."""
    below = int(np.floor(points))
    share = points - below
    lower = net_chance(values, seat, mine, other, below)
    return (1 - share) * lower + share * net_chance(values, seat, mine, other, below + 1)


@compiled_step
def net_chance(values: Values, seat: Any, mine: Any, other: Any, net: int) -> float:
    """The chance to win the match after a hand that changes the difference of points by so much."""
    return match_chance(values, seat, mine + max(net, 0), other + max(-net, 0))


@compiled_step
def match_chance(values: Values, seat: Any, mine: Any, other: Any) -> float:
    """The chance to win the match at a score after this hand; the other seat is mão then."""
    target = len(values.match)
    if mine >= target:
        return 1.0
    if other >= target:
        return 0.0
    return float(1.0 - values.match[other, mine] if seat == 0 else values.match[mine, other])


@compiled_step
def worth_elsewhere(
    tables: Tables, abstraction: Abstraction, values: Values, row: Row, action: int, room: Row, changed: Row
) -> tuple[float, float]:
    """What an action is worth that the solver does not consider; not a number if that is unknown.

    Going to the deck costs what the rules say. A card is worth what one of equal strength is. A card face
    down is worth what a four is in its place: both lose to nearly everything. `room` and `changed` are room
    for actions and for a row.
    """
    seat = np.int64(tables.actor[row[STATE]])
    copy_row(changed, row)
    if action >= FIRST_CALL:
        advance(tables, changed, action)
        if changed[STATE] >= 0:
            return np.nan, np.nan
        mine, other = np.int64(changed[SCORES + seat]), np.int64(changed[SCORES + 1 - seat])
        net = mine - row[SCORES + seat] - (other - row[SCORES + 1 - seat])
        return float(net), match_chance(values, seat, mine, other)
    first, chosen = CARDS + HAND * seat, action % HAND
    if action >= HAND:
        chosen = put_four(tables, changed, seat, chosen)
    power = tables.strength[changed[first + chosen]]
    count = solver_actions(tables, changed, room)
    place = find_key(values.sets, information_key(tables, abstraction, changed))
    if place == UNKNOWN or values.sets.actions[place] != count:
        return np.nan, np.nan
    for at in range(count):
        if room[at] < HAND and tables.strength[changed[first + room[at]]] == power:
            return worth_of(tables, abstraction, values, changed, place, at, room[at])
    return np.nan, np.nan


@compiled_step
def put_four(tables: Tables, row: Row, seat: Any, chosen: int) -> int:
    """Put a four in the place of a card in hand, the weakest last; return where it is."""
    first, held = CARDS + HAND * seat, HELD + seat
    bits = row[held] & ~(1 << chosen)
    for place in range(chosen, HAND - 1):
        row[first + place] = row[first + place + 1]
        bits = bits & ~(1 << place) | (bits >> 1 & 1 << place)
    row[held] = bits | 1 << HAND - 1
    for card in range(len(tables.strength)):
        if tables.strength[card] == 1:
            row[first + HAND - 1] = card
    return HAND - 1
