"""The moderators' page: reports, and what is done about them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from damier.core.messages import message
from damier.server.dependencies import SharedServices, SignedIn, refuse_foreign_origin
from damier.server.errors import NotAllowed
from damier.server.front.visitors import language
from damier.server.people.account import Account
from damier.server.share.routes import shared_page
from damier.server.store.store import now
from damier.server.wire.civility.people import ModerationAct, ModerationData

router = APIRouter()


async def _moderator(account: SignedIn) -> Account:
    if not account.is_moderator or account.is_banned(now()):
        raise NotAllowed(message("Only moderators may do that."))
    return account


Moderator = Annotated[Account, Depends(_moderator)]


@router.get("/moderation", include_in_schema=False)
async def page(request: Request, services: SharedServices) -> HTMLResponse:
    """The page, which says why it is empty to all who are no moderators."""
    found = await shared_page(request)
    identity = services.visitors.identity(request)
    if identity is None or identity.scopes is not None or not identity.account.is_moderator:
        found.status_code = 403
    return found


@router.get("/api/moderation")
async def show(moderator: Moderator, request: Request, services: SharedServices) -> ModerationData:
    """The reports that wait, and what was done last."""
    return await services.moderation.page(moderator, language(request))


@router.post("/api/moderation/reports/{number}/acts")
async def act(
    number: str, asked: ModerationAct, moderator: Moderator, request: Request, services: SharedServices
) -> ModerationData:
    """Acts on a report; returns the page after it."""
    refuse_foreign_origin(request, services)
    await services.moderation.act(moderator, number.replace("\0", "?"), asked)
    return await services.moderation.page(moderator, language(request))
