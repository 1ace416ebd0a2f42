"""Connections: how many there may be, how much of a request is read, and how long each part of it may take.

uvicorn reads headers of any size and waits for them for ever. A `Connection` counts the bytes before
they are parsed and has a deadline for every phase of a request. `Connections` holds all of them: it closes
those that are overdue, and the oldest idle ones when a new connection needs the room.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum
from http import HTTPStatus
from time import monotonic
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from retruco.web.core.rate_limits import Buckets, network_of
from retruco.web.core.settings import Limits

PIECE: Final = 4096
"""Bytes that the parser is given at a time; a limit is exceeded by one piece at most."""
LINGER: Final = 2.0
LINGER_BYTES: Final = 2**18
"""Seconds in which whoever was refused can read why, and bytes they may still send, before the connection is cut."""
BACKLOG: Final = 256
"""Connections that the system accepts before we look at them."""
OTHER_FILES: Final = 64 + BACKLOG
"""Descriptors left for the store, case bases, jobs, and connections that wait to be closed."""


class Phase(IntEnum):
    """What a connection is waiting for; when room is needed, the lowest are closed first."""

    REQUEST = 0
    HEADERS = 1
    BODY = 2
    ANSWER = 3
    CLOSING = 4


class TooManyHeaders(ValueError):
    """A request with more header fields than anybody needs."""


def most_connections(wanted: int) -> int:
    """Stay below the number of files that this process may open."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - OTHER_FILES))


class Connections(ServerState):
    """The open connections of a server."""

    def __init__(self, limits: Limits, behind_proxy: bool = False) -> None:
        super().__init__()
        self.limits = limits
        self._most, self._behind_proxy = most_connections(limits.connections), behind_proxy
        self._new = Buckets(limits.connections_per_second, limits.connections_burst)
        self._by_address: dict[str, set[Connection]] = defaultdict(set)

    def is_hasty(self, address: str) -> bool:
        """Whether an address opens connections faster than it can need them; a proxy opens those of everybody."""
        return not self._behind_proxy and not self._new.take(address, monotonic())

    def admit(self, new: Connection) -> bool:
        """Count a new connection; make room for it by closing an idle one, or say that there is none."""
        siblings = self._by_address[new.address]
        siblings.add(new)
        most = self._most if self._behind_proxy else self.limits.connections_per_address
        if len(siblings) > most and not self._close_idle(siblings, new):
            return False
        everybody = [one for one in self.connections if isinstance(one, Connection)]
        return len(everybody) <= self._most or self._close_idle(everybody, new)

    def _close_idle(self, among: Iterable[Connection], new: Connection) -> bool:
        """Close the connection that has been idle for longest; those that wait for an answer stay."""
        idle = [one for one in among if one.phase < Phase.ANSWER and one is not new]
        if not idle:
            return False
        oldest = min(idle, key=lambda connection: (connection.phase, connection.since))
        self.leave(oldest)
        oldest.transport.abort()
        return True

    def leave(self, connection: Connection) -> None:
        """Stop counting a connection."""
        self.connections.discard(connection)
        siblings = self._by_address[connection.address]
        siblings.discard(connection)
        if not siblings:
            del self._by_address[connection.address]

    def close_overdue(self) -> None:
        """End what has taken longer than allowed."""
        now = monotonic()
        for connection in list(self.connections):
            if isinstance(connection, Connection) and connection.deadline < now:
                connection.give_up()


