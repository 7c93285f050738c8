"""Where matches are kept: an SQLite file that survives whatever ends the program.

What `append` has returned from is on the disk as far as the program is concerned: a killed process loses none of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
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
from damier.server.matches.match import Event, Match, Seat
from damier.server.store.schema import EventRow, MatchRow, VisitRow

if TYPE_CHECKING:
    from alembic.config import Config

_RECENT = 20  # matches of a visitor that are listed


class BadDatabase(DamierError):
    """The file of matches cannot be used."""


def now() -> str:
    """Returns the time, as it is written everywhere."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Store:
    """An open file of matches."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        self._writing = asyncio.Lock()
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"), thread_local=False)
        event.listen(self._engine.sync_engine, "connect", _prepare)

    async def open(self) -> None:
        """Makes or updates the tables; raises `BadDatabase` where that cannot be done."""
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
        """Makes sure that no other server writes to the file; the lock goes with the process, however that ends."""
        try:
            self._lock.acquire(timeout=0)
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
        """Closes the file."""
        await self._engine.dispose()
        self._lock.release()

    @contextlib.asynccontextmanager
    async def _begin(self) -> AsyncIterator[AsyncConnection]:
        """Begins to write, one at a time: SQLite would let the second sleep for up to 0.1 s."""
        async with self._writing, self._engine.begin() as connection:
            yield connection

    async def add_match(self, match: Match, visitors: Sequence[str]) -> None:
        """Keeps a new match."""
        row = {
            "number": match.number,
            "game": match.game.name,
            "options": json.dumps(dict(match.game.options)),
            "seats": _seats_text(match.seats),
            "seed": match.seed,
            "creator": match.creator,
            "created": match.created,
        }
        async with self._begin() as connection:
            await connection.execute(insert(MatchRow), row)
            for visitor in sorted(set(visitors)):
                await _add_visit(connection, match.number, visitor)

    async def change_seats(self, match: Match, visitor: str) -> None:
        """Keeps who has the seats now, one of them a new visitor."""
        async with self._begin() as connection:
            statement = update(MatchRow).where(MatchRow.number == match.number)
            await connection.execute(statement.values(seats=_seats_text(match.seats)))
            await _add_visit(connection, match.number, visitor)

    async def append(
        self, number: str, first: int, events: Sequence[Event], visitor: str | None, request: str | None
    ) -> None:
        """Keeps events, numbered from `first` on; the first of them is what a visitor's request made happen."""
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
        async with self._begin() as connection:
            await connection.execute(insert(EventRow), rows)

    async def load(self, number: str) -> Match | None:
        """Returns a match with all that has happened in it."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(select(MatchRow.__table__).where(MatchRow.number == number))).first()
            if row is None:
                return None
            chosen = select(EventRow.__table__).where(EventRow.match == number).order_by(EventRow.seq)
            rows = (await connection.execute(chosen)).all()
        game = damier.load(row.game, **json.loads(row.options))
        seats = [Seat(**seat) for seat in json.loads(row.seats)]
        happened = [Event(**json.loads(each.data)) for each in rows]
        requests = {(each.visitor, each.request): each.seq for each in rows if each.request is not None}
        return Match(row.number, game, seats, row.seed, row.creator, row.created, happened, requests)

    async def recent(self, visitor: str) -> list[str]:
        """Returns the numbers of a visitor's last matches, newest first."""
        statement = select(VisitRow.match).where(VisitRow.visitor == visitor)
        async with self._engine.connect() as connection:
            rows = await connection.execute(statement.order_by(VisitRow.begun.desc()).limit(_RECENT))
            return list(rows.scalars())


async def _add_visit(connection: AsyncConnection, number: str, visitor: str) -> None:
    statement = insert(VisitRow).prefix_with("OR IGNORE")
    await connection.execute(statement, {"match": number, "visitor": visitor, "begun": now()})


def _seats_text(seats: Sequence[Seat]) -> str:
    return json.dumps([asdict(seat) for seat in seats])


def _prepare(connection: Any, _record: object) -> None:
    """Sets up a new connection: readers do not wait for the writer, and a killed process loses nothing."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _upgrade(connection: Connection, path: Path) -> None:
    """Brings the tables up to date; refuses a file of a newer version."""
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
        raise BadDatabase(message("The file {file} is a database of something else.", file=shown(str(path))))
    command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "damier.server.store:migrations")
    return config
