"""The analysis socket: a client sends a position and receives what the engine finds, until its next query."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message
from damier.engine.fault import EngineFault
from damier.engine.judge import overall_chances
from damier.engine.limit import Limit
from damier.engine.pool.pool import AnalyseRequest
from damier.engine.turns import turns_of
from damier.server.analysis.evaluation import analysis_note, analysis_request, line_value
from damier.server.answers import malformed
from damier.server.board_data import action_marks_data
from damier.server.dependencies import owner_of, shared_services
from damier.server.errors import TooManyRequests
from damier.server.replay import replay_line
from damier.server.visitors import is_same_origin, language
from damier.server.wire.analysis import (
    AnalysisLine,
    AnalysisOver,
    AnalysisQuery,
    AnalysisRefused,
    AnalysisUpdate,
)
from damier.server.wire.matches import LONGEST_ID
from damier.server.wire.model import WireModel

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line
    from damier.engine.pool.pool import Job
    from damier.server.services import Services

router = APIRouter()
_log = logging.getLogger(__name__)

_LONGEST_SEARCH = Limit(seconds=60.0)  # of one query
_LONGEST_LINE = 24  # plies that are sent
_INVALID_DATA, _POLICY = 1007, 1008  # close codes


@router.websocket("/api/lines/live")
async def analyse(socket: WebSocket) -> None:
    """Serves an analysis socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(_POLICY)
        return
    await socket.accept()
    await AnalysisSocket(socket, services, owner_of(socket), language(socket)).run()


class AnalysisSocket:
    """One connection; a new query cancels the one before."""

    def __init__(self, socket: WebSocket, services: Services, owner: str, lang: str) -> None:
        self._socket, self._services, self._owner, self._lang = socket, services, owner, lang
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
            await self._socket.close(_INVALID_DATA)
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
            if not self._services.requests.take(self._owner):
                raise TooManyRequests(message("That is too fast: wait a moment."))
            query = _parse(data)
            await self._analyse(query.id, query.lines, await run_in_threadpool(replay_line, query))
        except DamierError as error:
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
        await self._send(AnalysisRefused(id=name, error=why.render(self._lang)))

    async def _analyse(self, name: str, lines: int, record: Record) -> None:
        if record.result:
            await self._send(AnalysisOver(id=name, lines=[], is_done=True))
            return
        request = analysis_request(record, _LONGEST_SEARCH, lines, _LONGEST_LINE)
        job: Job[Analysis] = self._services.workers.submit(request, owner=self._owner)
        try:
            if isinstance(request, AnalyseRequest):
                async for analysis in job.aresults():
                    await self._send(self._update(name, record, analysis, is_done=False))
            await self._send(self._update(name, record, await job, is_done=True))
        finally:
            job.cancel()

    def _update(self, name: str, record: Record, analysis: Analysis, *, is_done: bool) -> AnalysisUpdate:
        lines = [self._line(record, analysis, line) for line in analysis.lines]
        return AnalysisUpdate(
            id=name,
            is_from_table=analysis.is_from_table,
            is_exact=analysis.is_exact,
            depth=analysis.depth,
            nodes=analysis.nodes,
            nodes_per_second=analysis.nodes_per_second,
            chances=[round(chance, 4) for chance in overall_chances(analysis)],
            lines=lines,
            note=analysis_note(record, analysis, self._lang),
            is_done=is_done,
        )

    def _line(self, record: Record, analysis: Analysis, line: Line) -> AnalysisLine:
        actions = list(line.actions[:_LONGEST_LINE])
        return AnalysisLine(
            actions=actions,
            turns=turns_of(record.position, actions),
            routes=action_marks_data(record.position, actions[0]).routes,
            **vars(line_value(record, analysis, line, self._lang)),
        )

    async def _send(self, message: WireModel) -> None:
        await self._socket.send_text(message.model_dump_json())


def _parse(data: dict[str, Any]) -> AnalysisQuery:
    try:
        return AnalysisQuery.model_validate(data)
    except ValidationError as error:
        raise BadArgument(malformed(error.errors())) from None
