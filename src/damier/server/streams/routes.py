"""The streams and calls for programs, which any client may use. See ``docs/api.md``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from fastapi.responses import StreamingResponse

from damier.core.messages import message
from damier.server.dependencies import SharedServices, Visitor, has_scope, refuse_foreign_origin
from damier.server.errors import NotAllowed
from damier.server.front.visitors import address_of, language
from damier.server.matches.socket import carry_out
from damier.server.services import Services
from damier.server.streams.lines import NDJSON, LineResponse, LineStream
from damier.server.streams.match_lines import MatchLines
from damier.server.streams.person_lines import session_client, token_client
from damier.server.wire.matches import DoneMessage, MatchRequest

router = APIRouter()


def _lines_of(model: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {NDJSON: {"itemSchema": {"$ref": f"#/components/schemas/{model}"}}}}}


@router.get(
    "/api/stream/events",
    response_class=StreamingResponse,
    responses=_lines_of("PersonLine"),
    dependencies=[has_scope("play")],
)
async def follow_person(request: Request, person: Visitor, services: SharedServices) -> LineResponse:
    """What concerns the person who asks: all that is current, then what happens, one message a line."""
    refuse_foreign_origin(request, services)
    if not person:
        raise NotAllowed(message("Send a token or the cookie of a visitor: this stream is of one person."))
    client = _client(services, request)
    with ExitStack() as counted:
        counted.enter_context(services.sockets.follow_person(person, address_of(request)))
        stream = services.streams.open(person, client, language(request))
        counted.callback(services.streams.leave, client, stream)
        return _answer(stream, counted, services)


@router.get(
    "/api/stream/matches/{number}",
    response_class=StreamingResponse,
    responses=_lines_of("MatchLine"),
    dependencies=[has_scope("play")],
)
async def follow_match(number: str, request: Request, visitor: Visitor, services: SharedServices) -> LineResponse:
    """A match: first its whole state, then every change, one message a line."""
    refuse_foreign_origin(request, services)
    live = await services.referee.find(number)
    address = address_of(request)
    is_holder = bool(live.match.players_of(visitor))
    if is_holder:
        live.address = address
    with ExitStack() as counted:
        stream = MatchLines(live, visitor, language(request), services.chats)
        identity = services.visitors.identity(request)
        session = identity.session if identity else ""
        follow = services.sockets.follow
        counted.enter_context(follow(stream, visitor, address, number, is_holder=is_holder, session=session))
        stream.join()
        counted.callback(stream.abandon)
        return _answer(stream, counted, services)


@router.post("/api/matches/{number}/act", dependencies=[has_scope("play")])
async def act(
    number: str, asked: Annotated[MatchRequest, Body()], request: Request, visitor: Visitor, services: SharedServices
) -> DoneMessage:
    """Carries out one request of a player; the same `id` again changes nothing and gets the same answer."""
    refuse_foreign_origin(request, services)
    live = await services.referee.find(number)
    seq = await carry_out(services.referee, services.chats, live, visitor, asked)
    return DoneMessage(type="done", id=asked.id, seq=seq)


def _answer(stream: LineStream, counted: ExitStack, services: Services) -> LineResponse:
    """Returns the answer that sends a stream, and leaves what it has entered in the end."""
    services.lines.add(stream)
    services.metrics.socket_opened("stream")
    counted.callback(services.metrics.socket_closed, "stream")
    return LineResponse(stream, counted.pop_all().close)


def _client(services: Services, request: Request) -> str:
    """Returns what identifies a client among those of one person: its token, its session, or that it has none."""
    identity = services.visitors.identity(request)
    if identity is None:
        return ""
    return token_client(identity.token) if identity.token else session_client(identity.session)
