"""Several agents at one table, on the command line."""

from __future__ import annotations

import json as jsons
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from retruco.arena.blocks import Job, blocks_of
from retruco.arena.pool import in_order, run_blocks
from retruco.arena.running import player_of
from retruco.arena.seatings import check_entrants, seatings
from retruco.arena.sets import Score
from retruco.arena.stats import SIGNIFICANT
from retruco.arena.tables import table_results
from retruco.cli.crash import Progress, faults_that_stop, print_crash, print_first_forfeit
from retruco.cli.entering import Entered, bar, enter, move_time_for, set_table, workers_or_all
from retruco.cli.interrupts import if_interrupted
from retruco.cli.lists import plain_table, rate_told
from retruco.games.core import Game

BLOCK = 100
"""Deals in a block: single hands are soon played."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for."""

    names: tuple[str, ...]
    game: str
    rules: str | None
    hands: int
    seed: int
    cases: str | None
    move_time: float | None
    records: str | None = None

    def table(self) -> Game:
        """Set the table, if everything asked for makes sense."""
        if self.hands < 1:
            raise ValueError(f"--hands must be at least 1 deal, not {self.hands}")
        move_time_for(self.names, self.move_time)
        game = set_table(self.game, self.rules, None)
        check_entrants(self.names, game)
        return game


def run_table(wanted: Wanted, workers: int | None, json: bool) -> int:
    """Play the deals and print who won how much; return the exit code."""
    game, count = wanted.table(), workers_or_all(workers)
    entered = enter(wanted.names, game, wanted.cases)
    progress = Progress("deals", wanted.records)
    with if_interrupted(lambda: progress.kept):
        _play(wanted, game, entered, count, progress)
    if progress.crash:
        return print_crash(progress.crash, wanted.names, progress.kept)
    found = table_results(game, wanted.names, wanted.seed, progress.scores)
    if json:
        print(jsons.dumps(found))
    else:
        _print(found, len(seatings(game)))
    print_first_forfeit(progress.scores, wanted.names)
    return 0


def _play(wanted: Wanted, game: Game, entered: Entered, workers: int, progress: Progress) -> None:
    """Play the deals until all are played or an agent fails."""
    move_time = move_time_for(wanted.names, wanted.move_time)
    kept, stops_at = wanted.records is not None, faults_that_stop(wanted.move_time)
    job = Job(game, wanted.names, wanted.seed, move_time, kept, most_hands=1, stops_at=stops_at)
    blocks = blocks_of([tuple(range(len(wanted.names)))], wanted.hands, BLOCK)
    results = run_blocks(player_of(job, entered.players), blocks, workers, move_time)
    with (
        Path(wanted.records).open("w") if wanted.records else nullcontext() as out,
        bar(wanted.hands) as shown,
        closing(results),
    ):
        for _, one in in_order(results):
            if out:
                out.write(one.records)
                out.flush()
            progress.scores += map(Score.from_json, one.scores)
            shown.advance(len(one.scores), "deals")
            progress.crash = one.crash
            if one.crash:
                return


def _print(found: dict[str, Any], seated: int) -> None:
    console = Console(highlight=False)
    console.print(
        f"[bold]{found['game']}[/], {found['rules']}, seed {found['seed']}: {found['deals']} deals, "
        f"each in {seated} seatings, {found['hands']} hands"
    )
    unit = found["unit"]
    rows = plain_table("agent", f"{unit}/hand", "95 %", "illegal", "failed", "late")
    for one in found["entrants"]:
        faults = (str(one[fault]) for fault in ("illegal", "failed", "late"))
        rows.add_row(one["name"], *_told(one, unit), *faults)
    console.print(rows)
    console.print()
    pairs = plain_table("difference", f"{unit}/hand", "95 %", "")
    for one in found["differences"]:
        mark = "significant" if one["p_holm"] < SIGNIFICANT else ""
        pairs.add_row(f"{one['a']} - {one['b']}", *_told(one, unit), mark)
    console.print(pairs)
    if any(found["entrants"][0]["behaviour"].values()):
        console.print()
        console.print(_behaviour(found["entrants"]))


def _told(one: dict[str, Any], unit: str) -> tuple[str, str]:
    """What was won by hand, and its interval, in the game's own unit."""
    digits = 3 if unit == "points" else 0
    low, high = one["ci95" if unit == "points" else f"{unit}_ci95"]
    return f"{one[f'{unit}_per_hand']:+.{digits}f}", f"{low:+.{digits}f} to {high:+.{digits}f}"


def _behaviour(entrants: list[dict[str, Any]]) -> Table:
    """How everybody played, with 95 % intervals over deals."""
    rows = plain_table("", *(one["name"] for one in entrants))
    for name in entrants[0]["behaviour"]:
        rows.add_row(name, *(rate_told(one["behaviour"][name]) for one in entrants))
    return rows
