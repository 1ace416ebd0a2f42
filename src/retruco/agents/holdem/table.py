"""A compiled table: rule players, and seats that play strategies, one of them a Casey with its cases.

All decide by the functions of their readable selves, on situations that are filled in place. A hand goes on until a
strategy has to be drawn, for which Python is asked; a strategy is carried out to the end of its stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from retruco.agents.holdem.policies import Terms, choose
from retruco.agents.holdem.rulebot import RuleBot, Thresholds, act_on, rulebot
from retruco.agents.holdem.simplebot import simplebot
from retruco.cbr.kernel import IndexArrays
from retruco.cbr.search import SearchBuffers, SearchPlan, sum_similar
from retruco.compiled_streams import StreamState, add_part
from retruco.compiler import compiled_loop, compiled_step, fixed_types
from retruco.games.holdem.compiled import (
    ACTION,
    AT,
    BET,
    COUNTS,
    FOLD,
    LIVE,
    NOBODY,
    NOT_COUNTED,
    POSITION,
    SEATS,
    STAGE,
    STEP_STAGE,
    STEPS,
    TO_ACT,
    HandArrays,
    Longs,
    begin,
    call_or_check,
    count_behaviour,
    fill_situation,
    hand_arrays,
    play,
    raise_or_call,
    seat_of,
    stage_profits,
)
from retruco.games.holdem.rules import BOARD, MOST_SEATS, Rules
from retruco.vocab.holdem.questions import MOST_CODES, write_codes_after, write_codes_before
from retruco.vocab.holdem.reading import share_of_bets
from retruco.vocab.holdem.rows import HALVES
from retruco.vocab.holdem.scenarios import UNREAD
from retruco.vocab.holdem.strategies import NAMES, carry_out
from retruco.vocab.holdem.strength import Floats, Odds, odds

if TYPE_CHECKING:
    from retruco.cbr.tallies import Bytes

RULE_PLAYERS: Final = ("rulebot", "simplebot", "always-call", "always-raise")
"""The players by rules; a player is its place here."""
RULEBOT, SIMPLEBOT, ALWAYS_CALL, ALWAYS_RAISE = range(len(RULE_PLAYERS))
ASKED: Final = -1
"""In the place of a player: it plays strategies."""
UNKNOWN: Final = -1
"""In the place of a strategy: it is not chosen yet."""
GOES_ON: Final = -1
"""In the place of a dealer: the hand goes on."""
CASEY: Final = 0
"""Casey's seat."""
VIEW: Final = MOST_SEATS
"""The row of `Table.situations` with what Casey knew as it first acted in the stage."""
AGAIN: Final = len(BOARD)
"""The row of `Table.codes` for a question that is asked again in its stage."""


class Search(NamedTuple):
    """Cases of one scenario, and how they are searched; it holds until cases are added."""

    arrays: IndexArrays
    plan: SearchPlan


class Table(NamedTuple):
    """A table, and the hand that is played at it."""

    hand: HandArrays
    players: Longs
    """Who plays, by seat."""
    situations: Longs
    """What each seat knew when it last acted."""
    strategies: Longs
    """What the seats that play strategies play in each stage."""
    odds: Odds
    limits: Thresholds
    """What a hand must be worth to rulebot."""
    stream: StreamState
    pool: Longs
    before: Search
    """Casey's cases before the flop, and after it."""
    after: Search
    buffers: SearchBuffers
    terms: Terms
    asks_again: bool
    """Whether Casey asks each time it acts: one that reads its opponents looks at who is still in."""
    codes: Bytes
    """What it asked in each stage."""
    plans: Longs
    """The first strategy that it chose in each stage."""
    reads: Longs
    """How aggressive the others were then."""
    steps: Longs
    """How many actions came before."""
    chosen: Longs
    """What `choose` has said last."""
    means: Floats
    bets: Longs
    """By seat: bets and raises in this match, and all that it did but fold."""
    counts: Longs
    """What Casey did, and what all others did."""
    profits: Longs
    """What each stage of the hand brought Casey."""


def lay_table(rules: Rules, others: Sequence[str], terms: Terms, asks_again: bool, **searches: Any) -> Table:
    """Seat Casey among others; who plays by no rule draws strategies."""
    players = [RULE_PLAYERS.index(name) if name in RULE_PLAYERS else ASKED for name in others]
    stages = len(BOARD)
    return Table(
        **searches,
        hand=hand_arrays(rules),
        players=np.array([ASKED, *players], np.int64),
        situations=np.full((MOST_SEATS + 1, AT.end), NOT_COUNTED, np.int64),
        strategies=np.full((MOST_SEATS, stages), UNKNOWN, np.int64),
        odds=odds(),
        limits=RuleBot.limits,
        stream=np.zeros(1, np.uint64),
        pool=np.zeros(52, np.int64),
        terms=terms,
        asks_again=asks_again,
        codes=np.zeros((stages + 1, MOST_CODES), np.uint8),
        plans=np.zeros(stages, np.int64),
        reads=np.zeros(stages, np.int64),
        steps=np.zeros(stages, np.int64),
        chosen=np.zeros(1, np.int64),
        means=np.zeros(len(NAMES)),
        bets=np.zeros((MOST_SEATS, 2), np.int64),
        counts=np.zeros((2, len(COUNTS)), np.int64),
        profits=np.zeros(stages, np.int64),
    )


