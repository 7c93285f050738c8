"""Who may do what: every route as every role. A route without an entry in `ALLOWED` fails.

Only refusals for the role count here: a request may be refused for other reasons, such as a match that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.server.app import ROUTED
from damier.server.people.account import FOR_EVER, SCOPES
from damier.server.people.passwords import Passwords
from damier.server.services import Services
from tests.server.accounts import PASSWORD, make, name_like
from tests.server.attacks.test_loop import names_of
from tests.server.pages import Player, begin, live
from tests.server.served import another_browser, served

TOKENS = tuple(f"token:{scope}" for scope in SCOPES)
ALL = ("nobody", "guest", "account", *TOKENS, "moderator", "banned")
FULL = ("account", "moderator", "banned")
"""Who is signed in, banned or not."""

UNBANNED = ("account", "moderator")
PEOPLE = ("nobody", "guest", "account", "moderator")
NO_TOKEN = (*PEOPLE, "banned")

ROLE_REFUSALS = (
    "Sign in first.",
    "A token cannot do that: sign in.",
    "The token is not good for that",
    "This account is banned",
    "Only moderators",
)

GAME = {"game": "chefa", "seats": ["me", "me"]}
KEY = {"number": "x", "credential": {}}
CUP = {"title": "", "kind": "arena", "game": "chefa", "clock": {"kind": "live", "base": 60}, "minutes": 1}

PUSH = {"endpoint": "https://push.example.org/x", "keys": {"p256dh": "x", "auth": "x"}}

ALLOWED: dict[str, tuple[tuple[str, ...], object]] = {
    # what everybody may read, and have worked out
    "GET /api/openapi.json": (ALL, None),
    "GET /api/games": (ALL, None),
    "GET /api/games/{name}/drawing": (ALL, None),
    "GET /api/games/{name}/example": (ALL, None),
    "POST /api/previews": (ALL, {"game": "x", "position": "x"}),
    "GET /api/alive": (ALL, None),
    "GET /api/sentences": (ALL, None),
    "GET /api/me": (ALL, None),
    "GET /api/matches/{number}": (ALL, None),
    "POST /api/matches/{number}/why": (ALL, {"cells": ["a1"]}),
    "GET /api/matches/{number}/values": (ALL, None),
    "GET /api/matches/{number}/hint": (ALL, None),
    "POST /api/lines/state": (ALL, {"game": "x"}),
    "POST /api/lines/states": (ALL, {"game": "x"}),
    "POST /api/lines/values": (ALL, {"game": "x"}),
    "POST /api/lines/why": (ALL, {"game": "x", "cells": ["a1"]}),
    "POST /api/lines/review": (ALL, {"game": "x"}),
    "WS /api/lines/live": (ALL, None),
    "POST /api/tables/look": (ALL, {"game": "x"}),
    "POST /api/tables/probe": (ALL, {"game": "x", "positions": []}),
    "GET /api/tables": (ALL, None),
    "GET /api/tables/{file}": (ALL, None),
    "GET /api/games/{name}/rules": (ALL, None),
    "GET /api/lessons": (ALL, None),
    "GET /api/games/{name}/lesson": (ALL, None),
    "POST /api/games/{name}/lesson/{step_id}": (ALL, {"cells": ["a1"]}),
    "GET /api/games/{name}/lesson/{step_id}/answer": (ALL, None),
    "GET /api/puzzles/{name}": (ALL, None),
    "GET /api/puzzles/{name}/{number}": (ALL, None),
    "POST /api/puzzles/{name}/{number}/judge": (ALL, {"actions": []}),
    "POST /api/puzzles/{name}/{number}/hint": (ALL, {"actions": [], "step": 1}),
    "GET /api/puzzles/{name}/{number}/solution": (ALL, None),
    "GET /api/solutions": (ALL, None),
    "GET /api/solutions/{name}": (ALL, None),
    "POST /api/records/read": (ALL, {"text": "x"}),
    "POST /api/records/write": (ALL, {"game": "x", "tree": [{"parent": None, "action": ""}]}),
    "POST /api/records/picture": (ALL, {"game": "x"}),
    "POST /api/records/setup": (ALL, {"game": "x"}),
    "GET /api/pictures/match/{number}.png": (ALL, None),
    "GET /api/pictures/position.png": (ALL, None),
    "GET /oembed": (ALL, None),
    "GET /embed/{name}": (ALL, None),
    "GET /embed/match/{number}": (ALL, None),
    "GET /embed/puzzle/{name}/{number}": (ALL, None),
    "GET /api/people/{name}": (ALL, None),
    "GET /api/people/{name}/ratings": (ALL, None),
    "GET /api/ratings/{pool}": (ALL, None),
    "GET /api/lobby": (ALL, None),
    "GET /api/lobby/matches": (ALL, None),
    "WS /api/lobby/live": (ALL, None),
    "GET /api/seeks/{number}": (ALL, None),
    "GET /api/tournaments": (ALL, None),
    "GET /api/tournaments/{number}": (ALL, None),
    "GET /api/tournaments/{number}/records": (ALL, None),
    "GET /api/privacy": (ALL, None),
    "GET /healthz": (ALL, None),
    "GET /readyz": (ALL, None),
    "GET /metrics": (ALL, None),
    "GET /static": (ALL, None),
    # what is written
    "POST /api/tables/build": (PEOPLE, {"game": "x"}),
    "PUT /api/me": (PEOPLE, {"nickname": "Ann"}),
    "DELETE /api/me": (PEOPLE, None),
    "POST /api/matches": ((*PEOPLE, "token:play"), GAME),
    "POST /api/matches/{number}/seats": ((*PEOPLE, "token:play"), {"invitation": "x"}),
    "WS /api/matches/{number}/live": ((*PEOPLE, "token:play"), None),
    "GET /api/matches": ((*NO_TOKEN, "token:read"), None),
    "POST /api/matches/{number}/act": ((*PEOPLE, "token:play"), {"id": "1", "do": "undo"}),
    "GET /api/matches/{number}/conditional": ((*NO_TOKEN, "token:play"), None),
    "PUT /api/matches/{number}/conditional": ((*PEOPLE, "token:play"), {"turn": 1, "lines": []}),
    "GET /api/stream/events": ((*PEOPLE, "token:play"), None),
    "GET /api/stream/matches/{number}": ((*PEOPLE, "token:play"), None),
    # the lobby and tournaments
    "POST /api/seeks": ((*PEOPLE, "token:challenge"), {"terms": [{"game": "x"}]}),
    "DELETE /api/seeks/{number}": ((*PEOPLE, "token:challenge"), None),
    "POST /api/seeks/{number}/accept": ((*PEOPLE, "token:challenge"), {}),
    "POST /api/seeks/{number}/decline": ((*PEOPLE, "token:challenge"), None),
    "GET /api/lobby/wishes": ((*NO_TOKEN, "token:read"), None),
    "PUT /api/lobby/wishes": ((*PEOPLE, "token:challenge"), {"games": []}),
    "GET /api/my/matches": ((*NO_TOKEN, "token:read"), None),
    "GET /api/my/next": ((*NO_TOKEN, "token:read"), None),
    "GET /api/my/matches/records": ((*NO_TOKEN, "token:read"), None),
    "POST /api/tournaments": ((*UNBANNED, "token:tournament"), CUP),
    "POST /api/tournaments/{number}/acts": ((*UNBANNED, "token:tournament"), {"do": "join"}),
    # other people
    "GET /api/avoided": ((*NO_TOKEN, "token:read"), None),
    "POST /api/avoided": (PEOPLE, {"who": {"account": "x"}, "kind": "mute"}),
    "DELETE /api/avoided/{number}": (PEOPLE, None),
    "POST /api/reports": (PEOPLE, {"who": {"account": "x"}, "reason": "spam"}),
    "GET /api/moderation": (("moderator",), None),
    "POST /api/moderation/reports/{number}/acts": (("moderator",), {"do": "dismiss"}),
    # notices
    "GET /api/notices": ((*NO_TOKEN, "token:read"), None),
    "PUT /api/notices": (NO_TOKEN, {"kinds": []}),
    "POST /api/notices/push": (PEOPLE, PUSH),
    "DELETE /api/notices/push/{number}": (NO_TOKEN, None),
    "POST /api/notices/confirmation": (UNBANNED, None),
    "POST /api/notices/confirm": (NO_TOKEN, None),
    "POST /api/notices/unsubscribe": (NO_TOKEN, None),
    "WS /api/notices/live": (NO_TOKEN, None),
    # accounts
    "POST /api/account": (PEOPLE, {"name": "x", "password": "x"}),
    "GET /api/account": ((*FULL, "token:read"), None),
    "POST /api/account/sign-in": (NO_TOKEN, {"name": "x", "password": "x"}),
    "POST /api/account/sign-out": (NO_TOKEN, None),
    "GET /api/account/vacation": ((*FULL, "token:read"), None),
    "POST /api/account/vacation": (UNBANNED, {"days": 1}),
    "DELETE /api/account/vacation": (UNBANNED, None),
    "GET /api/account/sessions": (FULL, None),
    "DELETE /api/account/sessions": (FULL, None),
    "DELETE /api/account/sessions/{number}": (FULL, None),
    "POST /api/account/password": (FULL, {"old": PASSWORD, "password": "another horse"}),
    "PUT /api/account/name": (UNBANNED, {"name": "x"}),
    "PUT /api/account/email": (UNBANNED, {"email": "x"}),
    "POST /api/account/program": (UNBANNED, None),
    "POST /api/account/deletion": (FULL, {"name": "x"}),
    "POST /api/account/recovery-codes": (FULL, None),
    "POST /api/account/recover": (NO_TOKEN, {"name": "x", "code": "x", "password": PASSWORD}),
    "GET /api/account/settings": (FULL, None),
    "PUT /api/account/settings": (FULL, {"settings": {}}),
    "GET /api/account/export": (FULL, None),
    "GET /api/account/passkeys": (FULL, None),
    "POST /api/account/passkeys/start": (NO_TOKEN, {"name": "x"}),
    "POST /api/account/passkeys": (FULL, KEY),
    "POST /api/account/passkeys/account": (PEOPLE, KEY),
    "POST /api/account/passkeys/challenge": (NO_TOKEN, None),
    "POST /api/account/passkeys/sign-in": (NO_TOKEN, KEY),
    "DELETE /api/account/passkeys/{number}": (FULL, None),
    "GET /api/account/tokens": (FULL, None),
    "POST /api/account/tokens": (UNBANNED, {"label": "x", "scopes": ["read"]}),
    "DELETE /api/account/tokens/{number}": (FULL, None),
}
"""Who may call each route, and with which body the test does; pages (`GET` outside of `/api/`) are for all."""


ENDING = ("POST /api/account/sign-out", "POST /api/account/password", "DELETE /api/me")
"""Requests after which a browser is not what it was."""


class Server:
    """A server with a browser for each role."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.services: Services = client.app.state.services  # type: ignore[attr-defined]
        self.services.passwords = Passwords(passes=1, memory=8)
        self.browsers = {role: self.browser(role) for role in ALL}

    def browser(self, role: str) -> TestClient:
        """Returns a new browser of a role."""
        browser = another_browser(self.client)
        if role == "nobody":
            return browser
        browser.get("/")
        if role == "guest":
            return browser
        name = name_like("Ann")
        make(browser, name)
        if role in ("moderator", "banned"):
            account = self.call(self.services.accounts.find, name)
            given = {"is_moderator": True} if role == "moderator" else {"banned_until": FOR_EVER}
            self.call(partial(self.services.accounts.change, account, **given))
        if role in TOKENS:
            draft = {"label": "x", "scopes": [role.removeprefix("token:")]}
            token = browser.post("/api/account/tokens", json=draft).json()["token"]
            browser = another_browser(self.client)
            browser.headers["Authorization"] = f"Bearer {token}"
        return browser

    def call(self, function: Any, *arguments: Any) -> Any:
        assert self.client.portal
        return self.client.portal.call(function, *arguments)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(Path(tmp_path_factory.mktemp("roles"))) as client:
        yield Server(client)


