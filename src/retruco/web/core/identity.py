"""Who is asking: a browser by an unguessable token in a cookie that no script can read.

The store knows only the token's hash; forms and requests that change something carry a second
value, signed for this token, that another site cannot know.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

COOKIE: Final = "retruco_seat"
A_YEAR: Final = 365 * 86_400
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""What `secrets.token_urlsafe(32)` gives."""


def new_name() -> str:
    """Draw a name for a match that nobody can guess."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser; `is_new` until it has been given its cookie."""

    token: str
    is_new: bool = False

    def __repr__(self) -> str:
        """The token must not be printed by accident."""
        return "<Visitor>"

    @property
    def id(self) -> str:
        """What the store knows of the visitor."""
        return sha256(self.token.encode()).hexdigest()


def visitor_of(request: Request) -> Visitor:
    """Read who is asking, or make up a new visitor."""
    token = request.cookies.get(COOKIE, "")
    if TOKEN.fullmatch(token):
        return Visitor(token)
    return new_visitor()


def new_visitor() -> Visitor:
    """Make up a visitor whom nobody has seen before."""
    return Visitor(secrets.token_urlsafe(32), is_new=True)


def bearer_id(authorization: str) -> str:
    """What the store knows of a bot that shows this header; nothing if there is no token in it.

    >>> bearer_id("Basic Zm9v"), bearer_id("")
    ('', '')
    """
    kind, _, token = authorization.partition(" ")
    return Visitor(token).id if kind.lower() == "bearer" and TOKEN.fullmatch(token) else ""


def remember(response: Response, visitor: Visitor, secure: bool) -> None:
    """Give a new visitor its cookie."""
    if visitor.is_new:
        response.set_cookie(
            COOKIE, visitor.token, max_age=A_YEAR, httponly=True, samesite="lax", secure=secure, path="/"
        )


def form_key(secret: bytes, visitor: Visitor) -> str:
    """The value that forms of this visitor carry."""
    return hmac.new(secret, visitor.id.encode(), sha256).hexdigest()


def is_form_key(secret: bytes, visitor: Visitor, given: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(form_key(secret, visitor).encode(), given.encode())
