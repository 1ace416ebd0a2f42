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
from retruco.web.core.request_context import Ask, Asking, OneAtATime
from retruco.web.core.templates import Fields, page
from retruco.web.review.review_routes import drawn
from retruco.web.tables.euchre_view import EuchreHost
from retruco.web.tables.holdem_view import HoldemHost
from retruco.web.tables.live_table import Sitting
from retruco.web.tables.match_pages import contribution_in
from retruco.web.tables.match_routes import granted
from retruco.web.tables.table_view import Host, View

Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")]
Place = Annotated[int, Path(ge=1, le=100_000)]
Step = Annotated[int, Query(ge=0, le=100_000)]

HOSTS: Final[tuple[Host, ...]] = (EuchreHost(), HoldemHost())


def pages_of(host: Host) -> APIRouter:
    """The pages of one game."""
    router = APIRouter(prefix=f"/{host.game}", include_in_schema=False, route_class=OneAtATime)

    def sitting_of(ask: Asking, name: str) -> Sitting:
        return ask.room.parlour.find(host.game, name, ask.visitor.id)

    def view_of(ask: Asking, sitting: Sitting) -> View:
        return host.view(sitting, host.texts(ask.texts.language))

    def back_to(sitting: Sitting, rest: str = "") -> Response:
        return RedirectResponse(f"/{host.game}/{sitting.id}{rest}", 303)

    @router.get("")
    def choose(request: Request, ask: Ask) -> Response:
        """Choose who sits at the table; whoever has to learn first begins now."""
        ask.room.parlour.company.expect(host.game, host.players[0])
        mine = [one for one in ask.room.parlour.of(ask.visitor.id) if one.game == host.game]
        texts = host.texts(ask.texts.language)
        return page(
            request, ask, host.game,
            e=texts, game=host.game, people=host.people(texts), rules=host.rules, offer=host.offer(), mine=mine[:10],
        )  # fmt: skip

    @router.post("")
    def open_table(ask: Ask, fields: Fields) -> Response:
        """Set a table and go there."""
        ask.check_form(fields.get("form_key", ""))
        wish = host.wish(fields)
        shares = ask.room.draws.take(ask.visitor.id, contribution_in(fields))
        return back_to(ask.room.parlour.open(ask.visitor.id, wish, shares))

    @router.get("/{name}")
    def table(request: Request, ask: Ask, name: Name) -> Response:
        """The table, for who sits at it; looking at it lets agents act whose turn it is."""
        sitting = sitting_of(ask, name)
        with sitting.lock, granted():
            sitting.go_on()
            shown = view_of(ask, sitting).table()
        return page(request, ask, "sitting", e=host.texts(ask.texts.language), v=shown)

    @router.post("/{name}")
    def move(ask: Ask, name: Name, fields: Fields) -> Response:
        """Say, play or bet something."""
        action = fields.get("action", "")[:40]
        return done(ask, name, fields, lambda sitting, number: sitting.act(action, number))

    @router.post("/{name}/next")
    def next_hand(ask: Ask, name: Name, fields: Fields) -> Response:
        """Deal the next hand."""
        return done(ask, name, fields, Sitting.next_hand)

    @router.post("/{name}/leave")
    def leave(ask: Ask, name: Name, fields: Fields) -> Response:
        """Get up from the table."""
        return done(ask, name, fields, Sitting.leave, "/hands")

    def done(
        ask: Asking, name: str, fields: dict[str, str], do: Callable[[Sitting, int], None], rest: str = ""
    ) -> Response:
        """Do something at one's table, at the moment that the form answers, and go back there."""
        ask.check_form(fields.get("form_key", ""))
        number = number_in(fields, "number", 0, 10_000_000)
        sitting = sitting_of(ask, name)
        with granted():
            do(sitting, number)
        return back_to(sitting, rest)

    @router.get("/{name}/hands")
    def hands(request: Request, ask: Ask, name: Name) -> Response:
        """The finished hands of a sitting."""
        sitting = sitting_of(ask, name)
        with sitting.lock:
            shown = view_of(ask, sitting).hands()
        return page(request, ask, "sitting_hands", e=host.texts(ask.texts.language), v=shown)

    @router.get("/{name}/records")
    def records(ask: Ask, name: Name) -> Response:
        """Take the finished hands along: one JSON record a line, as `retruco replay` reads them.

        A record shows the cards of all seats; so it is given when one has left the table.
        """
        sitting = sitting_of(ask, name)
        if sitting.end is None:
            raise Refused(403, "replay.not_yet")
        agents = [agent or "person" for agent in sitting.names]
        hands = [{**hand.state.record(), "agents": agents} for hand in sitting.table.hands]
        headers = {"Content-Disposition": f'attachment; filename="{host.game}-{sitting.id}.jsonl"'}
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in hands)
        return Response(lines, media_type="application/jsonl", headers=headers)

    @router.get("/{name}/draw")
    def draw(ask: Ask, name: Name) -> Response:
        """Take along how the deals were drawn, as `retruco verify` reads it, when one has left the table."""
        sitting = sitting_of(ask, name)
        if sitting.end is None:
            raise Refused(403, "replay.not_yet")
        whole = {
            "game": host.game,
            "match": sitting.id,
            "rules": sitting.stored.rules,
            "target": sitting.stored.target,
            **drawn(sitting),
        }
        headers = {"Content-Disposition": f'attachment; filename="{host.game}-{sitting.id}-draw.json"'}
        return JSONResponse(whole, headers=headers)

    @router.get("/{name}/hands/{place}")
    def hand(request: Request, ask: Ask, name: Name, place: Place, step: Step = 0) -> Response:
        """A finished hand, step by step."""
        sitting = sitting_of(ask, name)
        with sitting.lock:
            shown = view_of(ask, sitting).hand(place - 1, step)
        return page(request, ask, "sitting_hand", e=host.texts(ask.texts.language), v=shown)

    return router
