"""Limit hold'em compiled: the rules of the readable engine on arrays of whole numbers.

Whoever plays many hands plays them here: a hand makes no objects. Names and meanings are those of
`betting` and `state`; positions are counted from the dealer's left. `tests/games/test_holdem_compiled.py`
plays random hands in both engines, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below
from retruco.compiler import compiled_step
from retruco.games.core import Seat
from retruco.games.holdem.betting import LAST_STAGE, Betting, first_to_act
from retruco.games.holdem.deck import CARDS, PLACE, Hole, bits, draw_runs
from retruco.games.holdem.ranking import TABLE, count_ranks, flush_by, value_by
from retruco.games.holdem.rules import BOARD, MOST_SEATS, Rules
from retruco.games.holdem.state import HoldemObservation, HoldemState

Shorts: TypeAlias = NDArray[np.int16]
Longs: TypeAlias = NDArray[np.int64]

FAST: Final = np.array(TABLE, np.int16)
"""The table of the ranking as an array."""

ACTIONS: Final = ("fold", "check", "call", "bet", "raise")
"""An action is its place here."""
FOLD, CHECK, CALL, BET, RAISE = range(len(ACTIONS))

STAGE, TO_ACT, LIVE, PENDING, LEVEL, RAISES, DEALER, STEPS = range(8)
"""The places of `HandArrays.now`; nobody is to act (-1) when the hand is over."""
NOBODY: Final = -1

SEATS, SMALL_BLIND, BIG_BLIND, FIRST, SIZE = range(5)
"""The places of `HandArrays.rules`: the size of a bet in each stage from SIZE on, then how often one may raise."""
MOST_RAISES: Final = SIZE + len(BOARD)

POSITION, STEP_STAGE, ACTION = range(3)
"""Columns of `HandArrays.steps`."""
MOST_STEPS: Final = 4 * MOST_SEATS * 8


class HandArrays(NamedTuple):
    """A hand in progress, all cards open."""

    rules: Longs
    now: Longs
    spent: Longs
    """What each position has put in."""
    before: Longs
    """What each position had put in before each stage; the blinds belong to the first."""
    cards: Longs
    """The places of the cards in the deck: two a seat, then the board."""
    steps: Longs
    """All that was done."""
    decisions: Longs
    """How many times each seat has acted."""
    points: Longs
    """What each seat has won, once the hand is over."""
    runs: Longs
    """How cards are drawn: the orders of each run, the orders of its part, the size of the deck; see `deck.drawn`."""


def hand_arrays(rules: Rules) -> HandArrays:
    """Make the arrays for hands by these rules."""
    numbers = (rules.seats, rules.small_blind, rules.big_blind, first_to_act(rules.seats))
    return HandArrays(
        np.array((*numbers, *rules.sizes, *rules.raises), np.int64),
        np.zeros(8, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros((len(BOARD), MOST_SEATS), np.int64),
        np.zeros(2 * MOST_SEATS + BOARD[-1], np.int64),
        np.zeros((MOST_STEPS, 3), np.int64),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        draw_table(2 * rules.seats + BOARD[-1]),
    )


@cache
def draw_table(count: int) -> Longs:
    """Lay the runs of a draw out card by card; a run or part begins where its orders are given, and is 0 elsewhere."""
    rows = [
        (orders if not (number or place) else 0, part if not place else 0, size)
        for orders, parts in draw_runs(count)
        for number, (part, sizes) in enumerate(parts)
        for place, size in enumerate(sizes)
    ]
    return np.array(rows, np.int64)


def finished_hand(end: HoldemState | HoldemObservation) -> HandArrays:
    """Lay out a finished hand of the readable engine as far as what it has taught can be counted from it."""
    assert end.outcome is not None
    hand, betting, seats = hand_arrays(end.game.rules), end.betting, end.game.seats
    for number, step in enumerate(end.steps()):
        stage = step.betting.stage
        if hand.now[STEPS] == 0 or hand.now[STAGE] != stage:
            hand.before[stage, :seats] = step.betting.spent if stage else 0
        hand.steps[number] = step.betting.to_act or 0, stage, ACTIONS.index(step.action)
        hand.now[STAGE], hand.now[STEPS] = stage, number + 1
    hand.now[LIVE], hand.now[DEALER] = betting.live, end.dealer
    hand.spent[:seats], hand.points[:seats] = betting.spent, end.outcome.points
    return hand


def read_actions(hand: HandArrays) -> tuple[str, ...]:
    """Name all that was done."""
    return tuple([ACTIONS[action] for action in hand.steps[: hand.now[STEPS], ACTION].tolist()])


def read_cards(hand: HandArrays, start: int, count: int) -> tuple[str, ...]:
    """Name some of the cards, such as those of a seat."""
    return tuple([CARDS[card] for card in hand.cards[start : start + count].tolist()])


# The ranking

flush_value: Any = compiled_step(flush_by)
ranks_value: Any = compiled_step(value_by)
count_ranks_of: Any = compiled_step(count_ranks)


@compiled_step
def value_of(table: Shorts, cards: int | np.int64) -> int:
    """Value the best five of five to seven cards, given as bits; see `ranking.value`."""
    flush = flush_value(table, cards)
    if flush:
        return int(flush)
    ranks, paired, threes, four = count_ranks_of(cards)
    return int(ranks_value(table, ranks, paired, threes, four))


# The cards and the blinds


@compiled_step
def deal(hand: HandArrays, stream: StreamState, pool: Longs) -> None:
    """Draw the cards of a hand, the same as `deck.drawn` does."""
    runs, cards = hand.runs, hand.cards
    for card in range(pool.shape[0]):
        pool[card] = card
    number, places = 0, 0
    for place in range(runs.shape[0]):
        orders, part, size = runs[place, 0], runs[place, 1], runs[place, 2]
        if orders:
            number = below(stream, orders)
        if part:
            places, number = number % part, number // part
        drawn = places % size
        places //= size
        cards[place] = pool[drawn]
        pool[drawn] = pool[size - 1]


@compiled_step
def begin(hand: HandArrays, key: Any, number: int, dealer: Seat, stream: StreamState, pool: Longs) -> None:
    """Deal the n-th hand of a set whose deals have this key (see `arena.sets.deal_key`), and post the blinds."""
    stream[0] = add_part(key, number)
    deal(hand, stream, pool)
    rules, now, spent = hand.rules, hand.now, hand.spent
    seats = rules[SEATS]
    for position in range(seats):
        spent[position] = hand.decisions[position] = hand.before[0, position] = 0
    small = 1 if seats == 2 else 0
    spent[small], spent[1 - small] = rules[SMALL_BLIND], rules[BIG_BLIND]
    now[STAGE], now[TO_ACT], now[LEVEL], now[RAISES] = 0, rules[FIRST], rules[BIG_BLIND], 0
    now[LIVE] = now[PENDING] = (1 << seats) - 1
    now[DEALER], now[STEPS] = dealer, 0


@compiled_step
def seat_of(hand: HandArrays, position: int) -> int:
    """Name the seat at a position."""
    return int((hand.now[DEALER] + 1 + position) % hand.rules[SEATS])


@compiled_step
def count_bits(number: int) -> int:
    """Count the bits that are set."""
    found = 0
    while number:
        number &= number - 1
        found += 1
    return found


@compiled_step
def board_of(hand: HandArrays, stage: int) -> int:
    """The cards that lie open in a stage, as bits."""
    start, board = 2 * hand.rules[SEATS], 0
    for place in range(stage + 2 if stage else 0):
        board |= 1 << hand.cards[start + place]
    return board


@compiled_step
def hole_of(hand: HandArrays, seat: int) -> int:
    """The two cards of a seat, as bits."""
    return int(1 << hand.cards[2 * seat] | 1 << hand.cards[2 * seat + 1])


# Actions


@compiled_step
def next_position(waiting: int, start: int) -> int:
    """Find the first position at or after `start`, going round, among those in the bits."""
    position = start
    while waiting >> position:
        if waiting >> position & 1:
            return position
        position += 1
    position = 0
    while not waiting >> position & 1:
        position += 1
    return position


@compiled_step
def play(hand: HandArrays, table: Shorts, action: int) -> None:
    """Carry out a legal action of the position to act; a hand that ends is paid out."""
    now, spent, steps = hand.now, hand.spent, hand.steps
    actor, stage = now[TO_ACT], now[STAGE]
    steps[now[STEPS], POSITION], steps[now[STEPS], STEP_STAGE] = actor, stage
    steps[now[STEPS], ACTION] = action
    now[STEPS] += 1
    hand.decisions[seat_of(hand, actor)] += 1
    mine = 1 << actor
    now[PENDING] &= ~mine
    if action == FOLD:
        now[LIVE] &= ~mine
    else:
        if action >= BET:
            now[LEVEL] += hand.rules[SIZE + stage]
            now[RAISES] += 1
            now[PENDING] = now[LIVE] & ~mine
        spent[actor] = now[LEVEL]
    live, pending = now[LIVE], now[PENDING]
    if live & (live - 1) == 0 or (not pending and stage == LAST_STAGE):
        now[TO_ACT], now[PENDING] = NOBODY, 0
        settle(hand, table)
    elif pending:
        now[TO_ACT] = next_position(pending, actor)
    else:
        now[STAGE], now[TO_ACT], now[PENDING], now[RAISES] = stage + 1, next_position(live, 0), live, 0
        for position in range(hand.rules[SEATS]):
            hand.before[stage + 1, position] = spent[position]


@compiled_step
def settle(hand: HandArrays, table: Shorts) -> None:
    """Pay the pot: to the last one in, or to the best hands; odd chips go to the first of them."""
    points, live, seats = hand.points, hand.now[LIVE], hand.rules[SEATS]
    winners = live
    if live & (live - 1):
        winners, best, board = 0, 0, board_of(hand, LAST_STAGE)
        for position in range(seats):
            if live >> position & 1:
                worth = value_of(table, board | hole_of(hand, seat_of(hand, position)))
                if worth > best:
                    best, winners = worth, 0
                if worth == best:
                    winners |= 1 << position
    pot = 0
    for position in range(seats):
        pot += hand.spent[position]
        points[seat_of(hand, position)] = -hand.spent[position]
    share, odd = pot // count_bits(winners), pot % count_bits(winners)
    for position in range(seats):
        if winners >> position & 1:
            points[seat_of(hand, position)] += share + odd
            odd = 0


# A situation


class Places(NamedTuple):
    """The places of a situation: what a seat knows of a hand as it acts, as one flat record of integers.

    Whoever decides in compiled code decides by this record. `situation_seen` makes it from an observation;
    `fill_situation` writes the same numbers from a hand that is played here. Nothing in it depends on cards that the
    seat may not know.
    """

    held: int = 0
    """Two cards, as places in the deck; `UNSEEN` if the seat has not looked at them."""
    board: int = 2
    """The cards that lie open, as bits."""
    stage: int = 3
    opponents: int = 4
    """How many others are still in."""
    yet_to_act: int = 5
    """How many of them have still to answer the last bet."""
    to_call: int = 6
    bet: int = 7
    """What a bet or a raise adds in this stage; and before the flop."""
    small_bet: int = 8
    pot: int = 9
    raises: int = 10
    may_raise: int = 11
    paid: int = 12
    """What the seat has put in."""
    blind: int = 13
    """The big blind."""
    standing: int = 14
    """How many holdings are ahead of the seat's hand, tied with it and behind it, once somebody has counted."""
    potentials: int = 17
    """In how many ways the next card puts the seat ahead, of how many; and behind, of how many, alike."""
    end: int = 21


