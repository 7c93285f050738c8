"""What differs between the databases: SQLite, a file, and PostgreSQL, on a server at an address.

Opening, locking, damage, size, upserts and bulk inserts are here; every other statement is the same for both.
PostgreSQL has no `rowid`, by which SQLite numbers rows in the order in which they were stored: there the first
migration gives matches and events a column of that name, which the schema does not mention.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, NullPool, Table, create_engine, event, literal_column, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase

from damier.core.messages import message, shown
from damier.server.store import integrity
from damier.server.store.refusals import BadDatabase, damaged_database, unusable_database, used_database

ROW_ORDER = "rowid"
"""The column that numbers rows in the order in which they were stored."""

_ADDRESSES = ("postgresql", "postgres", "postgresql+psycopg")  # how the address of a database begins
_LOCK = 0x64616D696572  # "damier": the number of the advisory lock
_PATIENCE = 3.0  # seconds in which a server notices that the process that held the lock was killed
_PAUSE = 0.05  # seconds
_IDLE = 1.0  # seconds after which a connection is tried before it is used
_CONNECT = {  # a server that is gone is noticed in seconds
    "application_name": "damier",
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_NOTICES = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")  # and we by it
_CORRUPT = ("XX001", "XX002")  # what PostgreSQL says of damaged data and indexes


class Database(ABC):
    """Where matches are stored."""

    name: str
    """The file or the address, without its password."""

    @abstractmethod
    def engine(self) -> Engine:
        """Returns a new engine, which has opened nothing yet; raises `BadDatabase`."""

    can_be_shared = False
    """Whether several processes may use it at a time."""

    @abstractmethod
    def hold(self, *, is_shared: bool = False) -> None:
        """Keeps other servers out until `release`, or makes sure that they still are; raises `BadDatabase`.

        With `is_shared`, others that hold it in the same way are let in; only if it `can_be_shared`.
        """

    @abstractmethod
    def release(self) -> None:
        """Lets other servers in."""

    @abstractmethod
    def prepare(self) -> None:
        """Creates what a new database needs before it is connected to; raises `BadDatabase` for a damaged one."""

    @abstractmethod
    def size(self, engine: Engine) -> float:
        """Returns its bytes; not a number if that is unknown."""

    @abstractmethod
    def begin_reading(self, connection: Connection) -> None:
        """Begins a transaction in which every statement reads the same state, however long it takes."""

    @abstractmethod
    def begin_making(self, connection: Connection) -> None:
        """Begins a transaction that also takes back changes of the tables themselves."""

    @abstractmethod
    def insert_all(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Stores many rows, each with all columns."""

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps servers out; raises `BadDatabase` if one uses the database."""
        self.hold()
        try:
            yield
        finally:
            self.release()

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Raises faults of the file system and of the database as `BadDatabase`, one sentence."""
        try:
            yield
        except OSError as error:
            raise unusable_database(self.name, error.strerror or error) from None
        except (sqlite3.Error, SQLAlchemyError) as error:
            raise unusable_database(self.name, getattr(error, "orig", None) or error) from None


class SqliteFile(Database):
    """An SQLite database in WAL mode: readers do not wait for the writer, and a killed process loses nothing."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path)
        self._lock = FileLock(os.path.realpath(path) + ".lock", thread_local=False)  # links to one file share a lock

    def engine(self) -> Engine:
        """Returns an engine."""
        engine = create_engine(URL.create("sqlite", database=str(self.path)))
        event.listen(engine, "connect", _set_pragmas)
        return engine

    def hold(self, *, is_shared: bool = False) -> None:
        """Locks a file beside the database; the operating system frees the lock of a killed process."""
        assert not is_shared
        if self._lock.is_locked:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise used_database(self.name) from None

    def release(self) -> None:
        """Frees the lock."""
        self._lock.release()

    def prepare(self) -> None:
        """Creates the file for its owner alone, since it has keys, and looks for damage."""
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        if problem := integrity.first_problem(self.path):
            raise damaged_database(self.name, problem)

    def size(self, engine: Engine) -> float:  # noqa: ARG002  # PostgreSQL needs it
        """Returns the bytes of the file with its write-ahead log."""
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def begin_reading(self, connection: Connection) -> None:
        """Begins a transaction, which the driver does not do before it reads."""
        connection.exec_driver_sql("BEGIN")

    def begin_making(self, connection: Connection) -> None:
        """Begins a transaction, which the driver does not do before it creates tables."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def insert_all(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Inserts many rows."""
        connection.execute(table.insert(), list(rows))


