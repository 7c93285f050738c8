"""Statements about reports and what moderators have done. All take a connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from damier.core.messages import message
from damier.server.errors import NotNow, TooManyRequests
from damier.server.store.schema import ModerationRow, ReportRow

MOST_OPEN = 2_000
"""Reports of all that wait for a moderator."""


@dataclass(frozen=True)
class StoredReport:
    """A row of the table of reports; `ReportRow` says what each column means."""

    number: str
    reporter: str
    person: str
    name: str
    match: str | None
    reason: str
    words: str
    context: str
    created: str
    closed: str | None = None


_REPORT = select(*(getattr(ReportRow, name) for name in StoredReport.__dataclass_fields__))


def add_report(connection: Connection, report: StoredReport) -> None:
    """Stores a report; raises `NotNow` if the same reporter has one about the person that waits."""
    waits = ReportRow.closed.is_(None)
    same = select(ReportRow.number).where(
        waits, ReportRow.reporter == report.reporter, ReportRow.person == report.person
    )
    if connection.execute(same).first():
        raise NotNow(message("You have reported this person already: a moderator will look at it."))
    if connection.execute(select(func.count()).where(waits)).scalar_one() >= MOST_OPEN:
        raise TooManyRequests(message("Too many reports wait for a moderator: try again later."), 3600, "reports")
    connection.execute(insert(ReportRow), vars(report))


def open_reports(connection: Connection, count: int, reader: str = "") -> tuple[list[StoredReport], int]:
    """Returns the reports that have waited longest, and how many wait in all, without those about their reader."""
    waits = ReportRow.closed.is_(None), ReportRow.person != reader
    rows = connection.execute(_REPORT.where(*waits).order_by(ReportRow.created, ReportRow.number).limit(count))
    total = connection.execute(select(func.count()).where(*waits)).scalar_one()
    return [StoredReport(**row._mapping) for row in rows], total


def find_report(connection: Connection, number: str) -> StoredReport | None:
    """Returns a report, open or closed."""
    row = connection.execute(_REPORT.where(ReportRow.number == number)).first()
    return StoredReport(**row._mapping) if row else None


def close_report(connection: Connection, number: str, at: str) -> bool:
    """Closes a report; returns False if it is not open."""
    still_open = ReportRow.number == number, ReportRow.closed.is_(None)
    return connection.execute(update(ReportRow).where(*still_open).values(closed=at)).rowcount > 0


def add_to_log(connection: Connection, row: dict[str, Any]) -> None:
    """Stores what a moderator has done."""
    connection.execute(insert(ModerationRow), row)


def log_entries(connection: Connection, count: int) -> list[Any]:
    """Returns what moderators have done last, the newest first."""
    wanted = select(ModerationRow.__table__).order_by(ModerationRow.number.desc()).limit(count)
    return list(connection.execute(wanted).all())


def acts_on(connection: Connection, report: str) -> list[str]:
    """Returns what was done because of a report, the first first."""
    wanted = select(ModerationRow.what).where(ModerationRow.report == report).order_by(ModerationRow.number)
    return list(connection.execute(wanted).scalars())


def delete_old(connection: Connection, before: str) -> None:
    """Deletes the reports that were closed, and what was done, before a time."""
    connection.execute(delete(ReportRow).where(ReportRow.closed < before))
    connection.execute(delete(ModerationRow).where(ModerationRow.at < before))
