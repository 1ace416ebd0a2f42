"""The JSON interface of the live table, for every game: open a match, act, listen, and look back when it is over."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from starlette.responses import JSONResponse, Response, StreamingResponse

from retruco.agents.registry import roster
from retruco.arena.table import OutOfTurn
from retruco.games.core import Game, IllegalAction
from retruco.web.account.statistics import statistics
from retruco.web.core.numbers import read_number
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.core.store import Kind, Sitter
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.events import stream
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.stored_table import MatchOver, NothingToTakeBack, Stale
from retruco.web.tables.table_view import PAGE, games_with_views, view_class

MOST_TIMES = 2
"""At the web table a match goes to twice the points of its variant at most: it is held in memory and sent around."""
MOST_TARGET = 1000
"""No variant of any game goes further."""

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["table"])
After = Annotated[int, Query(ge=-1, le=10_000_000, description="Only what is newer than this number.")]


class Refusal(BaseModel):
    """What a refused request is answered with."""

    error: str
    message: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": what}
    for status, what in (
        (400, "This cannot be done here."),
        (403, "Not yours to do."),
        (404, "There is no such match."),
        (409, "The table has moved on."),
        (413, "Too long."),
        (422, "The request makes no sense."),
        (429, "Too much at once."),
    )
}


class MatchOptions(BaseModel):
    """What to play: against whom, by which rules, to how many points."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field("truco", max_length=40)
    opponent: str = Field(
        "",
        max_length=400,
        description="A level or an agent for every other seat, or one for each with commas between them, from the left on.",
    )
    rules: str | None = Field(
        None, max_length=40, description="A variant of the game; the usual one if none is named."
    )
    target: StrictInt | None = Field(None, ge=1, le=MOST_TARGET)
    practice: StrictBool = False
    guided: StrictBool = Field(False, description="A real match with help, which does not count.")


class MatchRequest(MatchOptions, Contribution):
    """What to play, and what one gives to the deals."""


class Answer(BaseModel):
    """An action, with the number of the position it answers."""

    model_config = ConfigDict(extra="forbid")
    number: StrictInt = Field(ge=0, le=10_000_000)
    action: str = Field(max_length=40)


class PositionNumber(BaseModel):
    """The number of the position that a request refers to."""

    model_config = ConfigDict(extra="forbid")
    number: StrictInt = Field(ge=0, le=10_000_000)


def open_match(context: RequestContext, options: MatchRequest) -> LiveTable:
    """Open a match against agents, if its options make sense."""
    if (options.practice or options.guided) and not view_class(options.game).has_practice:
        raise Refused(400, "error.no_practice", game=options.game)
    game, names = read_table(options.game, options.rules, options.target, options.opponent)
    agents = [context.registry.agents.find_name(options.game, name) for name in names]
    with context.place():
        shares = context.registry.draws.take(context.visitor.id, options)
        sitters = (Sitter(visitor=context.visitor.id), *(Sitter(agent=name) for name in agents))
        kind: Kind = "practice" if options.practice else "guided" if options.guided else "match"
        return context.registry.open(game, sitters, kind, shares=shares)


def read_table(
    game: str, rules: str | None, target: int | None, opponents: str
) -> tuple[Game, tuple[str, ...]]:
    """Read what is to be played and who sits in the other seats; one name is for all of them."""
    view = view_class(game)
    names = tuple(name.strip() for name in opponents.split(",")) if opponents else view.usual
    table = game_of(game, rules, target, len(names) + 1 if len(names) > 1 else None)
    if len(names) == 1:
        names *= table.seats - 1
    if len(names) != table.seats - 1:
        raise Refused(400, "error.bad_seats", count=len(names), seats=table.seats)
    return table, names


def game_of(game: str, rules: str | None, target: int | None, seats: int | None = None) -> Game:
    """Find what is to be played; refused if there is no such variant, or it would last too long."""
    view = view_class(game)
    rules = rules or view.rules[0]
    if seats is not None and seats not in view.sizes:
        raise Refused(400, "error.bad_size", count=seats, sizes=", ".join(map(str, view.sizes)))
    try:
        usual = view.set_table(rules, seats)
    except ValueError:
        raise Refused(400, "error.unknown_rules", name=rules) from None
    most = MOST_TIMES * usual.goal
    if target is not None and target > most:
        raise Refused(400, "error.target_too_high", most=most)
    return usual if target is None else view.set_table(rules, seats, target)


@router.get("/games")
def games() -> Json:
    """List the games that can be played here, with their variants and the agents that sit down."""
    return {"games": [_describe_game(game) for game in games_with_views()]}


@router.get("/opponents", responses=REFUSALS)
def opponents(game: Annotated[str, Query(max_length=40)] = "truco") -> Json:
    """List whom one can play against, who plays at each level, and the variants."""
    return _describe_game(game)


def _describe_game(game: str) -> Json:
    view, known = view_class(game), roster(game)
    tables = {rules: view.set_table(rules) for rules in view.rules}
    return {
        "game": game,
        "seats": list(view.sizes),
        "levels": dict(view.levels),
        "opponents": [{"name": name, "style": known[name].style} for name in view.agents()],
        "rules": {
            rules: {"summary": getattr(getattr(table, "rules", None), "summary", ""), "target": table.goal}
            for rules, table in tables.items()
        },
    }


