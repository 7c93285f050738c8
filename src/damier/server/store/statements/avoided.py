"""Statements about muted and blocked people. All take a connection."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select

from damier.core.messages import message
from damier.server.errors import NotNow
from damier.server.store.dialect import upsert
from damier.server.store.schema import AvoidedRow

MOST = 500
"""People whom one person may have muted or blocked."""


@dataclass(frozen=True)
class Avoided:
    """Somebody whom a person has muted or blocked."""

    person: str
    other: str
    number: str
    kind: str
    created: str


_ROW = select(*(getattr(AvoidedRow, name) for name in Avoided.__dataclass_fields__))


def all_avoided(connection: Connection) -> list[Avoided]:
    """Returns who has muted or blocked whom."""
    return [Avoided(**row._mapping) for row in connection.execute(_ROW)]


def find_avoided(connection: Connection, person: str, other: str) -> Avoided | None:
    """Returns what a person has stored about another."""
    row = connection.execute(_ROW.where(AvoidedRow.person == person, AvoidedRow.other == other)).first()
    return Avoided(**row._mapping) if row else None


def avoided_by(connection: Connection, person: str) -> list[Avoided]:
    """Returns those whom a person has muted or blocked, the last first."""
    found = _ROW.where(AvoidedRow.person == person).order_by(AvoidedRow.created.desc(), AvoidedRow.number)
    return [Avoided(**row._mapping) for row in connection.execute(found)]


def avoid(connection: Connection, row: Avoided) -> None:
    """Stores that a person has muted or blocked another; raises `NotNow` beyond the limit."""
    others = select(func.count()).where(AvoidedRow.person == row.person, AvoidedRow.other != row.other)
    if connection.execute(others).scalar_one() >= MOST:
        raise NotNow(message("You have muted and blocked {count} people: end one of that first.", count=MOST))
    upsert(connection, AvoidedRow, vars(row), ["person", "other"])


def end_avoiding(connection: Connection, person: str, number: str) -> str | None:
    """Deletes a row of a person, and returns whom it was about; None if there is none of that number."""
    wanted = AvoidedRow.person == person, AvoidedRow.number == number
    other = connection.execute(select(AvoidedRow.other).where(*wanted)).scalar()
    connection.execute(delete(AvoidedRow).where(*wanted))
    return other
