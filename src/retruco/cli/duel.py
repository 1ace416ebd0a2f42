"""A duel on the command line: checked first, then played, then told."""

from __future__ import annotations

import json as jsons
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from retruco.arena.blocks import SETS_IN_A_BLOCK, Block, Job, Played
from retruco.arena.duel import DuelResult, summed_up
from retruco.arena.pool import LOCAL, in_order, pool_for
from retruco.arena.running import Stopwatch, player_of
from retruco.arena.sequential import Answer, Hypotheses, UntilSure
from retruco.arena.sets import Score
from retruco.cli.crash import Progress, faults_that_stop, print_crash, print_first_forfeit
from retruco.cli.entering import (
    Entered,
    bar,
    enter,
    fixed_deals,
    move_time_for,
    set_table,
    workers_or_all,
)
from retruco.cli.interrupts import if_interrupted
from retruco.cli.lists import plain_table, rate_told
from retruco.games.core import Game

PAIRS, MOST_PAIRS = 100, 20_000
"""How many pairs are played if nothing is said, and at most until sure."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for."""

    names: tuple[str, str]
    game: str = "truco"
    rules: str | None = None
    target: int | None = None
    matches: int | None = None
    seed: int = 1
    cases: str | None = None
    hypotheses: Hypotheses | None = None
    """Play until sure about these."""
    workers: int | None = None
    move_time: float | None = None
    records: str | None = None
    decisions: bool = False
    clusters: str | None = None
    deals: str | None = None
    on: str = LOCAL

    @property
    def most(self) -> int:
        """How many pairs are played at most."""
        if self.matches is not None and self.matches < 1:
            raise ValueError(f"--matches must be at least 1 duplicate pair, not {self.matches}")
        return self.matches or (MOST_PAIRS if self.hypotheses else PAIRS)


def run_duel(wanted: Wanted, json: bool) -> int:
    """Play a duel and print what it showed; return the exit code."""
    table = set_table(wanted.game, wanted.rules, wanted.target)
    if len(set(table.teams)) != 2:
        raise ValueError(
            f"a duel is for two seats or two teams, {table.name} with {table.rules_name} has {table.seats} seats"
        )
    entered, watch, progress = _entered(wanted, table), Stopwatch(), Progress("pairs", wanted.records)
    with if_interrupted(lambda: progress.kept):
        answer = _play(wanted, table, entered, progress)
    if progress.crash:
        return print_crash(progress.crash, wanted.names, progress.kept)
    result = summed_up(table, wanted.names, wanted.seed, progress.scores, watch.seconds)
    used = _used(wanted, entered)
    if json:
        sure = {"sure": _sure(wanted.hypotheses, answer)} if wanted.hypotheses else {}
        print(jsons.dumps({**result.as_json(), **used, **sure}))
    else:
        _print(result, table)
        told = [f"{what} {name}" for what, name in used.items() if name]
        print(", ".join(told) if told else "no cases were needed")
        if wanted.hypotheses:
            _print_answer(result, wanted.hypotheses, answer)
    print_first_forfeit(progress.scores, wanted.names)
    return 0


def _entered(wanted: Wanted, table: Game) -> Entered:
    """Check all that was asked for, and call the agents."""
    pool_for(wanted.on, workers_or_all(wanted.workers))
    move_time_for(wanted.names, wanted.move_time)
    assert wanted.most >= 1
    fixed_deals(wanted.deals, table, wanted.seed)
    return enter(wanted.names, table, wanted.cases, wanted.clusters)


def _used(wanted: Wanted, entered: Entered) -> dict[str, object]:
    """Which cases, whose groups and which deals were played with."""
    cases = entered.cases["name"] if entered.cases else None
    return {"cases": cases, "clusters": wanted.clusters, "deals": wanted.deals}


def _play(wanted: Wanted, table: Game, entered: Entered, progress: Progress) -> Answer | None:
    """Play pairs until there are enough, the answer is sure, or an agent fails; give the answer."""
    most, workers = wanted.most, workers_or_all(wanted.workers)
    job = _job(wanted, table)
    test = UntilSure(wanted.hypotheses) if wanted.hypotheses else None
    with Path(wanted.records).open("w") if wanted.records else nullcontext() as out, bar(most) as shown:
        blocks = _blocks(most, 1 if out else SETS_IN_A_BLOCK)
        results = pool_for(wanted.on, workers)(player_of(job, entered.players), blocks, job.move_time)
        with closing(results):
            for block, one in in_order(results):
                if out:
                    out.write(one.records)
                    out.flush()
                answer = _count(one, progress, test)
                ahead = sum(pair.points for pair in progress.scores)
                shown.advance(block.stop - block.start, f"{wanted.names[0]} {ahead:+d} points")
                if answer is not None or progress.crash:
                    return answer
    return None


