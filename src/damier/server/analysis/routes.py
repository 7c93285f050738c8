"""Requests about a game given whole: its start and the actions played since."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from damier.core.errors import DamierError
from damier.core.record import Record
from damier.draw.marks import last_turns
from damier.engine.analysis import Analysis
from damier.engine.limit import Limit
from damier.engine.turns import turns_of
from damier.insight.review.review import LINES, ReviewedAction, Reviewer
from damier.server.analysis.evaluation import action_values, analysis_request
from damier.server.board_data import board_state, last_action, play_state, turns_data
from damier.server.dependencies import Owner, SharedServices, within_limits
from damier.server.refusals import explain_refusal
from damier.server.replay import LineRecord, replay_line
from damier.server.services import Services
from damier.server.visitors import language
from damier.server.wire.analysis import ActionValues, LineAttempt, ReviewStart, ReviewStep
from damier.server.wire.board import GameMoments, MomentState, PlayState
from damier.server.wire.matches import Refusal
from damier.server.wire.model import ErrorAnswer
from damier.solve.location import has_table
from damier.solve.returns.repetition import forbids_returns

_log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/lines", dependencies=[Depends(within_limits)])

NDJSON = "application/x-ndjson"
_BETTER = 8  # plies of a better line that are sent
_REVIEW = Limit(nodes=30_000)  # for each position of a game
_REVIEW_ANSWER = {"content": {NDJSON: {"itemSchema": {"$ref": "#/components/schemas/ReviewLine"}}}}


@router.post("/state")
async def state(record: LineRecord, request: Request) -> PlayState:
    """The state after the last action."""
    return play_state(record, language(request))


@router.post("/states")
async def states(record: LineRecord, request: Request) -> GameMoments:
    """The boards before the first action and after each."""
    return GameMoments(states=await run_in_threadpool(_moments, record, language(request)))


def _moments(record: Record, lang: str) -> list[MomentState]:
    last, turns = len(record.played), 0
    found = []
    for count, position in enumerate(record.positions):
        turns += position.is_settled and count > 0
        board = board_state(position, record.result if count == last else None, lang)
        moment = MomentState(
            **vars(board),
            mover=position.mover,
            turn=turns + 1,
            last=last_action(record, count),
            last_turns=turns_data(last_turns(record, count=count)),
        )
        found.append(moment)
    return found


@router.post("/values")
async def values(record: LineRecord, request: Request, owner: Owner, services: SharedServices) -> ActionValues:
    """The values of all legal actions."""
    return await action_values(services.workers, record, owner, language(request))


@router.post("/why")
def why(attempt: LineAttempt, request: Request) -> Refusal:
    """Why something cannot be played now."""
    return explain_refusal(replay_line(attempt), attempt, language(request))


@router.post("/review", response_class=StreamingResponse, responses={200: _REVIEW_ANSWER})
async def review(record: LineRecord, owner: Owner, services: SharedServices) -> StreamingResponse:
    """The course of the game: one line of JSON for its first position and one for each action, as they are found."""
    return StreamingResponse(_review(services, record, owner), media_type=NDJSON)


async def _review(services: Services, record: Record, owner: str) -> AsyncIterator[str]:
    """Yields the lines of a review; a client that disconnects ends it."""

    def search(here: Record, limit: Limit) -> Analysis:
        return services.workers.submit(analysis_request(here, limit, LINES, _BETTER), owner=owner).result()

    is_from_table = has_table(record.game)
    is_exact = is_from_table and not forbids_returns(record.game) and not record.repeated
    reviewer = Reviewer(record.start, _REVIEW, search)
    try:
        chances = await run_in_threadpool(reviewer.look)
        start = ReviewStart(chances=_rounded(chances), is_from_table=is_from_table, is_exact=is_exact)
        yield start.model_dump_json() + "\n"
        for action in record.played:
            step = await run_in_threadpool(reviewer.play, action)
            yield _step_data(reviewer.record, step).model_dump_json() + "\n"
    except DamierError as error:
        name = record.game.name
        _log.error("The review of a game of %s failed: %s", name, error, extra={"game": name})
        yield ErrorAnswer(error=str(error)).model_dump_json() + "\n"


def _step_data(record: Record, step: ReviewedAction) -> ReviewStep:
    return ReviewStep(
        chances=_rounded(step.after),
        number=step.number,
        turn=step.turn,
        player=step.mover,
        action=step.action,
        loss=None if step.loss is None else round(step.loss, 4),
        is_mistake=step.is_mistake,
        before=_rounded(step.before),
        better=list(step.better),
        better_turns=turns_of(record.positions[step.number], step.better),
        mark=step.mark,
        has_choice=step.choices > 1,
    )


def _rounded(chances: tuple[float, ...]) -> list[float]:
    return [round(chance, 4) for chance in chances]
