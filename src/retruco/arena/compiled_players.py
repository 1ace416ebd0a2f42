"""The players of a game as compiled code knows them: by number, with the trees that hold their decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from retruco.agents.core import Agent
from retruco.agents.trees import UNKNOWN, Trees
from retruco.agents.truco.situation_tables import LookData
from retruco.arena.compiled import PlayReadable
from retruco.arena.compiled_loop import new_room
from retruco.arena.tally import counted
from retruco.cbr.case import Decision
from retruco.games.truco import Truco, TrucoObservation
from retruco.games.truco.compiled.conduct import conduct_table
from retruco.games.truco.compiled.tables import tables_for

MOST_TAGS: Final = 256
MOST_PLAYERS: Final = 4096
MOST_KEYS: Final = 4_000_000
"""When more are known, trees are forgotten and grow anew."""


@dataclass
class Reading:
    """How often decisions were read, and how often players were asked."""

    read: int = 0
    asked: int = 0
    checked: int = 0
    """How often a player was asked though its tree had the answer; both must be the same."""

    @property
    def rate(self) -> float:
        """The share of decisions that were read."""
        return self.read / max(1, self.read + self.asked)


class CompiledPlayers:
    """The players of one game, and all that compiled code needs to play for them."""

    def __init__(self, game: Truco) -> None:
        self.game, self.tables = game, tables_for(game)
        self.conduct_names, self.conduct = conduct_table()
        self.room, self.looks = new_room(), LookData(game, 2 * len(self.tables.actor))
        self.reading = Reading()
        self.forget()

    def forget(self) -> None:
        """Forget all players and their trees."""
        self.trees = Trees()
        self.agents: list[Agent] = []
        """By number: the player."""
        self.parts = np.full((16, 2 * len(self.tables.actor)), UNKNOWN, dtype=np.int8)
        """By player and situation: the parts of an observation that its decision depends on, as bits."""
        self.tags: dict[tuple[str, ...], int] = {}
        self.seen: dict[tuple[int, ...], TrucoObservation] = {}
        """Observations by key: players who see the same are shown the same."""
        self._numbers: dict[tuple[int, int], int] = {}

    @property
    def is_full(self) -> bool:
        """Whether so much is known that it is time to forget."""
        return len(self.agents) > MOST_PLAYERS or self.trees.count > MOST_KEYS

    def number_of(self, agent: Agent) -> int:
        """The number of a player; one that remembers is another whenever its cases change."""
        cases = getattr(agent, "cases", None)
        key = (id(agent), getattr(cases, "generation", 0))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.agents)
            self.agents.append(agent)
            if number == len(self.parts):
                self.parts = np.concatenate([self.parts, np.full_like(self.parts, UNKNOWN)])
        return number

    def tag_of(self, decision: Decision) -> int:
        """The number of what a decision counts as."""
        tag = self.tags.setdefault(tuple(counted(decision)), len(self.tags))
        if tag >= MOST_TAGS:
            raise PlayReadable(f"decisions count as more than {MOST_TAGS} things")
        return tag