AT: Final = Places()
UNSEEN: Final = -1
NOT_COUNTED: Final = -1


def situation_of(hole: Hole | None, board: Sequence[str], betting: Betting) -> Longs:
    """Write down what the seat to act knows: its cards, if it has seen them, the board of the stage and the betting."""
    assert betting.to_act is not None
    rules, stage, live, pending = betting.rules, betting.stage, betting.live, betting.pending
    first, second = (PLACE[hole[0]], PLACE[hole[1]]) if hole else (UNSEEN, UNSEEN)
    numbers = (
        *(first, second, bits(board), stage, live.bit_count() - 1, pending.bit_count() - 1),
        *(betting.to_call, rules.sizes[stage], rules.sizes[0], betting.pot, betting.raises),
        *(betting.raises < rules.raises[stage], betting.spent[betting.to_act], rules.big_blind),
    )
    return np.array(numbers + (NOT_COUNTED,) * (AT.end - len(numbers)), np.int64)


def situation_seen(seen: HoldemObservation) -> Longs:
    """Write down what an observation shows to the seat to act."""
    return situation_of(seen.hole, seen.board[: BOARD[seen.stage]], seen.betting)


@compiled_step
def fill_situation(hand: HandArrays, situation: Longs) -> None:
    """Write down what the seat to act knows; what was counted of its hand stays until the cards change."""
    now, rules, cards = hand.now, hand.rules, hand.cards
    stage, actor = now[STAGE], now[TO_ACT]
    first, board = 2 * seat_of(hand, actor), board_of(hand, stage)
    is_known = situation[AT.board] == board
    is_known &= situation[AT.held] == cards[first] and situation[AT.held + 1] == cards[first + 1]
    if not is_known:
        for place in range(AT.standing, AT.end):
            situation[place] = NOT_COUNTED
    situation[AT.held], situation[AT.held + 1] = cards[first], cards[first + 1]
    situation[AT.board], situation[AT.stage] = board, stage
    situation[AT.opponents] = count_bits(now[LIVE]) - 1
    situation[AT.yet_to_act] = count_bits(now[PENDING]) - 1
    situation[AT.to_call] = now[LEVEL] - hand.spent[actor]
    situation[AT.bet], situation[AT.small_bet] = rules[SIZE + stage], rules[SIZE]
    situation[AT.pot] = 0
    for position in range(rules[SEATS]):
        situation[AT.pot] += hand.spent[position]
    situation[AT.raises], situation[AT.may_raise] = now[RAISES], now[RAISES] < rules[MOST_RAISES + stage]
    situation[AT.paid], situation[AT.blind] = hand.spent[actor], rules[BIG_BLIND]


