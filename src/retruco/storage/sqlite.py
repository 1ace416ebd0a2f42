"""SQLite files: made whole, opened with care, never changed before they are known to be ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect

from retruco.storage.errors import StoreError, spoken, spoken_of_file
from retruco.storage.files import CASE_BASES, check_kind, check_whole, drafting, has_log, is_writable
from retruco.storage.schema import STEPS, check_age, migrate, taken

PATIENCE: Final = 30
"""Seconds a writer waits for another one."""


def open_file(file: Path) -> tuple[Engine, bool]:
    """Open a store's file, making it if it is not there; say whether it can only be read."""
    with spoken_of_file(file):
        if not file.exists():
            make_file(file)
        check_whole(file)
    read_only = not (is_writable(file) and is_writable(file.parent))
    engine = engine_of(file, read_only)
    try:
        with spoken(str(file)):
            _check_ours(engine, file, read_only)
    except StoreError:
        engine.dispose()
        raise
    return engine, read_only


def make_file(file: Path) -> None:
    """Make a new store, private and whole, unless somebody was faster."""
    with drafting(file) as draft:
        engine = engine_of(draft)
        # A log lets readers and a writer work side by side; the file remembers that it has one.
        event.listen(engine, "connect", lambda base, entry: base.execute("PRAGMA journal_mode=WAL"))
        try:
            with spoken(str(file)):
                migrate(engine.execution_options(writes=True))
                _mark(engine)
        finally:
            engine.dispose()


def _mark(engine: Engine) -> None:
    """Write the application id into a file, so that every program knows whose it is."""
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql(f"PRAGMA application_id = {CASE_BASES.application_id}")


def _check_ours(engine: Engine, file: Path, read_only: bool) -> None:
    with engine.connect() as connection:
        application_id = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        check_kind(file, CASE_BASES, application_id, inspect(connection).get_table_names())
        done = taken(connection)
    check_age(str(file), done)
    if len(done) < len(STEPS):
        if read_only:
            raise StoreError(f"{file} is of an older Retruco and read-only: it cannot be brought up to date")
        migrate(engine.execution_options(writes=True))
    if not application_id and not read_only:
        _mark(engine)


def engine_of(file: Path, read_only: bool = False) -> Engine:
    """Make the engine of a file; transactions that write say so by the option `writes`."""
    how = {"uri": "true", "mode": "ro" if read_only else "rw"}
    # A read-only folder has no room for the files a log needs; without a log there is no need.
    if read_only and not is_writable(file.parent) and not has_log(file):
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
