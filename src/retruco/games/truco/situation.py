"""A situation: what a seat knows of a hand, as one flat record of integers.

Whoever decides in compiled code decides by this record. `situation_of` makes it from a readable observation;
`fill_situation` writes the same numbers from a hand that is played in compiled code. A seat's own side comes first
everywhere: `ME` and `OTHER` instead of seats. Nothing in it depends on cards that the seat may not know.

A hand in compiled code is a row of the stepper with some more places for what was said and shown (`HAND_ROW`).
`carry_out` plays an action on it and notes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.truco.compiled.automaton import CARD, COLUMNS, DOWN, ENVIDO, FLOR, MAO_FLOR
from retruco.games.truco.compiled.stepper import (
    BY_OTHER,
    CARD_COLUMNS,
    CARDS,
    CONDITIONS,
    FACE_DOWN,
    FACING,
    FIRST_CALL,
    HAND,
    HELD,
    MAO,
    PLAYS,
    POINTS,
    ROW,
    SCORES,
    STATE,
    TABLE,
    Row,
    legal_columns,
    play,
    seat_to_act,
    start_hand,
)
from retruco.games.truco.compiled.tables import (
    BET_CALL,
    BET_CALLER,
    BET_RAISER,
    BET_STAKE,
    CHAIN_CLOSED,
    CHAIN_OPEN,
    CHAIN_WAITS,
    ENVIDO_CHAIN,
    FLOR_CHAIN,
    NO_AWARD,
    STAGE_BITS,
    STAGE_MASK,
    WINNER,
    Tables,
)
from retruco.games.truco.deck import STRENGTH, envido_points, flor_points
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX, TIE
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.games.truco.state import STAGES, Acted, Announced, Awarded

Situation: TypeAlias = NDArray[np.int32]

CARD_PLACE: Final = {card: place for place, card in enumerate(SPANISH_DECK)}
COLUMN_BITS: Final[dict[Action, int]] = {
    **dict.fromkeys(CARD_PLACE, 1 << COLUMNS.index(CARD)),
    **{DOWN_PREFIX + card: 1 << COLUMNS.index(DOWN) for card in CARD_PLACE},
    **{call: 1 << COLUMNS.index(call) for call in CALLS},
}
"""The column of every action, as a bit."""
CALL_COUNT: Final = len(CALLS)
STANDING: Final = CALLS.index("quero")
"""How many calls can stand on the table: all but the answers. A second envido comes after them."""
ENVIDO_AGAIN: Final = STANDING
FIRST_ENVIDO: Final = CALLS.index("envido")
FIRST_TRUCO: Final = CALLS.index("truco")
QUERO, DECLINE, FOLD = (CALLS.index(call) for call in ("quero", "nao-quero", "baralho"))
"""Calls by their place in `CALLS`; as an action each is `FIRST_CALL` more, as a column `CARD_COLUMNS` more."""

NOBODY, ME, OTHER = 0, 1, 2
NOTHING: Final = -1
ABSENT: Final = -1
"""No card at a place of the table."""

# The places of a situation.

IS_MAO: Final = 0
DEALT: Final = 1
"""The three cards as they were dealt, each as its place in the deck."""
HELD_CARDS: Final = 4
"""Which of them are still held, as bits."""
TABLE_SIZE: Final = 5
"""How many cards lie on the table."""
ON_TABLE: Final = 6
"""The six places of the table in order of play: the card, with `FACE_DOWN` and, from the other seat, `BY_OTHER`; the
other's face-down cards have no face. `ABSENT` where none lies."""
ROUNDS_OVER: Final = 12
"""How many rounds are finished."""
ROUND_WINNERS: Final = 13
"""Who won the first and the second round: 0 for a tie, `ME` or `OTHER`; `NOTHING` if it is not finished."""
FACED: Final = 15
"""The strength of the other's card that this seat has to answer, 0 face down; `NOTHING` if none lies there."""
LYING: Final = 16
"""The strength of the own card that the other has to answer; `NOTHING` if none lies there."""
LEGAL: Final = 17
"""What is legal, by column, as bits."""
ENVIDO_STATE: Final = 18
"""Whether envido can be opened (`CHAIN_OPEN`), waits for an answer (`CHAIN_WAITS`) or is over (`CHAIN_CLOSED`)."""
FLOR_STATE: Final = 19
TRUCO_CALL: Final = 20
"""The truco call that waits for an answer: 0 for none, 1 truco, 2 retruco, 3 vale4."""
TRUCO_CALLER: Final = 21
STAKE: Final = 22
"""What the hand is worth by the calls that were accepted."""
RAISER: Final = 23
"""Who may raise in a free turn: `NOBODY` before any truco, when both may."""
ENVIDO_CALLED: Final = 24
"""How often each envido call was made, which says all: envidos come first, then real-envidos, then a falta. Told in one
number, to which every call adds its `ENVIDO_COUNTS`."""
FLOR_CALLED: Final = 25
"""The chain of flor calls in base 5: 1 flor, 2 contraflor, 3 contraflor-resto, 4 achico."""
OWN_ENVIDO: Final = 26
OWN_FLOR: Final = 27
"""Own points; of a flor 0 without one."""
SHOWN: Final = 28
"""Points that were shown, and 1: own envido, the other's envido, own flor, the other's flor; 0 if they were not."""
POINTS_END: Final = 32
"""How envido or flor ended: `NOT_SETTLED` and so on."""
OTHER_FLOR: Final = 33
"""Whether the other seat has a flor, once one was sung; `NOTHING` as long as none was."""
OWN_SCORE: Final = 34
OTHER_SCORE: Final = 35
TARGET: Final = 36
WON: Final = 37
"""Points won in this hand: by stage, the own ones before the other's."""
CALLERS: Final = 43
"""Who made each call that stands, by its place in `CALLS`, and a second envido; a truco that was taken back does not stand."""
OWN_CALLS: Final = CALLERS + STANDING + 1
"""How often this seat has made each call in this hand."""
OTHER_CALLS: Final = OWN_CALLS + CALL_COUNT
PUBLIC_STATE: Final = OTHER_CALLS + CALL_COUNT
"""The number of the public state in the compiled tables; `NOTHING` in a situation made from an observation."""
SITUATION: Final = PUBLIC_STATE + 1
"""The size of a situation."""

