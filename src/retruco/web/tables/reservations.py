"""Reservations: a place among the open matches is taken before the match is written down.

So of many who ask at once only one can have the last place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from retruco.web.core.refusals import Refused


class Reservations:
    """Counts the matches of a visitor, or of several together, and those that are about to be opened."""

    def __init__(self, most: int, count: Callable[[Collection[str]], int]) -> None:
        self._most, self._count = most, count
        self._pending: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def hold(self, groups: Mapping[str, Collection[str]]) -> Iterator[None]:
        """Reserve a place in each group, visitors by the group's name, while a match is opened; or refuse."""
        with self._lock:
            for name, visitors in groups.items():
                if self._count(visitors) + self._pending[name] >= self._most:
                    raise Refused(429, "error.too_many_matches")
            self._pending.update(groups.keys())
        try:
            yield
        finally:
            with self._lock:
                self._pending.subtract(groups.keys())
                self._pending += Counter()  # drops what is zero
