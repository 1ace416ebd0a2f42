"""A contest: duplicate pairs between agents, all against all or in chosen meetings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.blocks import Block, Job, Played, Post, Task, blocks_of, pairings
from retruco.arena.running import BlockPlayer, warm_up
from retruco.arena.sets import Score
from retruco.arena.tournament import Pairing, TournamentPlan
from retruco.cbr.casebase import CaseBase
from retruco.experiments.study import ReportProgress
from retruco.games.core import Game

Seats: TypeAlias = Callable[[], Mapping[str, Agent]]
"""Calls the players of a contest, when it begins."""
Scores: TypeAlias = dict[Pairing, list[Score]]


@dataclass(frozen=True)
class Contest:
    """Who meets whom, and over how many duplicate pairs."""

    name: str
    game: Game
    names: tuple[str, ...]
    pairs: int
    seed: int
    seats: Seats = field(compare=False, repr=False)
    meetings: Sequence[Pairing] | None = None
    """Which pairings are played; all, if nothing is said."""

    @property
    def plan(self) -> TournamentPlan:
        """The contest as a tournament's plan, which knows how to sum it up."""
        return TournamentPlan(self.game, self.names, self.pairs, self.seed)

    @cached_property
    def players(self) -> Mapping[str, Agent]:
        """The players, called once, with everything made that is made on first use."""
        called = self.seats()
        warm_up(self.game, list(called.values()))
        return called

    def blocks(self) -> list[Block]:
        """Cut it into runs of pairs, everybody's first pairs first."""
        return blocks_of(self.meetings or pairings(len(self.names)), self.pairs)

    def weight(self, block: Block) -> float:
        """A pair is two matches."""
        return 2.0 * (block.stop - block.start)

    @cached_property
    def player(self) -> BlockPlayer:
        """Plays blocks of it, here or on another machine."""
        return BlockPlayer(Job(self.game, self.names, self.seed), self.players)

    def play(self, task: Task, post: Post, tell: ReportProgress) -> list[Played]:
        """Play the pairs of some blocks."""
        return self.player(task, post)

    def found(self, played: Sequence[Sequence[Mapping[str, Any]]]) -> Scores:
        """The scores of every meeting, by the number of the pair."""
        scores: Scores = {}
        for block, some in zip(self.blocks(), played, strict=True):
            a, b = block.entrants
            scores.setdefault((a, b), []).extend(map(Score.from_json, some))
        return scores


def seated(names: Sequence[str], cases: CaseBase) -> Mapping[str, Agent]:
    """Call agents to the table, all with the same cases."""
    return {name: find_agent(name, "truco", lambda *_: cases) for name in names}
