"""Do the statistics keep their promises? Simulated and measured; the output stands in docs/evaluation.md.

python benchmarks/evaluation.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp
from statistics import mean, pvariance

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.blocks import Job, blocks_of, pairings
from retruco.arena.pool import cores, in_order, run_tasks
from retruco.arena.ratings import bradley_terry
from retruco.arena.running import BlockPlayer
from retruco.arena.sequential import Hypotheses, answer_of
from retruco.arena.sets import Score
from retruco.arena.stats import Interval, pooled_share_interval, ratio_interval, share_interval
from retruco.games.core import Game, Observation
from retruco.games.kuhn import Kuhn
from retruco.games.truco import Truco
from retruco.streams import Stream

TIMES = 2000
"""Simulated duels for every line."""
SIZES = (3, 5, 10, 25, 50, 100)


class First:
    """Always the first legal action."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        """Take it."""
        return observation.legal[0]


def players(game: str) -> dict[str, Agent]:
    """Everybody the pools need."""
    if game == "kuhn":
        return {"random": find_agent("random", game), "first": First()}
    return {
        name: find_agent(name, game) for name in ("random", "novice", "cautious", "balanced", "aggressive")
    }


def pool(game: Game, names: tuple[str, str], pairs: int) -> list[Score]:
    """Really play many duplicate pairs."""
    job = Job(game, names, 20)
    player = BlockPlayer(job, players(game.name))
    results = run_tasks(player, player.tasks(blocks_of(pairings(2), pairs), cores()), cores())
    return [Score.from_json(score) for _, played in in_order(results) for score in played.scores]


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    """Print a table as Markdown, line by line as it is found."""
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|", flush=True)
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def covered(truth: float, intervals: Iterator[Interval]) -> str:
    """How often the truth lies inside, in per cent."""
    inside = [low - 1e-12 <= truth <= high + 1e-12 for low, high in intervals]
    return f"{100 * sum(inside) / len(inside):.1f}"


LAWS = {
    "equal, independent matches": (0.25, 0.5, 0.25),
    "equal, shared luck": (0.1, 0.8, 0.1),
    "60 %": (0.16, 0.48, 0.36),
    "75 %, shared luck": (0.02, 0.46, 0.52),
    "90 %": (0.01, 0.18, 0.81),
    "95 %": (0.0025, 0.095, 0.9025),
    "98 %": (0.0004, 0.0392, 0.9604),
    "all or nothing, 80 %": (0.2, 0.0, 0.8),
}
"""How often a pair brings no win, one and two."""


def win_rates() -> Iterator[Sequence[str]]:
    """Coverage of the interval of a win rate, for made-up laws."""
    for name, law in LAWS.items():
        chance = Stream("win rates", name)
        truth = law[1] / 2 + law[2]
        yield (
            name,
            *(
                covered(
                    truth,
                    (
                        share_interval([chance.weighted(law) / 2 for _ in range(size)])[1]
                        for _ in range(TIMES)
                    ),
                )
                for size in SIZES
            ),
        )


def resampled(played: Sequence[Score], size: int, chance: Stream) -> list[Score]:
    """As many pairs, drawn from those played."""
    return [chance.choice(played) for _ in range(size)]


def real_intervals(
    pools: dict[str, list[Score]], what: Callable[[Sequence[Score]], tuple[float, Interval]]
) -> Iterator[Sequence[str]]:
    """Coverage over pairs drawn from what was really played, the pool being the truth."""
    for name, played in pools.items():
        chance, truth = Stream("real", name), what(played)[0]
        yield (
            name,
            *(
                covered(truth, (what(resampled(played, size, chance))[1] for _ in range(TIMES)))
                for size in SIZES
            ),
        )


def points_per_hand(played: Sequence[Score]) -> tuple[float, Interval]:
    """As a duel tells it."""
    return ratio_interval([one.points for one in played], [one.all_hands for one in played], (-24, 24))


def win_rate(played: Sequence[Score]) -> tuple[float, Interval]:
    """As a duel tells it."""
    return share_interval([one.share for one in played])


STRENGTHS = (0.8, 0.4, 0.1, -0.2, -0.4, -0.7)


def simulated(pairs: int, chance: Stream) -> dict[tuple[int, int], list[float]]:
    """A tournament in which luck of the deal and a liking of agents for deals are shared by all pairings."""
    shares: dict[tuple[int, int], list[float]] = {pairing: [] for pairing in pairings(len(STRENGTHS))}
    for _ in range(pairs):
        luck = 4 * chance.random() - 2
        liking = [chance.random() - 0.5 for _ in STRENGTHS]
        for (a, b), won in shares.items():
            edge = STRENGTHS[a] - STRENGTHS[b] + liking[a] - liking[b]
            wins = sum(chance.chance(1 / (1 + exp(-edge - side * luck))) for side in (1, -1))
            won.append(wins / 2)
    return shares


def by_number(shares: dict[tuple[int, int], list[float]], one: int) -> list[list[float]]:
    """The shares of one entrant against everybody, deal by deal."""
    told = [
        won if a == one else [1 - share for share in won] for (a, b), won in shares.items() if one in (a, b)
    ]
    return [list(unit) for unit in zip(*told, strict=True)]


def tournaments() -> Iterator[Sequence[str]]:
    """Coverage of the standing's intervals: win rates over everybody, and Elo."""
    long = simulated(40_000, Stream("tournament", "truth"))
    entrants = range(len(STRENGTHS))
    rates = [mean(map(mean, by_number(long, one))) for one in entrants]
    elos = [rating.elo for rating in bradley_terry(len(STRENGTHS), long)]
    for size in (5, 10, 25, 100):
        chance = Stream("tournament", size)
        runs = [simulated(size, chance) for _ in range(TIMES // 8)]
        ratings = [bradley_terry(len(STRENGTHS), run) for run in runs]
        rate = mean(
            float(covered(rates[one], (pooled_share_interval(by_number(run, one))[1] for run in runs)))
            for one in entrants
        )
        elo = mean(float(covered(elos[one], (found[one].interval for found in ratings))) for one in entrants)
        yield str(size), f"{rate:.1f}", f"{elo:.1f}"


def errors(pools: dict[str, list[Score]]) -> Iterator[Sequence[str]]:
    """How often the sequential test is wrong, and how many pairs it takes."""
    for name, played in pools.items():
        shift = points_per_hand(played)[0]
        for effect in (0.1, 0.3):
            chance, cells = Stream("errors", name, effect), list[str]()
            for truth, right in ((0.0, "neither"), (effect, "A"), (-effect, "B")):
                found = [
                    answer_of(moved(played, truth - shift, chance), Hypotheses(effect))
                    for _ in range(TIMES // 4)
                ]
                wrong = mean(answer != right for answer, _ in found)
                cells += [f"{wrong:.1%}", f"{mean(count for _, count in found):.0f}"]
            yield name, f"{effect:g}", *cells


def moved(played: Sequence[Score], by: float, chance: Stream) -> Iterator[tuple[float, float]]:
    """Pairs drawn for ever, with every hand worth so much more to A."""
    while True:
        one = chance.choice(played)
        yield one.points + by * one.all_hands, one.all_hands


def variances(pools: dict[str, list[Score]]) -> Iterator[Sequence[str]]:
    """The variance of a pair over the same deals, and of two matches over different ones."""
    for name, played in pools.items():
        matches = [[gains[0] - gains[1] for gains in one.gains] for one in played]
        same = pvariance([first + second for first, second in matches])
        apart = pvariance(
            [one[0] + two[1] for one, two in zip(matches, [*matches[1:], matches[0]], strict=True)]
        )
        yield name, f"{same:.0f}", f"{apart:.0f}", f"{apart / same:.1f}"


def main() -> None:
    """Measure everything, in the order of the page."""
    truco = Truco.named("trucogame")
    pools = {
        "cautious - balanced": pool(truco, ("cautious", "balanced"), 3000),
        "aggressive - balanced": pool(truco, ("aggressive", "balanced"), 3000),
        "random - balanced": pool(truco, ("random", "balanced"), 3000),
        "novice - aggressive, to 2": pool(Truco.named("trucogame", 2), ("novice", "aggressive"), 6000),
        "Kuhn: random - first": pool(Kuhn(), ("random", "first"), 6000),
    }
    sizes = [f"{size} pairs" for size in SIZES]
    print("## Win rate, made-up laws\n")
    table(["coverage, %", *sizes], win_rates())
    print("## Win rate, real pairs\n")
    table(["coverage, %", *sizes], real_intervals(pools, win_rate))
    print("## Points per hand, real pairs\n")
    table(["coverage, %", *sizes], real_intervals(pools, points_per_hand))
    print("## Standings of six\n")
    table(["pairs", "win rate, %", "Elo, %"], tournaments())
    print("## Until sure\n")
    head = [
        "pairs from",
        "effect",
        "wrong at 0",
        "pairs",
        "wrong at +effect",
        "pairs",
        "wrong at -effect",
        "pairs",
    ]
    table(head, errors(pools))
    print("## Duplicate against independent deals\n")
    table(["points of two matches", "same deals", "other deals", "ratio"], variances(pools))


if __name__ == "__main__":
    main()
