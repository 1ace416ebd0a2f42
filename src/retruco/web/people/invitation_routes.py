"""The routes of invitations: invite by a link, accept, play by the clock, claim a win when the other leaves."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from retruco.games.core import Game, Seat
from retruco.web.account.rating import current_skill
from retruco.web.core.identity import new_name
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.core.store import MatchTerms, Sitter
from retruco.web.people.invitations import PERSON, Invitation, InvitedSeat
from retruco.web.people.phrases import PHRASES
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_routes import (
    MOST_TARGET,
    REFUSALS,
    PositionNumber,
    publish_progress,
    read_table,
    refuse_table_errors,
)
from retruco.web.tables.table_view import view_class

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["people"])
HOST_PATIENCE: Final = 30.0
"""Seconds after which a host who no longer looks is not shown in the lobby."""
NOTHING_GIVEN: Final = Contribution()
Place = Annotated[StrictInt, Field(ge=0, le=9)]


class InvitationRequest(Contribution):
    """What to play with whoever gets the links, and what one gives to the deals."""

    game: str = Field("truco", max_length=40)
    opponent: str = Field(
        PERSON,
        max_length=400,
        description="`person` or an agent for every other seat, or one for each with commas between them, from the left on.",
    )
    rules: str | None = Field(
        None, max_length=40, description="A variant of the game; the usual one if none is named."
    )
    target: StrictInt | None = Field(None, ge=1, le=MOST_TARGET)
    clock: Literal[30, 60, 120] | None = Field(60, description="Seconds for a move; null for no clock.")
    public: StrictBool = Field(False, description="Whether everybody sees the invitation in the lobby.")
    rated: StrictBool = Field(
        False, description="Whether the match counts for the ratings of both; who sits down agrees."
    )
    may_watch: StrictBool = Field(
        False, description="Whether others may watch the match; who sits down agrees."
    )


class Acceptance(Contribution):
    """In which seat to sit down, and what one gives to the deals."""

    seat: Place | None = Field(default=None, description="A free seat; the first one if none is named.")


NO_SEAT: Final = Acceptance()


def invite(context: RequestContext, options: InvitationRequest) -> Invitation:
    """Write an invitation, if its options make sense."""
    game, names = read_table(options.game, options.rules, options.target, options.opponent)
    if PERSON not in names:
        raise Refused(400, "people.nobody_invited")
    others = [_invited_seat(context, game, name) for name in names]
    _check_terms(game, others, options)
    with context.place():
        host = _visitor_seat(context, options, 0)
        found = context.registry.invitations.make(
            new_name(), game, (host, *others), options.clock,
            is_public=options.public, is_rated=options.rated, may_watch=options.may_watch,
        )  # fmt: skip
    context.registry.presence.note_visit(found.id, context.visitor.id)
    return found


def _check_terms(game: Game, others: Sequence[InvitedSeat], options: InvitationRequest) -> None:
    """Refuse a rated match that could not be compared with others, and spectators where a game cannot hide its cards from them."""
    if options.rated and (len(others) != 1 or not others[0].is_free):
        raise Refused(400, "people.rated_people")
    whole = view_class(game.name).set_table(game.rules_name).goal
    if options.rated and game.goal != whole:
        raise Refused(400, "people.rated_target", target=whole)
    if options.may_watch and not view_class(game.name).can_be_watched:
        raise Refused(400, "people.watch_game", game=game.name)


def _invited_seat(context: RequestContext, game: Game, name: str) -> InvitedSeat:
    if name == PERSON:
        return InvitedSeat()
    return InvitedSeat(agent=context.registry.agents.find_name(game.name, name))


def _visitor_seat(context: RequestContext, given: Contribution, place: Seat) -> InvitedSeat:
    """The seat of who asks, with what they give to the deals."""
    shares = context.registry.draws.take(context.visitor.id, given, place)
    secret, contribution = (shares[0].secret, shares[0].contribution) if shares else ("", "")
    return InvitedSeat(visitor=context.visitor.id, secret=secret, contribution=contribution)


def accept(
    context: RequestContext, invitation: Invitation, given: Contribution, place: Seat | None = None
) -> LiveTable | None:
    """Sit down in a free seat; of several guests only the first can. When all are taken the match begins."""
    if invitation.seat_of(context.visitor.id) is not None:
        raise Refused(409, "people.own_link")
    if invitation.origin is not None:
        place = _seat_before(context, invitation.origin)
    elif place is None:
        place = next(iter(invitation.free_seats), 0)
    with context.place():
        return _take_seat(context, invitation, place, _visitor_seat(context, given, place))


def _take_seat(
    context: RequestContext, invitation: Invitation, place: Seat, seat: InvitedSeat
) -> LiveTable | None:
    invitations = context.registry.invitations
    if not invitations.sit_down(invitation.id, place, seat):
        raise not_found()
    found = invitations.find(invitation.id)
    return begin(context, found) if found is not None and not found.free_seats else None


def _seat_before(context: RequestContext, match: str) -> Seat:
    """The seat that the visitor had in the match that is to be played once more; refused to everybody else."""
    stored = context.registry.store.load(match)
    seat = None if stored is None else stored.seat_of(context.visitor.id)
    if seat is None:
        raise forbidden()
    return seat


def begin(context: RequestContext, invitation: Invitation) -> LiveTable:
    """Begin the match of an invitation whose seats are all taken; of two who try at once only one does."""
    registry = context.registry
    try:
        live = registry.open(
            invitation.game, invitation.sitters, "people", invitation.clock, invitation.id, invitation.shares,
            _terms_of(context, invitation),
        )  # fmt: skip
    except sqlite3.IntegrityError:
        return context.match(invitation.id)
    registry.invitations.take(invitation.id)
    for sitter in invitation.sitters:
        if sitter.visitor is not None:
            registry.presence.note_visit(live.id, sitter.visitor)
    registry.wake(live)
    registry.notify(live.id)
    return live


def _terms_of(context: RequestContext, invitation: Invitation) -> MatchTerms:
    """What everybody agreed on by sitting down: whether others may watch, and from which ratings both begin."""
    people = [place for place, seat in enumerate(invitation.seats) if seat.agent is None]
    skills = [
        current_skill(context.registry.store.of_visitor(seat.visitor), seat.visitor, invitation.game_name)
        for seat in invitation.seats
        if invitation.is_rated and seat.visitor is not None
    ]
    return MatchTerms(tuple(skills), frozenset(people if invitation.may_watch else ()))


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
        context.registry.presence.note_visit(match, context.visitor.id)
        return {"invitation": match, "begun": False}
    context.match(match)
    return {"invitation": match, "begun": True}


def waiting_hosts(context: RequestContext) -> list[Invitation]:
    """The public invitations whose hosts still wait at their page; one's own are not among them."""
    away = context.registry.presence.away
    return [
        invitation
        for invitation in context.registry.invitations.public()
        if away(invitation.id, invitation.host) < HOST_PATIENCE
        and invitation.seat_of(context.visitor.id) is None
    ]


