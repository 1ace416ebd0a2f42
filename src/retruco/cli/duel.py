"""A duel on the command line: checked first, then played, then told."""

from __future__ import annotations

import json as jsons
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from retruco.agents.registry import find_agent
from retruco.arena.duel import DuelResult, Pair, play_duel
from retruco.cli import complain
from retruco.games.registry import find_game
from retruco.storage.opening import cases_named

DEFAULT_RULES = {"truco": "trucogame"}
"""Agents meet by the rules of the published experiments unless told otherwise."""


def run_duel(
    a: str,
    b: str,
    game: str,
    rules: str | None,
    target: int | None,
    matches: int,
    seed: int,
    json: bool,
    cases: str | None = None,
) -> None:
    """Play a duel and print what it showed."""
    if matches < 1:
        raise ValueError(f"--matches must be at least 1 duplicate pair, not {matches}")
    table = find_game(game, rules or DEFAULT_RULES.get(game), target)
    if table.seats != 2:
        raise ValueError(f"a duel is for two seats, {game} with {table.rules_name} has {table.seats}")
    cases_for = cases_named(cases, complain)
    players = (find_agent(a, game, cases_for), find_agent(b, game, cases_for))
    if json:
        print(jsons.dumps(play_duel(table, players, (a, b), matches, seed).as_json()))
        return
    with _progress() as progress:
        task = progress.add_task("", total=matches)

        def advance(played: Sequence[Pair]) -> None:
            ahead = sum(pair.points for pair in played)
            progress.update(task, completed=len(played), description=f"{a} {ahead:+d} points")

        result = play_duel(table, players, (a, b), matches, seed, advance)
    _print(result)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _print(result: DuelResult) -> None:
    low, high = result.ci95
    rate_low, rate_high = result.win_rate_ci95
    lines = (
        f"[bold]{result.a}[/] against [bold]{result.b}[/], {result.rules} to {result.target}, seed {result.seed}",
        f"{result.pairs} duplicate pairs, {result.matches} matches, {result.hands} hands in {result.seconds} s",
        f"{result.a} won {result.wins[0]}, {result.b} won {result.wins[1]}, {result.draws} drawn: "
        f"{result.win_rate:.1%} (95 % interval {rate_low:.1%} to {rate_high:.1%})",
        f"points per hand {result.points_per_hand:+.3f} (95 % interval {low:+.3f} to {high:+.3f})",
        f"illegal actions {result.illegal[0]} and {result.illegal[1]}, "
        f"agents that failed {result.failed[0]} and {result.failed[1]}",
    )
    console = Console(highlight=False)
    for line in lines:
        console.print(line)
