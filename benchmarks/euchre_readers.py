"""What reading the others' styles brings at Euchre: `montecarlo-reads` beside `montecarlo`, each against the same teams over the same deals.

    python benchmarks/euchre_readers.py                                    40 duplicate pairs each
    python benchmarks/euchre_readers.py --against HIGH@tricks --pairs 200

Both play the rules `stick`. The last column is the difference in points per hand, pair by pair, with its 95 % interval.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import fmean, stdev

from retruco.agents.registry import find_agent
from retruco.arena.sets import Score, play_set
from retruco.arena.stats import ratio_interval, t_quantile
from retruco.games.euchre import Euchre

AGENTS = ("montecarlo-reads", "montecarlo")
OPPONENTS = ("HIGH@tricks", "LOW@tricks", "RANDOM@tricks", "UF.5@tricks", "ratliff@tricks")
GAME = Euchre.named("stick")


def scores(agent: str, other: str, pairs: int, seed: int) -> list[Score]:
    """Play duplicate pairs against one team."""
    teams = [[find_agent(name, GAME.name)] * 2 for name in (agent, other)]
    return [play_set(GAME, teams, seed, number).score() for number in range(pairs)]


def points_per_hand(played: list[Score]) -> str:
    """What a hand brought, with its interval."""
    mean, (low, high) = ratio_interval(
        [pair.points for pair in played], [pair.all_hands for pair in played], (-4.0, 4.0)
    )
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def difference(ours: list[Score], theirs: list[Score]) -> str:
    """How much more the first brought, pair by pair."""
    gaps = [
        mine.points / mine.all_hands - other.points / other.all_hands
        for mine, other in zip(ours, theirs, strict=True)
    ]
    reach = t_quantile(len(gaps) - 1) * stdev(gaps) / sqrt(len(gaps))
    return f"{fmean(gaps):+.3f} ± {reach:.3f}"


def main() -> None:
    """Print a line for each opponent."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", nargs="*", default=OPPONENTS)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"| against | {' | '.join(AGENTS)} | difference |\n|---|---|---|---|")
    for other in asked.against:
        ours, theirs = (scores(agent, other, asked.pairs, asked.seed) for agent in AGENTS)
        print(
            f"| {other} | {points_per_hand(ours)} | {points_per_hand(theirs)} | {difference(ours, theirs)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
