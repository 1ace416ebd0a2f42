"""The interface for other people's bots: a token, a seat, and at every turn what the seat sees.

    POST /api/bots                       a token
    DELETE /api/bots                     the end of the token
    POST /api/bots/matches               a seat
    GET  /api/bots/matches/M/turn        what the seat sees, as soon as it is to act (long poll)
    POST /api/bots/matches/M/act         the answer, with the number of the position it answers

docs/bots.md has a bot of twenty lines.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from starlette.responses import JSONResponse, Response

from retruco.web.bots import bot_matches
from retruco.web.bots.bot_matches import AsBot
from retruco.web.core.fast_route import FastRoute
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId
from retruco.web.people.profiles import LONGEST_NAME, clean_name
from retruco.web.tables.draws import Contribution
from retruco.web.tables.match_routes import (
    MOST_TARGET,
    REFUSALS,
    After,
    Answer,
    PositionNumber,
    Refusal,
    read_table,
    refuse_table_errors,
)
from retruco.web.tables.table_view import view_class

LONGEST_WAIT = 30

Json = dict[str, Any]
router = APIRouter(prefix="/api/bots", tags=["bots"])
turns = APIRouter(prefix="/api/bots", tags=["bots"], route_class=FastRoute)
"""What every bot asks all the time."""
ANSWERS: dict[int | str, dict[str, Any]] = {
    401: {"model": Refusal, "description": "No token, or none of ours."},
    **REFUSALS,
}


class NewBot(BaseModel):
    """A bot that wants to play."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=LONGEST_NAME, min_length=1)
    keep: StrictBool = Field(False, description="Whether the hands it plays may be kept as cases.")


class BotToken(BaseModel):
    """What a bot shows with every request; it is told once."""

    token: str
    name: str
    expires: float = Field(description="Until when the token is valid, in seconds since 1970.")
    rule: Json


class BotMatchRequest(Contribution):
    """What a bot wants to play, with whom, and what it gives to the deals."""

    game: str = Field("truco", max_length=40)
    opponent: str = Field(
        "",
        max_length=400,
        description="A level or an agent for every other seat, one for each with commas between them, or `bot` for another bot.",
    )
    rules: str | None = Field(
        None, max_length=40, description="A variant of the game; the usual one if none is named."
    )
    target: StrictInt | None = Field(None, ge=1, le=MOST_TARGET)


class BotSeat(BaseModel):
    """The name of the match, and what loses it without being played out."""

    match: str
    rule: Json


class MatchEnd(BaseModel):
    """How a match ended."""

    winner: int | None
    ending: str


class Turn(BaseModel):
    """How a match stands, as one seat sees it."""

    match: str
    state: str = Field(description="`waiting` for another bot, `playing`, or `over`.")
    your_turn: bool
    number: int = Field(description="The number that an answer must name.")
    seat: int | None = None
    hand: int | None = Field(None, description="How many hands were finished before this one.")
    seal: str | None = Field(None, description="The seal of this hand's cards, shown before they are played.")
    seen: Json | None = Field(
        None, description="What the seat sees, in the form of its game, with `legal` among the rest."
    )
    decision: int | None = Field(None, description="How many times the seat has acted in this hand.")
    scores: list[int] | None = Field(None, description="The points of each team.")
    seconds_left: float | None = None
    errors: int = 0
    end: MatchEnd | None = None


@turns.get("/matches/{match}/turn", responses=ANSWERS, response_model=Turn)
async def turn(
    bot: AsBot,
    match: MatchId,
    after: After = -1,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait at most.")] = 0,
) -> Response:
    """Wait for the bot's turn: answers as soon as it is to act, the match is over, or the wait is."""
    return JSONResponse(await bot_matches.next_turn(bot, match, after, wait))


@turns.post("/matches/{match}/act", responses=ANSWERS, response_model=Turn)
def act(bot: AsBot, match: MatchId, answer: Answer) -> Response:
    """Answer a position; the answer is stored when this returns."""
    return JSONResponse(bot_matches.answer(bot, bot.match(match), answer.number, answer.action))


@router.post("", status_code=201, responses=REFUSALS)
def new_bot(context: Context, wanted: NewBot) -> BotToken:
    """Get a token for a bot. It is told once, and whoever has it plays as the bot."""
    if not clean_name(wanted.name):
        raise Refused(422, "error.malformed")
    return BotToken(**bot_matches.new_bot(context, wanted.name, wanted.keep))


@router.delete("", status_code=204, responses=ANSWERS)
def revoke(bot: AsBot) -> Response:
    """Revoke one's own token: nobody can play with it any more, and matches going on are lost by the clock."""
    bot.registry.tokens.revoke(bot.id)
    return Response(status_code=204)


@router.post("/matches", status_code=201, responses=ANSWERS)
def sit_down(bot: AsBot, options: BotMatchRequest) -> BotSeat:
    """Open a match against agents of the house, or wait for another bot that wants the same."""
    game, opponents = read_table(options.game, options.rules, options.target, options.opponent)
    return BotSeat(**bot_matches.sit_down(bot, game, opponents, options))


@router.post("/draws", status_code=201, responses=ANSWERS)
def commit(bot: AsBot) -> Json:
    """Let the server commit itself to a secret before the bot contributes to the deals of a match; it serves once."""
    return {"commitment": bot.registry.draws.commit(bot.id)}


@router.get("/matches/{match}/hands", responses=ANSWERS)
def hands(bot: AsBot, match: MatchId, after: After = -1) -> Json:
    """Show the finished hands of a match, as the bot's seat saw them end."""
    live = bot.match(match)
    return {"match": match, "hands": bot_matches.finished_hands(bot, live, after)}


@router.post("/matches/{match}/resign", responses=ANSWERS, response_model=Turn)
def resign(bot: AsBot, match: MatchId, at: PositionNumber) -> Response:
    """Give the match up."""
    live = bot.match(match)
    seat = bot.seat(live)
    with refuse_table_errors():
        live.give_up(seat, at.number, view_class(live.game.name).leaving)
    bot.registry.publish_progress(live)
    return JSONResponse(bot_matches.turn(bot, live))
