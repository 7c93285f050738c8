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
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

import damier
from damier.core.errors import DamierError
from damier.core.messages import message, shown
from damier.server.errors import ServerFailed
from damier.server.matches.match import Event, Match, Seat
from damier.server.store.schema import EventRow, MatchRow, NicknameRow, VisitRow

if TYPE_CHECKING:
    from alembic.config import Config

_log = logging.getLogger(__name__)

_RECENT = 20  # matches of a visitor that are listed


class BadDatabase(DamierError):
    """The database cannot be opened."""


class StoreFailed(ServerFailed):
    """The database could not be read or written."""


def now() -> str:
    """Returns the time in UTC, as ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Store:
    """A database of matches."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        self._writing = asyncio.Lock()
        self._lock = FileLock(os.path.realpath(path) + ".lock", thread_local=False)  # links to one file share a lock
        event.listen(self._engine.sync_engine, "connect", _prepare)

    async def open(self) -> None:
        """Creates or migrates the tables; raises `BadDatabase`."""
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    async def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock_out_others()
            with contextlib.closing(sqlite3.connect(self.path)) as probe:
                probe.execute("PRAGMA schema_version")  # refuses here what would otherwise fail in a thread
            async with self._engine.begin() as connection:
                await connection.run_sync(_upgrade, self.path)
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None
        except DBAPIError as error:
            raise self._unusable(str(error.orig)) from None

    def _lock_out_others(self) -> None:
        """Makes sure that no other server uses the file; the operating system frees the lock of a killed process."""
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise BadDatabase(
                message(
                    "Another damier uses the file {file}: end that one, or choose another file with {option}.",
                    file=shown(str(self.path)),
                    option="--database",
                )
            ) from None

    def _unusable(self, why: str) -> BadDatabase:
        return BadDatabase(message("The file {file} cannot be used: {why}.", file=shown(str(self.path)), why=why))

    async def close(self) -> None:
        """Closes the database."""
        await self._engine.dispose()
        self._lock.release()

    @contextlib.asynccontextmanager
    async def _write(self, what: str, number: str) -> AsyncIterator[AsyncConnection]:
        """Begins a transaction, one at a time: SQLite would let a second one sleep for up to 0.1 s."""
        with _failures(what, number):
            async with self._writing, self._engine.begin() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def _read(self, what: str, number: str) -> AsyncIterator[AsyncConnection]:
        with _failures(what, number):
            async with self._engine.connect() as connection:
                yield connection

    async def add_match(self, match: Match) -> None:
        """Stores a new match."""
        async with self._write("add the match", match.number) as connection:
            await _add_match(connection, match)

    async def change_seats(self, match: Match, visitor: str) -> None:
        """Stores the seats of a match, of which a visitor has just taken one."""
        async with self._write("change the seats", match.number) as connection:
            statement = update(MatchRow).where(MatchRow.number == match.number)
            await connection.execute(statement.values(seats=_seats_text(match.seats)))
            await _add_visit(connection, match.number, visitor)

    async def append(
        self,
        number: str,
        first: int,
        events: Sequence[Event],
        visitor: str | None,
        request: str | None,
        following: Match | None = None,
    ) -> None:
        """Stores events, numbered from `first` on; the first of them answers the visitor's request.

        The match that they begin, `following`, is stored in the same transaction.
        """
        rows = [
            {
                "match": number,
                "seq": first + place,
                "data": json.dumps(each.data()),
                "visitor": visitor if place == 0 else None,
                "request": request if place == 0 else None,
                "at": now(),
            }
            for place, each in enumerate(events)
        ]
        async with self._write("append events", number) as connection:
            if following:
                await _add_match(connection, following)
            await connection.execute(insert(EventRow), rows)

    async def load(self, number: str) -> Match | None:
        """Returns a match with its events, or None."""
        async with self._read("load the match", number) as connection:
            row = (await connection.execute(select(MatchRow.__table__).where(MatchRow.number == number))).first()
            if row is None:
                return None
            wanted = select(EventRow.__table__).where(EventRow.match == number).order_by(EventRow.seq)
            rows = (await connection.execute(wanted)).all()
        game = damier.load(row.game, **json.loads(row.options))
        seats = [Seat(**seat) for seat in json.loads(row.seats)]
        events = [Event(**json.loads(each.data)) for each in rows]
        requests = {(each.visitor, each.request): each.seq for each in rows if each.request is not None}
        about = row.number, game, seats, row.seed, row.creator, row.created
        return Match(*about, events, requests, allows_help=row.allows_help)

    async def recent(self, visitor: str) -> list[str]:
        """Returns the numbers of a visitor's last matches, newest first."""
        statement = select(VisitRow.match).where(VisitRow.visitor == visitor)
        async with self._read("list the matches of a visitor", "") as connection:
            rows = await connection.execute(statement.order_by(VisitRow.begun.desc()).limit(_RECENT))
            return list(rows.scalars())

    async def nicknames(self, visitors: Collection[str]) -> dict[str, str]:
        """Returns the nicknames that some visitors have chosen, by visitor."""
        statement = select(NicknameRow.visitor, NicknameRow.nickname).where(NicknameRow.visitor.in_(visitors))
        async with self._read("read nicknames", "") as connection:
            return {row.visitor: row.nickname for row in await connection.execute(statement)}

    async def rename(self, visitor: str, nickname: str) -> None:
        """Stores the nickname that a visitor has chosen."""
        statement = insert(NicknameRow).prefix_with("OR REPLACE")
        async with self._write("store a nickname", "") as connection:
            await connection.execute(statement, {"visitor": visitor, "nickname": nickname})


@contextlib.contextmanager
def _failures(what: str, number: str) -> Iterator[None]:
    """Logs a failure of the database, and raises `StoreFailed`, which refuses the request."""
    try:
        yield
    except DBAPIError as error:
        extra = {"match": number, "failed": what}
        _log.error("Match %s: cannot %s: %s. The request is refused.", number or "-", what, error.orig, extra=extra)
        raise StoreFailed(message("The server could not store or read the match: try again.")) from error


async def _add_match(connection: AsyncConnection, match: Match) -> None:
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
    await connection.execute(insert(MatchRow), row)
    for visitor in sorted({seat.visitor for seat in match.seats if seat.visitor}):
        await _add_visit(connection, match.number, visitor)


async def _add_visit(connection: AsyncConnection, number: str, visitor: str) -> None:
    statement = insert(VisitRow).prefix_with("OR IGNORE")
    await connection.execute(statement, {"match": number, "visitor": visitor, "begun": now()})


def _seats_text(seats: Sequence[Seat]) -> str:
    return json.dumps([asdict(seat) for seat in seats])


def _prepare(connection: Any, _record: object) -> None:
    """Configures a new connection: readers do not wait for the writer, and a killed process loses nothing."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _upgrade(connection: Connection, path: Path) -> None:
    """Migrates the tables; raises `BadDatabase` for a file of a newer version."""
    from alembic import command
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = _config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise BadDatabase(
            message(
                "The file {file} was written by a newer version of damier: update damier or choose another file.",
                file=shown(str(path)),
            )
        )
    tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
    if current is None and tables:
        raise BadDatabase(message("The file {file} is a database of another program.", file=shown(str(path))))
    command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "damier.server.store:migrations")
    return config
