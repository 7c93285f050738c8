"""Sockets and starts that go wrong: races, gaps, slow listeners, nonsense, and files that cannot be used."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

import damier
from damier.cli import main
from damier.server.app import create_app
from damier.server.civility.chats import Chats
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Match
from damier.server.matches.referee import Referee
from damier.server.matches.socket import MatchSocket
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.wire.matches import PresenceMessage
from tests.server.pages import Player, begin, live


@pytest.fixture
def number(ann: TestClient, bob: TestClient) -> str:
    """A match of both."""
    match = begin(ann, "chefa", "me", "open")
    assert bob.post(f"/api/matches/{match['number']}/seats", json={"invitation": match["invitations"]["w"]}).is_success
    return str(match["number"])


# Races and gaps


def test_of_two_pages_that_race_with_other_actions_one_acts(ann: TestClient, number: str) -> None:
    answers: dict[str, dict[str, Any]] = {}
    barrier = threading.Barrier(2)

    def race(action: str) -> None:
        with live(ann, number) as socket:
            player = Player(socket)
            barrier.wait()
            socket.send_json({"id": action, "do": "play", "action": action, "seq": player.seq})
            answers[action] = player.next("done", "refused")

    threads = [threading.Thread(target=race, args=(action,)) for action in ("a1", "e5")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer["type"] for answer in answers.values()) == ["done", "refused"]
    assert [answer["error"] for answer in answers.values() if "error" in answer] == ["It is not your turn."]
    (played,) = (action for action, answer in answers.items() if answer["type"] == "done")
    assert [step["action"] for step in ann.get(f"/api/matches/{number}").json()["state"]["history"]] == [played]


def test_who_has_missed_something_gets_it_all_and_goes_on(ann: TestClient, bob: TestClient, number: str) -> None:
    with live(ann, number) as first:
        black = Player(first)
        with live(bob, number) as second:
            white = Player(second)
            black.play("a1")
            white.next("event")
            white.play("b2")
            black.next("event")
        black.play("d4")  # white is away
        assert black.ask("offer_draw")["type"] == "done"
        with live(bob, number) as second:
            white = Player(second)
            assert white.seq == black.seq == 5  # a seat, three actions, an offer
            assert white.snapshot["state"]["history"] == black.state["history"]
            assert white.state["offer"] == {"what": "draw", "player": "b", "is_mine": False, "asked": ["w"]}
            white.asked = 100  # a page never uses an id twice
            white.play("a5")
            assert black.next("event")["seq"] == 6


def test_a_request_that_is_sent_again_after_a_gap_is_confirmed_and_not_repeated(ann: TestClient, number: str) -> None:
    with live(ann, number) as socket:
        Player(socket)
        socket.send_json({"id": "once", "do": "play", "action": "a1"})  # and the answer is not waited for
    with live(ann, number) as socket:
        player = Player(socket)
        socket.send_json({"id": "once", "do": "play", "action": "a1"})
        assert player.next("done", "refused") == {"type": "done", "id": "once", "seq": 2}
    assert len(ann.get(f"/api/matches/{number}").json()["state"]["history"]) == 1


class SlowSocket:
    """A socket that sends nothing until it is opened."""

    def __init__(self) -> None:
        self.opened, self.closed = asyncio.Event(), asyncio.Event()
        self.sent: list[str] = []
        self.code = 0

    async def send(self, message: dict[str, str]) -> None:
        await self.opened.wait()
        self.sent.append(message["text"])

    async def receive_json(self) -> dict[str, Any]:
        await self.closed.wait()
        raise WebSocketDisconnect(self.code)

    async def close(self, code: int, _reason: str) -> None:
        self.code = code
        self.closed.set()


def test_who_listens_too_slowly_is_cut_off() -> None:
    async def listen() -> SlowSocket:
        live = LiveMatch(Match("x", damier.load("chefa"), [], b"", "", ""))
        socket = SlowSocket()
        chats = cast(Chats, SimpleNamespace(join=lambda *_: None, leave=lambda *_: None))
        slow = MatchSocket(cast(WebSocket, socket), cast(Referee, None), live, "ann", "en", chats)
        running = asyncio.create_task(slow.run(lambda: None))
        await asyncio.sleep(0)
        for count in range(1000):
            slow.send(PresenceMessage(type="here", seats=[str(count)]))
        socket.opened.set()
        await asyncio.wait_for(running, 20)
        assert live.listeners == set()
        return socket

    socket = asyncio.run(listen())
    assert socket.code == 1013
    assert len(socket.sent) < 300


# Nonsense


@pytest.mark.parametrize("text", ['{"id": "\\ud800", "do": "play", "action": "a1"}', "[" * 9000, "1" * 9000])
def test_what_no_page_sends_ends_the_socket_and_nothing_else(ann: TestClient, number: str, text: str) -> None:
    with live(ann, number) as socket, live(ann, number) as other:
        player = Player(socket)
        socket.send_text(text)
        with pytest.raises(WebSocketDisconnect) as ended:
            player.next("never")
        assert ended.value.code == 1007
        Player(other).play("a1")


def test_half_a_letter_is_no_action(ann: TestClient, number: str) -> None:
    with live(ann, number) as socket:
        player = Player(socket)
        socket.send_text('{"id": "x", "do": "play", "action": "\\ud800"}')
        assert player.next("done", "refused")["type"] == "refused"
        player.play("a1")


@pytest.mark.parametrize("origin", ["http://[", "null", "http://", "testserver", "http://testserver.example"])
def test_pages_from_nowhere_cannot_act(ann: TestClient, number: str, origin: str) -> None:
    asked = {"game": "chefa", "seats": ["me", "me"]}
    assert ann.post("/api/matches", json=asked, headers={"Origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect), live(ann, number, headers={"Origin": origin}):
        pass
    assert ann.post("/api/matches", json=asked, headers={"Origin": "http://testserver"}).status_code == 201


# Files that cannot be used


def kept_by_a_newer_version(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def overwritten(file: Path) -> None:
    size = file.stat().st_size
    file.write_bytes(file.read_bytes()[:100] + b"\xff" * (size - 100))


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("damage", "said"),
    [(kept_by_a_newer_version, "newer version"), (overwritten, "is damaged"), (cut_off, "is damaged")],
)
def test_a_file_that_cannot_be_used_is_one_sentence_and_exit_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Any, said: str
) -> None:
    file = tmp_path / "matches.sqlite"
    with TestClient(create_app(Services(ServerSettings(database=str(file), allowed_hosts="testserver")))) as client:
        begin(client, "chefa", "me", "me")
    damage(file)
    assert main(("serve", "--no-browser", "--database", str(file))) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert said in told.err
