"""Statements about chat: messages of the rooms of matches, and who may not write. All take a connection."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from damier.server.people.nicknames import given_nickname
from damier.server.store.dialect import upsert
from damier.server.store.schema import AccountRow, ChatLineRow, NicknameRow, SilenceRow
from damier.server.store.statements.locks import lock_until_commit

MOST_KEPT = 500
"""Messages of one room; the oldest are deleted."""


@dataclass(frozen=True)
class StoredLine:
    """A message, with its author as others see them now."""

    number: int
    match: str
    room: str
    person: str
    phrase: str | None
    text: str
    at: str
    name: str
    account: str | None
    """The name of the author's account; None for a guest."""


@dataclass(frozen=True)
class Speaker:
    """What decides whether a person may write."""

    name: str
    account: str | None
    silent_until: str | None


_LINES = (
    select(ChatLineRow.__table__, AccountRow.name.label("account"), NicknameRow.nickname)
    .join(AccountRow, AccountRow.person == ChatLineRow.person, isouter=True)
    .join(NicknameRow, NicknameRow.visitor == ChatLineRow.person, isouter=True)
)


def _line(row: Any) -> StoredLine:
    name = row.account or row.nickname or given_nickname(row.person)
    about = row.number, row.match, row.room, row.person, row.phrase, row.text, row.at
    return StoredLine(*about, name, row.account)


def _last(connection: Connection, count: int, *conditions: ColumnElement[bool]) -> list[StoredLine]:
    """Returns the last messages that fulfil some conditions, the oldest first."""
    rows = connection.execute(_LINES.where(*conditions).order_by(ChatLineRow.number.desc()).limit(count)).all()
    return [_line(row) for row in reversed(rows)]


def last_lines(connection: Connection, match: str, rooms: Collection[str], count: int) -> list[StoredLine]:
    """Returns the last `count` messages of each of some rooms, the oldest first."""
    found = [_last(connection, count, ChatLineRow.match == match, ChatLineRow.room == room) for room in rooms]
    return sorted((line for lines in found for line in lines), key=lambda line: line.number)


def lines_by(connection: Connection, person: str, count: int) -> list[StoredLine]:
    """Returns the last `count` messages of a person, the oldest first."""
    return _last(connection, count, ChatLineRow.person == person)


def find_line(connection: Connection, match: str, number: int) -> StoredLine | None:
    """Returns a message of a match."""
    row = connection.execute(_LINES.where(ChatLineRow.match == match, ChatLineRow.number == number)).first()
    return _line(row) if row else None


def add_line(connection: Connection, row: dict[str, Any]) -> StoredLine | None:
    """Stores a message, and deletes the oldest of a full room; returns None if its request was answered before.

    The messages of a match are committed in the order of their numbers, whatever process stores them.
    """
    lock_until_commit(connection, f"chat:{row['match']}")
    if has_line(connection, row["match"], row["person"], row["request"]):
        return None
    made = connection.execute(insert(ChatLineRow).returning(ChatLineRow.number), row).scalar_one()
    here = ChatLineRow.match == row["match"], ChatLineRow.room == row["room"]
    full = select(ChatLineRow.number).where(*here).order_by(ChatLineRow.number.desc()).offset(MOST_KEPT).limit(1)
    oldest = connection.execute(full).scalar()
    if oldest is not None:
        connection.execute(delete(ChatLineRow).where(*here, ChatLineRow.number <= oldest))
    return find_line(connection, row["match"], made)


def has_line(connection: Connection, match: str, person: str, request: str) -> bool:
    """Tells whether a message answers a request of a person."""
    wanted = ChatLineRow.match == match, ChatLineRow.person == person, ChatLineRow.request == request
    return connection.execute(select(ChatLineRow.number).where(*wanted)).first() is not None


def lines_after(connection: Connection, match: str, number: int) -> list[StoredLine]:
    """Returns the messages of a match after a number, the oldest first."""
    wanted = _LINES.where(ChatLineRow.match == match, ChatLineRow.number > number)
    return [_line(row) for row in connection.execute(wanted.order_by(ChatLineRow.number))]


def last_number(connection: Connection, match: str) -> int:
    """Returns the number of the last message of a match, 0 if there is none."""
    return last_numbers(connection, [match]).get(match, 0)


def last_numbers(connection: Connection, matches: Collection[str]) -> dict[str, int]:
    """Returns the number of the last message of each of some matches that have any."""
    wanted = select(ChatLineRow.match, func.max(ChatLineRow.number).label("last")).where(ChatLineRow.match.in_(matches))
    return {row.match: row.last for row in connection.execute(wanted.group_by(ChatLineRow.match))}


def remove_line(connection: Connection, match: str, number: int) -> bool:
    """Deletes a message; returns False if there is none."""
    statement = delete(ChatLineRow).where(ChatLineRow.match == match, ChatLineRow.number == number)
    return connection.execute(statement).rowcount > 0


def matches_with(connection: Connection, person: str) -> list[str]:
    """Returns the matches in which a person has written."""
    return list(connection.execute(select(ChatLineRow.match).where(ChatLineRow.person == person).distinct()).scalars())


def speaker(connection: Connection, person: str) -> Speaker:
    """Returns what decides whether a person may write; a silence may be over."""
    account = connection.execute(select(AccountRow.name).where(AccountRow.person == person)).scalar()
    nickname = connection.execute(select(NicknameRow.nickname).where(NicknameRow.visitor == person)).scalar()
    until = connection.execute(select(SilenceRow.until).where(SilenceRow.person == person)).scalar()
    return Speaker(account or nickname or given_nickname(person), account, until)


def silence(connection: Connection, person: str, until: str) -> None:
    """Stores until when a person may not write."""
    upsert(connection, SilenceRow, {"person": person, "until": until}, ["person"])
