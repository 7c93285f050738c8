"""Requests about matches."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.analysis.evaluation import action_values, hint
from damier.server.dependencies import Owner, SharedServices, Visitor, refuse_foreign_origin, within_limits
from damier.server.errors import TooManyRequests
from damier.server.matches.match_data import summary
from damier.server.refusals import explain_refusal
from damier.server.visitors import language, recognised
from damier.server.wire.analysis import ActionValues, HintData
from damier.server.wire.matches import (
    Attempt,
    ComputerSeat,
    MatchSnapshot,
    MatchSummary,
    NewMatch,
    Refusal,
    SeatRequest,
)

router = APIRouter(prefix="/api/matches")


@router.post("", status_code=201)
async def begin(
    new: NewMatch, request: Request, response: Response, visitor: Visitor, services: SharedServices
) -> MatchSnapshot:
    """Begins a match."""
    refuse_foreign_origin(request, services)
    visitor = recognised(request, response)
    if not services.beginnings.take(visitor):
        raise TooManyRequests(message("You have begun many matches: wait a while."))
    game = damier.load(new.game, **new.options)
    seats = [seat.level if isinstance(seat, ComputerSeat) else seat for seat in new.seats]
    live = await services.referee.begin(game, seats, visitor, allows_help=new.allows_help)
    return live.snapshot(visitor, language(request))


@router.get("")
async def recent(request: Request, visitor: Visitor, services: SharedServices) -> list[MatchSummary]:
    """The visitor's last matches, newest first."""
    found = await services.referee.recent(visitor) if visitor else []
    return [summary(live.snapshot(visitor, language(request))) for live in found]


@router.get("/{number}")
async def show(number: str, request: Request, visitor: Visitor, services: SharedServices) -> MatchSnapshot:
    """A match as it stands."""
    return (await services.referee.find(number)).snapshot(visitor, language(request))


@router.post("/{number}/seats")
async def take_seat(
    number: str, asked: SeatRequest, request: Request, response: Response, visitor: Visitor, services: SharedServices
) -> MatchSnapshot:
    """Takes an open seat."""
    refuse_foreign_origin(request, services)
    live = await services.referee.find(number)
    visitor = recognised(request, response)
    await services.referee.take_seat(live, visitor, asked.invitation)
    return live.snapshot(visitor, language(request))


@router.post("/{number}/why", dependencies=[Depends(within_limits)])
async def why(number: str, attempt: Attempt, request: Request, services: SharedServices) -> Refusal:
    """Why something cannot be played now."""
    live = await services.referee.find(number)
    return explain_refusal(live.match.record, attempt, language(request))


@router.get("/{number}/values", dependencies=[Depends(within_limits)])
async def values(number: str, request: Request, owner: Owner, services: SharedServices) -> ActionValues:
    """The values of all legal actions."""
    live = await services.referee.find(number)
    live.match.refuse_help()
    return await action_values(services.workers, live.match.record, owner, language(request))


@router.get("/{number}/hint", dependencies=[Depends(within_limits)])
async def show_hint(number: str, request: Request, owner: Owner, services: SharedServices) -> HintData:
    """One good action."""
    live = await services.referee.find(number)
    if not live.match.record.actions():
        raise BadArgument(message("The game is over."))
    live.match.refuse_help()
    return await hint(services.workers, live.match.record, owner, language(request))
