"""The agents there are: every `ROSTER` in the files beside this one or in another game's package, and agents of one's own.

A new file with a `ROSTER` in it is found; nothing has to be entered anywhere else. Agents of one
game are in its folder, those of any game beside it.
"""

from __future__ import annotations

import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from pathlib import Path
from types import ModuleType
from typing import Final

import retruco.agents as package
from retruco.agents.core import ANY_GAME, Agent, CasesFor, Entry, no_cases
from retruco.games.core import Game
from retruco.parts import find_part

SOLVER: Final = "solver:"
"""A name that begins like this goes on with the file of a solution."""
RESPONSE: Final = "response:"
"""A name that begins like this goes on with the file of a response."""
READER: Final = "reader:"
"""A name that begins like this goes on with the file of a profile of the opponent."""


@cache
def roster(game: str) -> dict[str, Entry]:
    """List everybody who plays a game, by name.

    >>> sorted(roster("kuhn"))
    ['NPS', 'PLS', 'random']
    """
    entries = (entry for module in _modules(game) for entry in getattr(module, "ROSTER", ()))
    playing = [entry for entry in entries if entry.game in (game, ANY_GAME)]
    # Of two with one name, the game's own is meant.
    return {entry.name: entry for entry in sorted(playing, key=lambda entry: entry.game != ANY_GAME)}


def _modules(game: str) -> Iterator[ModuleType]:
    """Import the modules that may hold agents of a game: those of no game, and the game's own."""
    part = find_part("agents", game)
    shared = (
        found for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}.") if not found.ispkg
    )
    yield from (import_module(found.name) for found in shared if _has_roster(found))
    if part is not None:
        yield part
        inner = pkgutil.walk_packages(getattr(part, "__path__", ()), f"{part.__name__}.")
        yield from (import_module(found.name) for found in inner if _has_roster(found))


def _has_roster(found: pkgutil.ModuleInfo) -> bool:
    """Whether the source of a module names a `ROSTER`: the others need not be imported, and some are heavy."""
    spec = importlib.util.find_spec(found.name)
    loader = spec.loader if spec else None
    source = loader.get_source(found.name) if isinstance(loader, InspectLoader) else None
    return source is None or "ROSTER" in source


def find_agent(name: str, game: str, cases_for: CasesFor = no_cases) -> Agent:
    """Call an agent to the table by its name, by `path/to/file.py:ClassName`, `solver:FILE`, `response:FILE` or `reader:FILE`.

    A name may be followed by `@` and another reading of it; see `retruco.agents.truco.readings`.

    >>> find_agent("nobody", "kuhn")
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'nobody' for kuhn: one of NPS, PLS, random, or your own as path/to/file.py:ClassName
    """
    if ".py:" in name:
        return load_agent(name)
    if name.startswith(SOLVER):
        from retruco.agents.solver import load_solver

        return load_solver(name.removeprefix(SOLVER), game)
    if name.startswith(RESPONSE):
        from retruco.agents.response import load_response

        return load_response(name.removeprefix(RESPONSE), game)
    if name.startswith(READER):
        from retruco.agents.truco.reader import load_reader

        return load_reader(name.removeprefix(READER), game)
    entry, reading = find_entry(name, game)
    if entry is None or (reading and entry.make_reading is None):
        names = ", ".join(sorted(roster(game)))
        without = f"; {entry.name} has no readings" if entry else ""
        raise ValueError(
            f"unknown agent {name!r} for {game}: one of {names}, or your own as path/to/file.py:ClassName{without}"
        )
    if reading and entry.make_reading is not None:
        return entry.make_reading(reading, cases_for)
    return entry.make(cases_for)


def find_entry(name: str, game: str) -> tuple[Entry | None, str]:
    """Find the line of an agent in the list, and the reading that follows its name after `@`.

    >>> entry, reading = find_entry("PVCNPS@threshold=0.75", "truco")
    >>> entry.name, reading
    ('PVCNPS', 'threshold=0.75')
    """
    known = roster(game)
    if name in known:
        return known[name], ""
    plain, _, reading = name.partition("@")
    return (known.get(plain), reading) if reading else (None, "")


def check_table(name: str, table: Game) -> None:
    """Refuse an agent at a table that it cannot play at."""
    check_rules(name, table.name, table.rules_name)
    if name.startswith(SOLVER):
        from retruco.agents.solver import check_solution_table

        check_solution_table(name.removeprefix(SOLVER), table)
    if name.startswith(RESPONSE):
        from retruco.agents.response import check_response_table

        check_response_table(name.removeprefix(RESPONSE), table)


def check_rules(name: str, game: str, rules: str) -> None:
    """Refuse an agent at a table whose rules it does not play by."""
    entry, _ = find_entry(READER.removesuffix(":") if name.startswith(READER) else name, game)
    if entry and entry.rules and rules not in entry.rules:
        raise ValueError(f"{name} plays {game} by the rules {' or '.join(entry.rules)}, not by {rules}")


def load_agent(place: str) -> Agent:
    """Make an agent of the user's own class, from `path/to/file.py:ClassName`."""
    path, _, class_name = place.rpartition(":")
    module = _load_file(Path(path))
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [key for key, thing in vars(module).items() if isinstance(thing, type)]
        raise ValueError(f"no class {class_name!r} in {path}: it has {', '.join(classes) or 'none'}")
    if not callable(getattr(found, "decide", None)):
        raise ValueError(f"{class_name} in {path} is no agent: it has no decide(observation, chance)")
    try:
        agent: Agent = found()
    except Exception as error:
        raise ValueError(f"{class_name} in {path} cannot be made without arguments: {error!r}") from error
    return agent


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ValueError(f"no agent file at {path}")
    name = f"retruco_user_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"agent file {path} does not import: {error!r}") from error
    return module
