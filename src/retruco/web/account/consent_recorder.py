"""The consent recorder: every finished hand becomes a case of the seat that agreed to it, soon after it is over."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from retruco.games.core import Seat, State
from retruco.games.truco import TrucoState
from retruco.parts import find_part
from retruco.vocab.truco.one_sided import one_sided
from retruco.web.account.hand_archive import PEOPLE, HandArchive, HandToArchive
from retruco.web.core.store import Store, StoredMatch
from retruco.web.people.profiles import People
from retruco.web.tables.live_table import LiveTable

log = logging.getLogger("retruco.web")
T = TypeVar("T")

RECORDED: Final = ("match", "people", "bots")
"""The kinds of matches whose hands are kept: in practice and in repeated deals somebody knew the cards."""


class ConsentRecorder:
    """Looks at matches that go on, and keeps their finished hands, one after the other."""

    def __init__(self, store: Store, people: People, archive: HandArchive) -> None:
        self._store, self._people, self._archive = store, people, archive
        self._hands = ThreadPoolExecutor(1, "keeping")

    def look(self, live: LiveTable) -> None:
        """Keep what has been finished since the last look, behind everybody's back."""
        done = len(live.table.hands)
        if live.stored.kind in RECORDED and done > live.looked_at:
            first, live.looked_at = live.looked_at, done
            self._hands.submit(self._keep, live, range(first, done))

    def _keep(self, live: LiveTable, hands: range, since: float = math.inf) -> None:
        try:
            self._archive.keep(finished_hands(live, hands, self._people, since))
        except Exception:
            log.exception("finished hands could not be kept; they are tried again when the server starts")

    def in_turn(self, do: Callable[[], T]) -> T:
        """Do something to the kept hands while none is being kept."""
        return self._hands.submit(do).result()

    def catch_up(self, revived: LiveTable) -> None:
        """Keep what a crash left over of a match, of those who had agreed when it began."""
        self._keep(revived, range(len(revived.table.hands)), revived.stored.started)

    def find_missed(self) -> list[StoredMatch]:
        """List the matches, begun after somebody had agreed, that have hands which were not kept."""
        query = (
            "SELECT DISTINCT match.id FROM match JOIN seat ON seat.match = match.id JOIN person USING (visitor) "
            "WHERE agreed < started AND (SELECT count(*) FROM hand WHERE hand.match = match.id) > 1 + "
            "(SELECT count(*) FROM kept WHERE kept.match = match.id AND kept.seat = seat.seat) "
            "AND (game = 'truco' OR NOT EXISTS (SELECT 1 FROM seat AS other LEFT JOIN person AS p ON p.visitor = other.visitor "
            "WHERE other.match = match.id AND other.agent IS NULL AND (p.agreed IS NULL OR p.agreed >= started)))"
        )
        found = (self._store.load(name) for (name,) in self._store.rows(query))
        return [one for one in found if one is not None and one.kind in RECORDED]

    def close(self) -> None:
        """Finish what is being kept."""
        self._hands.shutdown(wait=True)


def finished_hands(
    live: LiveTable, hands: range, people: People, since: float = math.inf
) -> list[HandToArchive]:
    """The hands of those seats that had agreed by some time, as records.

    All cards are in a record only if everybody else has agreed too, or is an agent of the house. A hand of
    Truco can be kept as one seat saw it; of other games it is not kept then.
    """
    sitters, game = live.stored.sitters, live.game.name
    agreed = [one.visitor is not None and people.agreed_by(one.visitor, since) for one in sitters]
    if find_part("vocab", game) is None:
        return []
    found = []
    for seat, sitter in enumerate(sitters):
        whole = all(agreed[at] or sitters[at].agent is not None for at in range(len(sitters)) if at != seat)
        if sitter.visitor is None or not agreed[seat] or not (whole or game == "truco"):
            continue
        for number in hands:
            end = live.table.hands[number].state
            record = end.record() if whole else _one_sided(end, seat)
            found.append(
                HandToArchive(
                    base_name(live.stored), live.stored.rules, sitter.visitor, live.id, number, seat, record,
                    whole=whole, game=game,
                )
            )  # fmt: skip
    return found


def base_name(match: StoredMatch) -> str:
    """The base that keeps the hands of a match."""
    return PEOPLE.format(rules=match.rules if match.game == "truco" else f"{match.game}-{match.rules}")


def _one_sided(end: State, seat: Seat) -> dict[str, Any]:
    assert isinstance(end, TrucoState)
    return one_sided(end, seat)
