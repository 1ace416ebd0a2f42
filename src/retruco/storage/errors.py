"""What can go wrong with a store, said in one line that names the place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlalchemy.exc import SQLAlchemyError


class StoreError(ValueError):
    """A store that cannot do what was asked; nothing was changed."""


class UnknownBase(StoreError):
    """A case base that is not there; it says which ones are."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(f"unknown case base {name!r}: one of {', '.join(known)}")


RESTORE: Final = "restore it from a copy, or move it away to begin anew"
DAMAGED: Final = (
    "is damaged: restore it from a copy, or save what can still be read with `sqlite3 FILE .recover`"
)
FULL: Final = "cannot be written: the disk is full"
BUSY: Final = "is in use by another program that does not let go"
REFUSED: Final = "refuses the user or the password"
NO_DATABASE: Final = "is not there: the server has no database of this name"
MAY_NOT: Final = "may not be changed by this user"
CROWDED: Final = "has no room for another connection"
AWAY: Final = "went away: what was confirmed is safe; try again when it is back"

TOLD: Final = {
    "SQLITE_NOTADB": f"is not an SQLite database, or it is damaged: {RESTORE}",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_READONLY": "is read-only",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_FULL": FULL,
    "SQLITE_IOERR": "cannot be read or written: the disk fails",
    "SQLITE_BUSY": BUSY,
    "SQLITE_LOCKED": BUSY,
    # PostgreSQL
    "28P01": REFUSED,
    "28000": REFUSED,
    "3D000": NO_DATABASE,
    "42501": MAY_NOT,
    "25006": MAY_NOT,
    "53100": FULL,
    "53300": CROWDED,
    "55P03": BUSY,
    "40P01": BUSY,
    "57P01": AWAY,
    "57P02": AWAY,
    "57P03": "is starting or stopping: try again in a moment",
    # MariaDB
    "1045": REFUSED,
    "1044": REFUSED,
    "1698": REFUSED,
    "1049": NO_DATABASE,
    "1142": MAY_NOT,
    "1290": MAY_NOT,
    "1792": MAY_NOT,
    "1021": FULL,
    "1030": "cannot be written: the disk is full or fails",
    "1114": FULL,
    "1040": CROWDED,
    "1205": BUSY,
    "1213": BUSY,
    "1927": AWAY,
    "2006": AWAY,
    "2013": AWAY,
}
"""What databases say by a code, in words."""

NO_RIGHT: Final = frozenset(code for code, words in TOLD.items() if words == MAY_NOT)
"""The codes of somebody who may look and not touch."""


def code_of(error: Exception) -> str:
    """Find the code of an error: the first two parts of SQLite's, PostgreSQL's state, MariaDB's number."""
    cause = _cause(error)
    if cause.args and isinstance(cause.args[0], int):
        return str(cause.args[0])
    named = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    return "_".join(str(named).split("_")[:2])


def _cause(error: Exception) -> BaseException:
    """The driver's own error, which SQLAlchemy puts into one of its own."""
    return getattr(error, "orig", None) or error


def describe_error(error: SQLAlchemyError | sqlite3.Error) -> str:
    """Put a database's error into words.

    >>> describe_error(sqlite3.OperationalError("no such table: hands"))
    'cannot be used: no such table: hands'
    """
    code = code_of(error)
    if code in TOLD:
        return TOLD[code]
    if getattr(error, "connection_invalidated", False):
        return AWAY
    cause = _cause(error)
    why = cause.args[-1] if cause.args else cause
    first = next(iter(str(why).splitlines()), "")  # what follows are a driver's guesses
    return f"cannot be {'reached' if _is_of_server(error, code) else 'used'}: {first}"


def _is_of_server(error: Exception, code: str) -> bool:
    if isinstance(error, sqlite3.Error):
        return False
    from sqlalchemy.exc import OperationalError

    return isinstance(error, OperationalError) and not code.startswith("SQLITE")


@contextmanager
def spoken(place: str) -> Iterator[None]:
    """Turn a database's errors into one that names the place and says what is wrong."""
    from sqlalchemy.exc import SQLAlchemyError  # slow to import, and a web table may do without

    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{place} {describe_error(error)}") from error


@contextmanager
def spoken_of_file(file: object) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into one that names the file and says what is wrong."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{file} {describe_error(error)}") from error
    except OSError as error:
        raise StoreError(f"{file} cannot be opened: {error.strerror}") from error
