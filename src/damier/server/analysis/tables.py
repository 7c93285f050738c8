"""Requests about tables of exact values: whether there is one, building, probing and downloading it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import IO, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

import damier
from damier.core.messages import message, shown
from damier.server.analysis.byte_range import RangeNotSatisfiable, http_date, parse_range
from damier.server.analysis.requests import TableProbeRequest
from damier.server.answers import error_answer
from damier.server.dependencies import EngineDesk, SharedServices, owner_of, refuse_foreign_origin
from damier.server.errors import NotFound
from damier.server.services import Services
from damier.server.wire.analysis import ProbedValues, TableOffers, TableProbe, TableStatus
from damier.server.wire.games import GameChoice
from damier.server.wire.model import ErrorAnswer

router = APIRouter(prefix="/api/tables")

ZSTD = "application/zstd"
_CHUNK = 1 << 18  # bytes that are read at a time
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_FILE_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file", "content": {ZSTD: _BINARY}},
    206: {"description": "A part of the file", "content": {ZSTD: _BINARY}},
    304: {"description": "The client has this version"},
    416: {"description": "The range begins behind the end of the file", "model": ErrorAnswer},
}


@router.post("/look")
async def show(choice: GameChoice, services: SharedServices) -> TableStatus:
    """The status of a game's table."""
    return await asyncio.to_thread(_status, choice, services)


@router.post("/build", status_code=202)
async def build(choice: GameChoice, request: Request, services: SharedServices) -> TableStatus:
    """Begins to build a table, unless it is there; returns its status."""
    refuse_foreign_origin(request, services)
    await services.builds.start(damier.load(choice.game, **choice.options))
    return await asyncio.to_thread(_status, choice, services)


@router.post("/probe", response_model=ProbedValues)
async def probe(asked: TableProbe, engines: EngineDesk) -> Response:
    """The exact values of positions; a table that has not been built is a 404."""
    return await engines.answer(TableProbeRequest(asked))


@router.get("")
async def offered(services: SharedServices) -> TableOffers:
    """The tables that can be downloaded."""
    _refuse_unless_offered(services)
    found = await services.offers.all()
    return TableOffers(tables=[await services.offers.offer(table) for table in found])


@router.get("/{file}", response_class=Response, responses=_FILE_ANSWERS)
@router.head("/{file}", include_in_schema=False)
async def download(file: str, request: Request, services: SharedServices) -> Response:
    """A table, or the part of it that the header `Range` names."""
    _refuse_unless_offered(services)
    table = await services.offers.find(file)
    if table is None:
        raise NotFound(message("This server has no table {file}.", file=shown(file)))
    size, tag = table.version.size, f'"{await services.offers.digest(table)}"'
    headers = {
        "Accept-Ranges": "bytes",
        "Cache-Control": "no-cache",
        "ETag": tag,
        "Last-Modified": http_date(table.version.modified),
    }
    if request.headers.get("if-none-match", "").strip() in (tag, "*"):
        return Response(status_code=304, headers=headers)
    try:
        found = parse_range(_range_header(request, headers), size)
    except RangeNotSatisfiable:
        sentence = message("The file has {size} bytes: there is no such part of it.", size=size)
        return error_answer(sentence, request, 416, {**headers, "Content-Range": f"bytes */{size}"})
    start, end = found or (0, size)
    if found:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    headers["Content-Length"] = str(end - start)
    status = 206 if found else 200
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers, media_type=ZSTD)
    with contextlib.ExitStack() as held:
        held.enter_context(services.downloads.enter(owner_of(request)))
        stream = held.enter_context(await asyncio.to_thread(table.open))
        await asyncio.to_thread(stream.seek, start)
        if end - start <= _CHUNK:
            body = await asyncio.to_thread(stream.read, end - start)
            return Response(body, status, headers, ZSTD)
        return _Download(held.pop_all(), _parts(stream, end - start), status, headers, ZSTD)


class _Download(StreamingResponse):
    """A file that is sent; what it holds is released when that ends, even if the client has gone before it began."""

    def __init__(self, held: contextlib.ExitStack, *given: Any) -> None:
        super().__init__(*given)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the file."""
        with self._held:
            await super().__call__(scope, receive, send)


async def _parts(stream: IO[bytes], left: int) -> AsyncIterator[bytes]:
    """Yields the next `left` bytes of a file."""
    while left and (part := await asyncio.to_thread(stream.read, min(left, _CHUNK))):
        left -= len(part)
        yield part


def _range_header(request: Request, headers: dict[str, str]) -> str:
    """Returns the range that a request wants; "" if it is on condition of another version of the file."""
    condition = request.headers.get("if-range")
    if condition not in (None, headers["ETag"], headers["Last-Modified"]):
        return ""
    return request.headers.get("range", "")


def _refuse_unless_offered(services: Services) -> None:
    if not services.settings.offer_tables:
        raise NotFound(message("This server does not offer its tables."))


def _status(choice: GameChoice, services: Services) -> TableStatus:
    """Returns the status of a game's table; in a thread, because the first one imports NumPy."""
    return services.builds.status(damier.load(choice.game, **choice.options))
