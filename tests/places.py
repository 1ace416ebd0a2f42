"""Where a store can be in the tests: a file, or a database of their own at a real server."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import make_url, text

from retruco.storage.schema import BASES, DEALS
from retruco.storage.server import engine_of
from retruco.storage.store import Store, open_store
from servers import VARIABLES, running

PLACES = ("sqlite", *(pytest.param(kind, marks=getattr(pytest.mark, kind)) for kind in VARIABLES))


@dataclass(frozen=True)
class Place:
    """A store's place, new and empty."""

    kind: str
    at: Path | str
    home: Path
    """A data folder for processes that open the store as a user would."""

    def open(self) -> Store:
        """Open the store there."""
        return open_store(self.at)

    @property
    def variables(self) -> dict[str, str]:
        """By which environment variables a process finds it."""
        return {
            "RETRUCO_HOME": str(self.home),
            "RETRUCO_DATABASE": self.at if isinstance(self.at, str) else "",
        }


def address_of(kind: str) -> str:
    """The address of a server on which databases may be made: a running one, or one that is started now."""
    if address := os.environ.get(VARIABLES[kind]):
        return address
    return _started(kind)


@cache
def _started(kind: str) -> str:
    """The address of a server of this process's own, which ends with it."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(running(kind)).url


class Database:
    """A database of the tests' own at a server, cleared for each of them and dropped in the end."""

    def __init__(self, server: str) -> None:
        self._server = make_url(server)
        self._name = f"retruco_{uuid4().hex[:12]}"
        self.address = self._server.set(database=self._name).render_as_string(hide_password=False)
        self._command(f"CREATE DATABASE {self._name}")

    def _command(self, command: str) -> None:
        engine = engine_of(self._server).execution_options(isolation_level="AUTOCOMMIT", writes=True)
        with engine.connect() as connection:
            connection.execute(text(command))
        engine.dispose()

    def clear(self) -> None:
        """Leave the tables and nothing in them."""
        with open_store(self.address) as store, store.writing() as writer:
            for table in (BASES, DEALS):
                writer.connection.execute(table.delete())

    def drop(self) -> None:
        """Remove it, whoever is still connected."""
        force = " WITH (FORCE)" if self._server.get_backend_name() == "postgresql" else ""
        self._command(f"DROP DATABASE {self._name}{force}")


@contextmanager
def powerless(folder: Path, folder_too: bool = True) -> Iterator[None]:
    """Be somebody who may read all files of a folder and write to none of them."""
    files = [folder, *folder.rglob("*")]
    for file in files:
        file.chmod(0o444 if file.is_file() else 0o555 if folder_too else 0o777)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for file in files:
            file.chmod(0o755 if file.is_dir() else 0o644)
