"""The guard in front of the application: hosts, lengths, bodies that do not arrive, and the headers of every answer."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse
from starlette.testclient import WebSocketDenialResponse
from starlette.types import Message, Receive, Scope, Send

from damier.core.errors import BadArgument
from damier.server.front import guard
from damier.server.front.guard import Guard
from damier.server.front.hosts import AllowedHosts, host_names, proxy_networks
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.served import SETTINGS

UNKNOWN = "This server is not known as 'evil.example': its operator can allow that name with --allowed-hosts."


@pytest.fixture
def services(tmp_path: Path) -> Services:
    settings = {**SETTINGS, "database": str(tmp_path / "matches.sqlite"), "origin": "https://games.example.org"}
    return Services(ServerSettings.read(settings))


# Hosts


def test_a_host_that_is_not_known_is_refused(client: TestClient) -> None:
    for path in ("/api/games", "/static/app.js", "/api/alive"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert (answer.status_code, answer.json()) == (400, {"error": UNKNOWN})
    page = client.get("/", headers={"Host": "evil.example", "Accept": "text/html"})
    assert (page.status_code, "<p>This server is not known" in page.text, "<a" in page.text) == (400, True, False)
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect("/api/lines/live", headers={"Host": "evil.example"}),
    ):
        pass
    assert (refused.value.status_code, refused.value.json()) == (400, {"error": UNKNOWN})


def test_links_are_made_of_hosts_that_are_known(client: TestClient) -> None:
    page = client.get("/analyse/chefa?position=x&actions=a1", headers={"Host": "evil.example"})
    assert (page.status_code, "og:url" in page.text) == (400, False)
    for host in ("testserver", "localhost:8000", "192.0.2.1"):
        page = client.get("/analyse/chefa?actions=a1", headers={"Host": host})
        assert f'<meta property="og:url" content="http://{host}/' in page.text


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:80", "localhost.", "127.0.0.1:8000", "[::1]:8000", "[::ffff:192.0.2.1]", "203.0.113.9"]
    + ["games.example.org", "Games.Example.org:443", "own.example"],
)
def test_names_that_nobody_else_can_have_are_allowed(host: str) -> None:
    assert AllowedHosts(["own.example"], "https://games.example.org").allows(host)


def test_the_name_of_the_machine_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Board.example.net")
    hosts = AllowedHosts([])
    assert [hosts.allows(name) for name in ("board", "board.local", "board.example.net", "example.net")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "localhost:x", "[", "[]"]
    + ["[::1", "[evil]", "localhost/x", "localhost@evil.example", "a" * 300, "locälhost", "localhost:1:2", "1.2.3"],
)
def test_other_names_are_not_allowed(host: str) -> None:
    assert not AllowedHosts([]).allows(host)


def test_every_name_can_be_allowed_but_nothing_that_is_none() -> None:
    hosts = AllowedHosts(host_names("*"))
    assert hosts.allows("evil.example")
    assert not hosts.allows("[")


def test_a_request_without_a_host_is_answered(services: Services) -> None:
    assert asyncio.run(answered(services, headers=[])).status == 200


def test_lists_are_separated_by_commas() -> None:
    assert host_names(" A.example, b.example,,") == ["a.example", "b.example"]
    assert proxy_networks("10.0.0.0/8, ::1") == ["10.0.0.0/8", "::ffff:10.0.0.0/104", "::1/128"]
    with pytest.raises(BadArgument):
        proxy_networks("10.0.0.1/8")


# Lengths


@pytest.mark.parametrize("path", ["/explore/chefa?actions=", "/", "/api/games/chefa/drawing?x=", "/static/"])
def test_a_long_address_is_refused(client: TestClient, path: str) -> None:
    longest = guard.LONGEST_ADDRESS - len(path)
    assert client.get(path + longest * "a").status_code != 414
    answer = client.get(path + (longest + 2) * "a")
    assert (answer.status_code, answer.json()) == (414, {"error": "The address is longer than 8192 bytes."})
    assert client.get(path + (longest // 3 + 2) * "%61").status_code == 414


def test_requests_of_no_end_are_refused_unread(ann: TestClient) -> None:
    answer = ann.post("/api/matches", content=b" " * 4_000_001)
    assert answer.status_code == 413
    assert answer.json()["error"] == "The request is longer than 4000000 bytes."
    answer = ann.post("/api/matches", content=iter([b"{", b"}"]))
    assert (answer.status_code, answer.json()["error"]) == (411, "A request with a body needs a Content-Length.")


def test_every_answer_has_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/games", "/static/app.js", "/api/matches/nowhere", "/nowhere", "/?x=" + 9000 * "a"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "same-origin")
    assert "frame-ancestors *" in client.get("/embed/chefa").headers["Content-Security-Policy"]


# Bodies


class Answer:
    """What an application has sent."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 0, dict[bytes, bytes](), b""

    async def send(self, part: Message) -> None:
        if part["type"] == "http.response.start":
            self.status, self.headers = part["status"], dict(part["headers"])
        self.body += part.get("body", b"")


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with what it gets."""
    part = await receive()
    assert not part["more_body"]
    await PlainTextResponse(part["body"])(scope, receive, send)


def scope_of(headers: list[tuple[bytes, bytes]], host: str = "192.0.2.1") -> Scope:
    about = {"type": "http", "method": "POST", "path": "/api/x", "raw_path": b"/api/x", "query_string": b""}
    return {**about, "headers": headers, "client": (host, 1)}


async def answered(
    services: Services,
    headers: list[tuple[bytes, bytes]],
    parts: list[Message] | None = None,
    seconds: float = 60,
) -> Answer:
    """Returns the answer to a request whose parts arrive one by one; after the last, nothing comes."""
    waiting = iter(parts or [{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        for part in waiting:
            return part
        await asyncio.Event().wait()
        raise AssertionError

    answer = Answer()
    await Guard(echo, services, seconds)(scope_of(headers), receive, answer.send)
    return answer


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_reaches_the_application_whole(services: Services) -> None:
    parts = [part(b"ab", more=True), part(b"cd", more=True), part(b"", more=False)]
    answer = asyncio.run(answered(services, [(b"content-length", b"4")], parts))
    assert (answer.status, answer.body) == (200, b"abcd")


def test_a_body_that_stalls_is_refused(services: Services) -> None:
    answer = asyncio.run(answered(services, [(b"content-length", b"4")], [part(b"ab", more=True)], seconds=0.05))
    assert (answer.status, answer.headers[b"connection"]) == (408, b"close")
    assert answer.body == b'{"error":"The request did not arrive within 0 seconds."}'


def test_a_client_that_leaves_within_its_body_is_told_to_the_application(services: Services) -> None:
    with pytest.raises(KeyError, match="more_body"):
        asyncio.run(
            answered(services, [(b"content-length", b"4")], [part(b"a", more=True), {"type": "http.disconnect"}])
        )


def test_the_bodies_of_one_address_share_a_budget(services: Services) -> None:
    async def sent() -> list[int]:
        held = asyncio.Event()

        async def hold(scope: Scope, receive: Receive, send: Send) -> None:
            await held.wait()
            await PlainTextResponse("")(scope, receive, send)

        async def receive() -> Message:
            return part(b"", more=False)

        application, answers = Guard(hold, services), [Answer() for _ in range(7)]
        hosts = 5 * ["192.0.2.1"] + ["192.0.2.2", "192.0.2.1"]
        headers = [(b"content-length", b"4000000")]

        def ask(number: int) -> Any:
            return application(scope_of(headers, hosts[number]), receive, answers[number].send)

        first = [asyncio.create_task(ask(number)) for number in range(6)]
        await asyncio.sleep(0.05)
        held.set()
        await asyncio.gather(*first)
        await ask(6)
        return [answer.status for answer in answers]

    assert asyncio.run(sent()) == [200, 200, 200, 200, 429, 200, 200]
