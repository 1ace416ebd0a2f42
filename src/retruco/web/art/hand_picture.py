"""A finished hand of Truco as one picture to share: the cards of both, what was said, and how it ended.

The picture stands alone: the drawings of its cards are in it, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from retruco.games.core import Seat
from retruco.games.truco import TrucoState
from retruco.web.core.paths import STATIC

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size that sites expect of a shared picture."""
CARD_SCALE: Final = 1.2
COLUMNS: Final = (70, 260, 450)
ROWS: Final = (138, 362)
"""Where cards lie: a column for each round, the other's row above one's own."""
LINES_AT: Final = 680
MOST_LINES: Final = 13
SYMBOL: Final = re.compile(r'<symbol id="card-(\w+)".*?</symbol>', re.DOTALL)
FALLBACK: Final = re.compile(r"var\(--[\w-]+,\s*(#\w+)\)")


@dataclass(frozen=True, slots=True)
class PictureTexts:
    """The words in a picture."""

    title: str
    names: Sequence[str]
    """By seat."""
    lines: Sequence[str]
    """What happened."""
    result: str
    site: str = "Retruco"


def draw_hand(state: TrucoState, seat: Seat, texts: PictureTexts) -> str:
    """Draw a hand as an SVG, with the cards of a seat below."""
    cards = [str(card) for hand in state.hands for card in hand]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{escape(texts.title)}</title>",
        drawings_of(frozenset(cards)),
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#6b4226"/>',
        f'<rect x="14" y="14" width="{WIDTH - 28}" height="{HEIGHT - 28}" rx="24" fill="#24593f"/>',
        text_at(70, 76, texts.title, 36, bold=True),
        *(row_of_cards(state, side, ROWS[side == seat], texts.names[side]) for side in (0, 1)),
        *lines_of(texts),
        text_at(WIDTH - 60, HEIGHT - 34, texts.site, 22, anchor="end"),
        "</svg>",
    ]
    return "\n".join(parts)


def row_of_cards(state: TrucoState, side: Seat, top: int, name: str) -> str:
    """The cards of a seat: those played in the order of rounds, then those still held, faded."""
    played = [play for play in state.rounds.plays if play.seat == side]
    held = [card for card in state.hands[side] if card not in {play.card for play in played}]
    drawn = [
        card_at(str(play.card), COLUMNS[place], top, is_won(state, place, side), is_faded=play.down)
        for place, play in enumerate(played)
    ]
    rest = [
        card_at(str(card), COLUMNS[len(played) + place], top, False, is_faded=True)
        for place, card in enumerate(held)
    ]
    return "\n".join((text_at(70, top - 14, name, 24), *drawn, *rest))


def is_won(state: TrucoState, place: int, side: Seat) -> bool:
    """Whether a seat won a round."""
    return place < len(state.rounds.winners) and state.rounds.winners[place] == side


def card_at(card: str, left: int, top: int, won: bool, is_faded: bool) -> str:
    """A card; the winner of a round is framed, one that nobody saw is faded."""
    width, height = 100 * CARD_SCALE, 154 * CARD_SCALE
    frame = f'<rect x="{left - 5}" y="{top - 5}" width="{width + 10:g}" height="{height + 10:g}" rx="14" fill="#ffd667"/>'
    fade = ' opacity=".45"' if is_faded else ""
    use = f'<use href="#card-{card}" x="{left}" y="{top}" width="{width:g}" height="{height:g}"{fade}/>'
    return frame + use if won else use


def lines_of(texts: PictureTexts) -> list[str]:
    """What happened, line by line, and how it ended; of a long hand the first and the last lines."""
    lines = list(texts.lines)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES // 2], "…", *lines[-(MOST_LINES // 2) :]]
    drawn = [text_at(LINES_AT, 150 + 31 * place, line, 22) for place, line in enumerate(lines)]
    return [*drawn, text_at(70, HEIGHT - 34, texts.result, 26, bold=True)]


def text_at(left: int, top: int, text: str, size: int, bold: bool = False, anchor: str = "start") -> str:
    """A line of text; nothing in it is markup."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{left}" y="{top}" font-family="Georgia, serif" font-size="{size}" fill="#fdf6e7" '
        f'text-anchor="{anchor}"{weight}>{escape(text)}</text>'
    )


@cache
def deck() -> str:
    """The drawing of the deck, its colours written out for programs that know no variables."""
    return FALLBACK.sub(r"\1", (STATIC / "deck.svg").read_text(encoding="utf-8"))


def drawings_of(cards: frozenset[str]) -> str:
    """The shapes of the deck, and the symbols of some cards."""
    inside = deck().partition(">")[2].rpartition("</svg>")[0]
    return SYMBOL.sub(lambda found: found[0] if found[1] in cards else "", inside)
