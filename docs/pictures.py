"""Make the pictures in `docs/images` from the program itself.

python docs/pictures.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from retruco.cli.board import WIDTH, draw, menu
from retruco.games.check import replay
from retruco.games.truco import TrucoState

IMAGES = Path(__file__).parent / "images"

A_HAND = {
    "game": "truco",
    "rules": "cbtg",
    "target": 24,
    "scores": [14, 9],
    "mao": 1,
    "hands": [["7e", "3c", "6e"], ["2o", "12b", "5b"]],
    "actions": ["envido", "real-envido", "quero", "2o", "3c", "6e", "12b", "truco"],
}


def terminal_table() -> None:
    """Draw the terminal table in the middle of a hand."""
    state = replay(A_HAND)
    assert isinstance(state, TrucoState)
    seen = state.observe(0)
    console = Console(width=WIDTH, record=True, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print(draw(seen, "balanced"))
    console.print(menu(seen))
    save(console, "terminal-table.svg", "retruco play balanced")


def save(console: Console, name: str, title: str) -> None:
    """Write what a console has recorded as a picture that needs nothing from elsewhere."""
    svg = console.export_svg(title=title, unique_id="picture")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")
    (IMAGES / name).write_text(svg)


if __name__ == "__main__":
    terminal_table()
