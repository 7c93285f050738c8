"""The store fails at every call in turn, before or after it has stored: memory and database never differ."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

import damier
from damier.core.messages import message
from damier.engine.pool.pool import Workers
from damier.engine.pool.request import ChooseRequest
from damier.server.matches import computer, referee
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Match
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.store import Store, StoreFailed
from tests.server.served import SETTINGS
from tests.server.stores import new_database

T = TypeVar("T")


class FailingStore(Store):
    """Fails at call number `at`, from 0: before it does anything, or after the transaction has been committed."""

    def __init__(self, database: str, at: int, *, is_late: bool) -> None:
        super().__init__(database)
        self._calls, self._at, self._is_late = itertools.count(), at, is_late
        self.has_failed = self.is_armed = False

    async def _in_thread(self, *given: Any) -> Any:
        is_failing = self.is_armed and next(self._calls) == self._at
        if is_failing and not self._is_late:
            self._fail()
        found = await super()._in_thread(*given)
        if is_failing:
            self._fail()
        return found

    def _fail(self) -> None:
        self.has_failed = True
        raise StoreFailed(message("The server could not store or read the match: try again."))


async def again(do: Callable[[], Awaitable[T]]) -> T:
    """Does what a page does: sends a request that failed once more."""
    try:
        return await do()
    except StoreFailed:
        return await do()


async def play(services: Services) -> LiveMatch:
    """Plays a match with an open seat, dice, the computer and a rematch; every request may fail once."""
    referee = services.referee
    game = damier.load("omba", players=3)
    live = await again(lambda: referee.begin(game, ["me", "open", 1], "ann"))
    (invitation,) = [seat.invitation for seat in live.match.seats if seat.invitation]
    await again(lambda: referee.take_seat(live, "bob", invitation))
    await again(lambda: referee.rename("bob", "Bob"))
    for number in range(8):
        while live.due:
            await asyncio.wait([live.due])
        visitor = live.match.seat(live.match.record.mover).visitor or ""
        action = live.match.record.actions()[0]
        await again(partial(referee.act, live, visitor, str(number), "play", action=action))
    while live.due:
        await asyncio.wait([live.due])
    other = await again(lambda: referee.begin(damier.load("chefa"), ["me", "me"], "ann"))
    await again(lambda: referee.act(other, "ann", "resign", "resign"))
    await again(lambda: referee.act(other, "ann", "rematch", "rematch"))
    assert [each.kind for each in other.match.events] == ["resign", "rematch"]
    following = await again(lambda: referee.find(other.match.rematch or ""))
    assert following.match.seq == 0
    return live


def choose(request: ChooseRequest, **_: str) -> Future[list[str]]:
    """Answers as an engine that always plays the first action."""
    record = request.game.record()
    for action in request.actions:
        record.play(action)
    answer: Future[list[str]] = Future()
    answer.set_result(record.actions()[:1])
    return answer


async def stored(database: str, number: str) -> Match:
    """Returns a match as a server finds it that has just started."""
    store = Store(database)
    await store.open()
    found = await store.load(number)
    await store.close()
    assert found
    return found


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
@pytest.mark.parametrize("is_late", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_store_that_fails_at_any_call_leaves_memory_and_database_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_late: bool, kind: str
) -> None:
    monkeypatch.setattr(computer, "_FIRST_PAUSE", 0.001)
    monkeypatch.setattr(referee, "new_seed", lambda: b"seed" * 8)
    monkeypatch.setattr(Workers, "submit", lambda _workers, *given, **more: choose(*given, **more))
    for at in itertools.count():
        monkeypatch.setattr(referee, "_new_number", map(str, itertools.count()).__next__)
        folder = tmp_path / str(at)
        folder.mkdir()
        with new_database(kind, folder) as database:
            if not has_failed(database, at, is_late=is_late):
                break
    assert at > 25


def has_failed(database: str, at: int, *, is_late: bool) -> bool:
    """Plays with a store that fails at a call, compares memory and database, and tells whether there was one."""
    store = FailingStore(database, at, is_late=is_late)
    with patch("damier.server.services.Store", lambda *_given, **_named: store):
        services = Services(ServerSettings.read({**SETTINGS, "database": database}))

    async def run() -> Match:
        await services.open()
        store.is_armed = True
        live = await play(services)
        await services.close()
        return live.match

    match = asyncio.run(run())
    twin = asyncio.run(stored(database, match.number))
    assert (match.events, match.seats) == (twin.events, twin.seats)
    assert match.record.played == twin.record.played
    assert twin.requests.items() >= match.requests.items()
    assert [seat.kind for seat in twin.seats] == ["person", "person", "computer"]
    asked = [request for visitor, request in twin.requests]
    assert sorted(asked) == sorted(map(str, range(8)))
    return store.has_failed
