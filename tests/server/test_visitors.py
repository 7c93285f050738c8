"""Cookies that the server has signed, what an invented one is worth, and how addresses are counted."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from damier.core.messages import message
from damier.server.app import create_app
from damier.server.front.visitors import COOKIE, limited_address
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.store import StoreFailed
from tests.server.databases import downgrade
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS, another_browser


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    return ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")})


def with_cookie(client: TestClient, cookie: str) -> TestClient:
    """Returns another browser at the same server, with a cookie."""
    other = another_browser(client)
    other.cookies.set(COOKIE, cookie)
    return other


def replaced(letter: str) -> str:
    return "A" if letter != "A" else "B"


def test_a_cookie_is_a_token_and_its_signature(client: TestClient) -> None:
    token, signature = client.get("/").cookies[COOKIE].split(".")
    assert (len(token), len(signature)) == (32, 43)
    assert not client.get("/").cookies


def test_an_invented_cookie_is_no_identity_and_is_replaced(ann: TestClient, bob: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    token, signature = ann.cookies[COOKIE].split(".")
    bob.get("/")
    invented = (
        secrets.token_urlsafe(24),
        f"{token}.{signature[:20]}{replaced(signature[20])}{signature[21:]}",
        f"{token[:5]}{replaced(token[5])}{token[6:]}.{signature}",
        f"{token}.{bob.cookies[COOKIE].split('.')[1]}",
        f"{token}.",
        f".{signature}",
        f"{token}.{signature}.{signature}",
        "é" * 32,
        "x" * 5000,
        "",
    )
    for cookie in invented:
        eve = another_browser(ann)
        given = {b"Cookie": f"{COOKIE}={cookie}".encode()}
        seats = eve.get(f"/api/matches/{number}", headers=given).json()["seats"]
        assert [seat["is_mine"] for seat in seats] == [False, False]
        assert eve.get("/api/matches", headers=given).json() == []
        with live(eve, number, headers=given) as socket:
            assert "watching" in Player(socket).ask("play", action="a1")["error"]
        assert eve.get("/", headers=given).cookies[COOKIE] != cookie


def test_a_signed_cookie_is_valid_after_a_restart(settings: ServerSettings) -> None:
    with TestClient(create_app(Services(settings))) as client:
        number, cookies = begin(client, "chefa", "me", "me")["number"], client.cookies
    with TestClient(create_app(Services(settings)), cookies=cookies) as client:
        assert [match["number"] for match in client.get("/api/matches").json()] == [number]
        assert not client.get("/").cookies


def test_another_server_does_not_know_the_cookie(settings: ServerSettings, ann: TestClient) -> None:
    ann.get("/")
    with TestClient(create_app(Services(settings)), cookies={COOKIE: ann.cookies[COOKIE]}) as client:
        assert COOKIE in client.get("/").cookies


def test_a_cookie_of_an_older_key_is_valid_and_signed_anew(settings: ServerSettings) -> None:
    with TestClient(create_app(Services(settings))) as client:
        number, old = begin(client, "chefa", "me", "me")["number"], client.cookies[COOKIE]
    with sqlite3.connect(settings.database) as connection:
        connection.execute("INSERT INTO signing_keys (key, created) VALUES ('newer', '')")
    with TestClient(create_app(Services(settings))) as client:
        browser = with_cookie(client, old)
        assert [match["number"] for match in browser.get("/api/matches").json()] == [number]
        new = browser.get("/").cookies[COOKIE]
        assert (new.split(".")[0], new != old) == (old.split(".")[0], True)
        browser = with_cookie(client, new)
        assert [match["number"] for match in browser.get("/api/matches").json()] == [number]


def test_the_unsigned_cookie_of_a_known_visitor_keeps_the_match_and_is_signed(settings: ServerSettings) -> None:
    with TestClient(create_app(Services(settings))) as client:
        number = begin(client, "chefa", "me", "me")["number"]
        token = client.cookies[COOKIE].split(".")[0]
    downgrade(Path(settings.stored_in), "0003")
    with TestClient(create_app(Services(settings))) as client:
        browser = with_cookie(client, token)
        with live(browser, number) as socket:  # a page that was open connects again
            Player(socket).play("a1")
        signed = browser.get("/").cookies[COOKIE]
        assert signed.split(".")[0] == token
        browser = with_cookie(client, signed)
        assert [match["number"] for match in browser.get("/api/matches").json()] == [number]
        assert not browser.get("/").cookies


def test_the_unsigned_cookie_of_a_visitor_with_a_nickname_is_signed(settings: ServerSettings) -> None:
    with TestClient(create_app(Services(settings))) as client:
        client.put("/api/me", json={"nickname": "Ann"})
        token = client.cookies[COOKIE].split(".")[0]
        browser = with_cookie(client, token)
        assert browser.get("/api/me").json() == {"nickname": "Ann"}
        assert with_cookie(client, token).get("/").cookies[COOKIE].split(".")[0] == token


def test_a_cookie_that_cannot_be_looked_up_is_not_replaced(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = Services(settings)

    sentence = message("The server could not store or read the match: try again.")

    async def fails(_visitor: str) -> bool:
        raise StoreFailed(sentence)

    monkeypatch.setattr(services.visitors, "_knows", fails)
    with TestClient(create_app(services)) as client:
        browser = with_cookie(client, "a" * 32)
        answer = browser.get("/api/me")
        assert (answer.status_code, answer.json()) == (503, {"error": sentence.render("en")})
        assert not browser.get("/").cookies
        with pytest.raises(WebSocketDenialResponse) as refused, live(browser, "x"):
            pass
        assert refused.value.status_code == 503


def test_a_cookie_is_secure_where_the_public_address_is(settings: ServerSettings) -> None:
    public = settings.model_copy(update={"origin": "https://games.example.org"})
    with TestClient(create_app(Services(public))) as client:
        assert "Secure" not in client.get("/").headers["Set-Cookie"]
        answer = another_browser(client).get("/", headers={"Host": "games.example.org"})
        assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("x" * 100, "x" * 64),
        ("", ""),
    ],
)
def test_addresses_of_version_6_are_counted_by_their_network(host: str, counted: str) -> None:
    assert limited_address(host) == counted
