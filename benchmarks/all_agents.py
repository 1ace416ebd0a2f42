"""All agents of Truco against each other: one row an agent, the pairings as a picture and as a data file, and what it costs.

    python benchmarks/all_agents.py                 100 duplicate pairs a pairing, on the embedded base
    python benchmarks/all_agents.py --pairs 5       fewer
    python benchmarks/all_agents.py --page          write the page anew from the data file

It writes docs/all-agents.md, docs/tournament/all-agents.csv and docs/images/all-agents.png. Agents that take more than a
millisecond a decision sit out. All pairings play the same deals, so every unit of an interval is one pair of deals: of a
pairing its two matches, of an agent what it did on these deals against everybody.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent, roster
from retruco.arena.blocks import Block, Job, Task
from retruco.arena.pool import cores, run_tasks
from retruco.arena.running import BlockPlayer, warm_up
from retruco.arena.stats import holm, pooled_share_interval, ratio_interval, share_interval, share_test
from retruco.games.truco import Truco
from retruco.learning.case_bases import cases_named

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE, DATA = DOCS / "all-agents.md", DOCS / "tournament" / "all-agents.csv"
COST, PICTURE = DOCS / "tournament" / "all-agents.json", DOCS / "images" / "all-agents.png"
RULES: Final = "trucogame"
SLOW: Final = ("reader",)
"""More than a millisecond a decision."""
AT_ONCE: Final = 10
"""Pairings that a worker plays side by side."""
SURE: Final = 0.05


class Results(NamedTuple):
    """What was played, by place of the pairing and number of the pair; told by the first agent of a pairing."""

    names: Sequence[str]
    pairings: Sequence[tuple[int, int]]
    shares: NDArray[np.float64]
    points: NDArray[np.float64]
    hands: NDArray[np.float64]


def find_agents(game: Truco) -> dict[str, Agent]:
    """All agents that play by the rules, but the slow ones."""
    names = [name for name, entry in roster(game.name).items() if not entry.rules or RULES in entry.rules]
    return {name: find_agent(name, game.name, cases_named()) for name in names if name not in SLOW}


def play(players: dict[str, Agent], game: Truco, pairs: int, seed: int, workers: int) -> Results:
    """Play all pairings; each worker plays several side by side."""
    names = tuple(players)
    pairings = list(combinations(range(len(names)), 2))
    blocks = [Block(number, pairing, 0, pairs) for number, pairing in enumerate(pairings)]
    tasks = [Task(tuple(blocks[start : start + AT_ONCE])) for start in range(0, len(blocks), AT_ONCE)]
    found = Results(names, pairings, *np.zeros((3, len(pairings), pairs)))
    player = BlockPlayer(Job(game, names, seed), players)
    with closing(run_tasks(player, tasks, workers)) as results:
        for done, (block, played) in enumerate(results, 1):
            for place, score in enumerate(played.scores):
                won, lost = (score["winners"].count(entrant) for entrant in (0, 1))
                found.shares[block.number, place] = (2 + won - lost) / 4
                found.points[block.number, place] = sum(gains[0] - gains[1] for gains in score["gains"])
                found.hands[block.number, place] = max(1, sum(score["hands"]))
            if done % 500 == 0:
                print(f"{done} of {len(blocks)} pairings", flush=True)
    return found


def write_data(found: Results) -> None:
    """Write a line for every pairing."""
    tests = holm([share_test(shares.tolist()) for shares in found.shares])
    with DATA.open("w", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(("a", "b", "share", "low", "high", "points", "p_holm"))
        for number, (a, b) in enumerate(found.pairings):
            share, (low, high) = share_interval(found.shares[number].tolist())
            points = found.points[number].sum() / found.hands[number].sum()
            numbers = (f"{value:.3f}" for value in (share, low, high, points, tests[number]))
            lines.writerow((found.names[a], found.names[b], *numbers))


def agent_rows(found: Results) -> list[dict[str, Any]]:
    """One row an agent, the highest share first."""
    tests = holm([share_test(shares.tolist()) for shares in found.shares])
    rows = []
    for agent, name in enumerate(found.names):
        mine = [number for number, pairing in enumerate(found.pairings) if agent in pairing]
        first = np.array([found.pairings[number][0] == agent for number in mine])[:, None]
        shares = np.where(first, found.shares[mine], 1 - found.shares[mine])
        points = np.where(first, found.points[mine], -found.points[mine])
        share, interval = pooled_share_interval(shares.T.tolist())
        mean, about = ratio_interval(
            points.sum(axis=0).tolist(), found.hands[mine].sum(axis=0).tolist(), (-24, 24)
        )
        sure = [(tests[number] < SURE, one.mean()) for number, one in zip(mine, shares, strict=True)]
        beats = sum(bool(is_sure and mean > 0.5) for is_sure, mean in sure)
        loses = sum(bool(is_sure and mean < 0.5) for is_sure, mean in sure)
        rows.append(
            {
                "agent": name, "share": share, "low": interval[0], "high": interval[1], "points": mean,
                "points_low": about[0], "points_high": about[1], "beats": beats, "loses": loses,
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: -row["share"])


def draw(found: Results, order: Sequence[str]) -> None:
    """Draw the share of every pairing, the strongest agents first."""
    import matplotlib.pyplot as plt

    places = {name: place for place, name in enumerate(order)}
    grid = np.full((len(order), len(order)), np.nan)
    for number, (a, b) in enumerate(found.pairings):
        share = found.shares[number].mean()
        one, other = places[found.names[a]], places[found.names[b]]
        grid[one, other], grid[other, one] = share, 1 - share
    figure, axes = plt.subplots(figsize=(15, 14))
    image = axes.imshow(grid, cmap="RdBu", vmin=0, vmax=1)
    axes.set_xticks(range(len(order)), order, rotation=90, fontsize=6)
    axes.set_yticks(range(len(order)), order, fontsize=6)
    axes.set_title("share of matches that the agent of the row won against that of the column", fontsize=11)
    figure.colorbar(image, ax=axes, shrink=0.6)
    figure.savefig(PICTURE, dpi=90, bbox_inches="tight")
    plt.close(figure)


def write_page(rows: Sequence[dict[str, Any]], cost: dict[str, Any]) -> None:
    """Write the page."""
    lines = [
        "# All agents against each other",
        "",
        f"Every agent of `retruco agents` that plays `{RULES}` to 24, against every other: {cost['agents']} agents, "
        f"{cost['pairings']:,} pairings of {cost['pairs']} duplicate pairs, {cost['matches']:,} matches, {cost['hands']:,} hands.",
        f"Those that remember go by the embedded base of synthetic hands. `{'`, `'.join(SLOW)}` sits out: it takes more than a millisecond",
        f"a decision. It took {cost['seconds']:,} s on {cost['workers']} cores that did other work too, {cost['processor']:,} s of a processor "
        f"({cost['hands'] // max(1, cost['processor']):,} hands a second of one core). `python benchmarks/all_agents.py` plays it again.",
        "",
        "The share of matches won is over all opponents alike, with its 95 % interval over deals; *beats* and *loses to* count the",
        "opponents where the share differs from one half, after Holm's correction over all pairings. The pairings are in",
        "`docs/tournament/all-agents.csv`.",
        "",
        "![The share of every pairing](images/all-agents.png)",
        "",
        "| agent | matches won | points a hand | beats | loses to |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        share = f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%})"
        points = f"{row['points']:+.3f} ({row['points_low']:+.3f} to {row['points_high']:+.3f})"
        lines.append(f"| `{row['agent']}` | {share} | {points} | {row['beats']} | {row['loses']} |")
    PAGE.write_text("\n".join(lines) + "\n")


def main() -> None:
    """Play, sum up and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if options.page:
        kept = json.loads(COST.read_text())
        write_page(kept["rows"], kept["cost"])
        return
    game = Truco.named(RULES)
    players = find_agents(game)
    warm_up(game, list(players.values()))
    started, before = time.perf_counter(), processor_seconds()
    found = play(players, game, options.pairs, options.seed, options.workers)
    cost = {
        "agents": len(players),
        "pairings": len(found.pairings),
        "pairs": options.pairs,
        "matches": 2 * len(found.pairings) * options.pairs,
        "hands": int(found.hands.sum()),
        "workers": options.workers,
        "seconds": round(time.perf_counter() - started),
        "processor": round(processor_seconds() - before),
    }
    rows = agent_rows(found)
    COST.write_text(json.dumps({"cost": cost, "rows": rows}, indent=1) + "\n")
    write_data(found)
    draw(found, [row["agent"] for row in rows])
    write_page(rows, cost)
    print(json.dumps(cost))


def processor_seconds() -> float:
    """The processor time of this process and of all workers that have ended."""
    from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
