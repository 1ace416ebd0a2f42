"""`retruco table`: several agents at one table."""

from __future__ import annotations

import json
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from retruco.arena.blocks import Job, blocks_of
from retruco.arena.pool import in_order, run_tasks
from retruco.arena.running import BlockPlayer
from retruco.arena.seatings import check_entrants, seatings
from retruco.arena.sets import Score
from retruco.arena.stats import SIGNIFICANT
from retruco.arena.tables import table_results
from retruco.cli.commands.contests import TableOptions
from retruco.cli.crash import RunTally, faults_that_stop, print_crash, print_first_forfeit
from retruco.cli.entrants import Entrants, find_entrants, find_table, move_time_for, workers_or_all
from retruco.cli.formatting import format_rate, plain_table
from retruco.cli.interrupts import if_interrupted
from retruco.cli.progress import run_bar
from retruco.games.core import Game

BLOCK = 100
"""Deals in a block: single hands are soon played."""


def run_table(options: TableOptions) -> int:
    """Play the deals and print who won how much; return the exit code."""
    game, workers = check_table(options), workers_or_all(options.workers)
    entrants = find_entrants(options.names, game, options.cases)
    tally = RunTally("deals", options.records)
    with if_interrupted(lambda: tally.summary):
        _play(options, game, entrants, workers, tally)
    if tally.crash:
        return print_crash(tally.crash, options.names, tally.summary)
    results = table_results(game, options.names, options.seed, tally.scores)
    if options.as_json:
        print(json.dumps(results))
    else:
        _print_results(results, len(seatings(game)))
    print_first_forfeit(tally.scores, options.names)
    return 0


def check_table(options: TableOptions) -> Game:
    """Find the game of a table; refuse options that make no sense."""
    if options.hands < 1:
        raise ValueError(f"--hands must be at least 1 deal, not {options.hands}")
    if options.series < 1:
        raise ValueError(f"--series must be at least 1 hand, not {options.series}")
    move_time_for(options.names, options.move_time)
    game = find_table(options.game, options.rules, options.target)
    check_entrants(options.names, game)
    return game


def _play(options: TableOptions, game: Game, entrants: Entrants, workers: int, tally: RunTally) -> None:
    """Play the deals until all are played or an agent fails."""
    job = _job(options, game)
    blocks = blocks_of([tuple(range(len(options.names)))], options.hands, BLOCK)
    player = BlockPlayer(job, entrants.players)
    results = run_tasks(player, player.tasks(blocks, workers), workers, job.move_time)
    with (
        Path(options.records).open("w") if options.records else nullcontext() as out,
        run_bar(options.hands) as bar,
        closing(results),
    ):
        for _, played in in_order(results):
            if out:
                out.write(played.records)
                out.flush()
            tally.scores += map(Score.from_json, played.scores)
            bar.advance(len(played.scores), "deals")
            tally.crash = played.crash
            if played.crash:
                return


def _job(options: TableOptions, game: Game) -> Job:
    return Job(
        game,
        tuple(options.names),
        options.seed,
        move_time_for(options.names, options.move_time),
        options.records is not None,
        most_hands=options.series,
        stops_at=faults_that_stop(options.move_time),
    )


def _print_results(results: dict[str, Any], seating_count: int) -> None:
    console = Console(highlight=False)
    console.print(
        f"[bold]{results['game']}[/], {results['rules']}, seed {results['seed']}: {results['deals']} deals, "
        f"each in {seating_count} seatings, {results['hands']} hands"
    )
    unit = results["unit"]
    rows = plain_table("agent", f"{unit}/hand", "95 %", "illegal", "failed", "late")
    for entrant in results["entrants"]:
        faults = (str(entrant[fault]) for fault in ("illegal", "failed", "late"))
        rows.add_row(entrant["name"], *_result_cells(entrant, unit), *faults)
    console.print(rows)
    console.print()
    pairs = plain_table("difference", f"{unit}/hand", "95 %", "")
    for pair in results["differences"]:
        mark = "significant" if pair["p_holm"] < SIGNIFICANT else ""
        pairs.add_row(f"{pair['a']} - {pair['b']}", *_result_cells(pair, unit), mark)
    console.print(pairs)
    if any(results["entrants"][0]["behaviour"].values()):
        console.print()
        console.print(_behaviour(results["entrants"]))


def _result_cells(row: dict[str, Any], unit: str) -> tuple[str, str]:
    """What was won by hand, and its interval, in the game's own unit."""
    digits = 3 if unit == "points" else 0
    low, high = row["ci95" if unit == "points" else f"{unit}_ci95"]
    return f"{row[f'{unit}_per_hand']:+.{digits}f}", f"{low:+.{digits}f} to {high:+.{digits}f}"


def _behaviour(entrants: list[dict[str, Any]]) -> Table:
    """How everybody played, with 95 % intervals over deals."""
    rows = plain_table("", *(entrant["name"] for entrant in entrants))
    for name in entrants[0]["behaviour"]:
        rows.add_row(name, *(format_rate(entrant["behaviour"][name]) for entrant in entrants))
    return rows
