"""Why a database is refused, as sentences for operators."""

from __future__ import annotations

from damier.core.errors import DamierError
from damier.core.messages import message, plain, shown

_LONGEST_REASON = 200  # characters


class BadDatabase(DamierError):
    """The database cannot be used."""


class UsedDatabase(BadDatabase):
    """A server uses the database."""


def damaged_database(name: str, problem: str) -> BadDatabase:
    """Returns the refusal of a file in which SQLite finds damage."""
    return BadDatabase(
        message(
            "The database {file} is damaged: {problem}. See what can be read with {check}, or go back to a backup "
            "with {restore}.",
            file=shown(name),
            problem=problem,
            check="damier check",
            restore="damier restore",
        )
    )


def newer_database(name: str) -> BadDatabase:
    """Returns the refusal of a database whose schema this program does not know."""
    return BadDatabase(
        message(
            "The database {file} was written by a newer version of damier: update damier or choose another database.",
            file=shown(name),
        )
    )


def foreign_database(name: str) -> BadDatabase:
    """Returns the refusal of a database that is not ours."""
    return BadDatabase(message("The database {file} belongs to another program.", file=shown(name)))


def used_database(name: str) -> UsedDatabase:
    """Returns the refusal of a database that a server uses."""
    return UsedDatabase(
        message(
            "Another damier uses the database {file}: end that one, or choose another database with {option}.",
            file=shown(name),
            option="--database",
        )
    )


def other_version(name: str) -> BadDatabase:
    """Returns the refusal of a database whose tables have to be migrated while other servers use it."""
    return BadDatabase(
        message(
            "Servers of another version of damier use the database {file}: end them before this one starts.",
            file=shown(name),
        )
    )


def unusable_database(name: str, why: object) -> BadDatabase:
    """Returns the refusal of a database that cannot be opened, read or written."""
    return BadDatabase(message("The database {file} cannot be used: {why}.", file=shown(name), why=reason(why)))


def missing_database(name: str) -> BadDatabase:
    """Returns the refusal of a file that does not exist."""
    return BadDatabase(message("There is no database {file}.", file=shown(name)))


def reason(why: object) -> str:
    """Returns the first line of what a database says, without the full stop at its end."""
    first, *_ = str(why).strip().splitlines() or [""]
    return plain(first, _LONGEST_REASON).rstrip(".")
