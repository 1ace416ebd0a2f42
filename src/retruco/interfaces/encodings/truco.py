"""Truco: the own cards by strength, the table, what was called and shown, the score.

Actions 0 to 2 play a card, 3 to 5 play it face down; both count the dealt cards from the weakest, and equally
strong ones in the order of the hand. The calls follow in the order of `CALLS`. The array is
written from a situation, which an observation and the compiled tables of `vector` both give.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from retruco.cards import SUIT_NAMES, Card
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.truco.compiled.stepper import (
    BY_OTHER,
    CARD_COLUMNS,
    DECK,
    FACE_DOWN,
    FIRST_CALL,
    HAND,
)
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS, FULL_HAND
from retruco.games.truco.situation import (
    CALL_COUNT,
    DEALT,
    HELD_CARDS,
    IS_MAO,
    LEGAL,
    ON_TABLE,
    OTHER_SCORE,
    OWN_CALLS,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    SHOWN,
    STRENGTHS,
    TABLE_SIZE,
    TARGET,
    WON,
    Situation,
    situation_of,
)
from retruco.games.truco.state import STAGES
from retruco.interfaces.encodings.core import Encoding, Floats, Mask

MOST_STRENGTH: Final = max(STRENGTH.values())
CARD: Final = MOST_STRENGTH + len(SUIT_NAMES)
"""The entries of a card: its strength and its suit, which together say which card it is."""
PLAY: Final = CARD + 1
"""The entries of a card on the table: also whether it lies face down."""
FIELDS: Final = {
    "cards dealt": FULL_HAND * CARD,
    "cards held": FULL_HAND,
    "own cards on the table": FULL_HAND * PLAY,
    "the other's cards on the table": FULL_HAND * PLAY,
    "own calls": len(CALLS),
    "the other's calls": len(CALLS),
    "points shown": 4,
    "own points": 2,
    "mao and turn": 2,
    "points won in this hand": 2 * len(STAGES),
    "scores": 2,
}
SUIT: Final = DECK // len(SUIT_NAMES)
"""How many cards a suit has; a suit lies together in the deck."""
MOST_POINTS: Final = 40
"""What points of envido and flor are divided by."""
CARD_ACTIONS: Final = ("weakest card", "middle card", "strongest card")
ACTIONS: Final = (*CARD_ACTIONS, *(DOWN_PREFIX + name for name in CARD_ACTIONS), *CALLS)


(
    DEALT_AT, HELD_AT, OWN_TABLE_AT, OTHER_TABLE_AT, CALLS_AT, _, SHOWN_AT, POINTS_AT, TURN_AT, WON_AT, SCORES_AT, SIZE,
) = accumulate(FIELDS.values(), initial=0)  # fmt: skip
"""Where each part of an array begins, and its length."""


class GameEncoding(Encoding):
    """Truco for two, by any rules."""

    def __init__(self, game: Truco) -> None:
        self.hand_size = game.rules.hand_size
        super().__init__(ACTIONS, FIELDS)

    def action_number(self, observation: TrucoObservation, action: Action) -> int:
        """The number of a call, or of a card by its strength."""
        if action in self._numbers:
            return self._numbers[action]
        down = action.startswith(DOWN_PREFIX)
        return FULL_HAND * down + by_strength(observation.hand).index(Card(action.removeprefix(DOWN_PREFIX)))

    def encode(self, observation: TrucoObservation) -> Floats:
        """All that is known of this hand, and the scores."""
        entries = np.zeros(SIZE, np.float32)
        write_entries(situation_of(observation), self.hand_size, entries)
        return entries

    def values(self, observation: TrucoObservation) -> list[float]:
        """The same as a list."""
        entries: list[float] = self.encode(observation).tolist()
        return entries


def by_strength(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand from the weakest card to the strongest.

    >>> by_strength((Card("3e"), Card("4c"), Card("4o")))
    ('4c', '4o', '3e')
    """
    return tuple(sorted(hand, key=STRENGTH.__getitem__))


# From a situation


@compiled_step
def write_entries(situation: Situation, hand_size: int, entries: Floats) -> None:
    """Write what a seat knows into an array of zeros."""
    for place in range(hand_size):
        rank = rank_of(situation, place, hand_size)
        write_card(situation[DEALT + place], entries, DEALT_AT + CARD * rank)
        entries[HELD_AT + rank] = situation[HELD_CARDS] >> place & 1
    write_table(situation, entries)
    for call in range(2 * CALL_COUNT):
        entries[CALLS_AT + call] = situation[OWN_CALLS + call]
    for place in range(4):
        entries[SHOWN_AT + place] = situation[SHOWN + place] / MOST_POINTS
    entries[POINTS_AT] = situation[OWN_ENVIDO] / MOST_POINTS
    entries[POINTS_AT + 1] = situation[OWN_FLOR] / MOST_POINTS
    entries[TURN_AT], entries[TURN_AT + 1] = situation[IS_MAO], situation[LEGAL] != 0
    target = situation[TARGET]
    for place in range(2 * len(STAGES)):
        entries[WON_AT + place] = situation[WON + place] / target
    entries[SCORES_AT], entries[SCORES_AT + 1] = (
        situation[OWN_SCORE] / target,
        situation[OTHER_SCORE] / target,
    )


@compiled_step
def rank_of(situation: Situation, place: int, hand_size: int) -> int:
    """How many dealt cards come before one from the weakest on, equally strong ones in the order of the hand."""
    own, rank = STRENGTHS[situation[DEALT + place]], 0
    for before in range(hand_size):
        power = STRENGTHS[situation[DEALT + before]]
        rank += power < own or (power == own and before < place)
    return rank


@compiled_step
def write_table(situation: Situation, entries: Floats) -> None:
    """Write the cards on the table by who played them; the other's face-down cards have no face."""
    own_at, other_at = OWN_TABLE_AT, OTHER_TABLE_AT
    for place in range(situation[TABLE_SIZE]):
        card = situation[ON_TABLE + place]
        is_own, is_down = card < BY_OTHER, card & FACE_DOWN > 0
        begin = own_at if is_own else other_at
        if is_own or not is_down:
            write_card(card % FACE_DOWN, entries, begin)
        entries[begin + CARD] = is_down
        own_at, other_at = own_at + PLAY * is_own, other_at + PLAY * (not is_own)


@compiled_step
def write_card(card: int, entries: Floats, begin: int) -> None:
    """Write the strength and the suit of a card."""
    entries[begin + STRENGTHS[card] - 1] = 1.0
    entries[begin + MOST_STRENGTH + card // SUIT] = 1.0


@compiled_step
def write_mask(situation: Situation, mask: Mask) -> None:
    """Write which actions are legal; three cards are dealt."""
    columns, held = situation[LEGAL], situation[HELD_CARDS]
    for place in range(HAND):
        rank = rank_of(situation, place, HAND)
        for column in range(CARD_COLUMNS):
            mask[HAND * column + rank] = columns >> column & held >> place & 1
    for call in range(CALL_COUNT):
        mask[FIRST_CALL + call] = columns >> (CARD_COLUMNS + call) & 1


@compiled_step
def dealt_action(situation: Situation, number: int) -> int:
    """The action of a number as the stepper has it, with a card by its place in the hand; three cards are dealt."""
    place = 0
    if number >= FIRST_CALL:
        return number
    while rank_of(situation, place, HAND) != number % HAND:
        place += 1
    return place + HAND * (number // HAND)
