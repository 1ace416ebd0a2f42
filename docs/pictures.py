"""Make the pictures in `docs/images` from the program itself.

python docs/pictures.py
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from pathlib import Path

from rich.console import Console

from retruco.cli.commands.recorded_hands import DecideOptions
from retruco.cli.decide import decide_lines
from retruco.cli.terminal_table import WIDTH, draw, menu
from retruco.games.records import replay
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

THREE_HANDS: list[dict[str, object]] = [
    {"mao": 0, "scores": [0, 0], "hands": [["3o", "10e", "4e"], ["7c", "6e", "2c"]], "actions": []},
    {"mao": 1, "scores": [11, 9], "hands": [["7e", "6e", "12c"], ["1b", "3c", "4o"]], "actions": ["envido"]},
    {
        "mao": 0,
        "scores": [20, 17],
        "hands": [["1e", "11b", "5o"], ["2c", "12o", "6b"]],
        "actions": ["11b", "2c", "12o", "1e"],
    },
]


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


def decisions() -> None:
    """Show three decisions with the cases behind them."""
    lines = "\n".join(json.dumps({**A_HAND, "rules": "trucogame", **hand}) for hand in THREE_HANDS)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(lines)
        file.flush()
        console = Console(width=84, record=True, file=io.StringIO(), force_terminal=True, highlight=False)
        decide_lines(DecideOptions(file=file.name, agent="PVCMJS"), console)
    save(console, "decide.svg", "retruco decide --agent PVCMJS --table hands.jsonl")


if __name__ == "__main__":
    terminal_table()
    decisions()
