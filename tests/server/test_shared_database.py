"""Several servers on one PostgreSQL database: the lock, the time, deadlines, who is here, and names."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from sqlalchemy import text

import damier
from damier.core.errors import DamierError
from damier.server.errors import NotNow
from damier.server.hub.local import Exchange, LocalHub
from damier.server.matches.clock import TimeControl
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Event, Match
from damier.server.matches.match_data import common_state, match_state
from damier.server.matches.referee import Referee
from damier.server.matches.server_time import SharedTime
from damier.server.people.account import AccountName
from damier.server.store import revisions
from damier.server.store import store as store_module
from damier.server.store.refusals import BadDatabase
from damier.server.store.statements.clocks import LONGEST_STEP
from damier.server.store.store import Store
from damier.server.wire.matches import CommonState, EventState
from tests.server import stores
from tests.server.stores import rows
from tests.server.timed import ANN, BOB, SimulatedClock

BULLET = TimeControl("live", 60)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    with stores.new_database("postgresql", tmp_path) as place:
        yield place


@dataclass
class Process:
    """What one process of an installation has of matches."""

    store: Store
    hub: LocalHub
    referee: Referee
    clock: SimulatedClock


@asynccontextmanager
async def processes(database: str, count: int = 2) -> AsyncIterator[list[Process]]:
    exchange, found = Exchange(), []
    for _ in range(count):
        store, hub, clock = Store(database, is_shared=True), LocalHub(exchange), SimulatedClock()
        await store.open()
        referee = Referee(store, Mock(), 1.0, time=SharedTime(clock), hub=hub)
        await referee.time.compare(store)  # type: ignore[attr-defined]  # of SharedTime
        found.append(Process(store, hub, referee, clock))
    try:
        yield found
    finally:
        for each in found:
            await each.referee.close()
            await each.store.close()


class Page:
    """A connection to one process."""

    lag = 0

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.events: list[str] = []
        self.texts: list[str] = []

    def send_text(self, text: str) -> None:
        self.texts.append(text)

    def handle_event(self, seq: int, event: Event) -> None:  # noqa: ARG002
        self.events.append(event.kind)


async def begin(process: Process, control: TimeControl | None = BULLET) -> LiveMatch:
    return await process.referee.begin_between(damier.load("chefa"), [ANN, BOB], control=control, is_rated=False)


async def play(process: Process, live: LiveMatch, request: str) -> None:
    mover = live.match.seat(live.match.record.mover).visitor or ""
    await process.referee.act(live, mover, request, "play", action=live.match.record.actions()[0])


async def after_first_turns(one: Process, other: Process) -> tuple[LiveMatch, LiveMatch]:
    """Begins a match in one process and plays the first turns, which have a time of their own; both have it then."""
    live = await begin(one)
    for number in range(2):
        await play(one, live, str(number))
    return live, await other.referee.find(live.match.number)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


# The lock and the schema


def test_servers_with_a_hub_share_a_database_and_keep_one_without_out(database: str) -> None:
    async def run() -> None:
        async with processes(database):
            with pytest.raises(BadDatabase) as refused:
                await Store(database).open()
            assert refused.value.sentence().startswith("Another damier uses the database")

    with patch("damier.server.store.dialect._PATIENCE", 0.1):
        asyncio.run(run())


def test_a_server_that_would_have_to_migrate_the_database_waits_for_the_others_and_then_refuses(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_PATIENCE", 0.5)
    monkeypatch.setattr("damier.server.store.dialect._PATIENCE", 0.1)

    async def run() -> None:
        async with processes(database, 1):
            monkeypatch.setattr(revisions, "newest_revision", lambda: "9999")
            with pytest.raises(BadDatabase) as refused:
                await Store(database, is_shared=True).open()
            assert "Servers of another version of damier use the database" in refused.value.sentence()
            assert "end them before this one starts" in refused.value.sentence()

    asyncio.run(run())


def test_two_servers_that_start_at_once_on_an_empty_database_both_get_in(database: str) -> None:
    async def run() -> None:
        made = [Store(database, is_shared=True) for _ in range(3)]
        await asyncio.gather(*(each.open() for each in made))
        assert len({each.version for each in made}) == 1
        assert len({tuple(each.signing_keys) for each in made}) == 1
        for each in made:
            await each.close()

    asyncio.run(run())


# Server time


def test_processes_have_one_time_which_goes_on_with_the_clock_of_the_database(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            now = 10_000_000

            def at(_connection: object) -> Any:
                return text(str(now))

            with patch("damier.server.store.statements.clocks.database_time", at):
                times = []
                for step in (0, 700, 1300, LONGEST_STEP + 60_000, -5_000, 400):
                    now += step
                    for each in (one, other):
                        await each.referee.time.compare(each.store)  # type: ignore[attr-defined]
                    assert one.referee.time.now() == other.referee.time.now()
                    times.append(one.referee.time.now())
            steps = [after - before for before, after in pairwise(times)]
            assert steps == [700, 1300, LONGEST_STEP, 0, 400]

    asyncio.run(run())


def test_the_time_of_a_process_that_does_not_reach_the_database_stands_still_soon(database: str) -> None:
    async def run() -> None:
        async with processes(database, 1) as (one,):
            time, before = one.referee.time, one.referee.time.now()
            one.clock.go_on(1.5)
            assert time.now() == before + 1500
            one.clock.go_on(3600)
            assert time.now() == before + LONGEST_STEP
            await time.compare(one.store)  # type: ignore[attr-defined]
            assert before + LONGEST_STEP <= time.now() <= before + 2 * LONGEST_STEP

    asyncio.run(run())


def test_the_time_is_noted_in_one_row(database: str) -> None:
    async def run() -> int:
        async with processes(database, 1) as (one,):
            return (await one.store.note_time(one.clock))[0]

    noted = asyncio.run(run())
    (row,) = rows(database, "SELECT milliseconds, noted FROM server_time")
    assert row.milliseconds == noted
    assert row.noted > 1_700_000_000_000


def test_an_event_of_a_process_that_is_behind_is_not_before_the_last_one(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live = await begin(one)
            one.clock.go_on(1.0)
            await play(one, live, "1")
            twin = await other.referee.find(live.match.number)
            await other.referee.act(twin, ANN, "resign", "resign")
            first, last = twin.match.events
            assert first.at == last.at
            assert await other.store.load(live.match.number)  # which refuses times that go back

    asyncio.run(run())


# Deadlines


def test_a_match_that_no_process_has_in_memory_is_flagged_once_by_one_of_them(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live, _ = await after_first_turns(one, other)
            for each in (one, other):
                assert each.referee.let_go(live.match.number)
            await one.store.write(
                "pass the time",
                "",
                lambda given: given.execute(text("UPDATE server_time SET milliseconds = milliseconds + 120000")),
            )
            for each in (one, other):
                each.referee.deadlines.put(live.match.number, None)
                await each.referee.time.compare(each.store)  # type: ignore[attr-defined]
            await asyncio.gather(*(each.referee.deadlines.run_due() for each in (one, other)))
            await asyncio.gather(*(each.referee.deadlines.run_due() for each in (one, other)))
            assert [each.referee.matches_in_memory for each in (one, other)].count(1) == 1
        stored = rows(database, "SELECT data FROM events ORDER BY seq")
        assert ['"flag"' in row.data for row in stored] == [False, False, True]

    asyncio.run(run())


def test_the_clock_of_a_player_at_another_process_gets_all_the_lag_that_may_be_forgiven(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live, twin = await after_first_turns(one, other)
            clocks = live.match.clocks
            assert clocks
            assert clocks.running
            mover = live.match.seat(clocks.running).visitor or ""
            page, watching = Page(mover), Page(BOB if mover == ANN else ANN)
            twin.join(watching, "en")
            assert twin.flag_time() == clocks.deadline()
            live.join(page, "en")
            assert twin.flag_time() == (clocks.deadline() or 0) + clocks.quotas[clocks.running]
            assert live.flag_time() == clocks.deadline()
            live.leave(page)
            twin.leave(watching)

    asyncio.run(run())


# Who is here


def test_players_at_different_processes_see_each_other_come_and_go(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live = await begin(one)
            twin = await other.referee.find(live.match.number)
            ann, bob = Page(ANN), Page(BOB)
            live.join(ann, "en")
            twin.join(bob, "en")
            assert live.is_here(BOB)
            assert twin.is_here(ANN)
            assert '"type":"here","seats":["b","w"]' in ann.texts[-1]
            assert '"is_here":true' in twin.snapshot(BOB, "en").model_dump_json()
            twin.leave(bob)
            assert not live.is_here(BOB)
            assert '"type":"here","seats":["b"]' in ann.texts[-1]
            live.leave(ann)

    asyncio.run(run())


class Encoding(Page):
    """A page that has every event encoded."""

    def __init__(self, visitor: str, live: LiveMatch, lang: str) -> None:
        super().__init__(visitor)
        self._live, self._lang = live, lang

    def handle_event(self, seq: int, event: Event) -> None:
        self.send_text(self._live.event_text(seq, event, self.visitor, self._lang))


@pytest.mark.parametrize("game", damier.games())
def test_a_state_that_one_process_has_encoded_is_not_encoded_again_by_another(database: str, game: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            people, encoded = [ANN, BOB], Counter[str]()
            live = await one.referee.begin_between(damier.load(game), people, control=BULLET, is_rated=False)
            twin = await other.referee.find(live.match.number)
            ann, bob, eve = Encoding(ANN, live, "en"), Encoding(BOB, twin, "en"), Encoding("", twin, "de")
            for page, at in ((ann, live), (bob, twin), (eve, twin)):
                at.join(page, page._lang)

            def counted(match: Match, lang: str) -> CommonState:
                encoded[f"{'here' if match is live.match else 'there'} {lang}"] += 1
                return common_state(match, lang)

            rng = random.Random(game)
            with patch("damier.server.matches.live_match.common_state", counted):
                for number in range(12):
                    if live.match.record.result:
                        break
                    action = rng.choice(live.match.record.actions())
                    mover = live.match.seat(live.match.record.mover).visitor or ""
                    await one.referee.act(live, mover, str(number), "play", action=action)
                    await until(lambda: not live.is_due and twin.match.seq == live.match.seq)  # with the roll of a die
                    told = {page: json.loads(page.texts[-1]) for page in (ann, bob, eve)}
                    for page in (bob, eve):  # as if nothing had been relayed
                        expected = EventState.model_validate_json(json.dumps(told[page]["state"]))
                        fresh = match_state(common_state(twin.match, page._lang), twin.match, page.visitor)
                        assert vars(expected) == {name: vars(fresh)[name] for name in vars(expected)}
                    assert told[ann]["seq"] == told[bob]["seq"] == told[eve]["seq"] == live.match.seq
            assert encoded["there en"] == 0
            assert encoded["here en"] == encoded["there de"] > 1

    asyncio.run(run())


def test_nobody_can_claim_a_game_from_a_player_who_is_connected_to_another_process(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live, twin = await after_first_turns(one, other)
            away, waiting = (live.match.seat(player).visitor or "" for player in _mover_first(live))
            page = Page(away)
            live.join(page, "en")
            patience = BULLET.claim_after or 0
            twin.absence._loaded = twin.time.now() - 10 * patience
            assert twin.match.clocks
            twin.match.clocks.turn_began -= 10 * patience
            twin.match.clocks.left = dict.fromkeys(twin.match.clocks.left, 10**9)
            with pytest.raises(NotNow, match="nothing to claim"):
                await other.referee.act(twin, waiting, "claim", "claim", what="win")
            live.leave(page, is_goodbye=True)
            twin.absence._gone[away] = (twin.time.now() - 10 * patience, True)
            assert await other.referee.act(twin, waiting, "claim again", "claim", what="win") == 3

    asyncio.run(run())


def test_who_closes_the_page_can_be_claimed_from_soon_at_every_process(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live, twin = await after_first_turns(one, other)
            mover, waiting = (live.match.seat(player).visitor or "" for player in _mover_first(live))
            leaving, staying = Page(mover), Page(waiting)
            live.join(leaving, "en")
            twin.join(staying, "en")
            assert twin.clocks_data().claim is None  # type: ignore[union-attr]
            live.leave(leaving, is_goodbye=True)
            claim = twin.clocks_data().claim  # type: ignore[union-attr]
            assert claim is not None
            assert claim <= 10_000
            twin.leave(staying)

    asyncio.run(run())


def _mover_first(live: LiveMatch) -> list[str]:
    mover = live.match.record.mover
    return [mover, *(seat.player for seat in live.match.seats if seat.player != mover)]


# Names and seats that change without an event


def test_another_name_an_account_and_a_deletion_reach_the_pages_at_other_processes(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live = await begin(one, None)
            twin = await other.referee.find(live.match.number)
            page = Page(BOB)
            twin.join(page, "en")
            await one.referee.rename(ANN, "Annabel")
            await until(lambda: '"names"' in page.texts[-1] and "Annabel" in page.texts[-1])
            person = "c" * 32
            await one.referee.move(ANN, person, AccountName("Cleo", is_program=False), lambda _connection: None)
            await until(lambda: "Cleo" in page.texts[-1])
            assert twin.match.players_of(person)
            await one.referee.forget(person)
            await until(lambda: not twin.match.players_of(person))
            assert twin.match.seats == live.match.seats
            twin.leave(page)

    asyncio.run(run())


def test_what_was_missed_while_nobody_heard_anything_is_read_again(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live = await begin(one, None)
            twin = await other.referee.find(live.match.number)
            page = Page(BOB)
            twin.join(page, "en")
            with patch.object(other.hub, "hear"):
                await one.referee.rename(ANN, "Annabel")
                await play(one, live, "1")
            assert page.events == []
            await other.referee._elsewhere.compare()
            for resumed in other.hub._resumed:
                await resumed()
            assert page.events == ["play"]
            assert "Annabel" in page.texts[-1]
            twin.leave(page)

    asyncio.run(run())


def test_a_person_who_is_followed_hears_of_matches_that_are_not_in_memory(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            heard: list[tuple[str, str | None]] = []
            other.referee.on_event(lambda live, event: heard.append((live.match.number, event.kind if event else None)))
            await begin(one, None)
            other.referee.follow_person(ANN)
            live = await begin(one, None)
            await until(lambda: heard == [(live.match.number, None)])
            other.referee.let_go(live.match.number)
            await play(one, live, "1")
            await until(lambda: heard[1:] == [(live.match.number, "play")])
            other.referee.unfollow_person(ANN)
            other.referee.let_go(live.match.number)
            await play(one, live, "2")
            await asyncio.sleep(0.1)
            assert len(heard) == 2

    asyncio.run(run())


def test_a_request_that_is_sent_again_to_another_process_is_done_once(database: str) -> None:
    async def run() -> None:
        async with processes(database) as (one, other):
            live = await begin(one, None)
            twin = await other.referee.find(live.match.number)
            mover = live.match.seat(live.match.record.mover).visitor or ""
            action = live.match.record.actions()[0]
            first = await one.referee.act(live, mover, "same", "play", action=action)
            try:
                again = await other.referee.act(twin, mover, "same", "play", action=action)
            except DamierError as error:
                pytest.fail(error.sentence())
            assert first == again == 1

    asyncio.run(run())
