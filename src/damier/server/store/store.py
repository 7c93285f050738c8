"""Storage of matches: an SQLite database in WAL mode.

An event is committed when `append` returns: killing the process afterwards does not lose it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Row, create_engine, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from damier.core.errors import DamierError
from damier.core.messages import message, shown
from damier.server.errors import ServerFailed
from damier.server.matches.match import Event, Match, Seat
from damier.server.operations.metrics import Metrics
from damier.server.store import forgetting, old_matches
from damier.server.store.identities import is_known, signing_keys
from damier.server.store.integrity import first_problem, is_damage
from damier.server.store.schema import EventRow, MatchRow, NicknameRow, VisitRow
from damier.server.store.stored_match import DamagedMatch, begun_match, parse_event, parse_seats, replay_events

if TYPE_CHECKING:
    from alembic.config import Config

_log = logging.getLogger(__name__)

T = TypeVar("T")

_RECENT = 20  # matches of a visitor that are listed
_READERS = 2  # threads
_AT_ONCE = 40  # events that are replayed before others get their turn: two milliseconds
_INSERT_EVENTS = insert(EventRow)


class BadDatabase(DamierError):
    """The database cannot be opened."""


class StoreFailed(ServerFailed):
    """The database could not be read or written."""


def damaged_database(path: Path, problem: str) -> BadDatabase:
    """Returns the refusal of a file in which SQLite finds damage."""
    return BadDatabase(
        message(
            "The database {file} is damaged: {problem}. See what can be read with {check}, or go back to a backup "
            "with {restore}.",
            file=shown(str(path)),
            problem=problem,
            check="damier check",
            restore="damier restore",
        )
    )


def newer_database(path: Path) -> BadDatabase:
    """Returns the refusal of a file whose schema this program does not know."""
    return BadDatabase(
        message(
            "The file {file} was written by a newer version of damier: update damier or choose another file.",
            file=shown(str(path)),
        )
    )


def foreign_database(path: Path) -> BadDatabase:
    """Returns the refusal of a file that is not ours."""
    return BadDatabase(message("The file {file} is a database of another program.", file=shown(str(path))))


def now() -> str:
    """Returns the time in UTC, as ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextlib.contextmanager
def database_lock(path: Path) -> Iterator[None]:
    """Keeps servers from using a database; raises `BadDatabase` if one does."""
    lock = _file_lock(path)
    _lock_out_others(lock, path)
    try:
        yield
    finally:
        lock.release()


def _file_lock(path: Path) -> FileLock:
    return FileLock(os.path.realpath(path) + ".lock", thread_local=False)  # links to one file share a lock


def _lock_out_others(lock: FileLock, path: Path) -> None:
    """Makes sure that no other server uses the file; the operating system frees the lock of a killed process."""
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise BadDatabase(
            message(
                "Another damier uses the file {file}: end that one, or choose another file with {option}.",
                file=shown(str(path)),
                option="--database",
            )
        ) from None


