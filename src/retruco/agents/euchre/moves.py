"""What a Euchre player does and why, as numbers in compiled code and as a decision to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from retruco.cbr.case import Decision, Json
from retruco.compiler import compiled_step
from retruco.games.euchre import DECK, SUITS
from retruco.games.euchre import stepper as at
from retruco.games.euchre.stepper import count_of

REASONS: Final = (
    *(("drawn", "among"), ("euchre.only-card",), ("euchre.high",), ("euchre.low",)),
    *(("euchre.partner-wins",), ("euchre.can-win",), ("euchre.cannot-win",)),
    *(("euchre.share-high", "share"), ("euchre.share-low", "share")),
    *(("euchre.partner-can-trump", "suit"), ("euchre.partner-strong", "suit", "card")),
    *(("euchre.partner-strong", "suit", "chance"), ("euchre.lead-high",), ("euchre.partner-void-trump",)),
    *(("euchre.last-may-beat", "chance"), ("euchre.partner-wins", "chance")),
    *(("euchre.leaves-it",), ("euchre.wants-it",), ("euchre.right-bower",), ("euchre.fresh-ace",)),
    *(("euchre.calls", "suit", "worth", "least"), ("euchre.passes", "suit", "worth", "least")),
    *(("euchre.stuck", "suit", "worth", "least"),),
    *(("euchre.worst-card",), ("euchre.alone",), ("euchre.together",)),
)
"""The reason of a decision, and what is told with it."""
(
    DRAWN, ONLY_CARD, HIGH_CARD, LOW_CARD, PARTNER_WINS, CAN_WIN, CANNOT_WIN, SHARE_HIGH, SHARE_LOW,
    PARTNER_CAN_TRUMP, PARTNER_HAS_BEST, PARTNER_STRONG, LEAD_HIGH, PARTNER_VOID_TRUMP, LAST_MAY_BEAT,
    LAST_CANNOT_BEAT, LEAVES_IT, WANTS_IT, RIGHT_BOWER, FRESH_ACE, CALLS, PASSES, STUCK,
    WORST_CARD, GOES_ALONE, STAYS_TOGETHER,
) = range(len(REASONS))  # fmt: skip


class Move(NamedTuple):
    """The end of some cards that is played, or an action, and why."""

    actions: int
    """Cards or other actions, as bits: which one is told by `picks`."""
    picks: int
    reason: int
    number: float
    """A share, a chance, a worth, or among how many actions is drawn."""
    suit: int
    card: int


HIGHEST, LOWEST, ONE, ANY_ONE = range(4)
"""Which action is taken: the card of the highest or the lowest value, the one there is, one that is drawn."""


@compiled_step
def high(cards: int, reason: int) -> Move:
    """Play the highest of some cards."""
    return Move(cards, HIGHEST, reason, 0.0, at.NONE, at.NONE)


@compiled_step
def low(cards: int, reason: int) -> Move:
    """Play the lowest of some cards."""
    return Move(cards, LOWEST, reason, 0.0, at.NONE, at.NONE)


@compiled_step
def one(action: int, reason: int) -> Move:
    """Do one thing."""
    return Move(1 << action, ONE, reason, 0.0, at.NONE, at.NONE)


@compiled_step
def drawn(actions: int) -> Move:
    """Draw among actions, given as bits."""
    return Move(actions, ANY_ONE, DRAWN, float(count_of(actions)), at.NONE, at.NONE)


def decision_of(move: Move, action: int, least: float) -> Decision:
    """A move as it is told; `least` is the worth from which the seat calls."""
    told: Mapping[str, Json] = {
        "among": int(move.number),
        "suit": list(SUITS)[move.suit],
        "card": DECK[move.card],
        "least": least,
    }
    reason, *names = REASONS[move.reason]
    return Decision(at.TEXTS[action], reason, {name: told.get(name, round(move.number, 3)) for name in names})
