"""Admin requests: a browser that has shown the owner's key is known by a cookie of its own."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.responses import Response

from retruco.web.core.admin_key import A_SESSION
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, RequestContext, SignedContext

COOKIE: Final = "retruco_owner"


def set_admin_cookie(response: Response, token: str, secure: bool) -> None:
    """Give a browser the token by which it is known as the owner's."""
    response.set_cookie(
        COOKIE, token, max_age=A_SESSION, httponly=True, samesite="strict", secure=secure, path="/"
    )


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else "unknown"


def is_admin(context: RequestContext, request: Request) -> bool:
    """Whether a request comes from a browser that has shown the key."""
    return context.registry.admin_key.knows(request.cookies.get(COOKIE, ""))


async def require_admin(context: Context, request: Request) -> RequestContext:
    """Refuse everybody but the owner."""
    if not is_admin(context, request):
        raise Refused(401, "laboratory.key_needed")
    return context


async def require_signed_admin(context: SignedContext, request: Request) -> RequestContext:
    """Refuse everybody but the owner, and what does not come from our own pages."""
    return await require_admin(context, request)


AdminContext = Annotated[RequestContext, Depends(require_admin)]
SignedAdminContext = Annotated[RequestContext, Depends(require_signed_admin)]
