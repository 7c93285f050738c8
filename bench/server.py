"""Measures the server with real sockets: how soon an action is confirmed while many matches are played.

Run as ``python -m bench.server``. One server process; 200 matches of two visitors each, 400 sockets; in every match an
action every two seconds. Told are the median and the 99th percentile of the time from sending an action to its
confirmation, errors, and the server's memory after 1,000 matches have been begun.
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
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.rules import Figure

GAMES = ("renfa", "chefa", "badia", "sensei")
EVERY = 2.0  # seconds between the actions of a match


@dataclass
class Measured:
    """What has been seen so far."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Visitor:
    """A browser without a screen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Asks for something."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        with self._opener.open(request) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    @property
    def cookie(self) -> str:
        """What the browser sends along."""
        return "; ".join(f"{each.name}={each.value}" for each in self._jar)


async def open_line(visitor: Visitor, number: str) -> ClientConnection:
    """Opens a socket."""
    live = f"{visitor.address.replace('http', 'ws', 1)}/api/matches/{number}/live"
    return await connect(live, additional_headers={"Cookie": visitor.cookie}, max_queue=None)


async def play_match(address: str, name: str, seconds: float, measured: Measured, seed: int) -> None:
    """Plays a match by two visitors for some time."""
    rng, first, second = random.Random(seed), Visitor(address), Visitor(address)
    match = await asyncio.to_thread(first.post, "/api/matches", {"game": name, "seats": ["me", "open"]})
    invitation = next(iter(match["invitations"].values()))
    await asyncio.to_thread(second.post, f"/api/matches/{match['number']}/seats", {"invitation": invitation})
    lines = [await open_line(visitor, match["number"]) for visitor in (first, second)]
    state = (await _next(lines[0], "snapshot"))["state"]
    players = [seat["player"] for seat in match["seats"]]
    listener = asyncio.create_task(_listen(lines[1]))
    await asyncio.sleep(rng.uniform(0, EVERY))
    end = time.monotonic() + seconds
    while time.monotonic() < end and not state["result"]:
        line = lines[players.index(state["mover"])]
        if line is lines[1]:
            listener.cancel()
        began = time.perf_counter()
        action = rng.choice(state["actions"])["action"]
        await line.send(json.dumps({"id": str(rng.random()), "do": "play", "action": action}))
        answer = await _next(line, "done", "refused")
        measured.times.append(time.perf_counter() - began)
        if answer["type"] == "refused":
            measured.errors.append(answer["error"])
        state = _states[id(line)]  # the event came before the answer
        if line is lines[1]:
            listener = asyncio.create_task(_listen(lines[1]))
        await asyncio.sleep(max(0.0, EVERY - (time.perf_counter() - began)))
    listener.cancel()
    for line in lines:
        await line.close()


_states: dict[int, dict[str, Any]] = {}


async def _next(line: ClientConnection, *kinds: str) -> dict[str, Any]:
    while True:
        data: dict[str, Any] = json.loads(await line.recv())
        if "state" in data:
            _states[id(line)] = data["state"]
        if data["type"] in kinds:
            return data


async def _listen(line: ClientConnection) -> None:
    """Reads what comes, as a page does."""
    while True:
        await _next(line, "never")


async def measure(address: str, matches: int, seconds: float) -> Measured:
    """Plays many matches at a time."""
    measured = Measured()
    tasks = [
        asyncio.create_task(play_match(address, GAMES[number % len(GAMES)], seconds, measured, number))
        for number in range(matches)
    ]
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, BaseException):
            measured.errors.append(repr(result))
    return measured


def memory_of(pid: int) -> float:
    """Returns how many MB a process has."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


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
            measured = asyncio.run(measure(address, chosen.matches, chosen.seconds))
            times = sorted(measured.times)
            note = f"{len(times)} actions in {chosen.matches} matches, {2 * chosen.matches} sockets"
            print(Figure("confirmation median", 1000 * statistics.median(times), "ms", at_most=50, note=note))
            print(Figure("confirmation 99 %", 1000 * times[len(times) * 99 // 100], "ms", at_most=250))
            print(Figure("errors", len(measured.errors), "", at_most=0, note="; ".join(measured.errors[:3])))
            visitor = Visitor(address)
            for number in range(1000 - chosen.matches):
                visitor.post("/api/matches", {"game": GAMES[number % len(GAMES)], "seats": ["me", "me"]})
            print(Figure("memory after 1,000 matches", memory_of(process.pid), "MB", at_most=400))
            process.terminate()


if __name__ == "__main__":
    main()
