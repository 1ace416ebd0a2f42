"""What each game brings to learning: its embedded bases and how it is trained, found by the game's name.

A game's part of `learning` holds a `LEARNING`; a game without one has no embedded base and is
trained as any game with a vocabulary can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from retruco.games.registry import USUAL_GAME, game_names
from retruco.parts import find_part
from retruco.storage.embedded import Provider


@dataclass(frozen=True)
class FirstUse:
    """An agent whose first decision makes a game ready: base opened, kernels compiled."""

    agent: str
    seconds: float
    """How long it takes where nothing is there yet; a guess by which the time left is estimated."""


@dataclass(frozen=True)
class GameLearning:
    """A game's part in learning."""

    bases: tuple[Provider, ...] = ()
    """The case bases that are made when they are first asked for."""
    first_use: FirstUse | None = None


def find_learning(game: str) -> GameLearning:
    """Find a game's part in learning."""
    found: GameLearning = getattr(find_part("learning", game), "LEARNING", GameLearning())
    return found


def providers() -> Iterator[Provider]:
    """Every embedded base of every game."""
    for game in game_names():
        yield from find_learning(game).bases


def first_uses() -> dict[str, FirstUse]:
    """What makes each game ready, the usual game first."""
    names = sorted(game_names(), key=lambda game: game != USUAL_GAME)
    found = {game: find_learning(game).first_use for game in names}
    return {game: use for game, use in found.items() if use is not None}
