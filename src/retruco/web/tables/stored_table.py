"""What every live table has in common, whatever is played at it: it is stored, and cached in memory."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from threading import Lock, RLock
from typing import Any, Final, Generic, TypeVar
from weakref import ref

from retruco.games.core import Game
from retruco.web.core.store import End, Store, StoredMatch
from retruco.web.tables.fairness import Dealer, Draw, SealedDeal

BYTES_PER_ACTION: Final = 2500
"""What a match of Truco takes in memory for each of its positions, rounded up; a test measures it."""


class Stale(ValueError):
    """An answer to a move that is not the last one: a double click, a second tab, a late line."""


class MatchOver(ValueError):
    """The match is decided; nothing can be done in it any more."""


class NothingToTakeBack(ValueError):
    """The seat has not decided anything yet."""


class StoredTable:
    """A match in progress, as it is kept; every change is stored before it is told."""

    def __init__(self, stored: StoredMatch, store: Store, dealer: Dealer) -> None:
        self.stored, self._store, self._dealer = stored, store, dealer
        self.lock = RLock()
        self.deals: list[SealedDeal] = list(stored.deals)
        self.broken = False
        """Whether something could not be stored: then it did not happen, and the store is read again."""

    def _draw_deal(self, game: Game, hand: int) -> SealedDeal:
        """Draw the n-th deal from what this match is drawn from."""
        draw = Draw(self.stored.shares) if self.stored.shares else None
        return self._dealer.deal(game, draw, hand)

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return BYTES_PER_ACTION * sum(map(len, self.stored.actions))

    @property
    def id(self) -> str:
        """The name of the match."""
        return self.stored.id

    @property
    def end(self) -> End | None:
        """How it ended, once it has."""
        return self.stored.end

    def _deal_here(self) -> Callable[[int], Any]:
        """What gives the deals of this match to its table, without holding the match.

        Table and match would else hold each other, and stay in memory long after the last one looked at them.
        """
        match = ref(self)

        def deal(number: int) -> Any:
            found = match()
            assert found is not None, "a table is not used without its match"
            return found._deal(number)

        return deal

    def _deal(self, number: int) -> Any:
        """Give the n-th deal."""
        raise NotImplementedError

    def _store_change(self, write: Callable[[], None]) -> None:
        """Write something down; if that fails the match is read anew."""
        try:
            write()
        except sqlite3.IntegrityError:
            self.broken = True
            raise Stale("the move has been answered elsewhere") from None
        except sqlite3.Error:
            self.broken = True
            raise

    def _note_end(self, end: End | None) -> None:
        if end is not None:
            self.stored = replace(self.stored, end=end)


K = TypeVar("K", bound=StoredTable)


class TableCache(Generic[K]):
    """A cache of the matches in memory, by name.

    When they are too many or too large, finished ones go first, then those that nobody looked at for longest.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._by_name: OrderedDict[str, K] = OrderedDict()
        self._lock = Lock()

    def find(self, name: str) -> K | None:
        """Find a match that is in memory, and in order."""
        with self._lock:
            found = self._by_name.get(name)
            if found is None or found.broken:
                return None
            self._by_name.move_to_end(name)
            return found

    def keep(self, one: K) -> K:
        """Hold a match in memory; whoever was read first stays, so that there is only one."""
        with self._lock:
            known = self._by_name.get(one.id)
            if known is not None and not known.broken:
                return known
            self._by_name[one.id] = one
            self._trim(one)
        return one

    def trim(self) -> None:
        """Let go of what is too much; matches grow while they are played."""
        with self._lock:
            self._trim()

    def _trim(self, newest: K | None = None) -> None:
        size = sum(one.size for one in self._by_name.values())
        if size <= self._most_bytes and len(self._by_name) <= self._most:
            return
        for one in sorted(
            self._by_name.values(), key=lambda one: one.end is None
        ):  # each part the oldest first
            if size <= self._most_bytes and len(self._by_name) <= self._most:
                return
            if one is not newest:
                size -= one.size
                del self._by_name[one.id]

    def all(self) -> list[K]:
        """Everything that is held."""
        with self._lock:
            return list(self._by_name.values())

    def let_go(self, visitor: str) -> None:
        """Read the matches of a visitor anew; what is left of them is in the store."""
        for one in self.all():
            if one.stored.seat_of(visitor) is not None:
                one.broken = True
