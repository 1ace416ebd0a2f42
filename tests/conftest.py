"""Fixtures for all tests: the places where a store can be, and the same cards in each run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from places import PLACES, Database, Place, address_of
from retruco.streams import Stream
from retruco.web.tables import draws, fairness
from retruco.web.tables.fairness import Dealer

UNREPEATABLE = fairness.Unrepeatable


class SeededChance:
    """What the dealer of the web tables draws, from a seed: the same in each run, whichever tests run before."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin again with the first deal."""
        self._numbers = count()

    def stream(self) -> Stream:
        """Chance for the next deal."""
        return Stream("web tests", next(self._numbers))

    def secret(self) -> str:
        """The server's secret for the next match."""
        return f"{Stream('web tests', 'secret', next(self._numbers)).bits():064x}"


@pytest.fixture(scope="session", autouse=True)
def frozen_memory() -> Iterator[None]:
    """Leave what collecting the tests has made, a million objects that stay, out of every garbage collection.

    Each pool of workers collects garbage before it forks, and thaws all memory when it is closed.
    """
    gc.collect()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def seeded_chance() -> Iterator[SeededChance]:
    """Every web table of these processes deals from a seed."""
    chance = SeededChance()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness, "Unrepeatable", chance.stream)
        patch.setattr(fairness, "new_secret", chance.secret)
        patch.setattr(draws, "new_secret", chance.secret)
        yield chance


@pytest.fixture(autouse=True)
def first_deal_again(seeded_chance: SeededChance) -> None:
    """Each test is dealt the same cards, alone or after others."""
    seeded_chance.restart()


@pytest.fixture
def honest_dealer(monkeypatch: pytest.MonkeyPatch) -> Dealer:
    """The dealer as visitors have it: from the chance of the operating system."""
    monkeypatch.setattr(fairness, "Unrepeatable", UNREPEATABLE)
    return Dealer()


@pytest.fixture(scope="session")
def databases() -> Iterator[Callable[[str], Database]]:
    """Databases at the servers there are, each made when first asked for."""
    made: list[Database] = []

    @cache
    def database(kind: str) -> Database:
        made.append(Database(address_of(kind)))
        return made[-1]

    yield database
    for one in made:
        one.drop()


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path, databases: Callable[[str], Database]) -> Place:
    """An empty store: in a file, at PostgreSQL, at MariaDB."""
    kind = request.param
    if kind == "sqlite":
        return Place(kind, tmp_path / "cases.db", tmp_path)
    database = databases(kind)
    database.clear()
    return Place(kind, database.address, tmp_path)


@pytest.fixture(params=PLACES)
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place where nobody has opened a store yet."""
    kind = request.param
    if kind == "sqlite":
        yield Place(kind, tmp_path / "cases.db", tmp_path)
        return
    database = Database(address_of(kind))
    yield Place(kind, database.address, tmp_path)
    database.drop()
