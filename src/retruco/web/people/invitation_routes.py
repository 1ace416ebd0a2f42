"""The routes of invitations: invite by a link, accept, play by the clock, claim a win when the other leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

from fastapi import APIRouter
from pydantic import Field, StrictInt

from retruco.web.core.identity import new_name
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.core.store import Sitter
from retruco.web.people.invitations import Invitation
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.fairness import Share
from retruco.web.tables.live_match import LiveMatch
from retruco.web.tables.match_routes import (
    MOST_TARGET,
    REFUSALS,
    PositionNumber,
    game_of,
    publish_progress,
    refuse_table_errors,
)

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["people"])
NOTHING_GIVEN: Final = Contribution()
GUEST: Final = 1
"""The seat of who accepts an invitation."""


class InvitationRequest(Contribution):
    """What to play with whoever gets the link, and what one gives to the deals."""

    rules: str = Field("cbtg", max_length=40)
    target: StrictInt | None = Field(None, ge=1, le=MOST_TARGET)
    clock: Literal[30, 60, 120] | None = Field(60, description="Seconds for a move; null for no clock.")


def invite(context: RequestContext, options: InvitationRequest) -> Invitation:
    """Write an invitation, if its options make sense."""
    game = game_of(options.rules, options.target)
    with context.place():
        share = context.registry.draws.take(context.visitor.id, options)
        return context.registry.invitations.make(
            new_name(), context.visitor.id, game, options.clock, None, *share
        )


def accept(context: RequestContext, invitation: Invitation, share: tuple[Share, ...]) -> LiveMatch:
    """Sit down opposite who invited; of several guests only the first can."""
    registry, guest = context.registry, context.visitor.id
    if guest == invitation.host:
        raise Refused(409, "people.own_link")
    if invitation.origin is not None and not _played(context, invitation.origin, guest):
        raise forbidden()
    with context.place():
        if not registry.invitations.take(invitation.id):
            raise not_found()
        sitters = (Sitter(visitor=invitation.host), Sitter(visitor=guest))
        shares = (*invitation.shares, *share)
        live = registry.seat(invitation.game, sitters, "people", invitation.clock, invitation.id, shares)
    for visitor in (invitation.host, guest):
        registry.presence.note_visit(live.id, visitor)
    registry.notify(live.id)
    return live


def _played(context: RequestContext, match: str, visitor: str) -> bool:
    stored = context.registry.store.load(match)
    return stored is not None and stored.seat_of(visitor) is not None


def find_invitation(context: RequestContext, name: str) -> Invitation:
    """Find an invitation that still waits."""
    found = context.registry.invitations.find(name)
    if found is None:
        raise not_found()
    return found


@router.post("/invitations", status_code=201, responses=REFUSALS)
def make_invitation(context: SignedContext, options: InvitationRequest) -> Json:
    """Write an invitation; whoever gets its link may sit down at `/join/NAME`."""
    return {"invitation": invite(context, options).id}


@router.get("/invitations/{match}", responses=REFUSALS)
def look_at_invitation(context: Context, match: MatchId) -> Json:
    """Tell whether an invitation still waits, or its match has begun."""
    if context.registry.invitations.find(match) is not None:
        return {"invitation": match, "begun": False}
    context.match(match)
    return {"invitation": match, "begun": True}


@router.post("/invitations/{match}/accept", status_code=201, responses=REFUSALS)
def accept_invitation(context: SignedContext, match: MatchId, given: Contribution = NOTHING_GIVEN) -> Json:
    """Sit down opposite who invited."""
    invitation = find_invitation(context, match)
    live = accept(context, invitation, context.registry.draws.take(context.visitor.id, given, GUEST))
    return {"match": live.id, "draw": public_shares(live.stored)}


@router.post("/matches/{match}/rematch", status_code=201, responses=REFUSALS)
def rematch(context: SignedContext, match: MatchId, given: Contribution = NOTHING_GIVEN) -> Json:
    """Play once more against the same person: the first to ask waits, the second sits down."""
    live = context.match(match)
    context.seat(live)
    if live.stored.kind != "people" or live.end is None:
        raise Refused(409, "replay.not_yet")
    registry, host = context.registry, context.visitor.id
    with context.place():
        share = registry.draws.take(host, given)
        asked = registry.invitations.make(new_name(), host, live.game, live.stored.clock, match, *share)
    if asked.host == context.visitor.id:
        return {"match": asked.id, "waiting": True}
    mine = tuple(replace(one, seat=GUEST) for one in share)
    return {"match": accept(context, asked, mine).id, "waiting": False}


# The clock


def clock_of(context: RequestContext, live: LiveMatch) -> Json:
    """How long whoever is to act still has, whether the other is there, and whether the match may be claimed."""
    seat = context.seat(live)
    other = live.stored.sitters[1 - seat]
    forgotten = other.visitor is None and other.agent is None
    away = context.registry.presence.away(live.id, other.visitor) if other.visitor else 0.0
    gone = forgotten or away > context.registry.settings.away_seconds
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
def clock(context: Context, match: MatchId) -> Json:
    """Look at the clock of one's own match; looking is a sign of life."""
    live = context.match(match)
    told = clock_of(context, live)
    context.registry.presence.note_visit(match, context.visitor.id)
    return told


@router.post("/matches/{match}/claim", responses=REFUSALS)
def claim(context: SignedContext, match: MatchId, at: PositionNumber) -> Json:
    """Claim a match that the other has left: it is their turn, and their time is over or they are gone."""
    live = context.match(match)
    seat = context.seat(live)
    if live.stored.kind != "people" or not clock_of(context, live)["may_claim"]:
        raise Refused(409, "people.no_claim")
    with refuse_table_errors():
        live.give_up(1 - seat, at.number, "left")
    return publish_progress(context, live, seat, at.number - 1)
