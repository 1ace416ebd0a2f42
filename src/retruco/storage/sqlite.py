"""SQLite files: made whole, opened with care, never changed before they are known to be ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect

from retruco.storage.errors import StoreError, spoken
from retruco.storage.schema import STEPS, check_age, check_ours, migrate, taken

PATIENCE: Final = 30
"""Seconds a writer waits for another one."""

HEADER: Final = b"SQLite format 3\0"


def open_file(file: Path) -> tuple[Engine, bool]:
    """Open a store's file, making it if it is not there; say whether it can only be read."""
    try:
        if not file.exists():
            make_file(file)
        check_whole(file)
    except OSError as error:
        raise StoreError(f"{file} cannot be opened: {error.strerror}") from error
    read_only = not (_writable(file) and _writable(file.parent))
    engine = engine_of(file, read_only)
    try:
        with spoken(str(file)):
            _check_ours(engine, file, read_only)
    except StoreError:
        engine.dispose()
        raise
    return engine, read_only


def make_file(file: Path) -> None:
    """Make a new store beside its place and move it there whole, unless somebody was faster."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}-{uuid4().hex}")
    draft.touch()
    engine = engine_of(draft)
    # A log lets readers and a writer work side by side; the file remembers that it has one.
    event.listen(engine, "connect", lambda connection, entry: connection.execute("PRAGMA journal_mode=WAL"))
    try:
        with spoken(str(file)):
            migrate(engine.execution_options(writes=True))
        engine.dispose()
        _put(draft, file)
    finally:
        engine.dispose()
        for litter in ("", "-wal", "-shm", "-journal"):
            Path(f"{draft}{litter}").unlink(missing_ok=True)


def _put(draft: Path, file: Path) -> None:
    """Give the draft its name, leaving a file that is already there alone."""
    try:
        os.link(draft, file)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not file.exists():
            draft.rename(file)
    if os.name == "posix":  # the name, too, must survive a loss of power
        folder = os.open(file.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def check_whole(file: Path) -> None:
    """Refuse a file that is no SQLite database or whose end is missing, without opening it as one."""
    with file.open("rb") as stream:
        head = stream.read(100)
    if len(head) < 100 and HEADER.startswith(head[:16]):
        raise StoreError(
            f"{file} is truncated to {len(head)} bytes: restore it, or move it away to begin anew"
        )
    if not head.startswith(HEADER):
        raise StoreError(f"{file} is not a case database, or it is damaged")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    expected = (65_536 if page == 1 else page) * pages
    # After a crash the missing pages may still be in the log, which SQLite then plays back.
    if file.stat().st_size < expected and not _has_log(file):
        raise StoreError(f"{file} is truncated: it has {file.stat().st_size} of {expected} bytes")


def _check_ours(engine: Engine, file: Path, read_only: bool) -> None:
    with engine.connect() as connection:
        tables = inspect(connection).get_table_names()
        done = taken(connection)
    check_ours(str(file), tables)
    check_age(str(file), done)
    if len(done) < len(STEPS):
        if read_only:
            raise StoreError(f"{file} is of an older Retruco and read-only: it cannot be brought up to date")
        migrate(engine.execution_options(writes=True))


def engine_of(file: Path, read_only: bool = False) -> Engine:
    """Make the engine of a file; transactions that write say so by the option `writes`."""
    how = {"uri": "true", "mode": "ro" if read_only else "rw"}
    # A read-only folder has no room for the files a log needs; without a log there is no need.
    if read_only and not _writable(file.parent) and not _has_log(file):
        how["immutable"] = "1"
    address = URL.create("sqlite+pysqlite", database=f"file:{quote(str(file.absolute()))}", query=how)
    engine = create_engine(address, connect_args={"timeout": PATIENCE})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, entry: object) -> None:
    # The driver must not open transactions by itself: it would leave out tables and reads.
    connection.isolation_level = None
    for pragma in ("foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: one that begins as a reader could not wait for its turn.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _has_log(file: Path) -> bool:
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
