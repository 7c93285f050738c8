"""No route holds the event loop: while one visitor's most expensive request is answered, others are served.

A pulse in the loop of a server in this process measures the CPU time of the loop's thread between two beats, which is
the same on a busy machine. A route without an entry in `REQUESTS` fails.
"""

import asyncio
import gc
import json
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from fastapi.testclient import TestClient
from sqlalchemy import Connection, update
from starlette.routing import BaseRoute, Mount, Route

import damier
from bench.attackers import line, long_record
from bench.load import long_game
from damier.server.app import ROUTED
from damier.server.civility.moderation import LISTED
from damier.server.civility.reports import QUOTED
from damier.server.matches.clock import LIVE_PRESETS
from damier.server.store.schema import AccountRow
from damier.server.store.statements.reports import StoredReport, add_report
from damier.solve.location import table_path
from tests.server.served import another_browser, served
from tests.server.tournaments.signing_up import sign_up
from tests.shared import built_table

pytestmark = pytest.mark.untraced  # tracing takes CPU time, too

MOST = 0.05  # seconds of CPU in the loop without a pause
BEAT = 0.005
ENTRANTS = 60  # in the tournament that is asked for
STREAMED = 0.3  # seconds that a stream is open
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

    def slow_match(self) -> str:
        """Begins a correspondence match against the computer, and returns the address of its data."""
        clock = {"kind": "correspondence", "base": 86_400}
        match = {"game": GAME, "seats": [{"level": 1}, "me"], "clock": clock}
        return f"/api/matches/{self.client.post('/api/matches', json=match).json()['number']}"

    def plan(self) -> int:
        """Enters as many and as long lines as can be sent; the computer may have played meanwhile."""
        lines = [[["a1"]] * 12] * 12
        path = self.slow_match() + "/conditional"
        return self.client.put(path, json={"turn": 1, "lines": lines}).status_code

    def follow(self) -> int:
        """Opens the socket of the match and plays an action."""
        with self.client.websocket_connect(f"/api/matches/{self.number}/live") as socket:
            state = socket.receive_json()["state"]
            socket.send_json({"id": "loop", "do": "play", "action": state["actions"][0]["action"]})
            while socket.receive_json()["type"] != "done":
                pass
        return 200

    def of_account(self, method: str, path: str, **given: object) -> int:
        """Sends a request about an account, as a browser that has just made one."""
        browser = another_browser(self.client)
        made: dict[str, str | None] = {"name": f"Ann-{secrets.token_hex(4)}", "password": "correct horse"}
        assert browser.post("/api/account", json=made).status_code == 201
        other: dict[str, dict[str, str | None]] = {
            "/name": {"name": f"Zoe-{secrets.token_hex(4)}"},
            "/passkeys/start": {"name": None},
        }
        is_bare = path in ("/email", "/settings", "/tokens", "/vacation") or path.startswith("/passkeys")
        body: dict[str, object] = {**other.get(path, {} if is_bare else made), **given}
        return browser.request(method, f"/api/account{path}", json=body).status_code

    def seek(self) -> str:
        """Opens a challenge by link and returns its number."""
        asked = {"kind": "link", "terms": [{"game": GAME}]}
        number: str = self.client.post("/api/seeks", json=asked).json()["seek"]["number"]
        return number

    def follow_lobby(self) -> int:
        """Opens the socket of the lobby and waits for its state."""
        with self.client.websocket_connect("/api/lobby/live") as socket:
            assert socket.receive_json()["type"] == "state"
        return 200

    def follow_notices(self) -> int:
        """Opens the socket of notices and waits for what is current."""
        with self.client.websocket_connect("/api/notices/live") as socket:
            assert socket.receive_json()["type"] == "notices"
        return 200

    def stream(self, path: str) -> int:
        """Opens a stream, which is ended after a while."""
        services = self.client.app.state.services  # type: ignore[attr-defined]

        async def end() -> None:
            while not services.lines:
                await asyncio.sleep(BEAT)
            await asyncio.sleep(STREAMED)
            services.stop_streams()

        assert self.client.portal
        ending = self.client.portal.start_task_soon(end)
        answer = self.client.get(path)
        ending.result()
        assert json.loads(answer.text.splitlines()[-1])["why"] == "stopping"
        return answer.status_code

    def analyse(self) -> int:
        """Opens the analysis socket and waits for the first lines."""
        with self.client.websocket_connect("/api/lines/live") as socket:
            socket.send_json({"id": "1", "lines": 5, **long_line()})
            assert socket.receive_json()["id"] == "1"
        return 200


