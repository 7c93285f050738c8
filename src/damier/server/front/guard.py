"""The guard: an ASGI middleware in front of everything, which refuses a request before it costs much.

Limits come first, then hosts and lengths; all are checked before the body is read, and the body has arrived before a
route begins.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damier.core.errors import DamierError
from damier.core.messages import message, shown
from damier.server.answers import refusal
from damier.server.errors import (
    AddressTooLong,
    BodyLate,
    BodyTooLong,
    LengthMissing,
    NotAllowed,
    ServerBusy,
    ServerFailed,
    TooManyRequests,
    UnknownHost,
)
from damier.server.front.limits import NETWORK_TOO_FAST, hold_back
from damier.server.front.visitors import address_of
from damier.server.operations.metrics import Reason
from damier.server.services import Services

LONGEST_ADDRESS = 8192  # bytes of path and query
LONGEST_BODY = 4_000_000  # bytes
BODY_SECONDS = 20.0  # in which a body has to arrive
_BODIES = 128_000_000  # bytes of all bodies that are held at one time,
_BODIES_OF_ADDRESS = 16_000_000  # and of those of one address
_CHEAP = frozenset({"/api/alive", "/healthz", "/readyz", "/metrics"})
_FILES = "/static/"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FRAMED = "/embed/"  # the only pages that other sites may frame
_FRAMED_POLICY = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")


_REASONS: dict[type[DamierError], Reason] = {
    TooManyRequests: "limit",
    UnknownHost: "host",
    NotAllowed: "token",
    BodyLate: "time",
    ServerBusy: "queue",
}


class Guard:
    """Refuses what the server does not answer, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, services: Services, body_seconds: float = BODY_SECONDS) -> None:
        self._app, self._services, self._body_seconds = app, services, body_seconds
        self._bodies = _Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request or a socket."""
        if scope["type"] == "http":
            await self._handle_request(scope, receive, _with_headers(scope["path"], send))
        elif scope["type"] == "websocket":
            await self._handle_socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        address, held = address_of(connection), 0
        try:
            try:
                await self._admit(connection, address)
                if length := _body_length(connection):
                    self._bodies.hold(address, length)
                    held = length
                    receive = await self._arrived(receive)
            except DamierError as error:
                await self._refuse(connection, error, receive, send)
                return
            await self._app(scope, receive, send)
        finally:
            if held:
                self._bodies.release(address, held)

    async def _handle_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        try:
            await self._admit(connection, address_of(connection))
        except DamierError as error:
            await self._refuse(connection, error, receive, send)
            return
        await self._app(scope, receive, send)

    async def _refuse(self, connection: HTTPConnection, error: DamierError, receive: Receive, send: Send) -> None:
        if not isinstance(error, ServerFailed) or isinstance(error, ServerBusy):
            self._services.metrics.refused(_REASONS.get(type(error), "length"))
        if isinstance(error, TooManyRequests):
            await hold_back()
        await refusal(connection, error)(connection.scope, receive, send)

    async def _admit(self, connection: HTTPConnection, address: str) -> None:
        """Raises a `DamierError` for a request that is not answered."""
        scope, services = connection.scope, self._services
        path = scope["path"]
        is_cheap = path in _CHEAP or path.startswith(_FILES)
        if is_cheap:
            if not services.files.take(address):
                raise TooManyRequests(NETWORK_TOO_FAST, services.files.wait(address), "files")
        else:
            services.requests.spend(services.visitors.of(connection), address)
        if len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            raise AddressTooLong(message("The address is longer than {most} bytes.", most=LONGEST_ADDRESS))
        host = connection.headers.get("host")
        if host is not None and not services.hosts.allows(host):
            raise _unknown_host(host)
        if not is_cheap:
            await services.visitors.look_up(connection)

    async def _arrived(self, receive: Receive) -> Receive:
        """Waits for a whole body; returns a function that gives it to the application. Raises `BodyLate`."""
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                while True:
                    part = await receive()
                    body += part.get("body", b"")
                    if not part.get("more_body"):
                        break
        except TimeoutError:
            seconds = round(self._body_seconds)
            raise BodyLate(message("The request did not arrive within {seconds} seconds.", seconds=seconds)) from None
        first: Message | None = part if part["type"] == "http.disconnect" else {**part, "body": bytes(body)}

        async def replay() -> Message:
            nonlocal first
            given, first = first, None
            return given or await receive()

        return replay


class _Bodies:
    """The bytes of the bodies that requests hold at one time."""

    def __init__(self) -> None:
        self._all, self._by_address = 0, Counter[str]()

    def hold(self, address: str, length: int) -> None:
        """Counts a body; raises `TooManyRequests` or `ServerBusy`."""
        if self._by_address[address] + length > _BODIES_OF_ADDRESS:
            raise TooManyRequests(NETWORK_TOO_FAST, limit="bodies")
        if self._all + length > _BODIES:
            raise ServerBusy(message("The server is busy: try again in a moment."))
        self._all += length
        self._by_address[address] += length

    def release(self, address: str, length: int) -> None:
        """Takes a body off the count."""
        self._all -= length
        self._by_address[address] -= length
        if not self._by_address[address]:
            del self._by_address[address]


def _body_length(connection: HTTPConnection) -> int:
    """Returns the length of the body as the request states it; raises `BodyTooLong` or `LengthMissing`."""
    length = connection.headers.get("content-length", "")
    if not length.isdecimal():
        if length or "transfer-encoding" in connection.headers:
            raise LengthMissing(message("A request with a body needs a Content-Length."))
        return 0
    if int(length) > LONGEST_BODY:
        raise BodyTooLong(message("The request is longer than {most} bytes.", most=LONGEST_BODY))
    return int(length)


def _unknown_host(host: str) -> UnknownHost:
    return UnknownHost(
        message(
            "This server is not known as {host}: its operator can allow that name with {option}.",
            host=shown(host),
            option="--allowed-hosts",
        )
    )


def _with_headers(path: str, send: Send) -> Send:
    """Returns a `send` that adds the security headers."""
    policy = _FRAMED_POLICY if path.startswith(_FRAMED) else _POLICY

    async def send_with_headers(part: Message) -> None:
        if part["type"] == "http.response.start":
            headers = MutableHeaders(raw=part.setdefault("headers", []))
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"
            headers["Content-Security-Policy"] = policy
        await send(part)

    return send_with_headers
