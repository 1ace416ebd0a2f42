"""The agents that enter a run; everything is checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import readings_of
from retruco.agents.core import Agent
from retruco.agents.registry import READER, RESPONSE, SOLVER, check_table, find_agent
from retruco.arena.pool import cores
from retruco.arena.running import members_in, warm_up
from retruco.arena.sets import DealsFor
from retruco.cli.progress import show_progress
from retruco.games.core import Game
from retruco.games.registry import find_game, game_class
from retruco.learning.case_bases import base_named

if TYPE_CHECKING:  # heavy, and not needed where nobody remembers
    from retruco.cbr.casebase import CaseBase


def find_table(game: str, rules: str | None, target: int | None) -> Game:
    """Set a table by the names a user gives."""
    return find_game(game, rules or game_class(game).contest_rules, target)


def workers_or_all(workers: int | None) -> int:
    """How many workers to start: as many as asked for, or one a core."""
    if workers is not None and workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    return workers or cores()


MOVE_TIME: Final = 60.0
"""Seconds that a decision may take, unless the user says otherwise, where an agent comes from a file."""


def move_time_for(names: Sequence[str], seconds: float | None) -> float | None:
    """The limit on a decision: what the user says, 0 being none; otherwise one for agents from files.

    >>> move_time_for(["random", "mine.py:Mine"], None), move_time_for(["random", "novice"], None)
    (60.0, None)
    """
    if seconds is None:
        return MOVE_TIME if any(".py:" in name for name in names) else None
    if not seconds >= 0:
        raise ValueError(f"--move-time must be above 0 seconds, or 0 for no limit, not {seconds:g}")
    return seconds or None


@dataclass(frozen=True, slots=True)
class Entrants:
    """The agents of a run, ready to play."""

    players: Mapping[str, Agent]
    cases: dict[str, object] | None
    """Which case base is played with, if anybody needs one."""
    files: dict[str, str]
    """The digest of every file that a user's agent, a solution or a response comes from."""

    @property
    def readings(self) -> dict[str, str]:
        """How every agent that remembers is read."""
        return readings_of(self.players)


def find_entrants(
    names: Sequence[str], game: Game, cases: str | None, clusters: str | None = None
) -> Entrants:
    """Find every agent, its case base included, and let each of the house's own warm up."""
    bases = []

    def cases_for(game_name: str, version: int | None = None) -> CaseBase:
        bases.append(base_named(cases, game_name, show_progress, clusters, version))
        return bases[-1].cases

    members = members_in(names, game)
    for name in members:
        check_table(name, game)
    players = {name: find_agent(name, game.name, cases_for) for name in members}
    from_files = [name for name in players if ".py:" in name]
    warm_up(game, [player for name, player in players.items() if name not in from_files])
    base = bases[-1] if bases else None
    facts: dict[str, object] | None = None
    if base:
        facts = {"name": base.name, "hands": base.hands, "digest": base.digest, "clusters": clusters or "own"}
    files = {name: Path(name.rpartition(":")[0]) for name in from_files}
    for kind in (SOLVER, RESPONSE, READER):
        files |= {name: Path(name.removeprefix(kind)) for name in players if name.startswith(kind)}
    digests = {name: blake2b(file.read_bytes()).hexdigest()[:16] for name, file in files.items()}
    return Entrants(players, facts, digests)


def fixed_deals(name: str | None, game: Game, seed: int) -> DealsFor | None:
    """The deals kept under a name, as a set asks for them; none if no name is given."""
    if name is None:
        return None
    if game.name != "truco":
        raise ValueError(f"fixed deals are of truco, not of {game.name}")
    from retruco.storage.deals import find_deals
    from retruco.storage.store import open_store

    with open_store() as store:
        return partial(find_deals(store, name).for_pair, seed)
