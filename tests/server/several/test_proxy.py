"""The proxies of `deploy`: what they pass on, and that they skip servers that are gone; one skips those that drain."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from websockets.http11 import Request, Response
from websockets.sync.client import connect
from websockets.sync.server import Server, ServerConnection, serve

from tools import debian, proxy

PATIENCE = 30.0
START = {"haproxy": proxy.start, "nginx": proxy.start_nginx}


class _Handler(BaseHTTPRequestHandler):
    """Answers with what it was asked."""

    protocol_version = "HTTP/1.1"
    server: "PlainServer"

    def do_GET(self) -> None:
        if self.path == "/readyz":
            self._answer(200 if self.server.is_ready else 503, {})
        else:
            self.server.asked += 1
            self._answer(200, {"path": self.path, "port": self.server.server_port, "headers": dict(self.headers)})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        self._answer(200, {"body": body.decode(), "port": self.server.server_port})

    def _answer(self, status: int, data: dict[str, Any]) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Logs nothing."""


class PlainServer(ThreadingHTTPServer):
    """A server that can be ready or not, and counts requests."""

    is_ready = True
    asked = 0
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self._open: set[Any] = set()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Notes the connection."""
        self._open.add(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Takes no notice: the proxy resets connections of its checks."""

    def end(self) -> None:
        """Ends at once, its connections too."""
        self.shutdown()
        self.server_close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Proxied:
    """Two servers behind a proxy."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.servers = [PlainServer(), PlainServer()]
        self.port = debian.free_port()
        try:
            self._proxy = START[kind](folder, self.port, [server.server_port for server in self.servers])
        except proxy.NoProxy as error:
            pytest.fail(str(error), pytrace=False)

    def ask(self, path: str = "/", method: str = "GET", body: str = "", **headers: str) -> tuple[int, dict[str, Any]]:
        """Sends a request on a connection of its own; returns the status and the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, names)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if answer.status == 200 else {}

    def end(self) -> None:
        """Ends all."""
        proxy.stop(self._proxy)
        for server in self.servers:
            server.end()


@pytest.fixture(params=START)
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxied]:
    found = Proxied(request.param, tmp_path)
    yield found
    found.end()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_requests_are_spread_and_what_visitors_claim_of_themselves_is_dropped(proxied: Proxied) -> None:
    forged = {"X_Forwarded_For": "8.8.8.8", "X_Forwarded_Proto": "https", "X_Request_ID": "forged"}
    until(lambda: all(server.asked for server in proxied.servers) or proxied.ask("/a")[0] != 200)
    status, found = proxied.ask("/b?c=d", **forged)
    headers = {name.lower(): value for name, value in found["headers"].items()}
    assert (status, found["path"]) == (200, "/b?c=d")
    assert headers["host"] == f"127.0.0.1:{proxied.port}"
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert headers["x-forwarded-proto"] == "http"
    assert len(headers["x-request-id"]) >= 32
    assert proxied.ask("/metrics")[0] == 404


def test_a_server_that_is_gone_costs_no_request(proxied: Proxied) -> None:
    gone, other = proxied.servers
    gone.end()
    for number in range(30):
        status, found = proxied.ask("/", "POST", f"body {number}")
        assert (status, found) == (200, {"body": f"body {number}", "port": other.server_port})
    proxied.servers[0] = PlainServer(gone.server_port)
    until(lambda: proxied.ask()[1]["port"] == gone.server_port)


@pytest.mark.parametrize("proxied", ["haproxy"], indirect=True)
def test_a_server_that_drains_gets_no_more_requests(proxied: Proxied) -> None:
    first, other = proxied.servers
    first.is_ready = False
    time.sleep(1.5)  # it is asked every second
    before = first.asked
    assert {proxied.ask()[1]["port"] for _ in range(30)} == {other.server_port}
    assert first.asked == before


@pytest.mark.parametrize("kind", START)
def test_sockets_pass(kind: str, tmp_path: Path) -> None:
    def echo(here: ServerConnection) -> None:
        for text in here:
            here.send(f"{here.request.path if here.request else ''} {text!s}")

    def ready(here: ServerConnection, request: Request) -> Response | None:
        return here.respond(200, "") if request.path == "/readyz" else None

    server: Server = serve(echo, "127.0.0.1", 0, process_request=ready)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = debian.free_port()
    running = START[kind](tmp_path, port, [server.socket.getsockname()[1]])
    try:
        with connect(f"ws://127.0.0.1:{port}/live") as there:
            for text in ("one", "two"):
                there.send(text)
                assert there.recv(timeout=PATIENCE) == f"/live {text}"
    finally:
        proxy.stop(running)
        server.shutdown()
