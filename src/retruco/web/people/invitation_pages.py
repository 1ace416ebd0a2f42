"""The pages of invitations, and of agents that play each other."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId
from retruco.web.core.templates import Fields, page
from retruco.web.people.invitation_routes import GUEST, InvitationRequest, accept, find_invitation, invite
from retruco.web.people.invitations import CLOCKS
from retruco.web.tables.agent_matches import open_agent_match, wait_until_over
from retruco.web.tables.match_pages import SCRIPT_TEXTS, contribution_fields, contribution_in, target_in
from retruco.web.tables.match_routes import game_of

router = APIRouter(include_in_schema=False)


@router.post("/invite")
def write_invitation(context: Context, fields: Fields) -> Response:
    """Write an invitation and show its link."""
    context.check_form(fields.get("form_key", ""))
    clock = fields.get("clock", "60")
    if clock not in ("", "0", "none", *map(str, CLOCKS)):
        raise Refused(422, "error.bad_clock", choices=", ".join(map(str, CLOCKS)))
    try:
        options = InvitationRequest.model_validate(
            {
                "rules": fields.get("rules", "cbtg"),
                "target": target_in(fields),
                "clock": int(clock) if clock in map(str, CLOCKS) else None,
                **contribution_fields(fields),
            }
        )
    except ValidationError:
        raise Refused(422, "error.malformed") from None
    if "name" in fields:
        context.registry.people.name(context.visitor.id, fields["name"])
    return RedirectResponse(f"/join/{invite(context, options).id}", 303)


@router.get("/join/{match}")
def invitation(request: Request, context: Context, match: MatchId) -> Response:
    """An invitation: its link for who wrote it, a seat for everybody else."""
    found = context.registry.invitations.find(match)
    if found is None:
        context.match(match)
        return RedirectResponse(f"/table/{match}", 303)
    host = context.registry.people.find(found.host).name
    setup = {"match": match, "form_key": context.form_key, "texts": context.texts.under(*SCRIPT_TEXTS)}
    return page(
        request,
        context,
        "invitation",
        invitation=found,
        host=host,
        person=context.registry.people.find(context.visitor.id),
        is_host=found.host == context.visitor.id,
        setup=setup,
    )


@router.post("/join/{match}")
def sit_down(context: Context, match: MatchId, fields: Fields) -> Response:
    """Sit down opposite who invited."""
    context.check_form(fields.get("form_key", ""))
    if "name" in fields:
        context.registry.people.name(context.visitor.id, fields["name"])
    found = find_invitation(context, match)
    share = context.registry.draws.take(context.visitor.id, contribution_in(fields), GUEST)
    return RedirectResponse(f"/table/{accept(context, found, share).id}", 303)


@router.post("/watch")
def watch(context: Context, fields: Fields) -> Response:
    """Let two agents play."""
    context.check_form(fields.get("form_key", ""))
    game = game_of(fields.get("rules", "cbtg"), target_in(fields))
    live = open_agent_match(context, fields.get("first", "medium"), fields.get("second", "hard"), game)
    return RedirectResponse(f"/watch/{live.id}", 303)


@router.get("/watch/{match}")
async def watch_match(context: Context, match: MatchId) -> Response:
    """Wait for the last card, then show the match from its first."""
    live = context.match(match)
    if live.stored.kind != "watched":
        raise Refused(404, "error.not_found")
    over = await wait_until_over(context, live, seconds=10)
    return RedirectResponse(f"/replay/{match}/0?play=1" if over else f"/watch/{match}", 303)
