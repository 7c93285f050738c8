"""Finds and deletes matches without an event for some days, without trusting the clock.

A clock may jump, and events may have been stored while it was wrong:

- Ahead: days are counted from a stored day, which moves on by a tenth of `keep_days` at most, at least by two, and only
  once for each day that the clock shows. A fresh match is deleted only if a wrong clock stays for ten different days.
- Back: rows are numbered in the order in which they were stored. What was stored after a recent event is recent, too,
  whatever its own time says.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, text

from damier.server.store.dialect import upsert
from damier.server.store.schema import RetentionRow

_NEWEST = text(
    "SELECT max(at) FROM (SELECT max(at) AS at FROM events UNION ALL SELECT max(created) AS at FROM matches) AS times"
)
_KNOWN = text("SELECT day, seen FROM retention")
_NEVER = 2**62
_FIRST_RECENT = f"""
    SELECT coalesce((SELECT rowid FROM events WHERE at >= :cutoff ORDER BY rowid LIMIT 1), {_NEVER}) AS event,
           coalesce((SELECT rowid FROM matches WHERE created >= :cutoff ORDER BY rowid LIMIT 1), {_NEVER}) AS match
"""
_OLD = """
    coalesce((SELECT at < :cutoff AND rowid < :event FROM events WHERE match = matches.number
              ORDER BY seq DESC LIMIT 1),
             created < :cutoff AND rowid < :match)
"""
_FOUND = text(f"SELECT number FROM matches WHERE {_OLD}")
_IS_OLD = text(f"SELECT 1 FROM matches WHERE number = :number AND {_OLD}")
_DELETED = [
    text(f"DELETE FROM {table} WHERE {key} = :number")
    for table, key in (
        ("chat_lines", "match"),
        ("conditional_turns", "match"),
        ("events", "match"),
        ("visits", "match"),
        ("matches", "number"),
    )
]


def counted_day(connection: Connection, today: date, keep_days: int) -> date:
    """Returns the day that counts as today, and stores it."""
    known = connection.execute(_KNOWN).first()
    if known is None:
        newest = connection.execute(_NEWEST).scalar_one() or ""
        day = min(today, _date(newest[:10]) or today)
    else:
        day = _date(known.day) or today
        if today > (_date(known.seen) or today):
            day = max(day, min(today, day + timedelta(days=max(2, keep_days // 10))))
    upsert(connection, RetentionRow, {"number": 1, "day": day.isoformat(), "seen": today.isoformat()}, ["number"])
    return min(day, today)


def old_matches(connection: Connection, cutoff: date) -> tuple[list[str], dict[str, Any]]:
    """Returns the matches without an event since a day, and what `delete_if_old` needs to know."""
    recent = connection.execute(text(_FIRST_RECENT), {"cutoff": cutoff.isoformat()}).mappings().one()
    bounds = {"cutoff": cutoff.isoformat(), **recent}
    return list(connection.execute(_FOUND, bounds).scalars()), bounds


def delete_if_old(connection: Connection, number: str, bounds: dict[str, Any]) -> bool:
    """Deletes a match with all that belongs to it, unless it has a new event by now."""
    if connection.execute(_IS_OLD, {"number": number, **bounds}).first() is None:
        return False
    for statement in _DELETED:
        connection.execute(statement, {"number": number})
    return True


def _date(value: str) -> date | None:
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
