"""`retruco tournament`: check the options, play on all cores, print and store the results."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console

from retruco.arena.blocks import Block, Played
from retruco.arena.journal import JOURNAL, Journal
from retruco.arena.pool import pool_for
from retruco.arena.running import Stopwatch, play_plan, write_manifest, write_results
from retruco.arena.sets import Score
from retruco.arena.tournament import Scores, TournamentPlan, results
from retruco.cli.commands.contests import TournamentOptions
from retruco.cli.crash import print_forfeit
from retruco.cli.entrants import (
    Entrants,
    find_entrants,
    find_table,
    fixed_deals,
    move_time_for,
    workers_or_all,
)
from retruco.cli.formatting import plain_table, print_readings
from retruco.cli.interrupts import if_interrupted
from retruco.cli.progress import run_bar
from retruco.damage import reading_back


def run_tournament(options: TournamentOptions) -> int:
    """Play a tournament, print its standing, store its results; return the exit code."""
    workers, out, on = workers_or_all(options.workers), options.out, options.on
    pool_for(on, workers)
    if out is None and (options.resume or options.records or options.decisions):
        raise ValueError("--resume, --records and --decisions need a folder: --out DIR")
    plan, entrants = make_plan(options)
    watch = Stopwatch()
    with Journal(Path(out), plan.settings(), options.resume) if out else nullcontext() as journal:
        with if_interrupted(lambda: _what_is_stored(plan, journal)):
            scores = _play(plan, entrants, workers, journal, on)
        found = results(plan, scores)
        if journal:
            journal.join_hands()
            _write_folder(journal, plan, scores, workers, on)
    if options.as_json:
        print(json.dumps(found))
    else:
        _print_results(found, watch.seconds, out)
    return 0


def make_plan(options: TournamentOptions) -> tuple[TournamentPlan, Entrants]:
    """Check all options and find the agents; what is wrong is refused here, before anything runs."""
    table = find_table(options.game, options.rules, options.target)
    if len(set(table.teams)) != 2:
        raise ValueError(
            f"a tournament is for two sides, {table.name} with {table.rules_name} has {table.seats}: "
            "see `retruco table`"
        )
    names, move_time = tuple(options.names), move_time_for(options.names, options.move_time)
    settings = (names, options.matches, options.seed, move_time, options.records, options.decisions)
    TournamentPlan(table, *settings)  # names and numbers are checked before a case base is opened
    deals_for = fixed_deals(options.deals, table, options.seed)
    entrants = find_entrants(names, table, options.cases, options.clusters)
    return TournamentPlan(
        table,
        *settings,
        entrants.cases,
        entrants.files,
        options.deals,
        deals_for,
        entrants.readings,
    ), entrants


def _play(plan: TournamentPlan, entrants: Entrants, workers: int, journal: Journal | None, on: str) -> Scores:
    pairs = plan.pairs * len(plan.names) * (len(plan.names) - 1) // 2
    standing = LeaderLine(plan.names)
    if journal:
        _count_played(plan, journal, standing)
    with run_bar(pairs, standing.pairs) as bar:

        def after(block: Block, played: Played) -> None:
            standing.add(block, played.scores)
            bar.advance(len(played.scores), str(standing))

        return play_plan(plan, entrants.players, workers, journal, after, on)


def _count_played(plan: TournamentPlan, journal: Journal, standing: LeaderLine) -> None:
    """Count what an earlier run has played."""
    remedy = "restore it from a copy, or name another folder"
    for block in plan.blocks():
        with reading_back(f"{journal.folder / JOURNAL}: block {block.number}", remedy):
            standing.add(block, journal.played.get(block.number, []))


class LeaderLine:
    """Who leads so far, in a line."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names, self.pairs = names, 0
        self._won: defaultdict[str, float] = defaultdict(float)
        self._played: Counter[str] = Counter()

    def add(self, block: Block, scores: list[dict[str, Any]]) -> None:
        """Count the pairs of a block."""
        first, second = (self._names[place] for place in block.entrants)
        for share in (Score.from_json(score).share for score in scores):
            self.pairs += 1
            self._won[first] += share
            self._won[second] += 1 - share
            self._played.update((first, second))

    def __str__(self) -> str:
        rates = {name: self._won[name] / count for name, count in self._played.items()}
        best = sorted(rates, key=lambda name: -rates[name])[:3]
        return "  ".join(f"{name} {rates[name]:.0%}" for name in best)


def _what_is_stored(plan: TournamentPlan, journal: Journal | None) -> str:
    if journal is None:
        return "nothing is kept without --out DIR"
    done, all_blocks = len(journal.played), len(plan.blocks())
    return f"{done} of {all_blocks} blocks are kept in {journal.folder}: go on with --resume"


def _write_folder(journal: Journal, plan: TournamentPlan, scores: Scores, workers: int, on: str) -> None:
    from retruco.arena.report import write_reports

    found = write_results(journal.folder, plan, scores)
    manifest = write_manifest(
        journal.folder,
        plan,
        scores,
        workers=workers,
        on=on,
        seconds=round(journal.seconds, 1),
        processor_seconds=round(journal.processor_seconds, 1),
    )
    write_reports(journal.folder, found, manifest)


def _print_results(found: dict[str, Any], seconds: float, out: str | None) -> None:
    console = Console(highlight=False)
    console.print(
        f"[bold]{found['game']}[/], {found['rules']} to {found['target']}, seed {found['seed']}: "
        f"{found['matches']} matches, {found['hands']} hands in {seconds:.1f} s"
    )
    table = plain_table("agent", "won", "points/hand", "Elo", "skill", "run-off")
    for row in found["standing"]:
        table.add_row(*_cells(row))
    console.print(table)
    print_readings(found["readings"])
    for lost in found["forfeits"][:10]:
        last = str(lost["why"]).strip().splitlines()[-1]
        console.print(
            f"forfeit: {lost['agent']} against {lost['against']}, pair {lost['pair']}: {last}", markup=False
        )
    if crash := next((lost for lost in found["forfeits"] if lost["fault"] == "failed"), None):
        console.print("the first failure:", markup=False)
        print_forfeit(crash, crash["agent"], sys.stdout)
    if out:
        console.print(f"[dim]kept in {out}: report.html, report.md, results.json, manifest.json[/]")


def _cells(row: dict[str, Any]) -> list[str]:
    """A line of the standing, with 95 % intervals."""
    rate, points, elo = row["win_rate_ci95"], row["ci95"], row["elo_ci95"]
    return [
        row["agent"],
        f"{row['win_rate']:.1%} ({100 * rate[0]:.0f}-{100 * rate[1]:.0f})",
        f"{row['points_per_hand']:+.2f} ({points[0]:+.2f} {points[1]:+.2f})",
        f"{row['elo']:+.0f} ({elo[0]:+.0f} {elo[1]:+.0f})",
        f"{row['openskill']['mu']:.1f}",
        str(row["run_off"]),
    ]
