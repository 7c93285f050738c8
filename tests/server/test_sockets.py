"""Sockets: how many may be open, and that one which breaks at any message leaves the others whole."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocket, WebSocketDisconnect

import damier
from damier.core.messages import LANGUAGES, Message, message
from damier.server.app import create_app
from damier.server.civility.avoidance import Avoidance
from damier.server.civility.chats import Chats
from damier.server.front.sockets import OpenSockets, TooManySockets
from damier.server.matches import socket as match_socket
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import PERSON, Match, Seat
from damier.server.matches.referee import Referee
from damier.server.matches.socket import MatchSocket
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.store import StoreFailed
from tests.server.pages import Player, begin, live, state_after
from tests.server.served import SETTINGS, another_browser

PATIENCE = 20  # seconds


@pytest.fixture
def services(tmp_path: Path) -> Services:
    """A server that allows few sockets."""
    limits = {"sockets_per_visitor": 5, "sockets_per_address": 12, "spectators": 4, "requests_per_second": 10**6}
    return Services(ServerSettings.read({**SETTINGS, **limits, "database": str(tmp_path / "matches.sqlite")}))


@pytest.fixture
def ann(services: Services) -> Iterator[TestClient]:
    """A browser."""
    with TestClient(create_app(services)) as client:
        yield client


def ended(socket: WebSocketTestSession) -> tuple[int, str]:
    """Reads until the server closes a socket; returns the code and the reason."""
    while True:
        try:
            socket.receive_json()
        except WebSocketDisconnect as closed:
            return closed.code, closed.reason


# Limits


def spectator(client: TestClient) -> TestClient:
    """Returns another browser, with a cookie."""
    other = another_browser(client)
    begin(other, "chefa", "me", "me")
    return other


def test_one_visitor_has_so_many_sockets_and_no_more(ann: TestClient, services: Services) -> None:
    numbers = [begin(spectator(ann), "chefa", "me", "me")["number"] for _ in range(2)]
    eve = spectator(ann)
    with ExitStack() as stack:
        for place in range(5):
            Player(stack.enter_context(live(eve, numbers[place % 2])))
        with live(eve, numbers[1]) as socket:
            assert ended(socket) == (1013, "You have too many pages open: close some.")
        Player(stack.enter_context(live(spectator(ann), numbers[1])))
    with live(eve, numbers[1]) as socket:
        Player(socket)
    assert services.sockets.count == 0


def test_spectators_fill_a_match_and_its_players_still_get_in(ann: TestClient, services: Services) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with ExitStack() as stack:
        for _ in range(4):
            Player(stack.enter_context(live(spectator(ann), number)))
        with live(spectator(ann), number) as socket:
            assert ended(socket) == (1013, "Too many people are watching this match.")
        with live(ann, number) as socket:
            Player(socket).play("a1")
    assert services.sockets.count == 0


def test_an_address_has_so_many_sockets_and_players_still_get_in(ann: TestClient, services: Services) -> None:
    numbers = [begin(ann, "chefa", "me", "me")["number"] for _ in range(4)]
    with ExitStack() as stack:
        for place in range(12):
            Player(stack.enter_context(live(another_browser(ann), numbers[place // 4])))  # without a cookie
        with live(another_browser(ann), numbers[3]) as socket:
            assert ended(socket) == (1013, "Too many pages are open at your address: try again later.")
        with live(ann, numbers[0]) as socket:
            Player(socket).play("a1")
    assert services.sockets.count == 0


def test_a_newer_page_of_a_player_replaces_the_oldest(ann: TestClient, services: Services) -> None:
    number, other = (begin(ann, "chefa", "me", "me")["number"] for _ in range(2))
    with ExitStack() as stack:
        first = stack.enter_context(live(ann, other))
        Player(first)
        for _ in range(4):
            Player(stack.enter_context(live(ann, number)))
        with live(ann, number) as socket:
            Player(socket).play("a1")
            assert ended(first) == (1008, "You have opened newer pages: this one is closed.")
    assert services.sockets.count == 0


class Window:
    """A socket that notes that it was replaced."""

    is_closed = False

    def replace(self) -> None:
        self.is_closed = True

    def sign_out(self) -> None:
        self.is_closed = True


def test_a_player_has_eight_sockets_in_a_match() -> None:
    sockets, windows = OpenSockets(50, 500, 200), [Window() for _ in range(10)]
    with ExitStack() as stack:
        stack.enter_context(sockets.follow(Window(), "ann", "::1", "other", is_holder=True))
        for window in windows:
            stack.enter_context(sockets.follow(window, "ann", "::1", "match", is_holder=True))
        assert [window.is_closed for window in windows] == [True] * 2 + [False] * 8
        assert sockets.count == 11
    assert sockets == OpenSockets(50, 500, 200)


def test_a_refused_socket_is_not_counted() -> None:
    sockets = OpenSockets(50, 1, 1)
    with sockets.follow(Window(), "", "::1", "match", is_holder=False):
        for address, number in (("::1", "other"), ("::2", "match")):
            with pytest.raises(TooManySockets), sockets.follow(Window(), "", address, number, is_holder=False):
                pass
        with pytest.raises(TooManySockets), sockets.analyse("ann", "::1"):
            pass
        assert sockets.count == 1
    assert sockets == OpenSockets(50, 1, 1)


def test_one_visitor_has_four_analysis_sockets(ann: TestClient, services: Services) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(ann.websocket_connect("/api/lines/live")).send_json({})
        with ann.websocket_connect("/api/lines/live") as socket:
            assert ended(socket) == (1013, "You have too many analyses open: close some.")
    with ann.websocket_connect("/api/lines/live") as socket:
        socket.send_json({"id": "1", "game": "nowhere"})
        assert socket.receive_json()["id"] == "1"
    assert services.sockets.count == 0


# Faults


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StoreFailed(message("The server could not store or read the match: try again.")), "try again."),
        (ZeroDivisionError(), "The connection failed: it is opened again."),
    ],
)
def test_a_match_that_cannot_be_loaded_ends_the_socket_with_a_code(
    ann: TestClient,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    reason: str,
) -> None:
    async def fail(_number: str) -> None:
        raise error

    monkeypatch.setattr(services.referee, "find", fail)
    with caplog.at_level(logging.CRITICAL), live(ann, "number") as socket:
        code, said = ended(socket)
    assert (code, said.endswith(reason)) == (1011, True)


def test_a_reason_fits_into_a_close_frame_in_every_language() -> None:
    sentences = [
        "The connection failed: it is opened again.",
        "The connection is too slow.",
        "The server could not store or read the match: try again.",
        "Too many pages are open at your address: try again later.",
        "Too many people are watching this match.",
        "You have opened newer pages: this one is closed.",
        "You have too many analyses open: close some.",
        "You have too many pages open: close some.",
    ]
    for text in sentences:
        assert all(len(Message(text).render(lang).encode()) <= 123 for lang in LANGUAGES)


class Broken(Exception):
    """A fault that nobody expects."""


class Line:
    """The far end of a socket, which a page reads; sending fails from message `fails_at` on."""

    def __init__(self, fails_at: int | None = None, error: type[Exception] = OSError) -> None:
        self.fails_at, self.error = fails_at, error
        self.sent: list[dict[str, Any]] = []
        self.requests: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self.requests.put_nowait({"type": "websocket.connect"})

    async def send(self, event: MutableMapping[str, Any]) -> None:
        if event["type"] == "websocket.accept":
            return
        if len(self.sent) == self.fails_at:
            raise self.error
        if event["type"] == "websocket.send":
            self.sent.append(json.loads(event["text"]))

    def ask(self, **request: Any) -> None:
        self.requests.put_nowait({"type": "websocket.receive", "text": json.dumps(request)})

    @property
    def actions(self) -> list[str]:
        """The history that a page has."""
        state = next(each for each in self.sent if each["type"] == "snapshot")["state"]
        for each in self.sent:
            state = state_after(state, each) if each["type"] == "event" else state
        return [entry["action"] for entry in state["history"]]


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0)


class Table:
    """A match of two players and a spectator, whose lines a test may break."""

    def __init__(self, broken: str, fails_at: int | None, error: type[Exception]) -> None:
        seats = [Seat("b", PERSON, visitor="ann"), Seat("w", PERSON, visitor="bob")]
        self.live = LiveMatch(Match("x", damier.load("chefa"), seats, bytes(32), "ann", ""))
        self.referee = Referee(Unstored(), None, 1.0)  # type: ignore[arg-type]  # neither is asked for anything else
        self.chats = Chats(Unstored(), self.referee, Avoidance(Unstored()))  # type: ignore[arg-type]
        self.lines = {name: Line(fails_at if name == broken else None, error) for name in ("ann", "bob", "eve")}
        self.running: dict[str, asyncio.Task[None]] = {}

    async def sit(self) -> None:
        for name, line in self.lines.items():
            socket = WebSocket({"type": "websocket", "headers": []}, line.requests.get, line.send)
            await socket.accept()
            listener = MatchSocket(socket, self.referee, self.live, name, "en", self.chats)
            self.running[name] = asyncio.create_task(listener.run(lambda: None))

    async def play(self, actions: list[str]) -> None:
        """Plays for both, over their lines, or past the one that is broken."""
        for number, action in enumerate(actions):
            name, count = ("ann", "bob")[number % 2], number + 1
            self.lines[name].ask(id=str(number), do="play", action=action)
            await until(lambda: self.running[name].done() or self.live.match.record.count == count)  # noqa: B023
            await self.referee.act(self.live, name, str(number), "play", action=action)  # again, or for a broken line

    async def leave(self, but: str) -> None:
        for name in {*self.running} - {but}:
            self.lines[name].requests.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(asyncio.gather(*self.running.values()), PATIENCE)


class Unstored:
    """A store that keeps nothing."""

    is_shared = False

    async def append(self, *_: Any, **__: Any) -> None:
        await asyncio.sleep(0)

    async def read(self, *_: Any) -> None:
        raise StoreFailed(message("There is no chat here."))


PLAYED = ["a1", "e5", "b2", "d4"]


async def break_at(broken: str, fails_at: int | None, error: type[Exception]) -> int:
    """Plays with one broken line; returns how many messages it was sent."""
    table = Table(broken, fails_at, error)
    await table.sit()
    await table.play(PLAYED)
    others = {*table.lines} - {broken}
    await until(lambda: all(table.lines[name].actions == PLAYED for name in others))
    if fails_at is None:
        await until(lambda: table.lines[broken].actions == PLAYED)
    else:
        await until(table.running[broken].done)
        assert {listener.visitor for listener in table.live.listeners} == others
        assert [seat.player for seat in table.live.seats("", "en") if seat.is_here] == [
            seat.player for seat in table.live.match.seats if seat.visitor in others
        ]
    sent = len(table.lines[broken].sent)
    await table.leave(but=broken if fails_at is not None else "")
    assert table.live.listeners == set()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    return sent


@pytest.mark.parametrize("error", [OSError, RuntimeError, Broken])
@pytest.mark.parametrize("broken", ["ann", "bob", "eve"])
def test_a_socket_that_fails_at_any_message_leaves_the_others_whole(broken: str, error: type[Exception]) -> None:
    whole = asyncio.run(break_at(broken, None, error))
    assert whole >= len(PLAYED) + 1
    for fails_at in range(len(PLAYED) + 1):
        assert asyncio.run(break_at(broken, fails_at, error)) == fails_at


def test_a_client_that_never_reads_is_gone_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_socket, "_LAST_SECONDS", 0.01)

    class Stuck(Line):
        async def send(self, event: MutableMapping[str, Any]) -> None:
            if event["type"] != "websocket.accept":
                await asyncio.Event().wait()

    async def listen() -> None:
        table = Table("", None, OSError)
        table.lines = {"eve": Stuck()}
        await table.sit()
        await until(lambda: bool(table.live.listeners))
        (listener,) = table.live.listeners
        await asyncio.sleep(0)
        for _ in range(300):
            listener.send_text("{}")
        await asyncio.wait_for(table.running["eve"], PATIENCE)
        assert table.live.listeners == set()

    asyncio.run(listen())


def test_a_silent_connection_is_told_that_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_socket, "ALIVE", 0.01)

    async def listen() -> None:
        table = Table("", None, OSError)
        await table.sit()
        await until(lambda: sum(each["type"] == "alive" for each in table.lines["eve"].sent) > 2)
        await table.leave(but="")

    asyncio.run(listen())
