"""The page that reviews a finished match: a summary, its curves, every hand with what each decision lost."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from retruco.games.truco import Truco
from retruco.web.core.drawing import static
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.templates import page
from retruco.web.review.charts import Chart, draw_chart, score_marks
from retruco.web.review.match_review import GRADES, MatchReview, ReviewedHand, review_match
from retruco.web.review.opponent_reading import read_seat
from retruco.web.review.review_routes import finished_match
from retruco.web.review.review_words import ReviewWords, percent
from retruco.web.tables.table_view import TableView

router = APIRouter(include_in_schema=False)

BOARD_TEXTS: Final = (
    "call.",
    "card.",
    "stage.",
    "table.",
    "end.",
    "event.",
    "board.",
    "spoken.",
    "review.",
    "error.",
)
"""The families of sentences that the board of the page uses."""
HALVES: Final = ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %"))


@router.get("/review/{match}")
async def review(request: Request, context: Context, match: MatchId) -> Response:
    """The review of a finished match; of one that goes on nothing is told."""
    return await context.build(lambda: _review_page(request, context, match))


def _review_page(request: Request, context: RequestContext, match: str) -> Response:
    live = finished_match(context, match)
    view = context.view(live, context.reader_seat(live))
    found = review_match(view)
    words = ReviewWords(found, live, live.stored.seat_of(context.visitor.id), view.t)
    has_board = view.page == "table" and bool(found.moves)
    return page(
        request, context, "review", folder=view.folder(),
        live=live, view=view, visitor=context.visitor.id, e=view.t, review=found, words=words, grades=GRADES, percent=percent, title=view.title(view.t),
        chances=chance_chart(found), scores=score_chart(found, live.game.goal), turned={hand.hand + 1 for hand in found.turning_points}, has_board=has_board,
        is_other_target=isinstance(live.game, Truco) and live.game.target != Truco.named(live.game.rules_name).target,
        readings=read_seat(view), link=lambda hand, number: _address(view, hand, number), setup=_setup(context, view, found) if has_board else None,
    )  # fmt: skip


def _address(view: TableView, hand: ReviewedHand, number: int) -> str:
    """Where the position after a move can be looked at."""
    if view.page == "table":
        return f"/replay/{view.live.id}/{number}"
    step = number - view.live.number(view.live.places_of(hand.hand)[0])
    return f"/table/{view.live.id}/hands/{hand.hand + 1}?step={step}"


def _setup(context: RequestContext, view: TableView, found: MatchReview) -> dict[str, Any]:
    """What the script of the board begins with."""
    live = view.live
    first = (found.worst or found.moves)[0]
    return {
        "match": live.id, "seat": view.seat, "me": live.stored.seat_of(context.visitor.id), "names": list(view.names),
        "target": live.game.goal, "flor": isinstance(live.game, Truco) and live.game.rules.flor, "deck": static("deck.svg"),
        "form_key": context.form_key, "number": first.number, "texts": context.texts.under(*BOARD_TEXTS),
    }  # fmt: skip


def chance_chart(found: MatchReview) -> Chart | None:
    """The reader's chance to win the match, before the first hand and after every one."""
    if not found.hands or found.hands[0].chance_before is None:
        return None
    chances = [found.hands[0].chance_before, *(hand.chance_after or 0.0 for hand in found.hands)]
    return draw_chart([chances], 0.0, 1.0, HALVES)


def score_chart(found: MatchReview, goal: int) -> Chart | None:
    """The score of every team, the reader's first."""
    if not found.hands:
        return None
    teams = range(len(found.hands[0].before))
    rows = [[found.hands[0].before[team], *(hand.after[team] for hand in found.hands)] for team in teams]
    low, high, marks = score_marks(rows, goal if len(rows) == 2 else 0)
    return draw_chart(rows, low, high, marks)
