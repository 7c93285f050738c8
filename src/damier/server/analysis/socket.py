"""Live analysis: a socket on which one asks about a position and hears what the engine finds, until one asks again."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.engine.limit import Limit
from damier.engine.pool.pool import AnalyseRequest
from damier.server.analysis.evaluation import line_value, request_for
from damier.server.analysis.routes import record_of
from damier.server.wire import Studied

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from damier.core.record import Record
    from damier.engine.analysis import Analysis
    from damier.engine.pool.pool import Job
    from damier.server.services import Server

_LONGEST = Limit(seconds=60.0)  # that one question may take
_LONGEST_LINE = 24  # plies that are told


class Study:
    """One socket: the latest question counts, and what was asked before is given up."""

    def __init__(self, socket: WebSocket, server: Server, visitor: str, lang: str) -> None:
        self._socket, self._server, self._visitor, self._lang = socket, server, visitor, lang
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serves the socket until it is closed."""
        try:
            with contextlib.suppress(WebSocketDisconnect):
                while True:
                    asked = await self._socket.receive_json()
                    await self._stop()
                    self._work = asyncio.create_task(self._answer(asked))
        except (ValueError, KeyError, RecursionError):
            await self._socket.close(1007)
        finally:
            await self._stop()

    async def _stop(self) -> None:
        if self._work:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await self._work
        self._work = None

    async def _answer(self, asked: Any) -> None:
        """Answers a question; one without a game only stops."""
        if not isinstance(asked, dict) or not asked.get("game"):
            return
        try:
            if not self._server.requests.take(self._visitor):
                raise DamierError(message("That is too fast: wait a moment."))
            studied = Studied.model_validate(asked)
            await self._study(studied, await run_in_threadpool(record_of, studied))
        except DamierError as error:
            await self._tell(asked, {"error": error.sentence(self._lang)})
        except ValidationError:
            sentence = message("The request is not one that the server knows.").render(self._lang)
            await self._tell(asked, {"error": sentence})

    async def _study(self, studied: Studied, record: Record) -> None:
        told = studied.model_dump()
        if record.result:
            await self._tell(told, {"lines": [], "is_done": True})
            return
        request = request_for(record, _LONGEST, studied.lines, _LONGEST_LINE)
        job: Job[Analysis] = self._server.workers.submit(request, owner=self._visitor)
        try:
            if isinstance(request, AnalyseRequest):
                async for analysis in job.aresults():
                    await self._tell(told, self._found(record, analysis))
            await self._tell(told, {**self._found(record, await job), "is_done": True})
        finally:
            job.cancel()

    def _found(self, record: Record, analysis: Analysis) -> dict[str, Any]:
        return {
            "is_exact": analysis.is_exact,
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "nodes_per_second": analysis.nodes_per_second,
            "lines": [
                {"actions": list(line.actions[:_LONGEST_LINE]), **line_value(record, analysis, line, self._lang)}
                for line in analysis.lines
            ],
        }

    async def _tell(self, asked: dict[str, Any], data: dict[str, Any]) -> None:
        await self._socket.send_json({"id": str(asked.get("id", ""))[:64], **data})
