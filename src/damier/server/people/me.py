"""Requests about the visitor."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.server.dependencies import SharedServices, refuse_foreign_origin
from damier.server.front.visitors import COOKIE
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
    chosen = chosen_nickname(me.nickname)
    await services.referee.rename(services.visitors.recognise(request, response), chosen)
    return MeData(nickname=chosen)


@router.delete("", status_code=204)
async def forget(request: Request, response: Response, services: SharedServices) -> None:
    """Forgets the visitor: the nickname and the cookie are deleted, matches stay under names that lead nowhere."""
    refuse_foreign_origin(request, services)
    visitor = services.visitors.of(request)
    if visitor:
        await services.referee.forget(visitor)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