def _job(wanted: Wanted, table: Game) -> Job:
    return Job(
        table,
        wanted.names,
        wanted.seed,
        move_time_for(wanted.names, wanted.move_time),
        wanted.records is not None,
        wanted.decisions,
        deals_for=fixed_deals(wanted.deals, table, wanted.seed),
        stops_at=faults_that_stop(wanted.move_time),
    )


def _count(played: Played, progress: Progress, test: UntilSure | None) -> Answer | None:
    """Count the pairs of a block, up to the one that makes the answer sure; give the answer."""
    for score in map(Score.from_json, played.scores):
        progress.scores.append(score)
        if test and (answer := test.add(score.points, score.all_hands)) is not None:
            return answer
    progress.crash = played.crash
    return None


def _blocks(most: int, size: int) -> Iterator[Block]:
    """Cut pairs into blocks, made only as they are needed."""
    starts = enumerate(range(0, most, size))
    return (Block(number, (0, 1), start, min(start + size, most)) for number, start in starts)


def _sure(hypotheses: Hypotheses, answer: Answer | None) -> dict[str, object]:
    return {
        "better": answer,
        "effect": hypotheses.effect,
        "alpha": hypotheses.alpha,
        "beta": hypotheses.beta,
    }


def _print(result: DuelResult, table: Game) -> None:
    unit, scale = table.result_unit
    digits = 3 if unit == "points" else 0
    mean, low, high = (scale * one for one in (result.points_per_hand, *result.ci95))
    rate_low, rate_high = result.win_rate_ci95
    lines = (
        f"[bold]{result.a}[/] against [bold]{result.b}[/], {result.rules} to {result.target}, seed {result.seed}",
        f"{result.pairs} duplicate pairs, {result.matches} matches, {result.hands} hands in {result.seconds} s",
        f"{result.a} won {result.wins[0]}, {result.b} won {result.wins[1]}, {result.draws} drawn: "
        f"{result.win_rate:.1%} (95 % interval {rate_low:.1%} to {rate_high:.1%})",
        f"{unit} per hand {mean:+.{digits}f} (95 % interval {low:+.{digits}f} to {high:+.{digits}f})",
    )
    console = Console(highlight=False)
    for line in lines:
        console.print(line)
    console.print()
    _print_conduct(console, result, table)


def _print_conduct(console: Console, result: DuelResult, table: Game) -> None:
    """How both played: behaviour with 95 % intervals, then what the decisions rested on."""
    rows = plain_table("", result.a, result.b)
    for name in table.behaviour_ratios:
        rows.add_row(name, *(rate_told(one[name]) for one in result.behaviour))
    for name in sorted({*result.counts[0], *result.counts[1]}):
        if name in ("decisions", "questions", "without experience") or name.startswith("revised"):
            rows.add_row(name, *(str(counts.get(name, 0)) for counts in result.counts))
    for name, both in (("illegal", result.illegal), ("failed", result.failed), ("late", result.late)):
        rows.add_row(name, *map(str, both))
    each = [
        1e6 * seconds / max(1, counts.get("decisions", 0))
        for seconds, counts in zip(result.thinking, result.counts, strict=True)
    ]
    rows.add_row("time per decision", *(f"{one:.0f} µs" for one in each))
    console.print(rows)


def _print_answer(result: DuelResult, hypotheses: Hypotheses, answer: Answer | None) -> None:
    """The verdict of the sequential test; the intervals above take the number of pairs as given."""
    told = {
        "A": f"{result.a} is better",
        "B": f"{result.b} is better",
        "neither": f"no difference of {hypotheses.effect:g} points per hand",
        None: "not sure yet: more pairs would be needed",
    }
    console = Console(highlight=False)
    console.print(f"\n[bold]{told[answer]}[/] after {result.pairs} pairs")
    console.print(f"tested: {hypotheses}", style="dim")
    console.print("the intervals above are for a number of pairs fixed beforehand", style="dim")
