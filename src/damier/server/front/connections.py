"""Connections: how many may be open, and how long a request may take to arrive.

Uvicorn waits for ever for the rest of a request. Here a request line with its headers has 10 s, and connections are
counted, in all and by address. Where an address has as many as it may, its oldest connection whose request has not
arrived makes room: half-sent requests keep nobody out. A connection costs a timer and two dictionary entries, a further
request on it nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from damier.server.front.visitors import limited_address
from damier.server.operations.request_ids import OnlyTrustedIds

HEAD_SECONDS = 10.0  # in which the request line and the headers have to arrive
WRITE_SECONDS = 60.0  # in which a client has to read something of an answer
KEEP_ALIVE_SECONDS = 5  # in which the next request has to begin
LONGEST_HEAD = 64_000  # bytes of request line and headers
BACKLOG = 1024  # connections that wait to be accepted
_SPARE_FILES = 256  # beside connections: database, workers, pictures
_LINGER = 5.0  # seconds in which the last bytes of a refused connection may be read

# Nothing is known yet of the client's language.
_SENTENCES = {
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time.",
    HTTPStatus.TOO_MANY_REQUESTS: "There are too many connections from your address.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers of the request are too long.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server has too many connections.",
}

_log = logging.getLogger(__name__)


class Connections:
    """The open connections."""

    def __init__(
        self, most: int, most_for_address: int, proxies: Sequence[str] = (), head_seconds: float = HEAD_SECONDS
    ) -> None:
        self._most, self._most_for_address = most, most_for_address
        self._proxies = [ipaddress.ip_network(proxy) for proxy in proxies]
        self.head_seconds = head_seconds
        self.count = self.refused = 0
        self._by_address: Counter[str] = Counter()
        self._waiting: dict[HttpConnection, None] = {}  # the oldest first
        self._waiting_at: dict[str, dict[HttpConnection, None]] = {}

    def admit(self, host: str) -> HTTPStatus | None:
        """Counts a new connection, or returns the status that refuses it."""
        address = limited_address(host)
        is_full = self._by_address[address] >= self._most_for_address and not self._is_proxy(host)
        if is_full and not self._make_room(self._waiting_at.get(address, {}), HTTPStatus.TOO_MANY_REQUESTS):
            return HTTPStatus.TOO_MANY_REQUESTS
        if self.count >= self._most and not self._make_room(self._waiting, HTTPStatus.SERVICE_UNAVAILABLE):
            return HTTPStatus.SERVICE_UNAVAILABLE
        self.count += 1
        self._by_address[address] += 1
        return None

    def release(self, address: str) -> None:
        """Takes a connection off the count."""
        self.count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def add_waiting(self, connection: HttpConnection) -> None:
        """Notes a connection whose request has not arrived."""
        self._waiting[connection] = None
        self._waiting_at.setdefault(connection.address, {})[connection] = None

    def discard_waiting(self, connection: HttpConnection) -> None:
        """Forgets a connection whose request has arrived, or that is closed."""
        if self._waiting.pop(connection, connection) is None:
            here = self._waiting_at[connection.address]
            del here[connection]
            if not here:
                del self._waiting_at[connection.address]

    def _make_room(self, waiting: dict[HttpConnection, None], status: HTTPStatus) -> bool:
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        oldest.refuse(status)
        return True

    def _is_proxy(self, host: str) -> bool:
        return bool(self._proxies and host) and any(ipaddress.ip_address(host) in network for network in self._proxies)


class ServerConfig(uvicorn.Config):
    """Uvicorn's configuration, with connections that are counted."""

    def __init__(self, app: Any, connections: Connections, proxies: Sequence[str] = (), **given: Any) -> None:
        super().__init__(
            app,
            http=HttpConnection,
            ws=WebSocketConnection,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            **given,
        )
        self.counted, self._proxies = connections, proxies

    def load(self) -> None:
        """Loads the application; names of requests are taken from trusted proxies alone."""
        super().load()
        self.loaded_app = OnlyTrustedIds(self.loaded_app, self._proxies)


