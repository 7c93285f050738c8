"""HTTP requests about tables, by the standard library: time-outs, bounded retries, one sentence for every failure.

What a server sends is not trusted: lengths are bounded, and an answer must have the length that it states.
"""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message as Headers
from urllib.parse import SplitResult, quote, urlsplit

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message, plain
from damier.core.version import __version__
from damier.solve.file.reader import quoted

SECONDS = 10.0
"""The time-out for every wait of a request: to connect, for the first byte and for the next."""

MOST_BYTES = 1 << 25
"""The longest body that is held in memory."""

_WHOLE = 6  # times the time-out: the limit for a body that is held in memory
_PAUSES = (0.0, 0.2, 1.0)  # seconds before a request is tried again
_LONGEST_PAUSE = 5.0  # seconds that a busy server may ask for
_BUSY = (429, 503)
_CHUNK = 1 << 16
_SENTENCE = 200  # characters of a server's own sentence that are shown
_CUT = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.IncompleteRead)


class ServerUnreachable(DamierError):
    """A server does not answer, or not to the end."""


class RequestRefused(DamierError):
    """A server answered with a status that is no success."""

    def __init__(self, message: Message, status: int) -> None:
        super().__init__(message)
        self.status = status


class BadAnswer(DamierError):
    """A server sent what it should not send."""


@dataclass(frozen=True)
class ServerAnswer:
    """The answer to a request, with its whole body."""

    status: int
    headers: Headers
    body: bytes


def split_address(address: str) -> SplitResult:
    """Returns the parts of the address of a server or a file; raises `BadArgument`."""
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_good = is_good and parts.username is None and not parts.query and not parts.fragment
        is_good = is_good and re.fullmatch(r"[!-~]+", address) is not None
    except ValueError:  # a port that is no number, brackets that do not match
        is_good = False
    if not is_good:
        raise BadArgument(
            message(
                "An address is written as {example}, not {text}.", example="http://127.0.0.1:8000", text=quoted(address)
            )
        )
    return parts


class ServerConnection:
    """A connection to the server of an address; kept open between requests, opened again when it was cut."""

    def __init__(self, address: str, seconds: float = SECONDS) -> None:
        parts = split_address(address)
        self.name = quoted(f"{parts.scheme}://{parts.netloc}")
        """What sentences call the server."""

        self._seconds = seconds
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._http = kind(str(parts.hostname), parts.port, timeout=seconds)

    def close(self) -> None:
        """Closes the connection."""
        self._http.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None, most: int = MOST_BYTES) -> ServerAnswer:
        """Returns the answer to a request, trying again if the connection is cut or the server is busy.

        A body of more than `most` bytes is refused; where a range was requested, a body that is none is not read.
        Raises `ServerUnreachable`, `RequestRefused` or `BadAnswer`.
        """
        for pause in (*_PAUSES, None):
            try:
                return self._get(path, headers or {}, most)
            except (ConnectionCut, RetryLater) as error:
                if pause is None:
                    raise
                wait = max(pause, getattr(error, "pause", 0.0))
            time.sleep(wait)
        raise AssertionError

    def _get(self, path: str, headers: Mapping[str, str], most: int) -> ServerAnswer:
        response = self.open(path, headers)
        if "Range" in headers and response.status != 206:  # whatever follows is not what was requested
            self.close()
            return ServerAnswer(response.status, response.headers, b"")
        return ServerAnswer(response.status, response.headers, self._whole(response, most))

    def open(self, path: str, headers: Mapping[str, str] | None = None) -> http.client.HTTPResponse:
        """Sends a request and returns the answer with its body unread: 200, 206 or 416.

        Raises `ServerUnreachable`, also as `ConnectionCut`, `RequestRefused` or `BadAnswer`.
        """
        given = {"Accept-Encoding": "identity", "User-Agent": f"damier/{__version__}", **(headers or {})}
        try:
            if self._http.sock is None:
                self._http.connect()
            self._http.request("GET", path, headers=given)
            response = self._http.getresponse()
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            raise self._failure(error) from None
        if response.status not in (200, 206, 416):
            raise self._refusal(response)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise self.wrong(message("it is compressed"))
        return response

    def parts(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """Yields the body of an answer as it arrives; raises `ServerUnreachable`, also as `ConnectionCut`."""
        left = response.length
        try:
            while left != 0:
                part = response.read1(_CHUNK if left is None else min(_CHUNK, left))
                if not part:
                    break
                left = None if left is None else left - len(part)
                yield part
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._failure(error) from None
        if left:
            raise self._failure(http.client.IncompleteRead(b"", left))
        response.close()  # which frees the connection for the next request

    def _whole(self, response: http.client.HTTPResponse, most: int) -> bytes:
        """Returns the body of an answer."""
        body, end = bytearray(), time.monotonic() + _WHOLE * self._seconds
        for part in self.parts(response):
            body += part
            if len(body) > most:
                raise self.wrong(message("it is too long"))
            if time.monotonic() > end:
                raise self._failure(TimeoutError())
        return bytes(body)

    def wrong(self, what: Message) -> BadAnswer:
        """Returns the error of an answer that is wrong, and closes the connection."""
        self.close()
        return BadAnswer(message("The answer of {server} is wrong: {what}.", server=self.name, what=what))

    def _failure(self, error: Exception) -> ServerUnreachable:
        """Returns the error of a request that failed, and closes the connection."""
        self.close()
        if isinstance(error, TimeoutError):
            seconds = round(self._seconds, 1)
            return ServerUnreachable(
                message("The server {server} did not answer within {seconds} s.", server=self.name, seconds=seconds)
            )
        if isinstance(error, _CUT):
            return ConnectionCut(message("The connection to {server} was cut.", server=self.name))
        if isinstance(error, OSError):
            why = plain(error.strerror or str(error), _SENTENCE)
            return ServerUnreachable(
                message("The server {server} cannot be reached: {why}.", server=self.name, why=why)
            )
        return ServerUnreachable(message("The server {server} does not answer by HTTP.", server=self.name))

    def _refusal(self, response: http.client.HTTPResponse) -> RequestRefused:
        """Returns the error of an answer that is no success."""
        status = response.status
        if 300 <= status < 400:
            self.close()
            target = quoted(response.headers.get("Location", ""))
            moved = message(
                "The server {server} sends on to {target}: use that address.", server=self.name, target=target
            )
            return RequestRefused(moved, status)
        try:
            body = self._whole(response, _CHUNK)
            why = plain(str(json.loads(body)["error"]), _SENTENCE)
        except (DamierError, ValueError, KeyError, TypeError, RecursionError):
            self.close()
            why = ""
        sentence = (
            message("The server {server} refused the request: {why}", server=self.name, why=why)
            if why
            else message(
                "The server {server} refused the request with status {status}.", server=self.name, status=status
            )
        )
        if status not in _BUSY:
            return RequestRefused(sentence, status)
        asked = response.headers.get("Retry-After", "")
        pause = float(asked) if re.fullmatch("[0-9]{1,4}", asked, re.ASCII) else 0.0
        return RetryLater(sentence, status, min(pause, _LONGEST_PAUSE))


class ConnectionCut(ServerUnreachable):
    """A connection ended in the middle of an answer."""


class RetryLater(RequestRefused):
    """A server asks to try again later."""

    def __init__(self, message: Message, status: int, pause: float) -> None:
        super().__init__(message, status)
        self.pause = pause
        """Seconds to wait."""


def request_path(address: str) -> str:
    """Returns the path of an address, quoted."""
    return quote(split_address(address).path or "/", safe="/%=,:;@!$&'()*+~")
