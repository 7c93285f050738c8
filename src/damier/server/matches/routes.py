"""Requests about matches."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.analysis.lines import line_refusal
from damier.server.analysis.requests import HintRequest, ValuesRequest
from damier.server.dependencies import (
    EngineDesk,
    PageDesk,
    SharedServices,
    Visitor,
    has_scope,
    refuse_foreign_origin,
)
from damier.server.front.visitors import address_of, language
from damier.server.matches.clock import parse_control
from damier.server.matches.match_data import summary
from damier.server.matches.shared_games import shared_game
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


@router.post("", status_code=201, dependencies=[has_scope("play")])
async def begin(new: NewMatch, request: Request, response: Response, services: SharedServices) -> MatchSnapshot:
    """Begins a match."""
    refuse_foreign_origin(request, services)
    visitor = services.visitors.recognise(request, response)
    address = address_of(request)
    services.beginnings.spend(visitor, address)
    game = shared_game(damier.load(new.game, **new.options))
    seats = [seat.level if isinstance(seat, ComputerSeat) else seat for seat in new.seats]
    control = parse_control(new.clock.model_dump()) if new.clock else None
    live = await services.referee.begin(
        game, seats, visitor, allows_help=new.allows_help, address=address, control=control, is_rated=new.is_rated
    )
    return live.snapshot(visitor, language(request))


@router.get("", dependencies=[has_scope("read")])
async def recent(request: Request, visitor: Visitor, services: SharedServices) -> list[MatchSummary]:
    """The visitor's last matches, newest first."""
    found = await services.referee.recent(visitor) if visitor else []
    return [summary(live.snapshot(visitor, language(request))) for live in found]


@router.get("/{number}")
async def show(number: str, request: Request, visitor: Visitor, services: SharedServices) -> MatchSnapshot:
    """A match as it stands."""
    return (await services.referee.find(number)).snapshot(visitor, language(request))


@router.post("/{number}/seats", dependencies=[has_scope("play")])
async def take_seat(
    number: str, asked: SeatRequest, request: Request, response: Response, services: SharedServices
) -> MatchSnapshot:
    """Takes an open seat."""
    refuse_foreign_origin(request, services)
    live = await services.referee.find(number)
    visitor = services.visitors.recognise(request, response)
    services.avoidance.refuse_blocked(live.match, visitor)
    await services.referee.take_seat(live, visitor, asked.invitation)
    return live.snapshot(visitor, language(request))


@router.post("/{number}/why", response_model=Refusal)
async def why(number: str, attempt: Attempt, request: Request, services: SharedServices, desk: PageDesk) -> Response:
    """Why something cannot be played now."""
    live = await services.referee.find(number)
    return await desk.answer(line_refusal, live.match.line(), attempt, language(request))


@router.get("/{number}/values", response_model=ActionValues)
async def values(number: str, request: Request, services: SharedServices, engines: EngineDesk) -> Response:
    """The values of all legal actions."""
    live = await services.referee.find(number)
    live.match.refuse_help()
    return await engines.answer(ValuesRequest(live.match.line(), language(request), services.short))


@router.get("/{number}/hint", response_model=HintData)
async def show_hint(number: str, request: Request, services: SharedServices, engines: EngineDesk) -> Response:
    """One good action."""
    live = await services.referee.find(number)
    if live.match.record.result:
        raise BadArgument(message("The game is over."))
    live.match.refuse_help()
    return await engines.answer(HintRequest(live.match.line(), language(request), services.short))
