"""Agents that play each other while somebody watches: the match is played at once and shown move by move."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from retruco.games.core import Game
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import RequestContext
from retruco.web.core.store import Sitter
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_notifier import TooManyListeners


def open_agent_match(context: RequestContext, game: Game, names: Sequence[str]) -> LiveTable:
    """Seat agents, and let them begin."""
    agents = context.registry.agents
    sitters = tuple(Sitter(agent=agents.find_name(game.name, name)) for name in names)
    live = context.registry.open(game, sitters, "watched")
    context.registry.wake(live)
    return live


async def wait_until_over(context: RequestContext, live: LiveTable, seconds: float) -> bool:
    """Wait for the end of a match; tell whether it has come."""
    try:
        async with asyncio.timeout(seconds):
            with context.registry.notifier.listening(live.id, context.visitor.id, context.address) as rung:
                while live.end is None and not context.registry.closing:
                    rung.clear()
                    context.registry.wake(live)
                    await rung.wait()
    except TooManyListeners:
        raise Refused(429, "error.too_many_streams") from None
    except TimeoutError:
        pass
    return live.end is not None
