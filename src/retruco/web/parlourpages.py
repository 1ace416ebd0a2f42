"""The pages of the games beside Truco: choose who sits there, play, see why, look at hands again.

They are plain forms and links, and work without a script.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import RedirectResponse, Response

from retruco.web.api import granted
from retruco.web.asking import Ask, Asking
from retruco.web.euchre_view import EuchreHost
from retruco.web.holdem_view import HoldemHost
from retruco.web.hosting import Host, View
from retruco.web.pages import Fields, page
from retruco.web.refusals import Refused
from retruco.web.sitting import Sitting

Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")]
Place = Annotated[int, Path(ge=1, le=100_000)]
Step = Annotated[int, Query(ge=0, le=100_000)]

HOSTS: Final[tuple[Host, ...]] = (EuchreHost(), HoldemHost())


def pages_of(host: Host) -> APIRouter:
    """The pages of one game."""
    router = APIRouter(prefix=f"/{host.game}", include_in_schema=False)

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
        return back_to(ask.room.parlour.open(ask.visitor.id, host.wish(fields)))

    @router.get("/{name}")
    def table(request: Request, ask: Ask, name: Name) -> Response:
        """The table, for who sits at it; looking at it lets agents act whose turn it is."""
        sitting = sitting_of(ask, name)
        with sitting.lock:
            sitting.go_on()
            shown = view_of(ask, sitting).table()
        return page(request, ask, "sitting", e=host.texts(ask.texts.language), v=shown)

    @router.post("/{name}")
    def move(ask: Ask, name: Name, fields: Fields) -> Response:
        """Say, play or bet something."""
        sitting, number = asked(ask, name, fields)
        with granted():
            sitting.act(fields.get("action", "")[:40], number)
        return back_to(sitting)

    @router.post("/{name}/next")
    def next_hand(ask: Ask, name: Name, fields: Fields) -> Response:
        """Deal the next hand."""
        sitting, number = asked(ask, name, fields)
        with granted():
            sitting.next_hand(number)
        return back_to(sitting)

    @router.post("/{name}/leave")
    def leave(ask: Ask, name: Name, fields: Fields) -> Response:
        """Get up from the table."""
        sitting, number = asked(ask, name, fields)
        with granted():
            sitting.leave(number)
        return back_to(sitting, "/hands")

    @router.get("/{name}/hands")
    def hands(request: Request, ask: Ask, name: Name) -> Response:
        """The finished hands of a sitting."""
        sitting = sitting_of(ask, name)
        with sitting.lock:
            shown = view_of(ask, sitting).hands()
        return page(request, ask, "sitting_hands", e=host.texts(ask.texts.language), v=shown)

    @router.get("/{name}/hands/{place}")
    def hand(request: Request, ask: Ask, name: Name, place: Place, step: Step = 0) -> Response:
        """A finished hand, step by step."""
        sitting = sitting_of(ask, name)
        with sitting.lock:
            shown = view_of(ask, sitting).hand(place - 1, step)
        return page(request, ask, "sitting_hand", e=host.texts(ask.texts.language), v=shown)

    def asked(ask: Asking, name: str, fields: dict[str, str]) -> tuple[Sitting, int]:
        """Whose table something is to be done at, and the moment that it answers."""
        ask.check_form(fields.get("form_key", ""))
        number = fields.get("number", "")
        if not (number.isascii() and number.isdecimal() and len(number) < 8):
            raise Refused(422, "error.malformed")
        return sitting_of(ask, name), int(number)

    return router
