"""The socket of notices: an open page is told what happens to its visitor elsewhere."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.messages import message
from damier.server.dependencies import owner_of, request_budget, shared_services
from damier.server.errors import TooManyRequests
from damier.server.front.sockets import FAILED, INVALID_DATA, POLICY, TRY_AGAIN, TooManySockets, close_socket
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.wire.matches import AliveMessage
from damier.server.wire.notices import NoticeRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from damier.server.notices.notices import Notices
    from damier.server.wire.model import WireModel

router = APIRouter()
_log = logging.getLogger(__name__)

ALIVE = 15.0  # seconds without a message after which an `alive` is sent
_ALIVE_TEXT = AliveMessage(type="alive").model_dump_json()
_LONGEST_QUEUE = 100  # messages; a slower client is disconnected and connects again
_FAULT = message("The connection failed: it is opened again.")


@router.websocket("/api/notices/live")
async def follow_notices(socket: WebSocket) -> None:
    """Serves a socket of notices."""
    services = shared_services(socket)
    identity = services.visitors.identity(socket)
    if not is_same_origin(socket.headers, services.settings.origin) or (identity and identity.token):
        await socket.close(POLICY)
        return
    lang = language(socket)
    try:
        await socket.accept()  # first: a browser sees only the close code of an accepted socket
        person, session = services.visitors.of(socket), identity.session if identity else ""
        page = NoticeSocket(socket, services.notices, person, session, lang)
        with services.sockets.follow_notices(owner_of(socket), address_of(socket)):
            await page.run(request_budget(socket))
    except TooManySockets as error:
        await close_socket(socket, TRY_AGAIN, error.sentence(lang))
    except WebSocketDisconnect:
        return
    except Exception:
        _log.exception("A connection for notices failed and was closed; the client connects again.")
        await close_socket(socket, FAILED, _FAULT.render(lang))


class NoticeSocket:
    """One connection, as a page of the inbox."""

    def __init__(self, socket: WebSocket, notices: Notices, person: str, session: str, lang: str) -> None:
        self.person, self.session, self.lang = person, session, lang
        self._socket, self._notices = socket, notices
        self._queue: deque[str] = deque()
        self._has_news = asyncio.Event()
        self._code: int | None = None
        """With which the connection is to be closed."""

    async def run(self, spend: Callable[[], None]) -> None:
        """Serves the connection until either side closes it."""
        tasks: set[asyncio.Task[None]] = set()
        try:
            await self._notices.join(self)
            tasks = {asyncio.create_task(self._send_queue()), asyncio.create_task(self._receive(spend))}
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if self._code is not None:
                await close_socket(self._socket, self._code)
        finally:
            self._notices.inbox.leave(self)
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def send(self, message: WireModel) -> None:
        """Queues a message; a client that reads too slowly is disconnected."""
        if len(self._queue) >= _LONGEST_QUEUE:
            self._close(TRY_AGAIN)
        else:
            self._queue.append(message.model_dump_json())
        self._has_news.set()

    def end(self) -> None:
        """Closes the connection, because the session has ended."""
        self._close(POLICY)

    def _close(self, code: int) -> None:
        self._code = self._code or code
        self._has_news.set()

    async def _send_queue(self) -> None:
        while self._code is None:
            try:
                async with asyncio.timeout(ALIVE):
                    await self._has_news.wait()
            except TimeoutError:
                self._queue.append(_ALIVE_TEXT)
            self._has_news.clear()
            while self._queue and self._code is None:
                await self._send(self._queue.popleft())

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send({"type": "websocket.send", "text": text})
        except Exception as error:  # broken pipe, closed already: whatever it is, the client is out of reach
            raise WebSocketDisconnect(1006) from error

    async def _receive(self, spend: Callable[[], None]) -> None:
        """Takes signs of life until the client leaves."""
        while True:
            try:
                NoticeRequest.model_validate_json(await self._socket.receive_text())
                spend()
            except (ValidationError, KeyError, TooManyRequests):  # no page of ours sends that
                self._close(INVALID_DATA)
                return
