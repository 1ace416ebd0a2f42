"""Limit hold'em: the own cards, the board, and how the betting stands."""

from __future__ import annotations

from typing import Final

from retruco.games.holdem.deck import CARDS, PLACE
from retruco.games.holdem.game import Holdem
from retruco.games.holdem.rules import STAGES
from retruco.games.holdem.state import HoldemObservation, position_of
from retruco.interfaces.encodings.core import Encoding, many_hot, one_hot, turn

ACTIONS: Final = ("fold", "check", "call", "bet", "raise")


class GameEncoding(Encoding):
    """Limit hold'em for two to ten seats."""

    def __init__(self, game: Holdem) -> None:
        self.seats, self.rules = game.seats, game.rules
        fields = {
            **dict.fromkeys(("hole cards", "board"), len(CARDS)),
            "stage": len(STAGES),
            **dict.fromkeys(("position", "chips paid by seat", "seats still in"), self.seats),
            "raises by stage": len(STAGES),
            "turn": self.seats,
        }
        super().__init__(ACTIONS, fields)

    def values(self, observation: HoldemObservation) -> list[float]:
        """The cards that the seat sees, its position, and what each seat has paid."""
        betting = observation.betting
        positions = [
            position_of(observation.dealer, (observation.seat + away) % self.seats, self.seats)
            for away in range(self.seats)
        ]
        return [
            *many_hot([PLACE[card] for card in observation.hole or ()], len(CARDS)),
            *many_hot([PLACE[card] for card in observation.board], len(CARDS)),
            *one_hot(betting.stage, len(STAGES)),
            *one_hot(observation.position, self.seats),
            *(betting.spent[position] / self.rules.most_spent for position in positions),
            *(float(betting.live >> position & 1) for position in positions),
            *self._raises(observation),
            *turn(observation, self.seats),
        ]

    def _raises(self, observation: HoldemObservation) -> list[float]:
        """The bets and raises of each stage, as a share of those that the rules allow."""
        counts = [0] * len(STAGES)
        for step in observation.steps():
            counts[step.betting.stage] += step.action in ("bet", "raise")
        return [count / most for count, most in zip(counts, self.rules.raises, strict=True)]
