"""What there is: agents and rules, printed for people."""

from __future__ import annotations

import json as jsons
from typing import Any

from rich.console import Console
from rich.table import Table

from retruco.agents.registry import roster
from retruco.games.registry import game_class
from retruco.games.truco.rules import preset
from retruco.games.truco.tables import Section, sections


def plain_table(*head: str) -> Table:
    """A table without noise: a heading, a line, the rows."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, column in enumerate(head):
        is_last = place == len(head) - 1
        table.add_column(column, style="bold" if place == 0 else None, no_wrap=not is_last)
    return table


def rate_told(found: dict[str, Any] | None) -> str:
    """A share with its interval, in per cent.

    >>> rate_told({"share": 0.5, "ci95": (0.4, 0.6)}), rate_told(None)
    ('50.0% (40-60)', '-')
    """
    if found is None:
        return "-"
    low, high = found["ci95"]
    return f"{found['share']:.1%} ({100 * low:.0f}-{100 * high:.0f})"


def print_agents(game: str, json: bool) -> None:
    """Print who plays a game, with a sentence on each."""
    game_class(game)
    entries = sorted(roster(game).values(), key=lambda entry: entry.name)
    if json:
        print(jsons.dumps({"game": game, "agents": [{"name": e.name, "style": e.style} for e in entries]}))
        return
    table = plain_table("agent", "how it plays")
    for entry in entries:
        table.add_row(entry.name, entry.style)
    Console().print(table)


def print_presets(game: str) -> None:
    """Print the variants of a game."""
    head, rows = game_class(game).preset_table()
    if not head:
        print("\n".join(" ".join(row) for row in rows))
        return
    table = plain_table(*head)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def print_rules(name: str) -> None:
    """Print one variant of Truco, table by table."""
    console = Console()
    for section in sections(preset(name)):
        _print_section(console, section)


def _print_section(console: Console, section: Section) -> None:
    console.rule(f"[bold]{section.title}", align="left", style="dim")
    if section.rows:
        table = plain_table(*section.head)
        for row in section.rows:
            table.add_row(*row)
        console.print(table)
    for note in section.notes:
        console.print(note, style="italic")
    console.print()
