"""Group commit: changes that wait at the same time share one transaction, and one trip to the disk.

A caller waits until its change is on disk. A change that fails is taken back alone; the others of
its group are not touched by it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Final, TypeVar

from retruco.storage.errors import describe_error

T = TypeVar("T")
Change = Callable[[sqlite3.Connection], T]
Waiting = tuple[Change[Any], "Future[Any]"]
Answer = tuple[Any, BaseException | None]
"""What a change gave, or why it failed."""

log = logging.getLogger("retruco.web")

MOST_AT_ONCE: Final = 256


TIDYING: Final = 2.0
"""Seconds between two looks at the log."""


class WalCheckpointer:
    """Carries what was written to the log over into the file itself, so that no writer has to stop for it.

    If that fails, on a full disk say, it tries again at the next look, and says so once.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base, self._closing = base, Event()
        self._failed = False
        self._thread = Thread(target=self._run, name="tidying", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closing.wait(TIDYING):
            self._tidy()

    def _tidy(self) -> None:
        try:
            self._base.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error as error:
            if not self._failed:
                log.error(
                    "the log of matches grows, since the store %s; this is tried again", describe_error(error)
                )
            self._failed = True
            return
        if self._failed:
            log.warning("the log of matches is carried over into the store again")
        self._failed = False

    def close(self) -> None:
        """Stop; the rest is carried over when the file is closed."""
        self._closing.set()
        self._thread.join()
        self._base.close()


class GroupWriter:
    """The thread that writes; everybody else hands changes in."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self._waiting: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="writing", daemon=True)
        self._closed = False
        self._thread.start()

    def write(self, change: Change[T]) -> T:
        """Carry out a change; what it gives is returned when it is on disk."""
        if self._closed:
            raise sqlite3.ProgrammingError("the store is closed")
        done: Future[T] = Future()
        self._waiting.put((change, done))
        return done.result()

    def close(self) -> None:
        """Write what still waits, and stop."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, is_last = self._group(first)
            self._carry_out(group)
            if is_last:
                break

    def _group(self, first: Waiting) -> tuple[list[Waiting], bool]:
        """Everybody who waits by now, and whether the store is to be closed after them."""
        group = [first]
        while len(group) < MOST_AT_ONCE:
            try:
                found = self._waiting.get_nowait()
            except Empty:
                break
            if found is None:
                return group, True
            group.append(found)
        return group, False

    def _carry_out(self, group: list[Waiting]) -> None:
        try:
            self._base.execute("BEGIN IMMEDIATE")
            answers: list[Answer] = [self._try(change) for change, _ in group]
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            answers = [(None, error)] * len(group)
        for (_, done), (value, problem) in zip(group, answers, strict=True):
            done.set_result(value) if problem is None else done.set_exception(problem)

    def _roll_back(self) -> None:
        """Take a group back that failed; if even that fails, this thread still serves the next one."""
        try:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
        except sqlite3.Error as error:
            log.error("a change could not be taken back, since the store %s", describe_error(error))

    def _try(self, change: Change[Any]) -> Answer:
        """Carry out one change; if it fails, nothing of it stays."""
        self._base.execute("SAVEPOINT one")
        try:
            value = change(self._base)
        except Exception as error:  # whatever it is, its caller is told
            if isinstance(error, sqlite3.Error) and not self._base.in_transaction:
                raise  # a full disk may take the whole group back: then all of it has failed
            self._base.execute("ROLLBACK TO one")
            self._base.execute("RELEASE one")
            return None, error
        self._base.execute("RELEASE one")
        return value, None
