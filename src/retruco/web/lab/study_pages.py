"""The page of the study: what it is, one's own matches, and the next match; the same as data."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, RequestContext, SignedContext
from retruco.web.core.templates import Fields, page
from retruco.web.lab.study import STUDY, OtherSetup, base_digest
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_pages import contribution_in
from retruco.web.tables.match_routes import REFUSALS, MatchRequest, open_match

Json = dict[str, Any]
router = APIRouter(include_in_schema=False)
routes = APIRouter(prefix="/api", tags=["the study"])


def open_study_match(context: RequestContext, contribution: Contribution) -> LiveTable:
    """Open the next match of the study, or give the one that goes on; refused if the server has other cases."""
    matches, agents = context.registry.study_matches, context.registry.agents
    going_on = matches.going_on(context.visitor.id)
    if going_on is not None:
        return context.match(going_on.match)
    opponent = agents.find_name("truco", matches.next_opponent(context.visitor.id))
    if agents.seconds_until_ready("truco", opponent) is not None:
        raise Refused(409, "study.preparing")
    try:
        matches.fix_setup(base_digest(agents.cases_for("truco")))
    except OtherSetup:
        raise Refused(409, "study.other_base") from None
    options = MatchRequest(
        opponent=opponent, rules=STUDY.rules, target=STUDY.target, **contribution.model_dump()
    )
    live = open_match(context, options)
    matches.add(live.id)
    return live


@router.get("/study")
def study(request: Request, context: Context) -> Response:
    """What the study is, and one's own matches of it."""
    matches, visitor = context.registry.study_matches, context.visitor.id
    mine, going_on = matches.of_visitor(visitor), matches.going_on(visitor)
    return page(request, context, "study", study=STUDY, mine=mine, going_on=going_on, setup=matches.setup())


@router.post("/study")
def play(context: Context, fields: Fields) -> Response:
    """Open the next match of the study, and go to its table."""
    context.check_form(fields.get("form_key", ""))
    return RedirectResponse(f"/table/{open_study_match(context, contribution_in(fields)).id}", 303)


@routes.get("/study")
def describe(context: Context) -> Json:
    """Describe the study: its set-up, one's own matches and whom one plays next."""
    matches = context.registry.study_matches
    return {
        "study": STUDY.name,
        "agents": list(STUDY.agents),
        "rules": STUDY.rules,
        "target": STUDY.target,
        "base": (matches.setup() or {}).get("base"),
        "next": matches.next_opponent(context.visitor.id),
        "matches": [
            {"match": one.match, "agent": one.agent, "whole": one.is_whole, "answered": one.is_answered}
            for one in matches.of_visitor(context.visitor.id)
        ],
    }


@routes.post("/study", status_code=201, responses=REFUSALS)
def open_next(context: SignedContext, contribution: Contribution) -> Json:
    """Open the next match of the study; one that goes on is given again."""
    live = open_study_match(context, contribution)
    found = STUDY.opponent_in(live.stored)
    return {"match": live.id, "agent": found and found[0], "draw": public_shares(live.stored)}