NOT_SETTLED, DECLINED_BY_ME, DECLINED_BY_OTHER, ENVIDO_COMPARED, FLOR_SETTLED = range(5)

# The places of a hand that follow those of the stepper.

NOTED_CALLERS: Final = ROW
"""By standing call: the seat that made it, and 1."""
NOTED_CALLS: Final = NOTED_CALLERS + STANDING + 1
"""By seat and call: how often it was made."""
NOTED_CHAINS: Final = NOTED_CALLS + 2 * CALL_COUNT
"""The chains of envido and of flor."""
NOTED_SHOWN: Final = NOTED_CHAINS + 2
"""By stage and seat: points shown, and 1."""
NOTED_END: Final = NOTED_SHOWN + 4
"""How envido or flor ended; a decliner is told by its seat: `DECLINED_BY_ME` is seat 0."""
HAND_ROW: Final = NOTED_END + 1
"""The size of a hand with its notes."""

STRENGTHS: Final = np.array([STRENGTH[card] for card in SPANISH_DECK], dtype=np.int32)
"""By card."""
FLOR_STAGE, TRUCO_STAGE = STAGES.index("flor"), STAGES.index("truco")
ENVIDO_COUNTS: Final = (2, 6, 1)
"""By envido call, of which there are two envidos and one falta at most."""
FLOR_BASE: Final = len(FLOR_CALLS) + 1


# From a hand in compiled code


@compiled_step
def begin_hand(tables: Tables, row: Row, mao: int) -> None:
    """Begin a hand with the cards and scores that the row holds."""
    start_hand(tables, row, mao)
    for place in range(ROW, HAND_ROW):
        row[place] = 0


@compiled_step
def carry_out(tables: Tables, row: Row, action: int) -> None:
    """Carry out a legal action, and note what was said and shown."""
    if action >= FIRST_CALL:
        note_call(tables, row, action - FIRST_CALL)
    play(tables, row, action)


