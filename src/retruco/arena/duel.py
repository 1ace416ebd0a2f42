"""A fair duel: every deal is played twice, with the seats swapped.

A *duplicate pair* is two matches over the same sequence of deals, the same seat being mão in
both; the agents change seats between them. The pair is the unit of all statistics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from retruco.agents.core import Agent
from retruco.arena.blocks import Job, blocks_at_once, blocks_of, play_blocks, tasks_of
from retruco.arena.conduct import added_up, behaviour_of
from retruco.arena.match import Fault
from retruco.arena.sets import DealsFor, PlayedSet, Score, deals_from, first_seat, play_set
from retruco.arena.stats import Interval, ratio_interval, share_interval
from retruco.games.core import Game
from retruco.notebook import table_html

__all__ = ["DuelResult", "deals_from", "first_seat", "play_duel", "play_pair", "summed_up"]


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What a duel showed; whatever has two values names agent A first."""

    game: str
    a: str
    b: str
    rules: str
    target: int
    version: int
    seed: int
    pairs: int
    matches: int
    wins: tuple[int, int]
    draws: int
    win_rate: float
    """The share of matches that A won, a drawn match counting half."""
    win_rate_ci95: Interval
    hands: int
    points_per_hand: float
    """A's points minus B's, by hand."""
    ci95: Interval
    """The interval of points per hand, over pairs."""
    illegal: tuple[int, int]
    failed: tuple[int, int]
    late: tuple[int, int]
    seconds: float
    counts: tuple[dict[str, int], dict[str, int]]
    """What each agent did: decisions, questions, revisions, and what the game counts."""
    behaviour: tuple[dict[str, dict[str, Any] | None], dict[str, dict[str, Any] | None]]
    """How each agent played, in the game's words: shares with their intervals over pairs."""
    thinking: tuple[float, float]
    """How long each agent thought, in seconds."""

    def _repr_html_(self) -> str:
        """For notebooks: who won how much."""
        low, high = self.win_rate_ci95
        points = f"{self.points_per_hand:+.3f} ({self.ci95[0]:+.3f} to {self.ci95[1]:+.3f})"
        row = (self.a, self.b, self.pairs, f"{self.win_rate:.1%} ({low:.1%} to {high:.1%})", points)
        return table_html(("agent", "against", "pairs", "matches won", "points a hand"), [row])

    def as_json(self) -> dict[str, object]:
        """The result as plain data."""
        return asdict(self)


def play_pair(
    game: Game, a: Agent, b: Agent, seed: int, pair: int, deals_for: DealsFor | None = None
) -> PlayedSet:
    """Play both matches of one pair, with deals of its own or with those given; a team is of one kind."""
    size = game.seats // len(set(game.teams))
    return play_set(game, ((a,) * size, (b,) * size), seed, pair, deals_for=deals_for)


def play_duel(
    game: Game,
    agents: tuple[Agent, Agent],
    names: tuple[str, str],
    pairs: int,
    seed: int,
    after_pair: Callable[[Sequence[Score]], None] = lambda played: None,
    deals_for: DealsFor | None = None,
) -> DuelResult:
    """Play duplicate pairs between two agents in this process and sum them up."""
    started = time.perf_counter()
    played: list[Score] = []
    job, players = Job(game, ("a", "b"), seed, deals_for=deals_for), dict(zip("ab", agents, strict=True))
    for task in tasks_of(blocks_of([(0, 1)], pairs), blocks_at_once(job, agents)):
        for block in play_blocks(job, players, task):
            for score in map(Score.from_json, block.scores):
                played.append(score)
                after_pair(played)
    return summed_up(game, names, seed, played, time.perf_counter() - started)


def summed_up(
    game: Game, names: tuple[str, str], seed: int, played: Sequence[Score], seconds: float
) -> DuelResult:
    """Turn pairs into wins, points per hand and their intervals."""
    wins = (sum(pair.wins(0) for pair in played), sum(pair.wins(1) for pair in played))
    rate, rate_interval = share_interval([pair.share for pair in played])
    points, interval = ratio_interval(
        [pair.points for pair in played], [pair.all_hands for pair in played], widest(game)
    )
    units = [[pair.counts[entrant] for pair in played] for entrant in (0, 1)]
    return DuelResult(
        game=game.name,
        a=names[0],
        b=names[1],
        rules=game.rules_name,
        target=game.goal,
        version=game.version,
        seed=seed,
        pairs=len(played),
        matches=2 * len(played),
        wins=wins,
        draws=2 * len(played) - sum(wins),
        win_rate=rate,
        win_rate_ci95=rate_interval,
        hands=sum(sum(pair.hands) for pair in played),
        points_per_hand=points,
        ci95=interval,
        illegal=_faults(played, "illegal"),
        failed=_faults(played, "failed"),
        late=_faults(played, "late"),
        seconds=round(seconds, 3),
        counts=(added_up(units[0]), added_up(units[1])),
        behaviour=(behaviour_of(game, units[0]), behaviour_of(game, units[1])),
        thinking=(sum(pair.seconds[0] for pair in played), sum(pair.seconds[1] for pair in played)),
    )


def widest(game: Game) -> Interval:
    """Between what points per hand can lie at all."""
    return -float(game.most_points), float(game.most_points)


def _faults(played: Sequence[Score], fault: Fault) -> tuple[int, int]:
    lost = [one["entrant"] for pair in played for one in pair.forfeits if one["fault"] == fault]
    return lost.count(0), lost.count(1)
