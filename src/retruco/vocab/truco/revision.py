"""Revision: named rules that hold an answer back when it is plainly unwise.

Each looks at the question and the proposed answer, and each can be switched off by its name.
The first three are those of Paulus (2020), section 4.1.2; the others are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from retruco.cbr.revise import Replacement, Rule
from retruco.games.core import Action
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import Play, beats, decided
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_CALLS
from retruco.vocab.truco.questions import NONE, Question
from retruco.vocab.truco.scenarios import LABELS

POOR_ENVIDO: Final = 20
GOOD_FALTA: Final = 28


@dataclass(frozen=True, slots=True)
class LogicalBet:
    """Last to play the third card, and holding the winner: raise, and never give way."""

    name: ClassVar[str] = "logical-bet"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Raise if that is legal; accept if not."""
        if question.scenario != "truco-3-follow" or not _wins_for_sure(question):
            return None
        raises = [call for call in TRUCO_CALLS if call in question.answers]
        better = raises[0] if raises else "quero" if "quero" in question.answers else proposed
        return Replacement(better)


def _wins_for_sure(question: Question) -> bool:
    seen = question.view.seen
    facing = seen.rounds.facing
    if facing is None or not seen.held or facing.seat == seen.seat:
        return False
    last = beats(facing, Play(seen.seat, seen.held[0]))
    return decided((*seen.rounds.winners, last), seen.mao) == seen.seat


@dataclass(frozen=True, slots=True)
class CompulsiveBluff:
    """The first to bet on the envido needs points to bet on."""

    name: ClassVar[str] = "compulsive-bluff"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Stay silent below twenty points."""
        if proposed not in ENVIDO_CALLS or NONE not in question.answers:
            return None
        points = question.view.envido_points
        return Replacement(NONE, {"points": points}) if points < POOR_ENVIDO else None


@dataclass(frozen=True, slots=True)
class WastedCard:
    """A card is beaten with the lowest one that wins."""

    name: ClassVar[str] = "wasted-card"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Play the lowest winner instead of a higher one."""
        if proposed not in LABELS or not question.scenario.startswith("card"):
            return None
        facing = question.view.seen.rounds.facing
        if facing is None:
            return None
        winners = [label for label in _labels(question) if STRENGTH[question.answers[label]] > facing.power]
        if proposed not in winners:
            return None
        lowest = min(winners, key=lambda label: STRENGTH[question.answers[label]])
        return Replacement(lowest, {"beats": str(facing)})


def _labels(question: Question) -> list[str]:
    return [label for label in LABELS if label in question.answers]


@dataclass(frozen=True, slots=True)
class ThrownHand:
    """No hand is thrown away while a card can be played and nobody asks for more."""

    name: ClassVar[str] = "thrown-hand"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Play the lowest card instead of going to the deck."""
        if proposed != "baralho" or not question.scenario.startswith("card"):
            return None
        return Replacement(_labels(question)[-1])


@dataclass(frozen=True, slots=True)
class DearFold:
    """Going to the deck instead of declining an envido gives the hand away too."""

    name: ClassVar[str] = "dear-fold"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Decline the envido, or the flor, and play on."""
        pays_more = proposed == "baralho" and question.stage in ("envido", "flor")
        return Replacement("nao-quero") if pays_more and "nao-quero" in question.answers else None


@dataclass(frozen=True, slots=True)
class RecklessFalta:
    """A falta is opened on points that win it most of the time."""

    name: ClassVar[str] = "reckless-falta"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Call a plain envido instead, below twenty-eight points."""
        if proposed != "falta-envido" or "envido" not in question.answers:
            return None
        points = question.view.envido_points
        return Replacement("envido", {"points": points}) if points < GOOD_FALTA else None


@dataclass(frozen=True, slots=True)
class RecklessRaise:
    """A falta put on top of an envido stakes the match: it needs points that win most of the time."""

    name: ClassVar[str] = "reckless-raise"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Below twenty-eight points accept what is called; below twenty decline it."""
        if proposed != "falta-envido" or "quero" not in question.answers:
            return None
        points = question.view.envido_points
        if points >= GOOD_FALTA:
            return None
        return Replacement("quero" if points >= POOR_ENVIDO else "nao-quero", {"points": points})


@dataclass(frozen=True, slots=True)
class HopelessBet:
    """Last to act on the deciding card, and unable to win: put nothing more into the hand."""

    name: ClassVar[str] = "hopeless-bet"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Decline a bet that cannot be won once the other's last card lies there."""
        if question.scenario != "truco-3-follow" or proposed != "quero":
            return None
        facing = question.view.seen.rounds.facing
        lost = facing is not None and facing.seat != question.view.seen.seat and not _wins_for_sure(question)
        return Replacement("nao-quero") if lost else None


ALL_RULES: Final[tuple[Rule[Question], ...]] = (
    RecklessRaise(),
    RecklessFalta(),
    CompulsiveBluff(),
    LogicalBet(),
    HopelessBet(),
    WastedCard(),
    DearFold(),
    ThrownHand(),
)
"""In the order in which they are applied."""

ALWAYS_ON: Final[tuple[Rule[Question], ...]] = (ThrownHand(),)

PUBLISHED_RULES: Final[tuple[Rule[Question], ...]] = (
    CompulsiveBluff(),
    LogicalBet(),
    WastedCard(),
    *ALWAYS_ON,
)
"""The three rules of Paulus (2020), section 4.1.2, and that no hand is thrown away."""


def lowest_that_wins(question: Question) -> Action | None:
    """The lowest held card that beats the one on the table, by its label."""
    facing = question.view.seen.rounds.facing
    if facing is None:
        return None
    winners = [label for label in _labels(question) if STRENGTH[question.answers[label]] > facing.power]
    return winners[-1] if winners else None
