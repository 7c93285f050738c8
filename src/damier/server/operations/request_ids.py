"""A name for each request and socket, in every record of the log that it causes and in its answer.

A trusted proxy may give the name (`X-Request-ID`), so that its log and ours can be read together; else it is drawn. It
says nothing about the visitor.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from damier.core.logs import request_name

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADER = b"x-request-id"
_NAME = re.compile(rb"[A-Za-z0-9._:-]{1,64}")


class RequestIds:
    """An ASGI middleware, outermost in the application: names each request, for the log and in the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on under its name."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == _HEADER), b"")
        name = given if _NAME.fullmatch(given) else secrets.token_hex(8).encode()

        async def send_named(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [*message.get("headers", ()), (_HEADER, name)]
            await send(message)

        token = request_name.set(name.decode())
        try:
            await self._app(scope, receive, send_named)
        finally:
            request_name.reset(token)


class OnlyTrustedIds:
    """An ASGI middleware in front of all that changes addresses: drops names that come from no trusted proxy."""

    def __init__(self, app: ASGIApp, proxies: Sequence[str]) -> None:
        self._app, self._proxies = app, [ipaddress.ip_network(proxy) for proxy in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] in ("http", "websocket") and not self._is_trusted(scope.get("client")):
            scope["headers"] = [header for header in scope["headers"] if header[0] != _HEADER]
        await self._app(scope, receive, send)

    def _is_trusted(self, client: tuple[str, int] | None) -> bool:
        if not self._proxies or client is None:
            return False
        try:
            address = ipaddress.ip_address(client[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)
