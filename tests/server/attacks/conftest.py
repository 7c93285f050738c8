"""Real servers to attack: one with the default settings, one with low limits, one whose tables are damaged."""

from collections.abc import Iterator

import pytest

from bench.served import Served, served

LOW_LIMITS = {
    "DAMIER_REQUESTS_PER_SECOND": "5",
    "DAMIER_REQUESTS_PER_ADDRESS": "10",
    "DAMIER_MATCHES_PER_HOUR": "5",
    "DAMIER_MATCHES_PER_ADDRESS": "10",
    "DAMIER_SOCKETS_PER_VISITOR": "5",
    "DAMIER_SOCKETS_PER_ADDRESS": "10",
    "DAMIER_CONNECTIONS_PER_ADDRESS": "20",
}


@pytest.fixture(scope="package")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the default settings."""
    with served(tmp_path_factory.mktemp("open")) as server:
        server.settle()
        yield server


@pytest.fixture(scope="package")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose limits a few requests reach."""
    with served(tmp_path_factory.mktemp("strict"), LOW_LIMITS) as server:
        yield server


@pytest.fixture(scope="package")
def faulty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an empty and a damaged table, whose computer thinks for a short time."""
    home = tmp_path_factory.mktemp("faulty")
    (home / "tables").mkdir()
    (home / "tables" / "chefa.table").touch()
    (home / "tables" / "badia.table").write_bytes(bytes(range(256)) * 40)
    with served(home, {"DAMIER_SECONDS": "0.05"}) as server:
        yield server
