"""`novice`: knows the words and its own cards; seat, score and what the other does tell it little."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Entry, alone
from retruco.agents.truco.player import ScriptedPlayer
from retruco.agents.truco.sense import Situation
from retruco.cbr.case import Decision
from retruco.games.truco.deck import strength
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream

GOOD_POINTS: Final = 27
"""It was told that 27 is a good envido ..."""
FAIR_POINTS: Final = 23
"""... and accepts with 23, whoever asks and for how much."""
GREAT_POINTS: Final = 31
"""With 31 it even raises."""
A_TWO: Final = strength("2e")
"""A two or better is a good card,"""
A_SEVEN: Final = strength("7o")
"""a seven of ouros or better a great one."""
TRIES: Final = 0.12
"""How often it calls envido with poor points, just to see."""
A_THREE: Final = strength("3e")
KEEN: Final = 0.3
"""How often a three in hand, or the first round won, is enough to raise a truco."""
CURIOUS: Final = 0.55
"""How often it accepts a truco just to see."""
CLEVER: Final = 0.5
"""How often it remembers that the smallest winning card is enough."""


class Novice(ScriptedPlayer):
    """Goes by its own cards alone."""

    waits = (0.6, 0.5, 0.0)
    minds_the_board = False
    folds_lost = 0.5

    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call with good points; sometimes just try."""
        if situation.points >= GOOD_POINTS:
            return situation.on_points("envido", "envido.good")
        return situation.on_points("envido", "envido.bluff") if chance.chance(TRIES) else None

    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Accept with fair points, raise only with those that can hardly lose."""
        if situation.points >= GREAT_POINTS and "real-envido" in situation.legal:
            return situation.on_points("real-envido", "envido.raised")
        return situation.takes_points(situation.points >= FAIR_POINTS)

    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Truco with a good card for every round still needed; more only with a great card."""
        needed = 2 if situation.number == 1 else 1
        least = A_TWO if call == "truco" else A_SEVEN
        if sum(card >= least for card in situation.strengths) >= needed:
            return situation.on_hand(call, "truco.strong")
        return None

    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Accept with a good card in hand, or out of curiosity; raise when keen, or with a great one."""
        best = situation.strengths[-1] if situation.strengths else 0
        keen = (
            situation.raise_call == "retruco"
            and (situation.won_first or best >= A_THREE)
            and chance.chance(KEEN)
        )
        if situation.raise_call and (keen or best >= A_SEVEN):
            return situation.on_hand(situation.raise_call, "truco.raised")
        return self.takes(best >= A_TWO or chance.chance(CURIOUS), situation, chance)

    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Lead the highest card; win with the highest too, unless it thinks; else the lowest."""
        winner = situation.cheapest_winner
        if winner is None:
            return situation.put(situation.cards[0], "card.low")
        if situation.faced is not None and chance.chance(CLEVER):
            return situation.put(winner, "card.cheapest")
        return situation.put(situation.cards[-1], "card.high")


ROSTER = (
    Entry(
        "novice",
        "truco",
        "Knows the words and its own cards; seat, score and the other's talk tell it little.",
        alone(Novice),
        tuple(PRESETS),
    ),
)
