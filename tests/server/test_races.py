"""Two referees on one database, as in two processes: no confirmed action is lost or doubled, whatever the order.

The lock that keeps a second server out is switched off here, and announcements between the two may be lost.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import Mock, patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damier
from damier.core.errors import DamierError
from damier.server.hub.hub import Kind
from damier.server.hub.local import Exchange, LocalHub
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Event
from damier.server.matches.referee import Referee
from damier.server.store.dialect import PostgresqlServer, SqliteFile
from damier.server.store.store import AppendRaced, Store
from tests.server.stores import rows
from tests.server.timed import ANN, BOB, EVE


@contextmanager
def no_lock() -> Iterator[None]:
    """Lets several stores use one database, as the processes of one installation will."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(PostgresqlServer, "_take_lock", lambda *_: None))
        patches.enter_context(patch.object(SqliteFile, "hold", lambda *_: None))
        yield


class Follower:
    """A connection that notes the numbers of the events that it is sent."""

    lag = 0

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.numbers: list[int] = []

    def send_text(self, text: str) -> None:
        """Is not looked at."""

    def handle_event(self, seq: int, event: Event) -> None:  # noqa: ARG002
        self.numbers.append(seq)


class DelayingStore(Store):
    """Lets others go first for a while before each statement."""

    delays: Iterator[int] = iter(())

    async def _in_thread(self, *given: Any) -> Any:
        for _ in range(next(self.delays, 0)):
            await asyncio.sleep(0.0005)
        return await super()._in_thread(*given)


class LossyHub(LocalHub):
    """Hears only some announcements."""

    hears: Iterator[bool] = iter(())

    def hear(self, kind: Kind, number: str, seq: int, body: Any = None) -> None:
        if next(self.hears, True):
            super().hear(kind, number, seq, body)


@dataclass
class Process:
    """A referee with a store and a hub of its own."""

    store: DelayingStore
    hub: LossyHub
    referee: Referee

    @classmethod
    def on(cls, database: str, exchange: Exchange) -> "Process":
        store, hub = DelayingStore(database), LossyHub(exchange)
        return cls(store, hub, Referee(store, Mock(), 1.0, hub=hub))


@dataclass
class Confirmed:
    """What visitors were told, by visitor and request."""

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    refused: set[tuple[str, str]] = field(default_factory=set)


@asynccontextmanager
async def two_processes(database: str) -> Any:
    exchange = Exchange()
    found = [Process.on(database, exchange) for _ in range(2)]
    for each in found:
        await each.store.open()
    try:
        yield found
    finally:
        for each in found:
            await each.referee.close()
            await each.store.close()


async def request(process: Process, live: LiveMatch, step: tuple[int, str, int], number: str, told: Confirmed) -> None:
    """Sends a request of the player to act, as this process sees the match; or repeats an earlier one."""
    _, kind, choice = step
    record = live.match.record
    visitor = live.match.seat(record.mover).visitor if record.mover in live.match.game.players else ANN
    assert visitor
    action = ""
    if kind == "again" and told.numbers:
        (visitor, number), before = sorted(told.numbers.items())[choice % len(told.numbers)]
        assert await process.referee.act(live, visitor, number, "resign") == before
        return
    do = "offer_draw" if kind == "offer" else "resign" if kind == "resign" else "play"
    if do == "play":
        legal = record.actions()
        action = legal[choice % len(legal)] if legal else "none"
    try:
        told.numbers[visitor, number] = await process.referee.act(live, visitor, number, do, action=action)
    except DamierError as error:
        assert not isinstance(error, AppendRaced)
        told.refused.add((visitor, number))


STEP = st.tuples(
    st.integers(0, 1), st.sampled_from(["play"] * 8 + ["offer", "again", "again", "resign"]), st.integers(0, 50)
)


@pytest.mark.parametrize("game", ["chefa", "omba"])
def test_no_confirmed_action_is_lost_or_doubled_by_two_referees(database: str, game: str) -> None:
    with no_lock(), asyncio.Runner() as runner:
        opening = two_processes(database)
        processes: list[Process] = runner.run(opening.__aenter__())

        @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
        @given(
            batches=st.lists(st.lists(STEP, min_size=1, max_size=3), min_size=1, max_size=10),
            hears=st.lists(st.booleans(), max_size=40),
            delays=st.lists(st.integers(0, 3), max_size=60),
        )
        def example(batches: list[list[tuple[int, str, int]]], hears: list[bool], delays: list[int]) -> None:
            for place, each in enumerate(processes):
                each.hub.hears, each.store.delays = iter(hears[place::2]), iter(delays[place::2])
            runner.run(played(processes, database, game, batches))

        try:
            example()
        finally:
            runner.run(opening.__aexit__(None, None, None))


