"""What two cards are worth before the flop: their equity against one to nine random hands.

The table `starting.txt` is made by `python -m retruco.vocab.holdem.starting`: for each of the 169
kinds of starting hand two million deals, played to the end by everybody, and the share of the
pot that the hand won. Its standard error is below 0.04 percentage points.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from retruco.games.holdem.deck import PLACE, RANKS, Hole

MOST_OPPONENTS: Final = 9
DEALS: Final = 2_000_000
FILE: Final = "starting.txt"


def kind_of(hole: Hole) -> str:
    """Name the kind of a starting hand.

    >>> kind_of(("7d", "As")), kind_of(("Kh", "Qh")), kind_of(("2c", "2d"))
    ('A7o', 'KQs', '22')
    """
    high, low = sorted(hole, key=lambda card: -RANKS.index(card[0]))
    if high[0] == low[0]:
        return high[0] + low[0]
    return high[0] + low[0] + ("s" if high[1] == low[1] else "o")


def kinds() -> list[str]:
    """List the 169 kinds, pairs of aces first."""
    return [
        kind_of((high + "s", low + ("s" if suited else "h")))
        for suited in (False, True)
        for place, high in enumerate(reversed(RANKS))
        for low in list(reversed(RANKS))[place + suited :]
    ]


@cache
def table() -> dict[str, tuple[float, ...]]:
    """Read the equities by kind; the first is against one opponent."""
    lines = files(__package__).joinpath(FILE).read_text().splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {name: tuple(map(float, shares)) for name, *shares in rows}


@cache
def better_hands(kind: str, opponents: int) -> float:
    """The share of all two cards that win more against so many random hands.

    >>> better_hands("AA", 3), round(better_hands("KK", 3), 4), round(better_hands("72o", 7), 2)
    (0.0, 0.0045, 0.99)
    """
    own = table()[kind][opponents - 1]
    better = sum(holdings(other) for other, shares in table().items() if shares[opponents - 1] > own)
    return better / sum(map(holdings, table()))


def holdings(kind: str) -> int:
    """How many pairs of cards are of a kind.

    >>> holdings("AA"), holdings("AKs"), holdings("AKo")
    (6, 4, 12)
    """
    return {"s": 4, "o": 12}.get(kind[2:], 6)


def make() -> str:
    """Sample the whole table anew."""
    from retruco.games.holdem.compiled import FAST
    from retruco.vocab.holdem import kernel

    lines = [f"# equity against 1 to {MOST_OPPONENTS} random hands, {DEALS:,} deals each"]
    for number, name in enumerate(kinds()):
        first, second = PLACE[name[0] + "s"], PLACE[name[1] + ("s" if name.endswith("s") else "h")]
        shares = kernel.equities(FAST, first, second, MOST_OPPONENTS, DEALS, number)
        lines.append(" ".join([name, *(f"{share:.4f}" for share in shares)]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / FILE).write_text(make())
