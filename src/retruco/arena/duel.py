"""A fair duel: every deal is played twice, with the seats swapped.

A *duplicate pair* is two matches over the same sequence of deals, the same seat being mão in
both; the agents change seats between them. Chance is duplicated too: the stream of an agent is
keyed by its seat, so two copies of one agent tie exactly. The pair is the unit of all statistics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from retruco.agents.core import Agent
from retruco.arena.match import Forfeit, MatchResult, play_match
from retruco.arena.stats import Interval, ratio_interval, share_interval
from retruco.games.core import Game, Seat
from retruco.streams import Stream, key_number


def deals_from(game: Game, seed: int, pair: int) -> Callable[[int], Any]:
    """The deals of a pair, as data: the n-th is the same whoever plays and whatever happened."""
    return lambda number: game.deal(Stream("deal", seed, pair, number))


DealsFor = Callable[[int], Callable[[int], Any]]
"""Gives the deals of a pair by its number."""


def first_seat(game: Game, seed: int, pair: int) -> Seat:
    """Draw the seat that leads the first hand of a pair's matches."""
    return Stream("first", seed, pair).below(game.seats)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matches over the same deals; agent A sits in seat 0 first, then in seat 1."""

    matches: tuple[MatchResult, MatchResult]

    @property
    def hands(self) -> int:
        """How many hands were played in both together."""
        return sum(len(match.hands) for match in self.matches)

    @property
    def points(self) -> int:
        """What agent A won more than agent B, in both together."""
        return sum(match.gains(seat) - match.gains(1 - seat) for seat, match in enumerate(self.matches))

    def wins(self, agent: int) -> int:
        """How many of the two agent A (0) or B (1) won."""
        return sum(match.winner == (agent ^ seat) for seat, match in enumerate(self.matches))

    def forfeits(self, agent: int) -> list[Forfeit]:
        """The matches that agent A (0) or B (1) lost by breaking the rules."""
        lost = (match.forfeit for match in self.matches)
        return [one for seat, one in enumerate(lost) if one is not None and one.seat == agent ^ seat]


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What a duel showed; `wins` and `illegal` name agent A first."""

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
    seconds: float

    def as_json(self) -> dict[str, object]:
        """The result as plain data."""
        return asdict(self)


def play_pair(
    game: Game, a: Agent, b: Agent, seed: int, pair: int, deals_for: DealsFor | None = None
) -> Pair:
    """Play both matches of one pair, with deals of its own or with those given."""
    deals = deals_for(pair) if deals_for else deals_from(game, seed, pair)
    first = first_seat(game, seed, pair)
    match_seed = key_number("match", seed, pair)
    straight = play_match(game, (a, b), deals, first, match_seed)
    swapped = play_match(game, (b, a), deals, first, match_seed)
    return Pair((straight, swapped))


def play_duel(
    game: Game,
    agents: tuple[Agent, Agent],
    names: tuple[str, str],
    pairs: int,
    seed: int,
    after_pair: Callable[[Sequence[Pair]], None] = lambda played: None,
    deals_for: DealsFor | None = None,
) -> DuelResult:
    """Play duplicate pairs between two agents and sum them up."""
    started = time.perf_counter()
    played: list[Pair] = []
    for number in range(pairs):
        played.append(play_pair(game, *agents, seed, number, deals_for))
        after_pair(played)
    return summed_up(game, names, seed, played, time.perf_counter() - started)


def summed_up(
    game: Game, names: tuple[str, str], seed: int, played: Sequence[Pair], seconds: float
) -> DuelResult:
    """Turn pairs into wins, points per hand and their intervals."""
    wins = (sum(pair.wins(0) for pair in played), sum(pair.wins(1) for pair in played))
    rate, rate_interval = share_interval([(2 + pair.wins(0) - pair.wins(1)) / 4 for pair in played])
    widest = (-float(game.most_points), float(game.most_points))
    hands = [max(1, pair.hands) for pair in played]
    points, interval = ratio_interval([pair.points for pair in played], hands, widest)
    forfeits = [[one for pair in played for one in pair.forfeits(agent)] for agent in (0, 1)]
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
        hands=sum(pair.hands for pair in played),
        points_per_hand=points,
        ci95=interval,
        illegal=(sum(one.illegal for one in forfeits[0]), sum(one.illegal for one in forfeits[1])),
        failed=(sum(not one.illegal for one in forfeits[0]), sum(not one.illegal for one in forfeits[1])),
        seconds=round(seconds, 3),
    )
