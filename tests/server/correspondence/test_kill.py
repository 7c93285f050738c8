"""A server that is killed while two players' conditional turns answer each other plays the rest, and each turn once."""

import contextlib
import http.client
import json
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.server.front.visitors import COOKIE
from tests.server.correspondence.test_conditional import drawn_line
from tests.server.test_kill import new_cookie, post, served

SLOW = {"kind": "correspondence", "base": 172_800}
PATIENCE = 60.0  # seconds


def request(address: str, path: str, cookie: str, body: object = None) -> Any:
    """Reads, or puts a body."""
    headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={cookie}"}
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(address + path, data, headers, method="PUT" if data else "GET")
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def history(address: str, number: str, cookie: str) -> list[str]:
    state = request(address, f"/api/matches/{number}", cookie)["state"]
    return [each["action"] for each in state["history"]]


@pytest.mark.slow
def test_answers_survive_kills(tmp_path: Path) -> None:
    """Each time when the turn that is to be answered is stored, whatever has been stored of the answer."""
    database = str(tmp_path / "matches.sqlite")
    record = damier.load("sensei").record()
    line = drawn_line(record, 8)
    expected = [action for turn in line for action in turn]
    with served(database) as (process, address):
        ann, bob = new_cookie(address), new_cookie(address)
        match = post(address, "/api/matches", {"game": "sensei", "seats": ["me", "open"], "clock": SLOW}, ann)
        number, (invitation,) = match["number"], match["invitations"].values()
        post(address, f"/api/matches/{number}/seats", {"invitation": invitation}, bob)
        request(address, f"/api/matches/{number}/conditional", bob, {"turn": 1, "lines": [line]})
        process.kill()
        process.join()
    for turn in range(0, len(line), 2):
        with served(database) as (process, address):
            wait_for(address, number, ann, expected[: sum(map(len, line[:turn]))])
            for action in line[turn]:
                body = {"id": f"{turn} {action}", "do": "play", "action": action}
                sent = threading.Thread(target=try_to_post, args=(address, number, body, ann))
                sent.start()
                if action != line[turn][-1]:
                    sent.join()
            wait_for_count(address, number, ann, sum(map(len, line[: turn + 1])))
            process.kill()
            process.join()
            sent.join()
    with served(database) as (_, address):
        wait_for(address, number, ann, expected)


def try_to_post(address: str, number: str, body: object, cookie: str) -> None:
    """Acts at a server that may be killed meanwhile."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        post(address, f"/api/matches/{number}/act", body, cookie)


def wait_for_count(address: str, number: str, cookie: str, count: int) -> None:
    """Waits until `count` actions are stored."""
    end = time.monotonic() + PATIENCE
    while len(history(address, number, cookie)) < count:
        assert time.monotonic() < end
        time.sleep(0.002)


def wait_for(address: str, number: str, cookie: str, expected: list[str]) -> None:
    end = time.monotonic() + PATIENCE
    while (found := history(address, number, cookie)) != expected:
        assert len(found) < len(expected), found
        assert time.monotonic() < end, found
        time.sleep(0.05)