class Connection(HttpToolsProtocol):
    """One connection, with limits on what is read and on how long it takes."""

    def __init__(
        self,
        config: Config,
        server_state: Connections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._all, self._limits = server_state, server_state.limits
        self._piece = min(PIECE, self._limits.header_bytes)
        self._header_bytes = self._discarded = 0
        self._refusal = HTTPStatus.BAD_REQUEST
        self.address = ""
        self.phase, self.since, self.deadline = Phase.REQUEST, 0.0, 0.0

    def _enter(self, phase: Phase, seconds: float = float("inf")) -> None:
        self.phase, self.since = phase, monotonic()
        self.deadline = self.since + seconds

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Begin to wait for a request, if there is room for one more."""
        super().connection_made(transport)
        self.address = network_of(self.client[0] if self.client else "")
        self._enter(Phase.REQUEST, self._limits.first_request_seconds)
        if self._all.is_hasty(self.address):
            self.transport.abort()
        elif not self._all.admit(self):
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for others."""
        self._all.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a little at a time, as long as the limits allow."""
        for start in range(0, len(data), self._piece):
            if self._is_closing():
                return self._discard(len(data) - start)
            self._read(data[start : start + self._piece])
        return None

    def _is_closing(self) -> bool:
        return self.phase is Phase.CLOSING or self.transport.is_closing()

    def _discard(self, size: int) -> None:
        """Throw away what was on its way when the request was refused; who goes on sending is cut off."""
        self._discarded += size
        if self._discarded > LINGER_BYTES:
            self.transport.abort()

    def _read(self, piece: bytes) -> None:
        if self.phase is Phase.REQUEST:
            self._enter(Phase.HEADERS, self._limits.header_seconds)
        super().data_received(piece)
        if self.phase is Phase.HEADERS:
            self._header_bytes += len(piece)
        if self._header_bytes > self._limits.header_bytes or len(self.pipeline) > self._limits.pipelined:
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def refuse(self, status: HTTPStatus) -> None:
        """Say why, if nothing else is being said, and read nothing more."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
        else:
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\n"
                f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(status.phrase)}\r\n\r\n"
                f"{status.phrase}".encode()
            )
            if self.transport.can_write_eof():
                self.transport.write_eof()
        self._enter(Phase.CLOSING, LINGER)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, or has too many header fields."""
        self.refuse(self._refusal)

    def give_up(self) -> None:
        """End a connection that is overdue."""
        if self.phase is Phase.HEADERS:
            self.refuse(HTTPStatus.REQUEST_TIMEOUT)
        elif self.phase is Phase.REQUEST or (self.phase is Phase.BODY and self.cycle.response_complete):
            self.timeout_keep_alive_handler()
        else:
            self.transport.abort()

    def timeout_keep_alive_handler(self) -> None:
        """Hang up when no further request comes; what was written before may still be read for a while."""
        super().timeout_keep_alive_handler()
        self._enter(Phase.CLOSING, self._limits.answer_seconds)

    def pause_writing(self) -> None:
        """Give a client that does not read its answer a while to go on."""
        super().pause_writing()
        if self.phase is Phase.ANSWER:
            self._enter(Phase.ANSWER, self._limits.answer_seconds)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self.phase is Phase.ANSWER:
            self._enter(Phase.ANSWER)

    # The request

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._header_bytes = 0
        self._enter(Phase.HEADERS, self._limits.header_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header field."""
        super().on_header(name, value)
        if len(self.headers) > self._limits.header_count:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise TooManyHeaders(f"more than {self._limits.header_count} header fields")

    def on_headers_complete(self) -> None:
        """The application gets to work; a body may follow."""
        super().on_headers_complete()
        self._header_bytes = 0
        self._enter(Phase.BODY, self._limits.body_seconds + LINGER)

    def on_message_complete(self) -> None:
        """All of the request is here."""
        super().on_message_complete()
        self._enter(Phase.ANSWER)
        self._wait_for_next()

    def on_response_complete(self) -> None:
        """All of the answer has been written."""
        super().on_response_complete()
        self._wait_for_next()

    def _wait_for_next(self) -> None:
        """Become idle, once both the request and its answer are complete."""
        is_done = self.cycle is None or self.cycle.response_complete
        if self.phase is Phase.ANSWER and is_done and not self.pipeline:
            self._enter(Phase.REQUEST, self._limits.idle_seconds)
