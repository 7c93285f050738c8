"""Server time, deadlines, and the columns of matches that follow from their events: the statements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from sqlalchemy import Connection, func, or_, select, update

from damier.server.store.dialect import database_time
from damier.server.store.schema import EventRow, MatchRow, ServerTimeRow, VisitRow

_ONLY = 1  # the number of the only row of `server_time`

LONGEST_STEP = 2000
"""Milliseconds by which the time of several processes may go on from one note to the next."""


def stored_time(connection: Connection) -> int:
    """Returns the server time that was stored last."""
    return connection.execute(select(ServerTimeRow.milliseconds)).scalar_one()


def store_time(connection: Connection, milliseconds: int) -> None:
    """Stores the server time, unless a later one is stored."""
    statement = update(ServerTimeRow).where(ServerTimeRow.number == _ONLY, ServerTimeRow.milliseconds < milliseconds)
    connection.execute(statement.values(milliseconds=milliseconds))


def note_time(connection: Connection, clock: Callable[[], float]) -> tuple[int, float]:
    """Returns the server time that several processes share, with what `clock` shows then; notes that a process is up.

    It goes on as the clock of the database does, but by no more than `LONGEST_STEP` from one note to the next: while no
    process is up, or none reaches the database, it stands still. A clock that is set back does not set it back.
    """
    only = ServerTimeRow.number == _ONLY
    before = select(ServerTimeRow.milliseconds, ServerTimeRow.noted).where(only).with_for_update()
    row = connection.execute(before).one()
    at = connection.execute(select(database_time(connection))).scalar_one()  # when nobody else changes the row
    shown = clock()
    milliseconds: int = row.milliseconds + min(max(0, at - row.noted), LONGEST_STEP)
    connection.execute(update(ServerTimeRow).where(only).values(milliseconds=milliseconds, noted=at))
    return milliseconds, shown


def take_deadlines(connection: Connection, until: int, lease: int, most: int) -> list[str]:
    """Returns matches whose deadline is not after a time, for one process to look at them; others skip them.

    A process that dies loses them after `lease` milliseconds.
    """
    is_free = or_(MatchRow.taken.is_(None), MatchRow.taken <= until)
    found = select(MatchRow.number).where(MatchRow.deadline <= until, is_free).order_by(MatchRow.deadline)
    numbers = list(connection.execute(found.limit(most).with_for_update(skip_locked=True)).scalars())
    if numbers:
        connection.execute(update(MatchRow).where(MatchRow.number.in_(numbers)).values(taken=until + lease))
    return numbers


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


def last_events_of(connection: Connection, people: Collection[str]) -> dict[str, dict[str, int]]:
    """Returns the number of the last event of each match that some people play now, by person and match."""
    statement = select(VisitRow.visitor, VisitRow.match, func.coalesce(func.max(EventRow.seq), 0).label("seq"))
    statement = statement.join(MatchRow, MatchRow.number == VisitRow.match)
    statement = statement.outerjoin(EventRow, EventRow.match == VisitRow.match)
    statement = statement.where(VisitRow.visitor.in_(people), MatchRow.ended.is_(None))
    found: dict[str, dict[str, int]] = {}
    for row in connection.execute(statement.group_by(VisitRow.visitor, VisitRow.match)):
        found.setdefault(row.visitor, {})[row.match] = row.seq
    return found


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
