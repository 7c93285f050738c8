"""A person's own matches: a list with filters, the next one to play, and all of them as records."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection, text
from starlette.background import BackgroundTask

from damier.server.dependencies import PageDesk, Pages, SharedServices, Visitor, has_scope
from damier.server.front.visitors import language
from damier.server.lobby.downloads import write_batch
from damier.server.lobby.lists import PAGE, listed_page
from damier.server.services import Services
from damier.server.store.statements.listed_matches import Filters, MatchLine, named, of_person, to_play
from damier.server.wire.lobby import MatchPage, NextMatch

_RECORD_LIST = {"type": "array", "items": {"type": "object", "additionalProperties": True}}
router = APIRouter(prefix="/api/my")

_BATCH = 20  # matches that one page request writes
_MOST = 5_000  # matches in one download
_MATCH = text("SELECT * FROM matches WHERE number = :number")
_EVENTS = text("SELECT * FROM events WHERE match = :number ORDER BY seq")

State = Literal["mine", "waiting", "running", "over", "won", "lost", "drawn"]


class Asked:
    """The filters of a request."""

    def __init__(
        self,
        game: Annotated[str | None, Query(max_length=32)] = None,
        state: State | None = None,
        opponent: Annotated[str | None, Query(max_length=64)] = None,
        rated: bool | None = None,
    ) -> None:
        self.game, self.state, self.opponent, self.rated = game, state, opponent, rated

    async def filters(self, services: Services) -> list[Filters]:
        """Returns the filters; none if no such opponent is known, several if several have the name."""
        filters = Filters(self.game or None, self.state, None, self.rated)
        if not self.opponent:
            return [filters]
        if self.opponent == "computer":
            return [Filters(self.game or None, self.state, "computer", self.rated)]
        account = await services.accounts.find(self.opponent)
        find = partial(named, nickname=self.opponent)
        people = [account.person] if account else await services.store.read("find a nickname", "", find)
        return [Filters(self.game or None, self.state, person, self.rated) for person in people]


async def _lines(
    services: Services, person: str, filters: list[Filters], count: int, cursor: str | None
) -> list[MatchLine]:
    """Returns the next matches of a person that one of some filters lets through."""
    found: dict[str, MatchLine] = {}
    for each in filters if person else ():
        find = partial(of_person, person=person, filters=each, count=count, cursor=cursor)
        found |= {line.number: line for line in await services.store.read("list matches", "", find)}
    return sorted(found.values(), key=lambda line: (line.updated, line.number), reverse=True)[:count]


@router.get("/matches", dependencies=[has_scope("read")])
async def list_mine(
    request: Request,
    visitor: Visitor,
    services: SharedServices,
    game: Annotated[str | None, Query(max_length=32)] = None,
    state: State | None = None,
    opponent: Annotated[str | None, Query(max_length=64)] = None,
    rated: bool | None = None,
    before: Annotated[str | None, Query(max_length=100)] = None,
) -> MatchPage:
    """The visitor's matches, those first that were active last."""
    filters = await Asked(game, state, opponent, rated).filters(services)
    lines = await _lines(services, visitor, filters, PAGE + 1, before)
    return await listed_page(services.lobby.people, lines, visitor, language(request))


@router.get("/next", dependencies=[has_scope("read")])
async def next_match(
    visitor: Visitor, services: SharedServices, after: Annotated[str, Query(max_length=32)] = ""
) -> NextMatch:
    """The next match in which it is the visitor's turn: the one that waits longest, without the one given."""
    if not visitor:
        return NextMatch(number=None, count=0)
    numbers = await services.store.read("list matches", "", partial(to_play, person=visitor))
    others = [number for number in numbers if number != after]
    return NextMatch(number=others[0] if others else None, count=len(others))


@router.get(
    "/matches/records",
    dependencies=[has_scope("read")],
    response_class=Response,
    responses={
        200: {
            "content": {
                "text/plain": {"schema": {"type": "string"}},
                "application/json": {"schema": _RECORD_LIST},
            },
            "description": "Records",
        }
    },
)
async def download(
    request: Request,
    visitor: Visitor,
    services: SharedServices,
    desk: PageDesk,
    form: Annotated[Literal["text", "json"], Query(alias="format")] = "text",
    game: Annotated[str | None, Query(max_length=32)] = None,
    state: State | None = None,
    opponent: Annotated[str | None, Query(max_length=64)] = None,
    rated: bool | None = None,
) -> StreamingResponse:
    """The visitor's matches as records, the newest first, at most 5,000; sent as they are written."""
    filters = await Asked(game, state, opponent, rated).filters(services)
    with contextlib.ExitStack() as slot:
        slot.enter_context(services.record_downloads.enter(desk.owner))
        parts = _parts(services, desk, visitor, filters, form, language(request))
        first = await anext(parts)  # a refusal has a status
        kept = slot.pop_all()
    name, kind = ("matches.json", "application/json") if form == "json" else ("matches.txt", "text/plain")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    background = BackgroundTask(kept.close)
    return StreamingResponse(_file(first, parts, form, kept), media_type=kind, headers=headers, background=background)


async def _file(
    first: bytes, parts: AsyncIterator[bytes], form: str, slot: contextlib.ExitStack
) -> AsyncIterator[bytes]:
    """Yields the file; a failure after the first part breaks it off, so that nobody takes it for whole."""
    opening, between, end = (b"[\n", b",\n", b"\n]\n") if form == "json" else (b"", b"\n", b"")
    with slot:
        yield opening + first
        async for part in parts:
            if part:
                yield between + part
        yield end


async def _parts(
    services: Services, desk: Pages, person: str, filters: list[Filters], form: str, lang: str
) -> AsyncGenerator[bytes]:
    """Yields the records, a batch at a time."""
    cursor: str | None = None
    for _ in range(0, _MOST, _BATCH):
        lines = await _lines(services, person, filters, _BATCH, cursor)
        yield await _written(services, desk, lines, form, lang) if lines else b""
        if len(lines) < _BATCH:
            return
        cursor = lines[-1].cursor


async def _written(services: Services, desk: Pages, lines: list[MatchLine], form: str, lang: str) -> bytes:
    numbers = [line.number for line in lines]
    batch = await services.store.read("read matches", "", partial(_rows, numbers=numbers))
    people = {seat["visitor"] for line in lines for seat in line.seat_list if seat.get("visitor")}
    names = {person: data.name for person, data in (await services.lobby.people.data(sorted(people))).items()}
    return await desk.run(write_batch, batch, names, form, lang)


def _rows(connection: Connection, numbers: list[str]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    found = []
    for number in numbers:
        row = connection.execute(_MATCH, {"number": number}).mappings().one()
        events = connection.execute(_EVENTS, {"number": number}).mappings().all()
        found.append((dict(row), [dict(each) for each in events]))
    return found
