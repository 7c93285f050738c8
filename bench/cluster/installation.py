"""An installation to measure and to break: PostgreSQL, Redis, several servers, and relays between these and Redis."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg

from bench.cluster.relay import Relay
from bench.cluster.small_disk import empty, fill, small_disk
from bench.served import raise_file_limit
from bench.server import NO_LIMITS
from damier.core.folders import cache_folder
from tools import postgresql, redis
from tools.local_cluster import DamierServer, PostgresqlServer, RedisServer

PATIENCE = 60.0  # seconds for PostgreSQL to answer
DISK = 400  # MB of the small disk
_SMALL = {"max_wal_size": "96MB", "min_wal_size": "32MB"}  # what PostgreSQL needs on it
MANY = {f"DAMIER_{name}": "100000" for name in ("CONNECTIONS", "CONNECTIONS_PER_ADDRESS", "SOCKETS_PER_ADDRESS")}
ENVIRONMENT = {**NO_LIMITS, **MANY, "DAMIER_WORKERS": "1"}
"""Settings with which limits of visitors do not limit what is measured."""


@dataclass(frozen=True)
class Work:
    """CPU seconds since the start."""

    servers: float
    postgresql: float
    redis: float

    def __sub__(self, other: Work) -> Work:
        return Work(self.servers - other.servers, self.postgresql - other.postgresql, self.redis - other.redis)

    @property
    def total(self) -> float:
        """All of them."""
        return self.servers + self.postgresql + self.redis


@dataclass(frozen=True)
class Traffic:
    """What PostgreSQL and Redis have been asked to do since the start."""

    transactions: float
    log_bytes: float
    """Of the write-ahead log of PostgreSQL."""

    commands: float
    """Of Redis."""

    redis_bytes: float
    """That Redis has received and sent."""

    def __sub__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.transactions - other.transactions,
            self.log_bytes - other.log_bytes,
            self.commands - other.commands,
            self.redis_bytes - other.redis_bytes,
        )


class Installation:
    """Servers on one PostgreSQL and one Redis, while `running`."""

    def __init__(self, folder: Path, has_relays: bool) -> None:
        self.folder = folder
        self._settings = {**postgresql.DURABLE, "max_connections": "200"}
        self.postgresql: PostgresqlServer
        self.redis = RedisServer(folder / "redis")
        self._has_relays = has_relays
        self.relays: list[Relay] = []
        self.servers: list[DamierServer] = []
        self.has_small_disk = False

    @property
    def addresses(self) -> list[str]:
        """The addresses of the servers."""
        return [server.address for server in self.servers]

    @property
    def disk(self) -> Path:
        """The folder of the database."""
        return self.folder / "postgresql"

    def start(self, *, has_small_disk: bool) -> None:
        """Starts PostgreSQL and Redis."""
        self.has_small_disk = has_small_disk
        self.postgresql = PostgresqlServer(self.disk, {**self._settings, **(_SMALL if has_small_disk else {})})
        self.postgresql.start()
        self.redis.start()

    def add_server(self, environment: Mapping[str, str] | None = None) -> DamierServer:
        """Starts a further server."""
        address = self.redis.address
        if self._has_relays:
            relay = Relay(_port_of(address))
            self.relays.append(relay)
            address = address.replace(f":{_port_of(address)}", f":{relay.port}")
        settings = {"DAMIER_HOME": str(self.folder / "home"), "DAMIER_CACHE": str(cache_folder())}
        options = ["--database", self.postgresql.address, "--redis", address]
        name = f"server-{len(self.servers) + 1}"
        server = DamierServer(name, self.folder, options, {**settings, **ENVIRONMENT, **(environment or {})})
        server.start()
        self.servers.append(server)
        return server

    def stop(self) -> None:
        """Ends everything."""
        for server in self.servers:
            server.kill()
        for relay in self.relays:
            relay.close()
        self.redis.kill()
        self.postgresql.stop(immediate=True)

    # The database

    def wait_for_postgresql(self) -> None:
        """Waits until PostgreSQL answers, and starts it if it has ended, as a service of the system would."""
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.postgresql.address, connect_timeout=2).close()
                return
            if not self._pids("postgres"):
                self.postgresql.start()
            if time.monotonic() > end:
                raise TimeoutError("PostgreSQL does not answer")
            time.sleep(0.05)

    def fill_disk(self) -> None:
        """Fills the small disk up."""
        fill(self.disk)

    def empty_disk(self) -> None:
        """Makes room on the small disk again."""
        empty(self.disk)

    # Figures

    def _pids(self, name: str) -> list[psutil.Process]:
        own = psutil.Process(os.getpid()).children(recursive=True)
        found = []
        for process in own:
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.status() != psutil.STATUS_ZOMBIE and process.name() == name:
                    found.append(process)
        return found

    def work_of(self, server: DamierServer) -> float:
        """Returns the CPU seconds of one server so far."""
        return _cpu(psutil.Process(server.process.pid)) if server.process else 0.0

    @property
    def work(self) -> Work:
        """The CPU time of all so far; that of processes that have been killed is not in it."""
        return Work(
            sum(map(self.work_of, self.servers)),
            sum(_cpu(process, of_ended=True) for process in self._pids("postgres")),
            sum(_cpu(process) for process in self._pids("redis-server")),
        )

    @property
    def traffic(self) -> Traffic:
        """What PostgreSQL and Redis were asked so far; PostgreSQL counts transactions some tenths of a second late."""
        with psycopg.connect(self.postgresql.address) as connection:
            row = connection.execute(
                "SELECT sum(xact_commit)::float8, (pg_current_wal_lsn() - '0/0')::float8 FROM pg_stat_database"
            ).fetchone()
        assert row
        lines = redis.ask(self.redis.address, "info").splitlines()
        info = dict(line.split(":", 1) for line in lines if ":" in line)
        moved = float(info["total_net_input_bytes"]) + float(info["total_net_output_bytes"])
        return Traffic(float(row[0]), float(row[1]), float(info["total_commands_processed"]), moved)

    @property
    def memory(self) -> dict[str, float]:
        """The resident memory of each server and of Redis, in MB."""
        found = {}
        for server in self.servers:
            assert server.process
            found[server.name] = psutil.Process(server.process.pid).memory_info().rss / 2**20
        found["redis"] = sum(process.memory_info().rss for process in self._pids("redis-server")) / 2**20
        return found


@contextlib.contextmanager
def running(
    folder: Path,
    servers: int,
    *,
    has_relays: bool = False,
    has_small_disk: bool = False,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Installation]:
    """Runs an installation in a folder; a small disk needs root, and raises `NoSmallDisk` otherwise."""
    raise_file_limit()
    folder.chmod(0o711)  # PostgreSQL runs as a user of its own, who has to pass
    for name in ("postgresql", "redis", "home"):
        (folder / name).mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        installation = Installation(folder, has_relays)
        if has_small_disk:
            stack.enter_context(small_disk(installation.disk, DISK))
        installation.start(has_small_disk=has_small_disk)
        stack.callback(installation.stop)
        for _ in range(servers):
            installation.add_server(environment)
        yield installation


def _cpu(process: psutil.Process, *, of_ended: bool = False) -> float:
    with contextlib.suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        own = times.user + times.system
        return float(own + times.children_user + times.children_system if of_ended else own)
    return 0.0


def _port_of(address: str) -> int:
    return int(address.rpartition(":")[2].partition("/")[0])
