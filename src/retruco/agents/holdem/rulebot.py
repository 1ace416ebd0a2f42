"""The rule player: sound, unadaptive, with every threshold in one place."""

from __future__ import annotations

from typing import NamedTuple

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.betting import AGGRESSIVE, FOLD
from retruco.streams import Stream
from retruco.vocab.holdem.view import View, percent, view_of


class Thresholds(NamedTuple):
    """What a hand must be worth; before the flop in fair shares of the pot, after it as a chance."""

    raise_before: float = 1.35
    """Raise with so many times the fair share of equity."""
    call_before: float = 1.0
    """Call one bet with so many times the fair share."""
    dearer: float = 0.08
    """Each further bet to call asks for so much more."""
    bet: float = 0.55
    """Bet when nobody has, with this chance to be ahead of all."""
    raised: float = 0.8
    """Raise with this chance to be ahead."""
    reraised: float = 0.92
    """Raise again with this one."""
    call: float = 0.35
    """Call one bet with this chance to be ahead."""
    call_more: float = 0.12
    """Each further bet to call asks for so much more."""


class RuleBot:
    """A formula player: it knows its cards, the number of opponents and the price, and never learns.

    It stands in for the RuleBot of the Meerkat library against which Casey was measured, a closed
    program: safe and sound, without a model of anybody. Its formulas are our own.
    """

    limits = Thresholds()

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Weigh the hand as it stands now; what was thought earlier in the stage does not matter."""
        view = view_of(seen)[0]._replace(betting=seen.betting)
        reason = self._before(view) if not view.board else self._after(view)
        action = acted(reason, seen.legal)
        return Decision(action, reason_of(action, reason), {"chance": percent(view.chance)})

    def _before(self, view: View) -> str:
        limits, bets = self.limits, view.betting.bets_to_call
        worth = view.chance * (view.betting.opponents + 1) - limits.dearer * max(0, bets - 1)
        if worth >= limits.raise_before:
            return "hold.raise"
        return "hold.call" if worth >= limits.call_before else "hold.fold"

    def _after(self, view: View) -> str:
        limits, bets, seen = self.limits, view.betting.bets_to_call, view.strength
        assert seen is not None
        if not bets:
            return "hold.bet" if view.chance >= limits.bet else "hold.fold"
        if view.chance >= (limits.raised if view.betting.raises < 2 else limits.reraised):
            return "hold.raise"
        if view.chance >= limits.call + limits.call_more * (bets - 1):
            return "hold.call"
        return "hold.draw" if seen.positive >= view.price else "hold.fold"


def reason_of(action: str, reason: str) -> str:
    """The reason of an action: a check is free, whatever a fold or a call would have cost.

    >>> reason_of("check", "hold.fold"), reason_of("fold", "hold.fold")
    ('hold.check', 'hold.fold')
    """
    return "hold.check" if action == "check" and reason in ("hold.fold", "hold.call") else reason


def acted(reason: str, legal: tuple[str, ...]) -> str:
    """Do what was decided, as far as the rules allow it.

    >>> acted("hold.raise", ("fold", "call")), acted("hold.fold", ("check", "bet"))
    ('call', 'check')
    """
    if reason in ("hold.raise", "hold.bet") and legal[-1] in AGGRESSIVE:
        return legal[-1]
    if reason == "hold.fold" and FOLD in legal:
        return FOLD
    return "call" if "call" in legal else "check"


ROSTER = (
    Entry(
        "rulebot",
        "holdem",
        "Plays by formula from its cards, the opponents and the price; sound, and it never learns.",
        alone(RuleBot),
    ),
)
