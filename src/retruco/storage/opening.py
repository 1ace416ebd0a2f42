"""Case bases by name, for agents: opened when first asked for, and then once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retruco.agents.core import CasesFor
    from retruco.storage.library import Base


@cache
def base_named(name: str | None, game: str) -> Base:
    """Open a base once; without a name, the embedded one."""
    # Heavy, and not needed by those who never remember.
    from retruco.storage.library import open_cases

    return open_cases(name, game)


def cases_named(name: str | None = None) -> CasesFor:
    """Give what agents ask for the cases of their game; without a name, the embedded base."""
    return lambda game: base_named(name, game).cases
