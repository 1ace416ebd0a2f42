"""The pages that every game has: choose who sits at the table, finished hands, records.

The table itself is at `/table/NAME`; it works without a script too, by plain forms.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.web.core.i18n import Texts
from retruco.web.core.numbers import number_in
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.templates import Fields, page
from retruco.web.people.invitation_routes import InvitationRequest, invite
from retruco.web.people.invitations import CLOCKS, PERSON
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_pages import clock_in, contribution_fields, own_matches
from retruco.web.tables.match_routes import MatchRequest, open_match, refuse_table_errors
from retruco.web.tables.table_view import TableView, view_class

router = APIRouter(include_in_schema=False)
HandNumber = Annotated[int, Path(ge=1, le=100_000)]
StepNumber = Annotated[int, Query(ge=0, le=100_000)]
FIRST_SEATS: Final = 5
"""How many seats the form shows at once; the others are folded away."""


# The table


@router.post("/table/{match}")
def act(context: Context, match: MatchId, fields: Fields) -> Response:
    """Act by a form, for those without a script."""
    live, number = _seat_and_number(context, match, fields)
    with refuse_table_errors():
        live.act(context.seat(live), fields.get("action", "")[:40], number)
    context.registry.publish_progress(live)
    return RedirectResponse(f"/table/{match}", 303)


@router.post("/table/{match}/leave")
def leave(context: Context, match: MatchId, fields: Fields) -> Response:
    """Leave the table."""
    live, number = _seat_and_number(context, match, fields)
    with refuse_table_errors():
        live.give_up(context.seat(live), number, view_class(live.game.name).leaving)
    context.registry.publish_progress(live)
    return RedirectResponse(f"/table/{match}/hands", 303)


def _seat_and_number(context: RequestContext, match: str, fields: dict[str, str]) -> tuple[LiveTable, int]:
    """The match in which one sits, and the number of the position that a form answers."""
    context.check_form(fields.get("form_key", ""))
    live = context.match(match)
    context.seat(live)
    return live, number_in(fields, "number", 0, 10_000_000)


# Finished hands


def _view(context: RequestContext, match: str) -> TableView:
    """What one's own seat is shown of a match or, once it is over, anybody."""
    live = context.match(match)
    if live.stored.seat_of(context.visitor.id) is None and (live.end is None or live.is_practice):
        raise forbidden()
    view = context.view(live, context.reader_seat(live))
    if view.page != "live_table":
        raise not_found()
    return view


@router.get("/table/{match}/hands")
async def finished_hands(request: Request, context: Context, match: MatchId) -> Response:
    """The finished hands of a match."""

    def build() -> Response:
        view = _view(context, match)
        with view.live.lock:
            hands = view.finished_hands()
        return page(request, context, "finished_hands", e=view.t, v=hands, title=view.title(view.t))

    return await context.build(build)


@router.get("/table/{match}/hands/{place}")
async def hand(
    request: Request, context: Context, match: MatchId, place: HandNumber, step: StepNumber = 0
) -> Response:
    """A finished hand, step by step."""

    def build() -> Response:
        view = _view(context, match)
        with view.live.lock:
            shown = view.hand(place - 1, step)
        return page(
            request, context, "hand", folder=view.folder(), e=view.t, v=shown, title=view.title(view.t)
        )

    return await context.build(build)


@router.get("/table/{match}/records")
async def records(context: Context, match: MatchId) -> Response:
    """Download the finished hands: one JSON record a line, as `retruco replay` reads them.

    A record shows the cards of all seats; so it is given when the match is over.
    """

    def build() -> Response:
        live = _view(context, match).live
        if live.end is None:
            raise Refused(403, "replay.not_yet")
        agents = [sitter.agent or "person" for sitter in live.stored.sitters]
        hands = [{**finished.state.record(), "agents": agents} for finished in live.table.hands]
        headers = {"Content-Disposition": f'attachment; filename="{live.game.name}-{live.id}.jsonl"'}
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in hands)
        return Response(lines, media_type="application/jsonl", headers=headers)

    return await context.build(build)


