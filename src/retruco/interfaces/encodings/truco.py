"""Truco: the own cards by strength, the table, what was called and shown, the score.

Actions 0 to 2 play a card, 3 to 5 play it face down; both count the dealt cards from the weakest, and equally
strong ones in the order of the hand. The calls follow in the order of `CALLS`. `vector` writes the same arrays
in compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from retruco.cards import SUIT_NAMES, Card
from retruco.games.core import Action
from retruco.games.truco.deck import STRENGTH, envido_points, flor_points
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX, Play
from retruco.games.truco.rules import CALLS, FULL_HAND
from retruco.games.truco.state import STAGES, Acted
from retruco.interfaces.encodings.core import Encoding, one_hot

STRENGTHS: Final = max(STRENGTH.values())
SUITS: Final = tuple(SUIT_NAMES)
CARD: Final = STRENGTHS + len(SUITS)
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
MOST_POINTS: Final = 40
"""What points of envido and flor are divided by."""
CARD_ACTIONS: Final = ("weakest card", "middle card", "strongest card")
ACTIONS: Final = (*CARD_ACTIONS, *(DOWN_PREFIX + name for name in CARD_ACTIONS), *CALLS)


class GameEncoding(Encoding):
    """Truco for two, by any rules."""

    def __init__(self, game: Truco) -> None:
        self.target = game.target
        super().__init__(ACTIONS, FIELDS)

    def action_number(self, observation: TrucoObservation, action: Action) -> int:
        """The number of a call, or of a card by its strength."""
        if action in self._numbers:
            return self._numbers[action]
        down = action.startswith(DOWN_PREFIX)
        return FULL_HAND * down + by_strength(observation.hand).index(Card(action.removeprefix(DOWN_PREFIX)))

    def values(self, observation: TrucoObservation) -> list[float]:
        """All that is known of this hand, and the scores."""
        seat, hand, rounds = observation.seat, by_strength(observation.hand), observation.rounds
        order = (seat, 1 - seat)
        points = [points[player] / self.target for points in observation.points for player in order]
        return [
            *pad([entry for card in hand for entry in card_values(card)], FULL_HAND * CARD),
            *pad([float(card in observation.held) for card in hand], FULL_HAND),
            *(entry for player in order for entry in play_values(rounds.by(player))),
            *(entry for player in order for entry in call_counts(observation, player)),
            *(
                0.0 if shown is None else (shown + 1) / MOST_POINTS
                for stage in STAGES[:2]
                for shown in (observation.announced(stage)[player] for player in order)
            ),
            envido_points(hand) / MOST_POINTS,
            flor_points(hand) / MOST_POINTS,
            float(observation.is_mao),
            float(observation.to_act == seat),
            *points,
            *(observation.scores[player] / self.target for player in order),
        ]


def by_strength(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand from the weakest card to the strongest.

    >>> by_strength((Card("3e"), Card("4c"), Card("4o")))
    ('4c', '4o', '3e')
    """
    return tuple(sorted(hand, key=STRENGTH.__getitem__))


def pad(values: list[float], size: int) -> list[float]:
    """Fill up with zeros: smaller variants deal fewer cards."""
    return values + [0.0] * (size - len(values))


def card_values(card: Card | None) -> list[float]:
    """The strength and the suit of a card; zeros where it is not known."""
    if card is None:
        return [0.0] * CARD
    return [*one_hot(STRENGTH[card] - 1, STRENGTHS), *one_hot(SUITS.index(card.suit), len(SUITS))]


def play_values(plays: Iterable[Play]) -> list[float]:
    """The cards that one seat has on the table, round by round."""
    return pad(
        [entry for play in plays for entry in (*card_values(play.card), float(play.down))], FULL_HAND * PLAY
    )


def call_counts(observation: TrucoObservation, seat: int) -> list[float]:
    """How often a seat has made each call in this hand."""
    counts = dict.fromkeys(CALLS, 0.0)
    for event in observation.log:
        if isinstance(event, Acted) and event.seat == seat and event.action in counts:
            counts[event.action] += 1
    return list(counts.values())
