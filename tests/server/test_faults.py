"""Faults of engines, database, sockets and helper processes: a sentence for visitors, a record in the log."""

import asyncio
import json
import logging
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import damier
from damier.core.errors import DamierError
from damier.core.messages import message
from damier.engine.fault import EngineFault
from damier.engine.pool.pool import QueueFull
from damier.server.analysis import builds
from damier.server.app import create_app
from damier.server.games import _encoded_sentences
from damier.server.matches import computer
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS
from tests.server.stores import rows

SMALL = damier.load("renfa", bombs=3)


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")}))


@pytest.fixture
def stored(database: str) -> Services:
    """Services on each database."""
    return Services(ServerSettings.read({**SETTINGS, "database": database}))


@pytest.fixture
def client(services: Services) -> Iterator[TestClient]:
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def playing(stored: Services) -> Iterator[TestClient]:
    """A browser at the server on each database."""
    with TestClient(create_app(stored), raise_server_exceptions=False) as client:
        yield client


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.levelno == level and record.name.startswith("damier")]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the computer try again at once."""
    monkeypatch.setattr(computer, "_FIRST_PAUSE", 0.001)
    monkeypatch.setattr(computer, "_LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(computer, "_PATIENCE", 0.01)


class Notices:
    """A listener that keeps what it is told."""

    visitor = "ann"
    lag = 0

    def __init__(self) -> None:
        self.told: list[str] = []

    def send_text(self, text: str) -> None:
        notice = json.loads(text)
        self.told.append(notice.get("why", notice["type"]))

    def handle_event(self, seq: int, event: Any) -> None:
        self.told.append(f"{seq} {event.kind}")


@pytest.mark.usefixtures("impatient")
def test_an_engine_that_fails_is_asked_again_until_it_answers(
    services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit, failures = services.workers.submit, 5

    def fail(*given: Any, **more: Any) -> Any:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise DamierError(message("The engine has died."))
        return submit(*given, **more)

    async def play() -> tuple[str, list[str]]:
        await services.open()
        live = await services.referee.begin(damier.load("chefa"), [1, "me"], "ann")
        listener = Notices()
        live.listeners.add(listener)
        assert live.due
        await live.due
        await services.close()
        return live.match.number, listener.told

    monkeypatch.setattr(services.workers, "submit", fail)
    number, told = asyncio.run(play())
    errors = logged(caplog, logging.ERROR)
    assert [vars(record)["attempt"] for record in errors] == [1, 2, 3, 4, 5]
    assert all("The engine has died." in record.getMessage() for record in errors)
    assert {vars(record)["match"] for record in errors} == {number}
    assert "failed" in told
    assert told[-1] == "1 play"


@pytest.mark.usefixtures("impatient")
def test_a_turn_that_waits_for_an_engine_is_told_logged_and_played(
    services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit, refusals = services.workers.submit, 3

    def refuse(*given: Any, **more: Any) -> Any:
        nonlocal refusals
        refusals -= 1
        if refusals >= 0:
            raise QueueFull(message("Too many requests are waiting: try again in a moment."))
        return submit(*given, **more)

    async def play() -> list[str]:
        await services.open()
        live = await services.referee.begin(damier.load("chefa"), [1, "me"], "ann")
        listener = Notices()
        live.listeners.add(listener)
        assert live.due
        await live.due
        await services.close()
        return listener.told

    monkeypatch.setattr(services.workers, "submit", refuse)
    assert asyncio.run(play())[-1] == "1 play"
    assert all("waits for a free engine" in record.getMessage() for record in logged(caplog, logging.WARNING))
    assert len(logged(caplog, logging.WARNING)) >= 3


@pytest.mark.usefixtures("impatient")
def test_a_choice_of_the_computer_that_cannot_be_stored_is_logged_and_made_again(
    stored: Services, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> str:
        await stored.open()
        rows(stored.settings.database, "ALTER TABLE events RENAME TO lost")
        live = await stored.referee.begin(damier.load("chefa"), [1, "me"], "ann")
        assert live.due
        while not logged(caplog, logging.ERROR):
            await asyncio.sleep(0.01)
        rows(stored.settings.database, "ALTER TABLE lost RENAME TO events")
        await live.due
        assert live.match.seq == 1
        await stored.close()
        return live.match.number

    number = asyncio.run(play())
    kept, unplayed = logged(caplog, logging.ERROR)[:2]
    assert re.fullmatch(
        rf'Match {number}: cannot append events: (no such table: events|relation "events" does not exist)'
        r"\. The request is refused\.",
        kept.getMessage(),
    )
    assert "the computer's turn failed, attempt 1" in unplayed.getMessage()
    assert vars(kept)["match"] == vars(unplayed)["match"] == number


def test_a_request_whose_connection_ends_while_it_is_stored_is_carried_out_once(
    stored: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        await stored.open()
        referee, append = stored.referee, stored.store.append
        live = await referee.begin(damier.load("chefa"), ["me", "me"], "ann")
        is_stored, may_go_on = asyncio.Event(), asyncio.Event()

        async def append_slowly(*arguments: Any, **more: Any) -> None:
            await append(*arguments, **more)
            is_stored.set()
            await may_go_on.wait()

        monkeypatch.setattr(stored.store, "append", append_slowly)
        first = asyncio.create_task(referee.act(live, "ann", "once", "play", action="a1"))
        await is_stored.wait()
        first.cancel()
        await asyncio.wait([first])
        assert first.cancelled()
        may_go_on.set()
        assert await referee.act(live, "ann", "once", "play", action="a1") == 1
        assert await referee.act(live, "ann", "next", "play", action="b1") == 2
        assert live.match.record.played == ("a1", "b1")
        await stored.close()

    asyncio.run(play())


def test_an_action_that_cannot_be_stored_is_refused_and_changes_nothing(
    playing: TestClient, stored: Services, caplog: pytest.LogCaptureFixture
) -> None:
    number = begin(playing, "chefa", "me", "me")["number"]
    with live(playing, number) as socket:
        player = Player(socket)
        rows(stored.settings.database, "ALTER TABLE events RENAME TO lost")
        answer = player.ask("play", action="a1")
        assert answer["error"] == "The server could not store or read the match: try again."
        assert vars(logged(caplog, logging.ERROR)[0])["match"] == number
        rows(stored.settings.database, "ALTER TABLE lost RENAME TO events")
        assert player.seq == 0
        player.play("a1")


def test_a_rematch_that_cannot_be_stored_has_not_begun(playing: TestClient, stored: Services) -> None:
    number = begin(playing, "chefa", "me", "me")["number"]
    with live(playing, number) as socket:
        player = Player(socket)
        assert player.ask("resign")["type"] == "done"
        rows(stored.settings.database, "ALTER TABLE events RENAME TO lost")
        assert "try again" in player.ask("rematch")["error"]
        rows(stored.settings.database, "ALTER TABLE lost RENAME TO events")
        assert [match["number"] for match in playing.get("/api/matches").json()] == [number]
        assert player.ask("rematch")["type"] == "done"
        assert player.state["rematch"]


def test_a_seat_that_cannot_be_stored_stays_open(
    playing: TestClient, stored: Services, caplog: pytest.LogCaptureFixture
) -> None:
    match = begin(playing, "chefa", "me", "open")
    path, body = f"/api/matches/{match['number']}/seats", {"invitation": match["invitations"]["w"]}
    rows(stored.settings.database, "ALTER TABLE visits RENAME TO lost")
    answer = playing.post(path, json=body)
    assert answer.status_code == 503
    assert "try again" in answer.json()["error"]
    rows(stored.settings.database, "ALTER TABLE lost RENAME TO visits")
    assert [seat["kind"] for seat in playing.post(path, json=body).json()["seats"]] == ["person", "person"]
    assert "append events" in logged(caplog, logging.ERROR)[0].getMessage()


def test_a_connection_that_fails_is_closed_and_logged(
    client: TestClient, services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    number = begin(client, "chefa", "me", "me")["number"]
    monkeypatch.setattr(services.referee, "act", fail)
    with live(client, number) as socket:
        player = Player(socket)
        socket.send_json({"id": "1", "do": "resign"})
        with pytest.raises(WebSocketDisconnect) as closed:
            player.next("done", "refused")
    assert closed.value.code == 1011
    (record,) = logged(caplog, logging.ERROR)
    assert vars(record)["match"] == number
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError


def test_nonsense_on_a_socket_is_logged(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    number = begin(client, "chefa", "me", "me")["number"]
    with live(client, number) as socket:
        player = Player(socket)
        socket.send_text("[")
        with pytest.raises(WebSocketDisconnect):
            player.next("never")
    with client.websocket_connect("/api/lines/live") as socket:
        socket.send_text("[")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert [record.getMessage().rpartition("client ")[2] for record in logged(caplog, logging.WARNING)] == [
        "sent invalid data.",
        "sent invalid data.",
    ]


def test_an_analysis_that_fails_is_told_and_logged(
    client: TestClient, services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(services.workers, "submit", fail)
    with client.websocket_connect("/api/lines/live") as socket:
        socket.send_json({"id": "1", "game": "chefa"})
        assert socket.receive_json() == {"id": "1", "error": "The analysis failed: try again."}
    (record,) = logged(caplog, logging.ERROR)
    assert vars(record)["game"] == "chefa"


def test_a_build_that_fails_is_told_and_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def build() -> builds.TableBuilds:
        running = builds.TableBuilds()
        await running.start(SMALL)
        assert running.task
        await running.task
        return running

    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    monkeypatch.setattr(builds, "_PROGRAM", "import sys; sys.exit(3)")
    assert asyncio.run(build()).status(SMALL).error == "status 3"
    (record,) = logged(caplog, logging.ERROR)
    assert "status 3. 'damier solve renfa -o bombs=3' resumes the build." in record.getMessage()


def test_a_picture_that_fails_is_a_sentence_and_logged(
    client: TestClient, services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> bytes:
        raise EngineFault(message("The process has died."))

    monkeypatch.setattr(services.pages, "run", fail)
    answer = client.get("/api/pictures/position.png?game=chefa&actions=e5")
    assert (answer.status_code, answer.json()) == (503, {"error": "The process has died."})
    assert answer.headers["Retry-After"] == "2"
    assert "The process has died." in logged(caplog, logging.ERROR)[0].getMessage()


def test_a_fault_of_the_program_is_a_sentence_and_logged(
    client: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.server.games.sentences", lambda _part: 1 // 0)
    _encoded_sentences.cache_clear()
    answer = client.get("/api/sentences")
    assert (answer.status_code, answer.json()) == (500, {"error": "The server failed; its log says why."})
    (record,) = logged(caplog, logging.ERROR)
    assert record.getMessage() == "GET /api/sentences failed with ZeroDivisionError; the traceback follows."
    assert vars(record)["path"] == "/api/sentences"


@pytest.mark.slow
def test_records_of_uvicorn_are_lines_of_json_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damier", "--log-level", "info", "--log-format", "json"]
    command += ["serve", "--no-browser", "--database", str(tmp_path / "matches.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[3]
        with urllib.request.urlopen(f"{address}api/sentences?lang=fr"):
            pass
        process.terminate()
        _, errors = process.communicate(timeout=60)
    records = [json.loads(line) for line in errors.splitlines()]
    assert "uvicorn.error" in {record["logger"] for record in records}
    assert "/api/sentences" not in errors  # no access log unless it is switched on
