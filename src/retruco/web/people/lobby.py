"""The lobby: bots that wait for another bot, in the order in which they came."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from retruco.games.core import Game
from retruco.web.tables.fairness import Share

PATIENCE: Final = 60.0
"""Seconds after which a bot that no longer asks is thought to have left."""


@dataclass(frozen=True, slots=True)
class WaitingBot:
    """A bot that waits, under the name that its match will have."""

    match: str
    bot: str
    game: Game
    seen: float
    """When it last asked."""
    share: tuple[Share, ...] = ()
    """What it gives to the deals."""
    is_called: bool = False
    """Whether somebody is about to sit down with it."""


class Lobby:
    """Everybody who waits; nothing of it survives a restart, and nothing needs to."""

    def __init__(self) -> None:
        self._waiting: dict[str, WaitingBot] = {}
        self._lock = Lock()

    def call_or_wait(
        self, bot: str, game: Game, name: str, share: tuple[Share, ...] = ()
    ) -> WaitingBot | None:
        """Call the first who waits for this game, or wait under a name: in one step, so that two do not both wait.

        Whoever is called goes on waiting until it is seated.
        """
        with self._lock:
            self._forget_gone()
            fit = (one for one in self._waiting.values() if one.bot != bot and one.game == game)
            found = next((one for one in fit if not one.is_called), None)
            if found is None:
                self._waiting[name] = WaitingBot(name, bot, game, time.monotonic(), share)
            else:
                self._waiting[found.match] = replace(found, is_called=True)
            return found

    def seated(self, match: str) -> None:
        """Its match has begun: it no longer waits."""
        with self._lock:
            self._waiting.pop(match, None)

    def still_waits(self, match: str, bot: str) -> bool:
        """Whether a bot waits under this name; asking keeps its place."""
        with self._lock:
            found = self._waiting.get(match)
            if found is None or found.bot != bot:
                return False
            self._waiting[match] = replace(found, seen=time.monotonic())
            return True

    def count(self, *bots: str) -> int:
        """How often a bot, or several together, wait."""
        with self._lock:
            return sum(one.bot in bots for one in self._waiting.values())

    def _forget_gone(self) -> None:
        oldest = time.monotonic() - PATIENCE
        self._waiting = {name: one for name, one in self._waiting.items() if one.seen >= oldest}
