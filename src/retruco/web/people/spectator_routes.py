"""The routes of spectators: let others watch one's match, find one to watch, and watch it live."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, StrictBool
from starlette.responses import Response, StreamingResponse

from retruco.web.core.numbers import read_number
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.people.invitation_routes import HOST_PATIENCE
from retruco.web.tables.events import watch_stream
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_routes import REFUSALS, After
from retruco.web.tables.table_view import view_class

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["people"])
MOST_LISTED: Final = 10
"""So many matches to watch are named at a time."""


class WatchPermission(BaseModel):
    """Whether one lets others watch one's match."""

    model_config = ConfigDict(extra="forbid")
    allow: StrictBool


def watchable_match(context: RequestContext, match: str) -> LiveTable:
    """Find a match of people who all let others watch; refused otherwise."""
    live = context.match(match)
    if not live.stored.is_watchable:
        raise Refused(403, "people.not_watchable")
    return live


def matches_to_watch(context: RequestContext) -> list[LiveTable]:
    """The matches that go on, with everybody at the table, and may be watched; one's own are not among them."""
    query = (
        "SELECT DISTINCT id FROM match JOIN watch_permission ON match = id "
        "WHERE ended IS NULL ORDER BY started DESC LIMIT ?"
    )
    rows = context.registry.store.rows(query, 4 * MOST_LISTED)
    found = [context.registry.find(match) for (match,) in rows]
    return [live for live in found if live is not None and _is_on_show(context, live)][:MOST_LISTED]


def _is_on_show(context: RequestContext, live: LiveTable) -> bool:
    away, visitors = context.registry.presence.away, [sitter.visitor for sitter in live.stored.sitters]
    is_there = all(away(live.id, visitor) < HOST_PATIENCE for visitor in visitors if visitor is not None)
    may_watch = live.stored.is_watchable and view_class(live.game.name).can_be_watched
    return may_watch and is_there and context.visitor.id not in visitors


@router.get("/spectators", responses=REFUSALS)
def list_matches(context: Context) -> Json:
    """List the matches of people that can be watched now, each at `/watch/NAME`."""
    return {
        "matches": [
            {
                "match": live.id,
                "game": live.game.name,
                "rules": live.stored.rules,
                "names": context.seat_names(live),
                "watchers": context.registry.spectators.count(live.id),
            }
            for live in matches_to_watch(context)
        ]
    }


@router.post("/matches/{match}/spectators", responses=REFUSALS)
def allow_watching(context: SignedContext, match: MatchId, permission: WatchPermission) -> Json:
    """Let others watch one's own match, or no longer; they may while everybody at the table lets them."""
    live = context.match(match)
    seat = context.seat(live)
    if live.stored.kind != "people" or live.end is not None:
        raise Refused(409, "error.match_over" if live.end else "error.forbidden")
    if not view_class(live.game.name).can_be_watched:
        raise Refused(400, "people.watch_game", game=live.game.name)
    live.allow_watching(seat, permission.allow)
    context.registry.notify(match)
    return {"match": match, **context.registry.spectators.describe(live)}


@router.get("/matches/{match}/watch", responses=REFUSALS, response_class=Response)
def watch(
    context: Context,
    match: MatchId,
    after: After = -1,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> Response:
    """Watch a match of people: every new position as a server-sent event, without what is hidden."""
    live = watchable_match(context, match)
    context.spectator_view(live)  # refuses a game that cannot be watched
    seen = read_number(last_event_id, 0, 10_000_000)
    after = max(after if seen is None else max(after, seen), live.last_number - 1)
    lines = watch_stream(
        context.registry, match, context.spectator_view, after, context.visitor.id, context.address
    )
    return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
