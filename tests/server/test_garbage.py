"""The garbage collection of a server: short pauses, and nothing that is kept for good."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.matches import referee
from damier.server.operations import garbage
from damier.server.operations.garbage import GarbageCollection
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS


class Cycle:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.own = self


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Runs something while the collection is the server's."""

    async def collected() -> None:
        collection = GarbageCollection()
        collection.start()
        collection.start()  # does nothing
        try:
            await work()
        finally:
            await collection.close()

    asyncio.run(collected())


@pytest.mark.slow
def test_a_full_collection_walks_only_what_is_new() -> None:
    async def work() -> None:
        held = [Cycle() for _ in range(1000)]
        assert len(gc.get_objects()) >= 1000
        gc.collect()
        assert not any(isinstance(each, Cycle) for each in gc.get_objects())  # frozen ones are not listed
        assert len(held) == 1000

    run(work)


@pytest.mark.slow
def test_what_becomes_garbage_after_it_was_frozen_is_freed_by_a_thorough_collection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "_INTERVAL", 0.01)

    async def work() -> None:
        held = Cycle()
        gone = weakref.ref(held)
        gc.collect()
        del held
        async with asyncio.timeout(120):  # a collection walks all that the tests before have left
            while gone():
                await asyncio.sleep(0.01)

    run(work)


def test_a_long_pause_is_followed_by_a_long_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise asyncio.CancelledError

    monkeypatch.setattr(garbage, "collect_thoroughly", lambda: 2.0)
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def work() -> None:
        collection = GarbageCollection()
        with pytest.raises(asyncio.CancelledError):
            await collection._run()

    asyncio.run(work())
    assert pauses == [60.0, 2000.0, 2000.0]


@pytest.mark.slow
def test_everything_is_left_to_python_again_afterwards() -> None:
    before = list(gc.callbacks)

    async def work() -> None:
        assert len(gc.callbacks) == len(before) + 1
        assert gc.get_freeze_count()

    run(work)
    assert gc.callbacks == before
    assert not gc.get_freeze_count()


def test_a_match_that_leaves_the_memory_is_freed_without_the_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "_IDLE", 1)
    services = Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")}))
    with TestClient(create_app(services)) as client:
        gc.collect()
        gc.disable()
        try:
            number = begin(client, "chefa", "me", "me")["number"]
            with live(client, number) as socket:
                player = Player(socket)
                player.play("a1")
                assert player.ask("play", action="a1")["type"] == "refused"
            gone = weakref.ref(services.referee._live[number])
            for _ in range(50):  # until the socket has ended
                begin(client, "chefa", "me", "me")
                if not gone():
                    break
            assert not gone()
        finally:
            gc.enable()
