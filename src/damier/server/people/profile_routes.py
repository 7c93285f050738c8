"""The public page of an account."""

from __future__ import annotations

from fastapi import APIRouter, Request

from damier.core.messages import message
from damier.server.dependencies import SharedServices, Visitor
from damier.server.errors import NotFound
from damier.server.front.visitors import language
from damier.server.matches.match_data import summary
from damier.server.wire.account import PersonData

router = APIRouter(prefix="/api/people")

_LISTED = 10  # matches


@router.get("/{name}")
async def show(name: str, request: Request, visitor: Visitor, services: SharedServices) -> PersonData:
    """What everybody may know of an account: its name, since when it exists, and its last matches with others."""
    account = await services.accounts.find(name)
    if account is None or account.name.lower() != name.lower():
        raise NotFound(message("There is no such account."))
    found = await services.referee.recent(account.person)
    shared = [live for live in found if len({seat.visitor for seat in live.match.seats}) > 1]  # not at one board
    return PersonData(
        name=account.name,
        is_program=account.is_program,
        created=account.created[:10],
        matches=[summary(live.snapshot(visitor, language(request))) for live in shared[:_LISTED]],
    )
