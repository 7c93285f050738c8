"""Storage of matches: an SQLite file, or a database on a PostgreSQL server (`dialect`).

An event is committed when `append` returns: killing the process afterwards does not lose it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Row, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from damier.core.messages import message
from damier.server.errors import ServerFailed
from damier.server.matches.columns import columns_of
from damier.server.matches.match import Event, Match, Seat
from damier.server.operations.metrics import Metrics
from damier.server.store import revisions
from damier.server.store.appends import Appends
from damier.server.store.dialect import Database, insert_missing, is_damage, parse_database
from damier.server.store.refusals import (
    BadDatabase,
    UsedDatabase,
    foreign_database,
    newer_database,
    other_version,
    reason,
)
from damier.server.store.schema import EventRow, MatchRow, NicknameRow, VisitRow
from damier.server.store.statements import clocks, old_matches, people
from damier.server.store.statements.identities import is_known, signing_keys
from damier.server.store.stored_match import DamagedMatch, begun_match, parse_event, parse_seats, replay_events

if TYPE_CHECKING:
    from damier.server.people.account import AccountName

_log = logging.getLogger(__name__)

T = TypeVar("T")

_RECENT = 20  # matches of a visitor that are listed
_CURRENT = 1000  # matches being played that a person is told of
_READERS = 2  # threads
_PATIENCE, _PAUSE = 30.0, 0.1  # seconds that a process waits for another one to migrate the database
_AT_ONCE = 40  # events that are replayed before others get their turn: two milliseconds
_INSERT_EVENTS = insert(EventRow)


class StoreFailed(ServerFailed):
    """The database could not be read or written."""


class AppendRaced(StoreFailed):
    """Another process has stored an event of the same number, or the same request, first; nothing was stored."""


class _ConnectionLost(DBAPIError):
    """The database has closed the connection before a transaction was to be committed."""


def now() -> str:
    """Returns the time in UTC, as ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Store:
    """A database of matches.

    One thread writes, on a connection of its own, and some read: statements need no event loop, and the loop no locks.
    """

    def __init__(
        self, database: Database | Path | str, metrics: Metrics | None = None, *, is_shared: bool = False
    ) -> None:
        """`is_shared` if other processes, which hear of each other by a hub, may use the database, too."""
        self.database, self._metrics = parse_database(database), metrics or Metrics()
        self.is_shared = is_shared and self.database.can_be_shared
        self.signing_keys: list[str] = []
        """Of the cookies, the newest last."""

        self.server_time = 0
        """What was stored when the database was opened, in milliseconds."""

        self.version: str | None = None
        """Of the schema, since the database was opened."""

        self._engine = self.database.engine()
        self._appends = Appends(partial(self.write, "append events"), None if self.is_shared else clocks.store_time)
        self._start_threads()

    def _start_threads(self) -> None:
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")
        self._beats = ThreadPoolExecutor(1, "store-time")  # which waits for no writer

    async def open(self) -> None:
        """Creates or migrates the tables; raises `BadDatabase`."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._open)
        except BaseException:
            await self.close()
            raise

    def _open(self) -> None:
        with self.database.explained():
            if self.is_shared:
                self._join()
            else:
                self.database.hold()
                self._prepare()
            with self._engine.begin() as connection:
                self.version = revisions.current_revision(connection)
                self.signing_keys = signing_keys(connection, now())
                self.server_time = clocks.stored_time(connection)

    def _prepare(self) -> None:
        self.database.prepare()
        with self._engine.begin() as connection:
            _migrate(connection, self.database.name)

    def _join(self) -> None:
        """Uses the database beside other servers; migrates it only if there is none. Raises `BadDatabase`."""
        end = time.monotonic() + _PATIENCE
        while True:
            with contextlib.suppress(UsedDatabase):  # somebody is migrating it
                self.database.hold(is_shared=True)
                with self._engine.begin() as connection:
                    if not _needs_migration(connection, self.database.name):
                        return
                self.database.release()
            try:
                with self.database.locked():
                    self._prepare()
            except UsedDatabase:  # by servers of an older version, or by one that migrates it
                if time.monotonic() > end:
                    raise other_version(self.database.name) from None
                time.sleep(_PAUSE)

    async def close(self) -> None:
        """Finishes what is being written and closes the database, which can be opened again."""
        await asyncio.to_thread(self._close)
        self._start_threads()

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._beats.shutdown()
        self._engine.dispose()
        self.database.release()

    def size(self) -> float:
        """Returns the bytes of the database; not a number if that is unknown."""
        return self.database.size(self._engine)

    async def write(self, what: str, number: str, work: Callable[[Connection], T]) -> T:
        """Does some work in one transaction, after all that was to be written before; raises `StoreFailed`.

        `what` is for the log, such as ``append events``, and `number` is the match that it is about, or empty.
        """

        def alone(connection: Connection) -> T:
            self.database.hold()
            return work(connection)

        return await self._in_thread(self._writer, what, number, work if self.is_shared else alone)

    async def note_time(self, clock: Callable[[], float]) -> tuple[int, float]:
        """Notes that a process is up; returns the server time that all processes share, and what `clock` shows then.

        Raises `StoreFailed`.
        """

        def note(connection: Connection) -> tuple[int, float]:
            self.database.hold(is_shared=True)
            return clocks.note_time(connection, clock)

        return await self._in_thread(self._beats, "note the time", "", note)

    async def read(self, what: str, number: str, work: Callable[[Connection], T]) -> T:
        """Does some work that only reads, beside other work; raises `StoreFailed`. See `write` for the arguments."""
        return await self._in_thread(self._readers, what, number, work)

    async def _in_thread(
        self, threads: ThreadPoolExecutor, what: str, number: str, work: Callable[[Connection], T]
    ) -> T:
        def run() -> T:
            with _failures(what, number, self._metrics):
                try:
                    return self._once(work)
                except _ConnectionLost:
                    return self._once(work)

        here = copy_context()  # for the log: which request it is
        return await asyncio.get_running_loop().run_in_executor(threads, here.run, run)

    def _once(self, work: Callable[[Connection], T]) -> T:
        """Does some work in one transaction; raises `_ConnectionLost` if it is certain that nothing was committed."""
        is_done = False
        try:
            with self._engine.begin() as connection:
                found = work(connection)
                is_done = True
            return found
        except DBAPIError as error:
            if error.connection_invalidated and not is_done:
                raise _ConnectionLost(error.statement, error.params, error.orig or error) from error
            raise

    async def read_once(self) -> None:
        """Reads one row; raises `StoreFailed` if the database cannot be read."""
        await self.read("read a row", "", lambda connection: connection.execute(select(MatchRow.number).limit(1)).all())

    async def has_version(self) -> bool:
        """Tells whether the schema is still that with which the database was opened; raises `StoreFailed`."""
        return await self.read("read the version", "", revisions.current_revision) == self.version

    async def add_match(self, match: Match, also: Callable[[Connection], None] | None = None) -> None:
        """Stores a new match with its first events; `also` does more work in the same transaction.

        Raises `AppendRaced` if there is a match of the same origin.
        """
        rows = _event_rows(match.number, 1, match.events)

        def add(connection: Connection) -> None:
            if also:
                also(connection)
            with race(match.number):
                _add_match(connection, match)
            if rows:
                connection.execute(_INSERT_EVENTS, rows)

        await self.write("add the match", match.number, add)

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
        columns: Mapping[str, Any] | None = None,
        also: Callable[[Connection], None] | None = None,
    ) -> None:
        """Stores events, numbered from `first` on; the first of them answers the visitor's request.

        In the same transaction are stored the match that they begin, `following`, the `seats` if the visitor has just
        taken one, the `columns` of the match after the events, and the server time; `also` does more work in it. Raises
        `AppendRaced`, and stores nothing, if another process was first.
        """
        rows = _event_rows(number, first, events, visitor, request)
        if len(events) == 1 and following is None and seats is None and also is None:
            if not await self._appends.add(rows[0], columns or {}, events[0].at):
                raise append_raced()
            return

        def add(connection: Connection) -> None:
            with race(number):
                connection.execute(_INSERT_EVENTS, rows)
            if following:
                _add_match(connection, following)
            if seats is not None:
                statement = update(MatchRow).where(MatchRow.number == number)
                connection.execute(statement.values(seats=_seats_text(seats)))
                assert visitor is not None
                _add_visit(connection, number, visitor)
            if columns:
                clocks.update_columns(connection, number, columns)
            if events[-1].at is not None and not self.is_shared:  # where a row for all would make them wait
                clocks.store_time(connection, events[-1].at)
            if also:
                also(connection)

        await self.write("append events", number, add)

    async def load(self, number: str) -> Match | None:
        """Returns a match with its events, or None; raises `DamagedMatch`. Others get their turn meanwhile."""
        if "\0" in number:  # which PostgreSQL refuses
            return None
        wanted = text("SELECT * FROM matches WHERE number = :number")  # as it is stored: damage may change types
        events = text("SELECT * FROM events WHERE match = :number ORDER BY seq")

        def find(connection: Connection) -> tuple[Any, Sequence[Any]] | None:
            row = connection.execute(wanted, {"number": number}).mappings().first()
            if row is None:
                return None
            return row, connection.execute(events, {"number": number}).mappings().all()

        try:
            found = await self.read("load the match", number, find)
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

        rows, seats = await self.read("read the events", number, find)
        requests = {(row.visitor, row.request): row.seq for row in rows if row.request is not None}
        return [parse_event(row.data) for row in rows], requests, parse_seats(seats)

    async def recent(self, visitor: str) -> list[str]:
        """Returns the numbers of a visitor's last matches, newest first."""
        statement = select(VisitRow.match).where(VisitRow.visitor == visitor)
        statement = statement.order_by(VisitRow.begun.desc()).limit(_RECENT)
        return await self.read(
            "list the matches of a visitor", "", lambda connection: list(connection.execute(statement).scalars())
        )

    async def current(self, visitor: str) -> list[str]:
        """Returns the numbers of the matches in which a visitor plays and that are not over, newest first."""
        statement = select(VisitRow.match).join(MatchRow, MatchRow.number == VisitRow.match)
        statement = statement.where(VisitRow.visitor == visitor, MatchRow.ended.is_(None))
        statement = statement.order_by(VisitRow.begun.desc()).limit(_CURRENT)
        return await self.read(
            "list the matches of a visitor", "", lambda connection: list(connection.execute(statement).scalars())
        )

    async def knows(self, visitor: str) -> bool:
        """Tells whether a visitor has held a seat or chosen a nickname."""
        return await self.read("look up a visitor", "", lambda connection: is_known(connection, visitor))

    async def counted_day(self, today: date, keep_days: int) -> date:
        """Returns the day from which the age of matches is counted."""
        count = partial(old_matches.counted_day, today=today, keep_days=keep_days)
        return await self.write("count the days", "", count)

    async def old_matches(self, cutoff: date) -> tuple[list[str], dict[str, Any]]:
        """Returns the matches without an event since a day, with what `delete_if_old` takes."""
        return await self.read("find old matches", "", partial(old_matches.old_matches, cutoff=cutoff))

    async def delete_if_old(self, number: str, bounds: dict[str, Any]) -> bool:
        """Deletes a match, unless it has a new event by now."""
        delete = partial(old_matches.delete_if_old, number=number, bounds=bounds)
        return await self.write("delete the match", number, delete)

    async def nicknames(self, visitors: Collection[str]) -> dict[str, str]:
        """Returns the nicknames that some visitors have chosen, by visitor."""
        statement = select(NicknameRow.visitor, NicknameRow.nickname).where(NicknameRow.visitor.in_(visitors))

        def find(connection: Connection) -> dict[str, str]:
            return {row.visitor: row.nickname for row in connection.execute(statement)}

        return await self.read("read nicknames", "", find)

    async def account_names(self, visitors: Collection[str]) -> dict[str, AccountName]:
        """Returns how those of some visitors are shown who have an account."""
        return await self.read("read names", "", lambda connection: people.account_names(connection, visitors))

    async def rename(self, visitor: str, nickname: str) -> None:
        """Stores the nickname that a visitor has chosen."""
        await self.write("store a nickname", "", lambda connection: people.set_nickname(connection, visitor, nickname))


