"""No route holds the event loop: while one visitor's most expensive request is answered, others are served.

A pulse in the loop of a server in this process measures the CPU time of the loop's thread between two beats, which is
the same on a busy machine. A route without an entry in `REQUESTS` fails.
"""

import asyncio
import gc
import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from fastapi.testclient import TestClient
from starlette.routing import BaseRoute, Mount, Route

import damier
from bench.attackers import line, long_record
from bench.load import long_game
from damier.server.app import ROUTED
from damier.solve.location import table_path
from tests.server.served import another_browser, served
from tests.shared import built_table

pytestmark = pytest.mark.untraced  # tracing takes CPU time, too

MOST = 0.05  # seconds of CPU in the loop without a pause
BEAT = 0.005
PLAYED = 300  # actions of the match that is asked for
GAME = "badia"  # games of it can last long


class Pulse:
    """The longest time that the loop's thread worked without letting others in."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def beat(self) -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(BEAT)
            now = time.thread_time()
            self.longest = max(self.longest, now - last)
            last = now

    async def settle(self) -> None:
        """Lets the loop finish what has begun, and forgets it."""
        await asyncio.sleep(5 * BEAT)
        self.longest = 0.0

    async def read(self) -> float:
        """Returns the longest time since `settle`, after another beat."""
        await asyncio.sleep(5 * BEAT)
        return self.longest


@dataclass
class Visit:
    """A browser at a server, and what there is to ask for."""

    client: TestClient
    number: str
    """Of a long match that is not in memory when the server starts."""

    pulse: Pulse

    def get(self, path: str) -> int:
        return self.client.get(path, headers={"Accept-Encoding": "gzip", "Accept": "text/html"}).status_code

    def post(self, path: str, body: object) -> int:
        return self.client.post(path, json=body, headers={"Accept-Encoding": "gzip"}).status_code

    def invitation(self) -> tuple[str, str]:
        """Begins a match and returns its number and an invitation."""
        match = self.client.post("/api/matches", json={"game": GAME, "seats": ["me", "open"]}).json()
        return match["number"], next(iter(match["invitations"].values()))

    def follow(self) -> int:
        """Opens the socket of the match and plays an action."""
        with self.client.websocket_connect(f"/api/matches/{self.number}/live") as socket:
            state = socket.receive_json()["state"]
            socket.send_json({"id": "loop", "do": "play", "action": state["actions"][0]["action"]})
            while socket.receive_json()["type"] != "done":
                pass
        return 200

    def analyse(self) -> int:
        """Opens the analysis socket and waits for the first lines."""
        with self.client.websocket_connect("/api/lines/live") as socket:
            socket.send_json({"id": "1", "lines": 5, **LINE})
            assert socket.receive_json()["id"] == "1"
        return 200


LINE = line(GAME, long_game(GAME, 2000))
SHORTER = line(GAME, long_game(GAME, 30))
ACTIONS = quote(",".join(long_game(GAME, 1999)))
ADDRESS = quote(f"http://testserver/explore/{GAME}?actions={ACTIONS}", safe="")
TREE = [{"parent": None, "action": ""}] + [
    {"parent": number and 2000 * seed + number, "action": action, "comment": "!" * 20}
    for seed in range(4)
    for number, action in enumerate(long_game(GAME, 2000, seed))
]
SMALL = {"game": "renfa", "options": {"bombs": 3}}
TABLE = quote(table_path(damier.load("renfa", bombs=3)).name)
RECORD = {"text": long_record(), "number": 20}

Ask = Callable[[Visit], int]

REQUESTS: dict[str, Ask] = {
    "GET /api/openapi.json": lambda visit: visit.get("/api/openapi.json"),
    "GET /api/games": lambda visit: visit.get("/api/games?lang=fr"),
    "GET /api/games/{name}/drawing": lambda visit: visit.get("/api/games/renfa/drawing?size=8&bombs=32"),
    "GET /api/games/{name}/example": lambda visit: visit.get("/api/games/omba/example?lang=de"),
    "POST /api/previews": lambda visit: visit.post("/api/previews", {"game": "omba", "position": crowded()}),
    "GET /api/alive": lambda visit: visit.get("/api/alive"),
    "GET /api/sentences": lambda visit: visit.get("/api/sentences?lang=de"),
    "GET /api/me": lambda visit: visit.get("/api/me"),
    "PUT /api/me": lambda visit: visit.client.put("/api/me", json={"nickname": "Ann"}).status_code,
    "POST /api/matches": lambda visit: visit.post("/api/matches", {"game": GAME, "seats": ["me", {"level": 1}]}),
    "GET /api/matches": lambda visit: visit.get("/api/matches"),
    "GET /api/matches/{number}": lambda visit: visit.get(f"/api/matches/{visit.number}"),
    "POST /api/matches/{number}/seats": lambda visit: visit.post(
        f"/api/matches/{(found := visit.invitation())[0]}/seats", {"invitation": found[1]}
    ),
    "POST /api/matches/{number}/why": lambda visit: visit.post(
        f"/api/matches/{visit.number}/why", {"cells": ["a1", "b2"]}
    ),
    "GET /api/matches/{number}/values": lambda visit: visit.get(f"/api/matches/{visit.number}/values"),
    "GET /api/matches/{number}/hint": lambda visit: visit.get(f"/api/matches/{visit.number}/hint"),
    "WS /api/matches/{number}/live": Visit.follow,
    "POST /api/lines/state": lambda visit: visit.post("/api/lines/state", LINE),
    "POST /api/lines/states": lambda visit: visit.post("/api/lines/states", LINE),
    "POST /api/lines/values": lambda visit: visit.post("/api/lines/values", LINE),
    "POST /api/lines/why": lambda visit: visit.post("/api/lines/why", {**LINE, "cells": ["a1", "b2"]}),
    "POST /api/lines/review": lambda visit: visit.post("/api/lines/review", SHORTER),
    "WS /api/lines/live": Visit.analyse,
    "POST /api/tables/look": lambda visit: visit.post("/api/tables/look", {"game": "renfa"}),
    "POST /api/tables/build": lambda visit: visit.post("/api/tables/build", {"game": "renfa"}),
    "POST /api/tables/probe": lambda visit: visit.post(
        "/api/tables/probe", {**SMALL, "positions": ["BBW2/5/2B2/5/4W w 0,1"] * 1000}
    ),
    "GET /api/tables": lambda visit: visit.get("/api/tables"),
    "GET /api/tables/{file}": lambda visit: visit.get(f"/api/tables/{TABLE}"),
    "GET /api/games/{name}/rules": lambda visit: visit.get("/api/games/omba/rules?lang=fr"),
    "GET /api/lessons": lambda visit: visit.get("/api/lessons"),
    "GET /api/games/{name}/lesson": lambda visit: visit.get("/api/games/omba/lesson"),
    "POST /api/games/{name}/lesson/{step_id}": lambda visit: visit.post(
        "/api/games/chefa/lesson/four-in-a-row", {"cells": ["a1", "b2", "c3"]}
    ),
    "GET /api/games/{name}/lesson/{step_id}/answer": lambda visit: visit.get(
        "/api/games/chefa/lesson/four-in-a-row/answer"
    ),
    "GET /api/puzzles/{name}": lambda visit: visit.get("/api/puzzles/sensei"),
    "GET /api/puzzles/{name}/{number}": lambda visit: visit.get(f"/api/puzzles/sensei/{puzzle(visit)}"),
    "POST /api/puzzles/{name}/{number}/judge": lambda visit: visit.post(
        f"/api/puzzles/sensei/{puzzle(visit)}/judge", {"actions": ["end"]}
    ),
    "POST /api/puzzles/{name}/{number}/hint": lambda visit: visit.post(
        f"/api/puzzles/sensei/{puzzle(visit)}/hint", {"actions": [], "step": 2}
    ),
    "GET /api/puzzles/{name}/{number}/solution": lambda visit: visit.get(
        f"/api/puzzles/sensei/{puzzle(visit)}/solution"
    ),
    "GET /api/solutions": lambda visit: visit.get("/api/solutions"),
    "GET /api/solutions/{name}": lambda visit: visit.get("/api/solutions/chefa"),
    "POST /api/records/read": lambda visit: visit.post("/api/records/read", RECORD),
    "POST /api/records/write": lambda visit: visit.post("/api/records/write", {"game": GAME, "tree": TREE}),
    "POST /api/records/picture": lambda visit: visit.post("/api/records/picture", LINE),
    "POST /api/records/setup": lambda visit: visit.post("/api/records/setup", {"game": "omba"}),
    "GET /api/pictures/match/{number}.png": lambda visit: visit.get(f"/api/pictures/match/{visit.number}.png"),
    "GET /api/pictures/position.png": lambda visit: visit.get(
        f"/api/pictures/position.png?game={GAME}&actions={ACTIONS}"
    ),
    "GET /oembed": lambda visit: visit.get(f"/oembed?url={ADDRESS}"),
    "GET /embed/{name}": lambda visit: visit.get(f"/embed/{GAME}?actions={ACTIONS}"),
    "GET /embed/match/{number}": lambda visit: visit.get(f"/embed/match/{visit.number}"),
    "GET /embed/puzzle/{name}/{number}": lambda visit: visit.get(f"/embed/puzzle/sensei/{puzzle(visit)}"),
    "GET /": lambda visit: visit.get("/"),
    "GET /m/{number}": lambda visit: visit.get(f"/m/{visit.number}"),
    "GET /dice/{number}": lambda visit: visit.get(f"/dice/{visit.number}"),
    "GET /learn": lambda visit: visit.get("/learn"),
    "GET /learn/{name}": lambda visit: visit.get("/learn/omba"),
    "GET /rules/{name}": lambda visit: visit.get("/rules/omba"),
    "GET /puzzles/{name}": lambda visit: visit.get("/puzzles/sensei"),
    "GET /puzzles/{name}/{number}": lambda visit: visit.get(f"/puzzles/sensei/{puzzle(visit)}"),
    "GET /analyse": lambda visit: visit.get("/analyse"),
    "GET /analyse/{name}": lambda visit: visit.get(f"/analyse/{GAME}?actions={ACTIONS}"),
    "GET /explore/{name}": lambda visit: visit.get(f"/explore/{GAME}?actions={ACTIONS}"),
    "GET /solutions": lambda visit: visit.get("/solutions"),
    "GET /solutions/{name}": lambda visit: visit.get("/solutions/chefa"),
    "DELETE /api/me": lambda visit: another_browser(visit.client).delete("/api/me").status_code,
    "GET /api/privacy": lambda visit: visit.get("/api/privacy"),
    "GET /privacy": lambda visit: visit.get("/privacy"),
    "GET /healthz": lambda visit: visit.get("/healthz"),
    "GET /metrics": lambda visit: visit.get("/metrics"),
    "GET /static": lambda visit: visit.get("/static/app.js"),
}
"""The most expensive valid request of each route, or one that the server refuses for its size."""


def crowded() -> str:
    """Returns a position with many actions."""
    record = damier.load("omba").record()
    for action in long_game("omba", 60):
        record.play(action)
    return str(record.position)


def puzzle(visit: Visit) -> str:
    """Returns the id of the hardest puzzle."""
    found: str = visit.client.get("/api/puzzles/sensei").json()["puzzles"][-1]["id"]
    return found


def names_of(routes: list[BaseRoute]) -> Iterator[str]:
    """Yields the routes as `REQUESTS` names them."""
    for route in routes:
        if isinstance(route, APIWebSocketRoute):
            yield f"WS {route.path}"
        elif isinstance(route, APIRoute | Route):
            yield from (f"{method} {route.path}" for method in route.methods or () if method != "HEAD")
        elif isinstance(route, Mount):
            yield f"GET {route.path}"


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    home = tmp_path_factory.mktemp("loop")
    shutil.copytree(built_table(damier.load("renfa", bombs=3)).folder, home / "tables")
    with served(home) as before:
        number, cookies = play_long(before), dict(before.cookies)
    with served(home) as client:
        client.cookies.update(cookies)
        assert client.portal
        gc.freeze()  # as `damier serve` does
        pulse = Pulse()
        beating = client.portal.start_task_soon(pulse.beat)
        yield Visit(client, number, pulse)
        beating.cancel()
        gc.unfreeze()


def play_long(client: TestClient) -> str:
    """Plays a long match and returns its number; the browser holds both seats."""
    number: str = client.post("/api/matches", json={"game": GAME, "seats": ["me", "me"]}).json()["number"]
    with client.websocket_connect(f"/api/matches/{number}/live") as socket:
        for action in long_game(GAME, PLAYED):
            socket.send_json({"id": action + str(time.monotonic()), "do": "play", "action": action})
            while (told := json.loads(socket.receive_text()))["type"] != "done":
                assert told["type"] != "refused", told
    return number


@pytest.mark.parametrize("name", REQUESTS)
def test_the_loop_goes_on_during(visit: Visit, name: str) -> None:
    assert visit.client.portal
    visit.client.portal.call(visit.pulse.settle)
    status = REQUESTS[name](visit)
    longest = visit.client.portal.call(visit.pulse.read)
    assert status < 500 or status == 503
    assert longest < MOST, f"the loop worked for {1000 * longest:.0f} ms without a pause"


def test_every_route_has_a_request(visit: Visit) -> None:
    app = visit.client.app
    routes = [*app.routes, *(route for part in ROUTED for route in part.router.routes)]  # type: ignore[attr-defined]
    assert set(names_of(routes)) <= set(REQUESTS)


def test_the_requests_are_of_routes(visit: Visit) -> None:
    app = visit.client.app
    routes = [*app.routes, *(route for part in ROUTED for route in part.router.routes)]  # type: ignore[attr-defined]
    assert set(REQUESTS) <= set(names_of(routes))
