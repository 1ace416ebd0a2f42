"""Server-sent events: every new position of a match, told to the seat that listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Final

from retruco.web.people.phrases import Phrase
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_notifier import TooManyListeners
from retruco.web.tables.table_registry import TableRegistry
from retruco.web.tables.table_view import Json, TableView

A_FEW: Final = 8
"""So many new positions do not wait behind the large answers of their address."""


async def stream(
    registry: TableRegistry,
    match: str,
    view_of: Callable[[LiveTable], TableView],
    after: int,
    visitor: str,
    address: str,
) -> AsyncIterator[str]:
    """Tell the positions after a number, then every new one, until the match is over or nobody listens."""
    try:
        with registry.notifier.listening(match, visitor, address) as rung:
            yield "retry: 1000\n\n"
            heard: int | None = None
            while not registry.closing:
                rung.clear()
                registry.presence.note_visit(match, visitor)
                live = await asyncio.to_thread(registry.find, match)
                while live is not None and live.last_number > after:
                    after, text = await _page(registry, view_of(live), after, address)
                    if not text:
                        break
                    yield text
                if live is not None:
                    heard = live.phrases.count if heard is None else heard
                    for phrase in live.phrases.since(heard):
                        heard = phrase.number
                        yield phrase_message(phrase)
                if live is None or live.end is not None:
                    yield f"event: {'gone' if live is None else 'over'}\ndata: {{}}\n\n"
                    return
                seconds = registry.preparing(live)
                if seconds is not None:
                    yield f"event: preparing\ndata: {json.dumps({'seconds': round(seconds)})}\n\n"
                yield await _wait(rung, registry.settings.heartbeat if seconds is None else 1.0)
    except TooManyListeners:
        yield "event: crowded\ndata: {}\n\n"


async def _page(registry: TableRegistry, view: TableView, after: int, address: str) -> tuple[int, str]:
    """Write the next positions down in another thread; give the number of the last, and the text."""

    def write() -> tuple[int, str]:
        frames = view.frames(after)
        return (frames[-1]["number"] if frames else after), "".join(map(sse_message, frames))

    if view.live.last_number - after > A_FEW:
        return await registry.workers.build(address, write, patient=True)
    return await asyncio.to_thread(write)


async def _wait(rung: asyncio.Event, seconds: float) -> str:
    """Wait for a notification; now and then say that the line still stands."""
    try:
        await asyncio.wait_for(rung.wait(), seconds)
    except TimeoutError:
        return ": still here\n\n"
    return ""


def phrase_message(phrase: Phrase) -> str:
    r"""Write something that was said as an event; it has no number of a position.

    >>> phrase_message(Phrase(1, 0, "bluff"))
    'event: phrase\ndata: {"seat": 0, "phrase": "bluff"}\n\n'
    """
    return f"event: phrase\ndata: {json.dumps({'seat': phrase.seat, 'phrase': phrase.phrase})}\n\n"


def sse_message(frame: Json) -> str:
    r"""Write a position as one event, numbered so that a browser can go on where it was cut off.

    >>> sse_message({"number": 3})
    'id: 3\ndata: {"number":3}\n\n'
    """
    return f"id: {frame['number']}\ndata: {json.dumps(frame, separators=(',', ':'))}\n\n"