class HttpConnection(HttpToolsProtocol):
    """A connection whose requests have to arrive in time."""

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._counted = config.counted
        self._is_counted = False
        self._is_in_head = False
        self._is_socket = False
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._linger_timer: asyncio.TimerHandle | None = None

    # Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection, or refuses it."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.address = limited_address(host)
        refused = self._counted.admit(host)
        if refused:
            self._answer(refused)
        else:
            self._is_counted = True
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Takes the connection off the count."""
        self._leave()
        self._stop_write_timer()
        if self._linger_timer:
            self._linger_timer.cancel()
        super().connection_lost(exc)

    def refuse(self, status: HTTPStatus) -> None:
        """Closes a connection, with an answer if a request has begun."""
        self._counted.refused += 1
        self._leave()
        if self._head_bytes and (self.cycle is None or self.cycle.response_complete):
            self._answer(status)
        else:
            self._close()

    def _leave(self) -> None:
        self._stop_head_timer()
        if self._is_counted:
            self._is_counted = False
            self._counted.release(self.address)

    def _answer(self, status: HTTPStatus) -> None:
        answer: dict[str, str | int] = {"error": _SENTENCES[status]}
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            answer |= {"limit": "connections_per_address", "seconds": round(HEAD_SECONDS)}
        body = json.dumps(answer).encode()
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", "Content-Type: application/json", "Connection: close"]
        if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
            lines.append(f"Retry-After: {round(HEAD_SECONDS)}")
        lines.append(f"Content-Length: {len(body)}")
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self._close()

    def _close(self) -> None:
        self.transport.close()
        self._linger_timer = self.loop.call_later(_LINGER, self.transport.abort)

    # Requests

    def data_received(self, data: bytes) -> None:
        """Parses what has arrived, and waits for the rest of a request only so long."""
        super().data_received(data)
        if self._is_socket or self.transport.is_closing():
            return
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LONGEST_HEAD:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return
        elif self.timeout_keep_alive_task or self.cycle is None or not self.cycle.response_complete:
            return
        if self._head_timer is None:  # of a further request, or the rest of a body that nobody reads
            self._await_head()

    def on_message_begin(self) -> None:
        """Begins to read a request."""
        super().on_message_begin()
        self._is_in_head, self._head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """Starts to answer a request."""
        self._is_in_head = False
        self._stop_head_timer()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection to a `WebSocketConnection`, which is counted in its place."""
        self._is_socket = True
        super().handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        assert isinstance(socket, WebSocketConnection)
        self._is_counted, socket.address = False, self.address

    def timeout_keep_alive_handler(self) -> None:
        """Closes a connection on which no further request has begun."""
        if not self.transport.is_closing():
            self._close()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self._counted.head_seconds, self.refuse, HTTPStatus.REQUEST_TIMEOUT)
        self._counted.add_waiting(self)

    def _stop_head_timer(self) -> None:
        if self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None
            self._counted.discard_waiting(self)

    # Clients that do not read

    def pause_writing(self) -> None:
        """Gives a client that does not read some time."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Goes on with a client that reads."""
        self._stop_write_timer()
        super().resume_writing()

    def _stop_write_timer(self) -> None:
        if self._write_timer:
            self._write_timer.cancel()
            self._write_timer = None


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A web socket, counted as the connection that it was."""

    def __init__(self, config: ServerConfig, *given: Any, **named: Any) -> None:
        super().__init__(config, *given, **named)
        self.address = ""
        self._counted = config.counted

    def connection_lost(self, exc: Exception | None) -> None:
        """Takes the connection off the count."""
        self._counted.release(self.address)
        super().connection_lost(exc)


def connections_allowed(wanted: int) -> int:
    """Returns how many connections the operating system allows of those that are wanted; raises its soft limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = max(soft, wanted + BACKLOG + _SPARE_FILES)
    if soft != resource.RLIM_INFINITY and soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        soft = hard
    if soft == resource.RLIM_INFINITY:
        return wanted
    allowed = min(wanted, max(soft // 2, soft - BACKLOG - _SPARE_FILES))
    if allowed < wanted:
        extra = {"allowed": allowed, "wanted": wanted}
        _log.warning(
            "Only %d connections: the system allows %d open files. Raise that limit.", allowed, soft, extra=extra
        )
    return allowed