async def played(processes: list[Process], database: str, game: str, batches: list[list[tuple[int, str, int]]]) -> None:
    """Plays a match through both processes, then compares what was confirmed with what is stored and shown."""
    first = await processes[0].referee.begin_between(damier.load(game), [ANN, BOB], control=None, is_rated=False)
    lives = [first, await processes[1].referee.find(first.match.number)]
    followers = [Follower(EVE), Follower(EVE)]
    begun = lives[1].match.seq
    for live, follower in zip(lives, followers, strict=True):
        live.join(follower, "en")
    told = Confirmed()
    for place, batch in enumerate(batches):
        sent = [
            request(processes[step[0]], lives[step[0]], step, f"{place}.{number}", told)
            for number, step in enumerate(batch)
        ]
        await asyncio.gather(*sent)
    for process, live, follower in zip(processes, lives, followers, strict=True):
        while live.due:
            await asyncio.wait([live.due])
        await process.referee._elsewhere.compare()
        live.leave(follower)
    twin = await processes[0].store.load(first.match.number)
    assert twin
    assert twin.requests == told.numbers
    assert not told.refused & twin.requests.keys()
    stored = rows(database, "SELECT seq FROM events WHERE match = :number ORDER BY seq", number=twin.number)
    assert [row.seq for row in stored] == list(range(1, twin.seq + 1))
    for live, follower in zip(lives, followers, strict=True):
        assert live.match.events == twin.events
        assert live.match.record.played == twin.record.played
        assert follower.numbers == list(range(twin.seq - len(follower.numbers) + 1, twin.seq + 1))
    assert followers[1].numbers == list(range(begun + 1, twin.seq + 1))


def test_of_two_who_take_one_seat_in_two_processes_one_gets_it(database: str) -> None:
    async def run() -> None:
        async with two_processes(database) as (one, other):
            one.hub.hears = other.hub.hears = iter([False] * 100)
            live = await one.referee.begin(damier.load("chefa"), ["me", "open"], ANN)
            twin = await other.referee.find(live.match.number)
            (invitation,) = [seat.invitation for seat in live.match.seats if seat.invitation]
            taking = (one.referee.take_seat(live, BOB, invitation), other.referee.take_seat(twin, EVE, invitation))
            results = await asyncio.gather(*taking, return_exceptions=True)
            assert sorted(result is None for result in results) == [False, True]
            assert all(result is None or not isinstance(result, AppendRaced) for result in results)
            stored = await one.store.load(live.match.number)
            assert stored
            assert {seat.visitor for seat in stored.seats} == {ANN, BOB if results[0] is None else EVE}
            await one.referee._elsewhere.compare()
            assert live.match.seats == stored.seats

    with no_lock():
        asyncio.run(run())


def test_an_event_of_another_process_reaches_those_who_follow_the_match_here(database: str) -> None:
    async def run() -> None:
        async with two_processes(database) as (one, other):
            live = await one.referee.begin_between(damier.load("chefa"), [ANN, BOB], control=None, is_rated=False)
            twin = await other.referee.find(live.match.number)
            follower = Follower(EVE)
            twin.join(follower, "en")
            mover = live.match.seat(live.match.record.mover).visitor or ""
            seq = await one.referee.act(live, mover, "1", "play", action=live.match.record.actions()[0])
            async with asyncio.timeout(60):
                while follower.numbers != [seq]:
                    await asyncio.sleep(0.01)
            twin.leave(follower)

    with no_lock():
        asyncio.run(run())


def test_the_turn_of_the_computer_is_thought_about_in_one_process_and_passes_on_when_that_ends(database: str) -> None:
    async def run() -> None:
        async with two_processes(database) as (one, other):
            thinking: list[tuple[Process, Future[list[str]]]] = []
            for process in (one, other):
                process.referee._computer._workers = Mock(submit=_thinking_in(process, thinking))
            live = await one.referee.begin(damier.load("chefa"), [1, "me"], ANN)
            twin = await other.referee.find(live.match.number)
            follower = Follower(EVE)
            twin.join(follower, "en")
            await _until(lambda: bool(thinking))
            await asyncio.sleep(0.1)
            assert [process for process, _ in thinking] == [one]
            assert live.due
            live.due.cancel()  # as if its process was killed
            await one.hub.close()
            await _until(lambda: len(thinking) > 1)
            process, answer = thinking[1]
            assert process is other
            answer.set_result(twin.match.record.actions()[:1])
            await _until(lambda: bool(follower.numbers))
            twin.leave(follower)

    with no_lock():
        asyncio.run(run())


def _thinking_in(process: Process, thinking: list[tuple[Process, Future[list[str]]]]) -> Callable[..., object]:
    """Returns an engine that is thinking until its answer is set."""

    def submit(*_given: object, **_more: object) -> Future[list[str]]:
        answer: Future[list[str]] = Future()
        thinking.append((process, answer))
        return answer

    return submit


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


def test_a_match_that_is_loaded_while_it_begins_is_in_memory_once(database: str) -> None:
    async def run() -> None:
        store = Store(database)
        await store.open()
        referee = Referee(store, Mock(), 1.0)
        asked, names = asyncio.Event(), store.account_names

        async def slow(people: Any) -> Any:
            is_first = not asked.is_set()
            asked.set()
            if is_first:  # the match that begins is stored, and not in memory yet
                (number,) = await store.recent(ANN)
                found.append(await referee.find(number))
            return await names(people)

        found: list[LiveMatch] = []
        store.account_names = slow  # type: ignore[method-assign, assignment]  # between storing a match and keeping it
        begun = await referee.begin(damier.load("chefa"), ["me", "open"], ANN)
        assert found == [begun] == referee.in_memory()
        await referee.close()
        await store.close()

    asyncio.run(run())