def is_refused(browser: TestClient, route: str, body: object) -> bool:
    """Tells whether a request is refused for the role of who sends it."""
    method, path = route.split(" ")
    for part in ("name", "number", "step_id", "file", "pool"):
        path = path.replace(f"{{{part}}}", "x")
    if path.endswith(("/confirm", "/unsubscribe")):
        path += "?token=x"
    answer = browser.request(method, path, json=body)
    assert answer.status_code < 500, answer.text
    return answer.status_code == 403 and answer.json()["error"].startswith(ROLE_REFUSALS)


@pytest.mark.parametrize("route", [route for route in ALLOWED if route.startswith("GET /api/stream/")])
def test_a_stream_is_refused_to_whom_the_table_says(server: Server, route: str) -> None:
    allowed, _ = ALLOWED[route]  # who is allowed gets a stream that does not end: tests/server/test_streams.py
    for role in set(ALL) - set(allowed):
        assert is_refused(server.browsers[role], route, None), role


@pytest.mark.parametrize("route", [route for route in ALLOWED if not route.startswith(("WS", "GET /api/stream/"))])
def test_a_route_is_open_to_whom_the_table_says(server: Server, route: str) -> None:
    allowed, body = ALLOWED[route]
    for role in ALL:
        browser = server.browser(role) if route in ENDING else server.browsers[role]
        assert is_refused(browser, route, body) == (role not in allowed), role


