"""The consent recorder: every finished hand becomes a case of the seat that agreed to it, soon after it is over."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from retruco.games.truco import TrucoState
from retruco.vocab.truco.one_sided import one_sided
from retruco.web.account.hand_archive import PEOPLE, FinishedHand, HandArchive
from retruco.web.core.store import Store, StoredMatch
from retruco.web.people.profiles import People
from retruco.web.tables.live_match import LiveMatch

log = logging.getLogger("retruco.web")
T = TypeVar("T")

RECORDED: Final = ("match", "people", "bots")
"""The kinds of matches whose hands are kept: in practice and in repeated deals somebody knew the cards."""


class ConsentRecorder:
    """Looks at matches that go on, and keeps their finished hands, one after the other."""

    def __init__(self, store: Store, people: People, archive: HandArchive) -> None:
        self._store, self._people, self._archive = store, people, archive
        self._hands = ThreadPoolExecutor(1, "keeping")

    def look(self, live: LiveMatch) -> None:
        """Keep what has been finished since the last look, behind everybody's back."""
        done = len(live.table.hands)
        if live.stored.kind in RECORDED and done > live.looked_at:
            first, live.looked_at = live.looked_at, done
            self._hands.submit(self._keep, live, range(first, done))

    def _keep(self, live: LiveMatch, hands: range, since: float = math.inf) -> None:
        try:
            self._archive.keep(finished_hands(live, hands, self._people, since))
        except Exception:
            log.exception("finished hands could not be kept; they are tried again when the server starts")

    def in_turn(self, do: Callable[[], T]) -> T:
        """Do something to the kept hands while none is being kept."""
        return self._hands.submit(do).result()

    def catch_up(self, revived: LiveMatch) -> None:
        """Keep what a crash left over of a match, of those who had agreed when it began."""
        self._keep(revived, range(len(revived.table.hands)), revived.stored.started)

    def find_missed(self) -> list[StoredMatch]:
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


def finished_hands(
    live: LiveMatch, hands: range, people: People, since: float = math.inf
) -> list[FinishedHand]:
    """The hands of those seats that had agreed by some time, as records.

    Both hands are in a record only if the other has agreed too, or is an agent of the house.
    """
    sitters, found = live.stored.sitters, []
    agreed = [one.visitor is not None and people.agreed_by(one.visitor, since) for one in sitters]
    for seat, sitter in enumerate(sitters):
        if sitter.visitor is None or not agreed[seat]:
            continue
        whole = agreed[1 - seat] or sitters[1 - seat].agent is not None
        for number in hands:
            end = live.table.hands[number].state
            assert isinstance(end, TrucoState)
            record = end.record() if whole else one_sided(end, seat)
            base = PEOPLE.format(rules=live.stored.rules)
            found.append(
                FinishedHand(
                    base, live.stored.rules, sitter.visitor, live.id, number, seat, record, whole=whole
                )
            )
    return found
