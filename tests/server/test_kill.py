"""A server that is killed at any moment has lost no action that it confirmed, and leaves no process behind."""

import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.cookies import SimpleCookie
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from damier.server.front.visitors import COOKIE
from damier.server.run import serve
from damier.server.settings import ServerSettings
from tests.server.pages import state_after

MOST_MESSAGES = 60  # of a server before it is killed
LAST_MOMENT = 0.02  # seconds that it may go on after the last of them
GAMES = ("renfa", "chefa", "badia", "sensei")

FORKS = multiprocessing.get_context("forkserver")  # servers start from a process that has imported all they need
FORKS.set_forkserver_preload(["damier.server.run", "alembic.command"])


@contextlib.contextmanager
def served(database: str) -> Iterator[tuple[BaseProcess, str]]:
    """Runs a server in a process of its own."""
    settings = ServerSettings(database=database, workers=1, requests_per_second=10**6)
    address, tell = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=serve, args=(settings,), kwargs={"opens_browser": False, "tell": tell.send})
    process.start()
    try:
        yield process, address.recv().rstrip("/")
    finally:
        process.kill()
        process.join()


def new_cookie(address: str) -> str:
    with urllib.request.urlopen(f"{address}/api/me") as answer:
        return SimpleCookie(answer.headers["Set-Cookie"])[COOKIE].value


def post(address: str, path: str, asked: object, cookie: str) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={cookie}"}
    with urllib.request.urlopen(urllib.request.Request(address + path, json.dumps(asked).encode(), headers)) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def line(address: str, number: str, cookie: str) -> connect:
    live = f"{address.replace('http', 'ws', 1)}/api/matches/{number}/live"
    return connect(live, additional_headers={"Cookie": f"{COOKIE}={cookie}"})


class Fate:
    """When a server is killed: at a random moment after a random number of events and confirmations."""

    def __init__(self, process: BaseProcess, rng: random.Random) -> None:
        self._process = process
        self._left, self._seconds = rng.randrange(MOST_MESSAGES), rng.uniform(0, LAST_MOMENT)

    def count(self) -> None:
        if self._left == 0:
            asyncio.get_running_loop().call_later(self._seconds, self._process.kill)
        self._left -= 1


class Match:
    """A match of two at one board, as a browser sees it that plays on through all restarts."""

    def __init__(self, game: str, seed: int) -> None:
        self.game, self.rng, self.cookie = game, random.Random(seed), ""
        self.number = ""
        self.state: dict[str, Any] = {}
        self.asked = 0
        self.lasted = 0
        """Confirmed actions that were still there after a restart, over all restarts."""

    def begin(self, address: str) -> None:
        """Begins, unless a game is being played."""
        if not self.number:
            self.cookie = self.cookie or new_cookie(address)
            asked = {"game": self.game, "seats": ["me", "me"]}
            self.number = post(address, "/api/matches", asked, self.cookie)["number"]
            self.confirmed: list[str] = []
            self.waiting: dict[str, str] | None = None  # sent, but not confirmed

    async def play(self, address: str, fate: Fate) -> None:
        """Checks that everything is still there, then plays until the server is killed."""
        with contextlib.suppress(OSError, EOFError, WebSocketException):
            async with line(address, self.number, self.cookie) as socket:
                await self.hear(socket, fate)
                unconfirmed = [self.waiting["action"]] if self.waiting else []
                assert self.history in (self.confirmed, self.confirmed + unconfirmed)
                self.lasted += len(self.confirmed)
                while self.waiting or not self.state["result"]:
                    await self.ask(socket, fate, self.waiting or self.request())
                self.number = ""

    async def hear(self, socket: ClientConnection, fate: Fate) -> str:
        """Waits for the next message; returns its type."""
        told = json.loads(await socket.recv())
        if told["type"] in ("event", "done"):
            fate.count()
        assert told["type"] != "refused", told
        if "state" in told:
            self.state = state_after(self.state, told) if told["type"] == "event" else told["state"]
            self.history = [step["action"] for step in self.state["history"]]
        return str(told["type"])

    def request(self) -> dict[str, str]:
        self.asked += 1
        return {"id": str(self.asked), "do": "play", "action": self.rng.choice(self.state["actions"])["action"]}

    async def ask(self, socket: ClientConnection, fate: Fate, request: dict[str, str]) -> None:
        """Sends a request, perhaps not for the first time, and waits until it is confirmed; it has been done once."""
        self.waiting = request
        await socket.send(json.dumps(request))
        while await self.hear(socket, fate) != "done":
            pass
        assert self.history == self.confirmed + [request["action"]]
        self.confirmed, self.waiting = self.history, None


async def play_until_killed(matches: list[Match], address: str, fate: Fate) -> None:
    fate.count()
    await asyncio.gather(*(match.play(address, fate) for match in matches))


@pytest.mark.parametrize(
    ("database", "kills"),
    [
        ("sqlite", 2),
        pytest.param("sqlite", 100, marks=pytest.mark.slow),
        pytest.param("postgresql", 20, marks=pytest.mark.slow),  # which is sure of its commits by itself
    ],
    indirect=["database"],
)
def test_no_confirmed_action_is_lost_and_none_is_played_twice(database: str, kills: int) -> None:
    rng = random.Random(3)
    matches = [Match(game, seed) for seed, game in enumerate(GAMES)]
    for _ in range(kills):
        with served(database) as (process, address):
            for match in matches:
                match.begin(address)
            asyncio.run(play_until_killed(matches, address, Fate(process, rng)))
    assert all(match.lasted > kills for match in matches)


@pytest.mark.slow
def test_engines_end_with_the_server_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--database", str(tmp_path / "matches.sqlite")]
    environment = {**os.environ, "DAMIER_SECONDS": "600", "DAMIER_WORKERS": "2"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stdout
        address = process.stdout.readline().split()[3].rstrip("/")
        cookie = new_cookie(address)
        number = post(address, "/api/matches", {"game": "chefa", "seats": ["me", "me"]}, cookie)["number"]
        with urllib.request.urlopen(f"{address}/api/matches/{number}/values"):
            pass  # one engine waits for more,
        post(address, "/api/matches", {"game": "chefa", "seats": [{"level": 8}, "me"]}, cookie)  # and one thinks
        process.kill()
        process.communicate(timeout=60)  # until all processes that hold its output have ended
