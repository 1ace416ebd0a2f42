"""The one way to wait in a test: ask again until the answer is yes, and give up after a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds that a busy machine has for what takes a moment on an idle one."""
LONGEST_PAUSE = 0.1


def wait_until(condition: Callable[[], T | None], message: str, seconds: float = PATIENCE) -> T:
    """Give the first answer that is true; fail with a message when none came in time."""
    end, pause = time.monotonic() + seconds, 0.001
    while not (answer := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{message}: not within {seconds:g} seconds")
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
    return answer
