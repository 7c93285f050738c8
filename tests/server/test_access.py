"""The access log, `/healthz` and `/metrics`: what operators see."""

import json
import logging
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.core.errors import BadArgument
from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS


def services_with(tmp_path: Path, **given: Any) -> Services:
    return Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite"), **given}))


def browser(services: Services, address: str = "127.0.0.1") -> TestClient:
    return TestClient(create_app(services), raise_server_exceptions=False, client=(address, 50000))


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return services_with(tmp_path)


@pytest.fixture
def client(services: Services) -> Iterator[TestClient]:
    with browser(services) as client:
        yield client


def counted(services: Services, name: str, **labels: str) -> float | None:
    return services.metrics.registry.get_sample_value(name, labels)


# Health


def test_a_server_that_can_read_its_database_is_healthy(client: TestClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_server_that_cannot_read_its_database_says_so(client: TestClient, services: Services) -> None:
    with sqlite3.connect(services.settings.database) as connection:
        connection.execute("ALTER TABLE matches RENAME TO lost")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"error": "The server could not store or read the match: try again."}
    assert counted(services, "damier_store_failures_total", what="read a row") == 1


# Metrics


def test_requests_are_counted_by_the_template_of_their_route(client: TestClient, services: Services) -> None:
    number = begin(client, "chefa", "me", "me")["number"]
    for path in (f"/api/matches/{number}", "/api/matches/unknown", "/static/app.js", "/nowhere", "/api/alive"):
        client.get(path)
    for route, status in (
        ("/api/matches/{number}", "200"),
        ("/api/matches/{number}", "404"),
        ("/static", "200"),
        ("unmatched", "404"),
        ("/api/alive", "204"),
    ):
        assert counted(services, "damier_requests_total", route=route, method="GET", status=status) == 1, route
    text = client.get("/metrics").text
    assert number not in text
    assert "damier_matches_in_memory 1.0" in text
    assert "process_resident_memory_bytes" in text


def test_a_fault_of_the_program_is_counted(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.server.games.kept_for_good", lambda *_: 1 // 0)
    assert client.get("/api/sentences").status_code == 500
    assert counted(services, "damier_requests_total", route="/api/sentences", method="GET", status="500") == 1


def test_sockets_actions_and_events_are_counted(client: TestClient, services: Services) -> None:
    number = begin(client, "chefa", "me", "me")["number"]
    with live(client, number) as socket:
        player = Player(socket)
        assert counted(services, "damier_sockets", kind="match") == 1
        player.play("a1")
        assert player.ask("resign")["type"] == "done"
    assert counted(services, "damier_sockets", kind="match") == 0
    assert counted(services, "damier_action_seconds_count") == 1
    assert counted(services, "damier_events_total", kind="play") == 1
    assert counted(services, "damier_events_total", kind="resign") == 1


def test_refusals_are_counted_by_reason(tmp_path: Path) -> None:
    services = services_with(tmp_path, requests_per_address=1)
    with browser(services) as client:
        assert client.post("/api/matches", content=b"x", headers={"Content-Length": "5000000"}).status_code == 413
        assert 429 in [client.get("/api/matches").status_code for _ in range(10)]
    limited = counted(services, "damier_refused_total", reason="limit")
    assert limited
    assert limited > 0
    assert counted(services, "damier_refused_total", reason="length") == 1


@pytest.mark.parametrize(
    ("allowed", "address", "headers", "status"),
    [
        ("local", "127.0.0.1", {}, 200),
        ("local", "::1", {}, 200),
        ("local", "203.0.113.7", {}, 404),
        ("local", "127.0.0.1", {"X-Forwarded-For": "203.0.113.7"}, 404),
        ("all", "203.0.113.7", {}, 200),
        ("off", "127.0.0.1", {}, 404),
    ],
)
def test_metrics_are_shown_to_this_machine_unless_the_settings_say_otherwise(
    tmp_path: Path, allowed: str, address: str, headers: dict[str, str], status: int
) -> None:
    with browser(services_with(tmp_path, metrics=allowed), address) as client:
        answer = client.get("/metrics", headers=headers)
    assert answer.status_code == status
    assert ("damier_requests_total" in answer.text) == (status == 200)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"metrics": "me"}, "metrics is one of local, all, off, not 'me'."),
        ({"access_log": "perhaps"}, "access_log is true or false, not 'perhaps'."),
        ({"keep_days": -1}, "keep_days takes a whole number from 0 to 36500, not '-1'."),
    ],
)
def test_a_wrong_setting_is_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadArgument) as refused:
        ServerSettings.read(given)
    assert str(refused.value) == sentence


# The access log


def test_requests_are_logged_without_what_identifies_a_visitor(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with browser(services_with(tmp_path, access_log=True), "203.0.113.7") as client:
        number = begin(client, "chefa", "me", "me")["number"]
        caplog.clear()
        answer = client.get("/api/games?lang=fr&secret=mine", headers={"Accept-Encoding": "identity"})
        client.get("/api/no%0Awhere")
        with live(client, number) as socket:
            Player(socket)
    records = [record for record in caplog.records if record.name == "damier.server.operations.access"]
    first, second, third = (vars(record) for record in records)
    assert (first["method"], first["path"], first["status"]) == ("GET", "/api/games", 200)
    assert first["bytes"] == len(answer.content)
    assert first["milliseconds"] >= 0
    assert (second["path"], second["status"]) == ("/api/no%0Awhere", 404)
    assert (third["method"], third["path"], third["status"]) == ("WEBSOCKET", f"/api/matches/{number}/live", 101)
    told = json.dumps([vars(record) for record in records], default=str)
    assert not any(secret in told for secret in ("203.0.113.7", "secret", "mine", client.cookies["damier_visitor"]))


def test_nothing_is_logged_unless_it_is_switched_on(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.get("/api/games")
    assert [record for record in caplog.records if record.name == "damier.server.operations.access"] == []


def test_the_access_log_does_not_depend_on_the_log_level(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damier", "--log-level", "error", "--log-format", "json", "serve"]
    command += ["--no-browser", "--access-log", "--database", str(tmp_path / "matches.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[3]
        with urllib.request.urlopen(f"{address}api/sentences?lang=fr"):
            pass
        process.terminate()
        _, errors = process.communicate(timeout=60)
    (record,) = [json.loads(line) for line in errors.splitlines()]
    assert set(record) == {
        "time",
        "level",
        "logger",
        "message",
        "method",
        "path",
        "status",
        "milliseconds",
        "bytes",
        "request",
    }
    assert (record["logger"], record["path"]) == ("damier.server.operations.access", "/api/sentences")
