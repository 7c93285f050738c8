"""Backups of a database: made while a server uses it, verified, and put back.

SQLite's online backup copies all pages in one step, as one read transaction: in WAL mode the server goes on writing. A
copy is written under a temporary name, checked, and only then gets its own.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from damier.core.messages import message, shown
from damier.server.store.dialect import SqliteFile
from damier.server.store.integrity import is_damage, problems
from damier.server.store.refusals import (
    BadDatabase,
    damaged_database,
    foreign_database,
    missing_database,
    newer_database,
)
from damier.server.store.revisions import OURS, known_revisions


@dataclass(frozen=True)
class Copy:
    """A copy of a database."""

    file: Path
    bytes: int
    matches: int
    replaced: Path | None = None
    """Where the database that a restored one has replaced is kept."""


def dated_name(database: Path, what: str, at: datetime | None = None) -> Path:
    """Returns a name with date and time beside a database that no file has yet."""
    when = f"{at or datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    first = database.with_name(f"{database.stem}-{what}-{when}{database.suffix}")
    names = (first.with_stem(f"{first.stem}-{count}") for count in range(2, 1000))
    return first if not first.exists() else next(name for name in names if not name.exists())


def back_up(database: Path, target: Path | None = None) -> Copy:
    """Copies a database that a server may be using; raises `BadDatabase` and leaves nothing behind."""
    database = _existing(database)
    target = dated_name(database, "backup") if target is None else target
    if target.exists() or target.is_symlink():
        raise _exists(target)
    with _explained(target), _copied(database, target.parent) as (copy, matches):
        _name(copy, target)
        return Copy(target, target.stat().st_size, matches)


@contextlib.contextmanager
def written(target: Path) -> Iterator[BinaryIO]:
    """Yields a new file, for its owner alone, that gets its name only when all is written; raises `BadDatabase`."""
    if target.exists() or target.is_symlink():
        raise _exists(target)
    with _explained(target):
        copy = _new_part(target.parent)
        try:
            with copy.open("wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            _name(copy, target)
        finally:
            copy.unlink(missing_ok=True)


def _name(copy: Path, target: Path) -> None:
    """Gives a file its name, which no other file may have."""
    try:
        os.link(copy, target)  # unlike renaming, this never replaces a file
    except FileExistsError:
        raise _exists(target) from None
    except OSError:  # a file system without links
        copy.rename(target)
    _flush(target.parent)


def _new_part(folder: Path) -> Path:
    """Returns a new file under a temporary name, for its owner alone: it gets the keys of cookies."""
    copy = folder / f".damier-{secrets.token_hex(8)}.part"
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return copy


def restore(backup: Path, database: Path) -> Copy:
    """Puts a backup in the place of a database that no server uses; raises `BadDatabase` and changes nothing."""
    database = Path(os.path.realpath(database))
    backup = _existing(backup)
    if database.exists() and backup.samefile(database):
        raise BadDatabase(message("The file {file} is the database itself.", file=shown(str(backup))))
    with _explained(database):
        database.parent.mkdir(parents=True, exist_ok=True)
        with SqliteFile(database).locked(), _copied(backup, database.parent) as (copy, matches):
            kept = _set_aside(database, copy) if database.exists() else None
            for stale in ("-wal", "-shm"):  # of a database that is gone
                database.with_name(database.name + stale).unlink(missing_ok=True)
            copy.replace(database)
            _flush(database.parent)
            return Copy(database, database.stat().st_size, matches, kept)


def _set_aside(database: Path, copy: Path) -> Path:
    """Keeps a database under another name, with its write-ahead log; it also stays in place until it is replaced."""
    kept = dated_name(database, "replaced")
    shutil.copymode(database, copy)
    try:
        os.link(database, kept)
    except OSError:  # a file system without links
        shutil.copy2(database, kept)
    log = database.with_name(database.name + "-wal")
    if log.exists():
        log.replace(kept.with_name(kept.name + "-wal"))
    return kept


@contextlib.contextmanager
def _copied(source: Path, folder: Path) -> Iterator[tuple[Path, int]]:
    """Yields a verified copy of a database in a folder, and its number of matches; removes it unless it was renamed."""
    copy = _new_part(folder)
    try:
        try:
            with contextlib.closing(sqlite3.connect(source)) as old, contextlib.closing(sqlite3.connect(copy)) as new:
                old.backup(new)
                new.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        except sqlite3.Error as error:
            if is_damage(error):
                raise damaged_database(str(source), str(error)) from None
            raise
        if found := problems(copy, most=1):
            raise damaged_database(str(source), found[0])
        with open(copy, "rb+") as stream:
            os.fsync(stream.fileno())
        yield copy, _count_matches(source, copy)
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)


def _count_matches(source: Path, copy: Path) -> int:
    """Returns the number of matches; raises `BadDatabase` for another program's file or a newer version's."""
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not names >= OURS:
            raise foreign_database(str(source))
        revisions = {revision for (revision,) in connection.execute("SELECT version_num FROM alembic_version")}
        if not revisions <= known_revisions():
            raise newer_database(str(source))
        (count,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        return int(count)


def _existing(file: Path) -> Path:
    """Returns the file that a path leads to; raises `BadDatabase` if there is none."""
    if not file.is_file():
        raise missing_database(str(file))
    return Path(os.path.realpath(file))


def _exists(target: Path) -> BadDatabase:
    return BadDatabase(
        message("The file {file} exists: choose another name, or remove it first.", file=shown(str(target)))
    )


@contextlib.contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Raises faults of the file system and of SQLite, such as a full disk, as one sentence."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise BadDatabase(
            message("The file {file} cannot be written: {why}.", file=shown(str(target)), why=why)
        ) from None


def _flush(folder: Path) -> None:
    """Has the names in a folder written to the disk, where the system can do that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EISDIR, errno.EPERM):
            return
        raise
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)
