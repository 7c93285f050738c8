"""Requests about the lobby: seeks, challenges, wishes, matches to watch."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

import damier
from damier.server.dependencies import SharedServices, Visitor, has_scope, refuse_foreign_origin
from damier.server.front.visitors import address_of, language
from damier.server.lobby.lists import PAGE, listed_page
from damier.server.services import Services
from damier.server.store.statements.listed_matches import running
from damier.server.wire.lobby import (
    Accepted,
    AcceptSeek,
    LobbyState,
    MatchPage,
    NewSeek,
    SeekAnswer,
    ShownSeek,
    Wishes,
)

router = APIRouter()


def _acting(request: Request, response: Response, services: Services) -> str:
    """Returns the visitor of a request that changes something, who gets a cookie."""
    refuse_foreign_origin(request, services)
    return services.visitors.recognise(request, response)


@router.get("/api/lobby", response_model=LobbyState)
async def show_lobby(services: SharedServices) -> Response:
    """The lobby as it stands, as the first message of its socket has it."""
    text = services.lobby.feed.state_text().replace('"type":"state",', "", 1)
    return Response(text, media_type="application/json")


@router.post("/api/seeks", status_code=201, dependencies=[has_scope("challenge")])
async def seek(new: NewSeek, request: Request, response: Response, services: SharedServices) -> SeekAnswer:
    """Opens a seek or a challenge; if it fits an open one, a match begins at once."""
    person = _acting(request, response, services)
    services.beginnings.spend(person, address_of(request))
    return await services.lobby.seek(person, new)


@router.get("/api/seeks/{number}")
async def show_seek(number: str, visitor: Visitor, services: SharedServices) -> ShownSeek:
    """A seek or a challenge, for who knows its number."""
    return await services.lobby.show(visitor, number)


@router.delete("/api/seeks/{number}", status_code=204, dependencies=[has_scope("challenge")])
async def withdraw(number: str, request: Request, response: Response, services: SharedServices) -> None:
    """Withdraws the visitor's own seek."""
    await services.lobby.withdraw(_acting(request, response, services), number)


@router.post("/api/seeks/{number}/accept", dependencies=[has_scope("challenge")])
async def accept(
    number: str, asked: AcceptSeek, request: Request, response: Response, services: SharedServices
) -> Accepted:
    """Accepts a seek or a challenge: the match begins."""
    person = _acting(request, response, services)
    services.beginnings.spend(person, address_of(request))
    return Accepted(match=await services.lobby.accept(person, number, asked.terms))


@router.post("/api/seeks/{number}/decline", status_code=204, dependencies=[has_scope("challenge")])
async def decline(number: str, request: Request, response: Response, services: SharedServices) -> None:
    """Declines a challenge to the visitor."""
    await services.lobby.decline(_acting(request, response, services), number)


@router.get("/api/lobby/wishes", dependencies=[has_scope("read")])
async def wishes(visitor: Visitor, services: SharedServices) -> Wishes:
    """The games of which the visitor wants to be told when others seek them."""
    return Wishes(games=await services.lobby.wishes.of(visitor) if visitor else [])


@router.put("/api/lobby/wishes", dependencies=[has_scope("challenge")])
async def wish(asked: Wishes, request: Request, response: Response, services: SharedServices) -> Wishes:
    """Changes the games of which the visitor wants to be told."""
    person = _acting(request, response, services)
    games = sorted({damier.load(name).name for name in asked.games})
    await services.lobby.wishes.choose(person, games)
    return Wishes(games=games)


@router.get("/api/lobby/matches")
async def watch(
    request: Request,
    visitor: Visitor,
    services: SharedServices,
    game: Annotated[str | None, Query(max_length=32)] = None,
    before: Annotated[str | None, Query(max_length=100)] = None,
) -> MatchPage:
    """Matches that are played and may be watched, those first that were active last."""
    find = partial(running, count=PAGE + 1, game=game, cursor=before)
    lines = await services.store.read("list matches", "", find)
    return await listed_page(services.lobby.people, lines, visitor, language(request))
