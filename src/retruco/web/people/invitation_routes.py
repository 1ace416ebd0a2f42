"""People against people: invited by a link, timed by a clock, and what to do when the other leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

from fastapi import APIRouter
from pydantic import Field, StrictInt

from retruco.web.core.identity import new_name
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.request_context import Ask, Asking, MatchId, Signed
from retruco.web.core.store import Sitter
from retruco.web.people.invitations import Invitation
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.fairness import Share
from retruco.web.tables.live_match import LiveMatch
from retruco.web.tables.match_routes import MOST_TARGET, REFUSALS, Numbered, game_of, granted, went_on

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["people"])
NOTHING_GIVEN: Final = Contribution()
GUEST: Final = 1
"""The seat of who accepts an invitation."""


class Invite(Contribution):
    """What to play with whoever gets the link, and what one gives to the deals."""

    rules: str = Field("cbtg", max_length=40)
    target: StrictInt | None = Field(None, ge=1, le=MOST_TARGET)
    clock: Literal[30, 60, 120] | None = Field(60, description="Seconds for a move; null for no clock.")


def invite(ask: Asking, wish: Invite) -> Invitation:
    """Write an invitation, if the wish makes sense."""
    game = game_of(wish.rules, wish.target)
    with ask.place():
        share = ask.room.draws.take(ask.visitor.id, wish)
        return ask.room.invitations.make(new_name(), ask.visitor.id, game, wish.clock, None, *share)


def accept(ask: Asking, invitation: Invitation, share: tuple[Share, ...]) -> LiveMatch:
    """Sit down opposite who invited; of several guests only the first can."""
    room, guest = ask.room, ask.visitor.id
    if guest == invitation.host:
        raise Refused(409, "people.own_link")
    if invitation.origin is not None and not _played(ask, invitation.origin, guest):
        raise forbidden()
    with ask.place():
        if not room.invitations.take(invitation.id):
            raise not_found()
        sitters = (Sitter(visitor=invitation.host), Sitter(visitor=guest))
        shares = (*invitation.shares, *share)
        live = room.seat(invitation.game, sitters, "people", invitation.clock, invitation.id, shares)
    for visitor in (invitation.host, guest):
        room.presence.seen(live.id, visitor)
    room.ring(live.id)
    return live


def _played(ask: Asking, match: str, visitor: str) -> bool:
    stored = ask.room.store.load(match)
    return stored is not None and stored.seat_of(visitor) is not None


def find_invitation(ask: Asking, name: str) -> Invitation:
    """Find an invitation that still waits."""
    found = ask.room.invitations.find(name)
    if found is None:
        raise not_found()
    return found


@router.post("/invitations", status_code=201, responses=REFUSALS)
def make_invitation(ask: Signed, wish: Invite) -> Json:
    """Write an invitation; whoever gets its link may sit down at `/join/NAME`."""
    return {"invitation": invite(ask, wish).id}


@router.get("/invitations/{match}", responses=REFUSALS)
def look_at_invitation(ask: Ask, match: MatchId) -> Json:
    """Tell whether an invitation still waits, or its match has begun."""
    if ask.room.invitations.find(match) is not None:
        return {"invitation": match, "begun": False}
    ask.match(match)
    return {"invitation": match, "begun": True}


@router.post("/invitations/{match}/accept", status_code=201, responses=REFUSALS)
def accept_invitation(ask: Signed, match: MatchId, given: Contribution = NOTHING_GIVEN) -> Json:
    """Sit down opposite who invited."""
    invitation = find_invitation(ask, match)
    live = accept(ask, invitation, ask.room.draws.take(ask.visitor.id, given, GUEST))
    return {"match": live.id, "draw": public_shares(live.stored)}


@router.post("/matches/{match}/rematch", status_code=201, responses=REFUSALS)
def rematch(ask: Signed, match: MatchId, given: Contribution = NOTHING_GIVEN) -> Json:
    """Play once more against the same person: the first to ask waits, the second sits down."""
    live = ask.match(match)
    ask.seat(live)
    if live.stored.kind != "people" or live.end is None:
        raise Refused(409, "replay.not_yet")
    room, host = ask.room, ask.visitor.id
    with ask.place():
        share = room.draws.take(host, given)
        asked = room.invitations.make(new_name(), host, live.game, live.stored.clock, match, *share)
    if asked.host == ask.visitor.id:
        return {"match": asked.id, "waiting": True}
    mine = tuple(replace(one, seat=GUEST) for one in share)
    return {"match": accept(ask, asked, mine).id, "waiting": False}


# The clock


def clock_of(ask: Asking, live: LiveMatch) -> Json:
    """How long whoever is to act still has, whether the other is there, and whether the match may be claimed."""
    seat = ask.seat(live)
    other = live.stored.sitters[1 - seat]
    forgotten = other.visitor is None and other.agent is None
    away = ask.room.presence.away(live.id, other.visitor) if other.visitor else 0.0
    gone = forgotten or away > ask.room.settings.away_seconds
    late = live.seconds_left == 0.0
    waits = live.to_act == 1 - seat and other.agent is None
    return {
        "number": live.last_number,
        "to_act": live.to_act,
        "left": live.seconds_left,
        "other_away": gone,
        "may_claim": waits and (gone or late),
    }


@router.get("/matches/{match}/clock", responses=REFUSALS)
def clock(ask: Ask, match: MatchId) -> Json:
    """Look at the clock of one's own match; looking is a sign of life."""
    live = ask.match(match)
    told = clock_of(ask, live)
    ask.room.presence.seen(match, ask.visitor.id)
    return told


@router.post("/matches/{match}/claim", responses=REFUSALS)
def claim(ask: Signed, match: MatchId, at: Numbered) -> Json:
    """Claim a match that the other has left: it is their turn, and their time is over or they are gone."""
    live = ask.match(match)
    seat = ask.seat(live)
    if live.stored.kind != "people" or not clock_of(ask, live)["may_claim"]:
        raise Refused(409, "people.no_claim")
    with granted():
        live.give_up(1 - seat, at.number, "left")
    return went_on(ask, live, seat, at.number - 1)
