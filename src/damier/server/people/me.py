"""Requests about the visitor."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.core.messages import message
from damier.server.dependencies import SharedServices, refuse_foreign_origin
from damier.server.errors import NotAllowed
from damier.server.front.visitors import COOKIE
from damier.server.people.names import name_taken
from damier.server.people.nicknames import chosen_nickname
from damier.server.wire.me import MeData

router = APIRouter(prefix="/api/me")


@router.get("")
async def show(request: Request, response: Response, services: SharedServices) -> MeData:
    """The visitor's nickname."""
    return MeData(nickname=await services.referee.nickname(services.visitors.recognise(request, response)))


@router.put("")
async def rename(me: MeData, request: Request, response: Response, services: SharedServices) -> MeData:
    """Changes the visitor's nickname, also in the matches that are open."""
    refuse_foreign_origin(request, services)
    if services.visitors.identity(request):
        raise NotAllowed(message("You are shown by the name of your account: change that."))
    chosen = chosen_nickname(me.nickname)
    if await services.accounts.find(chosen):
        raise name_taken()
    visitor = services.visitors.recognise(request, response)
    await services.referee.rename(visitor, chosen)
    await services.changes.rename(visitor, chosen)
    return MeData(nickname=chosen)


@router.delete("", status_code=204)
async def forget(request: Request, response: Response, services: SharedServices) -> None:
    """Forgets the visitor: the nickname and the cookie are deleted, matches stay under names that lead nowhere."""
    refuse_foreign_origin(request, services)
    if services.visitors.identity(request):
        raise NotAllowed(message("You are signed in: delete your account instead."))
    visitor = services.visitors.of(request)
    if visitor:
        await services.lobby.forget(visitor)
        await services.tournaments.forget(visitor)
        await services.forget_civility(visitor)
        await services.referee.forget(visitor)
        services.changes.forget(visitor)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
