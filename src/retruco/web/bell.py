"""A bell by match: whoever waits for a match to go on is woken, from whatever thread it rings."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class TooManyListeners(RuntimeError):
    """Somebody keeps more lines open than one needs."""


class Bell:
    """Events of waiting streams, by match; each belongs to the loop it waits in."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._most_each = most, most_each
        self._waiting: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)
        self._by_visitor: dict[str, int] = defaultdict(int)
        self._lock = Lock()

    @contextmanager
    def listening(self, match: str, visitor: str) -> Iterator[asyncio.Event]:
        """Wait for a match; the event is set whenever something has happened in it."""
        event = asyncio.Event()
        waiter = (asyncio.get_running_loop(), event)
        self._enter(match, visitor, waiter)
        try:
            yield event
        finally:
            self._leave(match, visitor, waiter)

    def _enter(
        self, match: str, visitor: str, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Event]
    ) -> None:
        with self._lock:
            if self._by_visitor[visitor] >= self._most_each or sum(self._by_visitor.values()) >= self._most:
                raise TooManyListeners("too many lines are open; close another tab")
            self._by_visitor[visitor] += 1
            self._waiting[match].add(waiter)

    def _leave(
        self, match: str, visitor: str, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Event]
    ) -> None:
        with self._lock:
            self._waiting[match].discard(waiter)
            if not self._waiting[match]:
                del self._waiting[match]
            self._by_visitor[visitor] -= 1
            if not self._by_visitor[visitor]:
                del self._by_visitor[visitor]

    def ring(self, match: str) -> None:
        """Wake everybody who waits for this match."""
        with self._lock:
            waiting = tuple(self._waiting.get(match, ()))
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def ring_all(self) -> None:
        """Wake everybody, as when the server closes."""
        with self._lock:
            matches = tuple(self._waiting)
        for match in matches:
            self.ring(match)
