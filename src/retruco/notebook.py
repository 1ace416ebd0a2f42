"""HTML for notebooks: what the `_repr_html_` of our objects is made of. Every text is escaped.

>>> table_html(("agent", "won"), [("<b>", "60 %")])
'<table><thead><tr><th>agent</th><th>won</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>60 %</td></tr></tbody></table>'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

SUITS: Final = {
    "spanish": {"e": ("espadas", "#1f4e8c"), "b": ("bastos", "#2c6e2f"), "o": ("ouros", "#9a6b00"), "c": ("copas", "#a61c1c")},
    "french": {"s": ("♠", "#1a1a1a"), "h": ("♥", "#a61c1c"), "d": ("♦", "#a61c1c"), "c": ("♣", "#1a1a1a")},
}  # fmt: skip
"""The name and the colour of each suit, by deck."""
CARD: Final = (
    "display:inline-block;min-width:2.6em;margin:2px;padding:6px 4px;border:1px solid #888;border-radius:6px;"
    "background:#fffdf6;text-align:center;line-height:1.2"
)


def card_html(card: str, deck: str = "spanish", faded: bool = False) -> str:
    """A card: its rank and its suit; faded, one that was played."""
    rank, (suit, colour) = card[:-1], SUITS[deck][card[-1]]
    style = f"{CARD};color:{colour}{';opacity:.4' if faded else ''}"
    return (
        f'<span style="{style}" title="{escape(card)}"><b>{escape(rank)}</b><br><small>{suit}</small></span>'
    )


def text_html(text: str) -> str:
    """A line of text."""
    return f"<div>{escape(text)}</div>"


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table."""
    heading = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = ("".join(f"<td>{escape(str(value))}</td>" for value in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>"