# Long games take seconds to make: they are made when a test needs them, not when tests are collected.


@cache
def long_line() -> dict[str, object]:
    return line(GAME, long_game(GAME, 2000))


@cache
def long_actions() -> str:
    return quote(",".join(long_game(GAME, 1999)))


@cache
def long_address() -> str:
    return quote(f"http://testserver/explore/{GAME}?actions={long_actions()}", safe="")


@cache
def wide_tree() -> list[dict[str, object]]:
    first: dict[str, object] = {"parent": None, "action": ""}
    return [first] + [
        {"parent": number and 2000 * seed + number, "action": action, "comment": "!" * 20}
        for seed in range(4)
        for number, action in enumerate(long_game(GAME, 2000, seed))
    ]


@cache
def large_record() -> dict[str, object]:
    return {"text": long_record(), "number": 20}


MANY = [{"game": GAME, "clock": {"kind": "correspondence", "base": 1000 + k}} for k in range(40)]
SMALL = {"game": "renfa", "options": {"bombs": 3}}
TABLE = quote(table_path(damier.load("renfa", bombs=3)).name)
CUP = {"title": "Cup", "kind": "swiss", "game": GAME, "clock": LIVE_PRESETS[0].data(), "rounds": 9}

Ask = Callable[[Visit], int]

