"""The lobby socket: a page that follows the lobby. While one is open, its visitor's live seeks stay open."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.server.dependencies import owner_of, request_budget, shared_services
from damier.server.errors import TooManyRequests
from damier.server.front.sockets import FAILED, INVALID_DATA, POLICY, TRY_AGAIN, TooManySockets, close_socket
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.wire.lobby import LobbyRequest
from damier.server.wire.matches import AliveMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from damier.server.lobby.lobby import Lobby

router = APIRouter()
_log = logging.getLogger(__name__)

ALIVE = 15.0  # seconds without a message after which an `alive` is sent
_ALIVE_TEXT = AliveMessage(type="alive").model_dump_json()
_LONGEST_QUEUE = 20  # messages; a slower client gets the whole state instead
_REQUEST: TypeAdapter[LobbyRequest] = TypeAdapter(LobbyRequest)
_FAULT = message("The connection failed: it is opened again.")


@router.websocket("/api/lobby/live")
async def follow_lobby(socket: WebSocket) -> None:
    """Serves a lobby socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(POLICY)
        return
    lang = language(socket)
    try:
        await socket.accept()  # first: a browser sees only the close code of an accepted socket
        listener = LobbySocket(socket, services.lobby, services.visitors.of(socket))
        with services.sockets.visit_lobby(owner_of(socket), address_of(socket)):
            await listener.run(request_budget(socket))
    except TooManySockets as error:
        await close_socket(socket, TRY_AGAIN, error.sentence(lang))
    except WebSocketDisconnect:
        return
    except Exception:
        _log.exception("A connection to the lobby failed and was closed; the client connects again.")
        await close_socket(socket, FAILED, _FAULT.render(lang))


class LobbySocket:
    """One connection, as a listener of the lobby."""

    def __init__(self, socket: WebSocket, lobby: Lobby, person: str) -> None:
        self.person = person
        self._socket, self._lobby = socket, lobby
        self._queue: deque[str] = deque()
        self._has_news = asyncio.Event()
        self._is_behind = False

    async def run(self, spend: Callable[[], None]) -> None:
        """Serves the connection until either side closes it."""
        sending: asyncio.Task[None] | None = None
        try:
            await self._lobby.join(self)
            sending = asyncio.create_task(self._send_queue())
            receiving = asyncio.create_task(self._receive(spend))
            done, _ = await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
            receiving.cancel()
            for task in done:
                task.result()
        finally:
            self._lobby.leave(self)
            if sending:
                sending.cancel()
                await asyncio.wait({sending})

    def send_text(self, text: str) -> None:
        """Queues a message; if too many wait, they are dropped and the whole state follows."""
        if len(self._queue) >= _LONGEST_QUEUE:
            self._queue.clear()
            self._is_behind = True
        if not self._is_behind:
            self._queue.append(text)
        self._has_news.set()

    async def _send_queue(self) -> None:
        while True:
            try:
                async with asyncio.timeout(ALIVE):
                    await self._has_news.wait()
            except TimeoutError:
                self._queue.append(_ALIVE_TEXT)
            self._has_news.clear()
            while self._queue or self._is_behind:
                if self._is_behind:
                    self._is_behind = False
                    self._queue.extend(self._lobby.whole(self.person))
                await self._send(self._queue.popleft())

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send({"type": "websocket.send", "text": text})
        except Exception as error:  # broken pipe, closed already: whatever it is, the client is out of reach
            raise WebSocketDisconnect(1006) from error

    async def _receive(self, spend: Callable[[], None]) -> None:
        while True:
            try:
                _REQUEST.validate_json(await self._socket.receive_text())
                spend()
            except (ValidationError, KeyError, TooManyRequests, DamierError):  # no page of ours sends that
                await close_socket(self._socket, INVALID_DATA)
                return
