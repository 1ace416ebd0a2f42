"""The registry of live tables of games other than Truco: opens them, finds them again, lists them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from retruco.games.core import Game
from retruco.web.core.identity import new_name
from retruco.web.core.refusals import forbidden, not_found
from retruco.web.core.settings import Limits
from retruco.web.core.store import Sitter, Store, StoredMatch
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import Dealer, Share, draw_of
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.reservations import Reservations
from retruco.web.tables.stored_table import TableCache


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What somebody wants to play, and with whom; the agents sit from the person's left on."""

    game: Game
    agents: tuple[str, ...]


class TableRegistry:
    """Every such table of this server; in memory while somebody plays, in the store always."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        agent_cache: AgentCache,
        dealer: Dealer,
        reservations: Reservations,
    ) -> None:
        self.agent_cache = agent_cache
        self._store, self._reservations, self._dealer = store, reservations, dealer
        self.cache: TableCache[LiveTable] = TableCache(limits.live_matches, limits.live_bytes)

    def open(self, visitor: str, options: TableOptions, shares: tuple[Share, ...] = ()) -> LiveTable:
        """Set a table for a person and agents."""
        game, dealer, draw = options.game, self._dealer, draw_of(shares)
        sitters = (Sitter(visitor=visitor), *(Sitter(agent=name) for name in options.agents))
        stored = StoredMatch(
            new_name(), game.rules_name, game.goal, dealer.first(game.seats, draw), dealer.seed(draw), "sitting", sitters,
            time.time(), deals=(dealer.deal(game, draw, 0),), actions=((),), game=game.name, shares=draw.shares,
        )  # fmt: skip
        with self._reservations.hold({visitor: [visitor]}):
            self._store.add(stored)
        return self.cache.keep(self._revive(stored))

    def find(self, game: str, name: str, visitor: str) -> LiveTable:
        """Find a table for the person who sits there."""
        found = self.cache.find(name)
        if found is None:
            stored = self._store.load(name)
            if stored is None or stored.kind != "sitting":
                raise not_found()
            found = self.cache.keep(self._revive(stored))
        if found.stored.game != game:
            raise not_found()
        if found.stored.seat_of(visitor) is None:
            raise forbidden()
        return found

    def of(self, visitor: str) -> list[StoredMatch]:
        """List the tables of a visitor, the newest first."""
        return self._store.live_tables_of(visitor)

    def _revive(self, stored: StoredMatch) -> LiveTable:
        return LiveTable(stored, self._store, self.agent_cache, self._dealer)
