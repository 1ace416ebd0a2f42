"""Kuhn poker: the own card, what was done, whose turn it is."""

from __future__ import annotations

from typing import Final

from retruco.games.kuhn import DECKS, Kuhn, KuhnObservation
from retruco.interfaces.encodings.core import Encoding, one_hot, sequence_hot, turn

ACTIONS: Final = ("check", "bet", "call", "fold")


class GameEncoding(Encoding):
    """Kuhn poker for two or three seats."""

    def __init__(self, game: Kuhn) -> None:
        self.seats, self.deck = game.seats, DECKS[game.seats]
        self.slots = 2 * game.seats - 1
        """The most actions of a hand."""
        super().__init__(
            ACTIONS, {"card": len(self.deck), "actions": self.slots * len(ACTIONS), "turn": self.seats}
        )

    def values(self, observation: KuhnObservation) -> list[float]:
        """The card, the actions in order, and whose turn it is."""
        actions = [ACTIONS.index(action) for action in observation.actions]
        return [
            *one_hot(self.deck.index(observation.card), len(self.deck)),
            *sequence_hot(actions, self.slots, len(ACTIONS)),
            *turn(observation, self.seats),
        ]
