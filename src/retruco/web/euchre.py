"""The Euchre pages: choose partner and opponents, play, see why. They work without a script."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import RedirectResponse, Response

from retruco.agents.registry import roster
from retruco.web.asking import Ask
from retruco.web.euchre_room import PARTNERS, RULES, EuchreRoom
from retruco.web.euchre_view import View, euchre_texts
from retruco.web.pages import form, page
from retruco.web.refusals import Refused

router = APIRouter(include_in_schema=False)
GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$")]
Fields = Annotated[dict[str, str], Depends(form)]


def room_of(request: Request) -> EuchreRoom:
    """The room of this application."""
    room: EuchreRoom = request.app.state.euchre
    return room


@router.get("/euchre")
def choose(request: Request, ask: Ask) -> Response:
    """Choose who sits at the table."""
    known = roster("euchre")
    people = [(name, known[name].style) for name in PARTNERS]
    return page(request, ask, "euchre", e=euchre_texts(ask.texts.language), people=people, rules=RULES)


@router.post("/euchre")
def open_table(request: Request, ask: Ask, fields: Fields) -> Response:
    """Set a table and go there."""
    ask.check_form(fields.get("form_key", ""))
    partner, left = fields.get("partner", "UF.5@tricks"), fields.get("left", "NPS")
    game = room_of(request).open(
        ask.visitor.id, partner, left, fields.get("right", left), fields.get("rules", "classic")
    )
    return RedirectResponse(f"/euchre/{game.id}", 303)


@router.get("/euchre/{name}")
def table(request: Request, ask: Ask, name: GameId) -> Response:
    """The table, for who sits at it."""
    game = room_of(request).find(name, ask.visitor.id)
    texts = euchre_texts(ask.texts.language)
    with game.lock:
        data = View(game, texts).data()
    return page(request, ask, "euchre_table", e=texts, v=data)


@router.post("/euchre/{name}")
def move(request: Request, ask: Ask, name: GameId, fields: Fields) -> Response:
    """Say or play something."""
    ask.check_form(fields.get("form_key", ""))
    game = room_of(request).find(name, ask.visitor.id)
    number = fields.get("move", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise Refused(422, "error.malformed")
    with game.lock:
        game.move(fields.get("action", ""), int(number))
    return RedirectResponse(f"/euchre/{game.id}", 303)
