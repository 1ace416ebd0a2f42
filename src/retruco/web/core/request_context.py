"""The context of a request: the visitor, the language, the table registry."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Header, Path, Request
from starlette.responses import Response

from retruco.web.core.i18n import LANGUAGES, Texts, preferred, texts
from retruco.web.core.identity import Visitor, form_key, is_form_key, new_visitor, remember, visitor_of
from retruco.web.core.rate_limits import network_of
from retruco.web.core.refusals import Refused, forbidden, not_found
from retruco.web.core.store import Sitter
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.table_registry import TableRegistry
from retruco.web.tables.table_view import TableView, view_class

T = TypeVar("T")
LANGUAGE_COOKIE: Final = "retruco_lang"
MatchId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$", description="The name of a match.")]


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A request's visitor, its language and the table registry."""

    registry: TableRegistry
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

    def match(self, name: str) -> LiveTable:
        """Find a match."""
        live = self.registry.find(name)
        if live is None:
            raise Refused(410, "people.emptied") if self.registry.is_emptied(name) else not_found()
        return live

    async def build(self, work: Callable[[], T]) -> T:
        """Build a large answer in another thread, after what this address has asked for before."""
        return await self.registry.workers.build(self.address, work)

    def seat(self, live: LiveTable) -> int:
        """The seat of this visitor in a match; refused to everybody else."""
        seat = live.stored.seat_of(self.visitor.id)
        if seat is None:
            raise forbidden()
        return seat

    def view(self, live: LiveTable, seat: int) -> TableView:
        """What a seat of a match is shown, in the reader's language."""
        view = view_class(live.game.name)
        decisions = partial(self.registry.agents.decision_made, live)
        names = partial(self.seat_names, live)
        return view(live, seat, view.texts(self.texts.language), names, decisions)

    def spectator_view(self, live: LiveTable) -> TableView:
        """What somebody without a seat is shown of a match that goes on: nothing that is hidden."""
        view, texts = view_class(live.game.name), view_class(live.game.name).texts(self.texts.language)
        if not view.can_be_watched:
            raise Refused(403, "people.not_watchable")
        return view(live, 0, texts, partial(self.seat_names, live), lambda place: None, is_spectator=True)

    def seat_names(self, live: LiveTable) -> list[str]:
        """What those at a table are called on a page; the reader is "you"."""
        mine = live.stored.seat_of(self.visitor.id)
        own = None if mine is None or live.stored.sitters[mine].agent else mine
        you, game = self.texts("table.you"), live.game.name
        sitters = enumerate(live.stored.sitters)
        return [you if seat == own else self.name_of(sitter, game) for seat, sitter in sitters]

    def name_of(self, sitter: Sitter, game: str) -> str:
        """What a sitter is called on a page: an agent's name, a person's own, or just a person."""
        if sitter.agent is not None:
            return view_class(game).name_agent(sitter.agent, self.texts)
        known = self.registry.people.find(sitter.visitor or "").name
        return known or self.texts("table.person")

    def reader_seat(self, live: LiveTable) -> int:
        """The seat from which a finished match is read: one's own or, for a guest, the first person's."""
        seat = live.stored.seat_of(self.visitor.id)
        people = [place for place, sitter in enumerate(live.stored.sitters) if sitter.visitor is not None]
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
    registry: TableRegistry = request.app.state.registry
    visitor = visitor_of(request)
    if registry.people.is_bot(visitor.id):
        visitor = new_visitor()
    return RequestContext(registry, visitor, texts(language_of(request)), address_of(request))


def address_of(request: Request) -> str:
    """From where a request comes, as far as it is counted."""
    return network_of(request.client.host if request.client else "")


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