@pytest.mark.parametrize("role", ALL)
def test_only_who_may_play_plays_over_a_socket(server: Server, role: str) -> None:
    browser = server.browser(role)
    if role in ("nobody", "guest", "account", "moderator", "token:play"):
        number = begin(browser, "chefa", "me", "me")["number"]
    else:
        number = begin(server.browsers["guest"], "chefa", "me", "me")["number"]
    with live(browser, number) as socket:
        player = Player(socket)
        answer = player.ask("play", action="a1", seq=player.seq)
    is_allowed = role in ALLOWED["WS /api/matches/{number}/live"][0]
    assert (answer["type"] == "done") == is_allowed
    if not is_allowed:
        assert answer["error"].startswith(ROLE_REFUSALS)


@pytest.mark.parametrize("role", ALL)
def test_nobody_plays_for_another(server: Server, role: str) -> None:
    number = begin(server.browser("guest"), "chefa", "me", "me")["number"]
    browser = server.browsers[role]
    shot = browser.get(f"/api/matches/{number}").json()
    assert not any(seat["is_mine"] for seat in shot["seats"])
    assert shot["invitations"] == {}
    with live(browser, number) as socket:
        player = Player(socket)
        assert player.ask("play", action="a1", seq=player.seq)["type"] == "refused"


