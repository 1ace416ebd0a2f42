"""The review of a match: why a move was made, what others would have played, and the whole replay.

A match that still goes on tells nothing here, except in open practice.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse, Response

from retruco.agents.truco.policies import TWENTY
from retruco.web.core.refusals import Refused, forbidden
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.review.match_review import review_match
from retruco.web.review.why import decision_json, sentence
from retruco.web.tables.draws import open_shares
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_routes import REFUSALS, After, PositionNumber
from retruco.web.tables.table_view import view_class

Json = dict[str, Any]
router = APIRouter(prefix="/api/matches/{match}", tags=["looking back"])
STAND_IN: Final = "elena"
"""The level that plays in the seat of a person when somebody plays on from a review."""
Number = Annotated[int, Path(ge=0, le=10_000_000, description="The number of a position.")]


def open_match(context: RequestContext, match: str) -> LiveTable:
    """Find a match whose cards may be shown: a finished one, or one's own open practice."""
    live = context.match(match)
    if live.end is None and not live.is_practice:
        raise Refused(403, "replay.not_yet")
    if live.is_practice and live.stored.seat_of(context.visitor.id) is None:
        raise forbidden()
    return live


def place_of(live: LiveTable, number: int) -> int:
    """Find a position by its number."""
    place = number - live.stored.skipped
    if not 0 <= place < len(live.positions):
        raise Refused(404, "error.no_position")
    return place


def find_move(live: LiveTable, number: int) -> tuple[int, int, str]:
    """The place from which a position was reached, by whom, and how."""
    place = place_of(live, number)
    moved = live.positions[place].moved
    if moved is None:
        raise Refused(404, "error.no_move")
    return place - 1, moved.seat, moved.action


@router.get("/replay", responses=REFUSALS)
async def replay(
    context: Context, match: MatchId, seat: Annotated[int | None, Query(ge=0, le=9)] = None, after: After = -1
) -> Response:
    """Show a finished match position by position, as a seat saw it, with everybody's cards.

    An answer has up to 200 positions after a number, and the number of the last one; how the deals were drawn is in the first.
    """

    def build() -> Response:
        live = open_match(context, match)
        looking = context.reader_seat(live) if seat is None else seat
        if looking >= live.game.seats:
            raise Refused(404, "error.not_found")
        page = {
            "match": live.id,
            "seat": looking,
            "frames": context.view(live, looking).frames(after, open_cards=True),
            "last": live.last_number,
        }
        return JSONResponse(page | draw_evidence(live) if after < 0 else page)

    return await context.build(build)


def draw_evidence(live: LiveTable) -> Json:
    """How the deals of a finished match were drawn: who began, the shares, every deal with its seal."""
    return {
        "first": live.stored.first,
        "origin": live.stored.origin,
        "draw": open_shares(live.stored),
        "seals": [{"salt": one.salt, "deal": one.text, "seal": one.seal} for one in live.deals],
    }


@router.get("/why/{number}", responses=REFUSALS)
async def why(context: Context, match: MatchId, number: Number) -> Json:
    """Say why the move that led to a position was made, if an agent made it."""

    def build() -> Json:
        live = open_match(context, match)
        place, seat, action = find_move(live, number)
        agent = live.stored.sitters[seat].agent
        if agent is None:
            raise Refused(404, "error.own_move")
        decision = context.registry.agents.decide(agent, live, place, seat)
        why = context.view(live, seat).explain(place + 1, decision)
        return {"agent": agent, "seat": seat, "played": action, **why}

    return await context.build(build)


@router.get("/others/{number}", responses=REFUSALS)
async def others(context: Context, match: MatchId, number: Number) -> Json:
    """Say what each of the twenty would have played in place of the move that led to a position."""

    def build() -> Json:
        live = open_match(context, match)
        place, seat, action = find_move(live, number)
        if live.game.name != "truco":
            raise Refused(404, "error.not_found")
        agents = context.registry.agents
        decided = {name: agents.decide(name, live, place, seat) for name in TWENTY}
        answers = [
            {"agent": name, "action": decision.action, "sentence": sentence(decision, context.texts)}
            for name, decision in decided.items()
        ]
        return {"seat": seat, "played": action, "answers": answers}

    return await context.build(build)


