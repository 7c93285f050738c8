"""A server in this process, with an empty home of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings

SETTINGS = {
    "seconds": 0.05,
    "requests_per_second": 1000,
    "matches_per_hour": 1000,
    "sign_ins_per_hour": 100_000,
    "accounts_per_address": 10_000,
    "allowed_hosts": "testserver",
}


@contextmanager
def served(home: Path) -> Iterator[TestClient]:
    """Runs a server and yields a browser."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMIER_HOME", str(home))
        settings = ServerSettings.read({**SETTINGS, "database": str(home / "matches.sqlite")})
        with TestClient(create_app(Services(settings))) as client:
            yield client


def another_browser(client: TestClient) -> TestClient:
    """Returns another browser at the same server, without cookies."""
    other = TestClient(client.app)
    other.portal = client.portal  # the same event loop
    return other
