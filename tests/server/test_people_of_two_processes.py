"""Two sets of services on one database, as in two processes: notices and streams of persons."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

import damier
from damier.server import services as services_module
from damier.server.hub.hub import match_place
from damier.server.hub.local import Exchange
from damier.server.matches.clock import parse_control
from damier.server.matches.live_match import LiveMatch
from damier.server.notices.notice import Channel, turn_tag
from damier.server.people.account import Account
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.statements import notices as stored
from damier.server.store.statements.notices import Subscription
from damier.server.streams.person_lines import PersonLines
from damier.server.wire.model import WireModel
from tests.server.databases import ANN, BOB
from tests.server.hub.hubs import redis_address, until
from tests.server.lobby.scene import SLOW, live, slow
from tests.server.served import SETTINGS
from tests.server.stores import rows
from tests.server.test_races import LossyHub, no_lock

Act = Callable[[Services, Services], Coroutine[Any, Any, None]]


@dataclass(eq=False)
class Page:
    """A page that keeps what it is told."""

    person: str
    lang: str = "de"
    session: str = ""
    told: list[dict[str, Any]] = field(default_factory=list)

    def send(self, message: WireModel) -> None:
        self.told.append(json.loads(message.model_dump_json()))

    def end(self) -> None:
        """Is never asked to."""

    def tags(self, kind: str) -> list[str]:
        return [
            each["notice"]["tag"] if kind == "notice" else each["tag"] for each in self.told if each["type"] == kind
        ]


class Pushes:
    """Counts what is pushed, by whichever process."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, told: Any, _browser: Subscription) -> str:
        self.sent.append(told.kind)
        return "delivered"


@pytest.fixture
def play(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Act], None]:
    """Plays a scene with two processes that share a database, a hub and what is pushed."""
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))

    async def run(act: Act) -> None:
        exchange = Exchange()
        monkeypatch.setattr(services_module, "make_hub", lambda _redis: LossyHub(exchange))
        found = [Services(ServerSettings.read({**SETTINGS, "database": database})) for _ in range(2)]
        for each in found:
            await each.open()
            each.notices.delays = {}
        try:
            await act(*found)
        finally:
            for each in found:
                await each.close()

    def begin(act: Act) -> None:
        with no_lock():
            asyncio.run(run(act))

    return begin


async def pushes_of(person: str, *processes: Services) -> Pushes:
    """Gives a person a browser, and returns what is pushed to it."""
    browser = Subscription("n", person, "", "https://push.example.org/x", "p", "a", "en", "", "2026-11-17")
    await processes[0].store.write("test", "", lambda given: stored.subscribe(given, browser, 10))
    pushes = Pushes()
    for each in processes:
        each.notices.recipients.push_key = "key"
        each.notices.pusher = pushes  # type: ignore[assignment]
    return pushes


async def settle(*processes: Services) -> None:
    """Waits until nothing is to be told or sent any more."""
    while any(each.notices._tasks or len(each.notices.outbox) for each in processes):
        await asyncio.sleep(0.01)


async def slow_match(process: Services) -> LiveMatch:
    game = damier.load("chefa")
    return await process.referee.begin_between(game, [ANN, BOB], control=parse_control(SLOW), is_rated=False)


async def move(process: Services, number: str, request: str) -> str:
    """Plays the first legal action, and returns who has played."""
    found = await process.referee.find(number)
    record = found.match.record
    person = found.match.seat(record.mover).visitor
    assert person
    await process.referee.act(found, person, request, "play", action=record.actions()[0])
    return person


