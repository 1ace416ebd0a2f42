"""The pages of puzzles: the one of the day, any other, and what its moves are worth once it is answered."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import RedirectResponse, Response

from retruco.games.truco import Truco
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.web.core.drawing import static
from retruco.web.core.i18n import Texts
from retruco.web.core.refusals import Refused, not_found
from retruco.web.core.request_context import Context, RequestContext
from retruco.web.core.templates import Fields, page
from retruco.web.puzzles.puzzle_book import (
    Puzzle,
    PuzzleAnswer,
    PuzzleAnswers,
    daily_puzzle,
    next_puzzle,
    puzzles,
    solved_in_a_row,
    stars,
    streak,
    today,
)
from retruco.web.review.review_pages import BOARD_TEXTS
from retruco.web.review.review_words import loss_text, percent
from retruco.web.views.truco import name_action, still_frame

router = APIRouter(include_in_schema=False)
PuzzleId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}$")]


@router.get("/puzzles")
def puzzle_of_the_day(request: Request, context: Context) -> Response:
    """The puzzle of the day."""
    return _puzzle_page(request, context, daily_puzzle(today()))


@router.get("/puzzles/{name}")
def puzzle(request: Request, context: Context, name: PuzzleId) -> Response:
    """Any puzzle."""
    return _puzzle_page(request, context, _find(name))


@router.post("/puzzles/{name}")
def answer(context: Context, name: PuzzleId, fields: Fields) -> Response:
    """Answer a puzzle; only the first answer counts."""
    context.check_form(fields.get("form_key", ""))
    found, action = _find(name), fields.get("action", "")
    if action not in found.state.legal:
        raise Refused(400, "puzzle.illegal", action=action[:20])
    PuzzleAnswers(context.registry.store).add(context.visitor.id, found, action, today())
    return RedirectResponse(f"/puzzles/{name}", 303)


def _find(name: str) -> Puzzle:
    if name not in puzzles():
        raise not_found()
    return puzzles()[name]


def _puzzle_page(request: Request, context: RequestContext, found: Puzzle) -> Response:
    book, now = PuzzleAnswers(context.registry.store), today()
    answers = book.of(context.visitor.id)
    given = next((answer for answer in answers if answer.puzzle == found.id), None)
    missed, people = book.missed(found)
    days = {answer.day for answer in answers if answer.day and answer.solved}
    more = next_puzzle([*answers, PuzzleAnswer(found.id, "", False, None)])
    return page(
        request, context, "puzzle",
        puzzle=found, given=given, setup=_setup(context, found, is_open=given is not None), is_daily=found is daily_puzzle(now),
        missed=missed, people=people, stars=stars(missed), streak=streak(days, now), solved=sum(answer.solved for answer in answers),
        answered=len(answers), row=solved_in_a_row(answers), more=more, label=lambda action: name_action(action, context.texts),
        cards=", ".join(name_action(card, context.texts) for card in found.seen.held), choices=_choices(found), situation=_situation(found, context.texts), percent=percent, loss=loss_text,
    )  # fmt: skip


def _situation(found: Puzzle, texts: Texts) -> list[str]:
    """What has to be known, in sentences: the call that waits, what the hand is worth, the rounds."""
    frame, seat = still_frame(found.state, found.seen.seat), found.seen.seat
    if frame["waiting"] is not None:
        return [texts("puzzle.says", call=name_action(frame["waiting"], texts))]
    own, other = (frame["winners"].count(place) for place in (seat, 1 - seat))
    rounds = [texts("puzzle.rounds", own=own, other=other)] if frame["winners"] else []
    return [*rounds, texts("puzzle.worth_now", stake=frame["stake"])]


def _choices(found: Puzzle) -> list[tuple[str, str]]:
    """What may be answered, and of what kind it is: cards, calls, then cards face down."""
    kinds = {action: _kind(action) for action in found.seen.legal}
    order = ("card", "call", "down")
    return sorted(kinds.items(), key=lambda item: order.index(item[1]))


def _kind(action: str) -> str:
    if action.startswith(DOWN_PREFIX):
        return "down"
    return "card" if action[0].isdigit() else "call"


def _setup(context: RequestContext, found: Puzzle, is_open: bool) -> dict[str, Any]:
    """What the script of the board begins with; the other's cards only when the puzzle is answered."""
    seat, game = found.seen.seat, found.seen.game
    assert isinstance(game, Truco)
    names = [context.texts("table.you" if place == seat else "table.other") for place in (0, 1)]
    frame = {"number": 0, "hand": 0, **still_frame(found.state, seat, open_cards=is_open)}
    return {
        "match": "", "seat": seat, "me": seat, "names": names, "target": game.target, "flor": game.rules.flor, "open": is_open,
        "deck": static("deck.svg"), "form_key": context.form_key, "frame": frame, "texts": context.texts.under(*BOARD_TEXTS),
    }  # fmt: skip
