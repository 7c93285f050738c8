"""Requests about a game given whole: its start and the actions played since."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from damier.core.errors import DamierError
from damier.server.analysis.lines import line_moments, line_refusal, line_state
from damier.server.analysis.requests import ReviewRequest, ValuesRequest
from damier.server.dependencies import EngineDesk, PageDesk, SharedServices
from damier.server.front.visitors import language
from damier.server.wire.analysis import ActionValues, LineAttempt
from damier.server.wire.board import GameMoments, PlayState
from damier.server.wire.games import GameLine
from damier.server.wire.matches import Refusal
from damier.server.wire.model import ErrorAnswer

_log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/lines")

NDJSON = "application/x-ndjson"
_STEPS = 4  # actions that are reviewed at a time: what has to make way for players is lost
_REVIEW_ANSWER = {"content": {NDJSON: {"itemSchema": {"$ref": "#/components/schemas/ReviewLine"}}}}


@router.post("/state", response_model=PlayState)
async def state(line: GameLine, request: Request, desk: PageDesk) -> Response:
    """The state after the last action."""
    return await desk.answer(line_state, line, language(request))


@router.post("/states", response_model=GameMoments)
async def states(line: GameLine, request: Request, desk: PageDesk) -> Response:
    """The boards before the first action and after each."""
    return await desk.answer(line_moments, line, language(request))


@router.post("/values", response_model=ActionValues)
async def values(line: GameLine, request: Request, services: SharedServices, engines: EngineDesk) -> Response:
    """The values of all legal actions."""
    server = services.settings.tables_from
    return await engines.answer(ValuesRequest(line, language(request), services.short, server=server))


@router.post("/why", response_model=Refusal)
async def why(attempt: LineAttempt, request: Request, desk: PageDesk) -> Response:
    """Why something cannot be played now."""
    return await desk.answer(line_refusal, attempt, attempt, language(request))


@router.post("/review", response_class=StreamingResponse, responses={200: _REVIEW_ANSWER})
async def review(line: GameLine, request: Request, engines: EngineDesk, services: SharedServices) -> StreamingResponse:
    """The course of the game: one line of JSON for its first position and one for each action, as they are found."""
    lang = language(request)
    with contextlib.ExitStack() as slot:
        slot.enter_context(services.reviews.enter(engines.owner))
        first = await engines.run(ReviewRequest(line, lang, count=_STEPS))
        kept = slot.pop_all()
    return StreamingResponse(
        _review(engines, line, lang, first, kept), media_type=NDJSON, background=BackgroundTask(kept.close)
    )


async def _review(
    engines: EngineDesk, line: GameLine, lang: str, first: bytes, slot: contextlib.ExitStack
) -> AsyncIterator[bytes]:
    """Yields the lines of a review; a client that disconnects ends it."""
    try:
        with slot:
            yield first
            for number in range(_STEPS, len(line.actions), _STEPS):
                yield await engines.run(ReviewRequest(line, lang, first=number, count=_STEPS))
    except DamierError as error:
        _log.error("The review of a game of %s failed: %s", line.game, error, extra={"game": line.game})
        yield ErrorAnswer(error=error.sentence(lang)).model_dump_json().encode() + b"\n"
