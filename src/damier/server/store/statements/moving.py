"""Gives all that a guest has to an account, in one transaction."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from damier.server.store.schema import EventRow, MatchRow, NicknameRow, VisitRow
from damier.server.store.statements import civility, notices, seeks
from damier.server.store.statements.correspondence import move_conditional
from damier.server.store.statements.forgetting import replaced_seats
from damier.server.store.statements.ratings import move_ratings


def move(connection: Connection, guest: str, person: str) -> None:
    """Replaces a guest by a person in all matches and whatever else is stored of them; the nickname is forgotten."""
    mine = select(VisitRow.match).where(VisitRow.visitor == guest)
    rows = connection.execute(
        select(MatchRow.number, MatchRow.seats, MatchRow.creator).where(MatchRow.number.in_(mine))
    )
    for row in rows.all():
        creator = person if row.creator == guest else row.creator
        seats = replaced_seats(row.seats, guest, person)
        statement = update(MatchRow).where(MatchRow.number == row.number)
        connection.execute(statement.values(seats=seats, creator=creator))
        events = update(EventRow).where(EventRow.match == row.number, EventRow.visitor == guest)
        connection.execute(events.values(visitor=person))
    connection.execute(update(VisitRow).where(VisitRow.visitor == guest).values(visitor=person))
    connection.execute(delete(NicknameRow).where(NicknameRow.visitor == guest))
    move_ratings(connection, guest, person)
    seeks.move(connection, guest, person)
    civility.move(connection, guest, person)
    move_conditional(connection, guest, person)
    notices.move(connection, guest, person)
