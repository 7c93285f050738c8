"""Requests about the tokens with which programs act for an account."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from fastapi import APIRouter, Request

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.dependencies import OPEN_TO_BANNED, SharedServices, SignedIn, refuse_foreign_origin
from damier.server.people.account import SCOPES
from damier.server.people.tokens import MOST_TOKENS, new_token, token_row
from damier.server.store.schema import ApiTokenRow
from damier.server.wire.account import MadeToken, TokenData, TokenDraft

router = APIRouter(prefix="/api/account/tokens")


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
    token = new_token()
    scopes = [scope for scope in SCOPES if scope in draft.scopes]
    row = token_row(account.person, draft.label.strip(), scopes, token)
    await services.accounts.add(ApiTokenRow, row, MOST_TOKENS)
    return MadeToken(**vars(_data(SimpleNamespace(**row))), token=token)


@router.delete("/{number}", status_code=204, dependencies=[OPEN_TO_BANNED])
async def revoke(number: str, account: SignedIn, request: Request, services: SharedServices) -> None:
    """Revokes a token."""
    refuse_foreign_origin(request, services)
    await services.accounts.remove(ApiTokenRow, account.person, number)
    services.changes.end_token(account.person, number)


def _data(row: Any) -> TokenData:
    return TokenData(number=row.number, label=row.label, scopes=row.scopes.split(), created=row.created, used=row.used)
