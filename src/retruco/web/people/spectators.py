"""Spectators of people's matches: lines and a thread of their own, so that nobody who plays waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from retruco.web.core.settings import Limits
from retruco.web.tables.match_notifier import MatchNotifier

if TYPE_CHECKING:
    from retruco.web.tables.live_table import LiveTable

T = TypeVar("T")


class Spectators(MatchNotifier):
    """Those who watch, by match; so many at most for a match, a visitor, an address and the server."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(
            limits.spectators,
            limits.spectators_per_visitor,
            limits.spectators_per_address,
            limits.spectators_per_match,
        )
        self._thread = ThreadPoolExecutor(1, "spectators")

    async def build(self, work: Callable[[], T]) -> T:
        """Build what spectators are shown in their own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def describe(self, live: LiveTable) -> dict[str, object]:
        """Who at a table lets others watch, whether they may, and how many do."""
        stored = live.stored
        return {
            "watch_seats": sorted(stored.watch_seats),
            "may_watch": stored.is_watchable,
            "watchers": self.count(live.id),
        }

    def close(self) -> None:
        """Finish what is being built."""
        self._thread.shutdown(wait=True, cancel_futures=True)
