"""Observes every request and socket from outside all other middleware: counts it, and logs it if that is switched on.

The access log holds what happened, not who asked: no address, no cookie, no visitor, and no query of an address. It is
independent of the log level.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from damier.server.operations.metrics import Metrics, SocketKind

_log = logging.getLogger(__name__)

_LONGEST_PATH = 200  # characters
_UNMATCHED = "unmatched"  # one label for all addresses that nothing serves
_SOCKETS: dict[str, SocketKind] = {"/api/matches/{number}/live": "match", "/api/lines/live": "analysis"}


class RequestObserver:
    """An ASGI middleware that counts and logs requests and sockets."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, is_logging: bool = False) -> None:
        self._app, self._metrics, self._is_logging = app, metrics, is_logging
        if is_logging:
            _log.setLevel(logging.INFO)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request or a socket on, and observes how it ends."""
        if scope["type"] == "http":
            await self._observe_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._observe_socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _observe_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, size, began = 500, 0, time.perf_counter()

        async def observe(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, observe)
        finally:
            seconds = time.perf_counter() - began
            self._metrics.answered(_route(scope), scope["method"], status, seconds)
            self._log(scope["method"], scope, status, seconds, {"bytes": size})

    async def _observe_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: SocketKind | None = None
        began = time.perf_counter()

        async def observe(message: Message) -> None:
            nonlocal kind
            if message["type"] == "websocket.accept":
                kind = _SOCKETS.get(_route(scope), "other")
                self._metrics.socket_opened(kind)
            await send(message)

        try:
            await self._app(scope, receive, observe)
        finally:
            if kind is not None:
                self._metrics.socket_closed(kind)
            self._log("WEBSOCKET", scope, 403 if kind is None else 101, time.perf_counter() - began, {})

    def _log(self, method: str, scope: Scope, status: int, seconds: float, more: dict[str, Any]) -> None:
        if self._is_logging:
            path = quote(scope["path"])[:_LONGEST_PATH]
            milliseconds = round(seconds * 1000, 1)
            fields = {"method": method[:10], "path": path, "status": status, "milliseconds": milliseconds, **more}
            _log.info("%s %s %d, %s ms", method[:10], path, status, milliseconds, extra=fields)


def _route(scope: Scope) -> str:
    """Returns the template of the route that served a request; there are few of them, whatever is asked for."""
    route = scope.get("route")
    if route is not None:
        return str(route.path)
    return "/static" if scope["path"].startswith("/static/") else _UNMATCHED
