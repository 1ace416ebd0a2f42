"""Leduc hold'em: the own card, the board, what was done, whose turn it is."""

from __future__ import annotations

from typing import Final

from retruco.games.leduc import BET_SIZES, MOST_RAISES, RANKS, Leduc, LeducObservation
from retruco.interfaces.encodings.core import Encoding, one_hot, sequence_hot, turn

ACTIONS: Final = ("check", "bet", "call", "raise", "fold")
SLOTS: Final = len(BET_SIZES) * (MOST_RAISES + 2)
"""The most actions of a hand: in each round a check, all raises and a call."""


class GameEncoding(Encoding):
    """Leduc hold'em for two seats."""

    def __init__(self, game: Leduc) -> None:
        self.seats = game.seats
        super().__init__(
            ACTIONS,
            {"card": len(RANKS), "board": len(RANKS), "actions": SLOTS * len(ACTIONS), "turn": self.seats},
        )

    def values(self, observation: LeducObservation) -> list[float]:
        """The card, the board, the actions in order, and whose turn it is."""
        board = None if observation.board is None else RANKS.index(observation.board)
        actions = [ACTIONS.index(action) for action in observation.actions]
        return [
            *one_hot(RANKS.index(observation.card), len(RANKS)),
            *one_hot(board, len(RANKS)),
            *sequence_hot(actions, SLOTS, len(ACTIONS)),
            *turn(observation, self.seats),
        ]
