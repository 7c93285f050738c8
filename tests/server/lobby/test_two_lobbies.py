"""Two lobbies on one database, as in two processes: what one opens, closes or pairs, the other knows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from damier.core.errors import DamierError
from damier.server.errors import NotNow
from damier.server.hub.local import Exchange
from damier.server.lobby.seeks.matchmaking import Matchmaking
from damier.server.lobby.seeks.owners import GRACE
from damier.server.wire.lobby import SeekData
from tests.server.hub.hubs import until
from tests.server.lobby.scene import ANN, BOB, CAT, Page, Scene, live, slow
from tests.server.stores import rows
from tests.server.test_races import LossyHub, no_lock

Act = Callable[[Scene, Scene], Coroutine[Any, Any, None]]


def play(database: str, act: Act) -> None:
    """Plays a scene with two lobbies; nobody may log an error."""

    async def run() -> None:
        exchange = Exchange()
        scenes = [Scene(database, hub=LossyHub(exchange)) for _ in range(2)]
        for scene in scenes:
            await scene.store.open()
        for scene in scenes:
            await scene.lobby.open()
        try:
            await act(*scenes)
        finally:
            for scene in scenes:
                await scene.lobby.close()
                await scene.referee.close()
            for scene in scenes:
                await scene.store.close()

    with no_lock():
        asyncio.run(run())


async def open_seek(scene: Scene, person: str, new: Any) -> str:
    answer = await scene.lobby.seek(person, new)
    assert answer.seek, "it was paired at once"
    return answer.seek.number


def knows(scene: Scene, number: str) -> bool:
    return scene.lobby._open.get(number) is not None


def told(page: Page, kind: str) -> list[dict[str, Any]]:
    return [each for each in page.told if each["type"] == kind]


def count_matches(database: str) -> int:
    return int(rows(database, "SELECT count(*) FROM matches")[0][0])


def test_a_seek_of_one_process_is_seen_and_accepted_at_the_other_and_its_owner_is_told(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        ann, bob = await one.arrive(ANN), await other.arrive(BOB)
        number = await open_seek(one, ANN, live())
        await until(lambda: knows(other, number))
        other.lobby.feed.flush()
        assert [seek["number"] for seek in bob.last("change")["added"]] == [number]
        match = await other.lobby.accept(BOB, number)
        await until(lambda: not knows(one, number))
        assert told(ann, "paired") == [{"type": "paired", "seek": number, "match": match, "game": "chefa"}]
        assert (await one.referee.find(match)).match.players_of(ANN)
        assert (await one.lobby.show(ANN, number)).match == match

    play(database, scene)


def test_a_seek_can_be_accepted_where_nobody_has_heard_of_it_yet(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        await one.arrive(ANN)
        other.hub.hears = iter([False] * 10)  # type: ignore[attr-defined]
        number = await open_seek(one, ANN, live())
        assert not knows(other, number)
        assert await other.lobby.accept(BOB, number)

    play(database, scene)


def test_a_number_that_nobody_has_made_is_no_seek(database: str) -> None:
    async def scene(one: Scene, _other: Scene) -> None:
        for number in ("none", "a\0b", "x" * 1000):
            with pytest.raises(NotNow):
                await one.lobby.accept(ANN, number)

    play(database, scene)


def test_of_many_who_accept_at_two_processes_one_gets_the_seek(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        ann = await one.arrive(ANN)
        number = await open_seek(one, ANN, slow())
        await until(lambda: knows(other, number))
        accepting = [(one, other)[each % 2].lobby.accept(f"{each:032}", number) for each in range(8)]
        results = await asyncio.gather(*accepting, return_exceptions=True)
        begun = [each for each in results if isinstance(each, str)]
        assert len(begun) == count_matches(database) == 1
        assert all(isinstance(each, NotNow) for each in results if not isinstance(each, str))
        await until(lambda: not knows(one, number) and not knows(other, number))
        assert [each["match"] for each in told(ann, "paired")] == begun

    play(database, scene)
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


def test_two_processes_that_pair_the_same_seeks_begin_each_match_once(
    database: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        pair = Matchmaking.pair
        with monkeypatch.context() as patch:
            patch.setattr(Matchmaking, "pair", lambda _self: asyncio.sleep(0))
            numbers = [await open_seek(one, f"{each:032}", slow()) for each in range(8)]
            await until(lambda: all(knows(other, number) for number in numbers))
        await asyncio.gather(*(pair(scene.lobby._matchmaking) for scene in (one, other)))
        await until(lambda: not any(knows(scene, number) for scene in (one, other) for number in numbers))
        assert count_matches(database) == 4

    play(database, scene)
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


def test_two_who_seek_at_two_processes_at_the_same_time_are_paired(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        ann, bob = await one.arrive(ANN), await other.arrive(BOB)
        await asyncio.gather(one.lobby.seek(ANN, live()), other.lobby.seek(BOB, live()))
        await until(lambda: bool(told(ann, "paired") and told(bob, "paired")))
        assert told(ann, "paired")[0]["match"] == told(bob, "paired")[0]["match"]
        assert count_matches(database) == 1

    play(database, scene)


def test_live_seeks_of_a_process_that_dies_are_closed_by_another(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        await one.arrive(ANN)
        number = await open_seek(one, ANN, live())
        await until(lambda: knows(other, number))
        await other.pass_time(2 * GRACE)
        assert knows(other, number), "its owner is here, at the other process"
        await one.hub.close()
        await other.pass_time(1)
        await other.pass_time(GRACE - 1)
        assert knows(other, number), "a page may open again"
        await other.pass_time(1)
        assert not knows(other, number)
        assert (await other.lobby.show(ANN, number)).state == "withdrawn"

    play(database, scene)


def test_a_process_that_starts_leaves_the_live_seeks_of_the_others_open(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        await one.arrive(ANN)
        number = await open_seek(one, ANN, live())
        await other.restart()
        assert knows(other, number)
        assert (await one.lobby.show(ANN, number)).state == "open"

    play(database, scene)


def test_seeks_that_were_opened_and_closed_unheard_are_found_by_comparing(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        await one.arrive(ANN)
        closed = await open_seek(one, ANN, slow())
        await until(lambda: knows(other, closed))
        other.hub.hears = iter([False] * 100)  # type: ignore[attr-defined]
        await one.lobby.withdraw(ANN, closed)
        opened = await open_seek(one, ANN, slow("badia"))
        assert knows(other, closed)
        assert not knows(other, opened)
        await other.pass_time(10)
        assert not knows(other, closed)
        assert knows(other, opened)

    play(database, scene)


def test_an_owner_without_a_page_is_told_once_at_whichever_process_they_come_back(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        number = await open_seek(one, ANN, slow())
        await until(lambda: knows(other, number))
        match = await one.lobby.accept(BOB, number)
        await until(lambda: not knows(other, number))
        assert [each["match"] for each in told(await other.arrive(ANN), "paired")] == [match]
        assert told(await one.arrive(ANN), "paired") == []

    play(database, scene)


def test_a_challenge_reaches_streams_of_all_processes_is_noticed_once_and_declined_to_the_owner(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        heard: list[tuple[str, str, str]] = []
        for name, each in (("one", one), ("other", other)):

            def note(rival: str, seek: SeekData, name: str = name, how: str = "") -> None:
                assert rival == BOB
                heard.append((name, how, seek.number))

            each.lobby.on_challenge(note)
            each.lobby.on_challenge(lambda rival, seek, note=note: note(rival, seek, how="any"), is_anywhere=True)  # type: ignore[misc]
        ann = await one.arrive(ANN)
        number = await open_seek(one, ANN, slow(kind="challenge", rival="Bob"))
        await until(lambda: len(heard) == 3)
        assert sorted(heard) == [("one", "", number), ("one", "any", number), ("other", "any", number)]
        assert [seek.number for seek in other.lobby.challenges_of(BOB)] == [number]
        await other.lobby.decline(BOB, number)
        await until(lambda: not knows(one, number))
        assert told(ann, "declined") == [{"type": "declined", "seek": number, "name": "Bob"}]
        with pytest.raises(DamierError):
            await one.lobby.accept(BOB, number)

    play(database, scene)


def test_who_begins_to_play_loses_live_seeks_at_all_processes(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        for person in (ANN, BOB):
            await one.arrive(person)
        other.hub.hears = iter([False] * 100)  # type: ignore[attr-defined]
        mine = await open_seek(one, ANN, live("badia"))
        theirs = await open_seek(other, CAT, live())
        assert not knows(other, mine)
        await other.lobby.accept(ANN, theirs)
        await until(lambda: not knows(one, mine))

    play(database, scene)


def test_two_are_kept_apart_at_all_processes_after_an_abort(database: str) -> None:
    async def scene(one: Scene, other: Scene) -> None:
        number = await open_seek(one, ANN, slow())
        match = await one.lobby.accept(BOB, number)
        one.lobby._matchmaking.after_game(await one.referee.find(match))  # it has no result
        await open_seek(other, ANN, slow())
        await open_seek(other, BOB, slow())

    play(database, scene)
