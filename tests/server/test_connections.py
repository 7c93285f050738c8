"""Connections to a real server: half-sent requests, caps in all and by address, proxies, and the end of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from damier.server.front.connections import LONGEST_HEAD, Connections, connections_allowed
from damier.server.front.hosts import proxy_networks
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.listening import SECONDS, Listening, everything, listening, request

FILE = request("/static/app.js", Connection="close")
ALIVE = request("/api/alive", Connection="close")
HALF = "GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Half: "
SOCKET = "/api/lines/live"

CROWDED = (
    '{"error": "There are too many connections from your address.", "limit": "connections_per_address", "seconds": 10}'
)


async def opened(server: Listening, count: int, text: str, host: str = "127.0.0.1") -> list[asyncio.Task[str]]:
    """Opens connections that send the beginning of a request; returns what each is answered in the end."""
    waiting = []
    for _ in range(count):
        reader, writer = await server.connect(host)
        writer.write(text.encode())
        waiting.append(asyncio.create_task(ended(reader, writer)))
    return waiting


async def ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    with contextlib.closing(writer):
        return await everything(reader)


def test_half_sent_requests_are_closed_and_keep_nobody_out(tmp_path: Path) -> None:
    connections = Connections(200, 100, head_seconds=2)
    with listening(tmp_path, connections) as server:

        async def attack() -> list[str]:
            half = await opened(server, 300, HALF)
            assert server.connections.count <= 100
            for host in ("127.0.0.1", "127.0.0.2"):
                assert (await server.ask(FILE, host)).startswith("HTTP/1.1 200 OK")
            answers = await asyncio.gather(*half)
            await server.count_falls_to(0)
            return answers

        answers = asyncio.run(attack())
    late, crowded = "408 Request Timeout", "429 Too Many Requests"
    statuses = [answer.partition("\r\n")[0].removeprefix("HTTP/1.1 ") for answer in answers]
    assert set(statuses) <= {late, crowded, ""}  # nothing where the system ended the connection at once
    assert statuses.count(late) >= 90
    assert statuses.count(crowded) >= 100
    said = {answer.partition("\r\n\r\n")[2] for answer in answers if answer}
    assert said == {
        '{"error": "The request did not arrive in time."}',
        CROWDED,
    }


def test_a_connection_without_a_request_is_closed_without_an_answer(tmp_path: Path) -> None:
    with listening(tmp_path, Connections(10, 10, head_seconds=0.2)) as server:
        assert asyncio.run(server.ask("")) == ""
        assert asyncio.run(server.ask("\r\n")) == ""


def test_headers_that_arrive_letter_by_letter_have_no_more_time(tmp_path: Path) -> None:
    async def trickle(server: Listening) -> str:
        reader, writer = await server.connect()
        answer = asyncio.create_task(ended(reader, writer))
        writer.write(HALF.encode())
        while not answer.done():
            with contextlib.suppress(ConnectionError):
                writer.write(b"x")
                await writer.drain()
            await asyncio.sleep(0.02)
        return await answer

    with listening(tmp_path, Connections(10, 10, head_seconds=0.4)) as server:
        assert asyncio.run(trickle(server)).startswith("HTTP/1.1 408")


def test_endless_headers_are_refused(tmp_path: Path) -> None:
    with listening(tmp_path, Connections(10, 10)) as server:
        answer = asyncio.run(server.ask(HALF + (LONGEST_HEAD + 1) * "x"))
        assert answer.startswith("HTTP/1.1 431")
        assert answer.endswith('{"error": "The headers of the request are too long."}')


def test_requests_follow_each_other_on_one_connection(tmp_path: Path) -> None:
    async def ask(server: Listening) -> str:
        reader, writer = await server.connect()
        first, second = request("/api/alive"), FILE
        for text in (first, first, second[:20]):
            writer.write(text.encode())
            if text is first:
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204")
        await asyncio.sleep(0.1)
        writer.write(second[20:].encode())
        return await ended(reader, writer)

    with listening(tmp_path, Connections(10, 10)) as server:
        assert asyncio.run(ask(server)).startswith("HTTP/1.1 200")


@pytest.mark.parametrize("rest", ["GET /api/games HT", "x"])
def test_a_further_request_has_to_arrive_in_time_too(tmp_path: Path, rest: str) -> None:
    async def ask(server: Listening) -> str:
        reader, writer = await server.connect()
        writer.write(request("/api/matches", "POST", Content_Length=5_000_000).encode() if rest == "x" else b"")
        writer.write(request("/api/alive").encode() if rest != "x" else b"")
        assert (await reader.readuntil(b"\r\n\r\n")).split()[1] in (b"204", b"413")
        writer.write(rest.encode())
        await everything(reader)
        writer.close()
        return "closed"

    with listening(tmp_path, Connections(10, 10, head_seconds=0.3)) as server:
        assert asyncio.run(ask(server)) == "closed"


def test_a_body_that_stalls_is_answered_and_the_connection_closed(tmp_path: Path) -> None:
    text = request("/api/matches", "POST", Content_Length=100, Content_Type="application/json") + '{"game": '
    with listening(tmp_path, Connections(10, 10), body_seconds=0.3) as server:
        answer = asyncio.run(server.ask(text))
    assert answer.startswith("HTTP/1.1 408")
    assert "connection: close" in answer.lower()
    assert answer.endswith('{"error":"The request did not arrive within 0 seconds."}')


# Caps


async def match_socket(server: Listening) -> str:
    """Begins a match and returns the address of its socket."""
    body = json.dumps({"game": "chefa", "seats": ["me", "open"]})
    head = request(
        "/api/matches", "POST", Content_Length=len(body), Content_Type="application/json", Connection="close"
    )
    number = json.loads((await server.ask(head + body)).partition("\r\n\r\n")[2])["number"]
    await server.count_falls_to(0)
    return f"ws://127.0.0.1:{server.port}/api/matches/{number}/live"


def test_one_address_has_only_so_many_connections_sockets_too(tmp_path: Path) -> None:
    async def crowd(server: Listening) -> None:
        address = await match_socket(server)
        async with contextlib.AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(connect(address)) for _ in range(10)]
            answer = await server.ask(FILE)
            assert answer.startswith("HTTP/1.1 429 Too Many Requests")
            assert "Retry-After: 10" in answer
            assert answer.endswith(CROWDED)
            assert (await server.ask(FILE, "127.0.0.2")).startswith("HTTP/1.1 200")
            await sockets[0].close()
            await server.count_falls_to(9)
            assert (await server.ask(FILE)).startswith("HTTP/1.1 200")
        await server.count_falls_to(0)

    with listening(tmp_path, Connections(100, 10)) as server:
        asyncio.run(crowd(server))


def test_the_server_has_only_so_many_connections(tmp_path: Path) -> None:
    async def crowd(server: Listening) -> None:
        address = await match_socket(server)
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(10):
                await stack.enter_async_context(connect(address))
            answer = await server.ask(FILE, "127.0.0.2")
            assert answer.startswith("HTTP/1.1 503 Service Unavailable")
            assert answer.endswith('{"error": "The server has too many connections."}')
        await server.count_falls_to(0)
        half = await opened(server, 10, HALF)
        assert (await server.ask(FILE, "127.0.0.2")).startswith("HTTP/1.1 200")  # in place of the oldest half request
        for task in half:
            task.cancel()

    with listening(tmp_path, Connections(10, 10)) as server:
        asyncio.run(crowd(server))


def test_a_trusted_proxy_has_as_many_connections_as_there_are(tmp_path: Path) -> None:
    async def crowd(server: Listening) -> None:
        address = await match_socket(server)
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(10):
                await stack.enter_async_context(connect(address))
            assert (await server.ask(FILE)).startswith("HTTP/1.1 200")

    proxies = proxy_networks("127.0.0.1")
    with listening(tmp_path, Connections(100, 5, proxies), proxies=proxies) as server:
        asyncio.run(crowd(server))


# Proxies


@pytest.mark.parametrize(
    ("proxies", "forwarded", "statuses"),
    [
        ("", "192.0.2.{}", 3 * ["200"] + 2 * ["429"]),
        ("127.0.0.1", "192.0.2.{}", 5 * ["200"]),
        ("127.0.0.0/8", "192.0.2.{}", 5 * ["200"]),
        ("10.0.0.0/8", "192.0.2.{}", 3 * ["200"] + 2 * ["429"]),
        ("127.0.0.1", "192.0.2.{}, 198.51.100.7", 3 * ["200"] + 2 * ["429"]),  # what the proxy saw is last
        ("127.0.0.1,198.51.100.7", "192.0.2.{}, 198.51.100.7", 5 * ["200"]),
        ("127.0.0.1", "2001:db8::{}", 3 * ["200"] + 2 * ["429"]),
    ],
)
def test_the_address_that_a_proxy_gives_is_believed_only_from_trusted_ones(
    tmp_path: Path, proxies: str, forwarded: str, statuses: list[str]
) -> None:
    async def ask(server: Listening) -> list[str]:
        texts = (request("/api/me", X_Forwarded_For=forwarded.format(n), Connection="close") for n in range(1, 6))
        return [(await server.ask(text)).split()[1] for text in texts]

    networks = proxy_networks(proxies)
    slowly = {"requests_per_second": 1, "requests_per_address": 1}
    with listening(tmp_path, Connections(10, 10, networks), proxies=networks, **slowly) as server:
        found = asyncio.run(ask(server))
    assert found == statuses


# The process


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_server_ends_at_once_with_half_sent_requests_and_sockets_open(tmp_path: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--database", str(tmp_path / "matches.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        port = int(process.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])

        async def end() -> None:
            server = Listening(port, Connections(10, 10), Services(ServerSettings()), asyncio.get_running_loop())
            half = await opened(server, 20, HALF)
            async with connect(f"ws://127.0.0.1:{port}{SOCKET}") as socket:
                assert (await server.ask(ALIVE)).startswith("HTTP/1.1 204")
                process.send_signal(how)
                await asyncio.gather(*half)
                await asyncio.wait_for(socket.wait_closed(), SECONDS)
                assert socket.close_code == 1012

        asyncio.run(end())
        _, errors = process.communicate(timeout=SECONDS)
    assert errors in ("", "damier: stopped.\n")


@pytest.mark.parametrize(
    ("soft", "hard", "allowed"),
    [(256, 20_000, 2000), (20_000, 20_000, 2000), (256, 2280, 1140), (256, 1024, 512), (256, -1, 2000), (-1, -1, 2000)],
)
def test_the_limit_of_open_files_is_raised_or_respected(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, allowed: int
) -> None:
    chosen = []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _which, limits: chosen.append(limits))
    assert connections_allowed(2000) == allowed
    assert all(given[1] == hard for given in chosen)
