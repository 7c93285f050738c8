"""Live updates: one socket of a visitor who plays or watches a match."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.server.matches.match import Event
from damier.server.matches.referee import Referee, Table
from damier.server.view import snapshot_data, state_data

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from damier.server.limits import Buckets

ALIVE = 15.0  # seconds between signs of life
_MOST_WAITING = 200  # messages; who is so slow is cut off and comes again
_LONGEST_ID, _LONGEST_TEXT = 64, 200
_HALVES = re.compile("[\ud800-\udfff]")
_DOINGS = ("play", "undo", "resign", "offer_draw", "answer")


class Line:
    """One socket, as a listener of a match."""

    def __init__(self, socket: WebSocket, referee: Referee, table: Table, visitor: str, lang: str) -> None:
        self.visitor = visitor
        self._socket, self._referee, self._table, self._lang = socket, referee, table, lang
        self._waiting: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(_MOST_WAITING)

    async def run(self, buckets: Buckets) -> None:
        """Serves the socket until one of both sides ends it."""
        self._table.listeners.add(self)
        try:
            self.tell({"type": "snapshot", **snapshot_data(self._table, self.visitor, self._lang)})
            self._tell_presence()
            sender = asyncio.create_task(self._send())
            try:
                await self._receive(buckets)
            finally:
                sender.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await sender
        finally:
            self._table.listeners.discard(self)
            self._tell_presence()

    # What is told

    def tell(self, data: dict[str, Any]) -> None:
        """Puts a message into the queue; a queue that is full ends the line."""
        try:
            self._waiting.put_nowait(data)
        except asyncio.QueueFull:
            with contextlib.suppress(asyncio.QueueEmpty):
                while True:
                    self._waiting.get_nowait()
            self._waiting.put_nowait(None)

    def hear(self, table: Table, seq: int, event: Event) -> None:
        """Is told of an event."""
        told = {name: value for name, value in event.data().items() if name != "to" or event.kind == "undo"}
        state = state_data(table, self.visitor, self._lang)
        self.tell({"type": "event", "seq": seq, "event": told, "state": state})

    def _tell_presence(self) -> None:
        here = self._table.here
        seats = [seat.player for seat in self._table.match.seats if seat.visitor in here]
        self._table.tell({"type": "here", "seats": seats})

    async def _send(self) -> None:
        while True:
            try:
                data = await asyncio.wait_for(self._waiting.get(), ALIVE)
            except TimeoutError:
                data = {"type": "alive"}
            if data is None:
                await self._socket.close(1013)
                return
            await self._socket.send_json(data)

    # What is asked for

    async def _receive(self, buckets: Buckets) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                try:
                    asked = await self._socket.receive_json()
                except (ValueError, KeyError, RecursionError):
                    await self._socket.close(1007)
                    return
                except RuntimeError:  # closed, as whoever sends has noticed first
                    return
                if not isinstance(asked, dict) or not _is_text(asked.get("id"), _LONGEST_ID):
                    await self._socket.close(1007)
                    return
                await self._answer(asked, buckets)

    async def _answer(self, asked: dict[str, Any], buckets: Buckets) -> None:
        request = asked["id"]
        try:
            if not buckets.take(self.visitor):
                raise DamierError(message("That is too fast: wait a moment."))
            is_rematch = asked.get("do") == "rematch"
            seq = await (self._rematch() if is_rematch else self._act(request, asked))
            self.tell({"type": "done", "id": request, "seq": seq})
        except DamierError as error:
            self.tell({"type": "refused", "id": request, "error": error.sentence(self._lang)})

    async def _act(self, request: str, asked: dict[str, Any]) -> int:
        do, action, yes = asked.get("do"), asked.get("action", ""), asked.get("yes", False)
        if do not in _DOINGS or not _is_text(action, _LONGEST_TEXT) or not isinstance(yes, bool):
            raise DamierError(message("The request is not one that the server knows."))
        return await self._referee.act(self._table, self.visitor, request, do, action=action, yes=yes)

    async def _rematch(self) -> int:
        number = await self._referee.rematch(self._table, self.visitor)
        for listener in tuple(self._table.listeners):
            if self._table.match.players_of(listener.visitor):
                listener.tell({"type": "rematch", "number": number})
        return self._table.match.seq


def _is_text(value: object, longest: int) -> bool:
    """Tells whether something is text of some length, without halves of letters, which nobody can store or send."""
    return isinstance(value, str) and len(value) <= longest and not _HALVES.search(value)
