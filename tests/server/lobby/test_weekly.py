"""The weekly hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.core.errors import BadArgument
from damier.server.lobby.weekly import DAYS, WeeklyHour, parse_weekly
from damier.server.settings import ServerSettings

SUNDAY = WeeklyHour(6, 19, 0)


@pytest.mark.parametrize(
    ("at", "start"),
    [
        ("2026-11-17T12:00", "2026-11-22T19:00"),
        ("2026-11-22T18:59", "2026-11-22T19:00"),
        ("2026-11-22T19:00", "2026-11-22T19:00"),
        ("2026-11-22T19:59", "2026-11-22T19:00"),
        ("2026-11-22T20:00", "2026-11-29T19:00"),
    ],
)
def test_the_hour_is_the_present_one_while_it_lasts_else_the_next(at: str, start: str) -> None:
    found = SUNDAY.start(datetime.fromisoformat(at).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(start).replace(tzinfo=UTC)


@given(st.integers(0, 6), st.integers(0, 23), st.integers(0, 59), st.datetimes(timezones=st.just(UTC)))
def test_the_hour_is_on_its_day_and_within_a_week(day: int, hour: int, minute: int, at: datetime) -> None:
    if not 1971 < at.year < 9990:
        at = at.replace(year=2026, day=min(at.day, 28))
    found = parse_weekly(f"{DAYS[day]} {hour:02}:{minute:02}")
    assert found
    start = found.start(at)
    assert (start.weekday(), start.hour, start.minute) == (day, hour, minute)
    assert timedelta(hours=-1) < start - at <= timedelta(days=7, hours=-1)


@pytest.mark.parametrize("text", ["sunday 19:00", "sun 24:00", "sun 19", "xyz 10:00", "sun 19:60", "19:00"])
def test_what_is_no_hour_is_refused(text: str) -> None:
    with pytest.raises(BadArgument) as refused:
        ServerSettings.read({"weekly_hour": text})
    told = f"The weekly hour is a day and a time in UTC such as \"sun 19:00\", not '{text}'."
    assert str(refused.value) == told


def test_there_is_none_by_default() -> None:
    assert parse_weekly(ServerSettings().weekly_hour) is None
