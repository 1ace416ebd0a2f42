"""The variants of limit hold'em as data: seats, blinds, bet sizes and how often one may raise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STAGES: Final = ("preflop", "flop", "turn", "river")
BOARD: Final = (0, 3, 4, 5)
"""How many cards lie open in each stage."""

FEWEST_SEATS, MOST_SEATS = 2, 10


@dataclass(frozen=True, slots=True)
class Rules:
    """One way to play limit hold'em, in chips."""

    name: str
    seats: int
    small_blind: int
    big_blind: int
    sizes: tuple[int, int, int, int]
    """What a bet or a raise adds, by stage."""
    raises: tuple[int, int, int, int]
    """How many bets and raises a stage may have; before the flop the big blind is not one of them."""

    def __hash__(self) -> int:
        """By the name alone, which is quick; rules of one name are nearly always the same."""
        return hash(self.name)

    @property
    def most_spent(self) -> int:
        """The most that a seat can put into the pot of one hand."""
        return self.big_blind + sum(size * times for size, times in zip(self.sizes, self.raises, strict=True))


FIVE_BETS: Final = (4, 5, 5, 5)
"""At most five bets in a stage, the big blind being the first before the flop (Sandven 2006)."""

VARIANTS: Final = {
    "limit": ("blinds 1 and 2, bets 2 and 4, at most five bets a stage", (1, 2, (2, 2, 4, 4), FIVE_BETS)),
    "casey": ("bets of one size, 2, at most five a stage (Sandven 2006)", (1, 2, (2, 2, 2, 2), FIVE_BETS)),
    "casey-paper": (
        "as casey, with the paper's blinds: a whole bet, and a raise of it (Sandven 2006, section 2.1)",
        (2, 4, (2, 2, 2, 2), (3, 5, 5, 5)),
    ),
    "acpc": ("blinds 5 and 10, bets 10 and 20, raises 3-4-4-4", (5, 10, (10, 10, 20, 20), (3, 4, 4, 4))),
    "four": ("blinds 1 and 2, bets 2 and 4, four raises a stage", (1, 2, (2, 2, 4, 4), (4, 4, 4, 4))),
}
"""What each variant is, and its blinds, sizes and raises; a preset is a variant and a number of seats."""

PRESETS: Final = (
    "limit-4", "limit-2", "limit-3", "limit-6", "limit-8", "limit-10",
    "casey-4", "casey-6", "casey-8", "acpc-2", "acpc-3", "four-2", "four-9",
)  # fmt: skip
"""Those that are listed; every variant can be played by two to ten."""


def preset(name: str) -> Rules:
    """Read a preset's name, such as `limit-6`.

    >>> preset("acpc-2").raises
    (3, 4, 4, 4)
    >>> preset("limit-11")
    Traceback (most recent call last):
    ...
    ValueError: unknown rules 'limit-11': one of limit, casey, casey-paper, acpc, four, then - and 2 to 10 seats, such as limit-4
    """
    variant, _, seats = name.rpartition("-")
    if variant not in VARIANTS or seats not in map(str, range(FEWEST_SEATS, MOST_SEATS + 1)):
        raise ValueError(
            f"unknown rules {name!r}: one of {', '.join(VARIANTS)}, then - and "
            f"{FEWEST_SEATS} to {MOST_SEATS} seats, such as limit-4"
        )
    return Rules(name, int(seats), *VARIANTS[variant][1])
