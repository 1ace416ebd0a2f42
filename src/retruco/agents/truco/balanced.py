"""`balanced`: counts its cards, knows the price of a bet, and bluffs just enough to be believed."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream

GOOD_POINTS: Final = 0.6
"""Envido is called when these odds say that the points are the better ones ..."""
GREAT_POINTS: Final = 0.92
"""... and real envido, every other time, from here; falta envido when it leads the match, for
then losing it costs little and winning it wins all."""
FALTA: Final = 0.4
"""How often it does."""
ENVIDO_BLUFF: Final = 0.1
"""How often it calls envido with poor points, so that good ones get paid."""
RAISE_POINTS: Final = 0.8
"""An envido is raised with points that beat most callers."""
STRONG: Final = {"truco": 0.66, "retruco": 0.78, "vale4": 0.95}
"""The chance to win the hand that each call wants behind it."""
WEAK: Final = 0.3
BLUFF: Final = {"truco": 0.15, "retruco": 0.04, "vale4": 0.0}
"""How often each call is made with a hand that seldom wins by its cards."""
RESPECT: Final = 0.18
"""Who calls truco has something: a hand needs so much more than the price to accept."""


class Balanced(ScriptedPlayer):
    """Plays the odds."""

    waits = (0.75, 0.6, 0.0)
    folds_lost = 0.8
    bluffs_lost = 0.15

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call with the better half of points; now and then with nothing."""
        odds = situation.points_odds
        if odds >= GREAT_POINTS and situation.ahead and chance.chance(FALTA):
            return situation.on_points("falta-envido", "envido.gamble")
        if odds >= GREAT_POINTS and chance.chance(0.5):
            return situation.on_points("real-envido", "envido.good")
        if odds >= GOOD_POINTS:
            return situation.on_points("envido", "envido.good")
        return situation.on_points("envido", "envido.bluff") if chance.chance(ENVIDO_BLUFF) else None

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Raise with the best points, accept at a fair price."""
        odds = situation.points_odds
        if odds >= RAISE_POINTS and "real-envido" in situation.legal:
            return situation.on_points("real-envido", "envido.raised")
        return situation.takes_points(odds >= situation.points_price)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Call with a hand that wins more often than not; bluff with one that cannot."""
        odds = situation.hand_odds
        if odds >= STRONG[call] and not situation.enough:
            return situation.on_hand(call, "truco.strong")
        if odds < WEAK and chance.chance(BLUFF[call]):
            return situation.on_hand(call, "truco.bluff")
        return None

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Raise when strong, accept at the price and a bit of respect."""
        odds, call = situation.hand_odds, situation.raise_call
        if call is not None and odds >= STRONG[call] and not situation.enough:
            return situation.on_hand(call, "truco.raised")
        return self.takes(odds >= situation.truco_price + RESPECT, situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Play the card that leaves the best chance to win the hand."""
        return situation.put(situation.best_card, "card.best")


ROSTER = (
    Entry(
        "balanced",
        "truco",
        "Counts its cards, knows the price of a bet, and bluffs just enough to be believed.",
        alone(Balanced),
        tuple(PRESETS),
    ),
)
