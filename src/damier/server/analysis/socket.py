"""The analysis socket: a client sends a position and receives what the engine finds, until its next query."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message
from damier.engine.fault import EngineFault
from damier.server.analysis.requests import LiveRequest
from damier.server.dependencies import Engines, request_budget, shared_services
from damier.server.errors import TooManyRequests, malformed
from damier.server.front.limits import hold_back
from damier.server.front.sockets import INVALID_DATA, POLICY, TRY_AGAIN, TooManySockets, close_socket
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.wire.analysis import (
    AnalysisQuery,
    AnalysisRefused,
)
from damier.server.wire.games import GameLine
from damier.server.wire.matches import LONGEST_ID

router = APIRouter()
_log = logging.getLogger(__name__)


@router.websocket("/api/lines/live")
async def analyse(socket: WebSocket) -> None:
    """Serves an analysis socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(POLICY)
        return
    await socket.accept()
    engines, lang = Engines(socket), language(socket)
    try:
        with services.sockets.analyse(engines.owner, address_of(socket)):
            await AnalysisSocket(socket, engines, lang).run()
    except TooManySockets as error:
        await close_socket(socket, TRY_AGAIN, error.sentence(lang))


class AnalysisSocket:
    """One connection; a new query cancels the one before."""

    def __init__(self, socket: WebSocket, engines: Engines, lang: str) -> None:
        self._socket, self._engines, self._lang = socket, engines, lang
        self._spend = request_budget(socket)
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serves the connection until it is closed."""
        try:
            with contextlib.suppress(WebSocketDisconnect):
                while True:
                    data = await self._socket.receive_json()
                    await self._stop()
                    if isinstance(data, dict) and data.get("game"):
                        self._work = asyncio.create_task(self._answer(data))
        except (ValueError, KeyError, RecursionError):
            _log.warning("Closed an analysis connection whose client sent invalid data.")
            await self._socket.close(INVALID_DATA)
        finally:
            await self._stop()

    async def _stop(self) -> None:
        if self._work:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await self._work
        self._work = None

    async def _answer(self, data: dict[str, Any]) -> None:
        try:
            self._spend()
            query = _parse(data)
            line = GameLine(**query.model_dump(exclude={"id", "lines"}))
            await self._analyse(LiveRequest(line, self._lang, id=query.id, lines=query.lines))
        except DamierError as error:
            if isinstance(error, TooManyRequests):
                await hold_back()
            if isinstance(error, EngineFault):
                _log.error("Analysis of %s failed: %s", data["game"], error, extra={"game": data["game"]})
            await self._refuse(data, error.message)
        except (WebSocketDisconnect, RuntimeError):  # the client has gone
            raise
        except Exception:
            game = str(data.get("game"))[:32]
            _log.exception("Analysis of %s failed; the client was told so.", game, extra={"game": game})
            await self._refuse(data, message("The analysis failed: try again."))

    async def _refuse(self, data: dict[str, Any], why: Message) -> None:
        name = str(data.get("id", ""))[:LONGEST_ID]
        await self._send(AnalysisRefused(id=name, error=why.render(self._lang)).model_dump_json().encode())

    async def _analyse(self, request: LiveRequest) -> None:
        job = self._engines.submit(request)
        try:
            async for message in job.aresults():
                await self._send(message)
            await self._send(await job)
        finally:
            job.cancel()

    async def _send(self, message: bytes) -> None:
        await self._socket.send_text(message.decode())


def _parse(data: dict[str, Any]) -> AnalysisQuery:
    try:
        return AnalysisQuery.model_validate(data)
    except ValidationError as error:
        raise BadArgument(malformed(error.errors())) from None
