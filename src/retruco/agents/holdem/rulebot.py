"""The rule player: sound, unadaptive, with every threshold in one place.

Its rule is compiled: a table in compiled code and the agent call the same function. What a rule player thinks of a
situation is a reason, the place of its name among `REASONS`; `act_on` turns it into an action.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from retruco.agents.core import Entry, alone
from retruco.cbr.case import Decision
from retruco.compiler import compiled_step
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.compiled import (
    ACTIONS,
    AT,
    Longs,
    bets_to_call,
    call_or_check,
    fold_or_check,
    raise_or_call,
    situation_seen,
)
from retruco.streams import Stream
from retruco.vocab.holdem.strength import Odds, chance_of, odds, percent, potentials_of, price_of

REASONS: Final = ("hold.raise", "hold.bet", "hold.call", "hold.draw", "hold.fold")
RAISES, BETS, CALLS, DRAWS, FOLDS = range(len(REASONS))


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


@compiled_step
def rulebot(situation: Longs, odds: Odds, limits: Thresholds) -> int:
    """Weigh the hand as it stands now; what was thought earlier in the stage does not matter."""
    chance, bets = chance_of(situation, odds), bets_to_call(situation)
    if not situation[AT.stage]:
        worth = chance * (situation[AT.opponents] + 1) - limits.dearer * max(0, bets - 1)
        if worth >= limits.raise_before:
            return RAISES
        return CALLS if worth >= limits.call_before else FOLDS
    if not bets:
        return BETS if chance >= limits.bet else FOLDS
    if chance >= (limits.raised if situation[AT.raises] < 2 else limits.reraised):
        return RAISES
    if chance >= limits.call + limits.call_more * (bets - 1):
        return CALLS
    return DRAWS if potentials_of(situation, odds)[0] >= price_of(situation) else FOLDS


@compiled_step
def act_on(reason: int, situation: Longs) -> int:
    """Do what was decided, as far as the rules allow it."""
    if reason <= BETS:
        return raise_or_call(situation)
    return fold_or_check(situation) if reason == FOLDS else call_or_check(situation)


def decision_of(reason: int, situation: Longs) -> Decision:
    """Word a decision; a check is free, whatever a fold or a call would have cost."""
    action = ACTIONS[act_on(reason, situation)]
    is_free = action == "check" and reason in (CALLS, FOLDS)
    values = {"chance": percent(chance_of(situation, odds()))}
    return Decision(action, "hold.check" if is_free else REASONS[reason], values)


def hand_to_judge(seen: HoldemObservation) -> Longs:
    """What is known of a hand, by a seat that has seen its cards."""
    if seen.hole is None:
        raise ValueError(f"seat {seen.seat} cannot decide without seeing its cards")
    return situation_seen(seen)


class RuleBot:
    """A formula player: it knows its cards, the number of opponents and the price, and never learns.

    It stands in for the RuleBot of the Meerkat library against which Casey was measured, a closed
    program: safe and sound, without a model of anybody. Its formulas are our own.
    """

    limits = Thresholds()

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Weigh the hand as it stands now."""
        situation = hand_to_judge(seen)
        return decision_of(rulebot(situation, odds(), self.limits), situation)


ROSTER = (
    Entry(
        "rulebot",
        "holdem",
        "Plays by formula from its cards, the opponents and the price; sound, and it never learns.",
        alone(RuleBot),
    ),
)