@compiled_step
def note_call(tables: Tables, row: Row, call: int) -> None:
    """Note a call before it is carried out."""
    seat = seat_to_act(tables, row)
    row[NOTED_CALLS + CALL_COUNT * seat + call] += 1
    if call < STANDING:
        note_standing_call(tables, row, call, seat)
    edge = tables.edge[row[STATE], call + CARD_COLUMNS]
    condition = tables.condition[edge]
    award = tables.awards[edge, row[CONDITIONS + condition], 0]
    stage = award >> STAGE_BITS & STAGE_MASK
    if condition == ENVIDO:
        row[NOTED_END] = ENVIDO_COMPARED
        note_shown(tables, row, 0, condition)
    elif condition == FLOR:
        row[NOTED_END] = FLOR_SETTLED
        note_shown(tables, row, 2, condition)
    elif award != NO_AWARD and stage == FLOR_STAGE:
        row[NOTED_END] = FLOR_SETTLED
    elif award != NO_AWARD and stage != TRUCO_STAGE and call == DECLINE:
        row[NOTED_END] = DECLINED_BY_ME + seat


@compiled_step
def note_standing_call(tables: Tables, row: Row, call: int, seat: int) -> None:
    """Note who made a call, and add it to its chain; in some variants a call for points takes a truco back."""
    if call < FIRST_TRUCO and tables.cancels:
        for truco in range(FIRST_TRUCO, STANDING):
            row[NOTED_CALLERS + truco] = 0
    if call < FIRST_ENVIDO:
        row[NOTED_CHAINS + 1] = FLOR_BASE * row[NOTED_CHAINS + 1] + call + 1
    elif call < FIRST_TRUCO:
        row[NOTED_CHAINS] += ENVIDO_COUNTS[call - FIRST_ENVIDO]
    is_again = call == FIRST_ENVIDO and row[NOTED_CALLERS + call] > 0
    place = NOTED_CALLERS + (ENVIDO_AGAIN if is_again else call)
    if row[place] == 0:
        row[place] = seat + 1


@compiled_step
def note_shown(tables: Tables, row: Row, place: int, condition: int) -> None:
    """Note the points that are shown: the mão's, and the other's only if they are higher."""
    mao = row[MAO]
    row[NOTED_SHOWN + place + mao] = points_of(tables, row, mao, condition) + 1
    if row[CONDITIONS + condition] == 0:
        row[NOTED_SHOWN + place + 1 - mao] = points_of(tables, row, 1 - mao, condition) + 1


@compiled_step
def points_of(tables: Tables, row: Row, seat: int, condition: int) -> Any:
    """The envido or flor points of a seat."""
    first = CARDS + HAND * seat
    cards = (row[first], row[first + 1], row[first + 2])
    return tables.envido[cards] if condition == ENVIDO else tables.flor[cards]


@compiled_step
def fill_situation(tables: Tables, row: Row, situation: Situation) -> None:
    """Write down what the seat to act knows of a hand."""
    state, seat = row[STATE], seat_to_act(tables, row)
    situation[PUBLIC_STATE] = state
    situation[IS_MAO] = row[MAO] == seat
    situation[LEGAL] = legal_columns(tables, row)
    situation[HELD_CARDS] = row[HELD + seat]
    for place in range(HAND):
        situation[DEALT + place] = row[CARDS + HAND * seat + place]
    situation[OWN_ENVIDO] = points_of(tables, row, seat, ENVIDO)
    situation[OWN_FLOR] = points_of(tables, row, seat, FLOR)
    fill_table(tables, row, seat, situation)
    fill_bets(tables, row, seat, situation)
    situation[OWN_SCORE], situation[OTHER_SCORE] = row[SCORES + seat], row[SCORES + 1 - seat]
    situation[TARGET] = tables.target
    for stage in range(3):
        situation[WON + 2 * stage] = row[POINTS + 2 * stage + seat]
        situation[WON + 2 * stage + 1] = row[POINTS + 2 * stage + 1 - seat]
    for call in range(CALL_COUNT):
        situation[OWN_CALLS + call] = row[NOTED_CALLS + CALL_COUNT * seat + call]
        situation[OTHER_CALLS + call] = row[NOTED_CALLS + CALL_COUNT * (1 - seat) + call]


