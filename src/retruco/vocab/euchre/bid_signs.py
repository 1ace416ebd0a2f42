"""What bids have shown of the hands behind them, for the chance chart.

Who makes trumps holds more of them than chance would have it, and who passed holds fewer of the suit that was turned. How
much so was counted over many hands (`benchmarks/euchre_bids.py`): for every role in the bidding and kind of suit, the cards
that were held over those that the plain chart expects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from retruco.games.euchre import SUITS, EuchreObservation, Suit
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import PASSING

FILE: Final = "bid_signs.json"
SILENT, PASSED, PASSED_TWICE, ORDERED, NAMED = "silent", "passed", "passed twice", "ordered", "named"
ROLES: Final = (SILENT, PASSED, PASSED_TWICE, ORDERED, NAMED)
TRUMP, TURNED, PLAIN = "trump", "turned", "plain"
KINDS: Final = (TRUMP, TURNED, PLAIN)
STEPS: Final = 12
"""How often rows and columns are brought to their sums; they hardly change any more then."""

Weights = Mapping[str, Mapping[str, float]]
"""By role and kind of suit: how many times as many cards are held as chance would have it."""
Rows = tuple[tuple[float, ...], ...]


def roles_of(seen: EuchreObservation) -> list[str]:
    """What each seat has said until trumps were made."""
    roles = [SILENT] * SEATS
    for turn, (seat, said) in enumerate(seen.speakers):
        if said == PASSING:
            roles[seat] = PASSED if turn < SEATS else PASSED_TWICE
        else:
            roles[seat] = ORDERED if turn < SEATS else NAMED
    return roles


def kind_of(suit: Suit, seen: EuchreObservation) -> str:
    """Whether a suit is trumps, or was turned and passed over, or neither."""
    return TRUMP if suit == seen.trump else TURNED if suit == seen.upcard[1] else PLAIN


def weights_for(seen: EuchreObservation, seats: Sequence[int], weights: Weights) -> Rows:
    """The weight of every suit for some seats, by what they have said."""
    roles = roles_of(seen)
    return tuple(tuple(weights[roles[seat]][kind_of(suit, seen)] for suit in SUITS) for seat in seats)


def weigh(means: Rows, suits: Sequence[int], weights: Rows) -> Rows:
    """Chances in proportion to weights, with as many cards in every hand and of every suit as before.

    Rows and columns are brought to their sums in turn; the cards that nobody plays have a weight of 1.

    >>> even = ((0.25, 0.25), (0.25, 0.25))
    >>> more = weigh(even, (4, 4), ((2.0, 1.0), (1.0, 1.0)))
    >>> [[round(part, 2) for part in row] for row in more]
    [[0.31, 0.19], [0.23, 0.27]]
    """
    counts = [[part * count for part, count in zip(row, suits, strict=True)] for row in means]
    counts.append([count - sum(column) for count, *column in zip(suits, *counts, strict=True)])
    room = [sum(row) for row in counts]
    factors = [*weights, (1.0,) * len(suits)]
    counts = [
        [part * by for part, by in zip(*rows, strict=True)] for rows in zip(counts, factors, strict=True)
    ]
    for _ in range(STEPS):
        counts = [_to_sum(row, total) for row, total in zip(counts, room, strict=True)]
        columns = [
            _to_sum(column, count) for column, count in zip(zip(*counts, strict=True), suits, strict=True)
        ]
        counts = [list(row) for row in zip(*columns, strict=True)]
    return tuple(
        tuple(min(1.0, part / count) if count else 0.0 for part, count in zip(row, suits, strict=True))
        for row in counts[:-1]
    )


def _to_sum(parts: Sequence[float], total: float) -> list[float]:
    whole = sum(parts)
    return [part * total / whole for part in parts] if whole > 0 else list(parts)


@cache
def counted_weights() -> Weights:
    """The weights that were counted."""
    text = (files("retruco.vocab.euchre") / FILE).read_text(encoding="utf-8")
    weights: Weights = json.loads(text)["weights"]
    return weights
