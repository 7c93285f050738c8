"""Server time, deadlines, and the columns of matches that follow from their events: the statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, func, select, update

from damier.server.store.schema import EventRow, MatchRow, ServerTimeRow

_ONLY = 1  # the number of the only row of `server_time`


def stored_time(connection: Connection) -> int:
    """Returns the server time that was stored last."""
    return connection.execute(select(ServerTimeRow.milliseconds)).scalar_one()


def store_time(connection: Connection, milliseconds: int) -> None:
    """Stores the server time, unless a later one is stored."""
    statement = update(ServerTimeRow).where(ServerTimeRow.number == _ONLY, ServerTimeRow.milliseconds < milliseconds)
    connection.execute(statement.values(milliseconds=milliseconds))


def read_deadlines(connection: Connection, until: int) -> list[tuple[str, int]]:
    """Returns the matches whose deadline is not after a time, with it, the earliest first."""
    statement = select(MatchRow.number, MatchRow.deadline).where(MatchRow.deadline <= until)
    found = connection.execute(statement.order_by(MatchRow.deadline)).all()
    return [(row.number, row.deadline) for row in found if row.deadline is not None]


def update_columns(connection: Connection, number: str, columns: Mapping[str, Any]) -> None:
    """Stores what follows from the events of a match."""
    connection.execute(update(MatchRow).where(MatchRow.number == number).values(**columns))


def last_events(connection: Connection, numbers: Collection[str]) -> dict[str, int]:
    """Returns the number of the last event of those of some matches that have any."""
    statement = select(EventRow.match, func.max(EventRow.seq).label("seq")).where(EventRow.match.in_(numbers))
    return {row.match: row.seq for row in connection.execute(statement.group_by(EventRow.match))}


def without_columns(connection: Connection) -> list[str]:
    """Returns the matches that say neither who is to act nor that they are over, the newest first."""
    statement = select(MatchRow.number).where(MatchRow.mover.is_(None), MatchRow.ended.is_(None))
    return list(connection.execute(statement.order_by(MatchRow.updated.desc())).scalars())


def fill_columns(connection: Connection, number: str, columns: Mapping[str, Any]) -> None:
    """Stores columns of a match that has none yet; it ended with its last event."""
    wanted = MatchRow.number == number, MatchRow.mover.is_(None), MatchRow.ended.is_(None)
    updated = connection.execute(select(MatchRow.updated).where(*wanted)).scalar() or columns["updated"]
    values = {**columns, "updated": updated, "ended": updated if columns["ended"] else None}
    connection.execute(update(MatchRow).where(*wanted).values(**values))