@router.get("/review", responses=REFUSALS)
async def review(context: Context, match: MatchId) -> Response:
    """Judge every decision of a finished match: what it lost, the worst moves, the turning points."""

    def build() -> Response:
        live = finished_match(context, match)
        return JSONResponse(review_match(context.view(live, context.reader_seat(live))).as_json())

    return await context.build(build)


@router.get("/review/{number}", responses=REFUSALS)
async def reviewed_move(context: Context, match: MatchId, number: Number) -> Response:
    """Show a decision of a finished match: the position before it, after it, and after the better move, if there is one."""

    def build() -> Response:
        live = finished_match(context, match)
        place = find_move(live, number)[0] + 1
        view = context.view(live, context.reader_seat(live))
        judged = view.judge_move(place)
        played, better = live.positions[place].moved, judged.best_for_match if judged else None
        is_same = played is None or better is None or better == played.action
        return JSONResponse(
            {
                "before": view.frame(place - 1, open_cards=True),
                "played": view.frame(place, open_cards=True),
                "better": None if is_same or better is None else view.frame_instead(place, better),
            }
        )

    return await context.build(build)


@router.post("/play-on", status_code=201, responses=REFUSALS)
def play_on(context: SignedContext, match: MatchId, at: PositionNumber) -> Json:
    """Play on in open practice from the decision that led to a position of a finished match.

    One takes the seat of who decided. The cards of the hand are as they were, and the next hands are dealt anew.
    """
    live = finished_match(context, match)
    if not view_class(live.game.name).has_practice:
        raise Refused(400, "error.no_practice", game=live.game.name)
    place = find_move(live, at.number)[0]
    stand_in = context.registry.agents.find_name(live.game.name, STAND_IN)
    with context.place():
        return {"match": context.registry.open_from(live, place, context.visitor.id, stand_in).id}


def finished_match(context: RequestContext, match: str) -> LiveTable:
    """Find a match that is over, and no practice."""
    live = context.match(match)
    if live.end is None or live.is_practice:
        raise Refused(403, "replay.not_yet")
    return live


@router.get("/hint", responses=REFUSALS)
def hint(context: Context, match: MatchId, agent: Annotated[str, Query(max_length=40)] = "balanced") -> Json:
    """Say what an agent would do in one's place now, in open practice and in guided matches only."""
    live = context.match(match)
    seat = context.seat(live)
    if not live.gives_advice:
        raise Refused(403, "guide.only_here")
    name = context.registry.agents.find_name(live.game.name, agent)
    with live.lock:
        if live.to_act != seat:
            raise Refused(409, "error.not_your_turn")
        place = len(live.positions) - 1
    decision = context.registry.agents.decide(name, live, place, seat)
    return {"agent": name, **decision_json(decision, context.texts)}


@router.get("/export", responses=REFUSALS)
async def export(context: Context, match: MatchId) -> Response:
    """Save a finished match: every hand in the notation, and the seals with what they sealed."""
    return await context.build(lambda: _download(open_match(context, match)))


def _download(live: LiveTable) -> Response:
    whole = {
        "game": live.game.name,
        "match": live.id,
        "rules": live.stored.rules,
        "target": live.stored.target,
        "agents": [one.agent or "person" for one in live.stored.sitters],
        "winner": live.end.winner if live.end else None,
        "ending": live.end.ending if live.end else None,
        "hands": _records(live),
        **draw_evidence(live),
    }
    headers = {"Content-Disposition": f'attachment; filename="{live.game.name}-{live.id}.json"'}
    return JSONResponse(whole, headers=headers)


def _records(live: LiveTable) -> list[Json]:
    """The last position of every hand as a record, the one that was broken off included."""
    last = {position.hand: position.state for position in live.positions}
    return [state.record() for _, state in sorted(last.items())]
