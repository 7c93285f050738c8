"""Clients for measurements and attacks: browsers without a screen, match sockets, and players who act once a second.

Made to cost little, so that the server and not the client is what is measured: sockets are a protocol of their own on
the event loop (no masking, no compression, no task for each connection), and of a message only its type is looked at
until somebody needs the state. Every browser connects from a loopback address of its choice, so that limits by address
hold in measurements as they do for real visitors.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import random
import re
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import damier

GAMES = ("renfa", "chefa", "badia", "sensei")
CLOCK = {"kind": "live", "base": 900, "increment": 10}  # of matches
EVERY = 1.0  # seconds between the actions of a match
LONGEST = 60.0  # seconds to wait for an answer
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10  # kinds of socket frames
_NORMAL, _LOST = 1000, 1006  # close codes
_SEQ = re.compile(rb'\{"type":"event","seq":(\d+)')


class Refused(Exception):
    """The server refused a connection or closed it."""


# HTTP


@dataclass(frozen=True)
class Answer:
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters."""

    body: bytes
    seconds: float

    @property
    def data(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Browser:
    """A visitor at a loopback address; keeps its cookies and connections, as browsers do."""

    def __init__(self, address: str, source: str = "127.0.0.1") -> None:
        host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
        self.host, self.port, self.source = host.replace("localhost", "127.0.0.1"), int(port), source
        self.cookies: dict[str, str] = {}
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        """Returns the head of a request, without the empty line that ends it."""
        fields = {"Host": f"localhost:{self.port}", **headers}
        if self.cookies and "Cookie" not in headers:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return "".join([f"{method} {path} HTTP/1.1\r\n", *(f"{k}: {v}\r\n" for k, v in fields.items())]).encode()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens a connection from this browser's address."""
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.source, 0))

    async def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Sends a request and returns the answer; raises `OSError`, `EOFError` or `TimeoutError`."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", "Content-Length": str(len(data))} if data else {}
        head = self.head(method, path, {**sent, **(headers or {})}) + b"\r\n"
        began = time.perf_counter()
        async with asyncio.timeout(LONGEST):
            while True:
                is_kept = bool(self._idle)
                reader, writer = self._idle.pop() if is_kept else await self.connect()
                try:
                    writer.write(head + data)
                    status, fields, found = await self._read(reader)
                except (OSError, EOFError):
                    writer.close()
                    if is_kept:  # the server closed an idle connection
                        continue
                    raise
                except BaseException:
                    writer.close()
                    raise
                break
        if fields.get("connection") == "close":
            writer.close()
        else:
            self._idle.append((reader, writer))
        return Answer(status, fields, found, time.perf_counter() - began)

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        fields: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
            if name.lower() == "set-cookie":
                cookie, _, content = value.strip().partition(";")[0].partition("=")
                self.cookies[cookie] = content
        if fields.get("transfer-encoding") == "chunked":
            parts = []
            while size := int(await reader.readuntil(b"\r\n"), 16):
                parts.append((await reader.readexactly(size + 2))[:-2])
            await reader.readexactly(2)
            return int(first.split()[1]), fields, b"".join(parts)
        return int(first.split()[1]), fields, await reader.readexactly(int(fields.get("content-length", 0)))

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Sends a GET request."""
        return await self.ask("GET", path, headers=headers)

    async def post(self, path: str, body: object) -> Answer:
        """Sends a POST request."""
        return await self.ask("POST", path, body)

    async def get_cookie(self) -> None:
        """Has the server recognise this browser."""
        await self.get("/api/me")

    async def socket(self, path: str, handle: Callable[[bytes], None]) -> Socket:
        """Opens a socket, whose messages are passed to `handle`; raises `Refused` or `OSError`."""
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Upgrade": "websocket", "Connection": "Upgrade"}
        fields |= {"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"}
        head = self.head("GET", path, fields) + b"\r\n"
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(LONGEST):
            _, socket = await loop.create_connection(
                lambda: Socket(head, handle), self.host, self.port, local_addr=(self.source, 0)
            )
            status = await socket.opened
        if status != 101:
            socket.close()
            raise Refused(f"status {status}")
        return socket

    def close(self) -> None:
        """Closes the idle connections."""
        for _, writer in self._idle:
            writer.close()
        self._idle.clear()


# Sockets


class Socket(asyncio.Protocol):
    """A client of a web socket: just enough of RFC 6455 for this server, which sends whole messages."""

    received = 0
    """Bytes that all sockets of this process have received."""

    def __init__(self, head: bytes, handle: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self._head, self._handle = head, handle
        self._buffer = bytearray()
        self._is_open = False
        self.opened: asyncio.Future[int] = loop.create_future()
        """The status of the answer; 101 if the socket is open."""

        self.closed: asyncio.Future[int] = loop.create_future()
        """The close code, once the connection has ended."""

        self._code = _LOST

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the request."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._head)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # of asyncio
        """Records the close code."""
        if not self.opened.done():
            self.opened.set_result(0)
        if not self.closed.done():
            self.closed.set_result(self._code)

    def data_received(self, data: bytes) -> None:
        """Handles the answer to the request, then all frames that are complete."""
        Socket.received += len(data)
        buffer = self._buffer
        buffer += data
        if not self._is_open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0 or self.opened.done():
                return
            self._is_open = buffer[9:12] == b"101"
            self.opened.set_result(int(buffer[9:12]))
            if not self._is_open:
                return
            del buffer[: end + 4]
        for kind, payload in self._frames():
            if kind == _TEXT:
                self._handle(payload)
            elif kind == _PING:
                self._frame(_PONG, payload)
            elif kind == _CLOSE:
                self._code = struct.unpack("!H", payload[:2])[0] if payload else _NORMAL
                self._frame(_CLOSE, payload[:2])

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        buffer, at = self._buffer, 0
        while len(buffer) >= at + 2:
            size, start = buffer[at + 1], at + 2
            if size >= 126:
                wide = 2 if size == 126 else 8
                if len(buffer) < start + wide:
                    break
                size, start = int.from_bytes(buffer[start : start + wide], "big"), start + wide
            if len(buffer) < start + size:
                break
            yield buffer[at] & 15, bytes(buffer[start : start + size])
            at = start + size
        del buffer[:at]

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        else:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
        if not self._transport.is_closing():
            self._transport.write(head + bytes(4) + payload)  # a mask of zeros leaves the payload as it is

    def send(self, data: object) -> None:
        """Sends a message as JSON."""
        self._frame(_TEXT, json.dumps(data).encode())

    def pause_reading(self) -> None:
        """Stops to read, as a client that hangs does."""
        self._transport.pause_reading()

    def abort(self) -> None:
        """Drops the connection without a word."""
        self._transport.abort()

    def close(self) -> None:
        """Closes the connection."""
        self._code = _NORMAL
        self._frame(_CLOSE, struct.pack("!H", _NORMAL))
        self._transport.close()


def type_of(payload: bytes) -> str:
    """Returns the type of a message of the match socket, mostly without parsing it."""
    start = b'{"type":"'
    if payload.startswith(start):
        return payload[len(start) : payload.index(b'"', len(start))].decode()
    return str(json.loads(payload)["type"])


def _seq_of(payload: bytes) -> int:
    """Returns the number of the last event in an event or a snapshot, without parsing an event."""
    found = _SEQ.match(payload)
    return int(found[1] if found else json.loads(payload)["seq"])


class Page:
    """A match socket that is read continuously, as a page does."""

    def __init__(self) -> None:
        self._latest = b""
        self._news = asyncio.Event()
        self._answer: asyncio.Future[bytes] | None = None
        self._asked = 0
        self._seq, self._at = 0, 0.0
        self.socket: Socket

    @classmethod
    async def open(cls, browser: Browser, number: str) -> Page:
        """Opens a socket and waits for its first state; raises `Refused`, `OSError` or `TimeoutError`."""
        page = cls()
        page.socket = await browser.socket(f"/api/matches/{number}/live", page.handle)
        page.socket.closed.add_done_callback(page._end)
        async with asyncio.timeout(LONGEST):
            await page._news.wait()
        if not page._latest:
            raise Refused(f"closed {page.socket.closed.result()}")
        return page

    def handle(self, payload: bytes) -> None:
        """Keeps the last state and the answer to the last request."""
        kind = type_of(payload)
        if kind in ("event", "snapshot"):
            self._latest, self._at = payload, time.perf_counter()
            self._seq = _seq_of(payload)
            self._news.set()
        elif kind == "ping" and hasattr(self, "socket"):  # the first comes before `open` has it
            self.socket.send({"id": json.loads(payload)["id"], "do": "pong"})
        elif kind in ("done", "refused") and self._answer and not self._answer.done():
            self._answer.set_result(payload)

    def _end(self, closed: asyncio.Future[int]) -> None:
        self._news.set()
        if self._answer and not self._answer.done():
            self._answer.set_exception(Refused(f"closed {closed.result()}"))

    @property
    def is_open(self) -> bool:
        """Whether the socket is open."""
        return not self.socket.closed.done()

    async def ask(self, request: Mapping[str, object]) -> dict[str, Any]:
        """Sends a request and returns the answer; raises `Refused` or `TimeoutError`."""
        if not self.is_open:
            raise Refused(f"closed {self.socket.closed.result()}")
        self._asked += 1
        self._answer = asyncio.get_running_loop().create_future()
        self.socket.send({"id": str(self._asked), **request})
        async with asyncio.timeout(LONGEST):
            found: dict[str, Any] = json.loads(await self._answer)
        return found

    async def play(self, action: str) -> dict[str, Any]:
        """Plays an action and returns the answer."""
        return await self.ask({"do": "play", "action": action})

    async def state(self, seq: int = 0) -> dict[str, Any]:
        """Returns the state once the event `seq` has come; raises `Refused` or `TimeoutError`."""
        async with asyncio.timeout(LONGEST):
            while True:
                self._news.clear()
                message: dict[str, Any] = json.loads(self._latest)
                if message["seq"] >= seq:
                    found: dict[str, Any] = message["state"]
                    return found
                if not self.is_open:
                    raise Refused(f"closed {self.socket.closed.result()}")
                await self._news.wait()

    async def heard(self, seq: int) -> float:
        """Returns when the event `seq` had come; raises `Refused` or `TimeoutError`."""
        async with asyncio.timeout(LONGEST):
            while self._seq < seq:
                self._news.clear()
                if not self.is_open:
                    raise Refused(f"closed {self.socket.closed.result()}")
                await self._news.wait()
        return self._at

    async def my_turn(self) -> dict[str, Any]:
        """Returns the state once it is this visitor's turn or the game is over."""
        while True:
            self._news.clear()
            state: dict[str, Any] = json.loads(self._latest)["state"]
            if state["is_my_turn"] or state["result"]:
                return state
            if not self.is_open:
                raise Refused(f"closed {self.socket.closed.result()}")
            await self._news.wait()


