"""Commitments that wait for a client's contribution: each is for one visitor, and serves once."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from retruco.games.core import Seat
from retruco.web.core.refusals import Refused
from retruco.web.core.store import StoredMatch
from retruco.web.tables.fairness import Share, new_secret

Json = dict[str, object]
MOST: Final = 10_000
"""How many commitments wait at a time; the oldest are dropped first."""
LASTS: Final = 3600.0
"""Seconds after which a commitment is no longer accepted."""
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Random = Annotated[str, Field(pattern=r"^[0-9a-f]{32,64}$")]


class Contribution(BaseModel):
    """What a client gives to the deals of a match: both fields, or neither."""

    model_config = ConfigDict(extra="forbid")
    commitment: Hash | None = Field(default=None, description="What the server has committed itself to.")
    contribution: Random | None = Field(
        default=None,
        description="Random bytes of the client's own, in hexadecimal digits; drawn after the commitment.",
    )


class Draws:
    """The secrets that the server has committed itself to, and for whom."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, tuple[str, str, float]] = OrderedDict()
        self._lock = Lock()

    def commit(self, visitor: str) -> str:
        """Draw a secret for a visitor; give its hash."""
        share = Share(new_secret())
        with self._lock:
            self._waiting[share.commitment] = (visitor, share.secret, time.monotonic())
            while len(self._waiting) > MOST:
                self._waiting.popitem(last=False)
        return share.commitment

    def take(self, visitor: str, given: Contribution, seat: Seat = 0) -> tuple[Share, ...]:
        """Join a contribution to the secret it answers; nothing if the client gives none."""
        if given.commitment is None and given.contribution is None:
            return ()
        if given.commitment is None or given.contribution is None:
            raise Refused(422, "fairness.half_given")
        with self._lock:
            waiting = self._waiting.pop(given.commitment, None)
        if waiting is None or waiting[0] != visitor or time.monotonic() - waiting[2] > LASTS:
            raise Refused(409, "fairness.commitment_gone")
        return (Share(waiting[1], given.contribution, seat),)


def public_shares(match: StoredMatch) -> list[Json]:
    """What everybody at the table may know of a match's draw before it is over."""
    return [
        {"seat": one.seat, "commitment": one.commitment, "contribution": one.contribution}
        for one in match.shares
    ]


def open_shares(match: StoredMatch) -> list[Json]:
    """The whole draw of a finished match."""
    shown = public_shares(match)
    return [{**one, "secret": share.secret} for one, share in zip(shown, match.shares, strict=True)]