@contextlib.contextmanager
def race(number: str) -> Iterator[None]:
    """Raises `AppendRaced` if what is unique is stored already: an event's number, a request, or a match's origin."""
    try:
        yield
    except IntegrityError as error:
        _log.debug("Match %s: another process was first.", number, extra={"match": number})
        raise append_raced() from error


def append_raced() -> AppendRaced:
    """Returns the refusal of a change that another process was faster with."""
    return AppendRaced(message("The server could not store or read the match: try again."))


@contextlib.contextmanager
def _failures(what: str, number: str, metrics: Metrics) -> Iterator[None]:
    """Counts and logs a failure of the database, and raises `StoreFailed`, which refuses the request."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, BadDatabase) as error:
        metrics.store_failed(what)
        why, extra = reason(getattr(error, "orig", None) or error), {"match": number, "failed": what}
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
        "clock": json.dumps(match.control.data()) if match.control else None,
        "is_rated": match.is_rated,
        "origin": match.origin,
        "begun": match.begun,
        **columns_of(match, match.created),
    }
    connection.execute(insert(MatchRow), row)
    for visitor in sorted({seat.visitor for seat in match.seats if seat.visitor}):
        _add_visit(connection, match.number, visitor)


def _add_visit(connection: Connection, number: str, visitor: str) -> None:
    insert_missing(connection, VisitRow, {"match": number, "visitor": visitor, "begun": now()})


def _seats_text(seats: Sequence[Seat]) -> str:
    return json.dumps([asdict(seat) for seat in seats])


def _needs_migration(connection: Connection, name: str) -> bool:
    """Tells whether the tables are missing or old; raises `BadDatabase` for those of a newer or another program."""
    current, tables = revisions.current_revision(connection), revisions.table_names(connection)
    if tables and (current is None or not tables >= revisions.OURS):
        raise foreign_database(name)
    if current is not None and current not in revisions.known_revisions():
        raise newer_database(name)
    return current != revisions.newest_revision()


def _migrate(connection: Connection, name: str) -> None:
    """Creates or migrates the tables; raises `BadDatabase` for those of a newer version or of another program."""
    if _needs_migration(connection, name):
        revisions.migrate(connection)
