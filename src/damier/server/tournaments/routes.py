"""Requests about tournaments."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from damier.core.errors import DamierError
from damier.server.dependencies import PageDesk, SharedServices, SignedIn, Visitor, has_scope, refuse_foreign_origin
from damier.server.front.visitors import language
from damier.server.matches.clock import parse_control
from damier.server.store.store import now
from damier.server.tournaments.records import game_records
from damier.server.tournaments.terms import TournamentTerms
from damier.server.tournaments.tournament_data import Names, people_of, summary_data, tournament_data
from damier.server.tournaments.tournaments import LISTED
from damier.server.wire.tournaments import NewTournament, TournamentAct, TournamentData, TournamentList

if TYPE_CHECKING:
    from damier.server.services import Services
    from damier.server.tournaments.tournament import Tournament

router = APIRouter(prefix="/api/tournaments")

_STATUSES = {"open": ("waiting", "running"), "ended": ("ended", "cancelled")}
_LATEST = "9999"  # after every time


@router.get("")
async def list_all(
    services: SharedServices,
    status: Literal["open", "ended"] = "open",
    before: Annotated[str, Query(max_length=40)] = _LATEST,
) -> TournamentList:
    """Tournaments that are open or over, newest first, 20 at a time."""
    found = await services.tournaments.listed(_STATUSES[status], before)
    names = Names(await services.accounts.names({each.maker for each in found}))
    listed = [summary_data(each, each.players, names) for each in found]
    return TournamentList(tournaments=listed, before=found[-1].created if len(found) == LISTED else None)


@router.post("", status_code=201, dependencies=[has_scope("tournament")])
async def make(new: NewTournament, request: Request, account: SignedIn, services: SharedServices) -> TournamentData:
    """Makes a tournament."""
    refuse_foreign_origin(request, services)
    given = {**vars(new), "control": parse_control(vars(new.clock))}
    given.pop("clock")
    tournament = await services.tournaments.make(account.person, TournamentTerms(**given))
    return await _shown(services, tournament, account.person)


@router.get("/{number}", response_model=TournamentData, responses={304: {"description": "Nothing has changed"}})
async def show(
    number: str,
    request: Request,
    visitor: Visitor,
    services: SharedServices,
    shown: Annotated[int | None, Query(alias="round", ge=1, le=1000)] = None,
) -> Response:
    """A tournament with its standings and one of its rounds, by default the last; pages ask for it again and again."""
    tournament = await services.tournaments.find(number)
    version = f"{tournament.seq} {visitor} {shown} {language(request)}"
    tag = f'"{hashlib.sha256(version.encode()).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    found = await _shown(services, tournament, visitor, shown)
    return Response(found.model_dump_json(), media_type="application/json", headers=headers)


@router.post("/{number}/acts", dependencies=[has_scope("tournament")])
async def act(
    number: str, asked: TournamentAct, request: Request, account: SignedIn, services: SharedServices
) -> TournamentData:
    """Joins, withdraws, starts or cancels."""
    refuse_foreign_origin(request, services)
    tournament = await services.tournaments.act(number, account.person, asked.do)
    return await _shown(services, tournament, account.person)


@router.get("/{number}/records", response_class=StreamingResponse)
async def records(number: str, services: SharedServices, desk: PageDesk) -> StreamingResponse:
    """All games of a tournament, as a file of records."""
    tournament = await services.tournaments.find(number)
    names = Names(await services.accounts.names(people_of(tournament)))
    with contextlib.ExitStack() as slot:
        slot.enter_context(services.downloads.enter(desk.owner))
        kept = slot.pop_all()
    found = _texts(game_records(tournament, services.referee, names, desk), kept)
    headers = {"Content-Disposition": f'attachment; filename="tournament-{number}.txt"'}
    return StreamingResponse(
        found, media_type="text/plain; charset=utf-8", headers=headers, background=BackgroundTask(kept.close)
    )


async def _texts(found: AsyncIterator[str], slot: contextlib.ExitStack) -> AsyncIterator[bytes]:
    """Yields records with an empty line between them; a failure ends the file."""
    with slot, contextlib.suppress(DamierError):
        is_first = True
        async for text in found:
            yield (text if is_first else f"\n{text}").encode()
            is_first = False


async def _shown(services: Services, tournament: Tournament, person: str, shown: int | None = None) -> TournamentData:
    names = Names(await services.accounts.names(people_of(tournament) | {person}))
    return tournament_data(tournament, names, person, person in names.accounts, now(), shown)
