"""Requests about other people: muting, blocking and reporting them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.core.messages import message
from damier.server.civility.reports import report
from damier.server.dependencies import SharedServices, Visitor, has_scope, refuse_foreign_origin
from damier.server.errors import NotAllowed
from damier.server.front.visitors import address_of
from damier.server.services import Services
from damier.server.store.statements.avoided import Avoided
from damier.server.wire.civility.people import AvoidedData, NewAvoided, NewReport

router = APIRouter()


@router.get("/api/avoided", dependencies=[has_scope("read")])
async def avoided(visitor: Visitor, services: SharedServices) -> list[AvoidedData]:
    """Those whom the visitor has muted or blocked, the last first."""
    found = sorted(services.avoidance.of(visitor).values(), key=lambda each: each.created, reverse=True)
    return await _data(services, found)


@router.post("/api/avoided", status_code=201)
async def avoid(asked: NewAvoided, request: Request, response: Response, services: SharedServices) -> AvoidedData:
    """Mutes or blocks somebody; only accounts can block."""
    refuse_foreign_origin(request, services)
    if asked.kind == "block" and services.visitors.identity(request) is None:
        raise NotAllowed(message("Guests can mute only: sign in to block somebody."))
    person = services.visitors.recognise(request, response)
    target = await services.targets.find(person, asked.who)
    made = await services.avoidance.avoid(person, target.person, asked.kind)
    if asked.kind == "block":
        await services.lobby.part(person, target.person)
    return (await _data(services, [made]))[0]


@router.delete("/api/avoided/{number}", status_code=204)
async def end_avoiding(number: str, request: Request, visitor: Visitor, services: SharedServices) -> None:
    """Ends muting or blocking somebody."""
    refuse_foreign_origin(request, services)
    await services.avoidance.end(visitor, number.replace("\0", "?")[:32])


@router.post("/api/reports", status_code=204)
async def report_person(asked: NewReport, request: Request, response: Response, services: SharedServices) -> None:
    """Tells the moderators about somebody."""
    refuse_foreign_origin(request, services)
    person = services.visitors.recognise(request, response)
    target = await services.targets.find(person, asked.who)
    services.reports.spend(person, address_of(request))
    await report(services.store, person, target, asked)


async def _data(services: Services, found: list[Avoided]) -> list[AvoidedData]:
    people = await services.lobby.people.data([each.other for each in found])
    return [
        AvoidedData.model_validate(
            {
                "number": each.number,
                "name": people[each.other].name,
                "account": people[each.other].name if people[each.other].has_account else None,
                "kind": each.kind,
                "since": each.created,
            }
        )
        for each in found
    ]
