"""The client in Python against a real server: calls, refusals, and streams that survive whatever happens."""

import asyncio
import contextlib
import http.server
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.client import (
    BadLine,
    CallRefused,
    Client,
    ClockView,
    ConnectionLost,
    LimitReached,
    MatchBegun,
    MatchOver,
    MatchView,
    MyTurn,
    OfferMade,
    Ready,
    SeekResult,
    StandingView,
    StreamReplaced,
)
from damier.client.client import parse_invitation
from damier.client.data import TimesLeft
from damier.client.events import Challenge, OtherEvent, parse_event
from damier.client.retry import Backoff, Closed, retried
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.front.connections import Connections
from tests.server.listening import Listening, listening

GAME = "chefa"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    home = tmp_path_factory.mktemp("home")
    with listening(home, Connections(1000, 1000, ()), workers=1) as served:
        yield served
        served.services.stop_streams()


@pytest.fixture
def ann(server: Listening) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{server.port}") as client:
        yield client


@pytest.fixture
def bob(server: Listening) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{server.port}/", lang="de") as client:
        yield client


def link(client: Client, match: MatchView) -> str:
    return f"{client.address}/m/{match.number}#{next(iter(match.invitations.values()))}"


# Calls


def test_games_and_matches_are_typed(ann: Client, bob: Client) -> None:
    assert [game.name for game in ann.games()] == list(damier.games())
    match = ann.begin(GAME, ["me", "open"])
    assert (match.game, match.mine, match.is_my_turn, match.mover) == (GAME, ("b",), True, "b")
    assert match.actions == tuple(damier.load(GAME).record().actions())
    joined = bob.take_seat(link(ann, match))
    assert joined.mine == ("w",)
    assert [seat.kind for seat in joined.seats] == ["person", "person"]
    assert bob.take_seat(link(ann, match)).seq == joined.seq  # who has it keeps it
    assert ann.play(match.number, "a1") == 2
    seen = bob.match(match.number)
    assert (seen.history, seen.is_my_turn, seen.older, seen.result) == (("a1",), True, 0, None)
    assert bob.offer_draw(match.number) == 3
    assert "answer" in ann.match(match.number).can
    assert ann.answer(match.number, True) == 4
    result = ann.match(match.number).result
    assert result
    assert (result.winner, result.reason) == (None, "agreement")


def test_a_level_of_the_computer_takes_a_seat(ann: Client) -> None:
    match = ann.begin("renfa", ["me", 3], options={"bombs": 5}, allows_help=True)
    assert (match.seats[1].kind, match.seats[1].level, match.options["bombs"]) == ("computer", 3, 5)
    ann.resign(match.number)
    assert ann.match(match.number).is_over


def test_a_refusal_has_the_server_s_sentence_in_the_client_s_language(ann: Client, bob: Client) -> None:
    match = ann.begin(GAME, ["me", "open"])
    with pytest.raises(
        CallRefused, match=r"^Du schaust bei dieser Partie zu: Nur ihre Spieler können handeln\.$"
    ) as refused:
        bob.play(match.number, "a1")
    assert refused.value.status == 403
    with pytest.raises(CallRefused, match=r"^There is no such match\.$"):
        ann.match("nowhere")
    with pytest.raises(CallRefused, match=r"^One of the seats must be yours\.$"):
        ann.begin(GAME, ["open", "open"])


def test_a_guest_comes_back_by_the_cookie(server: Listening, ann: Client) -> None:
    match = ann.begin(GAME, ["me", "open"])
    with Client(ann.address, cookie=ann.cookie) as again:
        assert again.match(match.number).mine == ("b",)
        assert again.nickname() == ann.nickname()


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8000", "ftp://x", "http://", "http://a b", "http://x:99999", "http://x?y"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadArgument, match=r"^An address is written as http://127\.0\.0\.1:8000, not '.*'\.$"):
        Client(address)


def test_a_token_that_is_none_is_refused() -> None:
    with pytest.raises(BadArgument, match=r"^A token is one word of letters, digits and signs\.$"):
        Client("http://127.0.0.1:8000", "two words\r\n")


@pytest.mark.parametrize("text", ["", "http://x/m/NUMBER", "NUMBER#SEAT", "http://x/p/N#S", "http://[/m/N#S"])
def test_a_link_that_is_no_invitation_is_refused(text: str) -> None:
    with pytest.raises(
        BadArgument, match=r"^An invitation is a link such as http://127\.0\.0\.1:8000/m/NUMBER#INVITATION"
    ):
        parse_invitation(text)


def test_a_server_that_is_not_there_is_tried_for_a_while() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ConnectionLost, match=rf"^The server 'http://127\.0\.0\.1:{port}' cannot be reached: "):
        Client(f"http://127.0.0.1:{port}", patience=0.3).games()


# Servers that answer something else


class Odd(http.server.BaseHTTPRequestHandler):
    """Answers what its server was told to, and notes what it was asked."""

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer()

    def answer(self) -> None:
        server: Any = self.server
        server.asked.append((self.command, self.path, self.headers.get("Authorization")))
        status, headers, body = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_given: object) -> None:
        """Says nothing."""


