"""A server of tables on 127.0.0.1 that can be told to fail and to lie."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import damier
from damier.solve.inventory import found_tables


@dataclass
class Answer:
    """What the server is about to send."""

    status: int
    headers: dict[str, str]
    body: bytes
    sent: int | None = None
    """How many bytes of the body are sent before the connection is cut; None sends all."""

    delay: float = 0.0
    """Seconds before the answer."""


Fault = Callable[[Answer], object]


@dataclass
class TableServer:
    """A server and what it has been told."""

    address: str
    files: dict[str, bytes]
    offers: list[dict[str, Any]]
    faults: list[Fault] = field(default_factory=list)
    """Each spoils the answer to one request for a file, in turn."""

    always: Fault = lambda _answer: None
    """Spoils every answer to a request for a file."""

    requests: list[tuple[str, str]] = field(default_factory=list)
    """Path and range of the requests so far."""

    tags: dict[str, str] = field(default_factory=dict)

    def url(self, name: str) -> str:
        return f"{self.address}/api/tables/{quote(name)}"

    def answer(self, path: str, wanted: str, condition: str) -> Answer:
        self.requests.append((path, wanted))
        if path == "/api/tables":
            return _json(200, {"tables": self.offers})
        name = unquote(path.rpartition("/")[2])
        if name not in self.files:
            return _json(404, {"error": "There is no such table."})
        body = self.files[name]
        tag = self.tags.get(name) or f'"{hashlib.sha256(body).hexdigest()}"'
        answer = Answer(200, {"ETag": tag}, body)
        if (found := re.fullmatch(r"bytes=([0-9]+)-([0-9]*)", wanted)) and condition in ("", tag):
            start, end = int(found[1]), min(len(body), int(found[2] or len(body) - 1) + 1)
            content_range = f"bytes {start}-{end - 1}/{len(body)}"
            answer = Answer(206, {"ETag": tag, "Content-Range": content_range}, body[start:end])
        answer.headers["Content-Length"] = str(len(answer.body))
        self.always(answer)
        if self.faults:
            self.faults.pop(0)(answer)
        return answer


def _json(status: int, data: Any) -> Answer:
    body = json.dumps(data).encode()
    return Answer(status, {"Content-Length": str(len(body))}, body)


@contextlib.contextmanager
def table_server(folder: Path) -> Iterator[TableServer]:
    """Serves the tables of a folder, as they are now."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one packet

        def do_GET(self) -> None:
            answer = served.answer(self.path, self.headers.get("Range", ""), self.headers.get("If-Range", ""))
            time.sleep(answer.delay)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body[: answer.sent])
            self.close_connection = answer.sent is not None

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: Any) -> None:
            pass

    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix == ".table"}
    offers = [
        {
            "game": table.game.name,
            "options": dict(table.game.options),
            "entries": table.entries,
            "bytes": table.bytes,
            "sha256": hashlib.sha256(files[table.path.name]).hexdigest(),
            "address": f"/api/tables/{quote(table.path.name)}",
        }
        for table in found_tables(damier.load, folder)
        if table.game
    ]
    with Server(("127.0.0.1", 0), Handler) as server:
        served = TableServer(f"http://127.0.0.1:{server.server_address[1]}", files, offers)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
