"""The pages of the games beside Truco: choose who sits there, play, see why, look at hands again.

They are plain forms and links, and work without a script.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retruco.web.core.numbers import number_in
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, OneAtATime, RequestContext
from retruco.web.core.templates import Fields, page
from retruco.web.review.review_routes import draw_evidence
from retruco.web.tables.euchre_view import EuchreHost
from retruco.web.tables.holdem_view import HoldemHost
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_pages import contribution_in
from retruco.web.tables.match_routes import refuse_table_errors
from retruco.web.tables.table_view import GameHost, TableView

Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")]
Place = Annotated[int, Path(ge=1, le=100_000)]
Step = Annotated[int, Query(ge=0, le=100_000)]

HOSTS: Final[tuple[GameHost, ...]] = (EuchreHost(), HoldemHost())


def pages_of(host: GameHost) -> APIRouter:
    """The pages of one game."""
    router = APIRouter(prefix=f"/{host.game}", include_in_schema=False, route_class=OneAtATime)

    def table_of(context: RequestContext, name: str) -> LiveTable:
        return context.registry.tables.find(host.game, name, context.visitor.id)

    def view_of(context: RequestContext, live: LiveTable) -> TableView:
        return host.view(live, host.texts(context.texts.language))

    def back_to(live: LiveTable, rest: str = "") -> Response:
        return RedirectResponse(f"/{host.game}/{live.id}{rest}", 303)

    @router.get("")
    def choose(request: Request, context: Context) -> Response:
        """Choose who sits at the table; whoever has to learn first begins now."""
        context.registry.tables.agent_cache.expect(host.game, host.players[0])
        mine = [one for one in context.registry.tables.of(context.visitor.id) if one.game == host.game]
        texts = host.texts(context.texts.language)
        return page(
            request, context, host.game,
            e=texts, game=host.game, people=host.people(texts), rules=host.rules, offer=host.offer(), mine=mine[:10],
        )  # fmt: skip

    @router.post("")
    def open_table(context: Context, fields: Fields) -> Response:
        """Set a table and go there."""
        context.check_form(fields.get("form_key", ""))
        options = host.read_options(fields)
        shares = context.registry.draws.take(context.visitor.id, contribution_in(fields))
        return back_to(context.registry.tables.open(context.visitor.id, options, shares))

    @router.get("/{name}")
    def table(request: Request, context: Context, name: Name) -> Response:
        """The table, for who sits at it; looking at it lets agents act whose turn it is."""
        live = table_of(context, name)
        with live.lock, refuse_table_errors():
            live.go_on()
            shown = view_of(context, live).table()
        return page(request, context, "sitting", e=host.texts(context.texts.language), v=shown)

    @router.post("/{name}")
    def move(context: Context, name: Name, fields: Fields) -> Response:
        """Say, play or bet something."""
        action = fields.get("action", "")[:40]
        return change_table(context, name, fields, lambda live, number: live.act(action, number))

    @router.post("/{name}/next")
    def next_hand(context: Context, name: Name, fields: Fields) -> Response:
        """Deal the next hand."""
        return change_table(context, name, fields, LiveTable.next_hand)

    @router.post("/{name}/leave")
    def leave(context: Context, name: Name, fields: Fields) -> Response:
        """Get up from the table."""
        return change_table(context, name, fields, LiveTable.leave, "/hands")

    def change_table(
        context: RequestContext,
        name: str,
        fields: dict[str, str],
        do: Callable[[LiveTable, int], None],
        rest: str = "",
    ) -> Response:
        """Do something at one's table, at the moment that the form answers, and go back there."""
        context.check_form(fields.get("form_key", ""))
        number = number_in(fields, "number", 0, 10_000_000)
        live = table_of(context, name)
        with refuse_table_errors():
            do(live, number)
        return back_to(live, rest)

    @router.get("/{name}/hands")
    def hands(request: Request, context: Context, name: Name) -> Response:
        """The finished hands of a match."""
        live = table_of(context, name)
        with live.lock:
            shown = view_of(context, live).hands()
        return page(request, context, "sitting_hands", e=host.texts(context.texts.language), v=shown)

    @router.get("/{name}/records")
    def records(context: Context, name: Name) -> Response:
        """Take the finished hands along: one JSON record a line, as `retruco replay` reads them.

        A record shows the cards of all seats; so it is given when one has left the table.
        """
        live = table_of(context, name)
        if live.end is None:
            raise Refused(403, "replay.not_yet")
        agents = [agent or "person" for agent in live.names]
        hands = [{**hand.state.record(), "agents": agents} for hand in live.table.hands]
        headers = {"Content-Disposition": f'attachment; filename="{host.game}-{live.id}.jsonl"'}
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in hands)
        return Response(lines, media_type="application/jsonl", headers=headers)

    @router.get("/{name}/draw")
    def draw(context: Context, name: Name) -> Response:
        """Take along how the deals were drawn, as `retruco verify` reads it, when one has left the table."""
        live = table_of(context, name)
        if live.end is None:
            raise Refused(403, "replay.not_yet")
        whole = {
            "game": host.game,
            "match": live.id,
            "rules": live.stored.rules,
            "target": live.stored.target,
            **draw_evidence(live),
        }
        headers = {"Content-Disposition": f'attachment; filename="{host.game}-{live.id}-draw.json"'}
        return JSONResponse(whole, headers=headers)

    @router.get("/{name}/hands/{place}")
    def hand(request: Request, context: Context, name: Name, place: Place, step: Step = 0) -> Response:
        """A finished hand, step by step."""
        live = table_of(context, name)
        with live.lock:
            shown = view_of(context, live).hand(place - 1, step)
        return page(request, context, "sitting_hand", e=host.texts(context.texts.language), v=shown)

    return router