@contextlib.contextmanager
def odd_server(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[tuple[str, list[Any]]]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd) as server:
        asked: list[Any] = []
        vars(server).update(answers=list(answers), asked=asked)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


def test_a_limit_says_which_and_how_long() -> None:
    body = b'{"error": "That is too fast: wait a moment.", "limit": "requests_per_second", "seconds": 7}'
    with (
        odd_server((429, {"Retry-After": "7"}, body)) as (address, asked),
        Client(address, "secret", patience=0) as ann,
    ):
        with pytest.raises(LimitReached, match=r"^That is too fast: wait a moment\.$") as reached:
            ann.play("N", "a1")
        assert (reached.value.limit, reached.value.seconds, reached.value.status) == ("requests_per_second", 7.0, 429)
        assert asked == [("POST", "/api/matches/N/act", "Bearer secret")]


def test_a_busy_server_is_tried_again() -> None:
    busy = (503, {"Retry-After": "0"}, b'{"error": "Busy."}')
    with odd_server(busy, busy, (200, {}, b'{"seq": 3}')) as (address, asked), Client(address, "t") as ann:
        assert ann.resign("N") == 3
        assert len(asked) == 3


def test_what_is_no_answer_of_a_damier_server_is_said() -> None:
    with odd_server((200, {}, b"<html>"), (500, {}, b"<html>")) as (address, _), Client(address, "t") as ann:
        with pytest.raises(BadLine, match=r"^'http.*' does not answer as a damier server does\.$"):
            ann.games()
        with pytest.raises(CallRefused, match=r"^The server 'http.*' refused the request with status 500\.$"):
            ann.games()


def test_the_lobby_is_called_by_its_routes() -> None:
    answers = [b'{"seek": null, "match": "M"}', b'{"seek": {"number": "S"}, "match": null}', b'{"match": "M"}', b""]
    with odd_server(*((200, {}, body) for body in answers)) as (address, asked), Client(address, "t") as ann:
        assert ann.seek(GAME, clock=ClockView("live", 180, 2), is_rated=True) == SeekResult(None, "M")
        assert ann.challenge("Bob", GAME, side=0) == "S"
        assert ann.accept("S") == "M"
        ann.decline("S")
    paths = ["/api/seeks", "/api/seeks", "/api/seeks/S/accept", "/api/seeks/S/decline"]
    assert [path for _, path, _ in asked] == paths


def test_tournaments_are_called_by_their_routes() -> None:
    standing = {"rank": 1, "name": "Ann", "points": 2.0, "wins": 1, "draws": 0, "losses": 0, "is_me": True}
    shown: dict[str, Any] = {
        "number": "T",
        "title": "Cup",
        "kind": "arena",
        "game": GAME,
        "options": {},
        "status": "running",
    }
    shown |= {"round": 0, "ends": None, "clock": {"kind": "live", "base": 60}, "standings": [standing]}
    body = json.dumps({**shown, "own": {"is_playing": True, "match": "M"}}).encode()
    with odd_server(*((200, {}, body) for _ in range(5))) as (address, asked), Client(address, "t") as ann:
        made = ann.make_tournament("Cup", "arena", GAME, ClockView("live", 60), minutes=5)
        assert (made.number, made.is_over, made.is_playing, made.match) == ("T", False, True, "M")
        assert made.standings == (StandingView(1, "Ann", 2.0, 1, 0, 0, True),)
        assert ann.join_tournament("T") == ann.start_tournament("T") == ann.leave_tournament("T") == made
        assert ann.tournament("T") == made
    acts = "/api/tournaments/T/acts"
    assert [path for _, path, _ in asked] == ["/api/tournaments", acts, acts, acts, "/api/tournaments/T"]


# Streams


def test_events_are_told_once_over_lost_connections(server: Listening, ann: Client, bob: Client) -> None:
    match = ann.begin(GAME, ["me", "open"])
    bob.take_seat(link(ann, match))
    losses: list[Exception] = []
    stream = ann.events(losses.append)
    events = iter(stream)
    begun, turn, ready = next(events), next(events), next(events)
    assert isinstance(begun, MatchBegun)
    assert (begun.number, begun.game, turn, ready) == (match.number, GAME, MyTurn(match.number, 0, "b"), Ready())
    server.loop.call_soon_threadsafe(server.services.stop_streams)
    assert next(events) == Ready()  # all that is current was known
    assert [str(error) for error in losses] == ["The server stops: open the stream again in a moment."]
    ann.play(match.number, "a1")
    assert bob.play(match.number, "b1") == 3
    assert next(events) == MyTurn(match.number, 3, "b")
    bob.offer_draw(match.number)
    offer = next(events)
    assert isinstance(offer, OfferMade)
    assert (offer.offer.what, offer.offer.asked) == ("draw", ("b",))
    stream.close()
    assert next(events, None) is None


