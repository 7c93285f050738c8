"""The weekly hour: when people of a small community meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from damier.core.errors import BadArgument
from damier.core.messages import message, shown

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SECONDS = 3600
_FORM = re.compile(r"([a-z]{3}) ([01][0-9]|2[0-3]):([0-5][0-9])")


@dataclass(frozen=True)
class WeeklyHour:
    """An hour of each week, in UTC."""

    day: int
    """0 for Monday."""

    hour: int
    minute: int

    def start(self, at: datetime) -> datetime:
        """Returns when the present hour began, while it lasts, else when the next one begins."""
        at = at.astimezone(UTC)
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        begin = midnight + timedelta(days=self.day - at.weekday() - 7, hours=self.hour, minutes=self.minute)
        while begin + timedelta(seconds=SECONDS) <= at:
            begin += timedelta(days=7)
        return begin


def parse_weekly(text: str) -> WeeklyHour | None:
    """Returns the hour of a text such as ``sun 19:00``, None for an empty one; raises `BadArgument`."""
    if not text:
        return None
    found = _FORM.fullmatch(text.strip().lower())
    if not found or found[1] not in DAYS:
        raise BadArgument(
            message(
                "The weekly hour is a day and a time in UTC such as {example}, not {text}.",
                example='"sun 19:00"',
                text=shown(text),
            )
        )
    return WeeklyHour(DAYS.index(found[1]), int(found[2]), int(found[3]))
