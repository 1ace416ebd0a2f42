"""Server-sent events: every new position of a match, told to the seat that listens, or to those who watch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

from retruco.web.people.phrases import Phrase
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_notifier import TooManyListeners
from retruco.web.tables.table_registry import TableRegistry
from retruco.web.tables.table_view import Json, TableView

A_FEW: Final = 8
"""So many new positions do not wait behind the large answers of their address."""
ViewOf = Callable[[LiveTable], TableView]


async def stream(
    registry: TableRegistry, match: str, view_of: ViewOf, after: int, visitor: str, address: str
) -> AsyncIterator[str]:
    """Tell a seat the positions after a number, then every new one, until the match is over or nobody listens."""
    news = MatchNews(view_of, after)

    async def build(work: Callable[[], str], is_large: bool) -> str:
        if is_large:
            return await registry.workers.build(address, work, patient=True)
        return await asyncio.to_thread(work)

    try:
        with registry.notifier.listening(match, visitor, address) as rung:
            yield "retry: 1000\n\n"
            while not registry.closing:
                rung.clear()
                registry.presence.note_visit(match, visitor)
                live = await asyncio.to_thread(registry.find, match)
                while live is not None and news.has_positions(live):
                    text = await build(partial(news.positions, live), news.is_long(live))
                    if not text:
                        break
                    yield text
                if live is not None:
                    yield news.phrases(live)
                if live is None or live.end is not None:
                    yield _event("gone" if live is None else "over")
                    return
                seconds = registry.preparing(live)
                if seconds is not None:
                    yield _event("preparing", seconds=round(seconds))
                yield await _wait(rung, registry.settings.heartbeat if seconds is None else 1.0)
    except TooManyListeners:
        yield _event("crowded")


async def watch_stream(
    registry: TableRegistry, match: str, view_of: ViewOf, after: int, visitor: str, address: str
) -> AsyncIterator[str]:
    """Tell a spectator every new position, and how many watch, as long as the people at the table let them.

    Spectators have lines and a thread of their own: they take nothing from those who play.
    """
    spectators, news = registry.spectators, MatchNews(view_of, after)
    try:
        with spectators.listening(match, visitor, address) as rung:
            yield "retry: 1000\n\n"
            while not registry.closing:
                rung.clear()
                live = await spectators.build(lambda: registry.find(match))
                if live is None or not live.stored.is_watchable:
                    yield _event("closed")
                    return
                while news.has_positions(live):
                    text = await spectators.build(partial(news.positions, live))
                    if not text:
                        break
                    yield text
                yield news.phrases(live) + _event("watchers", count=spectators.count(match))
                if live.end is not None:
                    yield _event("over")
                    return
                yield await _wait(rung, registry.settings.heartbeat)
    except TooManyListeners:
        yield _event("crowded")


class MatchNews:
    """What a listener has not been told yet of a match, written as events."""

    def __init__(self, view_of: ViewOf, after: int) -> None:
        self._view_of, self._after = view_of, after
        self._heard: int | None = None
        self._told_end = False

    def has_positions(self, live: LiveTable) -> bool:
        """Whether there is a position to tell; the last one is told again when somebody gives the match up in it."""
        return live.last_number > self._after or (live.end is not None and not self._told_end)

    def is_long(self, live: LiveTable) -> bool:
        """Whether there are many positions to tell."""
        return live.last_number - self._after > A_FEW

    def positions(self, live: LiveTable) -> str:
        """Write the next positions down, one page of them; nothing while a pupil thinks."""
        frames = self._view_of(live).frames(min(self._after, live.last_number - 1))
        self._after = frames[-1]["number"] if frames else self._after
        self._told_end = live.end is not None and self._after == live.last_number
        return "".join(map(sse_message, frames))

    def phrases(self, live: LiveTable) -> str:
        """Write down what was said since the listener came."""
        self._heard = live.phrases.count if self._heard is None else self._heard
        said = live.phrases.since(self._heard)
        self._heard = said[-1].number if said else self._heard
        return "".join(map(phrase_message, said))


async def _wait(rung: asyncio.Event, seconds: float) -> str:
    """Wait for a notification; now and then say that the line still stands."""
    try:
        await asyncio.wait_for(rung.wait(), seconds)
    except TimeoutError:
        return ": still here\n\n"
    return ""


def _event(name: str, **data: object) -> str:
    r"""Write something that is no position as an event.

    >>> _event("watchers", count=2)
    'event: watchers\ndata: {"count": 2}\n\n'
    """
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def phrase_message(phrase: Phrase) -> str:
    r"""Write something that was said as an event; it has no number of a position.

    >>> phrase_message(Phrase(1, 0, "bluff"))
    'event: phrase\ndata: {"seat": 0, "phrase": "bluff"}\n\n'
    """
    return _event("phrase", seat=phrase.seat, phrase=phrase.phrase)


def sse_message(frame: Json) -> str:
    r"""Write a position as one event, numbered so that a browser can go on where it was cut off.

    >>> sse_message({"number": 3})
    'id: 3\ndata: {"number":3}\n\n'
    """
    return f"id: {frame['number']}\ndata: {json.dumps(frame, separators=(',', ':'))}\n\n"
