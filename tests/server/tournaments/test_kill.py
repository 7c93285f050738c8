"""A real server is killed again and again while programs play an arena: no game is lost, doubled or counted twice."""

import asyncio
import contextlib
import json
import random
import sqlite3
import time
import urllib.request
from collections import Counter
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from damier.server.people.credentials import COOKIE
from tests.server.test_kill import served

PROGRAMS = 8
ACTIONS = 6  # after which a program resigns


def ask(address: str, path: str, cookie: str = "", body: object = None, method: str = "") -> tuple[Any, str]:
    """Sends a request; returns the answer, and the cookie that comes with it."""
    headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={cookie}" if cookie else ""}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, headers, method=method or ("POST" if data else "GET"))
    with urllib.request.urlopen(request, timeout=20) as answer:
        given = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie", []))).get(COOKIE)
        return json.load(answer), given.value if given else cookie


def signed_up(address: str, name: str) -> str:
    """Returns the cookie of a new account."""
    return ask(address, "/api/account", body={"name": name, "password": "correct horse"})[1]


class Program:
    """Plays its games in the tournament until the server is killed."""

    def __init__(self, cookie: str, seed: int) -> None:
        self.cookie, self.rng, self.asked = cookie, random.Random(seed), 0

    async def play(self, address: str, number: str) -> None:
        path = f"/api/tournaments/{number}"
        status = "running"
        while status == "running":
            with contextlib.suppress(OSError, EOFError, TimeoutError, WebSocketException):
                tournament, _ = await asyncio.to_thread(ask, address, path, self.cookie)
                status = tournament["status"]
                if tournament["own"]["match"]:
                    await self.play_match(address, tournament["own"]["match"])
            await asyncio.sleep(0.1)

    async def play_match(self, address: str, match: str) -> None:
        live = f"{address.replace('http', 'ws', 1)}/api/matches/{match}/live"
        async with connect(live, additional_headers={"Cookie": f"{COOKIE}={self.cookie}"}) as socket:
            while True:
                told = json.loads(await asyncio.wait_for(socket.recv(), 5))
                if "state" not in told:
                    continue
                state = told["state"]
                if state["result"]:
                    return
                if not state["is_my_turn"]:
                    continue
                self.asked += 1
                ident = f"{self.cookie[:8]}-{self.asked}-{time.monotonic_ns()}"
                played = told.get("history", {}).get("kept", 0)
                if played >= ACTIONS:
                    await socket.send(json.dumps({"id": ident, "do": "resign"}))
                else:
                    action = self.rng.choice(state["actions"])["action"]
                    await socket.send(json.dumps({"id": ident, "do": "play", "action": action}))


async def play_until(programs: list[Program], address: str, number: str, seconds: float) -> None:
    """Lets all programs play for some seconds."""
    tasks = [asyncio.create_task(program.play(address, number)) for program in programs]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.slow
def test_an_arena_goes_on_through_kills(tmp_path: Path) -> None:
    database, rng = tmp_path / "matches.sqlite", random.Random(7)
    with served(str(database)) as (_, address):
        programs = [Program(signed_up(address, f"Program-{place}"), place) for place in range(PROGRAMS)]
        terms = {"title": "Cup", "kind": "arena", "game": "sensei", "clock": {"kind": "live", "base": 60}, "minutes": 1}
        number = ask(address, "/api/tournaments", programs[0].cookie, terms)[0]["number"]
        for program in programs:
            ask(address, f"/api/tournaments/{number}/acts", program.cookie, {"do": "join"})
        ask(address, f"/api/tournaments/{number}/acts", programs[0].cookie, {"do": "start"})
    status, kills = "running", 0
    for _ in range(60):
        with served(str(database)) as (process, address):
            asyncio.run(play_until(programs, address, number, rng.uniform(1, 7)))
            status = ask(address, f"/api/tournaments/{number}")[0]["status"]
            process.kill()
            kills += 1
        if status == "ended":
            break
    assert status == "ended"
    assert kills > 3
    with contextlib.closing(sqlite3.connect(database)) as connection:
        origins = [row[0] for row in connection.execute("SELECT origin FROM matches WHERE origin != ''")]
        events = [json.loads(row[0]) for row in connection.execute("SELECT data FROM tournament_events ORDER BY seq")]
    pairs = sum(len(event.get("pairs", ())) for event in events)
    assert len(set(origins)) == len(origins) == pairs > PROGRAMS
    counted = Counter((event["kind"], event["game"]) for event in events if event["kind"] in ("begin", "result"))
    assert set(counted.values()) == {1}
    assert sum(kind == "begin" for kind, _ in counted) == pairs
    assert sum(kind == "result" for kind, _ in counted) == pairs
