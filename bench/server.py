"""Measures the server with real sockets: how soon an action is confirmed while many matches are played.

Run as ``python -m bench.server``. One server process, 200 matches of two visitors each, 400 sockets, in every match an
action every two seconds. Prints the median and the 99th percentile of the time from sending an action to its
confirmation, the CPU time of the server for each action, errors, and its memory after 1,000 matches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

from bench.rules import Figure

GAMES = ("renfa", "chefa", "badia", "sensei")
EVERY = 2.0  # seconds between the actions of a match
LONGEST = 30.0  # seconds to wait for an answer


@dataclass
class Measured:
    """The measurements so far."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    cpu: float = 0.0
    """CPU seconds of the server while matches were played."""


class Visitor:
    """A browser without a screen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Sends a request and returns the answer."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        with self._opener.open(request) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    @property
    def cookie(self) -> str:
        """The cookie header."""
        return "; ".join(f"{each.name}={each.value}" for each in self._jar)


class Page:
    """A socket that is read continuously, as a page does."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.state: dict[str, Any] = {}
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._socket:
            data = json.loads(text)
            self.state = data.get("state", self.state)
            if data["type"] in ("done", "refused"):
                self._answers.put_nowait(data)

    async def play(self, action: str, request: str) -> dict[str, Any]:
        """Sends an action and returns the answer; `state` is then the new one."""
        await self._socket.send(json.dumps({"id": request, "do": "play", "action": action}))
        return await asyncio.wait_for(self._answers.get(), LONGEST)

    async def close(self) -> None:
        """Closes the socket; raises an error of reading, if there was one."""
        await self._socket.close()
        await self._reading


async def open_page(visitor: Visitor, number: str) -> Page:
    """Opens a socket and waits for its first state."""
    live = f"{visitor.address.replace('http', 'ws', 1)}/api/matches/{number}/live"
    socket = await connect(live, additional_headers={"Cookie": visitor.cookie}, max_queue=None)
    page = Page(socket)
    while not page.state:
        await asyncio.sleep(0.01)
    return page


@dataclass
class Match:
    """A match of two visitors, each with a page."""

    players: list[str]
    pages: list[Page]

    @classmethod
    async def begin(cls, address: str, name: str) -> Match:
        """Begins a match and opens both pages."""
        first, second = Visitor(address), Visitor(address)
        match = await asyncio.to_thread(first.post, "/api/matches", {"game": name, "seats": ["me", "open"]})
        number, (invitation,) = match["number"], match["invitations"].values()
        await asyncio.to_thread(second.post, f"/api/matches/{number}/seats", {"invitation": invitation})
        pages = [await open_page(visitor, number) for visitor in (first, second)]
        return cls([seat["player"] for seat in match["seats"]], pages)

    async def play(self, seconds: float, measured: Measured, seed: int) -> None:
        """Plays random actions for `seconds`."""
        rng = random.Random(seed)
        await asyncio.sleep(rng.uniform(0, EVERY))
        end, state = time.monotonic() + seconds, self.pages[0].state
        while time.monotonic() < end and not state["result"]:
            page = self.pages[self.players.index(state["mover"])]
            began = time.perf_counter()
            answer = await page.play(rng.choice(state["actions"])["action"], str(began))
            spent = time.perf_counter() - began
            measured.times.append(spent)
            if answer["type"] == "refused":
                measured.errors.append(answer["error"])
            state = page.state
            await asyncio.sleep(max(0.0, EVERY - spent))
        for page in self.pages:
            await page.close()


async def measure(address: str, pid: int, count: int, seconds: float) -> Measured:
    """Begins `count` matches, then plays them all at once."""
    measured = Measured()
    matches = [await Match.begin(address, GAMES[number % len(GAMES)]) for number in range(count)]
    before = cpu_of(pid)
    tasks = [match.play(seconds, measured, number) for number, match in enumerate(matches)]
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, BaseException):
            measured.errors.append(repr(result))
    measured.cpu = cpu_of(pid) - before
    return measured


def cpu_of(pid: int) -> float:
    """Returns the CPU seconds of a process."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def memory_of(pid: int) -> float:
    """Returns the resident memory of a process in MB."""
    return psutil.Process(pid).memory_info().rss / 2**20


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder:
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--database", f"{folder}/matches.sqlite"]
        environment = {"DAMIER_REQUESTS_PER_SECOND": "100000", "DAMIER_MATCHES_PER_HOUR": "1000000"}
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}) as process:
            assert process.stdout
            address = process.stdout.readline().split()[3].rstrip("/")
            print(Figure("server start", time.perf_counter() - began, "s", at_most=2.0), flush=True)
            measured = asyncio.run(measure(address, process.pid, chosen.matches, chosen.seconds))
            times = sorted(measured.times)
            note = f"{len(times)} actions in {chosen.matches} matches, {2 * chosen.matches} sockets"
            print(Figure("confirmation median", 1000 * statistics.median(times), "ms", at_most=50, note=note))
            print(Figure("confirmation 99 %", 1000 * times[len(times) * 99 // 100], "ms", at_most=250))
            print(Figure("work of the server per action", 1000 * measured.cpu / len(times), "ms CPU", at_most=5))
            print(Figure("errors", len(measured.errors), "", at_most=0, note="; ".join(measured.errors[:3])))
            visitor = Visitor(address)
            for number in range(1000 - chosen.matches):
                visitor.post("/api/matches", {"game": GAMES[number % len(GAMES)], "seats": ["me", "me"]})
            print(Figure("memory after 1,000 matches", memory_of(process.pid), "MB", at_most=400))
            process.terminate()


if __name__ == "__main__":
    main()
