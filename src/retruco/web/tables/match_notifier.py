"""Notifies those who wait for a match: a change in any thread wakes their event loops."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeAlias

Waiter: TypeAlias = tuple[asyncio.AbstractEventLoop, asyncio.Event, str]
"""An event, the loop it belongs to, and the visitor who waits."""


class TooManyListeners(RuntimeError):
    """Somebody keeps more lines open than one needs."""


class MatchNotifier:
    """Events of waiting streams, by match; each belongs to the loop it waits in."""

    def __init__(
        self, most: int, most_each: int, most_per_address: int, most_per_match: int | None = None
    ) -> None:
        self._most, self._most_each, self._most_per_address = most, most_each, most_per_address
        self._most_per_match = most if most_per_match is None else most_per_match
        self._waiting: dict[str, set[Waiter]] = defaultdict(set)
        self._by_visitor: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def listening(self, match: str, visitor: str, address: str) -> Iterator[asyncio.Event]:
        """Wait for a match; the event is set whenever something has happened in it."""
        event = asyncio.Event()
        waiter = (asyncio.get_running_loop(), event, visitor)
        self._enter(match, visitor, address, waiter)
        try:
            yield event
        finally:
            self._leave(match, visitor, address, waiter)

    def _enter(self, match: str, visitor: str, address: str, waiter: Waiter) -> None:
        with self._lock:
            if (
                self._by_visitor[visitor] >= self._most_each
                or self._by_address[address] >= self._most_per_address
                or self._by_address.total() >= self._most
                or len(self._waiting.get(match, ())) >= self._most_per_match
            ):
                raise TooManyListeners("too many lines are open; close another tab")
            self._by_visitor[visitor] += 1
            self._by_address[address] += 1
            self._waiting[match].add(waiter)

    def _leave(self, match: str, visitor: str, address: str, waiter: Waiter) -> None:
        with self._lock:
            self._waiting[match].discard(waiter)
            if not self._waiting[match]:
                del self._waiting[match]
            for count, key in ((self._by_visitor, visitor), (self._by_address, address)):
                count[key] -= 1
                if not count[key]:
                    del count[key]

    def notify(self, match: str) -> None:
        """Wake everybody who waits for this match."""
        with self._lock:
            waiting = tuple(self._waiting.get(match, ()))
        for loop, event, _ in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def notify_all(self) -> None:
        """Wake everybody, as when the server closes."""
        with self._lock:
            matches = tuple(self._waiting)
        for match in matches:
            self.notify(match)

    def count(self, match: str) -> int:
        """How many different visitors wait for a match."""
        with self._lock:
            return len({visitor for _, _, visitor in self._waiting.get(match, ())})

    def is_waiting(self, match: str) -> bool:
        """Whether anybody waits for a match."""
        with self._lock:
            return match in self._waiting
