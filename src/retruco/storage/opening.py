"""Case bases by name, for agents: opened when first asked for, and then once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from retruco.storage.progress import Progress, silent

if TYPE_CHECKING:
    from retruco.agents.core import CasesFor
    from retruco.storage.library import Base


_OPENED: Final[dict[tuple[str | None, str, Progress, str | None], Base]] = {}


def base_named(name: str | None, game: str, progress: Progress = silent, clusters: str | None = None) -> Base:
    """Open a base once; without a name, the embedded one.

    `progress` hears of it when the base has to be made first; `clusters` names other groups than our own.
    """
    wanted = (name, game, progress, clusters)
    if wanted not in _OPENED:
        # Heavy, and not needed by those who never remember.
        from retruco.storage.library import open_cases

        _OPENED[wanted] = open_cases(name, game, progress, clusters)
    return _OPENED[wanted]


def close_bases(names: Collection[str]) -> bool:
    """Let go of bases that have changed: they are opened again when asked for; say whether one was open."""
    changed = [wanted for wanted, base in list(_OPENED.items()) if base.name in names]
    for wanted in changed:
        _OPENED.pop(wanted, None)
    return bool(changed)


def cases_named(
    name: str | None = None, progress: Progress = silent, clusters: str | None = None
) -> CasesFor:
    """Give what agents ask for the cases of their game; without a name, of the embedded base."""
    return lambda game: base_named(name, game, progress, clusters).cases
