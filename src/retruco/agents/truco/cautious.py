"""`cautious`: bets on what it holds, never on what it hopes, and keeps its best card for last."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream

GOOD_POINTS: Final = 0.75
"""Envido is called only with points that beat most hands,"""
SAFE: Final = 0.2
"""and accepted only so much above its price."""
GREAT_POINTS: Final = 0.9
"""Points that raise an envido, or come before answering a truco."""
STRONG: Final = {"truco": 0.72, "retruco": 0.8, "vale4": 0.98}
"""The chance to win the hand that each call wants behind it."""
RESPECT: Final = 0.22
"""A truco is believed: a hand needs so much more than the price to accept."""
MATCH_POINT: Final = 4
"""With the other so near the target, it asks for less."""


class Cautious(ScriptedPlayer):
    """Waits for good cards."""

    waits = (0.9, 0.5, 0.0)
    folds_lost = 0.9

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call with good points; before the other's truco only with very good ones."""
        least = GREAT_POINTS if situation.obs.bet.call else GOOD_POINTS
        return situation.on_points("envido", "envido.good") if situation.points_odds >= least else None

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Accept well above the price; raise with the best points of all."""
        odds = situation.points_odds
        if odds >= GREAT_POINTS and "real-envido" in situation.legal:
            return situation.on_points("real-envido", "envido.raised")
        return situation.takes_points(odds >= situation.points_price + SAFE)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Mostly wait for the second round, then call with a hand that should win."""
        strong = situation.hand_odds >= STRONG[call] and not situation.enough
        return situation.on_hand(call, "truco.strong") if strong else None

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Believe the caller: accept with a good hand, raise with one that can hardly lose."""
        odds, call = situation.hand_odds, situation.raise_call
        if call is not None and odds >= STRONG[call] and not situation.enough:
            return situation.on_hand(call, "truco.raised")
        respect = RESPECT / 2 if situation.lacks[1] <= MATCH_POINT else RESPECT
        return self.takes(odds >= situation.truco_price + respect, situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Win cheaply; lead the middle card first, and keep the best for last."""
        if situation.faced is None and situation.number == 1:
            return situation.put(situation.cards[1], "card.kept")
        if situation.faced is None and situation.won_first:
            return situation.put(situation.cards[0], "card.kept")
        return situation.put(situation.best_card, "card.best")


ROSTER = (
    Entry(
        "cautious",
        "truco",
        "Bets on what it holds, never on what it hopes, and keeps its best card for last.",
        alone(Cautious),
        tuple(PRESETS),
    ),
)
