"""The application: HTTP routes, sockets and pages. See ``docs/server.md``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import BaseRoute

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.core.version import __version__
from damier.engine.pool.pool import QueueFull
from damier.server import games
from damier.server.analysis import routes as analysis
from damier.server.analysis import socket as analysis_socket
from damier.server.analysis import tables
from damier.server.answers import DECLARED, error_answer, is_for_people, json_refusal, status_of
from damier.server.assets import SHORTEST_COMPRESSED, ClientFiles, digest
from damier.server.civility import moderation_routes as moderation
from damier.server.civility import routes as civility
from damier.server.correspondence import routes as correspondence
from damier.server.errors import TooManyRequests, malformed
from damier.server.front.guard import Guard
from damier.server.learn import lessons, puzzles, solutions
from damier.server.lobby import my_matches
from damier.server.lobby import routes as lobby
from damier.server.lobby import socket as lobby_socket
from damier.server.matches import routes as matches
from damier.server.matches import socket as match_socket
from damier.server.notices import routes as notices
from damier.server.notices import socket as notice_socket
from damier.server.openapi import describe
from damier.server.operations import health, privacy
from damier.server.operations.access import RequestObserver
from damier.server.operations.request_ids import RequestIds
from damier.server.people import account_routes, me, passkey_routes, profile_routes, token_routes
from damier.server.ratings import routes as ratings
from damier.server.records import routes as records
from damier.server.services import Services
from damier.server.share import installable
from damier.server.share import routes as share
from damier.server.store.stored_match import DamagedMatch
from damier.server.streams import routes as streams
from damier.server.tournaments import routes as tournaments

_log = logging.getLogger(__name__)

_PAGES = (
    "/",
    "/m/{number}",
    "/dice/{number}",
    "/learn",
    "/learn/{name}",
    "/rules/{name}",
    "/puzzles/{name}",
    "/puzzles/{name}/{number}",
    "/analyse",
    "/analyse/{name}",
    "/explore/{name}",
    "/solutions",
    "/solutions/{name}",
    "/leaderboard",
    "/privacy",
    "/account",
    "/u/{name}",
    "/lobby",
    "/lobby/{number}",
    "/matches",
    "/tournaments",
    "/t/{number}",
    "/notices",
)


ROUTED = (
    health,
    games,
    me,
    account_routes,
    passkey_routes,
    token_routes,
    profile_routes,
    privacy,
    matches,
    ratings,
    match_socket,
    lobby,
    lobby_socket,
    my_matches,
    correspondence,
    streams,
    analysis,
    analysis_socket,
    tables,
    lessons,
    puzzles,
    solutions,
    records,
    share,
    installable,
    tournaments,
    civility,
    moderation,
    notices,
    notice_socket,
)


def create_app(services: Services) -> FastAPI:
    """Returns the application, which opens the services when it starts and closes them when it ends."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await services.open()
        yield
        await services.close()

    app = FastAPI(
        title="damier",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,  # `describe` adds the route
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    _add_errors(app, services)
    compressed = (*DEFAULT_EXCLUDED_CONTENT_TYPES, tables.ZSTD)
    app.add_middleware(GZipMiddleware, minimum_size=SHORTEST_COMPRESSED, exclude_content_types=compressed)
    app.add_middleware(Guard, services=services)
    app.add_middleware(RequestObserver, metrics=services.metrics, is_logging=services.settings.access_log)
    app.add_middleware(RequestIds)  # outermost
    app.router.routes.extend(_routes())
    describe(app)
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Returns all routes, the same for every application of this process: working them out takes 0.2 s.

    FastAPI would spend that in the event loop, at the first request.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, responses=DECLARED)
    for part in ROUTED:
        app.include_router(part.router)
    _add_pages(app)
    scope = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(scope)
    return tuple(app.routes)


# Refusals


def _add_errors(app: FastAPI, services: Services) -> None:
    @app.exception_handler(DamierError)
    async def refused(request: Request, error: DamierError) -> JSONResponse:
        status = status_of(error)
        if isinstance(error, QueueFull):
            services.metrics.refused("queue")
        elif isinstance(error, TooManyRequests):
            services.metrics.refused("limit")
        if status >= 500 and not isinstance(error, DamagedMatch | QueueFull):  # which is logged, or no fault
            extra = {"method": request.method, "path": request.url.path}
            _log.error("%s %s failed: %s", request.method, request.url.path, error, extra=extra)
        return json_refusal(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return error_answer(malformed([{**first, "loc": first["loc"][1:] or first["loc"]}]), request, 422)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and is_for_people(request):
            page = await share.shared_page(request)  # which says that nothing is here
            page.status_code = 404
            return page
        sentence = message("The request failed: {why}.", why=error.detail)
        return error_answer(sentence, request, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        place = f"{request.method} {request.url.path}"
        extra = {"method": request.method, "path": request.url.path}
        _log.error("%s failed with %s; the traceback follows.", place, type(error).__name__, extra=extra)
        return error_answer(message("The server failed; its log says why."), request, 500)


# Pages


def _add_pages(app: FastAPI) -> None:
    digest()  # reads the whole package: now, not during the first request
    app.mount("/static", ClientFiles(), name="static")

    for path in _PAGES:
        app.add_api_route(path, share.shared_page, include_in_schema=False)
