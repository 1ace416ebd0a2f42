"""The guard at the door: names, origins, sizes, speed, and the headers of every answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from retruco.web.core.identity import bearer_id
from retruco.web.core.rate_limits import Buckets, network_of
from retruco.web.core.settings import Limits, Settings
from retruco.web.tables.table_view import games_with_views

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
COSTS: Final = {
    "others": 20,
    "replay": 10,
    "export": 10,
    "review": 5,
    "events": 5,
    "watch": 5,
    "why": 3,
    "hint": 3,
}
"""How many requests one counts for that is expensive to answer: `/api/matches/M/WORD`."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class TooMuch(HTTPException):
    """A body that is too long or takes too long; what is left of it is not read."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(status, detail, {"Connection": "close"})


class Guard:
    """Lets in what is addressed to us, comes from our own pages, and is not too much."""

    def __init__(self, app: ASGIApp, settings: Settings, account_of: Callable[[str], str | None]) -> None:
        self.app, self.settings, self._account_of = app, settings, account_of
        limits = settings.limits
        self._requests = Buckets(limits.per_second, limits.burst)
        self._bots = Buckets(limits.bot_per_second, limits.bot_burst)
        self._matches = Buckets(limits.matches_per_minute / 60, limits.matches_per_minute)
        self._new_bots = Buckets(limits.bots_per_minute / 60, limits.bots_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it on, and dress the answer."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        refused = self._refuse(scope)
        send_with_headers = _with_headers(send, self.settings.behind_proxy)
        if refused is not None:
            if refused[0] == 429:  # whoever asks too often gets no quick answer either
                await asyncio.sleep(self.settings.limits.refusal_seconds)
            return await _answer(scope, send_with_headers, *refused)
        return await self.app(scope, Body(receive, self.settings.limits).receive, send_with_headers)

    def _refuse(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host_name(host) not in self.settings.names:
            return 400, "This server does not go by that name."
        address, now = network_of((scope.get("client") or ("unknown",))[0]), time.monotonic()
        if not self._has_time_for(scope["path"], headers, address, now):
            return 429, "Too many requests; take a breath."
        if scope["method"] in SAFE:
            return None
        if not same_origin(headers, host):
            return 403, "This request comes from another site."
        if _opens_match(scope["path"]) and not self._matches.take(address, now):
            return 429, "Too many new matches; finish one first."
        if scope["path"] == "/api/bots" and not self._new_bots.take(address, now):
            return 429, "Too many new bots; one token serves for many matches."
        return _refuse_body(headers, self.settings.limits)

    def _has_time_for(self, path: str, headers: Headers, address: str, now: float) -> bool:
        """Count a request: by its bot, or the bot's owner, if there is one, and always by its address."""
        account = self._account_of(bearer_id(headers.get("authorization", "")))
        if account is not None and not self._bots.take(account, now):
            return False
        return self._requests.take(address, now, cost_of(path))


def cost_of(path: str) -> int:
    """For how many requests one counts.

    >>> cost_of("/api/matches/abc/others/7"), cost_of("/api/matches/abc/replay"), cost_of("/replay/abc/0")
    (20, 10, 1)
    """
    parts = path.split("/", 5)
    return COSTS.get(parts[4], 1) if len(parts) > 4 and parts[1:3] == ["api", "matches"] else 1


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("localhost:8321"), host_name("[::1]:80"), host_name("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def same_origin(headers: Headers, host: str) -> bool:
    """Whether the request comes from our own pages; what is no browser says nothing of it.

    A page without referrers sends its forms with the origin `null`; then the browser's word counts,
    which no other site can put into its mouth.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None:
        return site in (None, "same-origin", "none")
    return site == "same-origin" if origin == "null" else origin in (f"http://{host}", f"https://{host}")


def _opens_match(path: str) -> bool:
    opening = (
        "/play",
        "/invite",
        "/watch",
        "/teach",
        "/api/matches",
        "/api/bots/matches",
        "/api/invitations",
    )
    is_game = path.removeprefix("/") in games_with_views()
    return is_game or path in opening or path.endswith(("/again", "/rematch", "/accept", "/play-on"))


def _refuse_body(headers: Headers, limits: Limits) -> tuple[int, str] | None:
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdecimal():
        return 400, "The length of the request makes no sense."
    return (413, "The request is too long.") if int(length[:12]) > limits.body_bytes else None


class Body:
    """Reads a request's body, but not more and not longer than allowed."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive, self._limits = receive, limits
        self._bytes, self._complete = 0, False
        self._deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def receive(self) -> Message:
        """Pass a message on."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise TooMuch(408, "The request took too long to arrive.") from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self._limits.body_bytes:
            raise TooMuch(413, "The request is too long.")
        self._complete = not message.get("more_body", False)
        return message


def _with_headers(send: Send, secure: bool) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if secure:
                headers["Strict-Transport-Security"] = "max-age=31536000"
        await send(message)

    return send_with_headers


async def _answer(scope: Scope, send: Send, status: int, message: str) -> None:
    is_api = scope["path"].startswith("/api/")
    body = json.dumps({"error": "refused", "message": message}) if is_api else message
    kind = "application/json" if is_api else "text/plain; charset=utf-8"
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": _raw([("content-type", kind)]),
    }
    await send(start)
    await send({"type": "http.response.body", "body": body.encode()})


def _raw(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers]
