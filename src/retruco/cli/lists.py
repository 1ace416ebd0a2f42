"""Lists of agents and rules, printed for people."""

from __future__ import annotations

import json

from rich.console import Console

from retruco.agents.registry import roster
from retruco.cli.formatting import plain_table
from retruco.games.registry import game_class
from retruco.games.truco.rules import preset
from retruco.games.truco.tables import Section, sections


def print_agents(game: str, as_json: bool) -> None:
    """Print who plays a game, with a sentence on each."""
    game_class(game)
    entries = sorted(roster(game).values(), key=lambda entry: entry.name)
    if as_json:
        print(json.dumps({"game": game, "agents": [{"name": e.name, "style": e.style} for e in entries]}))
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
