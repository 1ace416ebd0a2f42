"""Learning curves: what a growing base is worth, measured against the same opponents all along.

At marks along the way the learner's policy, on the base as it is then, plays duplicate pairs
against fixed opponents: itself on the starting base, and those of its game, such as `balanced` and
`random`. Where more than two sit at a table, opponents of one kind take all the other seats. Every
mark plays the same deals, so that two points of a curve differ by what was learnt and not by the
cards. A duel changes nothing; the run goes on as if nobody had looked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.blocks import Job, blocks_of
from retruco.arena.duel import DuelResult, play_duel, summed_up
from retruco.arena.plots import can_draw
from retruco.arena.pool import Spread, in_order
from retruco.arena.running import BlockPlayer
from retruco.arena.sets import Score, play_set
from retruco.arena.stats import Interval, ratio_interval
from retruco.arena.tables import table_results
from retruco.damage import reading_back
from retruco.games.core import Game
from retruco.learning.checkpoints import Standing
from retruco.learning.loop import LearningLoop

ITSELF: Final = "itself"
"""Stands for the same player on the starting base."""

OPPONENTS: Final = (ITSELF, "balanced", "random")
BEST: Final = "PVCNPS"
"""Who plays for a base that many policies have filled: the best of Paulus (2020)."""

SEED: Final = 2020


Comparison: TypeAlias = tuple[float, Interval, float, Interval]
"""The share of games, or deals, won and the points per hand, each with its interval."""


@dataclass(frozen=True, slots=True)
class Point:
    """One duel at one mark."""

    match: int
    cases: int
    player: str
    opponent: str
    pairs: int
    win_rate: float
    win_rate_ci95: tuple[float, float]
    points_per_hand: float
    ci95: tuple[float, float]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read a point from plain data."""
        pairs = {key: tuple(value) for key, value in plain.items() if isinstance(value, list)}
        return cls(**{**plain, **pairs})


