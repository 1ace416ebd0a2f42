"""The rule players compiled, and a table of them: a hand goes on until somebody has to be asked.

Every player here decides as its readable twin (`rulebot`, `simplebot`, `probes`) does, by the same thresholds and
the same chance; `tests/experiments/test_sandven.py` holds whole sittings against each other. A seat whose
player has no twin is asked once in a stage for its strategy, which is then carried out to the stage's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import nan
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.agents.holdem.rulebot import RuleBot, Thresholds
from retruco.agents.holdem.simplebot import LOOSE, starting
from retruco.compiled_streams import StreamState, add_part, random
from retruco.compiler import compiled, fixed_types
from retruco.games.holdem.compiled import (
    FAST,
    LIVE,
    NOBODY,
    POSITION,
    RAISES,
    SEATS,
    SIZE,
    STAGE,
    STEP_STAGE,
    STEPS,
    TO_ACT,
    HandArrays,
    Longs,
    Shorts,
    begin,
    board_of,
    call_or_check,
    count_behaviour,
    count_bits,
    fold_or_check,
    hand_arrays,
    hole_of,
    play,
    raise_or_call,
    seat_of,
    stage_profits,
    to_call,
)
from retruco.games.holdem.deck import CARDS
from retruco.games.holdem.rules import BOARD, MOST_SEATS, Rules
from retruco.vocab.holdem.kernel import AHEAD, BEHIND, TIED, potentials, standing
from retruco.vocab.holdem.starting import MOST_OPPONENTS, equity
from retruco.vocab.holdem.strategies import STRATEGIES

Floats: TypeAlias = NDArray[np.float64]

TWINS: Final = ("rulebot", "simplebot", "always-call", "always-raise")
"""The players that are compiled; a player is its place here."""
RULEBOT, SIMPLEBOT, ALWAYS_CALL, ALWAYS_RAISE = range(len(TWINS))
ASKED: Final = -1
"""In the place of a player: it has no twin, and is asked."""

UNKNOWN: Final = -1
"""In the place of a strategy: the seat has not been asked in this stage."""
MANNERS: Final = ("fold", "call", "raise")
"""How a strategy acts; see `vocab.holdem.strategies`."""

STARTING: Final = (None, "hold.call", "hold.raise")
"""What simplebot's list says of two cards."""


class TableArrays(NamedTuple):
    """A table, and the hand that is played at it."""

    hand: HandArrays
    players: Longs
    """Who plays, by seat."""
    strategies: Longs
    """What the seats that are asked play in each stage."""
    strength: Floats
    """By seat and stage, as far as somebody has asked: hand strength and positive potential."""
    ranking: Shorts
    equity: Floats
    """Of two cards against so many others before the flop."""
    limits: Thresholds
    """What a hand must be worth to rulebot."""
    loose: float
    """How often simplebot calls one bet with nothing."""
    starting: Longs
    """What simplebot's list says of two cards, by their places in `STARTING`."""
    manners: Longs
    """What each strategy does first, and when it acts again."""
    stream: StreamState
    pool: Longs


def table_arrays(rules: Rules, players: Sequence[str]) -> TableArrays:
    """Lay a table; players without a compiled twin are asked."""
    of_two = [
        ((first, second), (CARDS[first], CARDS[second])) for first, second in combinations(range(52), 2)
    ]
    worth, listed = np.zeros((52, 52, MOST_OPPONENTS)), np.zeros((52, 52), np.int64)
    for (first, second), hole in of_two:
        shares = [equity(hole, opponents + 1) for opponents in range(MOST_OPPONENTS)]
        worth[first, second] = worth[second, first] = shares
        listed[first, second] = listed[second, first] = STARTING.index(starting(hole))
    return TableArrays(
        hand_arrays(rules),
        np.array([TWINS.index(name) if name in TWINS else ASKED for name in players], np.int64),
        np.full((MOST_SEATS, len(BOARD)), UNKNOWN, np.int64),
        np.full((MOST_SEATS, len(BOARD), 2), nan),
        FAST,
        worth,
        RuleBot.limits,
        LOOSE,
        listed,
        np.array([[MANNERS.index(manner) for manner in both] for both in STRATEGIES.values()], np.int64),
        np.zeros(1, np.uint64),
        np.zeros(52, np.int64),
    )