# Players


@dataclass
class Measured:
    """Measurements of all players."""

    times: list[float] = field(default_factory=list)
    """Seconds from sending an action to its confirmation."""

    heard: list[float] = field(default_factory=list)
    """Seconds from sending an action until the other player's page has it."""

    errors: Counter[str] = field(default_factory=Counter)
    is_counting: bool = True

    def percentile(self, share: float) -> float:
        """Returns the time within which this share of the actions was confirmed, in ms."""
        return percentile(self.times, share)


def percentile(seconds: Sequence[float], share: float) -> float:
    """Returns the time within which this share of the times is, in ms."""
    times = sorted(seconds)
    return 1000 * times[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


def player_address(number: int) -> str:
    """Returns the loopback address of the players of a match."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


class Match:
    """A match of two visitors, each with a page; a game that is over is followed by another.

    With several servers the two are at different ones, or together at one.
    """

    def __init__(
        self,
        address: str | Sequence[str],
        number: int,
        clock: Mapping[str, object] | None = CLOCK,
        every: float = EVERY,
        *,
        is_together: bool = False,
    ) -> None:
        self._clock, self.every = clock, every
        self.game = GAMES[number % len(GAMES)]
        servers = [address] if isinstance(address, str) else address
        places = [number % len(servers), (number + (not is_together)) % len(servers)]
        self.browsers = [Browser(servers[place], player_address(number)) for place in places]
        self.number = ""
        self._rng = random.Random(number)
        self._pages: list[Page] = []
        self._players: list[str] = []

    async def begin(self) -> None:
        """Begins a match and opens both pages."""
        first, second = self.browsers
        asked = {"game": self.game, "seats": ["me", "open"], "clock": self._clock}
        answer = await first.post("/api/matches", asked)
        if answer.status != 201:
            raise Refused(f"status {answer.status}")
        match = answer.data
        self.number, (invitation,) = match["number"], match["invitations"].values()
        answer = await second.post(f"/api/matches/{self.number}/seats", {"invitation": invitation})
        if answer.status != 200:
            raise Refused(f"status {answer.status}")
        self._players = [seat["player"] for seat in match["seats"]]
        self._pages = [await Page.open(browser, self.number) for browser in self.browsers]
        for page in self._pages:
            await page.heard(1)  # that the second player has come, which another server hears a little later
        for browser in self.browsers:
            browser.close()

    def close(self) -> None:
        """Closes both pages."""
        for page in self._pages:
            page.socket.close()

    async def play(self, until: asyncio.Event, measured: Measured) -> None:
        """Plays a random action every `every` seconds until the event is set."""
        await asyncio.sleep(self._rng.uniform(0, self.every))
        due = time.perf_counter()
        while not until.is_set():
            try:
                await self.act(measured)
            except (Refused, OSError, EOFError, TimeoutError) as error:
                measured.errors[str(error) or type(error).__name__] += 1
                await asyncio.sleep(self.every)
                with contextlib.suppress(Refused, OSError, EOFError, TimeoutError):
                    self._pages = [await Page.open(browser, self.number) for browser in self.browsers]
            due = max(due + self.every, time.perf_counter())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(until.wait(), due - time.perf_counter())

    async def wait_for_flag(self, seconds: float) -> float:
        """Plays until clocks run, waits for the flag of one with `seconds`, and returns how late it fell, in ms."""
        while (state := await self._pages[0].state())["turn"] <= len(self._players):
            page = self._pages[self._players.index(state["mover"])]
            began = time.perf_counter()
            answer = await page.play(state["actions"][0]["action"])
            await self._pages[0].state(answer["seq"])
        seq = answer["seq"]
        await self._pages[0].state(seq + 1)
        return 1000 * (time.perf_counter() - began - seconds)

    async def act(self, measured: Measured) -> None:
        """Plays a random action, in a new match if the game is over; raises `Refused`, `OSError` or `TimeoutError`."""
        state = await self._pages[0].state()
        if state["result"]:
            self.close()
            await self.begin()
            state = await self._pages[0].state()
        page = self._pages[self._players.index(state["mover"])]
        action = self._rng.choice(state["actions"])["action"]
        is_counting, began = measured.is_counting, time.perf_counter()
        answer = await page.play(action)
        spent = time.perf_counter() - began
        if answer["type"] == "refused":
            measured.errors[answer["error"]] += 1
        elif is_counting:
            measured.times.append(spent)
            other = next(one for one in self._pages if one is not page)
            measured.heard.append(await other.heard(answer["seq"]) - began)
            await self._pages[0].state(answer["seq"])


class Players:
    """Many matches at once."""

    def __init__(
        self, address: str | Sequence[str], every: float = EVERY, first: int = 0, *, is_together: bool = False
    ) -> None:
        """Matches are numbered from `first`, which gives them addresses of their own."""
        self._address, self._every, self._first, self._is_together = address, every, first, is_together
        self.matches: list[Match] = []
        self.measured = Measured()
        self._until = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, count: int) -> None:
        """Begins `count` matches, some at a time."""
        start = self._first + len(self.matches)
        is_together = self._is_together
        new = [Match(self._address, start + k, every=self._every, is_together=is_together) for k in range(count)]
        for first in range(0, count, 8):
            await asyncio.gather(*(match.begin() for match in new[first : first + 8]))
        self.matches += new

    def play(self) -> None:
        """Starts to play all matches that are not played yet."""
        new = self.matches[len(self._tasks) :]
        self._tasks += [asyncio.create_task(match.play(self._until, self.measured)) for match in new]

    def set_pace(self, every: float) -> None:
        """Has an action played every `every` seconds in each match from now on."""
        for match in self.matches:
            match.every = every

    async def end(self) -> None:
        """Waits for the actions that were sent, and closes all pages."""
        self._until.set()
        await asyncio.gather(*self._tasks)
        for match in self.matches:
            match.close()


# Games


@lru_cache(64)
def long_game(name: str, count: int, seed: int = 0) -> tuple[str, ...]:
    """Returns the actions of a random game that is not over after `count`; raises `ValueError` if none is found."""
    for attempt in range(100):
        rng, record = random.Random(1000 * seed + attempt), damier.load(name).record()
        while record.result is None and len(record.played) < count:
            record.play(rng.choice(record.actions()))
        if record.result is None:
            return tuple(record.played)
    raise ValueError(f"no game of {name} with {count} actions")
