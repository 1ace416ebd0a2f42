"""A duel on the command line: checked first, then played, then told."""

from __future__ import annotations

import json as jsons
from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from retruco.agents.registry import find_agent
from retruco.agents.remembering import Remembering
from retruco.arena.duel import DealsFor, DuelResult, Pair, play_duel
from retruco.cli import complain
from retruco.games.registry import find_game
from retruco.storage.opening import cases_named
from retruco.storage.reading import EMBEDDED

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
    clusters: str | None = None,
    deals: str | None = None,
) -> None:
    """Play a duel and print what it showed."""
    if matches < 1:
        raise ValueError(f"--matches must be at least 1 duplicate pair, not {matches}")
    table = find_game(game, rules or DEFAULT_RULES.get(game), target)
    if table.seats != 2:
        raise ValueError(f"a duel is for two seats, {game} with {table.rules_name} has {table.seats}")
    cases_for = cases_named(cases, complain, clusters)
    players = (find_agent(a, game, cases_for), find_agent(b, game, cases_for))
    remembered = any(isinstance(player, Remembering) for player in players)
    used = {"cases": (cases or EMBEDDED) if remembered else None, "clusters": clusters, "deals": deals}
    duel = partial(
        play_duel,
        table,
        players,
        (a, b),
        matches,
        seed,
        deals_for=_fixed(deals, game, seed) if deals else None,
    )
    if json:
        print(jsons.dumps({**duel().as_json(), **used}))
        return
    with _progress() as progress:
        task = progress.add_task("", total=matches)

        def advance(played: Sequence[Pair]) -> None:
            ahead = sum(pair.points for pair in played)
            progress.update(task, completed=len(played), description=f"{a} {ahead:+d} points")

        result = duel(after_pair=advance)
    _print(result)
    told = [f"{what} {name}" for what, name in used.items() if name]
    if told:
        print(", ".join(told))


def _fixed(name: str, game: str, seed: int) -> DealsFor:
    """The deals kept under a name, as a duel asks for them."""
    if game != "truco":
        raise ValueError(f"fixed deals are of truco, not of {game}")
    from retruco.storage.deals import find_deals
    from retruco.storage.store import open_store

    with open_store() as store:
        found = find_deals(store, name)
    return partial(found.for_pair, seed)


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
