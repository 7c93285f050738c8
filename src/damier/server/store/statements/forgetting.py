"""Takes a visitor out of the database: the matches stay, under names that lead nowhere and differ in each match."""

from __future__ import annotations

import json
import secrets

from sqlalchemy import Connection, text

from damier.server.store.statements import civility, notices
from damier.server.store.statements.correspondence import forget_conditional
from damier.server.store.statements.ratings import delete_ratings

_MATCHES = text(
    "SELECT number, seats, creator FROM matches WHERE number IN (SELECT match FROM visits WHERE visitor = :visitor)"
)
_SEATS = text("UPDATE matches SET seats = :seats, creator = :creator WHERE number = :number")
_OTHERS = [
    text(f"UPDATE {table} SET visitor = :other WHERE match = :number AND visitor = :visitor")
    for table in ("visits", "events")
]
_NICKNAME = text("DELETE FROM nicknames WHERE visitor = :visitor")
_SEEKS = [
    text("DELETE FROM seeks WHERE person = :visitor OR rival = :visitor"),
    text("DELETE FROM seek_wishes WHERE person = :visitor"),
]


def forget(connection: Connection, visitor: str) -> dict[str, str]:
    """Replaces a visitor by another name in each match, and returns these names by the number of the match."""
    names: dict[str, str] = {}
    for row in connection.execute(_MATCHES, {"visitor": visitor}).all():
        other = names[row.number] = secrets.token_hex(16)
        about = {"number": row.number, "visitor": visitor, "other": other}
        creator = other if row.creator == visitor else row.creator
        seats = replaced_seats(row.seats, visitor, other)
        connection.execute(_SEATS, {"number": row.number, "seats": seats, "creator": creator})
        for statement in _OTHERS:
            connection.execute(statement, about)
    for statement in (_NICKNAME, *_SEEKS):
        connection.execute(statement, {"visitor": visitor})
    delete_ratings(connection, visitor)
    civility.forget(connection, visitor)
    forget_conditional(connection, visitor)
    notices.forget(connection, visitor)
    return names


def replaced_seats(seats: str, visitor: str, other: str) -> str:
    """Returns seats with another visitor; damaged ones as they are, without the name."""
    try:
        found = json.loads(seats)
        return json.dumps([{**seat, "visitor": other} if seat["visitor"] == visitor else seat for seat in found])
    except (ValueError, TypeError, KeyError):
        return str(seats).replace(visitor, other)
