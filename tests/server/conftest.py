"""One server for all tests that need no database or settings of their own; every browser is a new visitor."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from damier.server import services
from damier.server.front import limits
from damier.server.work import pages
from tests.server import stores
from tests.server.served import another_browser, served


@pytest.fixture(scope="session", autouse=True)
def no_niceness() -> Iterator[None]:
    """Makes the processes of a server in this process as important as the tests, which would starve nicer ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_NICENESS", 0)
        patch.setattr(pages, "_NICENESS", 0)
        yield


@pytest.fixture(autouse=True)
def no_penalty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses at once in this process, so that tests of limits take no seconds."""
    monkeypatch.setattr(limits, "PENALTY_SECONDS", 0.0)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The server that tests share, as its first visitor."""
    with served(tmp_path_factory.mktemp("home")) as client:
        yield client


@pytest.fixture
def client(server: TestClient) -> TestClient:
    """A browser."""
    return another_browser(server)


@pytest.fixture
def ann(server: TestClient) -> TestClient:
    """The browser of one player."""
    return another_browser(server)


@pytest.fixture
def bob(server: TestClient) -> TestClient:
    """The browser of the other player."""
    return another_browser(server)


@pytest.fixture(params=stores.KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database, once of each kind: the test runs on both."""
    with stores.new_database(request.param, tmp_path) as place:
        yield place
