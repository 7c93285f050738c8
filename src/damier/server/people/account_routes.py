"""Requests about one's own account: making it, signing in and out, changing and deleting it."""

from __future__ import annotations

import contextlib
import json
import re

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from damier.core.errors import BadArgument
from damier.core.messages import Message, message
from damier.server.dependencies import (
    OPEN_TO_BANNED,
    SharedServices,
    SignedIn,
    has_scope,
    refuse_foreign_origin,
)
from damier.server.errors import NotAllowed, NotNow, TooManyRequests
from damier.server.front.visitors import COOKIE as GUEST_COOKIE
from damier.server.front.visitors import address_of, language
from damier.server.people.account import Account
from damier.server.people.browsers import browser_name
from damier.server.people.credentials import COOKIE, LIFETIME
from damier.server.people.export import export
from damier.server.people.names import account_name, skeleton
from damier.server.services import Services
from damier.server.wire.account import (
    AccountData,
    AccountDeletion,
    EmailChange,
    NameChange,
    NewAccount,
    PasswordChange,
    RecoveryCodes,
    RecoveryRequest,
    SessionData,
    SettingsData,
    SignInRequest,
)

router = APIRouter(prefix="/api/account")

_EMAIL = re.compile(r"[^\s@<>(),;:\\\"]{1,64}@[^\s@<>(),;:\\\"]+\.[^\s@<>(),;:\\\"]{2,}")


async def account_data(services: Services, account: Account) -> AccountData:
    """Returns an account as its owner sees it."""
    return AccountData(
        name=account.name,
        is_program=account.is_program,
        is_moderator=account.is_moderator,
        banned_until=account.banned_until,
        email=account.email,
        has_password=account.has_password,
        recovery_codes=await services.accounts.count_codes(account.person),
        created=account.created,
    )


async def begin_session(
    request: Request, response: Response, services: Services, account: Account, guest: str = ""
) -> AccountData:
    """Signs a browser in to an account, which the guest has just made if one is given."""
    browser = browser_name(request.headers.get("user-agent", ""))
    number, token = await services.accounts.sign_in(account.person, browser)
    services.visitors.set_cookie(request, response, COOKIE, token, round(LIFETIME.total_seconds()))
    if guest:
        services.changes.move(guest, account.person, number)
        await services.notices.recipients.sign_in(account.person, number)
        response.delete_cookie(GUEST_COOKIE, httponly=True, samesite="lax")
    return await account_data(services, account)


def refuse_new_account(request: Request, services: Services) -> None:
    """Raises `NotNow` for who is signed in, `TooManyRequests` for an address that has made many accounts."""
    if services.visitors.identity(request):
        raise NotNow(message("You are signed in: sign out first."))
    address = address_of(request)
    if not services.new_accounts.take(address):
        sentence = message("Many accounts were made from your network: wait a while.")
        raise TooManyRequests(sentence, services.new_accounts.wait(address))


@router.post("", status_code=201)
async def make(new: NewAccount, request: Request, response: Response, services: SharedServices) -> AccountData:
    """Makes an account with a password; all that the guest has comes along, and the browser is signed in."""
    refuse_foreign_origin(request, services)
    name = account_name(new.name)
    refuse_new_account(request, services)
    password, guest = await services.passwords.hash(new.password), services.visitors.guest(request)
    account = await services.accounts.make(
        name, guest=guest, password=password, is_program=new.is_program, settings=json.dumps(new.settings)
    )
    return await begin_session(request, response, services, account, guest)


@router.get("", dependencies=[has_scope("read")])
async def show(account: SignedIn, services: SharedServices) -> AccountData:
    """The account that is signed in."""
    return await account_data(services, account)


@router.post("/sign-in", dependencies=[OPEN_TO_BANNED])
async def sign_in(given: SignInRequest, request: Request, response: Response, services: SharedServices) -> AccountData:
    """Signs in with a password. An unknown name takes as long as a wrong password, and gets the same answer."""
    refuse_foreign_origin(request, services)
    services.sign_ins.spend(skeleton(given.name), address_of(request))
    account = await services.accounts.find(given.name)
    await refuse_password(services, account, given.password, message("The name or the password is wrong."))
    assert account
    return await begin_session(request, response, services, account)


async def refuse_password(services: Services, account: Account | None, password: str, sentence: Message) -> None:
    """Raises `NotAllowed` unless the password is that of the account; hashes it anew if it has to be."""
    kept = await services.accounts.password_of(account.person) if account else None
    is_right, renewed = await services.passwords.verify(password, kept)
    if not is_right or account is None:
        raise NotAllowed(sentence)
    if renewed:
        await services.accounts.change(account, password=renewed)


@router.post("/sign-out", status_code=204, dependencies=[OPEN_TO_BANNED])
async def sign_out(request: Request, response: Response, services: SharedServices) -> None:
    """Signs this browser out."""
    refuse_foreign_origin(request, services)
    identity = services.visitors.identity(request)
    if identity:
        await services.accounts.sign_out(identity.person, identity.session)
        services.changes.end_connections(identity.person, session=identity.session)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


