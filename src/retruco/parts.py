"""Where the parts of a game are: its vocabulary, agents, learning and table view, by the name of the game.

A game of this package has one module or folder per kind: `retruco.games.truco`,
`retruco.vocab.truco`, `retruco.agents.truco`, `retruco.learning.truco`. A game of another package
is announced by an entry point of the group `retruco.games`, whose name is the game's and whose
value is a package. The package itself holds the game; `PACKAGE.vocab`, `PACKAGE.agents`,
`PACKAGE.learning` and `PACKAGE.views` (for `retruco.web.views`) hold the other parts, as far as
there are any. Experiments of another package are announced in the group `retruco.experiments`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Final

HOME: Final = "retruco"
GAMES: Final = "games"
EXPERIMENTS: Final = "experiments"


@cache
def outside_parts(kind: str) -> Mapping[str, str]:
    """What other packages announce in the group `retruco.KIND`: each name and its module."""
    return {point.name: point.value for point in entry_points(group=f"{HOME}.{kind}")}


def outside_games() -> Mapping[str, str]:
    """The games of other packages: the name of each and the package that holds it."""
    return outside_parts(GAMES)


@cache
def modules_in(package: str) -> frozenset[str]:
    """Name the modules directly in a package, without importing them."""
    path = getattr(import_module(package), "__path__", ())
    return frozenset(module.name for module in pkgutil.iter_modules(path))


def find_part(kind: str, game: str) -> ModuleType | None:
    """Import a game's part of one kind; none if the game has no such part.

    >>> find_part("vocab", "truco").__name__
    'retruco.vocab.truco'
    >>> find_part("vocab", "whist") is None
    True
    """
    if package := outside_games().get(game):
        if kind == GAMES:
            return import_module(package)
        part = kind.rpartition(".")[2]
        return import_module(f"{package}.{part}") if part in modules_in(package) else None
    folder = f"{HOME}.{kind}"
    return import_module(f"{folder}.{game}") if game in modules_in(folder) else None
