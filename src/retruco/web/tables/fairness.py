"""Deals that nobody can foresee or choose alone, open to everybody's check after the match.

The server commits itself first: it draws a secret and shows the secret's SHA-256. Only then the client sends a random
contribution of its own, and all deals of the match are drawn from both. When the match is over the secret is shown, and
anybody can draw the same deals again. Besides, every hand has a seal that is shown before it is played: the SHA-256
of a random salt and the deal's text.

>>> from retruco.games.truco import Truco
>>> draw = Draw((Share("5e", "c0ffee"),))
>>> draw.shares[0].commitment[:16]
'6a9426be6f781a89'
>>> str(Truco.named("cbtg").deal(draw.stream("deal 0"))) == str(Truco.named("cbtg").deal(draw.stream("deal 0")))
True
>>> sealed = SealedDeal("00ff", "1e 7c 4b / 3o 2c 5e")
>>> sealed.opened
'00ff 1e 7c 4b / 3o 2c 5e'
>>> sealed.seal[:16]
'b8f432771f246aef'
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from retruco.games.core import Game, Seat
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
class Share:
    """A secret of the server, and what a client gave after it had been shown the secret's hash."""

    secret: str
    contribution: str = ""
    """Empty if no client gave anything: then the server has drawn alone, and says so."""
    seat: Seat | None = None
    """Whose client it was."""

    @property
    def commitment(self) -> str:
        """What is shown of the secret before the client contributes."""
        return sha256(self.secret.encode()).hexdigest()


class JointStream(Stream):
    """Chance drawn from the shares of a match: HMAC-SHA256 of a purpose and a counter, 64 bits at a time."""

    __slots__ = ("_count", "_purpose", "_secret_key")

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__("not used")
        self._secret_key, self._purpose, self._count = key, purpose, 0

    def bits(self) -> int:
        """Draw the next 64 bits."""
        text = f"{self._purpose} {self._count}"
        self._count += 1
        return int.from_bytes(hmac.digest(self._secret_key, text.encode(), "sha256")[:8], "big")


@dataclass(frozen=True, slots=True)
class Draw:
    """What all chance of a match is drawn from; the shares in the order of their seats."""

    shares: tuple[Share, ...]

    def stream(self, purpose: str) -> Stream:
        """The chance for one purpose: `deal N`, `first` or `seed`."""
        text = "\n".join(f"{one.secret} {one.contribution}" for one in self.shares)
        return JointStream(sha256(text.encode()).digest(), purpose)


def new_secret() -> str:
    """Draw a secret for a share."""
    return secrets.token_hex(32)


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal with the salt that hides it until the match is over."""

    salt: str
    text: str
    """The deal as it prints; `Game.read_deal` reads it back."""

    @property
    def opened(self) -> str:
        """What the seal is the hash of."""
        return f"{self.salt} {self.text}"

    @property
    def seal(self) -> str:
        """What is shown before the hand."""
        return sha256(self.opened.encode()).hexdigest()


class Dealer:
    """Draws for live tables what nobody may foresee: the cards, who begins, the luck of the agents.

    Matches that were begun before deals were drawn together have no draw; theirs come from the operating system.
    Whoever starts the application may seat another dealer; no request can.
    """

    def deal(self, game: Game, draw: Draw | None = None, hand: int = 0) -> SealedDeal:
        """Draw the cards of a hand, under a seal of their own."""
        return SealedDeal(secrets.token_hex(16), str(game.deal(_chance(draw, f"deal {hand}"))))

    def first(self, seats: int = 2, draw: Draw | None = None) -> Seat:
        """Draw who leads, or deals, in the first hand."""
        return _chance(draw, "first").below(seats)

    def seed(self, draw: Draw | None = None) -> int:
        """Draw the number from which the agents of a match take their luck."""
        return _chance(draw, "seed").bits() >> 16


def _chance(draw: Draw | None, purpose: str) -> Stream:
    return Unrepeatable() if draw is None else draw.stream(purpose)


def draw_of(shares: tuple[Share, ...]) -> Draw:
    """The draw of a new match; where no client contributed the server draws alone."""
    return Draw(shares or (Share(new_secret()),))


HONEST: Final = Dealer()
"""The dealer of every table, unless the application is made with another."""


def salted_again(sealed: SealedDeal) -> SealedDeal:
    """Use a deal once more under a new salt, so that its seal tells nothing."""
    return SealedDeal(secrets.token_hex(16), sealed.text)
