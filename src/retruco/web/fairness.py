"""Deals nobody can foresee, sealed before the hand and open to everybody's check afterwards.

Before a hand is played its seal is shown: the SHA-256 of a random salt and the deal's text. When
the match is over salt and deal are shown too, and anybody can compute the same seal.

>>> sealed = SealedDeal("00ff", "1e 7c 4b / 3o 2c 5e")
>>> sealed.opened
'00ff 1e 7c 4b / 3o 2c 5e'
>>> sealed.seal[:16]
'b8f432771f246aef'
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from retruco.cards import card
from retruco.games.core import Game, Seat
from retruco.games.truco import TrucoDeal
from retruco.games.truco.deck import Hand
from retruco.streams import Stream


class Unrepeatable(Stream):
    """Chance straight from the operating system, which nobody can foresee or repeat."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("not used")

    def bits(self) -> int:
        """Draw 64 bits from the operating system."""
        return secrets.randbits(64)


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal with the salt that hides it until the match is over."""

    salt: str
    text: str
    """Both hands, seat 0 first; of another game than Truco, the deal as it prints."""

    @property
    def opened(self) -> str:
        """What the seal is the hash of."""
        return f"{self.salt} {self.text}"

    @property
    def seal(self) -> str:
        """What is shown before the hand."""
        return sha256(self.opened.encode()).hexdigest()

    @property
    def deal(self) -> TrucoDeal:
        """The deal itself."""
        first, second = (_hand(half) for half in self.text.split(" / "))
        return TrucoDeal((first, second))


def _hand(text: str) -> Hand:
    a, b, c = (card(one) for one in text.split())
    return a, b, c


class Dealer:
    """Draws for live tables what nobody may foresee: the cards, who is mão first, the luck of the agents.

    Whoever starts the application may seat another one; no request can.
    """

    def deal(self, game: Game) -> SealedDeal:
        """Draw the cards of a hand, under a seal of their own."""
        return SealedDeal(secrets.token_hex(16), str(game.deal(Unrepeatable())))

    def first(self, seats: int = 2) -> Seat:
        """Draw who is mão, or deals, in the first hand."""
        return Unrepeatable().below(seats)

    def seed(self) -> int:
        """Draw the number from which the agents of a match take their luck."""
        return secrets.randbits(48)


HONEST: Final = Dealer()
"""The dealer of every table, unless the application is made with another."""


def salted_again(sealed: SealedDeal) -> SealedDeal:
    """Use a deal once more under a new salt, so that its seal tells nothing."""
    return SealedDeal(secrets.token_hex(16), sealed.text)
