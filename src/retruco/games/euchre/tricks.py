"""The contract and the tricks: who made trumps, who plays after whom, and who wins what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from retruco.games.core import Seat, Team
from retruco.games.euchre.deck import POWER, SUIT_OF, Card, Suit

SEATS: Final = 4
TRICKS: Final = 5
TEAMS: Final[tuple[Team, ...]] = (0, 1, 0, 1)
NEXT: Final[tuple[Seat, ...]] = (1, 2, 3, 0)
"""The seat to the left of each seat."""


def partner_of(seat: Seat) -> Seat:
    """The seat across the table."""
    return (seat + 2) % SEATS


def _around(leader: Seat, out: Seat | None) -> tuple[Seat, ...]:
    seats = ((leader + turn) % SEATS for turn in range(SEATS))
    return tuple(seat for seat in seats if seat != out)


AROUND: Final[Mapping[Seat | None, tuple[tuple[Seat, ...], ...]]] = {
    out: tuple(_around(leader, out) for leader in range(SEATS)) for out in (None, *range(SEATS))
}
"""The seats in the order in which they play to a trick, by who is left out and who leads."""


class Contract(NamedTuple):
    """Who made trumps, and how."""

    maker: Seat
    trump: Suit
    ordered: bool
    """Whether the upcard was ordered, so that the dealer has it."""
    out: Seat | None = None
    """The seat that lays its cards down because its partner plays alone."""

    @property
    def alone(self) -> bool:
        """Whether the maker plays without a partner."""
        return self.out is not None


class Trick(NamedTuple):
    """A finished trick."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    """The cards in the order in which they were played."""
    winner: Seat


def winning(cards: tuple[Card, ...], trump: Suit) -> int:
    """Find the place of the card that wins what lies on the table.

    >>> winning(("Ac", "9h", "Kc"), "h"), winning(("9c", "Ad", "Jd", "Jh"), "h")
    (1, 3)
    """
    powers = POWER[trump][SUIT_OF[trump][cards[0]]]
    values = [powers[card] for card in cards]
    return values.index(max(values))
