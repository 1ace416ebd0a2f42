"""The faults that imported hands are known to have: named, counted, never hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from retruco.vocab.truco.partial_replay import SORTED, UNCALLED

REFUSED: Final[Mapping[str, str]] = {
    "bad-row": "the line is not a row of this table",
    "unknown-code": "a number or a word that the table's coding does not know",
    "no-hand": "the recorded player's own cards are missing",
}
"""Faults for which a row is left out."""

DOUBTFUL: Final[Mapping[str, str]] = {
    "mirrored": "the same hand stands in another row as the other player saw it",
    "same-number": "the number of the hand stands in an earlier row too",
    "wrong-suit": "the recorded points do not follow from the recorded suits: the lowest card's is not trusted",
    "impossible-card": "a card with this strength and suit does not exist: its suit is not trusted",
    "card-twice": "a card is dealt twice: the lowest cards' suits are not trusted",
    "impossible-points": "no suits at all give these cards the recorded envido points",
    "unknown-card": "a card of a round has an undocumented code",
    "overwritten-card": "the code of a card that was played is overwritten; found again from the hand and the suit",
    "ambiguous-card": "a code that lost its sign means two things",
    SORTED: "the other's three cards are stored by strength: their order and the round winners are unknown",
    UNCALLED: "an envido was paid, but nobody is recorded to have called it",
    "envido-label": "an accepted envido was won by the side with fewer points",
    "envido-decliner": "who declined the envido is recorded to have won it: its balance is unknown",
    "envido-derived": "envido points are missing and derived from calls and winner",
    "truco-derived": "truco points are missing and derived from calls and winner",
    "truco-order": "a raise is recorded without the call below it",
    "truco-round": "a truco call's round is unknown: its rows go to no scenario",
    "truco-winner": "the truco's winner cannot be trusted and its balance is unknown",
    "flor-flag": "a flor is flagged that the cards do not confirm",
    "round-winner": "the winner of a round contradicts its cards",
    "hand-winner": "the recorded winner of the hand contradicts who won the truco: recomputed",
    "score-change": "the change of the scores is not what envido and truco paid",
    "score-high": "the score before the hand is already at the target",
}
"""Faults with which a row is kept, but marked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where, of which kind, and what it looks like."""

    line: int
    number: int | None
    kind: str
    detail: str = ""

    @property
    def refused(self) -> bool:
        """Whether the row was left out for it."""
        return self.kind in REFUSED
