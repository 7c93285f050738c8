"""Requests about a game that is given whole with each of them: its first position and what was played."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

import damier
from damier.core.errors import DamierError
from damier.core.record import Record
from damier.engine.analysis import Analysis
from damier.engine.limit import Limit
from damier.insight.review.review import ReviewedAction, Reviewer
from damier.server.analysis.evaluation import request_for, values_data
from damier.server.dependencies import Service, Visitor, asking
from damier.server.matches.routes import why_not
from damier.server.services import Server
from damier.server.view import board_state, last_data, record_state
from damier.server.visitors import language
from damier.server.wire import Played, Tried
from damier.solve.location import has_table

router = APIRouter(prefix="/api/lines")

_BETTER = 8  # plies of a better line that are told
_REVIEW = Limit(nodes=30_000)  # for each position of a game


def record_of(played: Played) -> Record:
    """Returns the game being played; raises a `DamierError` that says what is wrong with it."""
    record = damier.load(played.game, **played.options).record(played.start)
    for action in played.actions:
        record.play(action)
    return record


Line = Annotated[Record, Depends(record_of)]


@router.post("/state", dependencies=[Depends(asking)])
async def state(record: Line, request: Request) -> dict[str, Any]:
    """How the game stands."""
    return record_state(record, language(request))


@router.post("/states", dependencies=[Depends(asking)])
async def states(record: Line, request: Request) -> dict[str, Any]:
    """How the game stood before the first action and after each."""
    return {"states": await run_in_threadpool(_states, record, language(request))}


def _states(record: Record, lang: str) -> list[dict[str, Any]]:
    last, turns = len(record.played), 0
    found = []
    for count, position in enumerate(record.positions):
        turns += position.is_settled and count > 0
        board = board_state(position, record.result if count == last else None, lang)
        found.append({**board, "mover": position.mover, "turn": turns + 1, "last": last_data(record, count)})
    return found


@router.post("/values")
async def values(record: Line, request: Request, visitor: Visitor, server: Service) -> dict[str, Any]:
    """The values of all legal actions."""
    return await values_data(server.workers, record, visitor or "somebody", language(request))


@router.post("/why", dependencies=[Depends(asking)])
def why(tried: Tried, request: Request) -> dict[str, str]:
    """Why something cannot be played now."""
    return why_not(record_of(tried), tried, language(request))


@router.post("/review", response_class=StreamingResponse)
async def review(record: Line, visitor: Visitor, server: Service) -> StreamingResponse:
    """The game's course: one line of JSON for its first position and one for each action, as they are found."""
    return StreamingResponse(_reviewed(server, record, visitor or "somebody"), media_type="application/x-ndjson")


async def _reviewed(server: Server, record: Record, owner: str) -> AsyncIterator[str]:
    """Yields what a review finds; whoever has stopped listening ends it."""
    is_exact = has_table(record.game)

    def search(here: Record, limit: Limit) -> Analysis:
        return server.workers.submit(request_for(here, limit, 1, _BETTER), owner=owner).result()

    reviewer = Reviewer(record.start, _REVIEW, search)
    try:
        chances = await run_in_threadpool(reviewer.look)
        yield json.dumps({"chances": _rounded(chances), "is_exact": is_exact}) + "\n"
        for action in record.played:
            step = await run_in_threadpool(reviewer.play, action)
            yield json.dumps(_step_data(step)) + "\n"
    except DamierError as error:
        yield json.dumps({"error": str(error)}) + "\n"


def _step_data(step: ReviewedAction) -> dict[str, Any]:
    return {
        "chances": _rounded(step.after),
        "number": step.number,
        "turn": step.turn,
        "player": step.mover,
        "action": step.action,
        "loss": None if step.loss is None else round(step.loss, 4),
        "is_mistake": step.is_mistake,
        "before": _rounded(step.before),
        "better": list(step.better),
    }


def _rounded(chances: tuple[float, ...]) -> list[float]:
    return [round(chance, 4) for chance in chances]
