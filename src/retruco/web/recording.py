"""Recording: every finished hand becomes a case of the seat that agreed to it, soon after it is over."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from retruco.web.keeping import PEOPLE, Finished, Keeper
from retruco.web.live import LiveMatch
from retruco.web.people import People
from retruco.web.store import Store, Stored

log = logging.getLogger("retruco.web")

RECORDED: Final = ("match", "people", "bots")
"""The kinds of matches whose hands are kept: in practice and in repeated deals somebody knew the cards."""


class Recorder:
    """Looks at matches that go on, and keeps their finished hands, one after the other."""

    def __init__(self, store: Store, people: People, keeper: Keeper) -> None:
        self._store, self._people, self._keeper = store, people, keeper
        self._hands = ThreadPoolExecutor(1, "keeping")

    def look(self, live: LiveMatch) -> None:
        """Keep what has been finished since the last look, behind everybody's back."""
        done = len(live.table.hands)
        if live.stored.kind in RECORDED and done > live.looked_at:
            first, live.looked_at = live.looked_at, done
            self._hands.submit(self._keep, live, range(first, done))

    def _keep(self, live: LiveMatch, hands: range) -> None:
        try:
            self._keeper.keep(finished_hands(live, hands, self._people))
        except Exception:
            log.exception("finished hands could not be kept; they are tried again when the server starts")

    def catch_up(self, revived: LiveMatch) -> None:
        """Keep what a crash left over of a match."""
        self._keep(revived, range(len(revived.table.hands)))

    def missed(self) -> list[Stored]:
        """List the matches, begun after somebody had agreed, that have hands which were not kept."""
        query = (
            "SELECT DISTINCT match.id FROM match JOIN seat ON seat.match = match.id JOIN person USING (visitor) "
            "WHERE agreed < started AND (SELECT count(*) FROM hand WHERE hand.match = match.id) > 1 + "
            "(SELECT count(*) FROM kept WHERE kept.match = match.id AND kept.seat = seat.seat)"
        )
        found = (self._store.load(name) for (name,) in self._store.rows(query))
        return [one for one in found if one is not None and one.kind in RECORDED]

    def close(self) -> None:
        """Finish what is being kept."""
        self._hands.shutdown(wait=True)


def finished_hands(live: LiveMatch, hands: range, people: People) -> list[Finished]:
    """The hands of those seats that agreed, as records."""
    found = []
    for seat, sitter in enumerate(live.stored.sitters):
        if sitter.visitor is None or people.find(sitter.visitor).agreed is None:
            continue
        for number in hands:
            record = live.table.hands[number].state.record()
            base = PEOPLE.format(rules=live.stored.rules)
            found.append(Finished(base, live.stored.rules, sitter.visitor, live.id, number, seat, record))
    return found
