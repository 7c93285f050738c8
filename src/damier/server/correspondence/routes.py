"""Requests about vacations and conditional turns."""

from __future__ import annotations

from fastapi import APIRouter, Request

from damier.server.correspondence.conditional import (
    MOST_ANSWERS,
    MOST_LINES,
    can_plan,
    check_lines,
    first_place,
    parse_lines,
    planning_player,
)
from damier.server.correspondence.vacation import ALLOWANCE, PERIOD, days_left, running_vacation
from damier.server.dependencies import PageDesk, SharedServices, SignedIn, Visitor, has_scope, refuse_foreign_origin
from damier.server.matches.live_match import LiveMatch
from damier.server.services import Services
from damier.server.wire.clocks import ConditionalData, ConditionalRequest, VacationData, VacationRequest

router = APIRouter(prefix="/api")


# Vacations


async def _vacation_data(services: Services, person: str) -> VacationData:
    vacations, now = await services.vacations.of(person), services.referee.time.now()
    running = running_vacation(vacations, now)
    return VacationData(
        allowance=ALLOWANCE,
        period=PERIOD,
        left=days_left(vacations, now),
        ends_in=running.until - now if running else None,
    )


@router.get("/account/vacation", dependencies=[has_scope("read")])
async def show_vacation(account: SignedIn, services: SharedServices) -> VacationData:
    """The vacation days that are left, and when the running vacation ends."""
    return await _vacation_data(services, account.person)


@router.post("/account/vacation")
async def begin_vacation(
    asked: VacationRequest, account: SignedIn, request: Request, services: SharedServices
) -> VacationData:
    """Begins a vacation: the clocks of correspondence matches stand still, except in tournaments."""
    refuse_foreign_origin(request, services)
    await services.vacations.begin(account.person, asked.days)
    return await _vacation_data(services, account.person)


@router.delete("/account/vacation")
async def end_vacation(account: SignedIn, request: Request, services: SharedServices) -> VacationData:
    """Ends the running vacation."""
    refuse_foreign_origin(request, services)
    await services.vacations.end(account.person)
    return await _vacation_data(services, account.person)


# Conditional turns


def _conditional_data(live: LiveMatch, player: str) -> ConditionalData:
    kept = live.conditional.get(player)
    return ConditionalData(
        turn=live.match.record.turn + 1,
        base=first_place(live.match),
        can_enter=can_plan(live.match, player),
        lines=[[list(turn) for turn in line] for line in kept.lines] if kept else [],
        most_lines=MOST_LINES,
        most_answers=MOST_ANSWERS,
    )


@router.get("/matches/{number}/conditional", dependencies=[has_scope("play")])
async def show_conditional(number: str, visitor: Visitor, services: SharedServices) -> ConditionalData:
    """The conditional turns of the visitor in a match."""
    live = await services.referee.find(number)
    return _conditional_data(live, planning_player(live.match, visitor))


@router.put("/matches/{number}/conditional", dependencies=[has_scope("play")])
async def enter_conditional(
    number: str,
    asked: ConditionalRequest,
    request: Request,
    visitor: Visitor,
    services: SharedServices,
    desk: PageDesk,
) -> ConditionalData:
    """Stores the conditional turns of the visitor in a match, instead of those before."""
    refuse_foreign_origin(request, services)
    live = await services.referee.find(number)
    line, player = services.planner.line(live, visitor, asked.turn)
    given = tuple(tuple(tuple(turn) for turn in each) for each in asked.lines)
    lines = parse_lines((await desk.run(check_lines, line, player, given)).decode())
    await services.planner.enter(live, visitor, asked.turn, lines)
    return _conditional_data(live, player)