class Curve:
    """Measures a learner at marks, and keeps what it has measured in a folder."""

    def __init__(
        self,
        learner: LearningLoop,
        folder: Path,
        pairs: int = 200,
        opponents: Sequence[str] = OPPONENTS,
        game: Game | None = None,
        spread: Spread | None = None,
    ) -> None:
        """Seat nobody yet; `game` is what the duels are played by, the learner's own if not given."""
        self._game, self._spread = game or learner.game, spread
        self._learner, self._pairs = learner, pairs
        self._others = [name for name in opponents if name != ITSELF or learner.frozen is not None]
        self.player = learner.plan.player or player_for(learner.plan.policies)
        self.file = folder / "curve.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.points = read_points(self.file)

    def marks(self, matches: int | None, until: int | None, count: int) -> Callable[[Standing], None]:
        """Give what is to be called after every match: it measures at so many marks, and at the start."""
        begun = sum(self._learner.standing.cases.values()) if not self.points else self.points[0].cases
        least, most = (0, matches) if matches is not None else (begun, until)
        assert most is not None
        left = [least + (most - least) * mark // count for mark in range(count + 1)]
        done = max((self._place(one.match, one.cases, matches) for one in self.points), default=least - 1)
        left = [mark for mark in left if mark > done]

        def after(standing: Standing) -> None:
            place = self._place(standing.match, sum(standing.cases.values()), matches)
            if left and place >= left[0]:
                while left and place >= left[0]:
                    left.pop(0)
                self.measure()

        after(self._learner.standing)
        return after

    @staticmethod
    def _place(match: int, cases: int, matches: int | None) -> int:
        return cases if matches is None else match

    def measure(self, opponents: Sequence[str] = ()) -> None:
        """Play the duels of one mark, against all opponents or some, and write them down."""
        standing = self._learner.standing
        for name, opponent in map(self._opponent, opponents or self._others):
            found = self._compare((self._seated(), opponent), (self.player, name))
            cases = sum(standing.cases.values())
            self.points.append(Point(standing.match, cases, self.player, name, self._pairs, *found))
        draft = self.file.with_suffix(".part")
        draft.write_text(json.dumps([asdict(one) for one in self.points], indent=1) + "\n")
        draft.replace(self.file)

    def _compare(self, agents: tuple[Agent, Agent], names: tuple[str, str]) -> Comparison:
        """Play a duel, or at a table for more than two; give the games won and the points, with their intervals."""
        if len(set(self._game.teams)) > 2:
            return self._table(agents, names)
        found = self._duel(agents, names)
        return found.win_rate, found.win_rate_ci95, found.points_per_hand, found.ci95

    def _table(self, agents: tuple[Agent, Agent], names: tuple[str, str]) -> Comparison:
        """Seat the player among opponents of one kind; every deal is a hand, played once for every seating."""
        game, player, opponent = self._game, *agents
        others = len(set(game.teams)) - 1
        entrants = [[player], *[[opponent]] * others]
        played = [
            play_set(game, entrants, SEED, number, most_hands=1).score() for number in range(self._pairs)
        ]
        gains = [sum(match[0] for match in score.gains) for score in played]
        wins = [1.0 if gain > 0 else 0.5 if gain == 0 else 0.0 for gain in gains]
        share, interval = ratio_interval(wins, [1] * len(wins), (0.0, 1.0))
        first = table_results(game, [names[0], *[names[1]] * others], SEED, played)["entrants"][0]
        return share, interval, first["points_per_hand"], first["ci95"]

    def _duel(self, agents: tuple[Agent, Agent], names: tuple[str, str]) -> DuelResult:
        """Play a duel here, or in blocks elsewhere; what comes of it is the same."""
        game = self._game
        if self._spread is None:
            return play_duel(game, agents, names, self._pairs, SEED)
        player = BlockPlayer(Job(game, names, SEED), dict(zip(names, agents, strict=True)))
        blocks = blocks_of([(0, 1)], self._pairs)
        played = [
            one
            for _, some in in_order(self._spread(player, player.tasks(blocks, 1), None))
            for one in some.scores
        ]
        return summed_up(game, names, SEED, [Score.from_json(one) for one in played], 0.0)

    def draw(self) -> None:
        """Write a table of the curve, and where matplotlib is installed a drawing."""
        self.file.with_suffix(".md").write_text(table(self.points) + "\n")
        if not can_draw():
            return
        opponents = dict.fromkeys(one.opponent for one in self.points)
        by_opponent = {name: [one for one in self.points if one.opponent == name] for name in opponents}
        draw(
            {f"against {name}": some for name, some in by_opponent.items()}, self.file.with_suffix(".svg"), ""
        )

    def _seated(self) -> Agent:
        return find_agent(self.player, self._game.name, lambda *_: self._learner.cases)

    def _opponent(self, name: str) -> tuple[str, Agent]:
        if name != ITSELF:
            return name, find_agent(name, self._game.name)
        frozen = self._learner.frozen
        assert frozen is not None, "a curve needs the starting base"
        return f"{self.player} at the start", find_agent(self.player, self._game.name, lambda *_: frozen)


def player_for(policies: Sequence[str]) -> str:
    """Choose who plays for a base.

    >>> player_for(("BOT1",)), player_for(("NPS", "PVCNPS"))
    ('BOT1', 'PVCNPS')
    """
    return BEST if BEST in policies else policies[0]


def read_points(file: Path) -> list[Point]:
    """Read the points of a curve; none if nothing was measured yet."""
    if not file.exists():
        return []
    with reading_back(file, "move it away to begin a new curve"):
        return [Point.of(one) for one in json.loads(file.read_text())]


def table(points: Sequence[Point]) -> str:
    """Write a curve as a table: one line a mark, one column an opponent.

    >>> one = Point(0, 513, "BOT1", "random", 200, 0.9, (0.87, 0.93), 1.25, (1.1, 1.4))
    >>> print(table([one]))
    | matches | cases | random |
    |---:|---:|---|
    | 0 | 513 | +1.25 (1.10 to 1.40), 90 % |
    """
    opponents = list(dict.fromkeys(one.opponent for one in points))
    lines = [f"| matches | cases | {' | '.join(opponents)} |", f"|---:|---:|{'---|' * len(opponents)}"]
    for match in dict.fromkeys(one.match for one in points):
        here = {one.opponent: one for one in points if one.match == match}
        cells = [_cell(here[name]) if name in here else "" for name in opponents]
        cases = next(iter(here.values())).cases
        lines.append(f"| {match:,} | {cases:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(point: Point) -> str:
    low, high = point.ci95
    return f"{point.points_per_hand:+.2f} ({low:.2f} to {high:.2f}), {point.win_rate:.0%}".replace("%", " %")


def draw(curves: Mapping[str, Sequence[Point]], file: Path, against: str = "at the start") -> None:
    """Draw the curves of several learners, points per hand with 95 % intervals, into an SVG file."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams["svg.hashsalt"] = "retruco"  # the same picture is the same bytes
    figure, axes = plt.subplots(figsize=(8, 4.2))
    for name, points in curves.items():
        some = [one for one in points if against in one.opponent]
        means = [one.points_per_hand for one in some]
        reach = [
            [one.points_per_hand - one.ci95[0] for one in some],
            [one.ci95[1] - one.points_per_hand for one in some],
        ]
        axes.errorbar(
            [one.match for one in some], means, reach, label=name, marker="o", ms=3, lw=1.2, capsize=2
        )
    axes.axhline(0, color="grey", lw=0.6)
    axes.set(xlabel="training matches", ylabel="points per hand")
    axes.legend(frameon=False, ncols=4, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
