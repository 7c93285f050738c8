"""`/readyz`, draining, and names of requests: what proxies and operators see."""

import json
import logging
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.core.logs import JsonFormatter, TextFormatter, request_name
from damier.server.app import create_app
from damier.server.operations.request_ids import OnlyTrustedIds
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.hub.hubs import redis_address
from tests.server.served import SETTINGS
from tests.server.stores import rows

SECONDS = 60.0


def services_with(database: str, **given: Any) -> Services:
    return Services(ServerSettings.read({**SETTINGS, "database": database, **given}))


# Readiness


def test_a_server_that_can_take_visitors_is_ready(database: str) -> None:
    services = services_with(database)
    with TestClient(create_app(services)) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()) == (
            200,
            {"status": "ok", "version": services.store.version, "redis": "none"},
        )
        assert services.store.version


def test_a_server_whose_database_was_migrated_by_another_is_not_ready(database: str) -> None:
    with TestClient(create_app(services_with(database))) as client:
        rows(database, "UPDATE alembic_version SET version_num = 'later'")
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json() == {"error": "The database has another version than this program."}


def test_a_server_that_cannot_read_its_database_is_not_ready(database: str) -> None:
    with TestClient(create_app(services_with(database))) as client:
        rows(database, "DROP TABLE alembic_version")
        assert client.get("/readyz").status_code == 503


def test_a_server_that_drains_is_not_ready_and_still_answers(tmp_path: Path) -> None:
    services = services_with(str(tmp_path / "matches.sqlite"))
    with TestClient(create_app(services)) as client:
        services.is_draining = True
        answer = client.get("/readyz", headers={"Accept-Language": "de"})
        assert answer.status_code == 503
        assert answer.json() == {"error": "Der Server wird beendet: Versuche es gleich noch einmal."}
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/games").status_code == 200


def test_a_server_without_its_redis_is_ready_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    services = services_with(str(tmp_path / "matches.sqlite"), redis=redis_address())
    with TestClient(create_app(services)) as client:
        assert client.get("/readyz").json()["redis"] == "ok"

        async def answers() -> bool:
            return False

        monkeypatch.setattr(services.hub, "answers", answers)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["redis"]) == (200, "out of reach")


def test_after_sigterm_a_server_serves_on_for_a_while_and_is_not_ready(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--drain-seconds", "600"]
    command += ["--database", str(tmp_path / "matches.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[3]
        assert _status(f"{address}readyz") == 200
        process.send_signal(signal.SIGTERM)
        end = time.monotonic() + SECONDS
        while _status(f"{address}readyz") != 503:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert _status(f"{address}api/games") == 200
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)  # a second one ends it at once
        process.communicate(timeout=SECONDS)


@pytest.mark.slow
def test_a_server_that_has_drained_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--drain-seconds", "1"]
    command += ["--database", str(tmp_path / "matches.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)


def _status(address: str) -> int:
    try:
        with urllib.request.urlopen(address) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


# Names of requests


def test_every_answer_has_a_name_that_the_log_has_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    services = services_with(str(tmp_path / "matches.sqlite"), access_log=True)
    names: list[str] = []

    class Seen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002
            names.append(request_name.get())

    seen = Seen()
    log = logging.getLogger("damier.server.operations.access")
    log.addHandler(seen)
    try:
        with TestClient(create_app(services)) as client:
            drawn = client.get("/api/games").headers["X-Request-ID"]
            given = client.get("/api/games", headers={"X-Request-ID": "proxy-17"}).headers["X-Request-ID"]
            odd = client.get("/api/games", headers={"X-Request-ID": "a b\x7f"}).headers["X-Request-ID"]
    finally:
        log.removeHandler(seen)
    assert re.fullmatch("[0-9a-f]{16}", drawn)
    assert given == "proxy-17"
    assert re.fullmatch("[0-9a-f]{16}", odd)
    assert names == [drawn, given, odd]
    assert request_name.get() == ""


def test_a_failure_of_the_database_is_logged_with_the_name_of_the_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "matches.sqlite")
    names: list[str] = []
    log = logging.getLogger("damier.server.store.store")
    monkeypatch.setattr(log, "error", lambda *_given, **_more: names.append(request_name.get()))
    with TestClient(create_app(services_with(database))) as client:
        rows(database, "ALTER TABLE matches RENAME TO lost")
        answer = client.get("/healthz")
    assert answer.status_code == 503
    named = [name for name in names if name]  # the deadlines that are read beside have no request
    assert named == [answer.headers["X-Request-ID"]]


@pytest.mark.parametrize(
    ("peer", "is_kept"), [("10.0.0.7", True), ("10.0.1.7", False), ("testclient", False), (None, False)]
)
def test_only_a_trusted_proxy_names_requests(peer: str | None, is_kept: bool) -> None:
    seen: list[list[tuple[bytes, bytes]]] = []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope["headers"])

    headers = [(b"host", b"here"), (b"x-request-id", b"one")]
    scope = {"type": "http", "headers": headers, "client": (peer, 1) if peer else None}
    run = OnlyTrustedIds(app, ["10.0.0.0/24"])(scope, None, None)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        run.send(None)
    assert seen == [headers if is_kept else headers[:1]]


def test_records_of_a_request_have_its_name_and_others_have_none() -> None:
    record = logging.makeLogRecord({"name": "damier", "msg": "hello", "levelname": "INFO"})
    forms = TextFormatter("%(levelname)s: %(message)s"), JsonFormatter()
    assert forms[0].format(record) == "INFO: hello"
    assert "request" not in json.loads(forms[1].format(record))
    token = request_name.set("one")
    try:
        assert forms[0].format(record) == "INFO: hello (request one)"
        assert json.loads(forms[1].format(record))["request"] == "one"
    finally:
        request_name.reset(token)
