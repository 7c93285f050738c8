"""Pages of a match that survive faults as browsers do: they connect again, and send again what was not answered.

The rules are those of the browser client (``net/match-socket.js``, ``net/reconnect.js``): a lost connection is opened
again after a pause that doubles from 0.25 to 2 s, once a server answers over HTTP; requests without an answer are sent
again after the snapshot; a gap in the numbers of events asks for a new snapshot. Each attempt goes to another server,
as a proxy with a server out of service would have it. What a page is told is written into its ledger.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.cluster.ledger import Heard, ListenerLedger, MatchLedger, Request, Snapshot
from bench.load import Answer, Browser, Refused, Socket, type_of

FIRST, LONGEST = 0.25, 2.0  # seconds before the first attempt to connect again, and before any
SILENCE, PATIENCE, ALIVE = 30.0, 8.0, 4.0  # seconds: without a message, for the first message, for an answer over HTTP
REFUSED_FOR_GOOD = 1008  # close code
FAILURES = (Refused, OSError, EOFError, TimeoutError)


class Visitor:
    """One browser, which reaches any of several servers with the same cookies."""

    def __init__(self, addresses: Sequence[str], source: str, first: int, rng: random.Random) -> None:
        self._browsers = [Browser(address, source) for address in addresses]
        for browser in self._browsers:
            browser.cookies = self._browsers[0].cookies
        self._place, self._rng = first % len(addresses), rng

    @property
    def token(self) -> str:
        """What the cookie says who the visitor is."""
        return self._browsers[0].cookies["damier_visitor"].partition(".")[0]

    @property
    def browser(self) -> Browser:
        """The browser at the server that is used now."""
        return self._browsers[self._place]

    def go_elsewhere(self) -> None:
        """Takes another server from now on, if there is one."""
        others = [place for place in range(len(self._browsers)) if place != self._place]
        self._place = self._rng.choice(others) if others else self._place

    async def ask(self, method: str, path: str, body: object = None) -> Answer | None:
        """Sends a request and returns the answer; None if there is none, or the server is not able to answer."""
        with contextlib.suppress(*FAILURES):
            async with asyncio.timeout(PATIENCE):
                answer = await self.browser.ask(method, path, body)
            if answer.status < 500:
                return answer
        self.close()
        return None

    async def is_answered(self) -> bool:
        """Tells whether the server answers."""
        with contextlib.suppress(*FAILURES):
            async with asyncio.timeout(ALIVE):
                return (await self.browser.get("/api/alive")).status < 300
        self.close()
        return False

    def close(self) -> None:
        """Closes idle connections."""
        for browser in self._browsers:
            browser.close()


def pause_before(attempt: int, rng: random.Random) -> float:
    """Returns the seconds to wait before an attempt, from 0."""
    return min(LONGEST, FIRST * 2.0**attempt) * (0.8 + 0.4 * rng.random())


class SteadyPage:
    """A page of a match that stays open through faults."""

    def __init__(
        self,
        visitor: Visitor,
        match: MatchLedger,
        ledger: ListenerLedger,
        rng: random.Random,
        on_news: Callable[[], None],
        on_loss: Callable[[], None],
    ) -> None:
        self._visitor, self._match, self._ledger, self._rng = visitor, match, ledger, rng
        self._on_news, self._on_loss = on_news, on_loss
        match.listeners.append(ledger)
        self._socket: Socket | None = None
        self._pending: dict[str, tuple[Request, asyncio.Future[None]]] = {}
        self._changed = asyncio.Event()
        self._gap = False
        self._heard_at = 0.0
        self._asked = 0
        self.has_snapshot = False
        self.seq = -1
        self.state: dict[str, Any] = {}
        self._task = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Leaves for good."""
        self._task.cancel()
        await asyncio.wait([self._task])
        if self._socket:
            self._socket.close()
        for _, answered in self._pending.values():
            answered.cancel()

    # Connecting

    async def _stay(self) -> None:
        attempt = 0
        while True:
            with contextlib.suppress(*FAILURES):
                if await self._connect():
                    attempt = 0
                code = await self._until_lost()
                if code == REFUSED_FOR_GOOD:
                    self._ledger.is_closed_for_good = self._ledger.is_closed_for_good or f"code {code}"
            self._drop()
            while not self._gap:
                await asyncio.sleep(pause_before(attempt, self._rng))
                attempt += 1
                self._visitor.go_elsewhere()
                if await self._visitor.is_answered():
                    break

    async def _connect(self) -> bool:
        """Opens a socket and waits for its snapshot; tells whether it has come."""
        self._gap = False
        path = f"/api/matches/{self._match.number}/live"
        async with asyncio.timeout(PATIENCE):
            self._socket = await self._visitor.browser.socket(path, self._handle)
            while not self.has_snapshot and not self._socket.closed.done():
                self._changed.clear()
                news = asyncio.create_task(self._changed.wait())
                both: list[asyncio.Future[Any]] = [news, self._socket.closed]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
        for request, _ in self._pending.values():
            self._send(request)
        return self.has_snapshot

    async def _until_lost(self) -> int:
        """Waits until the connection is lost or silent for too long; returns the close code."""
        assert self._socket is not None
        while time.monotonic() - self._heard_at < SILENCE:
            done, _ = await asyncio.wait([self._socket.closed], timeout=1.0)
            if done:
                return self._socket.closed.result()
        return 0

    def _drop(self) -> None:
        self._on_loss()
        self.has_snapshot = False
        if self._socket:
            self._socket.abort()
            self._socket = None

    # Messages

    def _handle(self, payload: bytes) -> None:
        self._heard_at = time.monotonic()
        kind = type_of(payload)
        if kind == "snapshot":
            self._begin(json.loads(payload))
        elif kind == "event":
            self._follow(json.loads(payload))
        elif kind in ("done", "refused"):
            self._answer(json.loads(payload))
        elif kind == "ping" and self._socket:
            self._socket.send({"id": json.loads(payload)["id"], "do": "pong"})
        if kind in ("snapshot", "event", "done", "refused"):
            self._changed.set()
            self._on_news()

    def _begin(self, message: dict[str, Any]) -> None:
        self.has_snapshot, self.seq, self.state = True, message["seq"], message["state"]
        actions = tuple(entry["action"] for entry in self.state["history"])
        mine = tuple(seat["player"] for seat in message["seats"] if seat["is_mine"])
        self._ledger.told.append(Snapshot(self.seq, actions, self.state["older"], mine))

    def _follow(self, message: dict[str, Any]) -> None:
        event = message["event"]
        self._ledger.told.append(Heard(message["seq"], event["kind"], event.get("player"), event.get("action")))
        if message["seq"] == self.seq + 1:
            self.seq, self.state = message["seq"], message["state"]
        elif message["seq"] > self.seq:
            self._gap = True
            if self._socket:
                self._socket.abort()

    def _answer(self, message: dict[str, Any]) -> None:
        request, answered = self._pending.pop(message["id"], (None, None))
        if request is None or answered is None:
            return
        if message["type"] == "done":
            request.seq, request.confirmed = message["seq"], time.monotonic()
        else:
            request.refusal = message["error"]
        if not answered.done():
            answered.set_result(None)

    # Requests

    def _send(self, request: Request) -> None:
        if self._socket and self.has_snapshot:
            self._socket.send({"id": request.id, "do": "play", "action": request.action, "seq": self.seq})

    async def play(self, player: str, action: str) -> Request:
        """Plays an action, however long it takes; the request that is returned was confirmed or refused."""
        self._asked += 1
        request = Request(f"{self._ledger.name}-{self._asked}", player, action, time.monotonic())
        self._match.requests.append(request)
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending[request.id] = request, answered
        self._send(request)
        await answered
        return request

    async def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Returns the first state that meets a condition."""
        while not (self.state and condition(self.state)):
            self._changed.clear()
            await self._changed.wait()
        return self.state
