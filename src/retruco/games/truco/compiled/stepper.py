"""The stepper: a hand of Truco as one row of integers, dealt and played in compiled code.

A row holds the public state, the cards of both seats, the scores and what was paid; the constants
below name its places. An action is a number: 0 to 2 plays the card at that place of the hand, 3 to 5
plays it face down, and from 6 on come the calls in the order of `CALLS`. `action_number` and
`action_text` translate from and to the notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiled_streams import StreamState, sample
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.truco.compiled.automaton import (
    COLUMNS,
    ENVIDO,
    FLOR,
    MAO_FLOR,
    PE_FLOR,
    REASONS,
    ROUND,
)
from retruco.games.truco.compiled.tables import (
    AWARDS,
    BY_SCORE_BIT,
    NO_AWARD,
    POINTS_SHIFT,
    SEAT_BIT,
    STAGE_BITS,
    STAGE_MASK,
    Tables,
)
from retruco.games.truco.deck import Hand
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS

Row: TypeAlias = NDArray[np.int32]

STATE: Final = 0
"""The public state; below 0 the hand is over, see `OVER`."""
MAO: Final = 1
CONDITIONS: Final = 2
"""By condition, which outcome this deal leads to."""
SCORES: Final = 8
"""By seat, what has been paid in this hand included."""
POINTS: Final = 10
"""By stage and seat: what has been paid in this hand."""
CARDS: Final = 16
"""By seat and place: the card, as its place in the deck."""
HELD: Final = 22
"""By seat: the places of the hand that have not been played, as bits."""
FACING: Final = 24
"""The strength of the last card played, 0 face down."""
PLAYS: Final = 25
"""How many cards are on the table."""
TABLE: Final = 26
"""The cards on the table in order: the card, with `FACE_DOWN` if it lies so, and with `BY_OTHER` if seat 1 played it."""
ROW: Final = 32
"""The size of a row."""

FACE_DOWN: Final = 64
BY_OTHER: Final = 128
HAND: Final = 3
FIRST_CALL: Final = 2 * HAND
"""The number of the first call."""
ACTIONS: Final = FIRST_CALL + len(CALLS)
OVER: Final = tuple(-1 - place for place in range(len(REASONS)))
"""The states of a finished hand, by reason."""
TARGET_REACHED: Final = OVER[REASONS.index("target")]
CARD_COLUMNS: Final = 2
DECK: Final = len(SPANISH_DECK)
ALL_HELD: Final = (1 << HAND) - 1
PAIRS_OF_POINTS: Final = 6


@compiled_step
def start_hand(tables: Tables, row: Row, mao: int) -> None:
    """Begin a hand with the cards and scores that the row holds."""
    row[STATE], row[MAO] = 0, mao
    row[HELD], row[HELD + 1] = ALL_HELD, ALL_HELD
    row[FACING], row[PLAYS] = 0, 0
    for place in range(PAIRS_OF_POINTS):
        row[POINTS + place] = 0
    first, second = CARDS + HAND * mao, CARDS + HAND * (1 - mao)
    mao_cards = (row[first], row[first + 1], row[first + 2])
    pe_cards = (row[second], row[second + 1], row[second + 2])
    mao_flor, pe_flor = tables.flor[mao_cards], tables.flor[pe_cards]
    row[CONDITIONS] = 0
    row[CONDITIONS + ENVIDO] = np.sign(tables.envido[mao_cards] - tables.envido[pe_cards]) + 1
    row[CONDITIONS + MAO_FLOR] = mao_flor > 0
    row[CONDITIONS + PE_FLOR] = pe_flor > 0
    row[CONDITIONS + FLOR] = np.sign(mao_flor - pe_flor) + 1


@compiled_step
def copy_row(target: Row, source: Row) -> None:
    """Copy a row; a slice would do the same, but takes room of its own."""
    for place in range(len(source)):
        target[place] = source[place]


@compiled_step
def deal_cards(row: Row, stream: StreamState, deck: Row) -> None:
    """Give each seat three cards, as `Truco.deal` does; `deck` is room for the forty cards."""
    for card in range(DECK):
        deck[card] = card
    sample(stream, deck, 2 * HAND)
    for place in range(2 * HAND):
        row[CARDS + place] = deck[place]


@compiled_step
def seat_to_act(tables: Tables, row: Row) -> Any:
    """The seat whose turn it is."""
    return tables.actor[row[STATE]] ^ row[MAO]


@compiled_step
def legal_columns(tables: Tables, row: Row) -> Any:
    """What the seat to act may do, by column, as bits."""
    state = row[STATE]
    actor = tables.actor[state]
    return tables.legal[state, row[CONDITIONS + MAO_FLOR + actor]]


@compiled_step
def legal_actions(tables: Tables, row: Row, actions: Row) -> int:
    """Write down what is legal, in the order of the readable engine; return how many actions that is."""
    columns, held = legal_columns(tables, row), row[HELD + seat_to_act(tables, row)]
    count = 0
    for column in range(CARD_COLUMNS):
        if columns >> column & 1:
            for place in range(HAND):
                if held >> place & 1:
                    actions[count] = HAND * column + place
                    count += 1
    calls, action = columns >> CARD_COLUMNS, FIRST_CALL
    while calls:
        if calls & 1:
            actions[count] = action
            count += 1
        calls >>= 1
        action += 1
    return count


@compiled_step
def play(tables: Tables, row: Row, action: int) -> None:
    """Carry out a legal action."""
    state = row[STATE]
    if action < FIRST_CALL:
        seat, down, place = tables.actor[state] ^ row[MAO], action // HAND, action % HAND
        card = row[CARDS + HAND * seat + place]
        power = 0 if down else tables.strength[card]
        edge = tables.edge[state, down]
        outcome = tables.result[row[FACING], power] if tables.condition[edge] == ROUND else 0
        row[HELD + seat] &= ~(1 << place)
        row[TABLE + row[PLAYS]] = card + FACE_DOWN * down + BY_OTHER * seat
        row[PLAYS] += 1
        row[FACING] = power
    else:
        edge = tables.edge[state, action - FIRST_CALL + CARD_COLUMNS]
        outcome = row[CONDITIONS + tables.condition[edge]]
    row[STATE] = tables.next[edge, outcome]
    for order in range(AWARDS):
        award = tables.awards[edge, outcome, order]
        if award == NO_AWARD:
            return
        is_last = order == AWARDS - 1 or tables.awards[edge, outcome, order + 1] == NO_AWARD
        pay(tables, row, award, ends=is_last and row[STATE] < 0)
        if row[STATE] == TARGET_REACHED:
            return


@compiled_step
def pay(tables: Tables, row: Row, award: int, ends: bool) -> None:
    """Pay an award; reaching the target ends the hand, unless the award ends it anyway."""
    mao, points = row[MAO], award >> POINTS_SHIFT
    if award & BY_SCORE_BIT:
        points = tables.by_score[points, row[SCORES + mao], row[SCORES + 1 - mao]]
    seat = (award & SEAT_BIT) ^ mao
    stage = award >> STAGE_BITS & STAGE_MASK
    row[POINTS + 2 * stage + seat] += points
    row[SCORES + seat] += points
    if not ends and row[SCORES + seat] >= tables.target:
        row[STATE] = TARGET_REACHED


# Between numbers and the notation


def row_of(hands: tuple[Hand, Hand], scores: tuple[int, int]) -> Row:
    """A row with these cards and scores, to be started."""
    row = np.zeros(ROW, dtype=np.int32)
    row[SCORES : SCORES + 2] = scores
    row[CARDS : CARDS + 2 * HAND] = [SPANISH_DECK.index(card) for hand in hands for card in hand]
    return row


def hands_of(row: Row | Sequence[int]) -> tuple[Hand, Hand]:
    """The hands that were dealt."""
    cards = [SPANISH_DECK[card] for card in row[CARDS : CARDS + 2 * HAND]]
    return (cards[0], cards[1], cards[2]), (cards[3], cards[4], cards[5])


def action_text(hand: Sequence[Action], action: int) -> Action:
    """An action in the notation.

    >>> action_text(("1e", "7o", "3c"), 4), action_text(("1e", "7o", "3c"), 6)
    ('down:7o', 'flor')
    """
    if action >= FIRST_CALL:
        return CALLS[action - FIRST_CALL]
    return hand[action] if action < HAND else DOWN_PREFIX + hand[action - HAND]


def action_number(hand: Sequence[Action], action: Action) -> int:
    """An action of the notation as a number.

    >>> action_number(("1e", "7o", "3c"), "down:7o"), action_number(("1e", "7o", "3c"), "flor")
    (4, 6)
    """
    if action in CALLS:
        return FIRST_CALL + CALLS.index(action)
    down = action.startswith(DOWN_PREFIX)
    return HAND * down + list(hand).index(action.removeprefix(DOWN_PREFIX))


def is_over(row: Row) -> bool:
    """Whether the hand has ended."""
    return bool(row[STATE] < 0)


def reason_of(row: Row) -> str:
    """Why the hand has ended."""
    return REASONS[-1 - row[STATE]]


assert len(COLUMNS) == CARD_COLUMNS + len(CALLS)
