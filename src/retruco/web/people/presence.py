"""Who is at the table: when each was last seen there, in memory only."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Final

MOST: Final = 20_000


class Presence:
    """Signs of life, by match and visitor; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._began, self._lock = time.monotonic(), Lock()

    def note_visit(self, match: str, visitor: str) -> None:
        """Somebody is at a table."""
        with self._lock:
            self._seen.pop((match, visitor), None)
            self._seen[match, visitor] = time.monotonic()
            if len(self._seen) > MOST:
                self._seen.popitem(last=False)

    def away(self, match: str, visitor: str) -> float:
        """Seconds since somebody was last at a table; at most since the server started."""
        with self._lock:
            return time.monotonic() - self._seen.get((match, visitor), self._began)
