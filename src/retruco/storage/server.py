"""Server databases: PostgreSQL and MariaDB, opened by an address, with the same promises as a file.

Readers see one moment; writers take turns at each base, by its row, and wait for each other. An
address may hold a password: it is never shown, neither in messages nor in reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from retruco.storage.errors import NO_RIGHT, StoreError, code_of, spoken
from retruco.storage.files import CASE_BASES, check_kind
from retruco.storage.schema import MIGRATIONS, STEPS, check_age, migrate, taken
from retruco.storage.sqlite import PATIENCE

DRIVERS: Final = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "mariadb": "mysql+pymysql",
    "mysql": "mysql+pymysql",
}
"""Each kind of server, and how it is spoken to."""

KINDS: Final = (
    "postgresql://USER:PASSWORD@HOST/DATABASE, mariadb://USER:PASSWORD@HOST/DATABASE, sqlite:///FILE"
)

CONNECT: Final = 10
"""Seconds that a server has to answer the door."""

ONE_MOMENT: Final = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

ASKED: Final[Mapping[str, Mapping[str, Any]]] = {
    "postgresql": {"connect_timeout": CONNECT, "options": f"-c lock_timeout={PATIENCE}s"},
    "mysql": {
        "connect_timeout": CONNECT,
        "charset": "utf8mb4",
        # No value is ever cut short or bent to fit: what does not fit is an error.
        "init_command": f"SET SESSION innodb_lock_wait_timeout={PATIENCE}, sql_mode='TRADITIONAL'",
    },
}
"""What every connection asks its server for."""

LOCKS: Final = {
    "postgresql": ("SELECT pg_advisory_lock(7376)", "SELECT pg_advisory_unlock(7376)"),
    "mysql": (
        f"SELECT GET_LOCK(CONCAT('retruco ', DATABASE()), {PATIENCE})",
        "SELECT RELEASE_LOCK(CONCAT('retruco ', DATABASE()))",
    ),
}
"""How to be the only one who takes steps, and how to let go."""


def read_address(address: str) -> URL:
    """Read an address; complain about one that cannot be, without showing what may be a password.

    >>> read_address("oracle://scott:tiger@host/cards")
    Traceback (most recent call last):
    ...
    retruco.storage.errors.StoreError: unknown kind of database 'oracle': one of postgresql, mariadb, mysql, sqlite
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(f"the address of the database cannot be read; it is one of {KINDS}") from None
    kind = url.get_backend_name()
    if kind != "sqlite" and kind not in DRIVERS:
        raise StoreError(f"unknown kind of database {kind!r}: one of postgresql, mariadb, mysql, sqlite")
    if not url.database:
        named = "file" if kind == "sqlite" else "database"
        raise StoreError(f"the address {without_password(url)} names no {named}; it is one of {KINDS}")
    return url


def without_password(url: URL) -> str:
    """An address as it may be shown: without the password and all else that is not the place.

    >>> without_password(make_url("mariadb://me:secret@host:3307/cards?ssl_key=mine"))
    'mariadb://me@host:3307/cards'
    """
    plain = URL.create(url.get_backend_name(), url.username, None, url.host, url.port, url.database)
    return plain.render_as_string()


def open_server(url: URL) -> tuple[Engine, bool]:
    """Open the store of a server, making its tables in an empty database; say whether it can only be read."""
    engine, place = engine_of(url), without_password(url)
    try:
        with spoken(place):
            return engine, _prepared(engine, place)
    except StoreError:
        engine.dispose()
        raise


def engine_of(url: URL) -> Engine:
    """Make the engine of an address; transactions that write say so by the option `writes`."""
    driver = DRIVERS[url.get_backend_name()]
    asked = ASKED[driver.partition("+")[0]]
    try:
        engine = create_engine(
            url.set(drivername=driver),
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,  # a server that went away and came back is found again
            hide_parameters=True,
            connect_args={**asked},
        )
    except ModuleNotFoundError as error:
        extra = "postgresql" if "postgres" in driver else "mariadb"
        raise StoreError(
            f"{without_password(url)} needs {error.name}: install it with pip install 'retruco[{extra}]'"
        ) from error
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    # A reader sees one moment. A writer sees what others have done when it gets its turn.
    if not connection.get_execution_options().get("writes", False):
        connection.execute(ONE_MOMENT)


def _prepared(engine: Engine, place: str) -> bool:
    """Bring a database up to date; say whether it can only be read."""
    with engine.connect() as connection:
        tables = inspect(connection).get_table_names()
        done = taken(connection)
    if tables:
        check_kind(place, CASE_BASES, 0, tables)
    check_age(place, done)
    read_only = bool(done) and not _writable(engine)
    if len(done) < len(STEPS):
        if read_only:
            raise StoreError(f"{place} is of an older Retruco and read-only: it cannot be brought up to date")
        with alone(engine):
            migrate(engine.execution_options(writes=True))
    return read_only


def _writable(engine: Engine) -> bool:
    """Ask for a change that changes nothing, to see whether it would be let."""
    nothing = MIGRATIONS.update().where(MIGRATIONS.c.number == 0).values(name="")
    try:
        with engine.execution_options(writes=True).begin() as connection:
            connection.execute(nothing)
    except DBAPIError as error:
        if code_of(error) in NO_RIGHT:
            return False
        raise
    return True


@contextmanager
def alone(engine: Engine) -> Iterator[None]:
    """Be the only one who takes steps in a database; others wait."""
    lock, unlock = LOCKS[engine.dialect.name]
    with engine.execution_options(writes=True).connect() as connection:
        if connection.scalar(text(lock)) == 0:
            raise StoreError(
                f"{without_password(engine.url)} is being brought up to date by a program that does not end"
            )
        try:
            yield
        finally:
            connection.execute(text(unlock))
