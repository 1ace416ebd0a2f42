"""Other people's bots: a token instead of a cookie, what a bot is told at its turn, and what loses it a match."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from retruco.arena.table import OutOfTurn
from retruco.games.core import Action, Game, IllegalAction, Seat
from retruco.web.core.identity import Visitor, bearer_id, new_name
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.request_context import RequestContext, address_of
from retruco.web.core.settings import Limits
from retruco.web.core.store import Sitter
from retruco.web.tables.draws import Contribution
from retruco.web.tables.fairness import Share
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_notifier import TooManyListeners
from retruco.web.tables.stored_table import MatchOver, Stale
from retruco.web.tables.table_registry import TableRegistry

Json = dict[str, Any]

ANY_BOT = "bot"
"""The opponent to name for who waits for another bot."""
bearer = HTTPBearer(auto_error=False, description="The token that `POST /api/bots` gave.")


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot that sends a request, and the table registry."""

    registry: TableRegistry
    id: str
    address: str

    def seat(self, live: LiveTable) -> Seat:
        """Its seat in a match; refused to everybody else."""
        seat = live.stored.seat_of(self.id)
        if seat is None:
            raise forbidden()
        return seat

    def match(self, name: str) -> LiveTable:
        """Find a match."""
        live = self.registry.find(name)
        if live is None:
            raise Refused(410, "people.emptied") if self.registry.is_emptied(name) else not_found()
        return live


async def bot_of(request: Request, _shown: Annotated[object, Depends(bearer)] = None) -> Bot:
    """Read which bot asks; refuse whom we gave no token. The second parameter is for the schema alone."""
    registry: TableRegistry = request.app.state.registry
    who = bearer_id(request.headers.get("authorization", ""))
    address = address_of(request)
    if not registry.tokens.use(who, address):
        raise Refused(401, "error.no_token")
    return Bot(registry, who, address)


AsBot = Annotated[Bot, Depends(bot_of)]


def new_bot(context: RequestContext, name: str, keep: bool) -> Json:
    """Give a bot its token; only the token's hash is kept."""
    token, registry = secrets.token_urlsafe(32), context.registry
    owner = "" if context.visitor.is_new else context.visitor.id
    known = registry.tokens.add(Visitor(token).id, owner, context.address)
    registry.people.add_bot(known.bot, name, keep)
    return {
        "token": token,
        "name": registry.people.find(known.bot).name,
        "expires": known.expires,
        "rule": rule(registry.settings.limits),
    }


def rule(limits: Limits) -> Json:
    """By what a bot loses a match without playing it out."""
    return {"seconds_a_move": limits.bot_seconds, "errors_that_lose": limits.bot_errors}


# Sitting down


def sit_down(bot: Bot, game: Game, opponents: tuple[str, ...], given: Contribution) -> Json:
    """Open a match against agents of the house, or with a bot that waits, or wait for one."""
    registry, limits = bot.registry, bot.registry.settings.limits
    if opponents == (ANY_BOT,):
        with registry.reservations.hold(registry.tokens.siblings(bot.id)):
            match = _with_another(bot, game, registry.draws.take(bot.id, given))
        return {"match": match, "rule": rule(limits)}
    agents = [registry.agents.find_name(game.name, name) for name in opponents]
    with registry.reservations.hold(registry.tokens.siblings(bot.id)):
        match = _with_agents(bot, agents, game, registry.draws.take(bot.id, given))
    return {"match": match, "rule": rule(limits)}


def _with_agents(bot: Bot, agents: Sequence[str], game: Game, share: tuple[Share, ...]) -> str:
    """Sit down with agents of the house."""
    sitters = (Sitter(visitor=bot.id), *(Sitter(agent=agent) for agent in agents))
    live = bot.registry.open(game, sitters, "bots", bot.registry.settings.limits.bot_seconds, shares=share)
    bot.registry.wake(live)
    return live.id


def _with_another(bot: Bot, game: Game, share: tuple[Share, ...]) -> str:
    """Sit down with a bot that waits, or wait."""
    registry, name = bot.registry, new_name()
    other = registry.lobby.call_or_wait(bot.id, game, name, share)
    if other is None:
        return name
    sitters = (Sitter(visitor=other.bot), Sitter(visitor=bot.id))
    shares = (*other.share, *(replace(one, seat=1) for one in share))
    registry.open(game, sitters, "bots", registry.settings.limits.bot_seconds, other.match, shares)
    registry.lobby.seated(other.match)
    registry.notify(other.match)
    return other.match


