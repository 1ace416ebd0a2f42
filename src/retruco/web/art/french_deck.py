"""The French cards as our own drawing: `python -m retruco.web.art.french_deck` writes the sprite.

Every card is a symbol, `card-2c` to `card-As`, and `card-back`. Pips are drawn once; a card uses them.
"""

from __future__ import annotations

from typing import Final

from retruco.games.holdem.deck import CARDS
from retruco.web.art.spanish_deck import (
    BACK,
    BACK_LIGHT,
    BACK_MIDDLE,
    EDGE,
    HEIGHT,
    PAPER,
    WIDTH,
    draw,
    tone,
    use,
)
from retruco.web.core.paths import STATIC

FILE: Final = STATIC / "french.svg"
INK: Final = {
    "c": tone("clubs", "#23542f"),
    "d": tone("diamonds", "#c2571a"),
    "h": tone("hearts", "#b3202c"),
    "s": tone("spades", "#22303f"),
}
"""Four colours, so that suits are told apart at a glance."""
PIPS: Final = {
    "c": "M0-13a6.5 6.5 0 0 1 5.6 9.8a6.5 6.5 0 1 1-3.6 11.6q.6 3 3 5.6h-10q2.4-2.6 3-5.6a6.5 6.5 0 1 1-3.6-11.6a6.5 6.5 0 0 1 5.6-9.8z",
    "d": "M0-14L10 0L0 14L-10 0z",
    "h": "M0 13C-14 2-13-11-5.5-11C-2.500-11-.8-9 0-7C.8-9 2.500-11 5.500-11C13-11 14 2 0 13z",
    "s": "M0-14C4-6 13-1 13 5.500C13 11 6 12.500 2 8.500Q2.600 12 5 14H-5Q-2.600 12-2 8.500C-6 12.500-13 11-13 5.500C-13-1-4-6 0-14z",
}
COLUMNS: Final = (33.0, 67.0)
PIP, SMALL_PIP = 0.8, 0.62
"""Sizes of pips: where more than six stand on a card, one in the middle does not touch those beside it."""
TWO, THREE, FOUR = (36.0, 117.0), (36.0, 77.0, 117.0), (36.0, 63.0, 90.0, 117.0)
ROWS: Final = {"4": TWO, "5": TWO, "6": THREE, "7": THREE, "8": THREE, "9": FOUR, "T": FOUR}
"""The heights at which pips stand side by side."""
MIDDLE: Final = {
    "2": TWO,
    "3": THREE,
    "5": (77.0,),
    "7": (56.5,),
    "8": (56.5, 97.5),
    "9": (77.0,),
    "T": (49.5, 103.5),
}
"""The heights at which one stands alone."""
COURTS: Final = {
    "J": "M-16 8L-10-10L0 2L10-10L16 8z",
    "Q": "M-16 8L-16-8L-8 0L0-12L8 0L16-8L16 8z",
    "K": "M-16 8V-10H-10V-4H-3V-12H3V-4H10V-10H16V8z",
}
"""What a jack, a queen and a king wear on their heads."""


SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def card_text(card: str) -> str:
    """A card as people write it.

    >>> card_text("Th")
    '10♥'
    """
    return ("10" if card[0] == "T" else card[0]) + SYMBOLS[card[1]]


def _text(text: str, x: float, y: float, size: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" font-family="Georgia,serif" font-weight="700">{text}</text>'


def _corner(rank: str, suit: str) -> str:
    label = "10" if rank == "T" else rank
    return _text(label, 14, 23, 20 if rank != "T" else 17) + use(f"pip-{suit}", 14, 37, 0.62)


def _face(rank: str, suit: str) -> str:
    if rank == "A":
        return use(f"pip-{suit}", 50, 77, 2.2)
    if rank in COURTS:
        frame = draw(
            "rect",
            x=27,
            y=30,
            width=46,
            height=94,
            rx=5,
            fill="none",
            stroke="currentColor",
            stroke_width=1.5,
        )
        crown = f'<path d="{COURTS[rank]}" transform="translate(50 54)" opacity=".85"/>'
        return frame + crown + use(f"pip-{suit}", 50, 90, 1.5)
    places = [(x, y) for x in COLUMNS for y in ROWS.get(rank, ())]
    places += [(50.0, y) for y in MIDDLE.get(rank, ())]
    size = SMALL_PIP if len(places) > 6 else PIP
    return "".join(use(f"pip-{suit}", x, y, size, 180 if y > 77 else 0) for x, y in places)


def _card(name: str) -> str:
    rank, suit = name[0], name[1]
    paper = draw(
        "rect", x=1, y=1, width=WIDTH - 2, height=HEIGHT - 2, rx=8, fill=PAPER, stroke=EDGE, stroke_width=1.5
    )
    corner = _corner(rank, suit)
    turned = f'<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{corner}</g>'
    inside = f'<g fill="currentColor" color="{INK[suit]}">{corner}{turned}{_face(rank, suit)}</g>'
    return f'<symbol id="card-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{paper}{inside}</symbol>'


def _back() -> str:
    paper = draw(
        "rect", x=1, y=1, width=WIDTH - 2, height=HEIGHT - 2, rx=8, fill=BACK, stroke=EDGE, stroke_width=1.5
    )
    frame = draw(
        "rect",
        x=8,
        y=8,
        width=WIDTH - 16,
        height=HEIGHT - 16,
        rx=4,
        fill="none",
        stroke=BACK_LIGHT,
        stroke_width=1.5,
    )
    pips = "".join(use(f"pip-{suit}", 50, 35 + 28 * place, 1.1) for place, suit in enumerate(PIPS))
    return f'<symbol id="card-back" viewBox="0 0 {WIDTH} {HEIGHT}">{paper}{frame}<g fill="{BACK_MIDDLE}">{pips}</g></symbol>'


def sprite() -> str:
    """All cards in one file."""
    pips = "".join(f'<path id="pip-{suit}" d="{shape}"/>' for suit, shape in PIPS.items())
    cards = "\n".join(map(_card, CARDS))
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{pips}</defs>\n{cards}\n{_back()}\n</svg>\n'


if __name__ == "__main__":
    FILE.write_text(sprite(), encoding="utf-8")
