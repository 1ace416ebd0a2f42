"""Sharing a hand of a finished match: a picture of it, and a link that replays it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from retruco.games.core import Seat
from retruco.games.truco import Acted, Announced, TrucoState
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.state import Event
from retruco.web.art.hand_picture import PictureTexts, draw_hand
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.templates import page
from retruco.web.review.review_routes import finished_match
from retruco.web.tables.table_view import TableView
from retruco.web.views.truco import name_action

router = APIRouter(include_in_schema=False)
HandNumber = Annotated[int, Path(ge=1, le=100_000)]


@router.get("/share/{match}/{hand}")
async def share(request: Request, context: Context, match: MatchId, hand: HandNumber) -> Response:
    """The page of a hand: its picture, and what to do with it."""

    def build() -> Response:
        view = _find_view(context, match, hand)
        number = view.live.number(view.live.places_of(hand - 1)[0])
        title = _texts(view, hand - 1).title
        return page(request, context, "share", match=match, hand=hand, number=number, title=title)

    return await context.build(build)


@router.get("/share/{match}/{hand}/picture.svg")
async def picture(context: Context, match: MatchId, hand: HandNumber) -> Response:
    """A hand as a picture that stands alone."""

    def build() -> Response:
        view = _find_view(context, match, hand)
        state = _last_state(view, hand - 1)
        return Response(draw_hand(state, view.seat, _texts(view, hand - 1)), media_type="image/svg+xml")

    return await context.build(build)


def _find_view(context: RequestContext, match: str, hand: int) -> TableView:
    """The view of a match that is over and has this hand; refused for games whose hands have no picture."""
    live = finished_match(context, match)
    if live.game.name != "truco" or not live.places_of(hand - 1):
        raise Refused(404, "error.not_found")
    return context.view(live, context.reader_seat(live))


def _last_state(view: TableView, hand: int) -> TrucoState:
    state = view.live.positions[view.live.places_of(hand)[-1]].state
    assert isinstance(state, TrucoState)
    return state


def _texts(view: TableView, hand: int) -> PictureTexts:
    state, seat = _last_state(view, hand), view.seat
    names = [view.name(side) for side in (0, 1)]
    score = " – ".join(f"{names[side]} {view.scores(hand)[side]}" for side in (seat, 1 - seat))
    title = f"{view.t('table.hand', number=hand + 1)} · {score}"
    return PictureTexts(title, names, list(_lines(view, state)), view.result(state) if state.outcome else "")


def _lines(view: TableView, state: TrucoState) -> Iterator[str]:
    """What was said and paid; the cards are drawn."""
    for event in state.log:
        if not isinstance(event, Acted) or not _is_card(event.action):
            yield _line(view, event)


def _is_card(action: str) -> bool:
    return action[0].isdigit() or action.startswith(DOWN_PREFIX)


def _line(view: TableView, event: Event) -> str:
    name = view.name(event.seat)
    if isinstance(event, Acted):
        return f"{name}: {name_action(event.action, view.t)}"
    kind = "announced" if isinstance(event, Announced) else "awarded"
    return view.t(f"event.{_person(view, event.seat)}.{kind}_{event.stage}", name=name, points=event.points)


def _person(view: TableView, seat: Seat) -> str:
    return "you" if view.name(seat) == view.t("table.you") else "other"
