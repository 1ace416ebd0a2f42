"""Fixtures for all rooms: the places where a store can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from places import PLACES, Database, Place, address_of


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