class Store:
    """A database of matches.

    One thread writes, on a connection of its own, and some read: statements need no event loop, and the loop no locks.
    """

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self.path, self._metrics = path, metrics or Metrics()
        self.signing_keys: list[str] = []
        """Of the cookies, the newest last."""

        self._engine = create_engine(f"sqlite:///{path}")
        self._lock = _file_lock(path)
        self._start_threads()
        event.listen(self._engine, "connect", _prepare)

    def _start_threads(self) -> None:
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")

    async def open(self) -> None:
        """Creates or migrates the tables; raises `BadDatabase`."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._open)
        except BaseException:
            await self.close()
            raise

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _lock_out_others(self._lock, self.path)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # a new one has keys: for its owner alone
            if problem := first_problem(self.path):
                raise damaged_database(self.path, problem)
            with self._engine.begin() as connection:
                _upgrade(connection, self.path)
                self.signing_keys = signing_keys(connection, now())
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None
        except DBAPIError as error:
            raise self._unusable(str(error.orig)) from None

    def _unusable(self, why: str) -> BadDatabase:
        return BadDatabase(message("The file {file} cannot be used: {why}.", file=shown(str(self.path)), why=why))

    async def close(self) -> None:
        """Finishes what is being written and closes the database, which can be opened again."""
        await asyncio.to_thread(self._close)
        self._start_threads()

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()
        self._lock.release()

    async def _write(self, what: str, number: str, work: Callable[[Connection], T]) -> T:
        """Does some work in one transaction, after those that were asked for before."""
        return await self._in_thread(self._writer, what, number, work)

    async def _read(self, what: str, number: str, work: Callable[[Connection], T]) -> T:
        return await self._in_thread(self._readers, what, number, work)

    async def _in_thread(
        self, threads: ThreadPoolExecutor, what: str, number: str, work: Callable[[Connection], T]
    ) -> T:
        def run() -> T:
            with _failures(what, number, self._metrics), self._engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(threads, run)

    async def read_once(self) -> None:
        """Reads one row; raises `StoreFailed` if the database cannot be read."""
        await self._read(
            "read a row", "", lambda connection: connection.execute(select(MatchRow.number).limit(1)).all()
        )

    async def add_match(self, match: Match) -> None:
        """Stores a new match with its first events."""
        rows = _event_rows(match.number, 1, match.events)

        def add(connection: Connection) -> None:
            _add_match(connection, match)
            if rows:
                connection.execute(_INSERT_EVENTS, rows)

        await self._write("add the match", match.number, add)

    async def append(
        self,
        number: str,
        first: int,
        events: Sequence[Event],
        visitor: str | None,
        request: str | None,
        *,
        following: Match | None = None,
        seats: Sequence[Seat] | None = None,
    ) -> None:
        """Stores events, numbered from `first` on; the first of them answers the visitor's request.

        In the same transaction are stored the match that they begin, `following`, and the `seats` if the visitor has
        just taken one.
        """
        rows = _event_rows(number, first, events, visitor, request)

        def add(connection: Connection) -> None:
            if following:
                _add_match(connection, following)
            if seats is not None:
                statement = update(MatchRow).where(MatchRow.number == number)
                connection.execute(statement.values(seats=_seats_text(seats)))
                assert visitor is not None
                _add_visit(connection, number, visitor)
            connection.execute(_INSERT_EVENTS, rows)

        await self._write("append events", number, add)

    async def load(self, number: str) -> Match | None:
        """Returns a match with its events, or None; raises `DamagedMatch`. Others get their turn meanwhile."""
        wanted = text("SELECT * FROM matches WHERE number = :number")  # as it is stored: damage may change types
        events = text("SELECT * FROM events WHERE match = :number ORDER BY seq")

        def find(connection: Connection) -> tuple[Any, Sequence[Any]] | None:
            row = connection.execute(wanted, {"number": number}).mappings().first()
            if row is None:
                return None
            return row, connection.execute(events, {"number": number}).mappings().all()

        try:
            found = await self._read("load the match", number, find)
            if found is None:
                return None
            match = begun_match(number, found[0])
            for seq in replay_events(match, found[1]):
                if seq % _AT_ONCE == 0:
                    await asyncio.sleep(0)
            return match
        except StoreFailed as failure:
            if not is_damage(getattr(failure.__cause__, "orig", None)):
                raise
            self._metrics.match_damaged()
            raise DamagedMatch("the rows cannot be read") from failure
        except DamagedMatch as error:
            self._metrics.match_damaged()
            extra = {"match": number, "why": error.why}
            _log.error("Match %s: its stored data is damaged: %s.", number, error.why, extra=extra)
            raise

    async def changes(self, number: str, after: int) -> tuple[list[Event], dict[tuple[str, str], int], list[Seat]]:
        """Returns the events of a match after number `after`, the requests that they answer, and its seats."""
        wanted = select(EventRow.__table__).where(EventRow.match == number, EventRow.seq > after)

        def find(connection: Connection) -> tuple[Sequence[Row[Any]], str]:
            seats = connection.execute(select(MatchRow.seats).where(MatchRow.number == number)).scalar_one()
            return connection.execute(wanted.order_by(EventRow.seq)).all(), seats

        rows, seats = await self._read("read the events", number, find)
        requests = {(row.visitor, row.request): row.seq for row in rows if row.request is not None}
        return [parse_event(row.data) for row in rows], requests, parse_seats(seats)

    async def recent(self, visitor: str) -> list[str]:
        """Returns the numbers of a visitor's last matches, newest first."""
        statement = select(VisitRow.match).where(VisitRow.visitor == visitor)
        statement = statement.order_by(VisitRow.begun.desc()).limit(_RECENT)
        return await self._read(
            "list the matches of a visitor", "", lambda connection: list(connection.execute(statement).scalars())
        )

    async def knows(self, visitor: str) -> bool:
        """Tells whether a visitor has held a seat or chosen a nickname."""
        return await self._read("look up a visitor", "", lambda connection: is_known(connection, visitor))

    async def forget(self, visitor: str) -> dict[str, str]:
        """Takes a visitor out of all matches and forgets the nickname; returns the names that stand there now."""
        return await self._write("forget a visitor", "", lambda connection: forgetting.forget(connection, visitor))

    async def counted_day(self, today: date, keep_days: int) -> date:
        """Returns the day from which the age of matches is counted."""
        count = partial(old_matches.counted_day, today=today, keep_days=keep_days)
        return await self._write("count the days", "", count)

    async def old_matches(self, cutoff: date) -> tuple[list[str], dict[str, Any]]:
        """Returns the matches without an event since a day, with what `delete_if_old` takes."""
        return await self._read("find old matches", "", partial(old_matches.old_matches, cutoff=cutoff))

    async def delete_if_old(self, number: str, bounds: dict[str, Any]) -> bool:
        """Deletes a match, unless it has a new event by now."""
        delete = partial(old_matches.delete_if_old, number=number, bounds=bounds)
        return await self._write("delete the match", number, delete)

    async def nicknames(self, visitors: Collection[str]) -> dict[str, str]:
        """Returns the nicknames that some visitors have chosen, by visitor."""
        statement = select(NicknameRow.visitor, NicknameRow.nickname).where(NicknameRow.visitor.in_(visitors))

        def find(connection: Connection) -> dict[str, str]:
            return {row.visitor: row.nickname for row in connection.execute(statement)}

        return await self._read("read nicknames", "", find)

    async def rename(self, visitor: str, nickname: str) -> None:
        """Stores the nickname that a visitor has chosen."""
        statement = insert(NicknameRow).prefix_with("OR REPLACE").values(visitor=visitor, nickname=nickname)

        def store(connection: Connection) -> None:
            connection.execute(statement)

        await self._write("store a nickname", "", store)


