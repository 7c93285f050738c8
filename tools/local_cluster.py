"""Several servers on this machine: PostgreSQL, Redis, damier as separate processes, and a proxy in front of them.

python -m tools.local_cluster [--servers 2] [--folder F] [--port 8000]    run until Ctrl-C

All listen on 127.0.0.1 alone. The folder keeps the database: another start with the same folder goes on with it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

import psutil
from filelock import FileLock, Timeout

from damier.core import folders
from tools import debian, postgresql, proxy, redis

FOLDER = Path(".cluster")
PATIENCE = 180.0  # seconds for a server to start or to end, on a busy machine
AGAIN = 5.0  # seconds until the command starts a server again that has ended
_ENDING = (signal.SIGINT, signal.SIGTERM)


class NoCluster(Exception):
    """The cluster cannot be started: a sentence says why."""


class DamierServer:
    """One damier server in a process of its own."""

    def __init__(self, name: str, folder: Path, options: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name, self.log, self.port = name, folder / f"{name}.log", debian.free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self._options, self._environment = options, environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        """Starts the server on the same port as before; raises `NoCluster` if it ends at once."""
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", str(self.port), *self._options]
        with self.log.open("ab") as lines:
            self.process = subprocess.Popen(
                command,
                stdout=lines,
                stderr=lines,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **self._environment},
                start_new_session=True,
            )
        if wait:
            self.wait_until_up()

    def wait_until_up(self) -> None:
        """Waits until the server may be sent requests; raises `NoCluster` if it ends or takes too long."""
        end = time.monotonic() + PATIENCE
        while not self.is_up():
            if not self.is_running or time.monotonic() > end:
                self.kill()
                raise NoCluster(f"{self.name} does not start: {_last_line(self.log)}")
            time.sleep(0.05)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self.process is not None and self.process.poll() is None

    def is_up(self) -> bool:
        """Tells whether the server is ready for requests."""
        try:
            with urllib.request.urlopen(f"{self.address}readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """Kills the server and its engines, as if its machine had lost its power."""
        if self.process:
            if self.process.returncode is None:  # else another process may have the number
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def terminate(self, *, wait: bool = True) -> None:
        """Asks the server to end, which drains it; one that does not end in time is killed, its engines too."""
        if self.process and self.is_running:
            engines = psutil.Process(self.process.pid).children(recursive=True)
            self.process.terminate()
            if wait:
                self._wait_for_end(engines)

    def _wait_for_end(self, engines: Sequence[psutil.Process]) -> None:
        assert self.process
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
        for engine in engines:  # one that compiles ends late
            with contextlib.suppress(psutil.NoSuchProcess):
                engine.kill()
        psutil.wait_procs(list(engines), PATIENCE)


class PostgresqlServer:
    """The PostgreSQL of a cluster."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder, self._settings, self._port = folder, settings, debian.free_port()
        self._server: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Starts the server, on the same port as before."""
        self._server, self.address = postgresql.start(self._folder, self._settings, self._port)

    def stop(self, *, immediate: bool = False) -> None:
        """Stops the server: after its data is saved, or at once."""
        if self._server:
            postgresql.stop(self._server, immediate=immediate)

    def restart(self, *, immediate: bool = False) -> None:
        """Stops the server and starts it again; connections are cut off."""
        self.stop(immediate=immediate)
        self.start()


class RedisServer:
    """The Redis of a cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, debian.free_port()
        self._server: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Starts the server, empty, on the same port as before."""
        self._server, self.address = redis.start(self._folder, self._port)

    def kill(self) -> None:
        """Kills the server."""
        if self._server:
            redis.stop(self._server)

    def restart(self) -> None:
        """Kills the server and starts it again, empty."""
        self.kill()
        self.start()

    def flush(self) -> None:
        """Deletes all that the server holds."""
        redis.ask(self.address, "flushall")


class LocalCluster:
    """PostgreSQL, Redis, damier servers and a proxy, from `start` to `stop`, or in a `with` block.

    `options` are flags of every `damier serve`, `environment` is added to theirs; a port of 0 is a free one.
    """

    def __init__(
        self,
        folder: Path,
        servers: int = 2,
        *,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        settings: Mapping[str, str] = postgresql.DURABLE,
        port: int = 0,
    ) -> None:
        self.folder = folder.absolute()
        self._port = port or debian.free_port()
        self.address = f"http://127.0.0.1:{self._port}/"
        for name in ("postgresql", "redis", "proxy", "home"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o711)  # PostgreSQL may run as a user of its own, who has to pass
        self.postgresql = PostgresqlServer(self.folder / "postgresql", settings)
        self.redis_server = RedisServer(self.folder / "redis")
        self._options, self._environment, self._count = list(options), dict(environment or {}), servers
        self.servers: list[DamierServer] = []
        self._proxy: subprocess.Popen[str] | None = None
        self._lock = FileLock(self.folder / "lock")

    @property
    def database(self) -> str:
        """The address of the database."""
        return self.postgresql.address

    @property
    def redis(self) -> str:
        """The address of Redis."""
        return self.redis_server.address

    def start(self) -> None:
        """Starts everything, and waits until all servers are ready; raises `NoCluster` and leaves nothing behind."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise NoCluster(f"Another cluster uses the folder {self.folder}.") from None
        try:
            self._start()
        except (postgresql.NoPostgresql, redis.NoRedis, proxy.NoProxy) as error:
            self.stop()
            raise NoCluster(str(error)) from None
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        self.postgresql.start()
        self.redis_server.start()
        places = ["--database", self.database, "--redis", self.redis, "--trusted-proxies", "127.0.0.1"]
        home, cache = str(self.folder / "home"), str(folders.cache_folder())  # kernels are compiled once for all
        environment = {"DAMIER_HOME": home, "DAMIER_CACHE": cache, **self._environment}
        for number in range(1, self._count + 1):
            server = DamierServer(f"server-{number}", self.folder, [*places, *self._options], environment)
            self.servers.append(server)
            server.start(wait=number == 1)  # the first makes the tables
        for server in self.servers[1:]:
            server.wait_until_up()
        self._proxy = proxy.start(self.folder / "proxy", self._port, [server.port for server in self.servers])

    def stop(self) -> None:
        """Ends everything; the data of PostgreSQL stays."""
        if self._proxy:
            proxy.stop(self._proxy)
        with ThreadPoolExecutor(max(1, len(self.servers))) as pool:
            list(pool.map(DamierServer.terminate, self.servers))
        self.redis_server.kill()
        self.postgresql.stop()
        self._lock.release()

    def __enter__(self) -> Self:
        """Starts everything."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends everything."""
        self.stop()


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it says nothing."


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a cluster until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.local_cluster", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--servers", type=int, default=2, help="how many servers (default: 2)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where the data is (default: {FOLDER})")
    parser.add_argument("--port", type=int, default=8000, help="port of the proxy (default: 8000)")
    given = parser.parse_args(arguments)
    if not 1 <= given.servers <= 16:
        parser.error("--servers takes a number from 1 to 16.")
    try:
        _check_port(given.port)
        for number in _ENDING:
            signal.signal(number, _interrupt)  # SIGINT may be ignored, in the background of a script
        for package in (postgresql.PACKAGE, redis.PACKAGE, proxy.PACKAGE):
            package.ensure()
        with LocalCluster(given.folder, given.servers, port=given.port) as cluster:
            _tell(cluster)
            _keep_up(cluster)
    except KeyboardInterrupt:
        print("All have ended.")
        return 0
    except (NoCluster, postgresql.NoPostgresql, redis.NoRedis, proxy.NoProxy, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ends the command; a second Ctrl-C does not keep it from ending the servers."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _check_port(port: int) -> None:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise NoCluster(f"Port {port} cannot be used ({error}): choose another with --port.") from None


def _tell(cluster: LocalCluster) -> None:
    print(f"The proxy:  {cluster.address}")
    for server in cluster.servers:
        assert server.process
        print(f"{server.name}:   {server.address}  process {server.process.pid}, log {server.log}")
    print(f"PostgreSQL: {cluster.database}\nRedis:      {cluster.redis}\n")
    first = cluster.servers[0].process
    assert first
    print(f"Open {cluster.address} in two browsers and begin a match between them.")
    print(f"Then kill a server: kill -9 {first.pid}. The match goes on; the server starts again after {AGAIN:.0f} s.")
    print("Ctrl-C ends all of them.", flush=True)


def _keep_up(cluster: LocalCluster) -> None:
    """Starts servers again that have ended."""
    while True:
        for server in _ended(cluster):
            print(f"{server.name} has ended; it starts again in {AGAIN:.0f} s.", flush=True)
            time.sleep(AGAIN)
            server.start()
            assert server.process
            print(f"{server.name} is up, process {server.process.pid}.", flush=True)
        time.sleep(0.2)


def _ended(cluster: LocalCluster) -> Iterator[DamierServer]:
    return (server for server in cluster.servers if not server.is_running)


if __name__ == "__main__":
    sys.exit(main())
