"""Maintenance of a database: gives the room of deleted rows back."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text

from damier.server.store import revisions
from damier.server.store.dialect import Database, SqliteFile, parse_database
from damier.server.store.refusals import foreign_database, missing_database


def vacuum(place: Database | Path | str) -> tuple[float, float]:
    """Vacuums a database; returns its bytes before and after. Raises `BadDatabase`.

    SQLite writes the file anew, which holds up everybody: it is refused while a server uses the database. PostgreSQL
    does it beside a server, and gives the room to new rows rather than to the disk.
    """
    database = parse_database(place)
    if isinstance(database, SqliteFile):
        if not database.path.is_file():
            raise missing_database(database.name)
        with database.explained(), database.locked():
            return _vacuum(database)
    with database.explained():
        return _vacuum(database)


def _vacuum(database: Database) -> tuple[float, float]:
    engine = database.engine()
    try:
        before = database.size(engine)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            names = revisions.table_names(connection)
            if not names >= revisions.OURS:
                raise foreign_database(database.name)
            _run(connection, sorted(names))
        return before, database.size(engine)
    finally:
        engine.dispose()


def _run(connection: Connection, names: list[str]) -> None:
    if connection.dialect.name == "sqlite":
        statements = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA optimize"]
    else:
        quote = connection.dialect.identifier_preparer.quote
        statements = [f"VACUUM (ANALYZE) {quote(name)}" for name in names]
    for statement in statements:
        connection.execute(text(statement))