def test_every_route_has_an_entry(server: Server) -> None:
    app = server.client.app
    routes = [*app.routes, *(route for part in ROUTED for route in part.router.routes)]  # type: ignore[attr-defined]
    pages = {name for name in names_of(routes) if name.startswith("GET /") and not name.startswith("GET /api/")}
    assert set(names_of(routes)) - pages <= set(ALLOWED)
    assert set(ALLOWED) <= set(names_of(routes))


def test_a_token_that_is_revoked_or_invented_is_refused(server: Server) -> None:
    owner = server.browser("account")
    made = owner.post("/api/account/tokens", json={"label": " Bot ", "scopes": ["play", "read", "play"]}).json()
    assert made["scopes"] == ["read", "play"]
    (listed,) = owner.get("/api/account/tokens").json()
    assert listed == {key: value for key, value in made.items() if key != "token"}
    program = another_browser(server.client)
    program.headers["Authorization"] = f"Bearer {made['token']}"
    begin(program, "chefa", "me", "me")
    assert owner.get("/api/account/tokens").json()[0]["used"]
    assert [each["number"] for each in program.get("/api/matches").json()]
    assert owner.delete(f"/api/account/tokens/{made['number']}").status_code == 204
    wrong = {"error": "The token is not valid: it may have been revoked."}
    for token in (made["token"], "damier_invented", ""):
        program.headers["Authorization"] = f"Bearer {token}"
        for path in ("/api/matches", "/api/games"):
            answer = program.get(path)
            assert (answer.status_code, answer.json()) == (403, wrong)


def test_nobody_revokes_the_token_of_another(server: Server) -> None:
    owner, other = server.browser("account"), server.browser("account")
    number = owner.post("/api/account/tokens", json={"label": "x", "scopes": ["read"]}).json()["number"]
    assert other.delete(f"/api/account/tokens/{number}").status_code == 404
    assert len(owner.get("/api/account/tokens").json()) == 1


def test_a_token_needs_a_scope_and_an_account_has_twenty_at_most(server: Server) -> None:
    owner = server.browser("account")
    answer = owner.post("/api/account/tokens", json={"label": "x", "scopes": []})
    assert (answer.status_code, answer.json()) == (400, {"error": "Choose at least one scope."})
    for _ in range(20):
        assert owner.post("/api/account/tokens", json={"label": "x", "scopes": ["read"]}).status_code == 201
    answer = owner.post("/api/account/tokens", json={"label": "x", "scopes": ["read"]})
    assert (answer.status_code, answer.json()) == (400, {"error": "You have 20 already: remove one first."})
    assert owner.post("/api/account/tokens", json={"label": "x", "scopes": ["all"]}).status_code == 422


def test_a_profile_shows_what_everybody_may_know(server: Server) -> None:
    owner = server.browser("account")
    name = owner.get("/api/account").json()["name"]
    alone = begin(owner, "chefa", "me", "me")["number"]
    number = begin(owner, "chefa", "me", "open")["number"]
    found = server.browsers["nobody"].get(f"/api/people/{name.upper()}").json()
    assert (found["name"], found["is_program"], len(found["created"])) == (name, False, 10)
    assert [each["number"] for each in found["matches"]] == [number]
    assert alone not in str(found)
    answer = server.browsers["nobody"].get(f"/api/people/{name.replace('-', '')}")
    assert (answer.status_code, answer.json()) == (404, {"error": "There is no such account."})
    assert server.browsers["nobody"].get("/api/people/x%00y").status_code == 404