@compiled_step
def fill_table(tables: Tables, row: Row, seat: int, situation: Situation) -> None:
    """Write down the cards on the table and who won the rounds."""
    plays = row[PLAYS]
    situation[TABLE_SIZE] = plays
    for place in range(2 * HAND):
        situation[ON_TABLE + place] = ABSENT
        if place < plays:
            is_other = (row[TABLE + place] >= BY_OTHER) != (seat == 1)
            card = row[TABLE + place] & (BY_OTHER - 1)
            if is_other:
                situation[ON_TABLE + place] = BY_OTHER + (FACE_DOWN if card >= FACE_DOWN else card)
            else:
                situation[ON_TABLE + place] = card
    situation[ROUNDS_OVER] = plays // 2
    for number in range(2):
        winner = tables.public[row[STATE], WINNER + number]
        situation[ROUND_WINNERS + number] = winner if winner <= 0 else ME + (winner - 1 != row[MAO] ^ seat)
    situation[FACED] = situation[LYING] = NOTHING
    if plays % 2:
        is_other = (row[TABLE + plays - 1] >= BY_OTHER) != (seat == 1)
        situation[FACED if is_other else LYING] = row[FACING]


@compiled_step
def fill_bets(tables: Tables, row: Row, seat: int, situation: Situation) -> None:
    """Write down what was called, what waits for an answer and what was shown."""
    public, swap = tables.public[row[STATE]], row[MAO] ^ seat
    situation[ENVIDO_STATE], situation[FLOR_STATE] = public[ENVIDO_CHAIN], public[FLOR_CHAIN]
    situation[TRUCO_CALL], situation[STAKE] = public[BET_CALL], public[BET_STAKE]
    situation[TRUCO_CALLER] = side_of(public[BET_CALLER], swap)
    situation[RAISER] = side_of(public[BET_RAISER], swap)
    situation[ENVIDO_CALLED], situation[FLOR_CALLED] = row[NOTED_CHAINS], row[NOTED_CHAINS + 1]
    for stage in range(2):
        situation[SHOWN + 2 * stage] = row[NOTED_SHOWN + 2 * stage + seat]
        situation[SHOWN + 2 * stage + 1] = row[NOTED_SHOWN + 2 * stage + 1 - seat]
    end = row[NOTED_END]
    is_declined = end in (DECLINED_BY_ME, DECLINED_BY_OTHER)
    situation[POINTS_END] = DECLINED_BY_ME + (end - DECLINED_BY_ME != seat) if is_declined else end
    other = row[MAO] ^ seat ^ 1
    situation[OTHER_FLOR] = row[CONDITIONS + MAO_FLOR + other] if row[NOTED_CHAINS + 1] else NOTHING
    for call in range(STANDING + 1):
        situation[CALLERS + call] = side_of(row[NOTED_CALLERS + call], seat)


@compiled_step
def side_of(player: int, seat: int) -> int:
    """Turn a seat, told from 1 on with 0 for nobody, into a side of the table."""
    return NOBODY if player == 0 else ME if player - 1 == seat else OTHER


# From an observation


def situation_of(seen: TrucoObservation) -> Situation:
    """What a seat knows, read from a readable observation."""
    found = np.zeros(SITUATION, dtype=np.int32)
    found[IS_MAO], found[PUBLIC_STATE] = seen.is_mao, NOTHING
    held = 0
    for place, card in enumerate(seen.hand):
        found[DEALT + place] = CARD_PLACE[card]
        held |= (card in seen.held) << place
    found[HELD_CARDS] = held
    found[LEGAL] = columns_of(seen.legal)
    found[OWN_ENVIDO], found[OWN_FLOR] = envido_points(seen.hand), flor_points(seen.hand)
    read_table(seen, found)
    read_bets(seen, found)
    seat, other = seen.seat, seen.other
    found[OWN_SCORE], found[OTHER_SCORE] = seen.scores[seat], seen.scores[other]
    found[TARGET] = seen.game.target
    for stage, won in enumerate(seen.points):
        if won != (0, 0):
            found[WON + 2 * stage], found[WON + 2 * stage + 1] = won[seat], won[other]
    read_log(seen, found)
    return found


def columns_of(legal: tuple[Action, ...]) -> int:
    """What is legal, by column, as bits."""
    columns = 0
    for action in legal:
        columns |= COLUMN_BITS[action]
    return columns


