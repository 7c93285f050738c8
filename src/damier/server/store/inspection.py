"""Inspects a whole database: the file by SQLite's full check, and every match by replaying it by the rules.

Only reads, in one transaction, so that it can be run while a server uses the database.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damier.core.messages import plain
from damier.server.store.integrity import is_damage, problems
from damier.server.store.refusals import missing_database, unusable_database
from damier.server.store.stored_match import DamagedMatch, stored_match

_LONGEST_REASON = 160  # characters
_ADDED_LATER: dict[str, Any] = {"allows_help": True}  # columns that a file of an older version lacks


@dataclass
class Inspection:
    """What was found in a database."""

    matches: int = 0
    events: int = 0
    problems: list[str] = field(default_factory=list)
    """Damage to the file, as SQLite tells it."""

    damaged: dict[str, str] = field(default_factory=dict)
    """What is wrong with each damaged match, by its number."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.problems and not self.damaged


def inspect(database: Path, show: Callable[[float], object] = lambda _share: None) -> Inspection:
    """Returns what is damaged in a database; calls `show` with the share done. Raises `BadDatabase` without a file."""
    if not database.is_file():
        raise missing_database(str(database))
    found = Inspection()
    try:
        found.problems += problems(database)
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            _inspect(connection, found, show)
    except sqlite3.Error as error:
        if not is_damage(error) and not found.problems:
            raise unusable_database(str(database), error) from None
        if not found.problems:
            found.problems.append(plain(str(error), _LONGEST_REASON))
    return found


def _inspect(connection: sqlite3.Connection, found: Inspection, show: Callable[[float], object]) -> None:
    for row in connection.execute("PRAGMA foreign_key_check").fetchmany(20):
        found.problems.append(f"row {row[1]} of {row[0]} belongs to no row of {row[2]}")
    numbers = [row[0] for row in connection.execute("SELECT number FROM matches ORDER BY rowid")]
    for place, number in enumerate(numbers):
        show(place / len(numbers))
        found.matches += 1
        try:
            row = connection.execute("SELECT * FROM matches WHERE number = ?", (number,)).fetchone()
            rows = connection.execute("SELECT * FROM events WHERE match = ? ORDER BY seq", (number,)).fetchall()
            if row is None:
                raise DamagedMatch("the index does not find it")
            found.events += len(stored_match(number, {**_ADDED_LATER, **dict(row)}, [dict(row) for row in rows]).events)
        except DamagedMatch as error:
            found.damaged[str(number)] = plain(error.why, _LONGEST_REASON)
        except sqlite3.Error as error:
            found.damaged[str(number)] = plain(str(error), _LONGEST_REASON)
