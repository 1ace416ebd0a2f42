"""Case bases by name, for agents: embedded ones are made when first asked for, and each is opened once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from retruco.games.registry import game_class
from retruco.storage.errors import StoreError
from retruco.storage.progress import Progress, silent

if TYPE_CHECKING:
    from retruco.agents.core import CasesFor
    from retruco.storage.library import Base, Library
    from retruco.storage.store import Store


def library_of(store: Store, progress: Progress = silent) -> Library:
    """Give the library of a store, with every base that a game embeds."""
    # Heavy, and not needed by those who never remember.
    from retruco.learning.registry import providers
    from retruco.storage.library import Library

    return Library(store, progress, providers=providers())


def open_cases(
    name: str | None = None,
    game: str = "truco",
    progress: Progress = silent,
    clusters: str | None = None,
    version: int | None = None,
) -> Base:
    """Open a base of the user's own store, the game's usual one if none is named."""
    from retruco.storage.library import OWN, regrouped
    from retruco.storage.store import open_store

    wanted = name or game_class(game).usual_base
    if wanted is None:
        raise StoreError(f"there is no usual case base of {game}: name one of your own with --cases")
    with open_store() as store:
        base = library_of(store, progress).open(wanted, game, version)
        return base if clusters in (None, OWN) else regrouped(store, base, clusters)


_OPENED: Final[dict[tuple[str | None, str, Progress, str | None, int | None], Base]] = {}


def base_named(
    name: str | None,
    game: str,
    progress: Progress = silent,
    clusters: str | None = None,
    version: int | None = None,
) -> Base:
    """Open a base once; without a name, the game's usual one.

    `progress` hears of it when the base has to be made first; `clusters` names other groups than our own; `version`
    is that of the vocabulary.
    """
    wanted = (name, game, progress, clusters, version)
    if wanted not in _OPENED:
        _OPENED[wanted] = open_cases(name, game, progress, clusters, version)
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
    """Give what agents ask for the cases of their game; without a name, of the game's usual base."""
    return lambda game, version=None: base_named(name, game, progress, clusters, version).cases
