"""The lobby socket: a page that follows the lobby. While one is open, its visitor's live seeks stay open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from pydantic import TypeAdapter
from starlette.websockets import WebSocket

from damier.server.dependencies import owner_of, request_budget, shared_services
from damier.server.front.page_socket import PageSocket, serve_page
from damier.server.front.sockets import POLICY
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.wire.lobby import LobbyRequest

if TYPE_CHECKING:
    from damier.server.lobby.lobby import Lobby

router = APIRouter()

_LONGEST_QUEUE = 20  # messages; a slower client gets the whole state instead
_REQUEST: TypeAdapter[LobbyRequest] = TypeAdapter(LobbyRequest)


@router.websocket("/api/lobby/live")
async def follow_lobby(socket: WebSocket) -> None:
    """Serves a lobby socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(POLICY)
        return

    async def serve() -> None:
        listener = LobbySocket(socket, services.lobby, services.visitors.of(socket))
        with services.sockets.visit_lobby(owner_of(socket), address_of(socket)):
            await listener.run(request_budget(socket))

    await serve_page(socket, "the lobby", language(socket), serve)


class LobbySocket(PageSocket):
    """One connection, as a listener of the lobby."""

    def __init__(self, socket: WebSocket, lobby: Lobby, person: str) -> None:
        super().__init__(socket, _LONGEST_QUEUE)
        self.person = person
        self._lobby = lobby
        self._is_behind = False

    async def join(self) -> None:
        """Joins the lobby."""
        await self._lobby.join(self)

    def leave(self) -> None:
        """Leaves the lobby."""
        self._lobby.leave(self)

    def check(self, text: str) -> None:
        """Accepts signs of life."""
        _REQUEST.validate_json(text)

    def overflow(self) -> None:
        """Drops what waits; the whole state is sent instead."""
        self._queue.clear()
        self._is_behind = True

    def before_sending(self) -> None:
        """Adds the whole state, if changes have been dropped."""
        if self._is_behind:
            self._is_behind = False
            self._queue.clear()  # changes that the state has
            self._queue.extend(self._lobby.whole(self.person))
