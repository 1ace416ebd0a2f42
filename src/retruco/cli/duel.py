"""`retruco duel`: check the options, play the pairs, print the result."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing, nullcontext
from pathlib import Path

from rich.console import Console

from retruco.arena.blocks import SETS_IN_A_BLOCK, Block, Job, Played
from retruco.arena.duel import DuelResult, summed_up
from retruco.arena.pool import in_order, pool_for
from retruco.arena.running import BlockPlayer, Stopwatch
from retruco.arena.sequential import Answer, Hypotheses, UntilSure
from retruco.arena.sets import Score
from retruco.cli.commands.contests import DuelOptions
from retruco.cli.crash import RunTally, faults_that_stop, print_crash, print_first_forfeit
from retruco.cli.entrants import (
    Entrants,
    find_entrants,
    find_table,
    fixed_deals,
    move_time_for,
    workers_or_all,
)
from retruco.cli.formatting import format_rate, plain_table, print_readings
from retruco.cli.interrupts import if_interrupted
from retruco.cli.progress import run_bar
from retruco.games.core import Game

PAIRS, MOST_PAIRS = 100, 20_000
"""How many pairs are played if nothing is said, and at most until sure."""


def most_pairs(options: DuelOptions) -> int:
    """How many pairs are played at most."""
    if options.matches is not None and options.matches < 1:
        raise ValueError(f"--matches must be at least 1 duplicate pair, not {options.matches}")
    return options.matches or (MOST_PAIRS if options.until_sure else PAIRS)


def run_duel(options: DuelOptions) -> int:
    """Play a duel and print the result; return the exit code."""
    hypotheses = Hypotheses(options.effect, options.alpha, options.beta) if options.until_sure else None
    table = _find_two_sided_table(options)
    entrants, watch = _check_and_find(options, table), Stopwatch()
    tally, test = RunTally("pairs", options.records), UntilSure(hypotheses) if hypotheses else None
    with if_interrupted(lambda: tally.summary):
        answer = _play(options, table, entrants, tally, test)
    if tally.crash:
        return print_crash(tally.crash, options.names, tally.summary)
    result = summed_up(table, options.names, options.seed, tally.scores, watch.seconds)
    inputs = _inputs(options, entrants)
    if options.as_json:
        sure = {"sure": _answer_json(hypotheses, answer)} if hypotheses else {}
        print(json.dumps({**result.as_json(), **inputs, "readings": entrants.readings, **sure}))
    else:
        _print_result(result, table)
        print_readings(entrants.readings)
        print(", ".join(f"{what} {name}" for what, name in inputs.items() if name) or "no cases were needed")
        if hypotheses:
            _print_answer(result, hypotheses, answer)
    print_first_forfeit(tally.scores, options.names)
    return 0


def _find_two_sided_table(options: DuelOptions) -> Game:
    table = find_table(options.game, options.rules, options.target)
    if len(set(table.teams)) != 2:
        raise ValueError(
            f"a duel is for two seats or two teams, {table.name} with {table.rules_name} has {table.seats} seats"
        )
    return table


def _check_and_find(options: DuelOptions, table: Game) -> Entrants:
    """Check all options, and find the agents."""
    pool_for(options.on, workers_or_all(options.workers))
    move_time_for(options.names, options.move_time)
    most_pairs(options)
    fixed_deals(options.deals, table, options.seed)
    return find_entrants(options.names, table, options.cases, options.clusters)


def _inputs(options: DuelOptions, entrants: Entrants) -> dict[str, object]:
    """Which cases, whose groups and which deals were played with."""
    cases = entrants.cases["name"] if entrants.cases else None
    return {"cases": cases, "clusters": options.clusters, "deals": options.deals}


def _play(
    options: DuelOptions, table: Game, entrants: Entrants, tally: RunTally, test: UntilSure | None
) -> Answer | None:
    """Play pairs until there are enough, the answer is sure, or an agent fails; give the answer."""
    most, workers = most_pairs(options), workers_or_all(options.workers)
    job = _job(options, table)
    with Path(options.records).open("w") if options.records else nullcontext() as out, run_bar(most) as bar:
        player, blocks = BlockPlayer(job, entrants.players), _blocks(most, 1 if out else SETS_IN_A_BLOCK)
        if options.matches is not None:
            blocks = list(blocks)
        results = pool_for(options.on, workers)(player, player.tasks(blocks, workers), job.move_time)
        with closing(results):
            for block, played in in_order(results):
                if out:
                    out.write(played.records)
                    out.flush()
                answer = _count(played, tally, test)
                ahead = sum(pair.points for pair in tally.scores)
                bar.advance(block.stop - block.start, f"{options.names[0]} {ahead:+d} points")
                if answer is not None or tally.crash:
                    return answer
    return None


def _job(options: DuelOptions, table: Game) -> Job:
    return Job(
        table,
        options.names,
        options.seed,
        move_time_for(options.names, options.move_time),
        options.records is not None,
        options.decisions,
        deals_for=fixed_deals(options.deals, table, options.seed),
        stops_at=faults_that_stop(options.move_time),
    )


def _count(played: Played, tally: RunTally, test: UntilSure | None) -> Answer | None:
    """Count the pairs of a block, up to the one that makes the answer sure; give the answer."""
    for score in map(Score.from_json, played.scores):
        tally.scores.append(score)
        if test and (answer := test.add(score.points, score.all_hands)) is not None:
            return answer
    tally.crash = played.crash
    return None


def _blocks(most: int, size: int) -> Iterable[Block]:
    """Cut pairs into blocks, made only as they are needed."""
    starts = enumerate(range(0, most, size))
    return (Block(number, (0, 1), start, min(start + size, most)) for number, start in starts)


def _answer_json(hypotheses: Hypotheses, answer: Answer | None) -> dict[str, object]:
    return {
        "better": answer,
        "effect": hypotheses.effect,
        "alpha": hypotheses.alpha,
        "beta": hypotheses.beta,
    }


def _print_result(result: DuelResult, table: Game) -> None:
    unit, scale = table.result_unit
    digits = 3 if unit == "points" else 0
    mean, low, high = (scale * points for points in (result.points_per_hand, *result.ci95))
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
        rows.add_row(name, *(format_rate(rates[name]) for rates in result.behaviour))
    for name in sorted({*result.counts[0], *result.counts[1]}):
        if name in ("decisions", "questions", "without experience") or name.startswith("revised"):
            rows.add_row(name, *(str(counts.get(name, 0)) for counts in result.counts))
    for name, both in (("illegal", result.illegal), ("failed", result.failed), ("late", result.late)):
        rows.add_row(name, *map(str, both))
    each = [
        1e6 * seconds / max(1, counts.get("decisions", 0))
        for seconds, counts in zip(result.thinking, result.counts, strict=True)
    ]
    rows.add_row("time per decision", *(f"{microseconds:.0f} µs" for microseconds in each))
    console.print(rows)


def _print_answer(result: DuelResult, hypotheses: Hypotheses, answer: Answer | None) -> None:
    """The verdict of the sequential test; the intervals above take the number of pairs as given."""
    verdicts = {
        "A": f"{result.a} is better",
        "B": f"{result.b} is better",
        "neither": f"no difference of {hypotheses.effect:g} points per hand",
        None: "not sure yet: more pairs would be needed",
    }
    console = Console(highlight=False)
    console.print(f"\n[bold]{verdicts[answer]}[/] after {result.pairs} pairs")
    console.print(f"tested: {hypotheses}", style="dim")
    console.print("the intervals above are for a number of pairs fixed beforehand", style="dim")
