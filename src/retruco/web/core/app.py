"""The application: pages, routes, security and the table registry put together."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import retruco
from retruco.agents.core import CasesFor, no_cases
from retruco.games.registry import USUAL_GAME
from retruco.storage.errors import StoreError, describe_error
from retruco.web.account import account_pages, account_routes, rating_pages
from retruco.web.bots import bot_routes
from retruco.web.core import templates
from retruco.web.core.allocator import return_free_pages
from retruco.web.core.compression import LEVEL, Compression
from retruco.web.core.documentation import DocumentationSite
from retruco.web.core.paths import STATIC
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import read_request_context
from retruco.web.core.security import HEADERS, Guard
from retruco.web.core.settings import Settings
from retruco.web.lab import lab_pages, lab_routes, study_pages
from retruco.web.people import invitation_pages, invitation_routes, spectator_routes
from retruco.web.puzzles import puzzle_pages
from retruco.web.review import review_pages, review_routes, share_pages
from retruco.web.tables import match_pages, match_routes, table_pages
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import HONEST, Dealer
from retruco.web.tables.preparation import Preparation
from retruco.web.tables.table_registry import TableRegistry
from retruco.web.tables.table_view import games_with_views

log = logging.getLogger("retruco.web")

FORGETS: Final = 300.0
"""Seconds after which agents forget what they have worked out."""


class VersionedFiles(StaticFiles):
    """Our own files; their addresses carry a version, so that they may be kept for long."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Let browsers keep what they asked for by version."""
        response = await super().get_response(path, scope)
        versioned = b"v=" in scope.get("query_string", b"")
        response.headers["Cache-Control"] = "public, max-age=31536000" if versioned else "no-cache"
        return response


class Application(FastAPI):
    """Answers with the routes of its routers as they are: FastAPI would build each anew at the first request."""

    def include_router(self, router: APIRouter, **options: Any) -> None:
        """Add the routes of a router, which has its prefix and tags already."""
        assert not options, f"give these to the router itself: {', '.join(options)}"
        self.router.routes.extend(router.routes)


def create_app(
    settings: Settings,
    cases_for: CasesFor = no_cases,
    dealer: Dealer = HONEST,
    preparation: Preparation | None = None,
) -> FastAPI:
    """Make the application; its registry opens when it starts and closes when it ends."""
    agents = AgentCache(cases_for, preparation)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.registry = TableRegistry(settings, agents, dealer)
        app.state.started = time.time()
        agents.preparation.start(after=app.state.registry.wake_all)
        app.state.warming = agents.warm(USUAL_GAME)
        app.state.registry.catch_up()
        tasks = [asyncio.create_task(one(app.state.registry)) for one in (look_at_clocks, free_memory)]
        yield
        for task in tasks:
            task.cancel()
        agents.preparation.stop()
        app.state.registry.close()

    app = Application(
        title="Retruco",
        version=retruco.__version__,
        summary="Truco at a web table: play, see why, replay.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.include_router(
        bot_routes.turns
    )  # first: this is asked most often, and addresses are tried in this order
    app.include_router(bot_routes.router)
    app.include_router(match_routes.router)
    app.include_router(invitation_routes.router)
    app.include_router(spectator_routes.router)
    app.include_router(account_routes.router)
    app.include_router(lab_routes.router)
    app.include_router(study_pages.routes)
    app.include_router(review_routes.router)
    app.include_router(review_pages.router)
    app.include_router(share_pages.router)
    app.include_router(puzzle_pages.router)
    app.include_router(match_pages.router)
    app.include_router(invitation_pages.router)
    app.include_router(account_pages.router)
    app.include_router(rating_pages.api)
    app.include_router(rating_pages.router)
    app.include_router(lab_pages.router)
    app.include_router(study_pages.router)
    app.include_router(table_pages.router)
    for game in games_with_views():
        if game != USUAL_GAME:
            app.include_router(table_pages.pages_of(game))
    app.mount("/docs", DocumentationSite(settings.documentation), name="documentation")
    app.mount("/static", VersionedFiles(directory=STATIC), name="static")
    app.add_middleware(Compression, compresslevel=LEVEL)
    app.add_middleware(
        Guard, settings=settings, account_of=lambda bot: app.state.registry.tokens.account_of(bot)
    )
    _speak_plainly(app, settings)
    return app


async def look_at_clocks(registry: TableRegistry) -> None:
    """Every second, end the matches whose bot has not answered in time."""
    while True:
        await asyncio.sleep(1)
        try:
            await asyncio.to_thread(registry.look_at_clocks)
        except sqlite3.Error as error:  # a full disk, say: it may have room again in a second
            log.error(
                "clocks could not be looked at, since %s %s", registry.settings.store, describe_error(error)
            )


async def free_memory(registry: TableRegistry) -> None:
    """Every few minutes, let agents clear their caches and give free pages back, so that memory stays level."""
    while True:
        await asyncio.sleep(FORGETS)
        await asyncio.to_thread(registry.agents.clear_caches)
        await asyncio.to_thread(return_free_pages)


def _speak_plainly(app: FastAPI, settings: Settings) -> None:
    """Answer every error with a plain message: as data to programs, as a page to people."""

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        return say(request, error.status, error.key, "", **error.values)

    @app.exception_handler(RequestValidationError)
    def senseless(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["loc"][0] == "path" and not _is_program(request):
            return say(request, 404, "error.not_found")
        where = ".".join(str(part) for part in first["loc"])
        return say(request, 422, "error.malformed", detail=f"{where[:100]}: {str(first['msg'])[:200]}")

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        known = {404: "error.not_found", 405: "error.method", 408: "error.too_slow", 413: "error.too_large"}
        response = say(request, error.status_code, known.get(error.status_code, "error.malformed"))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(sqlite3.Error)
    def unstored(request: Request, error: sqlite3.Error) -> Response:
        log.error("%s %s", settings.store, describe_error(error))
        return say(request, 503, "error.storage")

    @app.exception_handler(StoreError)
    def no_cases_there(request: Request, error: StoreError) -> Response:
        log.error("%s", error)
        return say(request, 503, "error.storage")

    @app.exception_handler(Exception)
    def broken(request: Request, error: Exception) -> Response:
        response = say(request, 500, "error.server")
        response.headers.update(HEADERS)  # this one is answered outside the guard
        return response


def _is_program(request: Request) -> bool:
    """Whether a program asks, which wants data, and not a person, who wants a page."""
    return request.url.path.startswith("/api/")


def say(request: Request, status: int, key: str, detail: str = "", **values: object) -> Response:
    """Tell an error in the reader's language; what a program got wrong is added as it is."""
    context = read_request_context(request)
    message = context.texts(key, **values)
    if _is_program(request):
        said = {"error": key.rpartition(".")[2], "message": f"{message} {detail}".strip()}
        return JSONResponse(said, status)
    return templates.sorry(request, context, status, message)
