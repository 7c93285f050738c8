"""The application: HTTP, sockets and pages over one referee. See ``docs/server.md``."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import damier
from damier.core.errors import DamierError, UnknownGame
from damier.core.messages import message, plain
from damier.core.version import __version__
from damier.server.analysis import routes as analysis
from damier.server.analysis import tables
from damier.server.analysis.socket import Study
from damier.server.assets import CLIENT, SENTENCES
from damier.server.learn import lessons, puzzles, solutions
from damier.server.matches import routes as matches
from damier.server.matches.match import NotAllowed, NotFound
from damier.server.matches.referee import UnknownMatch
from damier.server.matches.socket import Line
from damier.server.records import routes as records
from damier.server.services import Server, TooMuch
from damier.server.share import routes as share
from damier.server.view import drawing_data, example_data, game_data
from damier.server.visitors import COOKIE, is_same_origin, language, visitor_of
from damier.teach.material import MaterialMissing

_MOST_BYTES = 4_000_000  # of a request
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
_FRAMED = "/embed/"  # what any page may frame; nothing else may be framed
_FRAMED_POLICY = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


class Mistake(BaseModel):
    """What a refused request is answered."""

    error: str
    """One sentence."""


_MISTAKES: dict[int | str, dict[str, Any]] = {status: {"model": Mistake} for status in (400, 403, 404, 422, 429)}


def create_app(server: Server) -> FastAPI:
    """Returns the application, which opens the server if it is not open yet, and closes it."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await server.open()
        yield
        await server.close()

    app = FastAPI(
        title="damier",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        responses=_MISTAKES,
        docs_url=None,
        redoc_url=None,
    )
    app.state.server = server
    _add_errors(app)
    _add_headers(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    _add_games(app)
    for part in (matches, analysis, tables, puzzles, lessons, records, solutions, share):
        app.include_router(part.router)
    _add_live(app, server)
    _add_pages(app)
    return app


# Mistakes and headers


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(DamierError)
    async def refused(request: Request, error: DamierError) -> JSONResponse:
        statuses = ((NotFound, 404), (UnknownGame, 404), (MaterialMissing, 404), (NotAllowed, 403), (TooMuch, 429))
        status = next((status for kind, status in statuses if isinstance(error, kind)), 400)
        return JSONResponse({"error": error.sentence(language(request))}, status)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        sentence = message("The request is wrong at {where}: {why}.", where=plain(where, 60), why=first["msg"])
        return JSONResponse({"error": sentence.render(language(request))}, 422)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and _is_for_people(request):
            page = await share.shared_page(request)  # which says that there is nothing here
            page.status_code = 404
            return page
        sentence = message("This cannot be asked for here: {why}.", why=error.detail)
        return JSONResponse({"error": sentence.render(language(request))}, error.status_code, error.headers)


def _is_for_people(request: Request) -> bool:
    """Tells whether a browser asks for a page, and not a program for data."""
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
    """Returns an answer to a request whose body nobody could want, before it is read."""
    length = request.headers.get("content-length", "")
    if int(length) <= _MOST_BYTES if length.isdecimal() else "transfer-encoding" not in request.headers:
        return None
    if length:
        sentence, status = message("The request is longer than {most} bytes.", most=_MOST_BYTES), 413
    else:
        sentence, status = message("A request with a body must tell its length."), 411
    return JSONResponse({"error": sentence.render(language(request))}, status)


# Games


def _add_games(app: FastAPI) -> None:
    @app.get("/api/games")
    async def list_games(request: Request) -> list[dict[str, Any]]:
        """All games, with their options and levels."""
        return [game_data(name, language(request)) for name in damier.games()]

    @app.get("/api/games/{name}/drawing")
    async def draw_game(name: str, request: Request) -> dict[str, Any]:
        """The empty board of a game; options in the query."""
        given = {key: value for key, value in request.query_params.items() if key != "lang"}
        return drawing_data(damier.load(name, **given), language(request))

    @app.get("/api/games/{name}/example")
    async def show_example(name: str, request: Request) -> dict[str, Any]:
        """Some states of a game, for a picture that moves."""
        return example_data(name, language(request))

    @app.get("/api/sentences")
    async def list_sentences(request: Request) -> dict[str, str]:
        """The sentences of the pages in a language."""
        lang = language(request)
        return {key: texts[lang] for key, texts in _sentences().items()}


@lru_cache(1)
def _sentences() -> dict[str, dict[str, str]]:
    files = sorted(SENTENCES.glob("*.json"))
    return {key: texts for file in files for key, texts in json.loads(file.read_text("utf-8")).items()}


# Live


def _add_live(app: FastAPI, server: Server) -> None:
    @app.websocket("/api/matches/{number}/live")
    async def live(socket: WebSocket, number: str) -> None:
        if not is_same_origin(socket.headers, server.settings.origin):
            await socket.close(1008)
            return
        try:
            table = await server.referee.table(number)
        except UnknownMatch:
            await socket.close(1008)
            return
        await socket.accept()
        visitor = visitor_of(socket.cookies.get(COOKIE))
        await Line(socket, server.referee, table, visitor, language(socket)).run(server.requests)

    @app.websocket("/api/lines/live")
    async def study(socket: WebSocket) -> None:
        if not is_same_origin(socket.headers, server.settings.origin):
            await socket.close(1008)
            return
        await socket.accept()
        visitor = visitor_of(socket.cookies.get(COOKIE)) or f"address {socket.client.host if socket.client else ''}"
        await Study(socket, server, visitor, language(socket)).run()


# Pages


def _add_pages(app: FastAPI) -> None:
    app.mount("/static", StaticFiles(directory=CLIENT), name="static")

    for path in _PAGES:
        app.add_api_route(path, share.shared_page, include_in_schema=False)
