"""Limits by visitor and by address: new cookies and clocks that jump do not help, and refusals say when to return."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from damier.core.messages import message
from damier.server.app import create_app
from damier.server.errors import TooManyRequests
from damier.server.front import limits
from damier.server.front.limits import Allowance, RateLimiter
from damier.server.front.visitors import COOKIE
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS, another_browser

TOO_FAST = "That is too fast: wait a moment."
NETWORK = "Your network sends too many requests: wait a moment."


def beyond(sentence: str, limit: str, seconds: int = 1) -> dict[str, str | int]:
    """Returns the answer to a request beyond a limit."""
    return {"error": sentence, "limit": limit, "seconds": seconds}


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def limited(tmp_path: Path, clock: Clock, **given: Any) -> Iterator[TestClient]:
    """Runs a server with limits of its own."""
    settings = ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite"), **given})
    with TestClient(create_app(Services(settings, clock))) as client:
        yield client


@pytest.fixture
def clock() -> Clock:
    return Clock()


def at_address(client: TestClient, host: str) -> TestClient:
    """Returns a browser at another address."""
    other = TestClient(client.app, client=(host, 50000))
    other.portal = client.portal
    return other


# Buckets


def test_buckets_fill_up_again() -> None:
    clock = Clock()
    buckets = RateLimiter(2, 3, clock)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert (buckets.wait("a"), buckets.wait("b")) == (0.5, 0.0)
    assert buckets.take("b")
    clock.now += 0.6
    assert [buckets.take("a"), buckets.take("a")] == [True, False]


@pytest.mark.parametrize("jump", [-1000.0, -1.0, 0.0])
def test_a_clock_that_goes_back_neither_fills_a_bucket_nor_locks_it(jump: float) -> None:
    clock = Clock()
    buckets = RateLimiter(2, 3, clock)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    clock.now += jump
    assert not buckets.take("a")
    clock.now += 0.5
    assert [buckets.take("a"), buckets.take("a")] == [True, False]


def test_a_clock_that_leaps_forward_gives_one_burst() -> None:
    clock = Clock()
    buckets = RateLimiter(2, 3, clock)
    assert all(buckets.take("a") for _ in range(3))
    clock.now += 10**9
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_a_visitor_beyond_the_limit_takes_nothing_from_others_at_the_address(clock: Clock) -> None:
    visitors, addresses = RateLimiter(1, 2, clock), RateLimiter(1, 4, clock)
    allowance = Allowance(visitors, addresses, message("{x}", x="visitor"), message("{x}", x="address"))
    for _ in range(2):
        allowance.spend("ann", "here")
    for _ in range(10):
        with pytest.raises(TooManyRequests, match="visitor"):
            allowance.spend("ann", "here")
    for _ in range(2):
        allowance.spend("", "here")
    with pytest.raises(TooManyRequests, match="address"):
        allowance.spend("bob", "here")


# Requests


def test_who_asks_too_often_has_to_wait(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_second=2) as client:
        client.get("/api/me")
        assert [client.get("/api/matches").status_code for _ in range(7)] == 6 * [200] + [429]
        answer = client.get("/api/matches")
        assert (answer.json(), answer.headers["Retry-After"]) == (beyond(TOO_FAST, "requests_per_second"), "1")
        clock.now += 0.5
        assert [client.get("/api/matches").status_code for _ in range(2)] == [200, 429]
        other = another_browser(client)
        other.get("/api/me")
        assert other.get("/api/matches").status_code == 200


def test_a_new_invented_cookie_for_each_request_is_limited_by_address(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_second=2) as client:
        statuses = []
        for _ in range(100):
            client.cookies.set(COOKIE, f"{secrets.token_urlsafe(24)}.{secrets.token_urlsafe(32)}")
            statuses.append(client.get("/api/games/chefa/drawing").status_code)
        assert statuses == 30 * [200] + 70 * [429]
        answer = client.get("/api/matches")
        assert (answer.json(), answer.headers["Retry-After"]) == (beyond(NETWORK, "requests_per_address"), "1")
        assert at_address(client, "192.0.2.1").get("/api/matches").status_code == 200


def test_a_new_cookie_of_the_server_for_each_request_is_limited_by_address(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_second=2) as client:
        statuses = [another_browser(client).get("/api/me").status_code for _ in range(40)]
        assert statuses == 30 * [200] + 10 * [429]


def test_visitors_without_a_cookie_have_the_budget_of_their_address(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_address=2) as client:
        ann, bob = at_address(client, "192.0.2.1"), at_address(client, "192.0.2.2")
        assert [ann.get("/api/matches").status_code for _ in range(8)] == 6 * [200] + 2 * [429]
        assert [bob.get("/api/matches").status_code for _ in range(8)] == 6 * [200] + 2 * [429]


def test_one_network_of_version_6_has_one_budget(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_address=2) as client:
        hosts = [f"2001:db8:1:2::{number:x}" for number in range(8)]
        assert [at_address(client, host).get("/api/me").status_code for host in hosts] == 6 * [200] + 2 * [429]
        assert at_address(client, "2001:db8:1:3::1").get("/api/me").status_code == 200


@pytest.mark.parametrize("path", ["/", "/learn", "/embed/chefa", "/nowhere", "/api/openapi.json", "/api/sentences"])
def test_pages_and_frames_are_limited_too(tmp_path: Path, clock: Clock, path: str) -> None:
    with limited(tmp_path, clock, requests_per_address=1) as client:
        statuses = [another_browser(client).get(path).status_code for _ in range(4)]
        assert 429 not in statuses[:3]
        assert statuses[3] == 429


def test_files_and_signs_of_life_have_a_large_budget_of_their_own(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_second=1, requests_per_address=1) as client:
        for path in ("/static/app.js", "/static/nowhere", "/api/alive"):
            assert 429 not in {client.get(path).status_code for _ in range(10)}
        for path in ("/static/app.js", "/healthz", "/metrics"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()) == (429, beyond(NETWORK, "files"))
        assert client.get("/api/matches").status_code == 200


@pytest.mark.parametrize("request_", [("/", {"Host": "elsewhere.example"}), ("/?" + 9000 * "x", {})])
def test_what_is_refused_for_another_reason_counts_too(
    tmp_path: Path, clock: Clock, request_: tuple[str, dict[str, str]]
) -> None:
    path, headers = request_
    with limited(tmp_path, clock, requests_per_address=1) as client:
        statuses = [client.get(path, headers=headers).status_code for _ in range(4)]
        assert 429 not in statuses[:3]
        assert statuses[3] == 429


def test_a_refusal_is_held_back(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PENALTY_SECONDS", 0.3)
    with limited(tmp_path, clock, requests_per_address=1) as client:
        assert [client.get("/api/me").status_code for _ in range(3)] == [200, 200, 200]
        began = time.monotonic()
        assert client.get("/api/me").status_code == 429
        assert time.monotonic() - began >= 0.3


def test_a_refusal_in_a_socket_is_held_back(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PENALTY_SECONDS", 0.3)
    with (
        limited(tmp_path, clock, requests_per_second=1) as client,
        live(client, begin(client, "chefa", "me", "me")["number"]) as socket,
    ):
        player = Player(socket)
        player.play("a1")
        player.play("b1")
        began = time.monotonic()
        assert player.ask("play", action="c1")["error"] == TOO_FAST
        assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize(
    ("lang", "sentence", "again"),
    [
        ("en", NETWORK, "Try again"),
        ("fr", "Votre réseau envoie trop de requêtes\u00a0: attendez un instant.", "Réessayer"),
        ("de", "Dein Netz sendet zu viele Anfragen: Warte einen Moment.", "Erneut versuchen"),
    ],
)
def test_a_person_who_has_to_wait_gets_a_page(
    tmp_path: Path, clock: Clock, lang: str, sentence: str, again: str
) -> None:
    with limited(tmp_path, clock, requests_per_address=1) as client:
        asked = {"Accept": "text/html,*/*", "Accept-Language": lang}
        answers = [another_browser(client).get("/", headers=asked) for _ in range(4)]
        refused = answers[-1]
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        assert refused.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in refused.headers["Content-Security-Policy"]
        assert f"<p>{sentence}</p>" in refused.text
        assert f'<html lang="{lang}">' in refused.text
        assert "<script" not in refused.text
        assert f'href="">{again}</a>' in refused.text
        styles = re.findall(r'rel="stylesheet" href="([^"]+)"', refused.text)
        found = [another_browser(client).get(style) for style in styles]  # files take no tokens
        assert [(each.status_code, each.headers["Content-Type"]) for each in found] == [
            (200, "text/css; charset=utf-8"),
            (200, "text/css; charset=utf-8"),
        ]


# Matches and sockets


def test_matches_are_limited_by_visitor_and_by_address(tmp_path: Path, clock: Clock) -> None:
    asked = {"game": "chefa", "seats": ["me", "me"]}
    with limited(tmp_path, clock, matches_per_hour=2, matches_per_address=4) as client:
        assert [client.post("/api/matches", json=asked).status_code for _ in range(3)] == [201, 201, 429]
        answer = client.post("/api/matches", json=asked)
        assert (answer.json(), answer.headers["Retry-After"]) == (
            beyond("You have begun many matches: wait a while.", "matches_per_hour", 1800),
            "1800",
        )
        answers = [another_browser(client).post("/api/matches", json=asked) for _ in range(3)]
        assert [each.status_code for each in answers] == [201, 201, 429]
        assert (answers[-1].json(), answers[-1].headers["Retry-After"]) == (
            beyond("Many matches were begun from your network: wait a while.", "matches_per_address", 900),
            "900",
        )


def test_requests_over_a_socket_take_tokens_of_visitor_and_address(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_second=1, requests_per_address=2) as client:
        number = begin(client, "chefa", "me", "me")["number"]  # of the address alone: it gives the cookie
        with live(client, number) as socket:
            player = Player(socket)
            player.play("a1")
            player.play("b1")
            assert player.ask("play", action="c1")["error"] == TOO_FAST
        watcher = another_browser(client)
        with live(watcher, number) as socket:  # the fifth of six of the address
            player = Player(socket)
            assert "watching" in player.ask("play", action="c1")["error"]
            assert player.ask("play", action="c1")["error"] == NETWORK
        with pytest.raises(WebSocketDenialResponse) as refused, live(watcher, number):
            pass
        assert (refused.value.status_code, refused.value.json()) == (429, beyond(NETWORK, "requests_per_address"))


def test_queries_of_an_analysis_socket_take_tokens(tmp_path: Path, clock: Clock) -> None:
    with limited(tmp_path, clock, requests_per_address=1) as client:
        with client.websocket_connect("/api/lines/live") as socket:
            told = []
            for name in "abc":
                socket.send_json({"id": name, "game": "ludo"})
                told.append(socket.receive_json()["error"] == NETWORK)
        assert told == [False, False, True]
