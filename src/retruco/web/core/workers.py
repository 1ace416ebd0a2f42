"""Workers: answers that take long to build are built in a few threads of their own, one at a time for each address.

The event loop only waits for them. Whoever asks for many such answers waits behind their own questions, and not
before those of others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from retruco.web.core.refusals import Refused

T = TypeVar("T")


class Workers:
    """The threads; what waits for them is known to the event loop alone."""

    def __init__(self, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "building")
        self._most = most_waiting
        self._waiting: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}

    async def build(self, address: str, work: Callable[[], T], patient: bool = False) -> T:
        """Build an answer when it is the address's turn."""
        async with self.turn(address, patient):
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    @asynccontextmanager
    async def turn(self, address: str, patient: bool = False) -> AsyncIterator[None]:
        """Wait until nothing else of this address is done; refused if too much of it waits, unless it is patient."""
        if self._waiting[address] >= self._most and not patient:
            raise Refused(429, "error.too_many")
        self._waiting[address] += 1
        try:
            async with self._turns.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address], self._turns[address]

    def close(self) -> None:
        """Finish what is being built."""
        self._pool.shutdown(wait=True, cancel_futures=True)
