"""Files that are read back and are not what was written: one error that names the file and says what to do."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from zipfile import BadZipFile


class DamagedFile(ValueError):
    """A file that is damaged, or that another version has written."""


SIGNS: Final = (
    *(ValueError, LookupError, TypeError, AttributeError, EOFError, RecursionError),
    *(BadZipFile, zlib.error),
)
"""What a reader of plain data or arrays stumbles over when they are not as they were written."""


@contextmanager
def reading_back(file: object, remedy: str) -> Iterator[None]:
    """Read a file that this program has written; name it, and what can be done, if it is not as it should be.

    >>> with reading_back("curve.json", "move it away to begin a new curve"):
    ...     {}["points"]
    Traceback (most recent call last):
    ...
    retruco.damage.DamagedFile: curve.json is damaged, or of another version of Retruco (KeyError: 'points'): move it away to begin a new curve
    """
    try:
        yield
    except DamagedFile:
        raise
    except SIGNS as error:
        reason = f"{type(error).__name__}: {str(error)[:200]}"
        raise DamagedFile(
            f"{file} is damaged, or of another version of Retruco ({reason}): {remedy}"
        ) from error
