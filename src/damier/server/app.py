"""The application: HTTP routes, sockets and pages. See ``docs/server.md``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.core.version import __version__
from damier.server import games, me
from damier.server.analysis import routes as analysis
from damier.server.analysis import socket as analysis_socket
from damier.server.analysis import tables
from damier.server.answers import DECLARED, error_answer, malformed, status_of
from damier.server.assets import CLIENT, ClientFiles, digest
from damier.server.learn import lessons, puzzles, solutions
from damier.server.matches import routes as matches
from damier.server.matches import socket as match_socket
from damier.server.openapi import describe
from damier.server.records import routes as records
from damier.server.services import Services
from damier.server.share import routes as share

_log = logging.getLogger(__name__)

_MOST_BYTES = 4_000_000  # of a request's body
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
)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FRAMED = "/embed/"  # the only pages that other sites may frame
_FRAMED_POLICY = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


ROUTED = (
    games,
    me,
    matches,
    match_socket,
    analysis,
    analysis_socket,
    tables,
    lessons,
    puzzles,
    solutions,
    records,
    share,
)


def create_app(services: Services) -> FastAPI:
    """Returns the application, which opens the services when it starts and closes them when it ends."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await services.open()
        preparing = asyncio.create_task(asyncio.to_thread(games.prepare))
        yield
        await preparing
        await services.close()

    app = FastAPI(
        title="damier",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        responses=DECLARED,
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    _add_errors(app)
    _add_headers(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    for part in ROUTED:
        app.include_router(part.router)
    _add_pages(app)
    describe(app)
    return app


# Refusals and headers


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(DamierError)
    async def refused(request: Request, error: DamierError) -> JSONResponse:
        status = status_of(error)
        if status >= 500:
            extra = {"method": request.method, "path": request.url.path}
            _log.error("%s %s failed: %s", request.method, request.url.path, error, extra=extra)
        return error_answer(error.message, request, status)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return error_answer(malformed([{**first, "loc": first["loc"][1:] or first["loc"]}]), request, 422)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and _is_for_people(request):
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


def _is_for_people(request: Request) -> bool:
    """Tells whether a browser asks for a page, rather than a program for data."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", "/static/"))


def _add_headers(app: FastAPI) -> None:
    @app.middleware("http")
    async def headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        response = _too_long(request) or await call_next(request)
        is_framed = request.url.path.startswith(_FRAMED)
        response.headers.update(_HEADERS)
        response.headers["Content-Security-Policy"] = _FRAMED_POLICY if is_framed else _POLICY
        return response


def _too_long(request: Request) -> Response | None:
    """Returns the refusal of a request whose body is too long, before it is read."""
    length = request.headers.get("content-length", "")
    if int(length) <= _MOST_BYTES if length.isdecimal() else "transfer-encoding" not in request.headers:
        return None
    if length:
        sentence, status = message("The request is longer than {most} bytes.", most=_MOST_BYTES), 413
    else:
        sentence, status = message("A request with a body needs a Content-Length."), 411
    return error_answer(sentence, request, status)


# Pages


def _add_pages(app: FastAPI) -> None:
    digest()  # reads the whole package: now, not during the first request
    app.mount("/static", ClientFiles(directory=CLIENT), name="static")

    for path in _PAGES:
        app.add_api_route(path, share.shared_page, include_in_schema=False)
