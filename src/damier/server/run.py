"""Runs the server, and opens the browser."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.engine.engine import Engine
from damier.server.app import create_app
from damier.server.front.connections import Connections, ServerConfig, connections_allowed
from damier.server.front.hosts import proxy_networks
from damier.server.services import Services
from damier.server.settings import ServerSettings

_log = logging.getLogger(__name__)

_LONGEST_MESSAGE = 64_000  # bytes that a socket may send at once


class _Uvicorn(uvicorn.Server):
    """Calls `ready` when it accepts connections, and stops the streams of the services when it is to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], services: Services) -> None:
        super().__init__(config)
        self._ready, self._services = ready, services

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends; at the first `SIGTERM` after a while in which it serves on and is not ready."""
        seconds, is_first = self._services.settings.drain_seconds, not self._services.is_draining
        self._services.is_draining = True
        if sig == signal.SIGTERM and seconds and is_first:
            loop = asyncio.get_running_loop()
            loop.call_soon_threadsafe(loop.call_later, seconds, super().handle_exit, sig, frame)
        else:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, then calls `ready`."""
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops the streams, then waits for answers to end."""
        self._services.stop_streams()
        await super().shutdown(sockets=sockets)


def bound(settings: ServerSettings) -> socket.socket:
    """Returns a socket bound to the host and port of the settings; raises `BadArgument`."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sets TCP_NODELAY
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((settings.host, settings.port))
    except OSError as error:
        found.close()
        why = error.strerror or str(error)
        raise BadArgument(
            message(
                "The server cannot listen on {host}, port {port}: {why}. Choose another with {option}.",
                host=settings.host,
                port=str(settings.port),  # no separator between thousands
                why=why,
                option="--port",
            )
        ) from None
    return found


def serve(settings: ServerSettings, *, opens_browser: bool, tell: Callable[[str], None]) -> None:
    """Serves until Ctrl-C; raises `BadArgument` or `BadDatabase` before anything is served."""
    with bound(settings) as listening:
        host, port = listening.getsockname()[:2]
        address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}/"

        services = Services(settings)

        def ready() -> None:
            tell(address)
            services.start_processes()
            services.garbage.start()
            threading.Thread(target=_compile_all, daemon=True).start()
            if opens_browser:
                webbrowser.open(address)

        if settings.origin and not settings.trusted_proxies:
            _log.warning(
                "The server has a public address but trusts no proxy: if there is one, name it with --trusted-proxies, "
                "else its visitors share the limits of one address."
            )
        with asyncio.Runner(loop_factory=event_loop()) as runner:
            runner.run(_serve(services, listening, ready))


def event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Returns uvloop, which takes half the CPU of asyncio's own loop for a message, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _compile_all() -> None:
    """Has the engines of all games compiled, one after the other, so that the first match finds them ready."""
    for name in damier.games():
        try:
            Engine(damier.load(name), memory=1).method.loader.fill_cache()
        except Exception:  # the engines of a match try again
            _log.exception("the engine of %s could not be compiled", name)


async def _serve(services: Services, listening: socket.socket, ready: Callable[[], None]) -> None:
    await services.open()
    settings = services.settings
    proxies = proxy_networks(settings.trusted_proxies)
    most = connections_allowed(settings.connections)
    connections = Connections(most, settings.connections_per_address, proxies)
    services.metrics.watch_connections(lambda: connections.count, lambda: connections.refused)
    config = ServerConfig(
        create_app(services),
        connections,
        proxies,
        log_config=None,  # `damier.core.logs` configures the loggers of uvicorn, too
        access_log=False,  # which has addresses and queries; ours is `damier.server.operations.access`
        ws_max_size=_LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # costs more CPU than all else that an event does
        timeout_graceful_shutdown=3,
        lifespan="on",
    )
    await _Uvicorn(config, ready, services).serve(sockets=[listening])