@router.get("/invitations", responses=REFUSALS)
def lobby(context: Context) -> Json:
    """List who waits in the lobby, with what rules."""
    people = context.registry.people
    return {
        "waiting": [
            {
                "invitation": invitation.id,
                "host": people.find(invitation.host).name,
                "game": invitation.game_name,
                "rules": invitation.rules,
                "target": invitation.target,
                "clock": invitation.clock,
                "rated": invitation.is_rated,
                "may_watch": invitation.may_watch,
            }
            for invitation in waiting_hosts(context)
        ]
    }


def cancel(context: RequestContext, invitation: Invitation) -> None:
    """Take an invitation back; only its host can."""
    if invitation.host != context.visitor.id:
        raise forbidden()
    context.registry.invitations.take(invitation.id)


@router.post("/invitations/{match}/cancel", responses=REFUSALS)
def cancel_invitation(context: SignedContext, match: MatchId) -> Json:
    """Take one's own invitation back."""
    cancel(context, find_invitation(context, match))
    return {"invitation": match, "cancelled": True}


@router.post("/invitations/{match}/accept", status_code=201, responses=REFUSALS)
def accept_invitation(context: SignedContext, match: MatchId, given: Acceptance = NO_SEAT) -> Json:
    """Sit down in a free seat; the match begins when every seat is taken."""
    live = accept(context, find_invitation(context, match), given, given.seat)
    return {"match": match, "begun": live is not None, "draw": public_shares(live.stored) if live else []}


