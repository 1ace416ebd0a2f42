"""`aggressive`: calls first, raises often, and makes the other pay to see the next card."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.deck import strength
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream

FAIR_POINTS: Final = 0.55
"""Envido is called with anything near the middle,"""
GOOD_POINTS: Final = 0.8
"""real envido with good points, and an envido is raised with them."""
GREAT_POINTS: Final = 0.9
FALTA: Final = 0.25
"""How often great points go for the falta at once."""
FIRST: Final = 0.5
"""How often a truco is met with envido before it is answered, whatever the points."""
STRONG: Final = {"truco": 0.6, "retruco": 0.62, "vale4": 0.95}
"""The chance to win the hand that each call wants behind it."""
EARLY: Final = 0.12
"""In the first round it wants so much more: there is time to call later."""
PUSH: Final = {"truco": 0.15, "retruco": 0.15, "vale4": 0.01}
"""How often each call is made with less, to push the other out."""
A_THREE: Final = strength("3e")
"""Up to a three, the highest card leads; what is better is kept."""
HOPE: Final = 0.05
"""It accepts any bet a little below its price."""


class Aggressive(ScriptedPlayer):
    """Keeps the pressure on."""

    waits = (0.6, 0.5, 0.0)
    folds_lost = 0.8
    bluffs_lost = 0.35
    contraflor_odds = 0.6

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call with middling points, go straight to real envido with good ones."""
        odds = situation.points_odds
        if odds >= GREAT_POINTS and chance.chance(FALTA):
            return situation.on_points("falta-envido", "envido.gamble")
        if odds >= GOOD_POINTS and chance.chance(0.5):
            return situation.on_points("real-envido", "envido.good")
        if odds >= FAIR_POINTS:
            return situation.on_points("envido", "envido.good")
        if situation.obs.bet.call and chance.chance(FIRST):
            return situation.on_points("envido", "envido.first")
        return None

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Raise with good points, accept at the price."""
        odds = situation.points_odds
        for call in ("real-envido", "falta-envido"):
            if odds >= GOOD_POINTS and call in situation.legal:
                return situation.on_points(call, "envido.raised")
        return situation.takes_points(odds >= situation.points_price - HOPE)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Call with any hand that may well win, and push with some that may not."""
        least = STRONG[call] + (EARLY if situation.number == 1 else 0.0)
        if situation.hand_odds >= least:
            return situation.on_hand(call, "truco.strong")
        pushes = situation.number > 1 and chance.chance(PUSH[call])
        return situation.on_hand(call, "truco.bluff") if pushes else None

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Answer a call with a higher one whenever the hand is good, and now and then when not."""
        odds, call = situation.hand_odds, situation.raise_call
        if call is not None and (odds >= STRONG[call] or chance.chance(PUSH[call])):
            return situation.on_hand(call, "truco.raised")
        return self.takes(odds >= situation.truco_price - HOPE, situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Take the first round if a card in hand can; then play the best chance."""
        if situation.faced is None and situation.number == 1 and situation.strengths[-1] <= A_THREE:
            return situation.put(situation.cards[-1], "card.high")
        return situation.put(situation.best_card, "card.best")


ROSTER = (
    Entry(
        "aggressive",
        "truco",
        "Calls first, raises often, and makes the other pay to see the next card.",
        alone(Aggressive),
        tuple(PRESETS),
    ),
)