@contextlib.contextmanager
def _failures(what: str, number: str, metrics: Metrics) -> Iterator[None]:
    """Counts and logs a failure of the database, and raises `StoreFailed`, which refuses the request."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        metrics.store_failed(what)
        why, extra = getattr(error, "orig", None) or error, {"match": number, "failed": what}
        _log.error("Match %s: cannot %s: %s. The request is refused.", number or "-", what, why, extra=extra)
        raise StoreFailed(message("The server could not store or read the match: try again.")) from error


def _event_rows(
    number: str, first: int, events: Sequence[Event], visitor: str | None = None, request: str | None = None
) -> list[dict[str, Any]]:
    """Returns the rows of events, numbered from `first` on; the first of them answers the visitor's request."""
    at = now()
    return [
        {
            "match": number,
            "seq": first + place,
            "data": json.dumps(each.data()),
            "visitor": visitor if place == 0 else None,
            "request": request if place == 0 else None,
            "at": at,
        }
        for place, each in enumerate(events)
    ]


def _add_match(connection: Connection, match: Match) -> None:
    row = {
        "number": match.number,
        "game": match.game.name,
        "options": json.dumps(dict(match.game.options)),
        "seats": _seats_text(match.seats),
        "seed": match.seed,
        "creator": match.creator,
        "created": match.created,
        "allows_help": match.allows_help,
    }
    connection.execute(insert(MatchRow), row)
    for visitor in sorted({seat.visitor for seat in match.seats if seat.visitor}):
        _add_visit(connection, match.number, visitor)


def _add_visit(connection: Connection, number: str, visitor: str) -> None:
    statement = insert(VisitRow).prefix_with("OR IGNORE")
    connection.execute(statement, {"match": number, "visitor": visitor, "begun": now()})


def _seats_text(seats: Sequence[Seat]) -> str:
    return json.dumps([asdict(seat) for seat in seats])


def _prepare(connection: Any, _record: object) -> None:
    """Configures a new connection: readers do not wait for the writer, and a killed process loses nothing."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def known_revisions() -> set[str]:
    """Returns the versions of the schema that this program knows."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "damier.server.store:migrations")
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def _upgrade(connection: Connection, path: Path) -> None:
    """Migrates the tables; raises `BadDatabase` for a file of a newer version."""
    from alembic import command
    from alembic.runtime.migration import MigrationContext

    config = _config(connection)
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known_revisions():
        raise newer_database(path)
    tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
    if current is None and tables:
        raise foreign_database(path)
    command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "damier.server.store:migrations")
    return config
