"""Case bases by name, for agents: opened when first asked for, and then once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from retruco.storage.progress import Progress, silent

if TYPE_CHECKING:
    from retruco.agents.core import CasesFor
    from retruco.storage.library import Base


@cache
def base_named(name: str | None, game: str, progress: Progress = silent, clusters: str | None = None) -> Base:
    """Open a base once; without a name, the embedded one.

    `progress` hears of it when the base has to be made first; `clusters` names other groups than our own.
    """
    # Heavy, and not needed by those who never remember.
    from retruco.storage.library import open_cases

    return open_cases(name, game, progress, clusters)


def cases_named(
    name: str | None = None, progress: Progress = silent, clusters: str | None = None
) -> CasesFor:
    """Give what agents ask for the cases of their game; without a name, of the embedded base."""
    return lambda game: base_named(name, game, progress, clusters).cases
