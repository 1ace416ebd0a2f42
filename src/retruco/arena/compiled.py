"""Duplicate pairs of Truco in compiled code: the same scores as `sets`, many times as fast.

An agent is played this way if it says what its decisions depend on: `key_parts(observation)` gives the
names of the parts (see `games.truco.compiled.situation`). Its decisions are read from trees, and it is
asked where they have no answer yet. Whatever goes wrong meanwhile, an illegal action, an agent that
breaks down or takes too long, is left to the readable way: the pair is played again there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from retruco.agents.core import Agent
from retruco.arena.sets import DealsFor, Score
from retruco.games.core import Game, Seat
from retruco.games.truco import Truco

log = logging.getLogger("retruco.arena")


class PlayReadable(Exception):
    """Something that only the readable way can tell properly."""


@dataclass(frozen=True)
class Asking:
    """What is done about every agent that is asked: a post hears which decision it is, and a clock runs."""

    begin: Callable[[int, int, int, int, Seat], None] = lambda number, match, hand, decision, seat: None
    end: Callable[[], None] = lambda: None
    move_time: float | None = None
    """How many seconds an agent may take."""


SILENT: Final = Asking()
WORTHWHILE: Final = 100
"""Pairs from which compiled code saves more time than loading it takes."""


def compiled_scores(
    game: Game,
    agents: Sequence[Agent],
    seed: int,
    numbers: Sequence[int],
    most_hands: int | None = None,
    deals_for: DealsFor | None = None,
    asking: Asking = SILENT,
) -> list[Score] | None:
    """Play duplicate pairs of two agents in compiled code; nothing where only the readable way can."""
    if not (isinstance(game, Truco) and all(callable(getattr(agent, "key_parts", None)) for agent in agents)):
        return None
    if not can_compile(game):
        return None
    from retruco.arena.compiled_matches import compiled_matches  # other games do without numba

    try:
        return compiled_matches(game).play(agents, seed, numbers, most_hands, deals_for, asking)
    except PlayReadable:
        return None


@lru_cache(maxsize=16)
def can_compile(game: Truco) -> bool:
    """Whether a game has tables; if they cannot hold its rules, it is said why, once."""
    from retruco.games.truco.compiled.automaton import CannotCompile
    from retruco.games.truco.compiled.tables import tables_for

    try:
        tables_for(game)
    except CannotCompile as error:
        log.warning("%r is played by the readable engine: %s", game, error)
        return False
    return True