# What a player looks at


@compiled
def opponents_of(hand: HandArrays) -> int:
    """How many others are still in."""
    return count_bits(hand.now[LIVE]) - 1


@compiled
def bets_to_call(hand: HandArrays) -> int:
    """How many bets the position to act faces, half a bet counting as one."""
    size = hand.rules[SIZE + hand.now[STAGE]]
    return int((to_call(hand) + size - 1) // size)


@compiled
def pot_of(hand: HandArrays) -> int:
    """What all have put in."""
    pot = 0
    for position in range(hand.rules[SEATS]):
        pot += int(hand.spent[position])
    return pot


@compiled
def price_of(hand: HandArrays) -> float:
    """The share of the pot that a call has to pay for."""
    return to_call(hand) / (pot_of(hand) + to_call(hand))


@compiled
def strength_of(table: TableArrays, seat: int) -> float:
    """The share of holdings that a seat beats on the board, ties counting half."""
    hand, known = table.hand, table.strength
    stage = hand.now[STAGE]
    if np.isnan(known[seat, stage, 0]):
        counts = standing(table.ranking, board_of(hand, stage), hole_of(hand, seat))
        whole = counts[AHEAD] + counts[TIED] + counts[BEHIND]
        known[seat, stage, 0] = (counts[AHEAD] + counts[TIED] / 2) / whole
    return float(known[seat, stage, 0])


@compiled
def positive_of(table: TableArrays, seat: int) -> float:
    """The chance that the next card puts a seat ahead."""
    hand, known = table.hand, table.strength
    stage = hand.now[STAGE]
    if stage == 3:
        return 0.0
    if np.isnan(known[seat, stage, 1]):
        known[seat, stage, 1] = potentials(table.ranking, board_of(hand, stage), hole_of(hand, seat))[0]
    return float(known[seat, stage, 1])


@compiled
def chance_of(table: TableArrays, seat: int) -> float:
    """The chance to be the best of those still in: equity before the flop, strength after."""
    hand, opponents = table.hand, opponents_of(table.hand)
    if hand.now[STAGE] == 0:
        return float(table.equity[hand.cards[2 * seat], hand.cards[2 * seat + 1], opponents - 1])
    return float(strength_of(table, seat) ** np.float64(opponents))


# The players


@compiled
def rulebot_before(table: TableArrays, seat: int) -> int:
    """See `RuleBot._before`."""
    hand, limits = table.hand, table.limits
    bets = bets_to_call(hand)
    worth = chance_of(table, seat) * (opponents_of(hand) + 1) - limits.dearer * max(0, bets - 1)
    if worth >= limits.raise_before:
        return raise_or_call(hand)
    return call_or_check(hand) if worth >= limits.call_before else fold_or_check(hand)


@compiled
def rulebot_after(table: TableArrays, seat: int) -> int:
    """See `RuleBot._after`."""
    hand, limits, chance = table.hand, table.limits, chance_of(table, seat)
    bets = bets_to_call(hand)
    if not bets:
        return raise_or_call(hand) if chance >= limits.bet else fold_or_check(hand)
    if chance >= (limits.raised if hand.now[RAISES] < 2 else limits.reraised):
        return raise_or_call(hand)
    if chance >= limits.call + limits.call_more * (bets - 1) or positive_of(table, seat) >= price_of(hand):
        return call_or_check(hand)
    return fold_or_check(hand)


@compiled
def simplebot_before(table: TableArrays, seat: int, stream: StreamState) -> int:
    """See `SimpleBot._before`."""
    hand = table.hand
    listed = table.starting[hand.cards[2 * seat], hand.cards[2 * seat + 1]]
    if listed:
        return raise_or_call(hand) if listed == 2 else call_or_check(hand)
    if bets_to_call(hand) <= 1 and random(stream) < table.loose:
        return call_or_check(hand)
    return fold_or_check(hand)


@compiled
def simplebot_after(table: TableArrays, seat: int, stream: StreamState) -> int:
    """See `SimpleBot._after`."""
    hand, rank = table.hand, chance_of(table, seat)
    if rank == 1:
        return raise_or_call(hand)
    if not to_call(hand):
        bets = random(stream) < rank**2 or random(stream) < positive_of(table, seat)
        return raise_or_call(hand) if bets else fold_or_check(hand)
    if random(stream) < rank ** np.float64(1 + hand.now[RAISES]):
        return raise_or_call(hand)
    if rank**2 * pot_of(hand) > to_call(hand) or positive_of(table, seat) > price_of(hand):
        return call_or_check(hand)
    return fold_or_check(hand)


@compiled
def decide(table: TableArrays, seat: int, key: Any, number: int) -> int:
    """The action of a compiled player; its chance is named by the seat, the hand and its decisions so far."""
    hand, player = table.hand, table.players[seat]
    before = hand.now[STAGE] == 0
    if player == RULEBOT:
        return rulebot_before(table, seat) if before else rulebot_after(table, seat)
    if player == SIMPLEBOT:
        stream = table.stream
        stream[0] = add_part(add_part(add_part(key, seat), number), hand.decisions[seat])
        return simplebot_before(table, seat, stream) if before else simplebot_after(table, seat, stream)
    return raise_or_call(hand) if player == ALWAYS_RAISE else call_or_check(hand)


@compiled
def carry_out(table: TableArrays, strategy: int, again: int) -> int:
    """Turn a strategy into an action: its first, or the one that answers a raise."""
    manner = table.manners[strategy, again]
    if manner == 2:
        return raise_or_call(table.hand)
    return fold_or_check(table.hand) if manner == 0 else call_or_check(table.hand)


@compiled
def acts_again(hand: HandArrays) -> int:
    """Whether the position to act has acted in this stage before."""
    for step in range(hand.now[STEPS]):
        if hand.steps[step, POSITION] == hand.now[TO_ACT] and hand.steps[step, STEP_STAGE] == hand.now[STAGE]:
            return 1
    return 0


# A hand


@fixed_types
@compiled
def start_hand(table: TableArrays, key: Any, number: int, dealer: int) -> None:
    """Deal the n-th hand of a match, whose deals have this key."""
    begin(table.hand, key, number, dealer, table.stream, table.pool)
    for seat in range(table.players.shape[0]):
        for stage in range(table.strategies.shape[1]):
            table.strategies[seat, stage] = UNKNOWN
            table.strength[seat, stage, 0] = table.strength[seat, stage, 1] = np.nan


@fixed_types
@compiled
def play_on(table: TableArrays, key: Any, number: int) -> int:
    """Play until a seat has to be asked for its strategy, and give it; nobody (-1) when the hand is over."""
    hand = table.hand
    while hand.now[TO_ACT] != NOBODY:
        seat = seat_of(hand, hand.now[TO_ACT])
        if table.players[seat] == ASKED:
            strategy = table.strategies[seat, hand.now[STAGE]]
            if strategy == UNKNOWN:
                return seat
            action = carry_out(table, strategy, acts_again(hand))
        else:
            action = decide(table, seat, key, number)
        play(hand, table.ranking, action)
    return NOBODY


@fixed_types
@compiled
def count_hand(table: TableArrays, seat: int, unit: int, counts: Longs, profits: Longs) -> None:
    """Count what a seat (first row) and all others (second) did, and write down what each stage brought the seat."""
    for other in range(table.players.shape[0]):
        count_behaviour(table.hand, other, counts[0 if other == seat else 1])
    stage_profits(table.hand, seat, unit, profits)