@compiled_step
def act(table: Table, seat: int, key: Any, number: int) -> None:
    """Let a seat act by its rule or its strategy; its chance is named by the seat, the hand and its decisions so far."""
    situation, player, hand = table.situations[seat], table.players[seat], table.hand
    if player == RULEBOT:
        action = act_on(rulebot(situation, table.odds, table.limits), situation)
    elif player == SIMPLEBOT:
        stream = table.stream
        stream[0] = add_part(add_part(add_part(key, seat), number), hand.decisions[seat])
        action = act_on(simplebot(situation, table.odds, stream), situation)
    elif player == ASKED:
        action = carry_out(table.strategies[seat, hand.now[STAGE]], acts_again(hand), situation)
    else:
        action = raise_or_call(situation) if player == ALWAYS_RAISE else call_or_check(situation)
    play(hand, table.odds.scratch.ranking, action)


@compiled_step
def acts_again(hand: HandArrays) -> bool:
    """Whether the position to act has acted in this stage before."""
    for step in range(hand.now[STEPS]):
        if hand.steps[step, POSITION] == hand.now[TO_ACT] and hand.steps[step, STEP_STAGE] == hand.now[STAGE]:
            return True
    return False


# Casey


@compiled_step
def read_opponents(hand: HandArrays, bets: Longs) -> int:
    """How aggressive those still in have been in this match; see `vocab.holdem.reading`."""
    bold, done, others = 0, 0, 0
    for position in range(hand.rules[SEATS]):
        seat = seat_of(hand, position)
        if hand.now[LIVE] >> position & 1 and seat != CASEY:
            bold, done, others = bold + bets[seat, 0], done + bets[seat, 1], others + 1
    return share_of_bets(bold, done, others) if others else UNREAD


@compiled_step
def note_bets(hand: HandArrays, bets: Longs) -> None:
    """Count how often each seat bet or raised in a finished hand, and all that it did but fold."""
    for step in range(hand.now[STEPS]):
        if hand.steps[step, ACTION] != FOLD:
            seat = seat_of(hand, hand.steps[step, POSITION])
            bets[seat, 0] += hand.steps[step, ACTION] >= BET
            bets[seat, 1] += 1


@compiled_step
def ask(table: Table, stage: int) -> int:
    """Write down Casey's question, by what it knew as it first acted in the stage; give its row in `codes`."""
    row, view, read = stage, table.situations[VIEW], read_opponents(table.hand, table.bets)
    if table.plans[stage] != UNKNOWN:
        row = AGAIN
    else:
        table.reads[stage], table.steps[stage] = read, table.hand.now[STEPS]
        for place in range(view.shape[0]):
            view[place] = table.situations[CASEY, place]
    if stage:
        write_codes_after(view, table.odds, read, table.codes[row])
    else:
        write_codes_before(view, table.odds, read, table.codes[row])
    return row


@compiled_step
def think(table: Table, stage: int) -> int:
    """Let Casey choose its strategy for a stage by similar cases."""
    row, view, buffers = ask(table, stage), table.situations[VIEW], table.buffers
    arrays, plan, sums = table.before.arrays, table.before.plan, buffers.sums[: len(NAMES)]
    if stage:
        arrays, plan = table.after.arrays, table.after.plan
    sum_similar(table.codes, row, -1, arrays, plan, buffers)
    columns = arrays.columns
    chosen = choose(sums, table.means, buffers.near, columns.action, columns.credit, view, table.terms)
    for place in range(sums.shape[0]):  # a search finds them all 0
        for column in range(sums.shape[1]):
            sums[place, column] = 0
    return chosen


@compiled_step
def take_up(strategies: Longs, plans: Longs, stage: int, strategy: int) -> None:
    """Let Casey play a strategy; the first of a stage is its plan."""
    strategies[CASEY, stage] = strategy
    if plans[stage] == UNKNOWN:
        plans[stage] = strategy


@compiled_step
def deal(table: Table, key: Any, number: int, dealer: int) -> None:
    """Deal the n-th hand of a match; nobody has chosen a strategy."""
    begin(table.hand, key, number, dealer, table.stream, table.pool)
    for stage in range(table.plans.shape[0]):
        table.plans[stage] = UNKNOWN
        for seat in range(table.players.shape[0]):
            table.strategies[seat, stage] = UNKNOWN


@compiled_step
def count_hand(table: Table) -> None:
    """Count what a finished hand has taught."""
    for seat in range(table.players.shape[0]):
        count_behaviour(table.hand, seat, table.counts[0 if seat == CASEY else 1])
    stage_profits(table.hand, CASEY, HALVES, table.profits)
    note_bets(table.hand, table.bets)


@fixed_types
@compiled_loop
def play_on(table: Table, asks: bool, chance: Any, deals: Any, number: int, dealer: int) -> int:
    """Play until a seat has to be asked for its strategy, and give it; nobody (-1) when the hand is over.

    Casey is asked where its choice is left to chance; with `asks`, always. If a dealer is given, the n-th hand of a
    match begins, whose deals and whose agents' chance have these keys.
    """
    hand = table.hand
    if dealer != GOES_ON:
        deal(table, deals, number, dealer)
    while hand.now[TO_ACT] != NOBODY:
        seat, stage = seat_of(hand, hand.now[TO_ACT]), hand.now[STAGE]
        fill_situation(hand, table.situations[seat])
        if table.players[seat] == ASKED and table.strategies[seat, stage] == UNKNOWN:
            if seat != CASEY:
                return seat
            table.chosen[0] = think(table, stage)
            if table.chosen[0] < 0 or asks:
                return seat
            take_up(table.strategies, table.plans, stage, table.chosen[0])
        act(table, seat, chance, number)
        if seat == CASEY and table.asks_again:
            table.strategies[seat, stage] = UNKNOWN
    count_hand(table)
    return NOBODY
