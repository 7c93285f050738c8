"""Requests about passkeys: made for an account or together with one, used to sign in, listed and removed."""

from __future__ import annotations

import json
import secrets

from fastapi import APIRouter, Request, Response

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.dependencies import OPEN_TO_BANNED, SharedServices, SignedIn, refuse_foreign_origin
from damier.server.errors import NotAllowed, NotNow
from damier.server.front.visitors import address_of
from damier.server.people.account_routes import begin_session, refuse_new_account
from damier.server.people.names import account_name, name_taken
from damier.server.store.schema import PasskeyRow
from damier.server.wire.account import (
    AccountData,
    PasskeyAccount,
    PasskeyAnswer,
    PasskeyChallenge,
    PasskeyData,
    PasskeyStart,
)

router = APIRouter(prefix="/api/account/passkeys")

MOST = 10  # passkeys of one account


@router.get("")
async def passkeys(account: SignedIn, services: SharedServices) -> list[PasskeyData]:
    """The passkeys of the account, the oldest first."""
    return [
        PasskeyData(number=row.number, label=row.label, created=row.created, used=row.used)
        for row in await services.accounts.rows(PasskeyRow, account.person)
    ]


@router.post("/start", dependencies=[OPEN_TO_BANNED])
async def start(given: PasskeyStart, request: Request, services: SharedServices) -> PasskeyChallenge:
    """What a browser needs to make a passkey, for who is signed in or for a new account."""
    refuse_foreign_origin(request, services)
    if identity := services.visitors.identity(request):
        person, name = identity.person, identity.account.name
        known = [row.credential for row in await services.accounts.rows(PasskeyRow, person)]
    else:
        person, name, known = secrets.token_hex(16), account_name(given.name or ""), []
        if await services.accounts.find(name):
            raise name_taken()
    number, options = await services.passkeys.start_making(request, person, name, known, is_new=identity is None)
    return PasskeyChallenge(number=number, options=options)


@router.post("", status_code=201, dependencies=[OPEN_TO_BANNED])
async def add(given: PasskeyAnswer, account: SignedIn, request: Request, services: SharedServices) -> PasskeyData:
    """Adds a passkey to the account."""
    refuse_foreign_origin(request, services)
    pending, row = await services.passkeys.made(request, given.number, given.credential, given.label)
    if pending.person != account.person:
        raise NotNow(message("That took too long: try again."))
    if await services.accounts.passkey(row["credential"]):
        raise BadArgument(message("An account has this passkey already."))
    await services.accounts.add(PasskeyRow, {**row, "person": account.person}, MOST)
    return PasskeyData(number=row["number"], label=row["label"], created=row["created"], used=None)


@router.post("/account", status_code=201)
async def make(given: PasskeyAccount, request: Request, response: Response, services: SharedServices) -> AccountData:
    """Makes an account with a passkey alone; all that the guest has comes along, and the browser is signed in."""
    refuse_foreign_origin(request, services)
    refuse_new_account(request, services)
    pending, row = await services.passkeys.made(request, given.number, given.credential, given.label)
    if not pending.name:
        raise NotNow(message("That took too long: try again."))
    guest = services.visitors.guest(request)
    account = await services.accounts.make(
        pending.name, guest=guest, passkey=row, person=pending.person, settings=json.dumps(given.settings)
    )
    return await begin_session(request, response, services, account, guest)


@router.post("/challenge", dependencies=[OPEN_TO_BANNED])
async def challenge(request: Request, services: SharedServices) -> PasskeyChallenge:
    """What a browser needs to sign in with a passkey, without a name."""
    refuse_foreign_origin(request, services)
    number, options = await services.passkeys.start_sign_in(request)
    return PasskeyChallenge(number=number, options=options)


@router.post("/sign-in", dependencies=[OPEN_TO_BANNED])
async def sign_in(given: PasskeyAnswer, request: Request, response: Response, services: SharedServices) -> AccountData:
    """Signs in with a passkey."""
    refuse_foreign_origin(request, services)
    services.sign_ins.spend("", address_of(request))
    found = await services.accounts.passkey(str(given.credential.get("id", "")))
    if found is None:
        raise NotAllowed(message("No account has this passkey."))
    row, account = found
    count = await services.passkeys.used(request, given.number, given.credential, row.public_key, row.sign_count)
    await services.accounts.note_passkey(row.number, count)
    return await begin_session(request, response, services, account)


@router.delete("/{number}", status_code=204, dependencies=[OPEN_TO_BANNED])
async def remove(number: str, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Removes a passkey, unless it is the only way into the account."""
    refuse_foreign_origin(request, services)
    await services.accounts.remove_passkey(account, number)
