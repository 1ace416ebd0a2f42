"""The pages of invitations, and of agents that play each other."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.games.truco import Truco
from retruco.web.account.rating import Skill, current_skill
from retruco.web.art.qr_code import LONGEST, qr_path
from retruco.web.core.drawing import static
from retruco.web.core.numbers import number_in
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.store import Sitter
from retruco.web.core.templates import Fields, page
from retruco.web.people.invitation_routes import InvitationRequest, accept, cancel, find_invitation, invite
from retruco.web.people.invitations import PERSON, Invitation
from retruco.web.people.spectator_routes import watchable_match
from retruco.web.tables.agent_matches import open_agent_match, wait_until_over
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_pages import (
    SCRIPT_TEXTS,
    clock_in,
    contribution_fields,
    contribution_in,
    target_in,
)
from retruco.web.tables.match_routes import read_table
from retruco.web.tables.table_view import TableView, view_class

router = APIRouter(include_in_schema=False)
SeatQuery = Annotated[int | None, Query(ge=0, le=9)]


@router.post("/invite")
def write_invitation(context: Context, fields: Fields) -> Response:
    """Write an invitation and show its link."""
    context.check_form(fields.get("form_key", ""))
    try:
        options = InvitationRequest.model_validate(
            {
                "game": fields.get("game", "truco"),
                "opponent": fields.get("opponent", PERSON),
                "rules": fields.get("rules"),
                "target": target_in(fields),
                "clock": clock_in(fields),
                "public": bool(fields.get("public")),
                "rated": bool(fields.get("rated")),
                "may_watch": bool(fields.get("may_watch")),
                **contribution_fields(fields),
            }
        )
    except ValidationError:
        raise Refused(422, "error.malformed") from None
    if "name" in fields:
        context.registry.people.name(context.visitor.id, fields["name"])
    return RedirectResponse(f"/join/{invite(context, options).id}", 303)


@router.get("/join/{match}")
def invitation(request: Request, context: Context, match: MatchId, seat: SeatQuery = None) -> Response:
    """An invitation: its links for who waits there, a seat for everybody else."""
    found = context.registry.invitations.find(match)
    if found is None:
        context.match(match)
        return RedirectResponse(f"/table/{match}", 303)
    view, people = view_class(found.game_name), context.registry.people
    texts, place = view.texts(context.texts.language), found.seat_of(context.visitor.id)
    name_place = view.name_place if place == 0 else TableView.name_place  # "your partner" is the host's
    setup = {"match": match, "form_key": context.form_key, "texts": context.texts.under(*SCRIPT_TEXTS)}
    return page(
        request, context, "invitation",
        invitation=found, host=people.find(found.host).name, person=people.find(context.visitor.id), setup=setup,
        names=["" if seat.is_free else context.name_of(Sitter(seat.agent, seat.visitor), found.game_name) for seat in found.seats],
        place_names=[name_place(at, texts) for at in range(len(found.seats))],
        rules=view.name_rules(found.rules, texts), title=view.title(texts), chosen=seat, waits=place is not None,
        host_rating=_host_rating(context, found), qr_codes=_qr_codes(request, found, context.registry.settings.behind_proxy) if place is not None else {}, is_host=found.host == context.visitor.id,
    )  # fmt: skip


def _host_rating(context: RequestContext, found: Invitation) -> int | None:
    """The rating that the host of a rated match begins with."""
    matches = context.registry.store.of_visitor(found.host) if found.is_rated else []
    return current_skill(matches, found.host, found.game_name).rating if found.is_rated else None


def _qr_codes(request: Request, found: Invitation, is_secure: bool) -> dict[int, tuple[int, str]]:
    """The links of the free seats as QR codes; an address that is too long for one has none."""
    here = request.url.replace(path=f"/join/{found.id}", query="")
    here = here.replace(scheme="https") if is_secure else here
    links = {
        place: f"{here}?seat={place}" if len(found.seats) > 2 else str(here) for place in found.free_seats
    }
    return {place: qr_path(link) for place, link in links.items() if len(link.encode()) <= LONGEST}


@router.post("/join/{match}/cancel")
def cancel_by_form(context: Context, match: MatchId, fields: Fields) -> Response:
    """Take one's own invitation back, and go to the front page."""
    context.check_form(fields.get("form_key", ""))
    cancel(context, find_invitation(context, match))
    return RedirectResponse("/", 303)


@router.post("/join/{match}")
def sit_down(context: Context, match: MatchId, fields: Fields) -> Response:
    """Sit down in a free seat."""
    context.check_form(fields.get("form_key", ""))
    if "name" in fields:
        context.registry.people.name(context.visitor.id, fields["name"])
    seat = number_in(fields, "seat", 0, 9) if fields.get("seat") else None
    begun = accept(context, find_invitation(context, match), contribution_in(fields), seat)
    return RedirectResponse(f"/table/{match}" if begun else f"/join/{match}", 303)


@router.post("/watch")
def watch(context: Context, fields: Fields) -> Response:
    """Let agents play each other."""
    context.check_form(fields.get("form_key", ""))
    first, second = fields.get("first", "regular"), fields.get("second", "balanced")
    game, others = read_table(
        fields.get("game", "truco"), fields.get("rules") or None, target_in(fields), second
    )
    live = open_agent_match(context, game, (first, *others))
    return RedirectResponse(f"/watch/{live.id}", 303)


@router.get("/watch/{match}")
async def watch_match(request: Request, context: Context, match: MatchId) -> Response:
    """Watch people play; of agents, wait for the last card, then show the match from its first."""
    live = context.match(match)
    if live.stored.kind == "people":
        return _watch_people(request, context, live)
    if live.stored.kind != "watched":
        raise Refused(404, "error.not_found")
    over = await wait_until_over(context, live, seconds=10)
    return RedirectResponse(f"/replay/{match}/0?play=1" if over else f"/watch/{match}", 303)


def _watch_people(request: Request, context: RequestContext, live: LiveTable) -> Response:
    """The table as somebody without a seat sees it; who has one goes there, and a finished match is replayed."""
    if live.stored.seat_of(context.visitor.id) is not None:
        return RedirectResponse(f"/table/{live.id}", 303)
    if live.end is not None:
        return RedirectResponse(f"/replay/{live.id}/0", 303)
    view = context.spectator_view(watchable_match(context, live.id))
    names = [view.name(seat) for seat in range(live.game.seats)]
    setup = {
        "match": live.id, "seat": 0, "me": None, "names": names, "number": live.last_number,
        "target": live.game.goal, "rules": live.stored.rules, "game": live.game.name, "kind": "watching",
        "flor": isinstance(live.game, Truco) and live.game.rules.flor, "deck": static("deck.svg"),
        "texts": view.t.under(*SCRIPT_TEXTS),
    }  # fmt: skip
    return page(
        request, context, "watch", folder=view.folder(), setup=setup, e=view.t, names=names,
        rules=view.name_rules(live.stored.rules, view.t), title=view.title(view.t),
        board=view.draw(len(live.positions) - 1) if view.page == "live_table" else "",
        ratings=[Skill(*skill).rating for skill in live.stored.skills],
    )  # fmt: skip
