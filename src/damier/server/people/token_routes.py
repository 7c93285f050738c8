"""Requests about the tokens with which programs act for an account."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Request

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.dependencies import OPEN_TO_BANNED, SharedServices, SignedIn, refuse_foreign_origin
from damier.server.people.account import SCOPES
from damier.server.people.credentials import digest, new_number
from damier.server.store.schema import ApiTokenRow
from damier.server.store.store import now
from damier.server.wire.account import MadeToken, TokenData, TokenDraft

router = APIRouter(prefix="/api/account/tokens")

MOST = 20  # tokens of one account
_PREFIX = "damier_"  # by which a token is found where it should not be
_TOKEN_BYTES = 24


@router.get("")
async def tokens(account: SignedIn, services: SharedServices) -> list[TokenData]:
    """The tokens of the account, the oldest first."""
    return [_data(row) for row in await services.accounts.rows(ApiTokenRow, account.person)]


@router.post("", status_code=201)
async def make(draft: TokenDraft, account: SignedIn, request: Request, services: SharedServices) -> MadeToken:
    """Makes a token, which is shown this once."""
    refuse_foreign_origin(request, services)
    if not draft.scopes:
        raise BadArgument(message("Choose at least one scope."))
    token = _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    made = TokenData(
        number=new_number(),
        label=draft.label.strip(),
        scopes=[scope for scope in SCOPES if scope in draft.scopes],
        created=now(),
        used=None,
    )
    row = {**vars(made), "scopes": " ".join(made.scopes), "digest": digest(token), "person": account.person}
    await services.accounts.add(ApiTokenRow, row, MOST)
    return MadeToken(**vars(made), token=token)


@router.delete("/{number}", status_code=204, dependencies=[OPEN_TO_BANNED])
async def revoke(number: str, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Revokes a token."""
    refuse_foreign_origin(request, services)
    await services.accounts.remove(ApiTokenRow, account.person, number)
    services.streams.revoke(account.person, number)


def _data(row: Any) -> TokenData:
    return TokenData(number=row.number, label=row.label, scopes=row.scopes.split(), created=row.created, used=row.used)
