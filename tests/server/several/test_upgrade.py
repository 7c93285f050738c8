"""An upgrade without downtime: servers are drained and started again, one after the other, while people play."""

import http.client
import json
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tools.local_cluster import LocalCluster, NoCluster
from tools.postgresql import THROW_AWAY

PATIENCE = 60.0
SERVICE_RESTART = 1012  # upon which pages connect again
LIMITS = dict.fromkeys(
    ("DAMIER_REQUESTS_PER_SECOND", "DAMIER_MATCHES_PER_HOUR", "DAMIER_REQUESTS_PER_ADDRESS"), "100000"
)


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with tempfile.TemporaryDirectory(prefix="damier-cluster-", ignore_cleanup_errors=True) as name:
        found = LocalCluster(
            Path(name),
            servers=2,
            options=("--workers", "1"),
            environment={**LIMITS, "DAMIER_DRAIN_SECONDS": "3"},
            settings=THROW_AWAY,
        )
        try:
            found.start()
        except NoCluster as error:
            pytest.fail(str(error), pytrace=False)
        yield found
        found.stop()


class Visitor(threading.Thread):
    """Begins matches and reads them again, one request after the other, until told to stop."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._host = urlsplit(address).netloc
        self.outcomes: Counter[str] = Counter()
        self.ends = threading.Event()

    def run(self) -> None:
        """Sends requests."""
        while not self.ends.wait(0.01):
            status, begun = self._ask("POST", "/api/matches", {"game": "chefa", "seats": ["me", "me"]})
            self.outcomes[f"POST {status}"] += 1
            status, _ = self._ask("GET", f"/api/matches/{begun.get('number')}")
            self.outcomes[f"GET {status}"] += 1

    def _ask(self, method: str, path: str, data: object = None) -> tuple[int | str, dict[str, object]]:
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE)
        try:
            body = json.dumps(data) if data else None
            connection.request(method, path, body, {"Content-Type": "application/json"} if data else {})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if answer.status < 300 else {}
        except OSError as error:
            return type(error).__name__, {}
        finally:
            connection.close()


def code_of_end(socket: Connection) -> int:
    """Reads a socket until the server closes it, and returns the code."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code


@pytest.mark.slow
def test_no_request_fails_while_one_server_after_the_other_is_replaced(cluster: LocalCluster) -> None:
    visitors = [Visitor(cluster.address) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    live = cluster.address.replace("http", "ws", 1) + "api/lobby/live"
    for server in cluster.servers:
        before = server.process
        with connect(f"ws://127.0.0.1:{server.port}/api/lobby/live") as socket:  # an open page of this server
            server.terminate()
            assert code_of_end(socket) == SERVICE_RESTART
        with connect(live) as again:  # at the other server
            assert again.recv(timeout=PATIENCE)
        server.start()
        assert server.process is not before
    for visitor in visitors:
        visitor.ends.set()
        visitor.join(PATIENCE)
    outcomes = sum((visitor.outcomes for visitor in visitors), Counter[str]())
    assert outcomes.keys() == {"POST 201", "GET 200"}, outcomes
    assert outcomes.total() > 20
