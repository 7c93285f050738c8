"""Tournaments that two processes run on one database: nothing is lost, doubled, or done by nobody."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from damier.core.messages import message
from damier.server.hub.local import Exchange
from damier.server.matches.referee import Referee
from damier.server.store.statements.tournaments import take_due
from damier.server.store.store import AppendRaced
from damier.server.tournaments.times import later
from tests.server.together import DeafHub, no_lock
from tests.server.tournaments.simulated import START, terms
from tests.server.tournaments.test_service import check
from tests.server.tournaments.world import World


@asynccontextmanager
async def two_worlds(database: str) -> AsyncIterator[tuple[World, World, DeafHub]]:
    """Opens two servers; yields the hub of the second, too."""
    exchange = Exchange()
    hubs = DeafHub(exchange), DeafHub(exchange)
    with no_lock():
        one, other = (World(database, seed=place, hub=hub) for place, hub in enumerate(hubs))
        await one.open()
        await other.open()
        for world in (one, other):
            await world.tournaments.tick()
        try:
            yield one, other, hubs[1]
        finally:
            await other.close()
            await one.close()


async def settled(*worlds: World) -> None:
    for _ in range(3):  # what one has done, the other hears of
        for world in worlds:
            await world.tournaments.settle()


async def agree(number: str, *worlds: World) -> None:
    """Checks that all have in memory what is stored."""
    await settled(*worlds)
    stored = await worlds[0].stored(number)
    for world in worlds:
        assert (await world.tournaments.find(number)).events == stored.events


def test_people_join_by_two_processes_at_once_and_all_are_in(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            made = await one.make(terms("swiss", 2))
            await settled(other)
            asked = [world.tournaments.act(made.number, f"p{n}", "join") for n in range(4) for world in (one, other)]
            await asyncio.gather(*asked)
            await agree(made.number, one, other)
            joined = [event.person or "" for event in (await one.stored(made.number)).events]
            assert sorted(joined) == ["p0", "p1", "p2", "p3"]  # once each

    asyncio.run(run())


def test_a_tournament_is_played_to_its_end_by_two_processes(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            made = await one.make(terms("round_robin"), "a", "b", "c", "d")
            await other.act(made.number, "maker", "start")
            for _ in range(30):
                await settled(one, other)
                if (await one.tournaments.find(made.number)).status == "ended":
                    break
                tournament = await other.tournaments.find(made.number)
                for game, world in zip(list(tournament.running), (one, other), strict=False):
                    await world.play_match(await world.referee.find(game.match or ""), most=2)
                await settled(one, other)
                one.now = other.now = later(one.now, 20)
                await asyncio.gather(one.tournaments.tick(), other.tournaments.tick())
            await agree(made.number, one, other)
            for world in (one, other):
                await world.referee._elsewhere.compare()
                await check(world, await world.tournaments.find(made.number))
            assert (await one.tournaments.find(made.number)).status == "ended"

    asyncio.run(run())


def test_a_tournament_that_is_due_is_taken_by_one_process(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            for _ in range(5):
                await one.make(terms("swiss", 1))
            take = partial(take_due, now=later(START, 10), until=later(START, 40), limit=3)
            found = await asyncio.gather(*(world.store.write("take", "", take) for world in (one, other)))
            taken = [number for numbers in found for number in numbers]
            assert len(taken) == len(set(taken)) == 5
            assert await other.store.write("take", "", take) == []
            late = partial(take_due, now=later(START, 41), until=later(START, 71), limit=9)
            assert sorted(await other.store.write("take", "", late)) == sorted(taken)  # its process was killed

    asyncio.run(run())


def test_what_one_process_has_begun_is_found_by_another_that_begins_it_at_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, hub):
            made = await one.make(terms("round_robin"), "a", "b", "c", "d")
            begin = Referee.begin_between

            async def late(referee: Referee, *given: object, **more: object) -> object:
                if referee is other.referee:  # the other process begins all games first
                    monkeypatch.setattr(Referee, "begin_between", begin)
                    one.now = later(START, 10)
                    await one.tournaments._advance(await one.tournaments._kept.find(made.number))
                return await begin(referee, *given, **more)  # type: ignore[arg-type]

            monkeypatch.setattr(Referee, "begin_between", late)
            hub.loses = True
            await other.tournaments._kept.compare()
            one.tournaments._is_closing = True  # it does nothing of its own
            await other.act(made.number, "maker", "start")
            one.tournaments._is_closing = False
            await other.tournaments._kept.compare()
            await agree(made.number, one, other)
            assert len(await one.origins()) == 2

    asyncio.run(run())


def test_lost_announcements_are_made_good_by_the_next_comparison(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, hub):
            known = await one.make(terms("swiss", 1), "a")
            await settled(other)
            hub.loses = True
            unknown = await one.make(terms("swiss", 1), "a")
            await one.act(known.number, "b", "join")
            assert len((await other.tournaments.find(known.number)).players) == 1
            await hub.sweep()
            assert unknown.number in other.tournaments._kept.open
            await agree(known.number, one, other)
            await one.act(known.number, "maker", "cancel")
            await hub.resume()
            await agree(known.number, one, other)
            assert known.number not in other.tournaments._kept.open

    asyncio.run(run())


def test_an_event_that_is_announced_while_a_tournament_is_being_loaded_is_not_missed(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            kept = other.tournaments._kept
            read = kept._read

            async def late(number: str) -> object:
                found = await read(number)
                kept._read = read  # type: ignore[method-assign]
                await one.act(number, "a", "join")
                return found

            kept._read = late  # type: ignore[assignment, method-assign]  # the event comes between reading and keeping
            made = await one.make(terms("swiss", 1))
            await settled(other)
            assert len(kept.open[made.number].tournament.players) == 1

    asyncio.run(run())


@pytest.mark.parametrize("is_rewritten", [False, True], ids=["read on", "read anew"])
def test_an_event_that_is_announced_while_a_tournament_is_being_read_is_not_missed(
    database: str, is_rewritten: bool
) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            ann = "a" * 32
            made = await one.make(terms("swiss", 1), ann, "b")
            await settled(other)
            read = other.store.read

            async def late(what: str, *given: object) -> object:
                found: object = await read(what, *given)  # type: ignore[arg-type]  # passed on as they come
                if what == wanted:
                    other.store.read = read  # type: ignore[method-assign]
                    await one.act(made.number, "d", "join")
                return found

            wanted = "load the tournament" if is_rewritten else "read the events of the tournament"
            other.store.read = late  # type: ignore[assignment, method-assign]  # stored between the read and its end
            if is_rewritten:
                await one.tournaments.forget(ann)
            await one.act(made.number, "c", "join")
            await agree(made.number, one, other)
            assert "d" in (await other.tournaments.find(made.number)).players

    asyncio.run(run())


def test_a_result_that_a_killed_process_has_not_counted_is_counted_by_another(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, _):
            made = await one.make(terms("swiss", 1), "a", "b")
            await one.act(made.number, "maker", "start")
            one.tournaments._is_closing = True  # as if it were killed when the match ends
            await one.play(made.number, most=2)
            assert (await one.stored(made.number)).running
            other.now = later(START, 61)
            await other.tournaments.tick()
            await settled(other)
            tournament = await other.stored(made.number)
            assert (tournament.status, tournament.running) == ("ended", [])

    asyncio.run(run())


def test_who_is_forgotten_by_one_process_is_not_named_by_another(database: str) -> None:
    async def run() -> None:
        async with two_worlds(database) as (one, other, hub):
            ann, bob = "a" * 32, "b" * 32
            made = await one.make(terms("swiss", 1), ann, bob)
            await one.act(made.number, "maker", "start")
            await settled(other)
            (game,) = (await other.tournaments.find(made.number)).running
            hub.loses = True
            await one.tournaments.forget(ann)
            live = await other.referee.find(game.match or "")
            loser = live.match.seat(live.match.record.mover).visitor or ""
            await other.referee.act(live, loser, "1", "resign")  # the winner is named in the result
            await settled(one, other)
            stored = await one.stored(made.number)
            assert ann not in str(stored.events)
            assert not stored.running
            await other.tournaments._kept.compare()
            await agree(made.number, one, other)

    asyncio.run(run())


def test_a_race_is_refused_in_the_end_if_it_is_never_won(tmp_path: object) -> None:
    async def run() -> None:
        world = World(f"{tmp_path}/matches.sqlite")
        calls = []

        async def lose() -> None:
            calls.append(1)
            raise AppendRaced(message("The server could not store or read the match: try again."))

        with pytest.raises(AppendRaced):
            await world.tournaments._raced(lose)
        assert len(calls) == 101

    asyncio.run(run())
