"""Requests about the visitor."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from damier.server.dependencies import SharedServices, refuse_foreign_origin, within_limits
from damier.server.nicknames import chosen_nickname
from damier.server.visitors import recognised
from damier.server.wire.me import MeData

router = APIRouter(prefix="/api/me", dependencies=[Depends(within_limits)])


@router.get("")
async def show(request: Request, response: Response, services: SharedServices) -> MeData:
    """The visitor's nickname."""
    return MeData(nickname=await services.referee.nickname(recognised(request, response)))


@router.put("")
async def rename(me: MeData, request: Request, response: Response, services: SharedServices) -> MeData:
    """Changes the visitor's nickname, also in the matches that are open."""
    refuse_foreign_origin(request, services)
    chosen = chosen_nickname(me.nickname)
    await services.referee.rename(recognised(request, response), chosen)
    return MeData(nickname=chosen)
