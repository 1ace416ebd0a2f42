"""What can go wrong with a store, said in one line that names the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError


class StoreError(ValueError):
    """A store that cannot do what was asked; nothing was changed."""


class UnknownBase(StoreError):
    """A case base that is not there; it says which ones are."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(f"unknown case base {name!r}: one of {', '.join(known)}")


FULL: Final = "cannot be written: the disk is full"
BUSY: Final = "is in use by another program that does not let go"
REFUSED: Final = "refuses the user or the password"
NO_DATABASE: Final = "is not there: the server has no database of this name"
MAY_NOT: Final = "may not be changed by this user"
CROWDED: Final = "has no room for another connection"
AWAY: Final = "went away: what was confirmed is safe; try again when it is back"

TOLD: Final = {
    "SQLITE_NOTADB": "is not a case database, or it is damaged",
    "SQLITE_CORRUPT": "is damaged",
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


def code_of(error: SQLAlchemyError) -> str:
    """Find the code of an error: the first two parts of SQLite's, PostgreSQL's state, MariaDB's number."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    if cause is not None and cause.args and isinstance(cause.args[0], int):
        return str(cause.args[0])
    named = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    return "_".join(str(named).split("_")[:2])


def told(error: SQLAlchemyError) -> str:
    """Put a database's error into words.

    >>> told(SQLAlchemyError("no such table: hands"))
    'cannot be used: no such table: hands'
    """
    code = code_of(error)
    if code in TOLD:
        return TOLD[code]
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return AWAY
    cause = error.orig if isinstance(error, DBAPIError) else error
    at_server = isinstance(error, OperationalError) and not code.startswith("SQLITE")
    why = cause.args[-1] if cause is not None and cause.args else cause
    first = next(iter(str(why).splitlines()), "")  # what follows are a driver's guesses
    return f"cannot be {'reached' if at_server else 'used'}: {first}"


@contextmanager
def spoken(place: str) -> Iterator[None]:
    """Turn a database's errors into one that names the place and says what is wrong."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{place} {told(error)}") from error
