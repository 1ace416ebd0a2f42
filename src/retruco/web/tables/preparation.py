"""Kernels and embedded bases, made by a process of its own while the table is already open."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Final

log = logging.getLogger("retruco.web")

UNKNOWN: Final = 30.0
"""Seconds that are told before the first estimate."""
PREPARE: Final = (sys.executable, "-m", "retruco", "prepare", "--json")


class Preparation:
    """Knows which games are ready to be played by agents that remember, and how long the others take."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._ready: frozenset[str] = frozenset()
        self._left: dict[str, float] = {}
        self._over = Event()
        if not command:
            self._over.set()

    def start(self, after: Callable[[], None]) -> None:
        """Begin, if there is anything to prepare; `after` is called whenever another game is ready."""
        if self._command:
            Thread(target=self._run, args=(after,), name="preparing", daemon=True).start()

    def stop(self) -> None:
        """End it; what was not finished is made another time."""
        self._over.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self) -> None:
        """Wait until everything is ready, or cannot be made."""
        self._over.wait()

    def seconds_left(self, game: str) -> float | None:
        """How long agents of a game that remember have to be waited for; none if they can play."""
        return None if self._over.is_set() or game in self._ready else max(1.0, self._left.get(game, UNKNOWN))

    def _run(self, after: Callable[[], None]) -> None:
        try:
            failed = self._follow(after) != 0
        except OSError as error:
            failed = True
            log.warning("cannot prepare: %s", error)
        if failed and not self._over.is_set():
            log.warning("preparing failed: agents that remember are made ready when they are first asked")
        self._over.set()
        after()

    def _follow(self, after: Callable[[], None]) -> int:
        """Run the process to its end, reading where it stands; give its exit code."""
        with subprocess.Popen(  # noqa: S603  our own command
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for the server, which stops it
        ) as process:
            self._process = process
            assert process.stdout is not None
            for line in process.stdout:
                self._read(line, after)
        return process.returncode

    def _read(self, line: str, after: Callable[[], None]) -> None:
        standing = json.loads(line)
        self._left = standing["seconds_left"]
        if self._ready != (ready := frozenset(standing["ready"])):
            self._ready = ready
            after()
