"""Requests of the owner: a browser that has shown the key, known by a cookie of its own."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.responses import Response

from retruco.web.core.admin_key import A_SESSION
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Ask, Asking, Signed

COOKIE: Final = "retruco_owner"


def remember_owner(response: Response, token: str, secure: bool) -> None:
    """Give a browser the token by which it is known as the owner's."""
    response.set_cookie(
        COOKIE, token, max_age=A_SESSION, httponly=True, samesite="strict", secure=secure, path="/"
    )


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else "unknown"


def is_owner(ask: Asking, request: Request) -> bool:
    """Whether a request comes from a browser that has shown the key."""
    return ask.room.owner.knows(request.cookies.get(COOKIE, ""))


async def owner_only(ask: Ask, request: Request) -> Asking:
    """Refuse everybody but the owner."""
    if not is_owner(ask, request):
        raise Refused(401, "laboratory.key_needed")
    return ask


async def owner_signed(ask: Signed, request: Request) -> Asking:
    """Refuse everybody but the owner, and what does not come from our own pages."""
    return await owner_only(ask, request)


AskOwner = Annotated[Asking, Depends(owner_only)]
SignedOwner = Annotated[Asking, Depends(owner_signed)]
