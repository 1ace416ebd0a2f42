"""The curves of a review, as numbers that a template draws: chance and score, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 400
HEIGHT: Final = 190
LEFT: Final = 42
RIGHT: Final = 8
TOP: Final = 10
BOTTOM: Final = 22
"""The size of a chart and its margins, in the units of its drawing."""


class Dot(NamedTuple):
    """A point of a curve."""

    x: float
    y: float
    hand: int
    """How many hands have been played there."""
    value: float


class Curve(NamedTuple):
    """A line through its points."""

    path: str
    dots: tuple[Dot, ...]


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    text: str


class Chart(NamedTuple):
    """Curves with their axes."""

    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def draw_chart(
    rows: Sequence[Sequence[float]], low: float, high: float, marks: Sequence[tuple[float, str]]
) -> Chart:
    """Lay out curves over the hands of a match: each row has a value before the first hand and after every one.

    >>> draw_chart([[0, 1]], 0, 1, [(0.5, "50 %")]).curves[0].path
    'M42.0 168.0L392.0 10.0'
    """
    hands = max(len(rows[0]) - 1, 1)
    curves = tuple(_curve(row, hands, low, high) for row in rows)
    return Chart(curves, _hand_ticks(hands), tuple(Tick(_y(at, low, high), text) for at, text in marks))


def score_marks(
    scores: Sequence[Sequence[float]], target: float
) -> tuple[float, float, list[tuple[float, str]]]:
    """The lowest and the highest value of a chart of scores, and the marks between them."""
    every = [score for row in scores for score in row]
    low, high = min(0, *every), max(target, *every)
    return low, high, [(value, f"{value:g}") for value in dict.fromkeys((low, (low + high) / 2, high))]


def _curve(row: Sequence[float], hands: int, low: float, high: float) -> Curve:
    dots = tuple(Dot(_x(hand, hands), _y(value, low, high), hand, value) for hand, value in enumerate(row))
    return Curve("M" + "L".join(f"{dot.x:.1f} {dot.y:.1f}" for dot in dots), dots)


def _hand_ticks(hands: int) -> tuple[Tick, ...]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, hands) if hands / step <= 10)
    return tuple(Tick(_x(hand, hands), str(hand)) for hand in range(0, hands + 1, step))


def _x(hand: int, hands: int) -> float:
    return round(LEFT + (WIDTH - RIGHT - LEFT) * hand / hands, 1)


def _y(value: float, low: float, high: float) -> float:
    share = (value - low) / ((high - low) or 1)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)