# Who sits there


@cache
def pages_of(game: str) -> APIRouter:
    """The pages of one game: choose who sits at its table. Truco's are the home page."""
    router = APIRouter(prefix=f"/{game}", include_in_schema=False)

    @router.get("")
    def choose(request: Request, context: Context) -> Response:
        """Choose who sits at the table: agents, or people who get a link."""
        return _choose_page(request, context, view_class(game))

    @router.post("")
    def open_table(context: Context, fields: Fields) -> Response:
        """Open a match with agents and go there or, with people among the others, write an invitation."""
        context.check_form(fields.get("form_key", ""))
        chosen = _chosen_seats(fields, view_class(game))
        common: dict[str, Any] = {
            "game": game,
            "rules": fields.get("rules") or None,
            **contribution_fields(fields),
        }
        try:
            if PERSON in chosen:
                common |= {"opponent": ",".join(chosen), "clock": clock_in(fields)}
                common |= {name: bool(fields.get(name)) for name in ("public", "rated", "may_watch")}
                return _invite(context, fields, InvitationRequest.model_validate(common))
            options = MatchRequest.model_validate({**common, "opponent": ",".join(chosen)})
        except ValidationError:
            raise Refused(422, "error.malformed") from None
        return RedirectResponse(f"/table/{open_match(context, options).id}", 303)

    @router.get("/{match}")
    @router.get("/{match}/{rest:path}")
    def moved(request: Request, match: MatchId, rest: str = "") -> Response:
        """Tables of each game once had addresses of their own."""
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/table/{match}{'/' if rest else ''}{rest}{query}", 301)

    return router


def _choose_page(request: Request, context: RequestContext, view: type[TableView]) -> Response:
    texts, game = view.texts(context.texts.language), view.game
    mine = [match for match in own_matches(context)["matches"] if match["game"] == game][:10]
    lesson = [texts(key) for number in range(1, 10) if texts.has(key := f"{game}.lesson.{number}")]
    return page(
        request, context, "choose_game",
        e=texts, game=game, title=view.title(texts), lesson=lesson, mine=mine,
        people=[(person, agent, view.about_person(person, "name", texts), view.about_person(person, "about", texts)) for person, agent in view.people.items()],
        faces={agent: view.name_agent(agent, texts) for agent in view.people.values()},
        agents=[(name, view.describe_agent(name, texts)) for name in view.agents()],
        rules=[(name, view.name_rules(name, texts)) for name in view.rules],
        seats=_seat_choices(view, texts), first_seats=FIRST_SEATS,
        can_be_rated=2 in view.sizes, can_be_watched=view.can_be_watched,
        clocks=CLOCKS, person=context.registry.people.find(context.visitor.id),
    )  # fmt: skip


def _seat_choices(view: type[TableView], texts: Texts) -> list[tuple[int, str, str, bool]]:
    """Every other seat: its place, its name, who usually sits there, and whether it may stay empty."""
    least, most = min(view.sizes), max(view.sizes)
    usual = dict(enumerate(view.usual, 1))
    return [
        (place, view.name_place(place, texts), usual.get(place, ""), place >= least)
        for place in range(1, most)
    ]


def _chosen_seats(fields: Mapping[str, str], view: type[TableView]) -> list[str]:
    """Who is to sit in the other seats; an empty seat is no seat. A form without seats means the usual players."""
    named = [fields[f"seat{place}"] for place in range(1, max(view.sizes)) if f"seat{place}" in fields]
    chosen = [name for name in named if name]
    if named and not chosen:
        raise Refused(400, "tables.nobody")
    return chosen


def _invite(context: RequestContext, fields: Mapping[str, str], options: InvitationRequest) -> Response:
    if "name" in fields:
        context.registry.people.name(context.visitor.id, fields["name"])
    return RedirectResponse(f"/join/{invite(context, options).id}", 303)
