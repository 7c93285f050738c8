"""Seeks in the database: made, claimed by whoever accepts first, closed, forgotten.

A seek is claimed before its match is begun: its state goes from ``open`` to ``taking`` in one statement, which only one
of several can succeed with. A server that is killed in between finds out at its next start, by the origin of matches,
whether the match was begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

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


def recover(connection: Connection, at: str) -> list[StoredSeek]:
    """Returns the open seeks at the start of a server: live ones have ended, claimed ones are settled or open again."""
    for row in connection.execute(_ROW.where(SeekRow.state == "taking")).all():
        begun = select(MatchRow.number).where(MatchRow.origin == origin_of(row.number))
        settle(connection, [row.number], connection.execute(begun).scalar(), at)
    connection.execute(delete(SeekRow).where(SeekRow.is_live.is_(True), SeekRow.state == "open"))
    found = connection.execute(_ROW.where(SeekRow.state == "open").order_by(SeekRow.created, SeekRow.number))
    return [StoredSeek(**row._mapping) for row in found]


def find(connection: Connection, number: str) -> StoredSeek | None:
    """Returns a seek, open or closed."""
    row = connection.execute(_ROW.where(SeekRow.number == number)).first()
    return StoredSeek(**row._mapping) if row else None


def claim(connection: Connection, numbers: Sequence[str]) -> None:
    """Claims seeks for a match that is about to begin: all of them, or none and raises `NotNow`."""
    wanted = SeekRow.number.in_(numbers), SeekRow.state == "open"
    if connection.execute(update(SeekRow).where(*wanted).values(state="taking")).rowcount != len(numbers):
        raise NotNow(message("Somebody else was faster, or the seek is closed."))  # which undoes the transaction


def settle(connection: Connection, numbers: Sequence[str], match: str | None, at: str) -> None:
    """Closes claimed seeks with the match that has begun; without one they are open again."""
    values = {"state": "taken", "match": match, "closed": at} if match else {"state": "open"}
    claimed = SeekRow.number.in_(numbers), SeekRow.state == "taking"
    connection.execute(update(SeekRow).where(*claimed).values(**values))


def close(connection: Connection, numbers: Sequence[str], state: str, at: str) -> int:
    """Closes open seeks, and returns how many were open."""
    still_open = SeekRow.number.in_(numbers), SeekRow.state == "open"
    return connection.execute(update(SeekRow).where(*still_open).values(state=state, closed=at)).rowcount


def expire(connection: Connection, made_before: str, seen_before: str, at: str) -> list[str]:
    """Closes stored seeks that are too old or whose owner was not seen for long, and returns their numbers."""
    too_old = (SeekRow.created < made_before) | (SeekRow.seen < seen_before)
    found = select(SeekRow.number).where(SeekRow.state == "open", SeekRow.is_live.is_(False), too_old)
    numbers = list(connection.execute(found).scalars())
    close(connection, numbers, "expired", at)
    return numbers


def delete_closed(connection: Connection, before: str) -> None:
    """Deletes what was closed before a time."""
    connection.execute(delete(SeekRow).where(SeekRow.closed < before))


def saw(connection: Connection, person: str, at: str) -> None:
    """Notes that the owner of seeks is here."""
    connection.execute(update(SeekRow).where(SeekRow.person == person, SeekRow.state == "open").values(seen=at))


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