def test_the_end_of_a_match_is_told_though_the_stream_was_lost(server: Listening, ann: Client, bob: Client) -> None:
    match = ann.begin(GAME, ["open", "me"])
    bob.take_seat(link(ann, match))
    stream = ann.events()
    events = iter(stream)
    assert [type(next(events)) for _ in range(2)] == [MatchBegun, Ready]
    person = next(person for person, own in server.services.streams._open.items() if own)

    async def end_while_away() -> None:
        server.services.stop_streams()
        server.services.streams._open.pop(person, None)
        live = await server.services.referee.find(match.number)
        holder = live.match.seats[0].visitor
        assert holder
        await server.services.referee.act(live, holder, "x", "resign")

    asyncio.run_coroutine_threadsafe(end_while_away(), server.loop).result(60)
    over = next(events)
    assert isinstance(over, MatchOver)
    assert over.result
    assert (over.number, over.result.winner, over.result.reason) == (match.number, "w", "resignation")
    assert next(events) == Ready()
    stream.close()


def test_a_newer_stream_of_events_takes_the_place(ann: Client) -> None:
    older, newer = ann.events(), ann.events()
    events, others = iter(older), iter(newer)
    assert next(events) == Ready()
    assert next(others) == Ready()
    with pytest.raises(StreamReplaced, match=r"^A newer stream has taken the place of this one\.$"):
        next(events)
    newer.close()


def test_a_match_is_followed_without_gaps_over_lost_connections(server: Listening, ann: Client) -> None:
    match = ann.begin(GAME, ["me", "me"])
    stream = ann.follow(match.number)
    states = iter(stream)
    assert next(states).seq == 0
    record = damier.load(GAME).record()
    seen: list[MatchView] = []
    for step in range(12):
        action = record.actions()[0]
        record.play(action)
        ann.play(match.number, action)
        if step % 4 == 3:
            server.loop.call_soon_threadsafe(server.services.stop_streams)
        if record.result:
            break
    while not seen or seen[-1].seq < record.count:
        seen.append(next(states))
    assert [state.seq for state in seen] == sorted({state.seq for state in seen})
    assert (seen[-1].history, seen[-1].position) == (record.played, str(record.position))
    stream.close()
    assert next(states, None) is None


def test_a_stream_is_closed_from_another_thread(ann: Client) -> None:
    stream = ann.events()
    events = iter(stream)
    assert next(events) == Ready()
    threading.Timer(0.1, stream.close).start()
    assert next(events, None) is None


def test_an_unknown_match_cannot_be_followed(ann: Client) -> None:
    with pytest.raises(CallRefused, match=r"^There is no such match\.$"):
        next(iter(ann.follow("nowhere")))


# Data


def test_events_of_later_versions_are_handed_on() -> None:
    assert parse_event({"type": "dance", "x": 1}) == OtherEvent("dance", {"type": "dance", "x": 1})
    way: dict[str, Any] = {"game": GAME, "options": {}, "clock": None, "is_rated": False}
    seek = {"number": "S", "owner": {"name": "Bob", "is_program": True}, "terms": [way]}
    assert parse_event({"type": "challenge", "seek": seek}) == Challenge("S", "Bob", True, (way,))


def test_clocks_are_in_seconds() -> None:
    clocks = TimesLeft.parse({"left": {"b": 61_500, "w": 0}, "running": "b", "free": 250, "first": None, "claim": None})
    assert clocks == TimesLeft({"b": 61.5, "w": 0.0}, 0.25, None)
    assert ClockView.parse({"kind": "live", "base": 180, "increment": 2}) == ClockView("live", 180, 2)
    assert (ClockView.parse(None), TimesLeft.parse(None)) == (None, None)


# Trying again


class Waiting(threading.Event):
    """An event that notes how long others wait for it, and never comes."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.append(timeout or 0.0)
        return self.is_set()


def test_pauses_double_and_end_when_the_client_is_closed() -> None:
    closed = Waiting()
    pauses = Backoff(closed)
    for _ in range(10):
        pauses.wait(ValueError())
    wanted = [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    assert all(0.8 <= seconds / usual <= 1.2 for seconds, usual in zip(closed.waited, wanted, strict=True))
    pauses.reset()
    closed.set()
    with pytest.raises(Closed):
        pauses.wait(ValueError())
    assert closed.waited[-1] <= 0.3


def test_a_call_is_not_tried_longer_than_patience_lasts() -> None:
    calls: list[float] = []

    def call() -> None:
        calls.append(time.monotonic())
        raise ConnectionLost(message("The connection is closed."))

    with pytest.raises(ConnectionLost):
        retried(call, 0.0, threading.Event())
    assert len(calls) == 1


def test_the_package_needs_only_the_standard_library_and_the_core() -> None:
    folder = Path(damier.__file__).parent / "client"
    imports = [
        line.split()[1]
        for file in folder.glob("*.py")
        for line in file.read_text().splitlines()
        if line.startswith("from damier")
    ]
    assert {name.split(".")[1] for name in imports} <= {"client", "core", "transcript"}