# Turns


async def next_turn(bot: Bot, match: str, after: int, wait: float) -> Json:
    """Wait until this bot is to act in a position after a number, or the match is over, or the time is up."""
    try:
        with bot.registry.bot_notifier.listening(match, f"{bot.id}/{match}", bot.address) as rung:
            deadline = asyncio.get_running_loop().time() + wait
            while True:
                rung.clear()
                told = await _turn(bot, match)
                left = deadline - asyncio.get_running_loop().time()
                if _is_news(told, after) or left <= 0 or bot.registry.closing:
                    return told
                try:
                    await asyncio.wait_for(rung.wait(), left)
                except TimeoutError:
                    continue
    except TooManyListeners:
        raise Refused(429, "error.too_many_polls") from None


async def _turn(bot: Bot, match: str) -> Json:
    # Whoever stops waiting has a table: asked in this order, a match that begins meanwhile is not missed.
    waits = bot.registry.lobby.still_waits(match, bot.id)
    live = bot.registry.find_in_memory(match) or await asyncio.to_thread(bot.registry.find, match)
    if live is not None:
        bot.registry.wake(live)
        return await _look(bot, live)
    if waits:
        return {"match": match, "state": "waiting", "your_turn": False, "number": -1}
    bot.match(match)
    raise not_found()


async def _look(bot: Bot, live: LiveTable) -> Json:
    """Look at a match at once or, while a move is being written down, from another thread: the loop never waits."""
    if not live.lock.acquire(blocking=False):
        return await asyncio.to_thread(turn, bot, live)
    try:
        return turn(bot, live)
    finally:
        live.lock.release()


def _is_news(told: Json, after: int) -> bool:
    return bool(told["state"] == "over" or (told["your_turn"] and told["number"] > after))


def turn(bot: Bot, live: LiveTable) -> Json:
    """Tell a bot how its match stands: nothing that its seat may not see."""
    seat = bot.seat(live)
    with live.lock:
        position, place = live.positions[-1], len(live.positions) - 1
        end = live.end
        return {
            "match": live.id,
            "state": "playing" if end is None else "over",
            "seat": seat,
            "number": live.last_number,
            "hand": position.hand,
            "seal": live.deals[position.hand].seal,
            "your_turn": live.to_act == seat,
            "seen": live.game.write_observation(position.state.observe(seat)),
            "decision": live.decisions_before(place, seat),
            "scores": list(live.table.match.scores),
            "seconds_left": live.seconds_left if live.to_act == seat else None,
            "errors": live.errors[seat],
            "end": None if end is None else {"winner": end.winner, "ending": end.ending},
        }


def finished_hands(bot: Bot, live: LiveTable, after: int) -> list[Json]:
    """The finished hands of a match with a number above one, as this bot's seat saw them end."""
    seat = bot.seat(live)
    with live.lock:
        ends = [one for one in live.positions if one.state.outcome is not None and one.hand > after]
    return [live.game.write_observation(end.state.observe(seat)) for end in ends]


def answer(bot: Bot, live: LiveTable, number: int, action: Action) -> Json:
    """Carry out a bot's answer. A late one loses the match; refused ones are counted, and too many lose it."""
    seat = bot.seat(live)
    if live.to_act == seat and live.seconds_left == 0.0:
        bot.registry.forfeit(live, seat, "late")
        raise Refused(409, "error.bot_late")
    try:
        live.act(seat, action, number)
    except MatchOver:
        raise Refused(409, "error.match_over") from None
    except (Stale, OutOfTurn):
        raise _count_error(bot, live, seat, Refused(409, "error.bot_stale", number=number)) from None
    except IllegalAction:
        raise _count_error(bot, live, seat, Refused(400, "error.bot_illegal", action=action)) from None
    told = turn(bot, live)
    bot.registry.publish_progress(live)
    return told


def _count_error(bot: Bot, live: LiveTable, seat: Seat, refused: Refused) -> Refused:
    """Count a refused answer; the last that is allowed loses the match."""
    most = bot.registry.settings.limits.bot_errors
    with live.lock:
        live.errors[seat] += 1
        count = live.errors[seat]
    if count >= most:
        bot.registry.forfeit(live, seat, "illegal")
    return Refused(refused.status, refused.key, count=count, most=most, **refused.values)
