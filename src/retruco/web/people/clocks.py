"""The clocks of bots' matches: when each runs out, whether or not the match is held in memory."""

from __future__ import annotations

import time
from threading import Lock


class Clocks:
    """By match, when whoever is to act has run out of time."""

    def __init__(self) -> None:
        self._deadlines: dict[str, float] = {}
        self._lock = Lock()

    def set(self, match: str, deadline: float) -> None:
        """Whoever is to act in a match has time until then."""
        with self._lock:
            self._deadlines[match] = deadline

    def stop(self, match: str) -> None:
        """The match is over."""
        with self._lock:
            self._deadlines.pop(match, None)

    def deadline(self, match: str) -> float | None:
        """When the time of a match runs out, if it has a clock that runs."""
        with self._lock:
            return self._deadlines.get(match)

    def run_out(self) -> list[str]:
        """Name the matches whose time is over."""
        now = time.monotonic()
        with self._lock:
            return [match for match, deadline in self._deadlines.items() if deadline <= now]