@compiled_step
def bets_to_call(situation: Longs) -> int:
    """How many bets the seat faces, half a bet counting as one."""
    return int((situation[AT.to_call] + situation[AT.bet] - 1) // situation[AT.bet])


@compiled_step
def call_or_check(situation: Longs) -> int:
    """The action that stays in without raising."""
    return CALL if situation[AT.to_call] else CHECK


@compiled_step
def raise_or_call(situation: Longs) -> int:
    """The action that bets or raises; where the stage is capped, the one that stays in."""
    if not situation[AT.may_raise]:
        return call_or_check(situation)
    return BET if situation[AT.stage] and not situation[AT.raises] else RAISE


@compiled_step
def fold_or_check(situation: Longs) -> int:
    """The action that gives up; nobody folds for nothing."""
    return FOLD if situation[AT.to_call] else CHECK


# What a hand has taught

COUNTS: Final = {
    "hands": "hands",
    "bets and raises": "hands",
    "bets, raises and calls": "hands",
    "entered": "hands",
    "first to act": "first to act",
    "entered first to act": "first to act",
    "on the button": "on the button",
    "entered on the button": "on the button",
    "in the blinds": "in the blinds",
    "entered from the blinds": "in the blinds",
    "flops": "flops",
    "flops won": "flops",
    "showdowns": "showdowns",
    "showdowns won or split": "showdowns",
}
"""What `behaviour` counts, in this order, and of what each is a part."""
HANDS, BOLD, STAYING, ENTERED, FIRST_PLACE, BUTTON, BLINDS, FLOPS, SHOWDOWNS = 0, 1, 2, 3, 4, 6, 8, 10, 12


def read_counts(counts: Longs) -> dict[str, int]:
    """Name what was counted; what had no occasion is left out."""
    by_name = dict(zip(COUNTS, counts.tolist(), strict=True))
    return {name: count for name, count in by_name.items() if by_name[COUNTS[name]]}


@compiled_step
def add_part_of(counts: Longs, place: int, part: bool) -> None:
    """Count an occasion, and whether it was taken."""
    counts[place] += 1
    counts[place + 1] += part


@compiled_step
def count_behaviour(hand: HandArrays, seat: int, counts: Longs) -> None:
    """Count what a seat did in a finished hand."""
    seats, live = hand.rules[SEATS], hand.now[LIVE]
    position = (seat - hand.now[DEALER] - 1) % seats
    entered, folded, folded_before = False, False, False
    for place in range(hand.now[STEPS]):
        if hand.steps[place, POSITION] != position:
            continue
        action, before = hand.steps[place, ACTION], hand.steps[place, STEP_STAGE] == 0
        counts[BOLD] += action >= BET
        counts[STAYING] += action >= CALL
        entered |= before and action in (CALL, RAISE)
        folded |= action == FOLD
        folded_before |= before and action == FOLD
    counts[HANDS] += 1
    counts[ENTERED] += entered
    if position == hand.rules[FIRST]:
        add_part_of(counts, FIRST_PLACE, entered)
    if position == seats - 1:
        add_part_of(counts, BUTTON, entered)
    if position < 2:
        add_part_of(counts, BLINDS, entered)
    if hand.now[STAGE] and not folded_before:
        paid = hand.points[seat] + hand.spent[position] > 0
        add_part_of(counts, FLOPS, paid)
        if live & (live - 1) and not folded:
            add_part_of(counts, SHOWDOWNS, paid)


@compiled_step
def round_ratio(part: int, whole: int) -> int:
    """Round a ratio to a whole number, halves to the even one, as Python rounds fractions."""
    ratio, left = part // whole, part % whole
    return ratio + (2 * left > whole or (2 * left == whole and ratio % 2 == 1))


@compiled_step
def stage_profits(hand: HandArrays, seat: int, unit: int, profits: Longs) -> None:
    """Write down what each stage brought a seat: its share of what was paid in it, less what it paid itself.

    Who wins the hand wins what the others paid in the stage; who loses it loses its own investment. Results are in
    so many parts of a big blind, so that cases of one table serve at another.
    """
    seats, last = hand.rules[SEATS], hand.now[STAGE]
    position = (seat - hand.now[DEALER] - 1) % seats
    pot = 0
    for other in range(seats):
        pot += hand.spent[other]
    won = hand.points[seat] + hand.spent[position]
    for stage in range(last + 1):
        paid, own = 0, 0
        for other in range(seats):
            end = hand.spent[other] if stage == last else hand.before[stage + 1, other]
            paid += end - hand.before[stage, other]
            if other == position:
                own = end - hand.before[stage, other]
        profit = round_ratio(won * paid, pot) - own
        profits[stage] = round_ratio(unit * profit, hand.rules[BIG_BLIND])
