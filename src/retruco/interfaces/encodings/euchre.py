"""Euchre: the own cards, the bidding, the contract and the tricks."""

from __future__ import annotations

from typing import Final

from retruco.games.euchre.deck import DECK, SUITS
from retruco.games.euchre.game import Euchre
from retruco.games.euchre.observation import EuchreObservation
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import ALONE, AND_ALONE, CALLS, DISCARD, ORDER, PASSING, TOGETHER
from retruco.interfaces.encodings.core import Encoding, many_hot, one_hot, sequence_hot, turn

MAKING: Final = tuple(call + how for call in (ORDER, *CALLS) for how in ("", AND_ALONE))
BIDS: Final = (PASSING, *MAKING)
ACTIONS: Final = (*BIDS, ALONE, TOGETHER, *(DISCARD + card for card in DECK), *DECK)
MOST_BIDS: Final = 2 * SEATS
PLACE: Final = {card: place for place, card in enumerate(DECK)}
TRICKS: Final = 5


class GameEncoding(Encoding):
    """Euchre for four."""

    def __init__(self, game: Euchre) -> None:
        self.target = game.target
        fields = {
            **dict.fromkeys(("cards held", "upcard", "card put away"), len(DECK)),
            "dealer": SEATS,
            "bids": MOST_BIDS * len(BIDS),
            "trumps": len(SUITS),
            "maker": SEATS,
            "seat left out": SEATS,
            "cards played by seat": SEATS * len(DECK),
            "cards on the table by seat": SEATS * len(DECK),
            "tricks won by seat": SEATS,
            "scores": 2,
            "turn": SEATS,
        }
        super().__init__(ACTIONS, fields)

    def values(self, observation: EuchreObservation) -> list[float]:
        """The cards that the seat sees, what was said, and who played what."""
        seat, size = observation.seat, len(DECK)
        scores = observation.scores
        return [
            *many_hot([PLACE[card] for card in observation.held], size),
            *one_hot(PLACE[observation.upcard], size),
            *one_hot(None if observation.discard is None else PLACE[observation.discard], size),
            *one_hot((observation.dealer - seat) % SEATS, SEATS),
            *sequence_hot([BIDS.index(bid) for bid in observation.bids], MOST_BIDS, len(BIDS)),
            *self._contract(observation),
            *self._cards(observation),
            *(scores[team] / self.target for team in (seat % 2, 1 - seat % 2)),
            *turn(observation, SEATS),
        ]

    def _contract(self, observation: EuchreObservation) -> list[float]:
        contract = observation.contract
        if contract is None:
            return [0.0] * (len(SUITS) + 2 * SEATS)
        seat, out = observation.seat, contract.out
        return [
            *one_hot(list(SUITS).index(contract.trump), len(SUITS)),
            *one_hot((contract.maker - seat) % SEATS, SEATS),
            *one_hot(None if out is None else (out - seat) % SEATS, SEATS),
        ]

    def _cards(self, observation: EuchreObservation) -> list[float]:
        """Cards of finished tricks and cards on the table, by the seat that played them; tricks by who won them."""
        seat, size, out = observation.seat, len(DECK), observation.contract and observation.contract.out
        order = [(observation.leader + away) % SEATS for away in range(SEATS)]
        table = zip([player for player in order if player != out], observation.table, strict=False)
        played = (
            (player, card)
            for trick in observation.tricks
            for player, card in zip(trick.seats, trick.cards, strict=True)
        )
        won = [0.0] * SEATS
        for trick in observation.tricks:
            won[(trick.winner - seat) % SEATS] += 1 / TRICKS
        return [
            *many_hot(
                [(player - seat) % SEATS * size + PLACE[card] for player, card in played], SEATS * size
            ),
            *many_hot([(player - seat) % SEATS * size + PLACE[card] for player, card in table], SEATS * size),
            *won,
        ]
