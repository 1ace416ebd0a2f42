"""The store: one database of case bases, by default a file in the user's data folder.

The environment variable RETRUCO_DATABASE names another one, at a server, by its address.

    with open_store() as store:
        store.append("mine", [Hand.of(record, seat=0)])

A change is on the disk when the call returns; a process or a machine that stops in the middle
of one leaves the store as it was before.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from platformdirs import user_data_path
from sqlalchemy import Engine

from retruco.storage.errors import StoreError, spoken, spoken_of_file
from retruco.storage.files import close_database, close_to_others, make_folder
from retruco.storage.reading import Facts, Hand, Reader
from retruco.storage.sqlite import open_file
from retruco.storage.writing import Writer

HOME: Final = "RETRUCO_HOME"
"""The environment variable that names another folder for the user's data."""

DATABASE: Final = "RETRUCO_DATABASE"
"""The environment variable that gives the address of another store than the user's file."""

FILE: Final = "cases.db"


def home() -> Path:
    """The folder of the user's data."""
    return Path(os.environ.get(HOME) or user_data_path("retruco"))


def close_home() -> Path:
    """Take the rights of others from the user's data folder; one that RETRUCO_HOME names may hold other things, too."""
    if not os.environ.get(HOME):
        close_to_others(home())
    return home()


def open_store(place: Path | str | None = None) -> Store:
    """Open the user's store, or that of a file or an address; a new one is made where none is."""
    place = place or os.environ.get(DATABASE) or close_home() / FILE
    if isinstance(place, str):
        from retruco.storage.server import (  # not needed for a file
            open_server,
            read_address,
            without_password,
        )

        url = read_address(place)
        if url.get_backend_name() != "sqlite":
            engine, read_only = open_server(url)
            return Store(engine, without_password(url), home() / "server.lock", read_only)
        place = Path(url.database or "")  # named by its address, it may be shared: its mode stays
    else:
        with spoken_of_file(place):
            close_database(place)
    engine, read_only = open_file(place)
    return Store(engine, str(place), place.with_name(f"{place.name}.lock"), read_only)


class Store:
    """A database of case bases, with as many readers and writers as like."""

    def __init__(self, engine: Engine, place: str, lock: Path, read_only: bool = False) -> None:
        self.place, self.read_only = place, read_only
        self._lock = lock
        self._engine = engine
        self._writing = engine.execution_options(writes=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def check_writable(self) -> None:
        """Refuse if nothing can be changed here."""
        if self.read_only:
            raise StoreError(f"{self.place} is read-only: nothing can be changed in it")

    @contextmanager
    def making(self) -> Iterator[None]:
        """Let one process at a time make an embedded base, so that none is made twice; the others wait."""
        self.check_writable()
        make_folder(self._lock.parent)
        file = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Look at the store as it is at one moment, whatever others write meanwhile."""
        with spoken(self.place), self._engine.begin() as connection:
            yield Reader(connection)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Change the store: all steps at once when the block ends, none if it fails."""
        self.check_writable()
        with spoken(self.place), self._writing.begin() as connection:
            yield Writer(connection)

    # One step each

    def facts(self, name: str) -> Facts:
        """Describe a base, or say which ones there are."""
        with self.reading() as reader:
            return reader.facts(name)

    def create(self, name: str, game: str, rules: str, note: str = "", created: str = "") -> Facts:
        """Begin an empty base under a name that is free."""
        with self.writing() as writer:
            return writer.create(name, game, rules, note, created)

    def append(self, name: str, hands: Iterable[Hand]) -> range:
        """Add hands to a base and give the numbers they have from now on."""
        with self.writing() as writer:
            return writer.append(name, hands)

    def remove(self, name: str, numbers: Iterable[int]) -> int:
        """Take hands out of a base; say how many there were."""
        with self.writing() as writer:
            return writer.remove(name, numbers)

    def count_uses(self, name: str, uses: dict[int, int]) -> None:
        """Count how often hands of a base were used, on top of what they have."""
        with self.writing() as writer:
            writer.count_uses(writer.facts(name), uses)

    def uses(self, name: str) -> dict[int, int]:
        """Tell how often hands of a base were used, the most used first."""
        with self.reading() as reader:
            return reader.uses(reader.facts(name))

    def hands(self, name: str) -> Iterator[tuple[int, Hand]]:
        """Go through the numbers and hands of a base, oldest first."""
        with self.reading() as reader:
            for stored in reader.hands(reader.facts(name)):
                yield stored.number, stored.hand
