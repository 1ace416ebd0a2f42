"""Quick phrases between people at a table: a few, in the spirit of the game, and no free chat."""

from __future__ import annotations

import time
from collections import deque
from threading import Lock
from typing import Final, NamedTuple

PHRASES: Final = ("good_luck", "what_a_hand", "bluff", "come_on", "well_played")
"""What can be said; the words are in the texts under `people.phrase`."""
PAUSE: Final = 2.0
"""Seconds between two phrases of one seat."""
REMEMBERED: Final = 20


class Phrase(NamedTuple):
    """Something that was said at a table; the number grows with each."""

    number: int
    seat: int
    phrase: str


class SaidPhrases:
    """What was said at a table lately; in memory only."""

    def __init__(self) -> None:
        self._said: deque[Phrase] = deque(maxlen=REMEMBERED)
        self._last: dict[int, float] = {}
        self._lock = Lock()
        self.count = 0

    def say(self, seat: int, phrase: str) -> bool:
        """Say something, unless the seat has just spoken."""
        with self._lock:
            now = time.monotonic()
            if now - self._last.get(seat, -PAUSE) < PAUSE:
                return False
            self._last[seat] = now
            self.count += 1
            self._said.append(Phrase(self.count, seat, phrase))
            return True

    def since(self, number: int) -> list[Phrase]:
        """What was said after a number."""
        with self._lock:
            return [phrase for phrase in self._said if phrase.number > number]
