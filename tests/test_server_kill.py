"""A server that is killed at any moment has lost no action that it confirmed, and the match goes on."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

KILLS = 10


@contextlib.contextmanager
def served(database: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs a server in a process of its own."""
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--workers", "1", "--database", str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            yield process, line.split()[3].rstrip("/")
        finally:
            process.kill()


def begun(address: str) -> tuple[str, str]:
    """Begins a match of two at one board; returns its number and the cookie."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    body = json.dumps({"game": "sensei", "seats": ["me", "me"]}).encode()
    request = urllib.request.Request(f"{address}/api/matches", body, {"Content-Type": "application/json"})
    with opener.open(request) as answer:
        number = json.load(answer)["number"]
    (cookie,) = jar
    return str(number), f"{cookie.name}={cookie.value}"


def message_of(socket: Connection, *kinds: str) -> dict[str, Any]:
    while True:
        data: dict[str, Any] = json.loads(socket.recv(timeout=20))
        if data["type"] in kinds:
            return data


def play_until_killed(socket: Connection, state: dict[str, Any], seed: int) -> list[str]:
    """Plays on and on; returns the actions that were confirmed."""
    rng, confirmed = random.Random(seed), []
    with contextlib.suppress(ConnectionClosed, TimeoutError):
        for count in range(10_000):
            action = rng.choice(state["actions"])["action"]
            socket.send(json.dumps({"id": f"{seed}.{count}", "do": "play", "action": action}))
            state = message_of(socket, "event")["state"]
            message_of(socket, "done")
            confirmed.append(action)
            if state["result"]:
                break
    return confirmed


def test_no_confirmed_action_is_lost(tmp_path: Path) -> None:
    database = tmp_path / "matches.sqlite"
    rng = random.Random(3)
    confirmed: list[str] = []
    number = cookie = ""
    for kill in range(KILLS):
        with served(database) as (process, address):
            if not number:
                number, cookie = begun(address)
            live = f"{address.replace('http', 'ws', 1)}/api/matches/{number}/live"
            with connect(live, additional_headers={"Cookie": cookie}) as socket:
                state = message_of(socket, "snapshot")["state"]
                history = [step["action"] for step in state["history"]]
                assert history[: len(confirmed)] == confirmed
                assert len(history) - len(confirmed) <= 1  # one may have been kept without its confirmation
                if state["result"]:
                    number = ""
                    confirmed = []
                    continue
                timer = threading.Timer(rng.uniform(0.05, 0.6), os.kill, (process.pid, signal.SIGKILL))
                timer.start()
                confirmed = history + play_until_killed(socket, state, kill)
                timer.join()
    assert len(confirmed) > KILLS or not number