@router.post("/password", status_code=204, dependencies=[OPEN_TO_BANNED])
async def change_password(given: PasswordChange, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Changes the password and signs all other browsers out."""
    refuse_foreign_origin(request, services)
    if account.has_password:
        services.sign_ins.spend(skeleton(account.name), address_of(request))
        await refuse_password(services, account, given.old or "", message("The old password is wrong."))
    hashed = await services.passwords.hash(given.password)
    await services.accounts.change(account, password=hashed)
    await sign_out_others(account, request, services)


@router.put("/name")
async def rename(given: NameChange, account: SignedIn, request: Request, services: SharedServices) -> AccountData:
    """Changes the name, also in the matches that are open."""
    refuse_foreign_origin(request, services)
    renamed = await services.accounts.rename(account, account_name(given.name))
    return await account_data(services, renamed)


@router.put("/email")
async def change_email(
    given: EmailChange, account: SignedIn, request: Request, services: SharedServices
) -> AccountData:
    """Changes the address for notices; an e-mail asks its owner to confirm it."""
    refuse_foreign_origin(request, services)
    if given.email and not _EMAIL.fullmatch(given.email):
        raise BadArgument(message("That is not an e-mail address."))
    is_asked = given.email not in ("", account.email) and services.notices.mailer is not None
    if is_asked:
        services.notices.spend_confirmation(account.person, given.email, address_of(request))
    changed = await services.accounts.change(account, email=given.email)
    if is_asked:
        await services.notices.ask_confirmation(changed, language(request))
    return await account_data(services, changed)


@router.post("/program")
async def become_program(account: SignedIn, request: Request, services: SharedServices) -> AccountData:
    """Marks the account as a program's, before its first match."""
    refuse_foreign_origin(request, services)
    return await account_data(services, await services.accounts.become_program(account))


@router.post("/deletion", status_code=204, dependencies=[OPEN_TO_BANNED])
async def delete(
    given: AccountDeletion, account: SignedIn, request: Request, response: Response, services: SharedServices
) -> None:
    """Deletes the account; its matches stay under names that lead nowhere."""
    refuse_foreign_origin(request, services)
    if given.name != account.name:
        raise BadArgument(message("Type the name of your account to delete it: {name}.", name=account.name))
    if account.has_password:
        services.sign_ins.spend(skeleton(account.name), address_of(request))
        await refuse_password(services, account, given.password or "", message("The password is wrong."))
    await services.lobby.forget(account.person)
    await services.tournaments.forget(account.person)
    await services.forget_civility(account.person)
    await services.accounts.delete(account)
    services.vacations.forget(account.person)
    services.changes.forget(account.person)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


# Sessions


@router.get("/sessions")
async def sessions(account: SignedIn, request: Request, services: SharedServices) -> list[SessionData]:
    """The browsers that are signed in, the oldest first."""
    identity = services.visitors.identity(request)
    assert identity
    return [
        SessionData(
            number=row.number,
            browser=row.browser,
            created=row.created,
            seen=row.seen,
            is_this=row.number == identity.session,
        )
        for row in await services.accounts.sessions(account.person)
    ]


@router.delete("/sessions", status_code=204, dependencies=[OPEN_TO_BANNED])
async def sign_out_others(account: SignedIn, request: Request, services: SharedServices) -> None:
    """Signs all other browsers out."""
    refuse_foreign_origin(request, services)
    identity = services.visitors.identity(request)
    assert identity
    await services.accounts.sign_out_others(account.person, identity.session)
    services.changes.end_connections(account.person, besides=identity.session)


@router.delete("/sessions/{number}", status_code=204, dependencies=[OPEN_TO_BANNED])
async def sign_out_one(number: str, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Signs one browser out."""
    refuse_foreign_origin(request, services)
    await services.accounts.sign_out(account.person, number)
    services.changes.end_connections(account.person, session=number)


# Recovery codes


@router.post("/recovery-codes", dependencies=[OPEN_TO_BANNED])
async def new_codes(account: SignedIn, request: Request, services: SharedServices) -> RecoveryCodes:
    """Makes ten new recovery codes, which replace the old ones and are shown this once."""
    refuse_foreign_origin(request, services)
    return RecoveryCodes(codes=await services.accounts.new_codes(account.person))


@router.post("/recover", dependencies=[OPEN_TO_BANNED])
async def recover(
    given: RecoveryRequest, request: Request, response: Response, services: SharedServices
) -> AccountData:
    """Sets another password with a recovery code, which works once; signs all other browsers out and this one in."""
    refuse_foreign_origin(request, services)
    services.sign_ins.spend(skeleton(given.name), address_of(request))
    hashed = await services.passwords.hash(given.password)  # first: a wrong code takes as long as a right one
    account = await services.accounts.recover(await services.accounts.find(given.name), given.code, hashed)
    services.changes.end_connections(account.person)
    return await begin_session(request, response, services, account)


# Settings and export


@router.get("/settings")
async def settings(account: SignedIn, services: SharedServices) -> SettingsData:
    """Settings and progress, as the pages keep them."""
    return SettingsData(settings=json.loads(await services.accounts.settings(account.person)))


@router.put("/settings", status_code=204, dependencies=[OPEN_TO_BANNED])
async def keep_settings(given: SettingsData, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Stores settings and progress."""
    refuse_foreign_origin(request, services)
    await services.accounts.keep_settings(account.person, json.dumps(given.settings))


@router.get("/export", response_class=StreamingResponse)
async def export_all(account: SignedIn, services: SharedServices) -> StreamingResponse:
    """Everything that is stored about the person, as one JSON file."""
    with contextlib.ExitStack() as slot:
        slot.enter_context(services.exports.enter(account.person))
        kept = slot.pop_all()
    name = f'attachment; filename="damier-{account.name}.json"'
    return StreamingResponse(
        export(services, account),
        media_type="application/json",
        headers={"Content-Disposition": name, "Cache-Control": "no-store"},
        background=BackgroundTask(kept.close),
    )
