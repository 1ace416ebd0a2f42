"""Compression of responses: pages, data and drawings go out in gzip to whoever accepts it.

Server-sent events are left alone, so that each one leaves at once. So are the answers to bots: they are
small, and many. Compressed pages could help another site guess secrets in them only if it could request
them with the visitor's cookie; the cookie is `SameSite=Lax`, so it cannot.
"""

from __future__ import annotations

from typing import Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

LEVEL: Final = 6
"""Level 9 takes three times as long for one per cent."""
UNCOMPRESSED: Final = "/api/bots"


class Compression(GZipMiddleware):
    """Compresses responses except those to bots."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; compress its answer if it is one for browsers."""
        if scope["type"] == "http" and scope["path"].startswith(UNCOMPRESSED):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)
