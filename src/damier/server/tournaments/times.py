"""Times as `store.now` writes them: UTC, ISO 8601 with milliseconds, so that later times are greater texts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def is_time(text: str) -> bool:
    """Tells whether a text is a time."""
    try:
        return bool(_TIME.fullmatch(text)) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def time_text(moment: datetime) -> str:
    """Returns a moment as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(time: str, seconds: float) -> str:
    """Returns the time some seconds after another."""
    return time_text(datetime.fromisoformat(time) + timedelta(seconds=seconds))


def seconds_between(earlier: str, later: str) -> float:
    """Returns how many seconds pass from one time to another."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
