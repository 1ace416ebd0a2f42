"""What can go wrong with a store, said in one line that names the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError


class StoreError(ValueError):
    """A store that cannot do what was asked; nothing was changed."""


class UnknownBase(StoreError):
    """A case base that is not there; it says which ones are."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(f"unknown case base {name!r}: one of {', '.join(known)}")


TOLD: Final = {
    "SQLITE_NOTADB": "is not a case database, or it is damaged",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_READONLY": "is read-only",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_FULL": "cannot be written: the disk is full",
    "SQLITE_IOERR": "cannot be read or written: the disk fails",
    "SQLITE_BUSY": "is in use by another program that does not let go",
    "SQLITE_LOCKED": "is in use by another program that does not let go",
}
"""SQLite's codes in words; a code's first two parts decide."""


def told(error: SQLAlchemyError) -> str:
    """Put a database's error into words.

    >>> told(SQLAlchemyError("no such table: hands"))
    'cannot be used: no such table: hands'
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = "_".join(str(getattr(cause, "sqlite_errorname", "")).split("_")[:2])
    return TOLD.get(code, f"cannot be used: {cause}")


@contextmanager
def spoken(place: str) -> Iterator[None]:
    """Turn a database's errors into one that names the place and says what is wrong."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{place} {told(error)}") from error
