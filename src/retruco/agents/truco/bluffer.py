"""`bluffer`: tells a story with every call; weak hands shout, strong hands keep quiet."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.deck import strength
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream

GOOD_POINTS: Final = 0.6
"""Envido is called on its merits when these odds say that the points are the better ones."""
ENVIDO_BLUFF: Final = {"nothing": 0.12, "passed": 0.25}
"""How often it calls envido on poor points: more after the other has let it pass."""
TRAP: Final = 0.9
"""Points as good as this, every other time, wait for the other to call ..."""
SPRING: Final = 0.75
"""... and from these odds on against a caller they raise;"""
PRETENCE: Final = 0.08
"""so do a few that only pretend."""
STRONG: Final = {"truco": 0.64, "retruco": 0.68, "vale4": 0.94}
"""The chance to win the hand behind a call that is made on its merits."""
WEAK: Final = 0.3
"""A hand that has to be talked up."""
STORY: Final = 0.4
"""How often a weak hand calls truco after winning the first round, when the story is good;"""
NERVE: Final = 0.12
"""and how often it calls or raises without one."""
MATCH_POINT: Final = 3
"""With the other so near the target it goes for the falta on nothing but nerve."""
RESPECT: Final = 0.03
"""It believes a caller little: a hand needs hardly more than the price to accept."""
A_SEVEN: Final = strength("7e")
"""A card that makes the last round safe enough to hide the one before it, every other time."""


class Bluffer(ScriptedPlayer):
    """Plays the other player."""

    waits = (0.8, 0.6, 0.0)
    folds_lost = 0.9
    bluffs_lost = 0.4

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call on poor points as on good ones; the best lie in wait while the other may still call."""
        odds, talk = situation.points_odds, situation.talk
        if odds >= TRAP and talk == "nothing" and situation.obs.is_mao and chance.chance(0.5):
            return None
        if odds >= GOOD_POINTS:
            return situation.on_points("envido", "envido.good")
        if situation.lacks[1] <= MATCH_POINT and chance.chance(NERVE):
            return situation.on_points("falta-envido", "envido.gamble")
        return situation.on_points("envido", "envido.bluff") if chance.chance(ENVIDO_BLUFF[talk]) else None

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Spring the trap, or represent one."""
        odds = situation.points_odds
        if "real-envido" in situation.legal and (odds >= SPRING or chance.chance(PRETENCE)):
            return situation.on_points("real-envido", "envido.raised")
        return situation.takes_points(odds >= situation.points_price)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Mostly wait for the last round; shout with weak hands when the story is good."""
        if situation.hand_odds >= STRONG[call]:
            return situation.on_hand(call, "truco.strong")
        nerve = STORY if situation.won_first and call == "truco" else NERVE
        bluffs = call != "vale4" and situation.number > 1 and chance.chance(nerve)
        return situation.on_hand(call, "truco.bluff") if bluffs else None

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Raise with the hands that waited, and with a few that only pretend."""
        odds, call = situation.hand_odds, situation.raise_call
        if call is not None and odds >= STRONG[call]:
            return situation.on_hand(call, "truco.raised")
        if call == "retruco" and odds < WEAK and chance.chance(NERVE):
            return situation.on_hand(call, "truco.bluff")
        return self.takes(odds >= situation.truco_price + RESPECT, situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Play the best chance; with the first round won and a great card kept, hide the other one."""
        if (
            situation.won_first
            and situation.faced is None
            and situation.strengths[-1] >= A_SEVEN
            and chance.chance(0.5)
        ):
            return situation.put_down(situation.cards[0], "card.hidden")
        return situation.put(situation.best_card, "card.best")


ROSTER = (
    Entry(
        "bluffer",
        "truco",
        "Tells a story with every call: weak hands shout, strong hands keep quiet.",
        alone(Bluffer),
        tuple(PRESETS),
    ),
)
