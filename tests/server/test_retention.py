"""Retention: old matches are deleted, recent ones never, whatever the clock does."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.databases import ANN, filled
from tests.server.served import SETTINGS
from tests.server.stores import rows

TODAY = datetime.now(UTC).date()


@pytest.fixture
def file(database: str) -> str:
    """A database with six matches of today."""
    filled(database, 6)
    return database


def days(count: int) -> date:
    return TODAY + timedelta(days=count)


def dated(file: str, number: int, day: date) -> None:
    """Dates a match and its events."""
    name = f"number-{number:04}"
    rows(file, "UPDATE matches SET created = :day || substr(created, 11) WHERE number = :name", day=str(day), name=name)
    rows(file, "UPDATE events SET at = :day || substr(at, 11) WHERE match = :name", day=str(day), name=name)


def left(file: str, table: str = "matches", column: str = "number") -> list[int]:
    found = rows(file, f"SELECT DISTINCT {column} FROM {table} ORDER BY 1")
    return [int(row[0][-4:]) for row in found]


def running(file: str, use: Callable[[Services], Awaitable[None]], keep_days: int = 30) -> None:
    """Opens the services without their daily task, and uses them."""

    async def run() -> None:
        services = Services(ServerSettings.read({**SETTINGS, "database": file, "keep_days": keep_days}))
        await services.store.open()
        try:
            await use(services)
        finally:
            await services.close()

    asyncio.run(run())


def run_on(*clock: date) -> Callable[[Services], Awaitable[None]]:
    """Returns a use that runs retention once for each day that the clock shows."""

    async def use(services: Services) -> None:
        for today in clock:
            await services.retention.delete_old(today)

    return use


def test_matches_without_an_event_for_so_many_days_are_deleted_with_all_that_belongs_to_them(
    file: str, caplog: pytest.LogCaptureFixture
) -> None:
    dated(file, 0, days(-400))
    dated(file, 1, days(-31))
    dated(file, 2, days(-30))
    with caplog.at_level(logging.INFO, "damier"):
        running(file, run_on(TODAY))
    assert left(file) == [2, 3, 4, 5]
    assert left(file, "visits", "match") == [2, 3, 4, 5]
    assert not {0, 1} & set(left(file, "events", "match"))
    (record,) = [each for each in caplog.records if each.name.endswith("retention")]
    assert record.getMessage() == f"Deleted 2 matches without an event since {days(-30)}."


def test_the_server_deletes_old_matches_when_it_starts(file: str) -> None:
    dated(file, 0, days(-31))

    async def start() -> None:
        services = Services(ServerSettings.read({**SETTINGS, "database": file, "keep_days": 30}))
        await services.open()
        while 0 in left(file):
            await asyncio.sleep(0.01)
        await services.close()

    asyncio.run(asyncio.wait_for(start(), 60))
    assert left(file) == [1, 2, 3, 4, 5]


def test_by_default_matches_are_kept_for_good(file: str) -> None:
    dated(file, 0, days(-4000))

    async def start() -> None:
        services = Services(ServerSettings.read({**SETTINGS, "database": file}))
        await services.open()
        await asyncio.sleep(0.1)
        await services.close()

    asyncio.run(start())
    assert left(file) == [0, 1, 2, 3, 4, 5]


def test_a_match_that_somebody_follows_is_not_deleted(file: str) -> None:
    class Page:
        visitor = ANN

    async def use(services: Services) -> None:
        live = await services.referee.find("number-0000")
        live.listeners.add(Page())  # type: ignore[arg-type]  # it is sent nothing
        await services.referee.find("number-0001")
        assert await services.retention.delete_old(TODAY) == 1
        assert services.referee.matches_in_memory == 1

    dated(file, 0, days(-31))
    dated(file, 1, days(-31))
    running(file, use)
    assert left(file) == [0, 2, 3, 4, 5]


def test_a_match_that_gets_an_event_meanwhile_is_not_deleted(file: str) -> None:
    async def use(services: Services) -> None:
        numbers, bounds = await services.store.old_matches(days(-30))
        assert numbers == ["number-0000"]
        dated(file, 0, TODAY)
        assert not await services.store.delete_if_old("number-0000", bounds)

    dated(file, 0, days(-31))
    running(file, use)
    assert 0 in left(file)


def test_a_clock_that_jumps_far_ahead_deletes_nothing_recent(file: str, caplog: pytest.LogCaptureFixture) -> None:
    running(file, run_on(TODAY, days(4000), days(4000), days(4001), days(4002), days(1)))
    assert left(file) == [0, 1, 2, 3, 4, 5]
    assert f"The clock says {days(4000)}, but old matches are counted from {days(3)}" in caplog.text


def test_a_clock_that_is_wrong_at_the_first_start_deletes_nothing_recent(file: str) -> None:
    running(file, run_on(days(4000), days(4000)))
    assert left(file) == [0, 1, 2, 3, 4, 5]


def test_events_stored_while_the_clock_is_far_ahead_make_no_others_old(file: str) -> None:
    running(file, run_on(TODAY))
    dated(file, 5, days(4000))
    running(file, run_on(days(4000), days(4001), days(1)))
    assert left(file) == [0, 1, 2, 3, 4, 5]


def test_a_match_played_while_the_clock_was_far_behind_is_not_deleted(file: str) -> None:
    dated(file, 0, days(-31))
    dated(file, 5, date(2000, 1, 1))  # after 1 to 4, which are recent
    running(file, run_on(TODAY))
    assert left(file) == [1, 2, 3, 4, 5]


def test_a_clock_that_jumps_back_deletes_nothing_and_is_forgotten(file: str) -> None:
    dated(file, 0, days(-29))
    running(file, run_on(TODAY, date(2000, 1, 1), TODAY))
    assert left(file) == [0, 1, 2, 3, 4, 5]
    running(file, run_on(days(1), days(2)))
    assert left(file) == [1, 2, 3, 4, 5]


def test_after_a_long_time_off_the_days_are_caught_up_with(file: str) -> None:
    running(file, run_on(TODAY))
    running(file, run_on(*(days(60 + count) for count in range(60))))
    assert left(file) == []
