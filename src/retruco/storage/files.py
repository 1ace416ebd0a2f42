"""The user's own files: private from the first moment, made whole, and known by what they hold.

A database is made with mode 0600, whatever the umask; SQLite gives its log the same mode. A folder
that has to be made gets 0700. Nothing here needs SQLAlchemy, which takes long to import.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from retruco.storage.errors import RESTORE, StoreError

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""The rights of the group and of everybody else."""

HEADER: Final = b"SQLite format 3\0"

PARTS: Final = ("", "-wal", "-shm", "-journal")
"""The files of one SQLite database, by what follows its name."""


# Kinds of databases


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of database, known by its application id; an old file without one, by its tables."""

    name: str
    application_id: int
    tables: frozenset[str]


CASE_BASES: Final = Kind("a store of case bases", int.from_bytes(b"RtCb"), frozenset({"retruco_migrations"}))
WEB_TABLE: Final = Kind(
    "the store of a web table",
    int.from_bytes(b"RtWt"),
    frozenset({"secret", "match", "seat", "hand", "action"}),
)


def find_kind(application_id: int, tables: Collection[str]) -> Kind | None:
    """Find out what a database is; nothing if it is not one of ours.

    >>> find_kind(0, ["retruco_migrations", "bases"]) is CASE_BASES
    True
    """
    for kind in (CASE_BASES, WEB_TABLE):
        if application_id == kind.application_id or (application_id == 0 and kind.tables <= set(tables)):
            return kind
    return None


def check_kind(place: object, wanted: Kind, application_id: int, tables: Collection[str]) -> None:
    """Refuse a database of another kind, and say what it is.

    >>> check_kind("cases.db", WEB_TABLE, CASE_BASES.application_id, [])
    Traceback (most recent call last):
    ...
    retruco.storage.errors.StoreError: cases.db is a store of case bases, not the store of a web table: name another file
    """
    found = find_kind(application_id, tables)
    if found is None:
        known = ", ".join(sorted(tables)) or "no tables"
        raise StoreError(f"{place} is a database of another program: it has {known}")
    if found is not wanted:
        raise StoreError(f"{place} is {found.name}, not {wanted.name}: name another file")


# Damage


def check_whole(file: Path) -> None:
    """Refuse what is no SQLite database, or one whose end is missing, without opening it as one."""
    if not file.is_file():
        raise StoreError(f"{file} cannot be opened: it is {'a folder' if file.is_dir() else 'not a file'}")
    with file.open("rb") as stream:
        head = stream.read(100)
    if len(head) < 100 and HEADER.startswith(head[:16]):
        raise StoreError(f"{file} is truncated to {len(head)} bytes: {RESTORE}")
    if not head.startswith(HEADER):
        raise StoreError(f"{file} is not an SQLite database, or it is damaged: {RESTORE}")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    expected = (65_536 if page == 1 else page) * pages
    # After a crash the missing pages may still be in the log, which SQLite then plays back.
    if (size := file.stat().st_size) < expected and not has_log(file):
        raise StoreError(f"{file} is truncated: it has {size} of {expected} bytes: {RESTORE}")


def has_log(file: Path) -> bool:
    """Whether a database has a log that was not carried over into its file."""
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def is_writable(path: Path) -> bool:
    """Whether this user may write to a file or into a folder."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


# Private files


@contextmanager
def drafting(file: Path) -> Iterator[Path]:
    """Offer a private draft of a new database, and move it to its place whole, unless somebody was faster."""
    make_folder(file.parent)
    draft = file.with_name(f".{file.name}-{uuid4().hex}")
    draft.touch(PRIVATE_FILE, exist_ok=False)
    try:
        yield draft
        _put(draft, file)
    finally:
        for part in PARTS:
            Path(f"{draft}{part}").unlink(missing_ok=True)


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


def make_folder(folder: Path) -> None:
    """Make a folder for the user alone, with those above it that are missing; leave one that is there as it is."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for parent in reversed(missing):
        parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
    folder.mkdir(exist_ok=True)  # complains if a file is in its place


def close_to_others(path: Path) -> None:
    """Take the rights of others from a file or folder of this user, if it is there."""
    if not path.exists():
        return
    found = path.stat()
    if found.st_mode & OTHERS and found.st_uid == os.geteuid():
        with suppress(PermissionError):  # a file system without modes
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)


def close_database(file: Path) -> None:
    """Take the rights of others from a database and its log."""
    for part in PARTS:
        close_to_others(Path(f"{file}{part}"))
