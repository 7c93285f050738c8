"""What a person has in chat, in lists of avoided people and in reports: moved to an account, and forgotten."""

from __future__ import annotations

import json

from sqlalchemy import Connection, delete, or_, select, update

from damier.server.store.schema import AvoidedRow, ChatLineRow, ModerationRow, ReportRow, SilenceRow


def move(connection: Connection, guest: str, person: str) -> None:
    """Replaces a guest by a person, who is the same one with a new account."""
    for column in (
        ChatLineRow.person,
        AvoidedRow.person,
        AvoidedRow.other,
        SilenceRow.person,
        ReportRow.person,
        ReportRow.reporter,
        ModerationRow.person,
    ):
        connection.execute(update(column.class_).where(column == guest).values({column.key: person}))
    for number, context in _contexts(connection, guest):
        changed = update(ReportRow).where(ReportRow.number == number)
        connection.execute(changed.values(context=context.replace(guest, person)))


def forget(connection: Connection, person: str) -> None:
    """Deletes what a person has written, avoided and been reported for, and takes the name out of the rest."""
    connection.execute(delete(ChatLineRow).where(ChatLineRow.person == person))
    connection.execute(delete(AvoidedRow).where(or_(AvoidedRow.person == person, AvoidedRow.other == person)))
    connection.execute(delete(SilenceRow).where(SilenceRow.person == person))
    connection.execute(delete(ReportRow).where(ReportRow.person == person))
    connection.execute(update(ReportRow).where(ReportRow.reporter == person).values(reporter="", words=""))
    for number, context in _contexts(connection, person):
        kept = json.dumps([line for line in json.loads(context) if line["person"] != person])
        connection.execute(update(ReportRow).where(ReportRow.number == number).values(context=kept))
    acted = update(ModerationRow).where(ModerationRow.person == person)
    connection.execute(acted.values(person="", name="", detail=""))
    acting = update(ModerationRow).where(ModerationRow.moderator == person)
    connection.execute(acting.values(moderator="", moderator_name=""))


def _contexts(connection: Connection, person: str) -> list[tuple[str, str]]:
    """Returns the numbers and contexts of the reports that quote a person."""
    wanted = select(ReportRow.number, ReportRow.context)
    rows = connection.execute(wanted.where(ReportRow.context.contains(person, autoescape=True)))
    return [(row.number, row.context) for row in rows.all()]
