"""The truco itself: what the hand is worth, and who may raise it."""

from __future__ import annotations

from typing import Final, NamedTuple

from retruco.games.core import Seat
from retruco.games.truco.rules import TRUCO_CALLS, TRUCO_VALUE, Call

NEXT_CALL: Final[dict[int, Call]] = {TRUCO_VALUE[call] - 1: call for call in TRUCO_CALLS}
"""The call that raises a hand of this worth."""


class Bet(NamedTuple):
    """What the hand is worth in the rounds, and the truco call that waits for an answer."""

    stake: int = 1
    """What has been accepted: 1, or 2 to 4 after truco, retruco, vale4."""
    call: Call | None = None
    """The call that waits for its answer."""
    caller: Seat | None = None
    raiser: Seat | None = None
    """Who may raise in a free turn: the seat that said `quero` last; `None` before any truco."""

    def raise_for(self, seat: Seat) -> Call | None:
        """Name the call by which this seat may raise now, as an answer or in a free turn."""
        if self.call is not None:
            return NEXT_CALL.get(TRUCO_VALUE[self.call]) if seat != self.caller else None
        return NEXT_CALL.get(self.stake) if self.raiser in (None, seat) else None

    def raised(self, seat: Seat, call: Call) -> Bet:
        """Call; as an answer this accepts the call below."""
        return Bet(TRUCO_VALUE[call] - 1, call, seat, self.raiser)

    def accepted(self, seat: Seat) -> Bet:
        """Say `quero` to the call that waits."""
        assert self.call is not None
        return Bet(TRUCO_VALUE[self.call], raiser=seat)

    def cancelled(self) -> Bet:
        """Take an unanswered truco off the table, as if it had not been called."""
        return Bet()