async def lines(stream: PersonLines, *kinds: str) -> list[dict[str, Any]]:
    """Returns the next lines of a stream, which must be of some kinds."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(30):
        while len(found) < len(kinds):
            found += [json.loads(line) for line in (await stream.next()).splitlines() if line]
    assert [each["type"] for each in found] == list(kinds)
    return found


def test_a_notice_reaches_the_page_at_the_other_process_and_is_pushed_once(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        pushes = await pushes_of(ANN, one, other)
        ann = Page(ANN)
        await other.notices.join(ann)
        seek = (await one.lobby.seek(ANN, slow())).seek
        assert seek
        match = await one.lobby.accept(BOB, seek.number)
        await until(lambda: turn_tag(match) in ann.tags("notice"))
        await settle(one, other)
        assert pushes.sent == ["answer"]
        later = Page(ANN)
        await other.notices.join(later)
        assert turn_tag(match) in [each["tag"] for each in later.told[0]["notices"]], "it is remembered there, too"

    play(scene)


def test_a_turn_is_told_and_taken_back_on_pages_of_all_processes(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        number = (await slow_match(one)).match.number
        pages = [Page(person) for person in (ANN, BOB)]
        for page in pages:
            await other.notices.join(page)
        pushes = await pushes_of(BOB, one, other)
        assert await move(one, number, "1") == ANN
        await settle(one, other)
        assert await move(other, number, "2") == BOB
        await until(lambda: all(turn_tag(number) in page.tags("notice") for page in pages))
        await until(lambda: turn_tag(number) in pages[1].tags("gone"))
        await settle(one, other)
        assert pushes.sent == ["turn"]

    play(scene)


def test_a_turn_that_is_played_at_another_process_meanwhile_is_not_sent(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        number = (await slow_match(one)).match.number
        pushes = await pushes_of(BOB, one, other)
        one.notices.delays = {"turn": 0.5}
        assert await move(one, number, "1") == ANN
        assert await move(other, number, "2") == BOB
        await settle(one, other)
        assert pushes.sent == []

    play(scene)


def test_who_has_the_match_open_at_another_process_is_told_nothing(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        number = (await slow_match(one)).match.number
        pushes = await pushes_of(BOB, one, other)
        bob = Page(BOB)
        await one.notices.join(bob)
        other.hub.enter(match_place(number), BOB)
        assert await move(one, number, "1") == ANN
        await settle(one, other)
        assert (bob.tags("notice"), pushes.sent) == ([], [])

    play(scene)


def test_a_reminder_that_is_due_at_two_processes_is_sent_once(play: Callable[[Act], None], database: str) -> None:
    async def scene(one: Services, other: Services) -> None:
        number = (await slow_match(one)).match.number
        await move(one, number, "1")
        await settle(one, other)
        pushes = await pushes_of(BOB, one, other)
        await asyncio.to_thread(rows, database, "UPDATE matches SET remind = 0")
        await asyncio.gather(*(each.notices._remind(number) for each in (one, other, one, other)))
        await settle(one, other)
        assert pushes.sent == ["reminder"]

    play(scene)


def test_processes_share_how_much_a_person_is_sent(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        channels: tuple[Channel, ...] = ("push", "email")
        for channel in channels:
            while one.notices._limits[channel].take(ANN):
                pass
            assert not other.notices._limits[channel].take(ANN)
            assert other.notices._limits[channel].take(BOB)

    play(scene)


def test_pages_are_sent_all_that_is_current_after_announcements_were_missed(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        bob = Page(BOB)
        await other.notices.join(bob)
        other.hub.hears = iter([False] * 100)  # type: ignore[attr-defined]
        number = (await slow_match(one)).match.number
        await move(one, number, "1")
        await settle(one, other)
        assert bob.tags("notice") == []
        for missed in other.hub._resumed:  # type: ignore[attr-defined]
            await missed()
        assert [each["tag"] for each in bob.told[-1]["notices"]] == [turn_tag(number)]

    play(scene)


def test_a_stream_is_told_of_matches_that_are_played_at_another_process(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        stream = other.streams.open(ANN, "token 1", "en")
        await lines(stream, "ready")
        number = (await slow_match(one)).match.number
        assert (await lines(stream, "begun", "turn"))[0]["match"]["number"] == number
        await move(one, number, "1")
        await move(one, number, "2")
        assert (await lines(stream, "turn"))[0]["seq"] == 2
        await one.referee.act(await one.referee.find(number), BOB, "3", "resign")
        assert (await lines(stream, "over"))[0]["number"] == number
        assert one.lobby.owners.is_here(ANN), "a stream keeps a live seek open, whichever process has it"
        other.streams.leave("token 1", stream)
        assert not one.lobby.owners.is_here(ANN)

    play(scene)


def test_a_challenge_reaches_a_stream_at_another_process(
    play: Callable[[Act], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(one: Services, other: Services) -> None:
        stream = other.streams.open(BOB, "token 1", "en")
        await lines(stream, "ready")

        account = Account(BOB, "Bob", is_program=False, is_moderator=False, created="2026-11-17T12:00:00.000Z")
        monkeypatch.setattr(one.accounts, "find", AsyncMock(return_value=account))
        seek = (await one.lobby.seek(ANN, live(kind="challenge", rival="Bob"))).seek
        assert seek
        assert (await lines(stream, "challenge"))[0]["seek"]["number"] == seek.number

    play(scene)


def test_a_client_has_one_stream_at_all_processes(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        older, apart = one.streams.open(ANN, "token 1", "en"), one.streams.open(ANN, "token 2", "en")
        newer = other.streams.open(ANN, "token 1", "en")
        await until(lambda: older.is_ended)
        assert not newer.is_ended
        assert not apart.is_ended
        assert b'"newer"' in await older.next()
        newest = one.streams.open(ANN, "token 1", "en")
        assert (newer.is_ended, newest.is_ended) == (True, False)

    play(scene)


def test_of_two_streams_that_one_client_opens_at_once_one_stays(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        for each in (one, other):
            each.hub.hears = iter([False] * 3)  # type: ignore[attr-defined]
        streams = [each.streams.open(ANN, "token 1", "en") for each in (one, other)]
        assert not any(stream.is_ended for stream in streams)
        for each in (one, other):
            each.hub.hears = iter(())  # type: ignore[attr-defined]
        one.streams._announce(streams[0])
        other.streams._announce(streams[1])
        assert sorted(stream.is_ended for stream in streams) == [False, True]

    play(scene)


def test_a_stream_is_told_what_no_announcement_has_said(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        stream = other.streams.open(ANN, "token 1", "en")
        await lines(stream, "ready")
        other.hub.hears = iter([False] * 100)  # type: ignore[attr-defined]
        number = (await slow_match(one)).match.number
        await other.streams.compare()
        await lines(stream, "begun", "turn")
        other.referee.let_go(number)
        await move(one, number, "1")
        await move(one, number, "2")
        await other.streams.compare()
        await lines(stream, "turn")
        other.referee.let_go(number)
        await one.referee.act(await one.referee.find(number), BOB, "3", "resign")
        await other.streams.compare()
        await lines(stream, "over")
        await other.streams.compare()
        assert stream.told == {}

    play(scene)


def test_streams_are_opened_again_after_announcements_were_missed(play: Callable[[Act], None]) -> None:
    async def scene(one: Services, other: Services) -> None:
        stream = other.streams.open(ANN, "token 1", "en")
        await lines(stream, "ready")
        for missed in other.hub._resumed:  # type: ignore[attr-defined]
            await missed()
        assert (await lines(stream, "end"))[0]["why"] == "failed"

    play(scene)


def test_two_processes_on_one_redis_share_seeks_notices_and_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    about = {**SETTINGS, "database": str(tmp_path / "matches.sqlite"), "redis": redis_address()}

    async def run() -> None:
        one, other = found = [Services(ServerSettings.read(about)) for _ in range(2)]
        for each in found:
            await each.open()
        try:
            await until(lambda: not any(each.hub.is_deaf for each in found))
            await asyncio.sleep(0.1)  # in which the streams and pages of earlier connections are renewed
            older, page = one.streams.open(ANN, "token 1", "en"), Page(ANN)
            stream = other.streams.open(ANN, "token 1", "en")
            await other.notices.join(page)
            await until(lambda: older.is_ended)
            assert not stream.is_ended
            await lines(stream, "ready")
            await until(lambda: one.lobby.owners.is_here(ANN))
            seek = (await one.lobby.seek(ANN, slow(side=0))).seek
            assert seek
            await until(lambda: bool(other.lobby._open.get(seek.number)))
            match = await one.lobby.accept(BOB, seek.number)
            assert (await lines(stream, "begun", "turn"))[0]["match"]["number"] == match
            await until(lambda: turn_tag(match) in page.tags("notice"))
            await until(lambda: other.lobby._open.get(seek.number) is None)
        finally:
            for each in found:
                await each.close()

    with no_lock():
        asyncio.run(run())
