"""`bluffer`: tells a story with every call; weak hands shout, strong hands keep quiet."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Look
from retruco.cbr.case import Decision
from retruco.games.truco.deck import strength
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

    def opens_envido(self, look: Look, chance: Stream) -> Decision | None:
        """Call on poor points as on good ones; the best lie in wait while the other may still call."""
        odds, talk = look.points_odds, look.talk
        if odds >= TRAP and talk == "nothing" and look.obs.is_mao and chance.chance(0.5):
            return None
        if odds >= GOOD_POINTS:
            return look.on_points("envido", "envido.good")
        if look.lacks[1] <= MATCH_POINT and chance.chance(NERVE):
            return look.on_points("falta-envido", "envido.gamble")
        return look.on_points("envido", "envido.bluff") if chance.chance(ENVIDO_BLUFF[talk]) else None

    def answers_envido(self, look: Look, chance: Stream) -> Decision:
        """Spring the trap, or represent one."""
        odds = look.points_odds
        if "real-envido" in look.legal and (odds >= SPRING or chance.chance(PRETENCE)):
            return look.on_points("real-envido", "envido.raised")
        return look.takes_points(odds >= look.points_price)

    def calls_truco(self, look: Look, call: str, chance: Stream) -> Decision | None:
        """Mostly wait for the last round; shout with weak hands when the story is good."""
        if look.hand_odds >= STRONG[call]:
            return look.on_hand(call, "truco.strong")
        nerve = STORY if look.won_first and call == "truco" else NERVE
        bluffs = call != "vale4" and look.number > 1 and chance.chance(nerve)
        return look.on_hand(call, "truco.bluff") if bluffs else None

    def answers_truco(self, look: Look, chance: Stream) -> Decision:
        """Raise with the hands that waited, and with a few that only pretend."""
        odds, call = look.hand_odds, look.raise_call
        if call is not None and odds >= STRONG[call]:
            return look.on_hand(call, "truco.raised")
        if call == "retruco" and odds < WEAK and chance.chance(NERVE):
            return look.on_hand(call, "truco.bluff")
        return self.takes(odds >= look.truco_price + RESPECT, look, chance)

    def plays_card(self, look: Look, chance: Stream) -> Decision:
        """Play the best chance; with the first round won and a great card kept, hide the other one."""
        if look.won_first and look.faced is None and look.strengths[-1] >= A_SEVEN and chance.chance(0.5):
            return look.put_down(look.cards[0], "card.hidden")
        return look.put(look.best_card, "card.best")


ROSTER = (
    Entry(
        "bluffer",
        "truco",
        "Tells a story with every call: weak hands shout, strong hands keep quiet.",
        alone(Bluffer),
    ),
)
