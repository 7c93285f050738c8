"""The socket of notices: an open page is told what happens to its visitor elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.websockets import WebSocket

from damier.server.dependencies import owner_of, request_budget, shared_services
from damier.server.front.page_socket import PageSocket, serve_page
from damier.server.front.sockets import POLICY, TRY_AGAIN
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.wire.notices import NoticeRequest

if TYPE_CHECKING:
    from damier.server.notices.notices import Notices
    from damier.server.wire.model import WireModel

router = APIRouter()

_LONGEST_QUEUE = 100  # messages; a slower client is disconnected and connects again


@router.websocket("/api/notices/live")
async def follow_notices(socket: WebSocket) -> None:
    """Serves a socket of notices."""
    services = shared_services(socket)
    identity = services.visitors.identity(socket)
    if not is_same_origin(socket.headers, services.settings.origin) or (identity and identity.token):
        await socket.close(POLICY)
        return
    lang = language(socket)

    async def serve() -> None:
        person, session = services.visitors.of(socket), identity.session if identity else ""
        page = NoticeSocket(socket, services.notices, person, session, lang)
        with services.sockets.follow_notices(owner_of(socket), address_of(socket)):
            await page.run(request_budget(socket))

    await serve_page(socket, "notices", lang, serve)


class NoticeSocket(PageSocket):
    """One connection, as a page of the inbox."""

    def __init__(self, socket: WebSocket, notices: Notices, person: str, session: str, lang: str) -> None:
        super().__init__(socket, _LONGEST_QUEUE)
        self.person, self.session, self.lang = person, session, lang
        self._notices = notices

    async def join(self) -> None:
        """Joins the inbox."""
        await self._notices.join(self)

    def leave(self) -> None:
        """Leaves the inbox."""
        self._notices.inbox.leave(self)

    def check(self, text: str) -> None:
        """Accepts signs of life."""
        NoticeRequest.model_validate_json(text)

    def overflow(self) -> None:
        """Disconnects the client."""
        self.close(TRY_AGAIN)

    def send(self, message: WireModel) -> None:
        """Queues a message."""
        self.send_text(message.model_dump_json())

    def end(self) -> None:
        """Closes the connection, because the session has ended."""
        self.close(POLICY)
