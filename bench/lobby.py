"""Measures how late an update of the lobby arrives at its listeners.

Run as ``python -m bench.lobby [LISTENERS]``. A server in a process of its own, 500 sockets from this one, and visitors
who open seeks over HTTP. Prints the time from the request until each socket has the change, for all updates together:
median, 99 of 100, and the latest.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.served import served

LISTENERS = 500
ROUNDS = 20
PAUSE = 0.5  # seconds between two seeks: an update each
AIM = 0.25  # seconds


def open_seek(address: str, place: int) -> str:
    """Opens a seek that nobody else fits, and returns its number."""
    body = {"terms": [{"game": "chefa", "clock": {"kind": "correspondence", "base": 86_400 + place}}]}
    asked = urllib.request.Request(
        f"{address}/api/seeks",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        number: str = json.load(answer)["seek"]["number"]
        return number


def new_cookie(address: str) -> str:
    """Returns the cookie of a new visitor."""
    with urllib.request.urlopen(f"{address}/api/me") as answer:
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


async def heard(socket: ClientConnection, times: dict[str, list[float]]) -> None:
    """Notes when the socket hears of each seek."""
    async for text in socket:
        now = time.perf_counter()
        message = json.loads(text)
        if message["type"] == "change":
            for seek in message["added"]:
                times.setdefault(seek["number"], []).append(now)


async def measure(address: str, count: int) -> list[float]:
    """Returns how late each socket heard of each seek, in seconds, sorted."""
    live = f"{address.replace('http', 'ws', 1)}/api/lobby/live"
    sockets = []
    for _ in range(0, count, 25):
        cookies = [await asyncio.to_thread(new_cookie, address) for _ in range(25)]
        opening = (connect(live, compression=None, additional_headers={"Cookie": cookie}) for cookie in cookies)
        sockets += await asyncio.gather(*opening)
    times: dict[str, list[float]] = {}
    listening_tasks = [asyncio.create_task(heard(socket, times)) for socket in sockets]
    await asyncio.sleep(1)
    late: list[float] = []
    for place in range(ROUNDS):
        began = time.perf_counter()
        number = await asyncio.to_thread(open_seek, address, place)
        await asyncio.sleep(PAUSE)
        assert len(times[number]) == len(sockets), "some listeners have not heard of it"
        late += [at - began for at in times[number]]
    for task in listening_tasks:
        task.cancel()
    await asyncio.gather(*(socket.close() for socket in sockets))
    return sorted(late)


def main(count: int = LISTENERS) -> None:
    """Prints the measurement."""
    with tempfile.TemporaryDirectory() as home:
        names = ("SOCKETS_PER_ADDRESS", "CONNECTIONS_PER_ADDRESS", "CONNECTIONS", "REQUESTS_PER_SECOND")
        limits = {f"DAMIER_{name}": str(10 * count) for name in names}
        with served(Path(home), limits) as server:
            late = asyncio.run(measure(server.address, count))
    median, most, latest = late[len(late) // 2], late[len(late) * 99 // 100], late[-1]
    print(f"{count} listeners, {ROUNDS} updates: median {1000 * median:.0f} ms, 99 of 100 {1000 * most:.0f} ms,")
    print(f"latest {1000 * latest:.0f} ms; aim {1000 * AIM:.0f} ms: {'reached' if most < AIM else 'missed'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
