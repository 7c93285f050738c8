"""Sockets over which pages are told what changes and send nothing but signs of life: those of the lobby and of notices.

Messages wait in a queue; where none is due for a while, an `alive` is sent, so that a page notices a lost connection.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING

from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect

from damier.core.errors import DamierError
from damier.server.front.sockets import (
    ABNORMAL,
    ALIVE,
    CONNECTION_FAILED,
    FAILED,
    INVALID_DATA,
    TRY_AGAIN,
    TooManySockets,
    close_socket,
)
from damier.server.wire.matches import AliveMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.websockets import WebSocket

_log = logging.getLogger(__name__)

_ALIVE_TEXT = AliveMessage(type="alive").model_dump_json()


async def serve_page(socket: WebSocket, place: str, lang: str, serve: Callable[[], Awaitable[None]]) -> None:
    """Accepts a socket and serves it; if it is refused or fails, closes it with a sentence. The log has its `place`."""
    try:
        await socket.accept()  # first: a browser sees only the close code of an accepted socket
        await serve()
    except TooManySockets as error:
        await close_socket(socket, TRY_AGAIN, error.sentence(lang))
    except WebSocketDisconnect:
        return
    except Exception:
        _log.exception("A connection to %s failed and was closed; the client connects again.", place)
        await close_socket(socket, FAILED, CONNECTION_FAILED.render(lang))


class PageSocket(ABC):
    """One connection, with a queue of what it is sent."""

    def __init__(self, socket: WebSocket, longest_queue: int) -> None:
        self._socket, self._longest_queue = socket, longest_queue
        self._queue: deque[str] = deque()
        self._has_news = asyncio.Event()
        self._code: int | None = None
        """With which the connection is to be closed."""

    @abstractmethod
    async def join(self) -> None:
        """Begins to be told what changes."""

    @abstractmethod
    def leave(self) -> None:
        """Is told nothing any more; called even if `join` has failed."""

    @abstractmethod
    def check(self, text: str) -> None:
        """Raises `ValidationError` or `DamierError` if no page of ours would send this text."""

    @abstractmethod
    def overflow(self) -> None:
        """Handles a queue that is full because the client reads too slowly."""

    def before_sending(self) -> None:  # noqa: B027  # most have nothing to add
        """Completes the queue before it is sent."""

    async def run(self, spend: Callable[[], None]) -> None:
        """Serves the connection until either side closes it; `spend` refuses a message by raising a `DamierError`."""
        tasks: set[asyncio.Task[None]] = set()
        try:
            await self.join()
            tasks = {asyncio.create_task(self._send_queue()), asyncio.create_task(self._receive(spend))}
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if self._code is not None:
                await close_socket(self._socket, self._code)
        finally:
            self.leave()
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def send_text(self, text: str) -> None:
        """Queues a message that is encoded already."""
        if len(self._queue) >= self._longest_queue:
            self.overflow()
        else:
            self._queue.append(text)
        self._has_news.set()

    def close(self, code: int) -> None:
        """Closes the connection soon."""
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
            self.before_sending()
            while self._queue and self._code is None:
                await self._send(self._queue.popleft())
                self.before_sending()

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send({"type": "websocket.send", "text": text})
        except Exception as error:  # broken pipe, closed already: whatever it is, the client is out of reach
            raise WebSocketDisconnect(ABNORMAL) from error

    async def _receive(self, spend: Callable[[], None]) -> None:
        """Takes signs of life until the client leaves."""
        while True:
            try:
                self.check(await self._socket.receive_text())
                spend()
            except (ValidationError, KeyError, DamierError):
                self.close(INVALID_DATA)
                return
