"""Locks between transactions that read before they write: none of them may miss what another is about to store."""

from __future__ import annotations

from sqlalchemy import Connection, text

_WRITE_NOTHING = text("UPDATE server_time SET number = number WHERE number IS NULL")
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")


def begin_writing(connection: Connection) -> None:
    """Has no other transaction write to an SQLite file until this one ends; PostgreSQL locks rows instead."""
    if connection.dialect.name != "postgresql":
        connection.execute(_WRITE_NOTHING)


def lock_until_commit(connection: Connection, name: str) -> None:
    """Waits until no other transaction has the lock of a name, and takes it until this one ends.

    In an SQLite file one transaction writes at a time: this one does from now on.
    """
    begin_writing(connection)
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"name": name})
