"""Seeks in the database: made, taken by whoever accepts first, closed, forgotten.

A seek is taken in the transaction that stores its match, which only one of several processes can succeed with. Earlier
versions did so in two steps, and rows of theirs may still be in the state ``taking``: by the origin of matches it is
found out at the next start whether the match was begun.

Rows are locked in the order of their numbers, so that two processes never wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from damier.core.messages import message
from damier.server.errors import NotNow, TooManyRequests
from damier.server.store.schema import MatchRow, SeekRow, WishRow

MOST_STORED = 10
"""Seeks and challenges that one person may have open and that stay without a page."""

MOST_OPEN = 5_000
"""Open seeks and challenges of all."""


@dataclass(frozen=True)
class StoredSeek:
    """A row of the table of seeks; `SeekRow` says what each column means."""

    number: str
    person: str
    kind: str
    terms: str
    is_live: bool
    created: str
    seen: str
    rival: str | None = None
    side: int | None = None
    reach: int | None = None
    state: str = "open"
    closed: str | None = None
    match: str | None = None


_ROW = select(*(getattr(SeekRow, name) for name in StoredSeek.__dataclass_fields__))


def origin_of(number: str) -> str:
    """Returns the origin of the match that a seek leads to."""
    return f"seek:{number}"


def add(connection: Connection, seek: StoredSeek) -> None:
    """Stores a seek; raises `TooManyRequests` if its owner, or all together, have too many."""
    is_open = SeekRow.state == "open"
    if connection.execute(select(func.count()).where(is_open)).scalar_one() >= MOST_OPEN:
        raise TooManyRequests(message("The lobby is full: try again later."), 60)
    if not seek.is_live:
        own = select(func.count()).where(is_open, SeekRow.person == seek.person, SeekRow.is_live.is_(False))
        if connection.execute(own).scalar_one() >= MOST_STORED:
            raise TooManyRequests(
                message("You have {count} open seeks and challenges: withdraw one first.", count=MOST_STORED), 60
            )
    connection.execute(insert(SeekRow), asdict(seek))


def recover(connection: Connection, at: str, *, is_alone: bool = True) -> list[StoredSeek]:
    """Returns the open seeks at the start of a server; if no other process is there, live ones have ended."""
    for row in connection.execute(_ROW.where(SeekRow.state == "taking").order_by(SeekRow.number)).all():
        match = connection.execute(select(MatchRow.number).where(MatchRow.origin == origin_of(row.number))).scalar()
        values = {"state": "taken", "match": match, "closed": at} if match else {"state": "open"}
        connection.execute(update(SeekRow).where(SeekRow.number == row.number).values(**values))
    if is_alone:
        connection.execute(delete(SeekRow).where(SeekRow.is_live.is_(True), SeekRow.state == "open"))
    found = connection.execute(_ROW.where(SeekRow.state == "open").order_by(SeekRow.created, SeekRow.number))
    return [StoredSeek(**row._mapping) for row in found]


def open_seeks(connection: Connection) -> set[tuple[str, str, str | None]]:
    """Returns the numbers of all open seeks, with their owners and those whom they challenge."""
    found = connection.execute(select(SeekRow.number, SeekRow.person, SeekRow.rival).where(SeekRow.state == "open"))
    return {(row.number, row.person, row.rival) for row in found}


def find_many(connection: Connection, numbers: Sequence[str]) -> tuple[dict[str, StoredSeek], dict[str, str]]:
    """Returns seeks, open or closed, by number, and the games of the matches that they have led to, by match."""
    wanted = [number for number in numbers if "\0" not in number]  # which PostgreSQL refuses
    rows = connection.execute(_ROW.where(SeekRow.number.in_(wanted)))
    found = {row.number: StoredSeek(**row._mapping) for row in rows}
    matches = [seek.match for seek in found.values() if seek.match]
    games = connection.execute(select(MatchRow.number, MatchRow.game).where(MatchRow.number.in_(matches)))
    return found, {row.number: row.game for row in games}


def find(connection: Connection, number: str) -> StoredSeek | None:
    """Returns a seek, open or closed."""
    if "\0" in number:  # which PostgreSQL refuses
        return None
    row = connection.execute(_ROW.where(SeekRow.number == number)).first()
    return StoredSeek(**row._mapping) if row else None


def take(connection: Connection, match: str, numbers: Sequence[str], at: str) -> None:
    """Closes seeks with the match that is stored in the same transaction: all of them, or none and raises `NotNow`."""
    wanted = SeekRow.number.in_(numbers), SeekRow.state == "open"
    _locked(connection, *wanted)
    taken = connection.execute(update(SeekRow).where(*wanted).values(state="taken", match=match, closed=at))
    if taken.rowcount != len(numbers):
        raise NotNow(message("Somebody else was faster, or the seek is closed."))  # which undoes the transaction


def _locked(connection: Connection, *wanted: ColumnElement[bool]) -> list[str]:
    """Locks rows of PostgreSQL until the transaction ends, in the order of their numbers, which are returned."""
    statement = select(SeekRow.number).where(*wanted).order_by(SeekRow.number).with_for_update()
    return list(connection.execute(statement).scalars())


def close(connection: Connection, numbers: Sequence[str], state: str, at: str) -> list[str]:
    """Closes open seeks, and returns the numbers of those that were open."""
    return _close(connection, state, at, SeekRow.number.in_(numbers))


def close_live(connection: Connection, people: Sequence[str], at: str) -> list[str]:
    """Withdraws the live seeks of people who have begun to play, and returns their numbers."""
    return _close(connection, "withdrawn", at, SeekRow.person.in_(people), SeekRow.is_live.is_(True))


def expire(connection: Connection, made_before: str, seen_before: str, at: str) -> list[str]:
    """Closes stored seeks that are too old or whose owner was not seen for long, and returns their numbers."""
    too_old = (SeekRow.created < made_before) | (SeekRow.seen < seen_before)
    return _close(connection, "expired", at, SeekRow.is_live.is_(False), too_old)


def _close(connection: Connection, state: str, at: str, *wanted: ColumnElement[bool]) -> list[str]:
    is_open = SeekRow.state == "open"
    numbers = _locked(connection, is_open, *wanted)
    if not numbers:
        return []
    closing = update(SeekRow).where(SeekRow.number.in_(numbers), is_open).values(state=state, closed=at)
    return sorted(connection.execute(closing.returning(SeekRow.number)).scalars())


def delete_closed(connection: Connection, before: str) -> None:
    """Deletes what was closed before a time."""
    connection.execute(delete(SeekRow).where(SeekRow.closed < before))


def saw(connection: Connection, person: str, at: str) -> None:
    """Notes that the owner of seeks is here."""
    numbers = _locked(connection, SeekRow.person == person, SeekRow.state == "open")
    connection.execute(update(SeekRow).where(SeekRow.number.in_(numbers)).values(seen=at))


def move(connection: Connection, person: str, other: str) -> None:
    """Gives all seeks and wishes of a person to another, who is the same one with an account."""
    connection.execute(update(SeekRow).where(SeekRow.person == person).values(person=other))
    connection.execute(update(SeekRow).where(SeekRow.rival == person).values(rival=other))
    store_wishes(connection, other, sorted({*wishes(connection, person), *wishes(connection, other)}))
    store_wishes(connection, person, [])


# Wishes


def wishes(connection: Connection, person: str) -> list[str]:
    """Returns the games of which a person wants to be told."""
    return list(
        connection.execute(select(WishRow.game).where(WishRow.person == person).order_by(WishRow.game)).scalars()
    )


def store_wishes(connection: Connection, person: str, games: Sequence[str]) -> None:
    """Stores the games of which a person wants to be told."""
    connection.execute(delete(WishRow).where(WishRow.person == person))
    if games:
        connection.execute(insert(WishRow), [{"person": person, "game": game} for game in games])


def wishing(connection: Connection, games: Sequence[str]) -> list[str]:
    """Returns the persons who want to be told of one of some games."""
    found = select(WishRow.person).where(WishRow.game.in_(games)).distinct().order_by(WishRow.person)
    return list(connection.execute(found).scalars())
