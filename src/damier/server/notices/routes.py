"""Requests about notices: what a person wants to be told, browsers, and links of e-mails."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.dependencies import (
    OPEN_TO_BANNED,
    SharedServices,
    SignedIn,
    Visitor,
    has_scope,
    refuse_foreign_origin,
)
from damier.server.front.visitors import address_of, language
from damier.server.people.browsers import browser_name
from damier.server.wire.notices import NewPush, NoticeChange, NoticeOptions

router = APIRouter(prefix="/api/notices")

Token = Annotated[str, Query()]


@router.get("", dependencies=[has_scope("read")])
async def show(request: Request, visitor: Visitor, services: SharedServices) -> NoticeOptions:
    """What the visitor is told, and by what."""
    identity = services.visitors.identity(request)
    return await services.notices.recipients.options(visitor, identity.account if identity else None)


@router.put("", dependencies=[OPEN_TO_BANNED])
async def change(given: NoticeChange, request: Request, response: Response, services: SharedServices) -> NoticeOptions:
    """Switches kinds of notices on and off."""
    refuse_foreign_origin(request, services)
    person, identity = services.visitors.recognise(request, response), services.visitors.identity(request)
    await services.notices.recipients.change(person, given.kinds, language(request))
    return await services.notices.recipients.options(person, identity.account if identity else None)


@router.post("/push", status_code=204)
async def subscribe(given: NewPush, request: Request, response: Response, services: SharedServices) -> None:
    """Has notices sent to this browser, from now on those of the visitor alone."""
    refuse_foreign_origin(request, services)
    person, identity = services.visitors.recognise(request, response), services.visitors.identity(request)
    browser = browser_name(request.headers.get("user-agent", ""))
    session = identity.session if identity else ""
    await services.notices.recipients.subscribe(person, session, given, browser, language(request))


@router.delete("/push/{number}", status_code=204, dependencies=[OPEN_TO_BANNED])
async def unsubscribe(number: str, request: Request, visitor: Visitor, services: SharedServices) -> None:
    """Has no more notices sent to one of the visitor's browsers."""
    refuse_foreign_origin(request, services)
    await services.notices.recipients.unsubscribe(visitor, number.replace("\0", "?"))


@router.post("/confirmation", status_code=204)
async def ask_confirmation(account: SignedIn, request: Request, services: SharedServices) -> None:
    """Sends an e-mail with a link that confirms the address of the account."""
    refuse_foreign_origin(request, services)
    if account.email and services.notices.mailer:
        services.notices.spend_confirmation(account.person, account.email, address_of(request))
    await services.notices.ask_confirmation(account, language(request))


@router.post("/confirm", status_code=204, dependencies=[OPEN_TO_BANNED])
async def confirm(token: Token, request: Request, services: SharedServices) -> None:
    """Confirms an address, by the link of an e-mail; needs no account to be signed in."""
    refuse_foreign_origin(request, services)
    person, email = services.notices.links.read("confirm", token)
    if not await services.notices.recipients.confirm(person, email):
        raise BadArgument(message("The account has another address by now, or none."))


@router.post("/unsubscribe", status_code=204, dependencies=[OPEN_TO_BANNED])
async def stop_emails(token: Token, request: Request, services: SharedServices) -> None:
    """Stops all e-mails to an address, by a link in one of them; mail programs call it, too (RFC 8058)."""
    refuse_foreign_origin(request, services)
    person, email = services.notices.links.read("unsubscribe", token)
    await services.notices.recipients.stop_emails(person, email)
