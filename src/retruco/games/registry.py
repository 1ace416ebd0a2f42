"""The games there are: every module or package beside this one that defines a `Game`, and those of other packages.

Nothing has to be entered anywhere: a new file with a `Game` in it is found; see `retruco.parts`.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from retruco.games.core import Game
from retruco.parts import GAMES, find_part, modules_in, outside_games

NOT_GAMES: Final = frozenset({"core", "check", "observations", "records", "registry"})
USUAL_GAME: Final = "truco"
"""The game that is meant when none is named."""


def game_names() -> tuple[str, ...]:
    """Name every game, without importing any.

    >>> game_names()
    ('euchre', 'holdem', 'kuhn', 'leduc', 'truco')
    """
    return tuple(sorted((modules_in("retruco.games") - NOT_GAMES) | outside_games().keys()))


@cache
def game_class(name: str) -> type[Game]:
    """Find a game by its name.

    >>> game_class("truco").version
    1
    """
    if name not in game_names():
        raise ValueError(f"unknown game {name!r}: one of {', '.join(game_names())}")
    module = find_part(GAMES, name)
    games = [thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, Game)]
    return next(game for game in games if game is not Game and game.name == name)


def find_game(name: str, rules: str | None = None, target: int | None = None) -> Game:
    """Set a table for a game by names alone.

    >>> find_game("truco", "argentino").target
    30
    """
    return game_class(name).named(rules, target)


def all_tables() -> tuple[Game, ...]:
    """Set one table for every preset of every game."""
    return tuple(find_game(name, rules) for name in game_names() for rules in game_class(name).presets())
