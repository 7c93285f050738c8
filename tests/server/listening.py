"""A server that listens on 127.0.0.1, in a thread of this process, and raw connections to it."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from damier.server.app import create_app
from damier.server.front.connections import Connections, ServerConfig
from damier.server.run import event_loop
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.served import SETTINGS

SECONDS = 60.0  # after which a test gives up waiting


@dataclass
class Listening:
    """A server and its connections."""

    port: int
    connections: Connections
    services: Services
    loop: asyncio.AbstractEventLoop

    async def connect(self, host: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens a connection from an address of this machine."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(host, 0))

    async def ask(self, text: str, host: str = "127.0.0.1") -> str:
        """Returns all that the server sends until it closes the connection."""
        reader, writer = await self.connect(host)
        with contextlib.closing(writer):
            writer.write(text.encode())
            return await everything(reader)

    async def count_falls_to(self, count: int) -> None:
        """Waits until so many connections are left."""
        async with asyncio.timeout(SECONDS):
            while self.connections.count > count:
                await asyncio.sleep(0.01)


async def everything(reader: asyncio.StreamReader) -> str:
    """Returns all that arrives on a connection until it ends."""
    found = bytearray()
    async with asyncio.timeout(SECONDS):
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(65536):
                found += part
    return found.decode()


def request(path: str, method: str = "GET", **headers: object) -> str:
    """Returns the text of a request; an underscore in the name of a header is a hyphen."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""])


@contextlib.contextmanager
def listening(
    home: Path, connections: Connections, *, proxies: Sequence[str] = (), body_seconds: float = 20, **given: Any
) -> Iterator[Listening]:
    """Runs a server with the same configuration as `damier serve`."""
    settings = ServerSettings.read({**SETTINGS, "database": str(home / "matches.sqlite"), **given})
    services = Services(settings)
    app = create_app(services)
    guard = next(each for each in app.user_middleware if "Guard" in repr(each))
    guard.kwargs["body_seconds"] = body_seconds
    server = uvicorn.Server(ServerConfig(app, connections, proxies, log_config=None, lifespan="on"))

    loops: queue.Queue[asyncio.AbstractEventLoop] = queue.Queue()

    def run(listener: socket.socket) -> None:
        with asyncio.Runner(loop_factory=event_loop()) as runner:
            loops.put(runner.get_loop())
            runner.run(server.serve(sockets=[listener]))

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        thread = threading.Thread(target=run, args=(listener,))
        thread.start()
        try:
            yield Listening(listener.getsockname()[1], connections, services, loops.get(timeout=SECONDS))
        finally:
            server.should_exit = True
            thread.join(SECONDS)
