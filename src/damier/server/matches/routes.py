"""Requests about matches."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

import damier
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message
from damier.core.record import Record
from damier.server.analysis.evaluation import hint_data, values_data
from damier.server.dependencies import Service, Visitor, asking, refuse_foreign
from damier.server.matches.referee import Table
from damier.server.services import TooMuch
from damier.server.view import action_guesses, snapshot_data
from damier.server.visitors import COOKIE, language, new_cookie, visitor_of
from damier.server.wire import Attempt, Invitation, Level, NewMatch, Tried
from damier.teach.rules.blocks import rule_id

router = APIRouter(prefix="/api/matches")

_YEAR = 365 * 24 * 3600


@router.post("", status_code=201)
async def begin(
    asked: NewMatch, request: Request, response: Response, visitor: Visitor, server: Service
) -> dict[str, Any]:
    """Begins a match."""
    refuse_foreign(request, server)
    visitor = _known(visitor, request, response)
    if not server.beginnings.take(visitor):
        raise TooMuch(message("You have begun many matches: wait a while."))
    game = damier.load(asked.game, **asked.options)
    seats = [seat.level if isinstance(seat, Level) else seat for seat in asked.seats]
    return _told(await server.referee.begin(game, seats, visitor), visitor, request)


@router.get("")
async def recent(request: Request, visitor: Visitor, server: Service) -> list[dict[str, Any]]:
    """The visitor's last matches, newest first."""
    tables = await server.referee.recent(visitor) if visitor else []
    return [_summary(_told(table, visitor, request)) for table in tables]


@router.get("/{number}")
async def look(number: str, request: Request, visitor: Visitor, server: Service) -> dict[str, Any]:
    """A match as it stands."""
    return _told(await server.referee.table(number), visitor, request)


@router.post("/{number}/seats")
async def sit(
    number: str, asked: Invitation, request: Request, response: Response, visitor: Visitor, server: Service
) -> dict[str, Any]:
    """Takes an open seat."""
    refuse_foreign(request, server)
    table = await server.referee.table(number)
    visitor = _known(visitor, request, response)
    await server.referee.take_seat(table, visitor, asked.invitation)
    return _told(table, visitor, request)


@router.post("/{number}/why", dependencies=[Depends(asking)])
async def why(number: str, asked: Attempt, request: Request, server: Service) -> dict[str, str]:
    """Why something cannot be played now."""
    return why_not((await server.referee.table(number)).match.record, asked, language(request))


@router.get("/{number}/values")
async def values(number: str, request: Request, visitor: Visitor, server: Service) -> dict[str, Any]:
    """The values of all legal actions."""
    table = await server.referee.table(number)
    return await values_data(server.workers, table.match.record, visitor or "somebody", language(request))


@router.get("/{number}/hint")
async def hint(number: str, request: Request, visitor: Visitor, server: Service) -> dict[str, Any]:
    """One good action."""
    table = await server.referee.table(number)
    if not table.match.record.actions():
        raise BadArgument(message("The game is over."))
    return await hint_data(server.workers, table.match.record, visitor or "somebody", language(request))


def _told(table: Table, visitor: str, request: Request) -> dict[str, Any]:
    return snapshot_data(table, visitor, language(request))


def _known(visitor: str, request: Request, response: Response) -> str:
    """Returns the visitor, who gets a cookie unless there is one."""
    if visitor:
        return visitor
    cookie = new_cookie()
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)
    return visitor_of(cookie)


def _summary(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Returns what a list says of a match."""
    state = snapshot["state"]
    kept = {name: snapshot[name] for name in ("number", "game", "options", "options_text", "created", "seats")}
    return {**kept, **{name: state[name] for name in ("turn", "mover", "mover_name", "is_my_turn", "result")}}


def why_not(record: Record, asked: Attempt | Tried, lang: str) -> dict[str, str]:
    """Returns why an action, or one with some cells, cannot be played, and where the rules explain it."""
    name, refusal = record.game.name, _refusal(record, asked)
    section = rule_id(name, refusal)
    return {"sentence": refusal.render(lang), "rules": f"/rules/{name}" + (f"#{section}" if section else "")}


def _refusal(record: Record, asked: Attempt | Tried) -> Message:
    texts = [asked.action] if asked.action is not None else action_guesses(record.game, asked.cells)
    for text in texts:
        try:
            record.copy().play(text)
        except DamierError as error:
            return error.message
    return message("No action of this game is chosen that way.")
