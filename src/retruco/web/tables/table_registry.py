"""The parlour: the tables beside Truco, one person with agents at each; opened, found again, forgotten."""

from __future__ import annotations

import time
from dataclasses import dataclass

from retruco.games.core import Game
from retruco.web.core.identity import new_name
from retruco.web.core.refusals import forbidden, not_found
from retruco.web.core.settings import Limits
from retruco.web.core.store import Sitter, Store, Stored
from retruco.web.tables.agent_cache import Company
from retruco.web.tables.fairness import Dealer, Share, draw_of
from retruco.web.tables.live_table import Sitting
from retruco.web.tables.reservations import Reservations
from retruco.web.tables.stored_table import Held


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play, and with whom; the agents sit from the person's left on."""

    game: Game
    agents: tuple[str, ...]


class Parlour:
    """Every sitting of this server; in memory while somebody plays, in the store always."""

    def __init__(
        self, store: Store, limits: Limits, company: Company, dealer: Dealer, reservations: Reservations
    ) -> None:
        self.company = company
        self._store, self._reservations, self._dealer = store, reservations, dealer
        self.held: Held[Sitting] = Held(limits.live_matches, limits.live_bytes)

    def open(self, visitor: str, wish: Wish, shares: tuple[Share, ...] = ()) -> Sitting:
        """Set a table for a person and agents."""
        game, dealer, draw = wish.game, self._dealer, draw_of(shares)
        sitters = (Sitter(visitor=visitor), *(Sitter(agent=name) for name in wish.agents))
        stored = Stored(
            new_name(), game.rules_name, game.goal, dealer.first(game.seats, draw), dealer.seed(draw), "sitting", sitters,
            time.time(), deals=(dealer.deal(game, draw, 0),), actions=((),), game=game.name, shares=draw.shares,
        )  # fmt: skip
        with self._reservations.hold({visitor: [visitor]}):
            self._store.add(stored)
        return self.held.keep(self._revived(stored))

    def find(self, game: str, name: str, visitor: str) -> Sitting:
        """Find a sitting for the person who sits there."""
        found = self.held.find(name)
        if found is None:
            stored = self._store.load(name)
            if stored is None or stored.kind != "sitting":
                raise not_found()
            found = self.held.keep(self._revived(stored))
        if found.stored.game != game:
            raise not_found()
        if found.stored.seat_of(visitor) is None:
            raise forbidden()
        return found

    def of(self, visitor: str) -> list[Stored]:
        """List the sittings of a visitor, the newest first."""
        return self._store.sittings_of(visitor)

    def _revived(self, stored: Stored) -> Sitting:
        return Sitting(stored, self._store, self.company, self._dealer)
