"""The whole store as JSON lines, from any database and into any empty one: SQLite and PostgreSQL alike.

    {"format": "damier store", "version": 1, "revision": "0005", "tables": {"matches": 2, ...}}
    {"table": "matches", "row": {"number": "...", "seed": {"base64": "..."}, ...}}
    {"rows": 123, "sha256": "..."}

The first line has the version of the schema and the number of rows of each table, the last one the number of all rows
and the digest of all lines before it. Tables and columns are those that the database has: new ones come along by
themselves. An export is read in one transaction, also while a server writes. An import makes the tables of the
export's version, stores the rows and migrates, in one transaction: if anything is wrong, nothing is changed. Both hold
a thousand rows in memory.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from sqlalchemy import Connection, MetaData, Table, func, inspect, literal_column, select
from sqlalchemy.exc import DBAPIError

from damier.core.messages import message, shown
from damier.server.store import revisions
from damier.server.store.dialect import ROW_ORDER, Database, SqliteFile, is_damage, parse_database, restart_numbers
from damier.server.store.refusals import (
    BadDatabase,
    damaged_database,
    foreign_database,
    missing_database,
    newer_database,
    reason,
)

T = TypeVar("T")
Show = Callable[[float], object]

FORMAT, VERSION = "damier store", 1
_AT_ONCE = 1000  # rows
_LONGEST_LINE = 2**24  # bytes
_ERRORS = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


def export_store(
    place: Database | Path | str, write: Callable[[bytes], object], show: Show = lambda _share: None
) -> dict[str, int]:
    """Writes all rows of a database as lines; returns their number by table. Raises `BadDatabase`."""
    database = parse_database(place)
    if isinstance(database, SqliteFile) and not database.path.is_file():
        raise missing_database(database.name)
    engine = database.engine()
    try:
        with database.explained(), engine.connect() as connection:
            try:
                database.begin_reading(connection)
                return _export(connection, database.name, write, show)
            except DBAPIError as error:
                if is_damage(error.orig):
                    raise damaged_database(database.name, reason(error.orig)) from None
                raise
    finally:
        engine.dispose()


def _export(connection: Connection, name: str, write: Callable[[bytes], object], show: Show) -> dict[str, int]:
    revision = revisions.current_revision(connection)
    if not revisions.table_names(connection) >= revisions.OURS or revision is None:
        raise foreign_database(name)
    if revision not in revisions.known_revisions():
        raise newer_database(name)
    tables = _tables(connection)
    counts = {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
    total, done, digest = sum(counts.values()), 0, hashlib.sha256()

    def put(data: Mapping[str, Any]) -> None:
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        digest.update(line)
        write(line)

    put({"format": FORMAT, "version": VERSION, "revision": revision, "tables": counts})
    for table in tables:
        wanted = select(table).order_by(*_row_order(connection, table)).execution_options(yield_per=_AT_ONCE)
        for row in connection.execute(wanted).mappings():
            put({"table": table.name, "row": {column: _encoded(value) for column, value in row.items()}})
            done += 1
            if done % _AT_ONCE == 0:
                show(done / total)
    put({"rows": done, "sha256": digest.hexdigest()})
    return counts


def import_store(
    place: Database | Path | str, source: BinaryIO, name: str, show: Show = lambda _share: None
) -> dict[str, int]:
    """Fills an empty database with the lines of an export called `name`; returns the number of rows by table.

    Raises `BadDatabase` and changes nothing if the database is not empty or the export not whole.
    """
    database, lines = parse_database(place), _Lines(source, name)
    head = lines.head()
    is_new = isinstance(database, SqliteFile) and not database.path.exists()
    is_done = False
    with database.explained(), database.locked():
        engine = None
        try:
            database.prepare()
            engine = database.engine()
            with engine.begin() as connection:
                database.begin_making(connection)
                if revisions.table_names(connection):
                    raise BadDatabase(
                        message("The database {file} is not empty: import into a new one.", file=shown(database.name))
                    )
                _import(connection, database, lines, head, show)
            is_done = True
        finally:
            if engine is not None:
                engine.dispose()
            if is_new and not is_done and isinstance(database, SqliteFile):
                for suffix in ("", "-wal", "-shm"):
                    database.path.with_name(database.path.name + suffix).unlink(missing_ok=True)
    return dict(head["tables"])


def _import(connection: Connection, database: Database, lines: _Lines, head: Mapping[str, Any], show: Show) -> None:
    # Step 1. The tables of the export's version, without the rows that migrations make: the export has them, too.
    revisions.migrate(connection, head["revision"])
    tables = {table.name: table for table in _tables(connection)}
    if set(tables) != set(head["tables"]):
        raise lines.damaged()
    for table in reversed(tables.values()):
        connection.execute(table.delete())
    # Step 2. The rows, in the order of the export, in which every row comes after those that it refers to.
    total, done, counts = sum(head["tables"].values()), 0, dict.fromkeys(tables, 0)
    for name, group in groupby(lines.rows(tables), key=lambda pair: pair[0]):
        for batch in _batches(row for _, row in group):
            database.insert_all(connection, tables[name], batch)
            counts[name] += len(batch)
            done += len(batch)
            show(min(1.0, done / max(1, total)))
    if counts != head["tables"]:
        raise lines.damaged()
    # Step 3. This program's version of the tables.
    restart_numbers(connection, list(tables.values()))
    revisions.migrate(connection)


class _Lines:
    """The lines of an export, read one at a time and verified."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._source, self._name = source, name
        self._digest, self._number = hashlib.sha256(), 0

    def damaged(self) -> BadDatabase:
        """Returns the refusal of the export at its current line."""
        return BadDatabase(
            message(
                "The export {file} is damaged or cut off at line {line}: nothing was imported.",
                file=shown(self._name),
                line=self._number,
            )
        )

    def head(self) -> dict[str, Any]:
        """Returns the first line; raises `BadDatabase` for what is no export, or one of a newer version."""
        try:
            head = self._next()
            is_export = head["format"] == FORMAT and isinstance(head["revision"], str)
            is_known = head["version"] == VERSION and head["revision"] in revisions.known_revisions()
            is_whole = not is_known or all(type(count) is int and count >= 0 for count in head["tables"].values())
        except _ERRORS:
            is_export = is_known = is_whole = False
        if not is_export:
            raise BadDatabase(message("The file {file} is no export of damier.", file=shown(self._name)))
        if not is_known:
            raise newer_database(self._name)
        if not is_whole:
            raise self.damaged()
        return head

    def rows(self, tables: Mapping[str, Table]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields each row with the name of its table, and verifies the last line; raises `BadDatabase`."""
        columns = {name: {column.name for column in table.columns} for name, table in tables.items()}
        count = 0
        while True:
            digest = self._digest.hexdigest()
            try:
                line = self._next()
                if "rows" in line:
                    break
                name, row = line["table"], {column: _decoded(value) for column, value in line["row"].items()}
                is_row = columns[name] == set(row)
            except _ERRORS:
                raise self.damaged() from None
            if not is_row:
                raise self.damaged()
            count += 1
            yield name, row
        if line != {"rows": count, "sha256": digest} or self._source.readline(1):
            raise self.damaged()

    def _next(self) -> dict[str, Any]:
        """Returns the next line; raises `ValueError` for one that is no JSON, or cut off."""
        self._number += 1
        line = self._source.readline(_LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise ValueError
        self._digest.update(line)
        found: dict[str, Any] = json.loads(line)
        return found


def _tables(connection: Connection) -> list[Table]:
    """Returns the tables of a database, each after those that it refers to, without what only PostgreSQL has."""
    found, metadata = inspect(connection), MetaData()
    for name in sorted(revisions.table_names(connection) - {"alembic_version"}):
        columns = [column["name"] for column in found.get_columns(name) if column["name"] != ROW_ORDER]
        Table(name, metadata, autoload_with=connection, include_columns=columns, resolve_fks=False)
    return metadata.sorted_tables


def _row_order(connection: Connection, table: Table) -> list[Any]:
    """Returns what sorts rows in the order in which they were stored, as far as the database knows it."""
    names = {column["name"] for column in inspect(connection).get_columns(table.name)}
    if connection.dialect.name == "sqlite" or ROW_ORDER in names:
        return [literal_column(ROW_ORDER)]
    return list(table.primary_key.columns)


def _batches(rows: Iterator[T]) -> Iterator[list[T]]:
    batch: list[T] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _encoded(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes | memoryview) else value


def _decoded(value: Any) -> Any:
    return base64.b64decode(value["base64"], validate=True) if isinstance(value, dict) else value