@router.get("/matches/{match}/rematch", responses=REFUSALS)
def look_for_rematch(context: Context, match: MatchId) -> Json:
    """Tell whether another has asked to play one's own match once more, and who."""
    context.seat(context.match(match))
    asked = context.registry.invitations.find_rematch(match)
    if asked is None or asked.seat_of(context.visitor.id) is not None:
        return {"match": match, "asked_by": None}
    return {"match": match, "asked_by": context.name_of(Sitter(visitor=asked.host), asked.game_name)}


@router.post("/matches/{match}/rematch", status_code=201, responses=REFUSALS)
def rematch(context: SignedContext, match: MatchId, given: Contribution = NOTHING_GIVEN) -> Json:
    """Play once more against the same people: the first to ask waits, the others sit down."""
    live = context.match(match)
    place = context.seat(live)
    if live.stored.kind != "people" or live.end is None:
        raise Refused(409, "replay.not_yet")
    with context.place():
        mine = _visitor_seat(context, given, place)
        sitters = enumerate(live.stored.sitters)
        seats = [mine if at == place else InvitedSeat(agent=sitter.agent) for at, sitter in sitters]
        asked = context.registry.invitations.make(
            new_name(), live.game, seats, live.stored.clock, match,
            is_rated=bool(live.stored.skills), may_watch=live.stored.is_watchable,
        )  # fmt: skip
        if asked.seat_of(context.visitor.id) is not None:
            return {"match": asked.id, "waiting": True}
        return {"match": asked.id, "waiting": _take_seat(context, asked, place, mine) is None}


# Phrases


class Saying(BaseModel):
    """One of the phrases that can be said at a table."""

    model_config = ConfigDict(extra="forbid")
    phrase: str = Field(max_length=40, description=f"One of {', '.join(PHRASES)}.")


@router.post("/matches/{match}/phrase", responses=REFUSALS)
def say(context: SignedContext, match: MatchId, saying: Saying) -> Json:
    """Say a phrase to the others at a table of people."""
    live = context.match(match)
    seat = context.seat(live)
    if live.stored.kind != "people" or live.end is not None:
        raise Refused(409, "error.match_over" if live.end else "error.forbidden")
    if saying.phrase not in PHRASES:
        raise Refused(400, "people.phrase_unknown", phrase=saying.phrase, phrases=", ".join(PHRASES))
    if not live.phrases.say(seat, saying.phrase):
        raise Refused(429, "people.phrase_wait")
    context.registry.notify(match)
    return {"match": match, "said": saying.phrase}


# The clock


def clock_of(context: RequestContext, live: LiveTable) -> Json:
    """How long whoever is to act still has, whether another is away, and whether the match may be claimed."""
    seat, to_act = context.seat(live), live.to_act
    away = [place for place in range(live.game.seats) if place != seat and _is_away(context, live, place)]
    waits = to_act is not None and to_act != seat and live.stored.sitters[to_act].agent is None
    return {
        "number": live.last_number,
        "to_act": to_act,
        "left": live.seconds_left,
        "other_away": bool(away),
        "away": away,
        "may_claim": waits and (to_act in away or live.seconds_left == 0.0),
        **context.registry.spectators.describe(live),
    }


def _is_away(context: RequestContext, live: LiveTable, place: Seat) -> bool:
    """Whether a person is no longer at the table: forgotten, or not seen for some time."""
    sitter = live.stored.sitters[place]
    if sitter.agent is not None:
        return False
    if sitter.visitor is None:
        return True
    away = context.registry.presence.away(live.id, sitter.visitor)
    return away > context.registry.settings.away_seconds


@router.get("/matches/{match}/clock", responses=REFUSALS)
def clock(context: Context, match: MatchId) -> Json:
    """Look at the clock of one's own match; looking is a sign of life."""
    live = context.match(match)
    told = clock_of(context, live)
    context.registry.presence.note_visit(match, context.visitor.id)
    return told


@router.post("/matches/{match}/claim", responses=REFUSALS)
def claim(context: SignedContext, match: MatchId, at: PositionNumber) -> Json:
    """Claim a match that another has left: it is their turn, and their time is over or they are gone."""
    live = context.match(match)
    seat = context.seat(live)
    clock = clock_of(context, live)
    if live.stored.kind != "people" or not clock["may_claim"]:
        raise Refused(409, "people.no_claim")
    with refuse_table_errors():
        live.give_up(clock["to_act"], at.number, "left")
    return publish_progress(context, live, seat, at.number - 1)
