"""What the database holds of notices, on SQLite and PostgreSQL, and from the file of version 0.1 on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import damier
from damier.engine.pool.pool import Workers
from damier.server.matches.clock import DAY, TimeControl
from damier.server.matches.referee import Referee
from damier.server.matches.server_time import ServerTime
from damier.server.store.schema import SessionRow
from damier.server.store.statements import notices as stored
from damier.server.store.statements import people
from damier.server.store.statements.forgetting import forget
from damier.server.store.statements.moving import move
from damier.server.store.statements.notices import NoticeSettings, Subscription
from damier.server.store.store import Store, now
from tests.server.stores import rows

ANN, BOB = "a" * 32, "b" * 32
SLOW = TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY)


def using(database: str | Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(database)
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def browser(number: str, person: str = ANN, **given: Any) -> Subscription:
    about = {"session": "", "endpoint": f"https://push.example.org/{number}", "p256dh": "B", "auth": "A", "lang": "en"}
    return Subscription(number, person, browser="", created=now() + number, **{**about, **given})


def add_account(connection: Any, person: str) -> None:
    row = {"person": person, "name": person[:3], "skeleton": person[:3], "created": now(), "email": "ann@example.org"}
    assert people.add_account(connection, row)


def test_a_key_is_made_once(database: str) -> None:
    async def work(store: Store) -> None:
        first = await store.write("test", "", partial(stored.push_key, at=now()))
        assert await store.write("test", "", partial(stored.push_key, at=now())) == first
        assert len(first) == 43

    using(database, work)


def test_browsers_are_kept_up_to_a_number_and_only_while_their_session_lasts(database: str) -> None:
    def check(connection: Any) -> None:
        for number in "123":
            stored.subscribe(connection, browser(number), most=2)
        assert [each.number for each in stored.subscriptions(connection, ANN)] == ["2", "3"]
        stored.subscribe(connection, browser("2", BOB), most=2)  # the same browser, by now of somebody else
        assert [each.number for each in stored.subscriptions(connection, ANN)] == ["3"]
        add_account(connection, BOB)
        session = {"number": "s", "digest": "d", "person": BOB, "browser": "", "created": now(), "seen": now()}
        people.add_row(connection, SessionRow, session)
        stored.sign_in(connection, BOB, "s")
        assert [each.session for each in stored.subscriptions(connection, BOB)] == ["s"]
        people.remove_sessions(connection, BOB)
        assert stored.subscriptions(connection, BOB) == []
        stored.subscribe(connection, browser("4"), most=2)
        assert not stored.unsubscribe(connection, "2"), "It is deleted, not only hidden."

    using(database, lambda store: store.write("test", "", check))


def test_a_browser_that_fails_often_is_forgotten(database: str) -> None:
    def check(connection: Any) -> None:
        stored.subscribe(connection, browser("1"), most=9)
        note = partial(stored.note_delivery, connection, "1", most=3)
        for is_delivered in (False, False, True, False, False):
            note(is_delivered=is_delivered)
        assert [each.failures for each in stored.subscriptions(connection, ANN)] == [2]
        note(is_delivered=False)
        assert stored.subscriptions(connection, ANN) == []

    using(database, lambda store: store.write("test", "", check))


def test_settings_are_changed_moved_and_forgotten(database: str) -> None:
    def check(connection: Any) -> None:
        assert stored.settings_of(connection, ANN) == NoticeSettings()
        stored.change_settings(connection, ANN, off=["turn.push"], lang="fr")
        stored.change_settings(connection, ANN, confirmed="ann@example.org")
        wanted = NoticeSettings(frozenset(["turn.push"]), "fr", "ann@example.org")
        assert stored.settings_of(connection, ANN) == wanted
        stored.subscribe(connection, browser("1"), most=9)
        add_account(connection, BOB)
        move(connection, ANN, BOB)
        assert stored.settings_of(connection, BOB) == wanted
        assert (len(stored.subscriptions(connection, ANN)), len(stored.subscriptions(connection, BOB))) == (0, 1)
        assert stored.email_of(connection, BOB) == "ann@example.org"
        forget(connection, BOB)
        assert stored.settings_of(connection, BOB) == NoticeSettings()
        assert stored.subscriptions(connection, BOB) == []

    using(database, lambda store: store.write("test", "", check))


def test_a_reminder_is_due_once_for_each_turn(database: str) -> None:
    async def work(store: Store) -> None:
        seconds = [0.0]
        referee = Referee(store, cast("Workers", None), 1.0, time=ServerTime(lambda: seconds[0]))
        live = await referee.begin_between(damier.load("chefa"), [ANN, BOB], control=SLOW, is_rated=False)
        number, first = live.match.number, 2 * DAY * 800
        due = partial(stored.read_reminders, until=10**12)
        assert await store.read("test", "", due) == [(number, first)]
        assert [each.number for each in await _waiting(store, ANN)] == [number]
        assert await _waiting(store, BOB) == []
        assert not await store.write("test", "", partial(stored.reminded, number=number, until=first - 1))
        assert await store.write("test", "", partial(stored.reminded, number=number, until=first))
        assert not await store.write("test", "", partial(stored.reminded, number=number, until=first))
        seconds[0] = first / 1000 + 10
        assert await store.read("test", "", due) == []
        await referee.act(live, ANN, "r1", "play", action=live.match.record.actions()[0])
        assert await store.read("test", "", due) == [(number, live.time.now() + first)]
        assert (await _waiting(store, BOB))[0].others == (ANN,)
        await referee.act(live, BOB, "r2", "abort")
        assert await store.read("test", "", due) == []
        assert await _waiting(store, BOB) == []
        await referee.close()

    using(database, work)


async def _waiting(store: Store, person: str) -> list[stored.WaitingTurn]:
    return await store.read("test", "", partial(stored.waiting_turns, person=person, most=20))


def test_the_file_of_version_0_1_gets_the_tables_and_a_key(tmp_path: Path) -> None:
    data = Path(__file__).parents[1] / "data" / "v0.1.sqlite"
    old = Path(shutil.copy(data, tmp_path / "matches.sqlite"))
    before = len(rows(old, "SELECT number FROM matches"))

    async def work(store: Store) -> None:
        await store.write("test", "", partial(stored.push_key, at=now()))

    using(old, work)
    assert len(rows(old, "SELECT key FROM push_keys")) == 1
    assert len(rows(old, "SELECT number, remind FROM matches WHERE remind IS NULL")) == before
