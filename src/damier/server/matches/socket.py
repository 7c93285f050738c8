"""The match socket: live updates for one visitor who plays or watches a match, and the visitor's requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message, shown
from damier.server.answers import malformed
from damier.server.dependencies import shared_services
from damier.server.errors import TooManyRequests
from damier.server.matches.match_data import event_data
from damier.server.matches.referee import UnknownMatch
from damier.server.visitors import COOKIE, is_same_origin, language, visitor_of
from damier.server.wire.matches import (
    AliveMessage,
    AnswerRequest,
    DoneMessage,
    EventMessage,
    MatchRequest,
    PlayRequest,
    PresenceMessage,
    RefusedMessage,
    RequestId,
    SnapshotMessage,
)
from damier.server.wire.model import WireModel

if TYPE_CHECKING:
    from damier.server.limits import RateLimiter
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee

router = APIRouter()
_log = logging.getLogger(__name__)

ALIVE = 15.0  # seconds without a message after which an `alive` is sent
_LONGEST_QUEUE = 200  # messages; a slower client is disconnected and connects again
_REQUEST: TypeAdapter[MatchRequest] = TypeAdapter(MatchRequest)
_ID: TypeAdapter[str] = TypeAdapter(RequestId)
_UNKNOWN = ("union_tag_invalid", "union_tag_not_found")

# Close codes
_INVALID_DATA, _POLICY, _FAILED, _TRY_AGAIN = 1007, 1008, 1011, 1013


@router.websocket("/api/matches/{number}/live")
async def follow_match(socket: WebSocket, number: str) -> None:
    """Serves a match socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(_POLICY)
        return
    try:
        live = await services.referee.find(number)
    except UnknownMatch:
        await socket.close(_POLICY)
        return
    await socket.accept()
    visitor = visitor_of(socket.cookies.get(COOKIE))
    await MatchSocket(socket, services.referee, live, visitor, language(socket)).run(services.requests)


class MatchSocket:
    """One connection, as a listener of a match."""

    def __init__(self, socket: WebSocket, referee: Referee, live: LiveMatch, visitor: str, lang: str) -> None:
        self.visitor = visitor
        self._socket, self._referee, self._live, self._lang = socket, referee, live, lang
        self._queue: asyncio.Queue[WireModel | None] = asyncio.Queue(_LONGEST_QUEUE)

    async def run(self, limiter: RateLimiter) -> None:
        """Serves the connection until either side closes it."""
        self._live.listeners.add(self)
        try:
            self.send(SnapshotMessage(type="snapshot", **vars(self._live.snapshot(self.visitor, self._lang))))
            self._send_presence()
            sender = asyncio.create_task(self._send_queue())
            try:
                await self._receive(limiter)
            except Exception:
                _log.exception(
                    "Match %s: a connection failed and was closed; the client connects again.",
                    self._live.match.number,
                    extra={"match": self._live.match.number},
                )
                await self._socket.close(_FAILED)
            finally:
                sender.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await sender
        finally:
            self._live.listeners.discard(self)
            self._send_presence()

    # Messages

    def send(self, message: WireModel) -> None:
        """Queues a message; a full queue ends the connection."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            with contextlib.suppress(asyncio.QueueEmpty):
                while True:
                    self._queue.get_nowait()
            self._queue.put_nowait(None)

    def handle_event(self, seq: int, event: Event) -> None:
        """Sends an event with the state after it."""
        state = self._live.state(self.visitor, self._lang)
        self.send(EventMessage(type="event", seq=seq, event=event_data(event), state=state))

    def _send_presence(self) -> None:
        here = self._live.here
        seats = [seat.player for seat in self._live.match.seats if seat.visitor in here]
        self._live.broadcast(PresenceMessage(type="here", seats=seats))

    async def _send_queue(self) -> None:
        while True:
            try:
                message = await asyncio.wait_for(self._queue.get(), ALIVE)
            except TimeoutError:
                message = AliveMessage(type="alive")
            if message is None:
                self._log_closed("reads too slowly")
                await self._socket.close(_TRY_AGAIN)
                return
            await self._socket.send_text(message.model_dump_json())

    def _log_closed(self, why: str) -> None:
        number = self._live.match.number
        _log.warning("Match %s: closed a connection whose client %s.", number, why, extra={"match": number})

    # Requests

    async def _receive(self, limiter: RateLimiter) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                try:
                    data = await self._socket.receive_json()
                    number = _ID.validate_python(data["id"])
                except (ValueError, KeyError, TypeError, RecursionError):  # no page of ours sends that
                    self._log_closed("sent invalid data")
                    await self._socket.close(_INVALID_DATA)
                    return
                except RuntimeError:  # closed already by `_send_queue`
                    return
                await self._answer(number, data, limiter)

    async def _answer(self, number: str, data: dict[str, Any], limiter: RateLimiter) -> None:
        try:
            if not limiter.take(self.visitor):
                raise TooManyRequests(message("That is too fast: wait a moment."))
            request = _parse(data)
            seq = await self._act(request)
            self.send(DoneMessage(type="done", id=number, seq=seq))
        except DamierError as error:
            self.send(RefusedMessage(type="refused", id=number, error=error.sentence(self._lang)))

    async def _act(self, request: MatchRequest) -> int:
        action = request.action if isinstance(request, PlayRequest) else ""
        yes = isinstance(request, AnswerRequest) and request.yes
        return await self._referee.act(self._live, self.visitor, request.id, request.do, action=action, yes=yes)


def _parse(data: dict[str, Any]) -> MatchRequest:
    try:
        return _REQUEST.validate_python(data)
    except ValidationError as error:
        errors = error.errors()
        if errors[0]["type"] in _UNKNOWN:
            raise BadArgument(message("Unknown request: {what}.", what=shown(str(data.get("do"))))) from None
        raise BadArgument(malformed(errors)) from None