@router.get("/me")
def me(context: Context) -> Json:
    """Count one's own matches, and list them."""
    return statistics(context.registry.store.of_visitor(context.visitor.id), context.visitor.id)


@router.post("/matches", status_code=201, responses=REFUSALS)
def open_one(context: SignedContext, options: MatchRequest) -> Json:
    """Open a match against an agent."""
    live = open_match(context, options)
    return {"match": live.id, "draw": public_shares(live.stored)}


@router.post("/draws", status_code=201, responses=REFUSALS)
def commit(context: SignedContext) -> Json:
    """Let the server commit itself to a secret before one contributes to the deals of a match; it serves once."""
    return {"commitment": context.registry.draws.commit(context.visitor.id)}


@router.get("/matches/{match}", responses=REFUSALS)
async def look(context: Context, match: MatchId, after: After = -1) -> Response:
    """Show one's own match as one's seat sees it: up to 200 positions after a number, and the number of the last."""

    def build() -> Response:
        live = context.match(match)
        seat = context.seat(live)
        context.registry.wake(live)
        context.registry.presence.note_visit(match, context.visitor.id)
        frames, last = context.view(live, seat).frames(after), live.last_number
        return JSONResponse({"match": live.id, "seat": seat, "frames": frames, "last": last})

    return await context.build(build)


@router.get("/matches/{match}/hands", responses=REFUSALS)
async def hands(context: Context, match: MatchId) -> Response:
    """Show the finished hands of one's own match, the last 200, as far as they were shown to one's seat."""

    def build() -> Response:
        live = context.match(match)
        seat = context.seat(live)
        view = context.view(live, seat)
        with live.lock:
            ends = [place for place, one in enumerate(live.positions) if one.state.outcome is not None]
            frames = [view.frame(place) for place in ends[-PAGE:]]
        return JSONResponse({"match": live.id, "hands": frames})

    return await context.build(build)


@router.get("/matches/{match}/events", responses=REFUSALS, response_class=Response)
def listen(
    context: Context,
    match: MatchId,
    after: After = -1,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> Response:
    """Listen to one's own match: every new position as a server-sent event."""
    live = context.match(match)
    seat = context.seat(live)
    context.registry.wake(live)
    seen = read_number(last_event_id, 0, 10_000_000)
    after = after if seen is None else max(after, seen)
    view_of = partial(context.view, seat=seat)
    lines = stream(context.registry, match, view_of, after, context.visitor.id, context.address)
    return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


@router.post("/matches/{match}/act", responses=REFUSALS)
def act(context: SignedContext, match: MatchId, answer: Answer) -> Json:
    """Act in one's own seat; the answer is stored when this returns."""
    live = context.match(match)
    seat = context.seat(live)
    asks = live.question
    if live.stored.sitters[seat].is_pupil and (asks is None or asks.number != answer.number):
        raise Refused(409, "teach.not_asked")
    with refuse_table_errors():
        live.act(seat, answer.action, answer.number, asks.scenario if asks else None)
    return publish_progress(context, live, seat, answer.number)


@router.post("/matches/{match}/resign", responses=REFUSALS)
def resign(context: SignedContext, match: MatchId, at: PositionNumber) -> Json:
    """Give the match up, or leave the table."""
    live = context.match(match)
    seat = context.seat(live)
    with refuse_table_errors():
        live.give_up(seat, at.number, view_class(live.game.name).leaving)
    return publish_progress(context, live, seat, at.number - 1)


@router.post("/matches/{match}/take-back", responses=REFUSALS)
def take_back(context: SignedContext, match: MatchId, at: PositionNumber) -> Json:
    """Go back to one's last decision, in open practice only."""
    live = context.match(match)
    seat = context.seat(live)
    if not live.is_practice:
        raise Refused(403, "practice.only_here")
    with refuse_table_errors():
        live.take_back(seat, at.number)
    return publish_progress(context, live, seat, at.number)


@router.post("/matches/{match}/again", status_code=201, responses=REFUSALS)
def again(context: SignedContext, match: MatchId) -> Json:
    """Play the deals of a finished match once more, with the seats swapped."""
    live = context.match(match)
    context.seat(live)
    if live.end is None:
        raise Refused(409, "replay.not_yet")
    if live.stored.kind not in ("match", "again") or live.game.seats != 2:
        raise Refused(403, "error.forbidden")
    with context.place():
        return {"match": context.registry.open_again(live, context.visitor.id).id}


def publish_progress(context: RequestContext, live: LiveTable, seat: int, after: int) -> Json:
    """Tell everybody that a match has gone on, and the one who did it how it stands."""
    context.registry.presence.note_visit(live.id, context.visitor.id)
    frames = context.view(live, seat).frames(after)
    context.registry.publish_progress(live)
    return {"match": live.id, "seat": seat, "frames": frames}


class refuse_table_errors:  # noqa: N801  used like a function: `with refuse_table_errors():`
    """Turns what the table refuses into a refusal of the request."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Stale):
            raise Refused(409, "error.stale") from error
        if isinstance(error, NothingToTakeBack):
            raise Refused(409, "practice.nothing_to_take_back") from error
        if isinstance(error, MatchOver):
            raise Refused(409, "error.match_over") from error
        if isinstance(error, OutOfTurn):
            raise Refused(409, "error.not_your_turn") from error
        if isinstance(error, IllegalAction):
            raise Refused(400, "error.illegal", action=str(error.action)) from error
