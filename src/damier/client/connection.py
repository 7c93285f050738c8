"""HTTP by the standard library: JSON requests over one connection for each thread, and answers that are streams."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import threading
import time
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import SplitResult, urlsplit

from damier.client.errors import BadLine, CallRefused, ConnectionLost, LimitReached, server_sentence
from damier.core.errors import BadArgument
from damier.core.messages import message, plain, shown
from damier.core.version import __version__

COOKIE = "damier_visitor"
SILENCE = 21.0  # seconds without a line after which a stream counts as lost; the server sends one every seven

_LONGEST = 1 << 24  # bytes of an answer or a line
_STALE = 3.0  # seconds after which a connection is not used again; the server closes it after five
_SENTENCE = 300  # characters of a server's own sentence that are shown
_ADDRESS = "http://127.0.0.1:8000"  # an example


class Connection:
    """The way to one server, as one person: with a token, or as a guest with a cookie."""

    def __init__(self, address: str, token: str | None, cookie: str, lang: str, seconds: float) -> None:
        self.address = address.rstrip("/")
        self._parts = _split(self.address)
        if token is not None and not re.fullmatch("[!-~]+", token, re.ASCII):
            raise BadArgument(message("A token is one word of letters, digits and signs."))
        self._token, self.cookie, self._lang, self._seconds = token, cookie, lang, seconds
        self._own = threading.local()
        self._kept_open: set[http.client.HTTPConnection] = set()
        self._guest = threading.Lock()

    # Requests

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Returns the answer to one request; raises `ConnectionLost`, `CallRefused` or `LimitReached`."""
        self._be_somebody()
        return self._ask(method, path, body)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        connection = self._kept()
        try:
            response = self._send(connection, method, path, body)
            data = response.read(_LONGEST)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self.lost(error) from None
        self._own.used = time.monotonic()
        self._keep_cookie(response)
        if response.status >= 300:
            raise self._refusal(response, data)
        return self.parsed(data) if data else None

    def open(self, path: str) -> Lines:
        """Opens a stream; raises as `ask` does."""
        self._be_somebody()
        connection = self._new(SILENCE)
        try:
            response = self._send(connection, "GET", path, None)
            refused = self._refusal(response, response.read(_LONGEST)) if response.status >= 300 else None
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self.lost(error) from None
        if refused:
            connection.close()
            raise refused
        return Lines(self, connection, response)

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: object
    ) -> http.client.HTTPResponse:
        headers = {"Accept-Language": self._lang, "User-Agent": f"damier/{__version__}", "Accept-Encoding": "identity"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        elif self.cookie:
            headers["Cookie"] = f"{COOKIE}={self.cookie}"
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, self._parts.path + path, content, headers)
        return connection.getresponse()

    def _be_somebody(self) -> None:
        """Gets the cookie of a guest, unless there is one or a token."""
        if not self._token and not self.cookie:
            with self._guest:
                if not self.cookie:
                    self._ask("GET", "/api/me")

    def _keep_cookie(self, response: http.client.HTTPResponse) -> None:
        for header in response.headers.get_all("Set-Cookie") or ():
            with contextlib.suppress(CookieError):  # a cookie of something between us and the server
                if found := SimpleCookie(header).get(COOKIE):
                    self.cookie = found.value

    # Connections

    def _kept(self) -> http.client.HTTPConnection:
        """Returns this thread's connection; a new one if it has not been used for a while."""
        kept: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if kept is None:
            kept = self._own.connection = self._new(self._seconds)
            self._kept_open.add(kept)
        elif time.monotonic() - getattr(self._own, "used", 0.0) > _STALE:
            kept.close()  # which opens itself again
        return kept

    def _new(self, seconds: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return kind(str(self._parts.hostname), self._parts.port, timeout=seconds)

    def let_go(self) -> None:
        """Closes this thread's connection."""
        kept: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if kept:
            kept.close()
            self._kept_open.discard(kept)
            del self._own.connection

    def close(self) -> None:
        """Closes the connections of all threads; a later request opens one again."""
        for kept in tuple(self._kept_open):
            kept.close()

    # Failures

    def lost(self, error: Exception) -> ConnectionLost:
        """Returns the error of a connection that failed."""
        name = shown(self.address)
        if isinstance(error, TimeoutError):
            seconds = round(self._seconds, 1)
            return ConnectionLost(
                message("The server {server} did not answer within {seconds} s.", server=name, seconds=seconds)
            )
        if isinstance(error, OSError) and error.strerror:
            why = plain(error.strerror, _SENTENCE)
            return ConnectionLost(message("The server {server} cannot be reached: {why}.", server=name, why=why))
        return ConnectionLost(message("The connection to {server} was cut.", server=name))

    def _refusal(self, response: http.client.HTTPResponse, data: bytes) -> CallRefused:
        status = response.status
        try:
            answer = json.loads(data)
            sentence = server_sentence(plain(str(answer["error"]), _SENTENCE))
        except (ValueError, KeyError, TypeError, RecursionError):
            answer = {}
            sentence = message(
                "The server {server} refused the request with status {status}.",
                server=shown(self.address),
                status=status,
            )
        if status not in (429, 503):
            return CallRefused(sentence, status)
        given = response.headers.get("Retry-After", "")
        seconds = float(given) if re.fullmatch("[0-9]{1,6}", given, re.ASCII) else 1.0
        return LimitReached(sentence, status, str(answer.get("limit", "")), seconds)

    def parsed(self, data: bytes) -> Any:
        """Returns the JSON of an answer or a line; raises `BadLine`."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise self.wrong() from None

    def wrong(self) -> BadLine:
        """Returns the error of an answer that is none of a damier server."""
        return BadLine(message("{server} does not answer as a damier server does.", server=shown(self.address)))


class Lines:
    """An open stream: its lines, as they come."""

    def __init__(
        self, owner: Connection, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        self._owner, self._connection, self._response = owner, connection, response
        self._socket: socket.socket | None = connection.sock

    def next(self) -> dict[str, Any] | None:
        """Returns the next message, None at the end of the stream; raises `ConnectionLost` or `BadLine`."""
        while True:
            try:
                line = self._response.readline(_LONGEST)
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:  # closed meanwhile
                raise self._owner.lost(error) from None
            if not line:
                return None
            if line.strip():
                data = self._owner.parsed(line)
                if not isinstance(data, dict) or "type" not in data:
                    raise self._owner.wrong()
                return data

    def close(self) -> None:
        """Ends the stream, also while another thread waits for its next line."""
        if self._socket:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def _split(address: str) -> SplitResult:
    """Returns the parts of an address; raises `BadArgument`."""
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_good = is_good and parts.username is None and not parts.query and not parts.fragment
    except ValueError:  # a port that is no number, brackets that do not match
        is_good = False
    if not is_good or not re.fullmatch("[!-~]+", address, re.ASCII):
        raise BadArgument(
            message("An address is written as {example}, not {text}.", example=_ADDRESS, text=shown(address))
        )
    return parts
