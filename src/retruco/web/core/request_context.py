"""The context of a request: the visitor, the language, the registry of matches."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Header, Path, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from retruco.web.core.i18n import LANGUAGES, Texts, preferred, texts
from retruco.web.core.identity import Visitor, form_key, is_form_key, new_visitor, remember, visitor_of
from retruco.web.core.rate_limits import network_of
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.tables.live_match import LiveMatch
from retruco.web.tables.match_registry import MatchRegistry

T = TypeVar("T")
LANGUAGE_COOKIE: Final = "retruco_lang"
MatchId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$", description="The name of a match.")]


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A request's visitor, its language and the registry of matches."""

    registry: MatchRegistry
    visitor: Visitor
    texts: Texts
    address: str = ""
    """From where the request comes; it is counted, and not kept."""

    @property
    def form_key(self) -> str:
        """What this visitor's forms carry."""
        return form_key(self.registry.form_secret, self.visitor)

    def check_form(self, given: str) -> None:
        """Refuse what does not come from one of our forms."""
        if self.visitor.is_new or not is_form_key(self.registry.form_secret, self.visitor, given):
            raise Refused(403, "error.form_expired")

    def place(self) -> AbstractContextManager[None]:
        """Reserve a place for one more open match of this visitor; refused if there is none left."""
        return self.registry.reservations.hold({self.visitor.id: [self.visitor.id]})

    def match(self, name: str) -> LiveMatch:
        """Find a match."""
        live = self.registry.find(name)
        if live is None:
            raise Refused(410, "people.emptied") if self.registry.is_emptied(name) else not_found()
        return live

    async def build(self, work: Callable[[], T]) -> T:
        """Build a large answer in another thread, after what this address has asked for before."""
        return await self.registry.workers.build(self.address, work)

    def seat(self, live: LiveMatch) -> int:
        """The seat of this visitor in a match; refused to everybody else."""
        seat = live.stored.seat_of(self.visitor.id)
        if seat is None:
            raise forbidden()
        return seat

    def reader_seat(self, live: LiveMatch) -> int:
        """The seat from which a finished match is read: one's own or, for a guest, the first person's."""
        seat = live.stored.seat_of(self.visitor.id)
        people = [place for place, one in enumerate(live.stored.sitters) if one.visitor is not None]
        return seat if seat is not None else (people or [0])[0]

    def dress(self, response: Response) -> Response:
        """Give a new visitor its cookie, and keep the language it has chosen."""
        secure = self.registry.settings.behind_proxy
        remember(response, self.visitor, secure)
        response.set_cookie(
            LANGUAGE_COOKIE,
            self.texts.language,
            max_age=365 * 86_400,
            samesite="lax",
            secure=secure,
            httponly=True,
        )
        return response


def language_of(request: Request) -> str:
    """The language asked for in the address, kept in the cookie, or accepted by the browser."""
    for wanted in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    return preferred(request.headers.get("accept-language", ""))


def read_request_context(request: Request) -> RequestContext:
    """Read who is asking; a bot's token in a cookie makes nobody a bot."""
    registry: MatchRegistry = request.app.state.registry
    visitor = visitor_of(request)
    if registry.people.is_bot(visitor.id):
        visitor = new_visitor()
    return RequestContext(registry, visitor, texts(language_of(request)), address_of(request))


def address_of(request: Request) -> str:
    """From where a request comes, as far as it is counted."""
    return network_of(request.client.host if request.client else "")


class OneAtATime(APIRoute):
    """A route that answers one request of each address at a time, where agents may think for long."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Make what answers a request, when it is its turn."""
        handle = super().get_route_handler()

        async def wait(request: Request) -> Response:
            registry: MatchRegistry = request.app.state.registry
            async with registry.workers.turn(address_of(request)):
                return await handle(request)

        return wait


async def get_request_context(request: Request) -> RequestContext:
    """Read who is asking, without a trip to another thread."""
    return read_request_context(request)


Context = Annotated[RequestContext, Depends(get_request_context)]


async def require_form_key(
    context: Context, x_form_key: Annotated[str, Header(max_length=100)] = ""
) -> RequestContext:
    """Read who is asking to change something: the request must carry the key of our pages."""
    context.check_form(x_form_key)
    return context


SignedContext = Annotated[RequestContext, Depends(require_form_key)]