class PostgresqlServer(Database):
    """A database on a PostgreSQL server."""

    can_be_shared = True

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername="postgresql+psycopg")
        self.name = url.set(drivername="postgresql").render_as_string(hide_password=True)
        self._lock: Connection | None = None

    def engine(self) -> Engine:
        """Returns an engine that tries connections before they are used, so that a restarted server is found again.

        One that was used a moment ago is not tried: that would be a round trip more for every transaction.
        """
        engine = self._engine()
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", _try_idle)
        return engine

    def _engine(self, **settings: Any) -> Engine:
        given = {name: value for name, value in _CONNECT.items() if name not in self._url.query}
        try:
            return create_engine(self._url, connect_args=given, **settings)
        except ImportError:
            raise BadDatabase(
                message("A database at an address needs a further package: {package}.", package="damier[postgresql]")
            ) from None

    def hold(self, *, is_shared: bool = False) -> None:
        """Takes an advisory lock on a connection of its own; the server frees the lock of a process that is killed."""
        patience = _PATIENCE
        if self._lock is not None:
            try:
                self._lock.execute(text("SELECT 1"))
                return
            except DBAPIError:  # the server was restarted, or has ended the connection
                self.release()
                patience = 0.0  # requests wait
        connection = self._engine(poolclass=NullPool, isolation_level="AUTOCOMMIT").connect()
        try:
            for setting in _NOTICES:
                connection.execute(text(f"SET {setting}"))
            self._take_lock(connection, patience, "_shared" if is_shared else "")
        except BaseException:
            connection.close()
            raise
        self._lock = connection

    def _take_lock(self, connection: Connection, patience: float, mode: str) -> None:
        end = time.monotonic() + patience
        take = text(f"SELECT pg_try_advisory_lock{mode}(:lock)")
        while not connection.execute(take, {"lock": _LOCK}).scalar_one():
            if time.monotonic() > end:
                raise used_database(self.name)
            time.sleep(_PAUSE)

    def release(self) -> None:
        """Closes the connection that has the lock."""
        if self._lock is not None:
            with contextlib.suppress(DBAPIError):
                self._lock.close()
            self._lock = None

    def prepare(self) -> None:
        """Raises `BadDatabase` for a database that cannot store every letter; operators create it."""
        assert self._lock is not None
        encoding = self._lock.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise BadDatabase(
                message(
                    "The database {file} has the encoding {encoding}: create one with {wanted}.",
                    file=shown(self.name),
                    encoding=str(encoding),
                    wanted="UTF8",
                )
            )

    def size(self, engine: Engine) -> float:
        """Asks the server."""
        try:
            with engine.connect() as connection:
                return float(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
        except SQLAlchemyError:
            return math.nan

    def begin_reading(self, connection: Connection) -> None:
        """Makes the transaction read one state."""
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))

    def begin_making(self, connection: Connection) -> None:
        """Has nothing to do: every transaction takes back changes of tables, too."""

    def insert_all(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Copies many rows, which is many times as fast as inserting them; raises `BadDatabase`."""
        import psycopg

        quoting = connection.dialect.identifier_preparer
        columns = [column.name for column in table.columns]
        names = ", ".join(map(quoting.quote, columns))
        driver: Any = connection.connection.driver_connection
        try:
            with (
                driver.cursor() as cursor,
                cursor.copy(f"COPY {quoting.format_table(table)} ({names}) FROM STDIN") as to,
            ):
                for row in rows:
                    to.write_row([row[name] for name in columns])
        except psycopg.Error as error:
            raise unusable_database(self.name, error) from None


def parse_database(place: Database | Path | str) -> Database:
    """Returns the database that a file or an address stands for; raises `BadDatabase`."""
    if isinstance(place, Database):
        return place
    scheme, separator, _ = str(place).partition("://")
    if isinstance(place, Path) or not separator:
        return SqliteFile(Path(place))
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        url = None
    if url is None or not url.database or scheme not in _ADDRESSES:
        raise BadDatabase(
            message(
                "{text} is no database: give a file, or an address such as {example}.",
                text=shown(scheme + separator + "…"),  # the rest may hold a password
                example="postgresql://user@host:5432/name",
            )
        )
    return PostgresqlServer(url)


def upsert(
    connection: Connection, table: Table | type[DeclarativeBase], row: Mapping[str, Any], key: Sequence[str]
) -> None:
    """Stores a row, or changes the one that has the same `key`, which is unique."""
    statement = _insert(connection, table).values(**row)
    changed = {name: statement.excluded[name] for name in row if name not in key}
    if changed:
        connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=changed))
    else:
        connection.execute(statement.on_conflict_do_nothing(index_elements=list(key)))


def insert_missing(connection: Connection, table: Table | type[DeclarativeBase], row: Mapping[str, Any]) -> None:
    """Stores a row, unless there is one with the same primary key or other unique columns."""
    connection.execute(_insert(connection, table).values(**row).on_conflict_do_nothing())


def insert_if_new(
    connection: Connection,
    table: Table | type[DeclarativeBase],
    rows: Sequence[Mapping[str, Any]],
    key: Sequence[str],
) -> set[tuple[Any, ...]]:
    """Stores rows, all with the same columns, unless unique columns exist; returns the `key` of those stored."""
    columns = (table if isinstance(table, Table) else table.__table__).c
    statement = _insert(connection, table).on_conflict_do_nothing().returning(*(columns[name] for name in key))
    found = connection.execute(statement, rows)
    return {tuple(row) for row in found}


def _insert(connection: Connection, table: Table | type[DeclarativeBase]) -> Any:
    return (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(table)


def restart_numbers(connection: Connection, tables: Sequence[Table]) -> None:
    """Makes numbers that the database gives go on after those in the tables, as SQLite does by itself."""
    if connection.dialect.name != "postgresql":
        return
    quoting = connection.dialect.identifier_preparer
    for table in tables:
        name = quoting.format_table(table)
        for column in table.primary_key.columns:
            counter = text("SELECT pg_get_serial_sequence(:table, :column)")
            found = connection.execute(counter, {"table": name, "column": column.name}).scalar_one()
            if found is not None:
                highest = (
                    f"SELECT setval(:counter, coalesce(max({quoting.quote(column.name)}), 0) + 1, false) FROM {name}"
                )
                connection.execute(text(highest), {"counter": found})


def database_time(connection: Connection) -> Any:
    """Returns an expression for the time of the database, in milliseconds: one clock for all processes."""
    if connection.dialect.name == "postgresql":
        return literal_column("(extract(epoch from clock_timestamp()) * 1000)::bigint")
    return literal_column("cast((julianday('now') - 2440587.5) * 86400000 as integer)")


def is_damage(error: object) -> bool:
    """Tells whether an error of a database comes from damaged data, rather than from a full disk or a lock."""
    return getattr(error, "sqlstate", None) in _CORRUPT or integrity.is_damage(error)


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _try_idle(connection: Any, record: Any, _proxy: object) -> None:
    """Raises `DisconnectionError`, upon which a new connection is made, if one that was idle does not answer."""
    if time.monotonic() - record.info.get("used", 0.0) < _IDLE:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()  # the transaction is to begin with what comes next
    except Exception as error:
        raise DisconnectionError from error


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
