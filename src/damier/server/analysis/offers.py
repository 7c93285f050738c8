"""The tables that this server offers for download, with the digests of their files.

What a file holds and its digest are found once for each version of the file, in a thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from damier.core import folders
from damier.core.game import Game
from damier.core.messages import message
from damier.games import load
from damier.server.errors import ServerBusy
from damier.server.wire.analysis import TableOffer
from damier.solve.inventory import found_table
from damier.solve.location import SUFFIX


@dataclass(frozen=True)
class FileVersion:
    """A file as it is now; a rebuilt table is another version."""

    path: Path
    size: int
    modified: int
    """In nanoseconds."""

    number: int
    """Of the inode."""

    @classmethod
    def of(cls, path: Path, status: os.stat_result) -> FileVersion:
        """Returns the version of a file with this status."""
        return cls(path, status.st_size, status.st_mtime_ns, status.st_ino)


@dataclass(frozen=True)
class OfferedTable:
    """A table that can be downloaded."""

    version: FileVersion
    game: Game
    entries: int

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.version.path.name

    def open(self) -> IO[bytes]:
        """Opens the file; raises `ServerBusy` if it is another version by now."""
        try:
            stream = self.version.path.open("rb")
        except OSError:
            raise _replaced() from None
        if FileVersion.of(self.version.path, os.fstat(stream.fileno())) != self.version:
            stream.close()
            raise _replaced()
        return stream


class OfferedTables:
    """The tables in the folder of this server."""

    def __init__(self) -> None:
        self._known: dict[FileVersion, OfferedTable | None] = {}
        self._digests: dict[FileVersion, asyncio.Task[str]] = {}
        self._looking = asyncio.Lock()  # so that new files are opened once, and one thread is enough

    async def all(self) -> list[OfferedTable]:
        """Returns the tables that are there and can be opened, by name."""
        async with self._looking:
            return await asyncio.to_thread(self._look)

    async def find(self, name: str) -> OfferedTable | None:
        """Returns the table in the file `name`, which is compared with the names of tables and is never a path."""
        return next((table for table in await self.all() if table.name == name), None)

    async def digest(self, table: OfferedTable) -> str:
        """Returns the SHA-256 of a file; requests that come meanwhile wait for the same one."""
        task = self._digests.get(table.version)
        if task is None:
            task = self._digests[table.version] = asyncio.create_task(asyncio.to_thread(_digest, table))
            task.add_done_callback(lambda done: self._keep(table.version, done))
        return await asyncio.shield(task)

    async def offer(self, table: OfferedTable) -> TableOffer:
        """Returns a table as the list has it."""
        return TableOffer(
            game=table.game.name,
            options=dict(table.game.options),
            entries=table.entries,
            bytes=table.version.size,
            sha256=await self.digest(table),
            address=f"/api/tables/{quote(table.name)}",
        )

    def _look(self) -> list[OfferedTable]:
        known = {version: self._known[version] if version in self._known else _table(version) for version in _files()}
        self._known = known
        return [table for table in known.values() if table]

    def _keep(self, version: FileVersion, task: asyncio.Task[str]) -> None:
        """Forgets the digests of older versions of a file, and a failure at once."""
        if task.cancelled() or task.exception():
            del self._digests[version]
        for old in [each for each in self._digests if each.path == version.path and each != version]:
            if self._digests[old].done():
                del self._digests[old]


def _files() -> Iterator[FileVersion]:
    try:
        paths = sorted(folders.table_folder().iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix == SUFFIX and path.is_file():
            yield FileVersion.of(path, path.stat())


def _table(version: FileVersion) -> OfferedTable | None:
    found = found_table(load, version.path)
    return OfferedTable(version, found.game, found.entries) if found.game else None


def _digest(table: OfferedTable) -> str:
    with table.open() as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # a file in binary mode


def _replaced() -> ServerBusy:
    return ServerBusy(message("The table is being replaced: try again in a moment."))
