"""Time-outs: until when a moderator has stopped somebody's messages."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from damier.core.messages import counted
from damier.server.errors import NotAllowed
from damier.server.store.store import now


def time_in(minutes: float) -> str:
    """Returns the time in some minutes, as the database writes it."""
    at = datetime.now(UTC) + timedelta(minutes=minutes)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def refuse_silent(until: str | None) -> None:
    """Raises `NotAllowed` with how long it takes if a person may not write now."""
    if until is None or until <= now():
        return
    left = datetime.fromisoformat(until) - datetime.now(UTC)
    minutes = max(1, math.ceil(left.total_seconds() / 60))
    if minutes > 90:
        raise NotAllowed(
            counted(
                "A moderator has stopped your messages: you can write again in {count} hour.",
                "A moderator has stopped your messages: you can write again in {count} hours.",
                count=math.ceil(minutes / 60),
            )
        )
    raise NotAllowed(
        counted(
            "A moderator has stopped your messages: you can write again in {count} minute.",
            "A moderator has stopped your messages: you can write again in {count} minutes.",
            count=minutes,
        )
    )