PUSH = {"endpoint": "https://push.example.org/" + "x" * 900, "keys": {"p256dh": "B" + "A" * 86, "auth": "A" * 22}}
REQUESTS: dict[str, Ask] = {
    "GET /api/openapi.json": lambda visit: visit.get("/api/openapi.json"),
    "GET /api/games": lambda visit: visit.get("/api/games?lang=fr"),
    "GET /api/games/{name}/drawing": lambda visit: visit.get("/api/games/renfa/drawing?size=8&bombs=32"),
    "GET /api/games/{name}/example": lambda visit: visit.get("/api/games/omba/example?lang=de"),
    "POST /api/previews": lambda visit: visit.post("/api/previews", {"game": "omba", "position": crowded()}),
    "GET /api/alive": lambda visit: visit.get("/api/alive"),
    "GET /api/sentences": lambda visit: visit.get("/api/sentences?lang=de"),
    "GET /worker.js": lambda visit: visit.get("/worker.js"),
    "GET /offline": lambda visit: visit.get("/offline"),
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
    "GET /api/ratings/{pool}": lambda visit: visit.get("/api/ratings/omba-4.live?page=3"),
    "GET /api/people/{name}/ratings": lambda visit: visit.get("/api/people/Ann/ratings"),
    "WS /api/matches/{number}/live": Visit.follow,
    "GET /api/lobby": lambda visit: visit.get("/api/lobby"),
    "WS /api/lobby/live": Visit.follow_lobby,
    "POST /api/seeks": lambda visit: visit.post("/api/seeks", {"kind": "link", "terms": MANY}),
    "GET /api/seeks/{number}": lambda visit: visit.get(f"/api/seeks/{visit.seek()}"),
    "DELETE /api/seeks/{number}": lambda visit: visit.client.delete(f"/api/seeks/{visit.seek()}").status_code,
    "POST /api/seeks/{number}/accept": lambda visit: (
        another_browser(visit.client).post(f"/api/seeks/{visit.seek()}/accept", json={}).status_code
    ),
    "POST /api/seeks/{number}/decline": lambda visit: visit.post(f"/api/seeks/{visit.seek()}/decline", {}),
    "GET /api/lobby/wishes": lambda visit: visit.get("/api/lobby/wishes"),
    "PUT /api/lobby/wishes": lambda visit: (
        visit.client.put("/api/lobby/wishes", json={"games": damier.games()}).status_code
    ),
    "GET /api/lobby/matches": lambda visit: visit.get("/api/lobby/matches"),
    "GET /api/my/matches": lambda visit: visit.get("/api/my/matches?state=mine"),
    "GET /api/my/next": lambda visit: visit.get("/api/my/next"),
    "GET /api/my/matches/records": lambda visit: visit.get("/api/my/matches/records?format=json"),
    "GET /api/matches/{number}/conditional": lambda visit: visit.get(visit.slow_match() + "/conditional"),
    "PUT /api/matches/{number}/conditional": lambda visit: visit.plan(),
    "POST /api/matches/{number}/act": lambda visit: visit.post(
        f"/api/matches/{visit.number}/act", {"id": "act", "do": "undo"}
    ),
    "GET /api/stream/events": lambda visit: visit.stream("/api/stream/events"),
    "GET /api/stream/matches/{number}": lambda visit: visit.stream(f"/api/stream/matches/{visit.number}"),
    "POST /api/lines/state": lambda visit: visit.post("/api/lines/state", long_line()),
    "POST /api/lines/states": lambda visit: visit.post("/api/lines/states", long_line()),
    "POST /api/lines/values": lambda visit: visit.post("/api/lines/values", long_line()),
    "POST /api/lines/why": lambda visit: visit.post("/api/lines/why", {**long_line(), "cells": ["a1", "b2"]}),
    "POST /api/lines/review": lambda visit: visit.post("/api/lines/review", line(GAME, long_game(GAME, 30))),
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
    "POST /api/records/read": lambda visit: visit.post("/api/records/read", large_record()),
    "POST /api/records/write": lambda visit: visit.post("/api/records/write", {"game": GAME, "tree": wide_tree()}),
    "POST /api/records/picture": lambda visit: visit.post("/api/records/picture", long_line()),
    "POST /api/records/setup": lambda visit: visit.post("/api/records/setup", {"game": "omba"}),
    "GET /api/pictures/match/{number}.png": lambda visit: visit.get(f"/api/pictures/match/{visit.number}.png"),
    "GET /api/pictures/position.png": lambda visit: visit.get(
        f"/api/pictures/position.png?game={GAME}&actions={long_actions()}"
    ),
    "GET /oembed": lambda visit: visit.get(f"/oembed?url={long_address()}"),
    "GET /embed/{name}": lambda visit: visit.get(f"/embed/{GAME}?actions={long_actions()}"),
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
    "GET /analyse/{name}": lambda visit: visit.get(f"/analyse/{GAME}?actions={long_actions()}"),
    "GET /explore/{name}": lambda visit: visit.get(f"/explore/{GAME}?actions={long_actions()}"),
    "GET /solutions": lambda visit: visit.get("/solutions"),
    "GET /solutions/{name}": lambda visit: visit.get("/solutions/chefa"),
    "GET /api/tournaments": lambda visit: visit.get("/api/tournaments?status=ended"),
    "POST /api/tournaments": lambda visit: make_cup(visit),
    "GET /api/tournaments/{number}": lambda visit: visit.get(f"/api/tournaments/{cup(visit)}"),
    "POST /api/tournaments/{number}/acts": lambda visit: start_cup(visit),
    "GET /api/tournaments/{number}/records": lambda visit: visit.get(f"/api/tournaments/{cup(visit)}/records"),
    "GET /tournaments": lambda visit: visit.get("/tournaments"),
    "GET /t/{number}": lambda visit: visit.get(f"/t/{cup(visit)}"),
    "DELETE /api/me": lambda visit: another_browser(visit.client).delete("/api/me").status_code,
    "POST /api/account": lambda visit: visit.of_account("POST", ""),
    "GET /api/account": lambda visit: visit.of_account("GET", ""),
    "POST /api/account/sign-in": lambda visit: visit.of_account("POST", "/sign-in"),
    "POST /api/account/sign-out": lambda visit: visit.of_account("POST", "/sign-out"),
    "GET /api/account/vacation": lambda visit: visit.of_account("GET", "/vacation"),
    "POST /api/account/vacation": lambda visit: visit.of_account("POST", "/vacation", days=7),
    "DELETE /api/account/vacation": lambda visit: visit.of_account("DELETE", "/vacation"),
    "GET /api/account/sessions": lambda visit: visit.of_account("GET", "/sessions"),
    "DELETE /api/account/sessions": lambda visit: visit.of_account("DELETE", "/sessions"),
    "DELETE /api/account/sessions/{number}": lambda visit: visit.of_account("DELETE", "/sessions/x"),
    "POST /api/account/password": lambda visit: visit.of_account("POST", "/password", old="correct horse"),
    "PUT /api/account/name": lambda visit: visit.of_account("PUT", "/name"),
    "PUT /api/account/email": lambda visit: visit.of_account("PUT", "/email", email="ann@example.org"),
    "POST /api/account/program": lambda visit: visit.of_account("POST", "/program"),
    "POST /api/account/deletion": lambda visit: visit.of_account("POST", "/deletion"),
    "POST /api/account/recovery-codes": lambda visit: visit.of_account("POST", "/recovery-codes"),
    "POST /api/account/recover": lambda visit: visit.of_account("POST", "/recover", code="x"),
    "GET /api/account/settings": lambda visit: visit.of_account("GET", "/settings"),
    "PUT /api/account/settings": lambda visit: visit.of_account("PUT", "/settings", settings={"x": [0] * 30_000}),
    "GET /api/account/passkeys": lambda visit: visit.of_account("GET", "/passkeys"),
    "POST /api/account/passkeys/start": lambda visit: visit.of_account("POST", "/passkeys/start"),
    "POST /api/account/passkeys": lambda visit: visit.of_account("POST", "/passkeys", number="x", credential={}),
    "POST /api/account/passkeys/account": lambda visit: visit.of_account(
        "POST", "/passkeys/account", number="x", credential={}
    ),
    "POST /api/account/passkeys/challenge": lambda visit: visit.of_account("POST", "/passkeys/challenge"),
    "POST /api/account/passkeys/sign-in": lambda visit: visit.of_account(
        "POST", "/passkeys/sign-in", number="x", credential={"id": "x" * 10_000}
    ),
    "DELETE /api/account/passkeys/{number}": lambda visit: visit.of_account("DELETE", "/passkeys/x"),
    "GET /api/account/tokens": lambda visit: visit.of_account("GET", "/tokens"),
    "POST /api/account/tokens": lambda visit: visit.of_account("POST", "/tokens", label="x", scopes=["play"]),
    "DELETE /api/account/tokens/{number}": lambda visit: visit.of_account("DELETE", "/tokens/x"),
    "GET /api/people/{name}": lambda visit: visit.get("/api/people/Annika"),
    "GET /account": lambda visit: visit.get("/account"),
    "GET /u/{name}": lambda visit: visit.get("/u/Annika"),
    "GET /api/avoided": lambda visit: visit.get("/api/avoided"),
    "POST /api/avoided": lambda visit: visit.post("/api/avoided", {"who": {"account": "x" * 40}, "kind": "mute"}),
    "DELETE /api/avoided/{number}": lambda visit: visit.client.delete("/api/avoided/x").status_code,
    "POST /api/reports": lambda visit: visit.post(
        "/api/reports", {"who": {"match": visit.number, "line": 1}, "reason": "spam", "words": "é" * 500}
    ),
    "GET /api/moderation": lambda visit: see_reports(visit),
    "POST /api/moderation/reports/{number}/acts": lambda visit: act_on_report(visit),
    "GET /moderation": lambda visit: visit.get("/moderation"),
    "GET /api/notices": lambda visit: visit.get("/api/notices"),
    "PUT /api/notices": lambda visit: visit.client.put("/api/notices", json={"kinds": []}).status_code,
    "POST /api/notices/push": lambda visit: visit.post("/api/notices/push", PUSH),
    "DELETE /api/notices/push/{number}": lambda visit: visit.client.delete("/api/notices/push/x").status_code,
    "POST /api/notices/confirmation": lambda visit: visit.post("/api/notices/confirmation", {}),
    "POST /api/notices/confirm": lambda visit: visit.post(f"/api/notices/confirm?token={'x' * 1000}", {}),
    "POST /api/notices/unsubscribe": lambda visit: visit.post(f"/api/notices/unsubscribe?token={'x' * 1000}", {}),
    "WS /api/notices/live": Visit.follow_notices,
    "GET /notices": lambda visit: visit.get("/notices"),
    "GET /api/account/export": lambda visit: visit.of_account("GET", "/export"),
    "GET /api/privacy": lambda visit: visit.get("/api/privacy"),
    "GET /leaderboard": lambda visit: visit.get("/leaderboard"),
    "GET /privacy": lambda visit: visit.get("/privacy"),
    "GET /lobby": lambda visit: visit.get("/lobby"),
    "GET /lobby/{number}": lambda visit: visit.get("/lobby/somewhere"),
    "GET /matches": lambda visit: visit.get("/matches"),
    "GET /healthz": lambda visit: visit.get("/healthz"),
    "GET /readyz": lambda visit: visit.get("/readyz"),
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


@cache
def tournament_at(client: TestClient) -> tuple[str, TestClient]:
    """Makes a tournament that many have joined; returns its number, and the browser of its maker."""
    maker = sign_up(another_browser(client), "Maker")
    number: str = maker.post("/api/tournaments", json=CUP).json()["number"]
    for each in range(ENTRANTS):
        other = sign_up(another_browser(client), f"Entrant-{each}")
        assert other.post(f"/api/tournaments/{number}/acts", json={"do": "join"}).status_code == 200
    return number, maker


def cup(visit: Visit) -> str:
    return tournament_at(visit.client)[0]


def make_cup(visit: Visit) -> int:
    return sign_up(another_browser(visit.client), "Maker").post("/api/tournaments", json=CUP).status_code


def start_cup(visit: Visit) -> int:
    number, maker = tournament_at(visit.client)
    return maker.post(f"/api/tournaments/{number}/acts", json={"do": "start"}).status_code


@cache
def moderator_at(client: TestClient) -> TestClient:
    """Stores as many reports as the page lists, each with as many messages as it may have; returns a moderator."""
    line = {"match": "x", "room": "players", "person": "y", "name": "Ann", "phrase": None, "text": "é" * 200, "at": "z"}
    context = json.dumps([{"number": number, **line} for number in range(QUOTED)])
    services = client.app.state.services  # type: ignore[attr-defined]
    browser = sign_up(another_browser(client), "Judge")

    def fill(connection: Connection) -> None:
        connection.execute(update(AccountRow).where(AccountRow.name.startswith("Judge")).values(is_moderator=True))
        for number in range(LISTED):
            about = f"report-{number}", f"reporter {number}", "y", "Ann", None, "spam", "é" * 500, context, "z"
            add_report(connection, StoredReport(*about))

    assert client.portal
    client.portal.call(services.store.write, "test", "", fill)
    services.credentials.drop(client.portal.call(services.accounts.find, "Judge").person)
    return browser


def see_reports(visit: Visit) -> int:
    return moderator_at(visit.client).get("/api/moderation").status_code


def act_on_report(visit: Visit) -> int:
    act = {"do": "silence", "minutes": 15, "why": "!" * 300}
    return moderator_at(visit.client).post("/api/moderation/reports/report-0/acts", json=act).status_code


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
