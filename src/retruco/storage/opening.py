"""Case bases by name, for agents: opened when first asked for, and then once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retruco.agents.core import CasesFor
    from retruco.storage.library import Base


def silent(message: str) -> None:
    """Tell nobody."""


@cache
def base_named(
    name: str | None, game: str, tell: Callable[[str], None] = silent, clusters: str | None = None
) -> Base:
    """Open a base once; without a name, the embedded one.

    `tell` is told when the base has to be made first; `clusters` names other groups than our own.
    """
    # Heavy, and not needed by those who never remember.
    from retruco.storage.library import open_cases

    return open_cases(name, game, tell, clusters)


def cases_named(
    name: str | None = None, tell: Callable[[str], None] = silent, clusters: str | None = None
) -> CasesFor:
    """Give what agents ask for the cases of their game; without a name, of the embedded base."""
    return lambda game: base_named(name, game, tell, clusters).cases
