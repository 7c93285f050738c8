"""The streams for programs: what is current is told on open, nothing is missed or told twice, and all is bounded."""

import asyncio
import contextlib
import http.client
import json
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.messages import message
from damier.server.front.connections import Connections
from damier.server.front.visitors import visitor_of
from damier.server.lobby.seeks import owners
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.store.store import StoreFailed
from damier.server.streams import lines
from damier.server.streams.lines import LineStream
from damier.server.streams.turns import offer_seq, turn_seq
from damier.server.wire.streams import ReadyMessage, TurnMessage
from tests.server.listening import Listening, listening
from tests.server.streaming import SECONDS, Lines, Visitor

GAME = "chefa"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    home = tmp_path_factory.mktemp("home")
    with listening(home, Connections(1000, 1000, ()), workers=1, matches_per_hour=100_000) as served:
        yield served
        served.services.stop_streams()


@pytest.fixture
def ann(server: Listening) -> Iterator[Visitor]:
    with contextlib.closing(Visitor(server.port)) as visitor:
        yield visitor


@pytest.fixture
def bob(server: Listening) -> Iterator[Visitor]:
    with contextlib.closing(Visitor(server.port)) as visitor:
        yield visitor


def wait(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def brief(messages: list[dict[str, Any]]) -> list[Any]:
    """Returns the kinds of messages, with the number of the event where there is one."""
    return [(told["type"], told["seq"]) if "seq" in told else told["type"] for told in messages]


# The stream of a person


def test_all_that_is_current_is_told_first(ann: Visitor, bob: Visitor) -> None:
    over = ann.begin(GAME, "me", "me")
    assert ann.act(over["number"], "1", "resign")[0] == 200
    first, second = ann.begin(GAME, "open", "me"), ann.begin(GAME, "me", "open")
    bob.take_seat(second)
    told = ann.stream("events").until("ready")
    assert brief(told) == ["begun", ("turn", 0), "begun", "ready"]
    assert [each["match"]["number"] for each in told if each["type"] == "begun"] == [second["number"], first["number"]]
    assert told[0]["match"]["seats"][1]["kind"] == "person"
    assert told[1] == {"type": "turn", "number": second["number"], "seq": 0, "player": "b"}


def test_what_happens_is_told_once_and_without_gaps(ann: Visitor, bob: Visitor) -> None:
    stream, others = ann.stream("events"), bob.stream("events")
    assert brief(stream.until("ready")) == brief(others.until("ready")) == ["ready"]
    match = ann.begin(GAME, "me", "open")
    number = match["number"]
    assert brief([stream.next(), stream.next()]) == ["begun", ("turn", 0)]
    bob.take_seat(match)
    assert others.next()["match"]["number"] == number
    assert ann.act(number, "1", "play", action="a1") == (200, {"type": "done", "id": "1", "seq": 2})
    assert others.next() == {"type": "turn", "number": number, "seq": 2, "player": "w"}
    assert bob.act(number, "1", "offer_draw")[0] == 200
    assert stream.next()["offer"] == {"what": "draw", "player": "w", "is_mine": False, "asked": ["b"]}
    assert bob.act(number, "2", "play", action="b1")[0] == 200
    assert stream.next() == {"type": "turn", "number": number, "seq": 4, "player": "b"}
    assert ann.act(number, "2", "resign")[0] == 200
    ends = [stream.next(), others.next()]
    assert brief(ends) == [("over", 5), ("over", 5)]
    assert ends[0]["result"]["winner"] == "w"
    assert ann.act(number, "3", "rematch")[0] == 200
    assert others.next()["offer"]["what"] == "rematch"
    assert bob.act(number, "3", "answer", yes=True)[0] == 200
    begun = stream.next()
    assert begun["match"]["number"] != number
    assert [seat["is_mine"] for seat in begun["match"]["seats"]] == [False, True]
    assert brief([others.next(), others.next()]) == ["begun", ("turn", 0)]


def test_a_stream_that_is_opened_again_tells_the_same_turn_by_the_same_number(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("sensei", "me", "open")  # whose turns have several actions
    bob.take_seat(match)
    first = ann.stream("events")
    turn = first.until("ready")[1]
    action = match["state"]["actions"][0]["action"]
    assert ann.act(match["number"], "1", "play", action=action)[0] == 200
    assert bob.act(match["number"], "1", "offer_draw")[0] == 200
    assert first.next()["type"] == "offer"
    again = ann.stream("events").until("ready")
    assert brief(again) == ["begun", ("turn", 0), ("offer", 3), "ready"]
    assert again[1] == turn


def test_a_newer_stream_ends_the_older_with_a_last_line(ann: Visitor) -> None:
    older, newer = ann.stream("events"), ann.stream("events")
    last = older.until("end")[-1]
    assert last == {"type": "end", "why": "newer", "error": "A newer stream has taken the place of this one."}
    assert older.raw() == b""
    assert newer.until("ready")
    number = ann.begin(GAME, "open", "me")["number"]
    assert newer.next()["match"]["number"] == number


def test_each_token_has_a_stream_of_its_own(ann: Visitor) -> None:
    ann.sign_up()
    one, other = (ann.stream("events", Authorization=bearer(ann)) for _ in range(2))
    assert one.until("ready")
    assert other.until("ready")
    number = ann.begin(GAME, "open", "me")["number"]
    assert one.next()["match"]["number"] == other.next()["match"]["number"] == number


def test_a_token_that_is_revoked_loses_its_stream_and_others_keep_theirs(ann: Visitor) -> None:
    ann.sign_up()
    token = ann.new_token("play")
    revoked = ann.stream("events", Authorization=f"Bearer {token['token']}")
    kept = ann.stream("events", Authorization=bearer(ann))
    for stream in (revoked, kept):
        stream.until("ready")
    assert ann.delete(f"/api/account/tokens/{token['number']}") == 204
    assert revoked.next()["why"] == "signed_out"
    number = ann.begin(GAME, "open", "me")["number"]
    assert kept.next()["match"]["number"] == number


def test_who_signs_out_elsewhere_ends_the_streams_of_sessions_but_not_those_of_tokens(ann: Visitor) -> None:
    ann.sign_up()
    of_token, of_session = ann.stream("events", Authorization=bearer(ann)), ann.stream("events")
    for stream in (of_token, of_session):
        stream.until("ready")
    assert ann.post("/api/account/sign-out", {})[0] == 204
    assert of_session.next()["why"] == "signed_out"
    del ann.headers["Cookie"]
    assert ann.stream("events").status == 403
    of_token.close()


def test_a_challenge_is_told_at_once_and_to_who_comes_later(ann: Visitor, bob: Visitor) -> None:
    bob.sign_up()
    name = ann.sign_up()
    stream = ann.stream("events")
    stream.until("ready")
    terms = [{"game": GAME, "clock": {"kind": "correspondence", "base": 172800, "increment": 86400, "cap": 345600}}]
    status, made = bob.post("/api/seeks", {"kind": "challenge", "rival": name, "terms": terms})
    assert status == 201, made
    told = stream.next()
    assert (told["type"], told["seek"]["number"]) == ("challenge", made["seek"]["number"])
    later = ann.stream("events")
    assert later.until("ready")[0] == told
    status, accepted = ann.post(f"/api/seeks/{told['seek']['number']}/accept", {})
    assert status == 200
    assert later.next()["match"]["number"] == accepted["match"]


def test_a_live_seek_stays_while_the_stream_of_its_owner_is_open(
    server: Listening, ann: Visitor, bob: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners, "GRACE", 0.0)
    feed = server.services.lobby.feed
    stream = ann.stream("events")
    stream.until("ready")
    sought = []
    for visitor, side in ((ann, 0), (bob, 0)):  # both want the same side: they are not paired
        terms = [{"game": GAME, "clock": {"kind": "live", "base": 180, "increment": 2}}]
        status, made = visitor.post("/api/seeks", {"terms": terms, "side": side})
        assert status == 201, made
        sought.append(made["seek"]["number"])
    wait(lambda: sought[1] not in feed.state_text())
    assert sought[0] in feed.state_text()
    stream.close()
    wait(lambda: sought[0] not in feed.state_text())


def bearer(visitor: Visitor) -> str:
    """Returns the header of a new token of a visitor."""
    return f"Bearer {visitor.new_token('play')['token']}"


def test_a_stream_of_events_is_of_one_person(server: Listening) -> None:
    sentence = "Send a token or the cookie of a visitor: this stream is of one person."
    with contextlib.closing(Lines(server.port, "/api/stream/events", {})) as refused:
        assert refused.status == 403
        assert json.loads(refused.answer.read()) == {"error": sentence}


def test_who_is_forgotten_loses_the_stream(server: Listening, ann: Visitor) -> None:
    stream = ann.stream("events")
    stream.until("ready")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    connection.request("DELETE", "/api/me", headers=ann.headers)
    assert connection.getresponse().status == 204
    connection.close()
    assert stream.next()["error"] == "You are signed out: this stream is closed."
    assert stream.raw() == b""


def test_other_services_tell_and_replay_their_own(server: Listening, ann: Visitor) -> None:
    streams = server.services.streams
    ann.begin(GAME, "me", "open")

    async def replay(person: str, lang: str) -> list[Any]:
        assert (len(person), lang) == (32, "fr")
        return [ReadyMessage(type="ready")]

    streams.add_replay(replay)
    try:
        stream = ann.stream("events?lang=fr")
        assert brief(stream.until("ready")) == ["begun", ("turn", 0), "ready"]
        assert brief(stream.until("ready")) == ["ready"]  # the stream's own, after what others replay
        person = visitor_of(ann.headers["Cookie"].partition("=")[2].partition(".")[0])
        line = TurnMessage(type="turn", number="N", seq=1, player="b")
        server.loop.call_soon_threadsafe(streams.tell, person, line)
        assert stream.next() == line.model_dump()
    finally:
        streams._replays.clear()


def test_a_stream_that_cannot_be_filled_ends_with_a_sentence(
    server: Listening, ann: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_person: str) -> list[str]:
        raise StoreFailed(message("The server could not store or read the match: try again."))

    monkeypatch.setattr(server.services.store, "current", fail)
    stream = ann.stream("events")
    assert stream.next() == {"type": "end", "why": "failed", "error": "The stream failed: open it again."}
    assert stream.raw() == b""
    assert "The events of a person cannot be told: " in caplog.text


def test_a_stream_is_not_for_pages_of_other_sites(ann: Visitor) -> None:
    number = ann.begin(GAME, "me", "open")["number"]
    for path in ("events", f"matches/{number}"):
        refused = ann.stream(path, Origin="http://elsewhere.example")
        assert (refused.status, json.loads(refused.answer.read())["error"]) == (
            403,
            "The request comes from another page.",
        )


# The stream of a match


def test_a_match_is_told_as_a_state_and_then_by_its_changes(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin(GAME, "me", "open")
    number = match["number"]
    bob.take_seat(match)
    stream = bob.stream(f"matches/{number}?lang=de")
    shot = stream.next()
    assert (shot["type"], shot["seq"], shot["state"]["mover_name"]) == ("snapshot", 1, "Schwarz")
    assert [seat["is_mine"] for seat in shot["seats"]] == [False, True]
    assert stream.next() == {"type": "here", "seats": ["w"], "clocks": None}
    assert ann.act(number, "1", "play", action="a1")[0] == 200
    event = stream.next()
    while event["type"] == "chat":  # what may be read, before or after the event
        event = stream.next()
    assert (event["seq"], event["event"]) == (2, {"kind": "play", "player": "b", "action": "a1"})
    assert event["history"] == {"kept": 0, "added": [{"action": "a1", "player": "b", "turn": 1}]}
    assert event["state"]["is_my_turn"]


def test_an_unknown_match_has_no_stream(ann: Visitor) -> None:
    refused = ann.stream("matches/nowhere")
    assert (refused.status, json.loads(refused.answer.read())) == (404, {"error": "There is no such match."})


def test_a_client_that_goes_leaves_the_match(server: Listening, ann: Visitor) -> None:
    number = ann.begin(GAME, "me", "open")["number"]
    stream = ann.stream(f"matches/{number}")
    stream.next()
    live = server.services.referee._live[number]
    assert len(live.listeners) == 1
    stream.close()
    wait(lambda: not live.listeners)
    wait(lambda: not live._here)


def test_the_ninth_stream_of_a_player_in_a_match_ends_the_first(ann: Visitor) -> None:
    number = ann.begin(GAME, "me", "open")["number"]
    streams = [ann.stream(f"matches/{number}") for _ in range(9)]
    assert streams[0].until("end")[-1]["why"] == "newer"
    assert ann.act(number, "1", "play", action="a1")[0] == 200
    for stream in streams[1:]:
        assert stream.until("event")[-1]["seq"] == 1
        stream.close()


def test_a_client_that_does_not_read_is_cut(server: Listening, ann: Visitor, caplog: pytest.LogCaptureFixture) -> None:
    number = ann.begin(GAME, "me", "me")["number"]
    slow = ann.stream(f"matches/{number}")
    live = server.services.referee._live[number]
    (listener,) = live.listeners
    wait(lambda: not cast(LineStream, listener)._queue)

    async def fill() -> None:
        for _ in range(2000):  # more than the buffers of the system and the queue hold
            listener.send_text(json.dumps({"type": "names", "nicknames": {"b": 20_000 * "x"}}))
            await asyncio.sleep(0)

    asyncio.run_coroutine_threadsafe(fill(), server.loop).result(SECONDS)
    assert not live.listeners
    assert ann.act(number, "1", "play", action="a1")[0] == 200
    last = slow.until("end")[-1]
    assert last == {"type": "end", "why": "slow", "error": "The connection is too slow."}
    assert "Closed a stream whose client reads too slowly." in caplog.text


# Acting


def test_a_request_sent_again_changes_nothing_and_gets_the_same_answer(ann: Visitor) -> None:
    number = ann.begin(GAME, "me", "me")["number"]
    answers = [ann.act(number, "same", "play", action="a1") for _ in range(3)]
    assert answers == 3 * [(200, {"type": "done", "id": "same", "seq": 1})]


def test_what_is_not_allowed_is_refused_with_the_socket_s_sentence(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin(GAME, "me", "open")
    number = match["number"]
    watching = "You are watching this match: only seated players can act."
    assert bob.act(number, "1", "play", action="a1") == (403, {"error": watching})
    bob.take_seat(match)
    assert bob.act(number, "2", "play", action="a1") == (403, {"error": "It is not your turn."})
    assert ann.act(number, "3", "play", action="z9")[0] == 400
    assert ann.act(number, "4", "answer", yes=True) == (400, {"error": "There is no offer to answer."})
    assert ann.act(number, "5", "dance")[0] == 422
    assert ann.act("nowhere", "6", "resign") == (404, {"error": "There is no such match."})
    ann.headers["Origin"] = "http://elsewhere.example"
    assert ann.act(number, "7", "resign") == (403, {"error": "The request comes from another page."})


# Limits


def test_the_seventeenth_stream_of_a_person_is_refused_and_says_which_limit(server: Listening, ann: Visitor) -> None:
    ann.sign_up()
    streams = [ann.stream("events", Authorization=bearer(ann)) for _ in range(16)]
    for stream in streams:
        stream.until("ready")
    last = bearer(ann)
    refused = ann.stream("events", Authorization=last)
    assert (refused.status, refused.answer.headers["Retry-After"]) == (429, "10")
    sentence = "You have too many streams of events open: close some."
    assert json.loads(refused.answer.read()) == {"error": sentence, "limit": "streams", "seconds": 10}
    streams[0].close()
    wait(lambda: server.services.sockets.count < 16 + len(server.services.lines))

    def opens() -> bool:
        stream = ann.stream("events", Authorization=last)
        return stream.status == 200 and bool(stream.until("ready"))

    wait(opens)


def test_a_line_is_sent_at_least_every_few_seconds(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines.SILENCE == 7.0
    monkeypatch.setattr(lines, "SILENCE", 0.05)
    stream = ann.stream("events")
    stream.until("ready")
    assert [stream.raw(), stream.raw()] == [b"\n", b"\n"]


def test_a_server_that_stops_says_so(server: Listening, ann: Visitor) -> None:
    number = ann.begin(GAME, "me", "open")["number"]
    streams = [ann.stream("events"), ann.stream(f"matches/{number}")]
    streams[0].until("ready")
    streams[1].next()
    server.loop.call_soon_threadsafe(server.services.stop_streams)
    for stream in streams:
        last = stream.until("end")[-1]
        assert last["error"] == "The server stops: open the stream again in a moment."
        assert stream.raw() == b""


def test_what_is_current_waits_for_a_client_that_reads_slowly() -> None:
    async def scenario() -> None:
        stream, count = LineStream("en"), 3 * lines.LONGEST_QUEUE

        async def fill() -> None:
            for number in range(count):
                stream.send_text(str(number))
                await stream.wait_for_room()
            stream.abandon()

        filling = asyncio.create_task(fill())
        read = b""
        while part := await stream.next():
            read += part
            await asyncio.sleep(0)
        await filling
        assert read.split() == [str(number).encode() for number in range(count)]

    asyncio.run(scenario())


# Whose turn it is: naive twins


def match_of(game: str) -> Match:
    players = damier.load(game).players
    seats = [Seat(player, PERSON, visitor=player) for player in players]
    return Match("number", damier.load(game), seats, bytes(32), players[0], "")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(damier.games()), st.lists(st.integers(0, 1000), max_size=40), st.integers(1, 15))
def test_the_number_of_a_turn_is_that_of_the_event_that_began_it(game: str, choices: list[int], who: int) -> None:
    match = match_of(game)
    mine = [player for place, player in enumerate(match.game.players) if who >> place & 1]
    began = 0 if match.record.mover in mine else None
    for choice in choices:
        before = (match.record.mover, match.record.turn)
        event = next_event(match, choice)
        if event is None:
            break
        match.add(event)
        is_mine = match.record.result is None and match.record.mover in mine
        is_new = event.kind in ("roll", "undo") or (
            event.kind == "play" and (before[0] not in mine or match.record.turn != before[1])
        )
        began = None if not is_mine else match.seq if is_new or began is None else began
        assert turn_seq(match, mine) == began
        offers = [seq for seq, each in enumerate(match.events, 1) if each.kind == "offer"]
        assert offer_seq(match) == (offers[-1] if match.offer else None)


def next_event(match: Match, choice: int) -> Event | None:
    if match.record.result:
        return None
    if roll := match.due_roll():
        return roll
    mover = match.record.mover
    if choice % 7 == 0:
        return Event("offer", mover, what="draw")
    if choice % 11 == 0 and match.actors:
        return Event("undo", mover, to=choice % len(match.actors))
    actions = match.record.actions()
    return Event("play", mover, actions[choice % len(actions)])


def test_the_cost_of_looking_for_a_turn_does_not_grow_with_the_match() -> None:
    looked: list[int] = []

    class Events(list[Event]):
        def __getitem__(self, place: Any) -> Any:
            looked.append(place)
            return super().__getitem__(place)

    play = Event("play", "b", "a1")
    record = SimpleNamespace(result=None, mover="w", turn=1000)
    match = SimpleNamespace(
        record=record, actors=["b"] * 1000, turns=list(range(1000)), events=Events([play] * 1000), seq=1000
    )
    assert turn_seq(cast(Match, match), ["w"]) == 1000
    assert len(looked) == 1