def read_table(seen: TrucoObservation, found: Situation) -> None:
    """Read the cards on the table and who won the rounds."""
    rounds = seen.rounds
    found[TABLE_SIZE], found[ROUNDS_OVER] = len(rounds.plays), len(rounds.winners)
    found[ON_TABLE : ON_TABLE + 2 * HAND] = ABSENT
    for place, lying in enumerate(rounds.plays):
        card = 0 if lying.card is None or (lying.down and lying.seat != seen.seat) else CARD_PLACE[lying.card]
        found[ON_TABLE + place] = card + FACE_DOWN * lying.down + BY_OTHER * (lying.seat != seen.seat)
    found[ROUND_WINNERS : ROUND_WINNERS + 2] = NOTHING
    for place, winner in enumerate(rounds.winners[:2]):
        found[ROUND_WINNERS + place] = 0 if winner == TIE else ME if winner == seen.seat else OTHER
    found[FACED] = found[LYING] = NOTHING
    if rounds.facing is not None:
        found[LYING if rounds.facing.seat == seen.seat else FACED] = rounds.facing.power


def read_bets(seen: TrucoObservation, found: Situation) -> None:
    """Read what was called and what waits for an answer."""
    bet = seen.bet

    def side(seat: int | None) -> int:
        return NOBODY if seat is None else ME if seat == seen.seat else OTHER

    found[ENVIDO_STATE], found[FLOR_STATE] = chain_state(seen.envido), chain_state(seen.flor)
    found[TRUCO_CALL] = 0 if bet.call is None else 1 + TRUCO_CALLS.index(bet.call)
    found[TRUCO_CALLER], found[STAKE], found[RAISER] = side(bet.caller), bet.stake, side(bet.raiser)
    found[ENVIDO_CALLED] = count_envidos(seen.envido.calls)
    found[FLOR_CALLED] = number_flors(seen.flor.calls)
    flor = seen.knows_flor(seen.other) if seen.flor.calls else None
    found[OTHER_FLOR] = NOTHING if flor is None else flor


def chain_state(chain: Any) -> int:
    """Whether a chain of calls can be opened, waits for an answer or is over."""
    return CHAIN_CLOSED if chain.closed else CHAIN_WAITS if chain.calls else CHAIN_OPEN


def count_envidos(calls: Sequence[str]) -> int:
    """Envido calls as the number `ENVIDO_CALLED`.

    >>> count_envidos(("envido", "real-envido", "real-envido"))
    14
    """
    return sum(ENVIDO_COUNTS[ENVIDO_CALLS.index(call)] for call in calls)


def number_flors(calls: Sequence[str]) -> int:
    """A chain of flor calls as the number `FLOR_CALLED`.

    >>> number_flors(("flor", "contraflor"))
    7
    """
    number = 0
    for call in calls:
        number = FLOR_BASE * number + FLOR_CALLS.index(call) + 1
    return number


def read_log(seen: TrucoObservation, found: Situation) -> None:
    """Read who called what, how envido or flor ended, and what was shown."""
    decliner = NOBODY
    for event in seen.log:
        is_me = event.seat == seen.seat
        if isinstance(event, Acted) and event.action in CALLS:
            call = CALLS.index(event.action)
            found[(OWN_CALLS if is_me else OTHER_CALLS) + call] += 1
            read_standing_call(seen, found, call, is_me)
            decliner = (ME if is_me else OTHER) if call == DECLINE else NOBODY
        elif isinstance(event, Announced):
            found[SHOWN + 2 * STAGES.index(event.stage) + (not is_me)] = event.points + 1
            found[POINTS_END] = FLOR_SETTLED if event.stage == "flor" else ENVIDO_COMPARED
        elif isinstance(event, Awarded) and event.stage == "flor":
            found[POINTS_END] = FLOR_SETTLED
        elif isinstance(event, Awarded) and event.stage == "envido" and decliner:
            found[POINTS_END] = DECLINED_BY_ME if decliner == ME else DECLINED_BY_OTHER


def read_standing_call(seen: TrucoObservation, found: Situation, call: int, is_me: bool) -> None:
    """Read who made a call; a truco that was taken back does not stand."""
    if call >= STANDING:
        return
    if call < FIRST_TRUCO and seen.game.rules.envido_cancels_truco:
        found[CALLERS + FIRST_TRUCO : CALLERS + STANDING] = NOBODY
    if call == FIRST_ENVIDO and found[CALLERS + call]:
        call = ENVIDO_AGAIN
    if not found[CALLERS + call]:
        found[CALLERS + call] = ME if is_me else OTHER
