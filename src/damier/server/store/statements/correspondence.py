"""Vacations and conditional turns: the statements."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, or_, select, update

from damier.server.correspondence.conditional import ConditionalTurns, parse_lines
from damier.server.correspondence.vacation import Vacation
from damier.server.store.dialect import upsert
from damier.server.store.schema import ConditionalTurnsRow, MatchRow, VacationRow, VisitRow

# Vacations

_VACATION = (VacationRow.person, VacationRow.began, VacationRow.until)


def vacations_of(connection: Connection, person: str) -> list[Vacation]:
    """Returns the vacations of a person, the oldest first."""
    statement = select(*_VACATION).where(VacationRow.person == person).order_by(VacationRow.began)
    return [Vacation(*row) for row in connection.execute(statement)]


def current_vacations(connection: Connection, now: int) -> list[tuple[Vacation, bool]]:
    """Returns the vacations that go on, or that not all matches know of, the oldest first; and whether they all do."""
    statement = select(*_VACATION, VacationRow.is_told).where(
        or_(VacationRow.until > now, VacationRow.is_told.is_(False))
    )
    rows = connection.execute(statement.order_by(VacationRow.began)).all()
    return [(Vacation(row.person, row.began, row.until), bool(row.is_told)) for row in rows]


def add_vacation(connection: Connection, vacation: Vacation, at: str) -> None:
    """Stores a vacation that has begun."""
    connection.execute(insert(VacationRow), {**vars(vacation), "created": at})


def end_vacation(connection: Connection, vacation: Vacation) -> None:
    """Stores the earlier end of a vacation."""
    wanted = VacationRow.person == vacation.person, VacationRow.began == vacation.began
    connection.execute(update(VacationRow).where(*wanted).values(until=vacation.until, is_told=False))


def note_told(connection: Connection, vacation: Vacation) -> None:
    """Notes that all matches know of a vacation, unless it has been ended since."""
    wanted = (
        VacationRow.person == vacation.person,
        VacationRow.began == vacation.began,
        VacationRow.until == vacation.until,
    )
    connection.execute(update(VacationRow).where(*wanted).values(is_told=True))


def delete_old_vacations(connection: Connection, before: int) -> None:
    """Deletes the vacations that ended before a server time."""
    connection.execute(delete(VacationRow).where(VacationRow.until < before, VacationRow.is_told.is_(True)))


def correspondence_of(connection: Connection, person: str) -> list[str]:
    """Returns the correspondence matches in which a person plays and that are not over."""
    statement = select(VisitRow.match).join(MatchRow, MatchRow.number == VisitRow.match)
    is_slow = MatchRow.clock.contains('"correspondence"')
    statement = statement.where(VisitRow.visitor == person, MatchRow.ended.is_(None), is_slow)
    return list(connection.execute(statement.order_by(VisitRow.begun)).scalars())


# Conditional turns


def conditional_of(connection: Connection, number: str) -> dict[str, ConditionalTurns]:
    """Returns the conditional turns of a match, by player."""
    columns = ConditionalTurnsRow.player, ConditionalTurnsRow.base, ConditionalTurnsRow.lines
    rows = connection.execute(select(*columns).where(ConditionalTurnsRow.match == number)).all()
    return {row.player: ConditionalTurns(row.player, row.base, parse_lines(row.lines)) for row in rows}


def enter_conditional(connection: Connection, number: str, person: str, turns: ConditionalTurns, at: str) -> None:
    """Stores what a person has entered, instead of what was entered before."""
    if not turns.lines:
        change_conditional(connection, number, {turns.player: None})
        return
    row = {"match": number, "player": turns.player, "person": person, "base": turns.base}
    upsert(connection, ConditionalTurnsRow, {**row, "lines": turns.text(), "created": at}, ["match", "player"])


def change_conditional(connection: Connection, number: str, changed: Mapping[str, ConditionalTurns | None]) -> None:
    """Stores what an event has left of conditional turns, by player."""
    for player, turns in changed.items():
        wanted = ConditionalTurnsRow.match == number, ConditionalTurnsRow.player == player
        if turns is None:
            connection.execute(delete(ConditionalTurnsRow).where(*wanted))
        else:
            values = {"base": turns.base, "lines": turns.text()}
            connection.execute(update(ConditionalTurnsRow).where(*wanted).values(**values))


def due_matches(connection: Connection) -> list[str]:
    """Returns the matches in which a player with conditional turns is to act."""
    statement = select(ConditionalTurnsRow.match).join(MatchRow, MatchRow.number == ConditionalTurnsRow.match)
    statement = statement.where(MatchRow.mover == ConditionalTurnsRow.player, MatchRow.ended.is_(None))
    return list(connection.execute(statement).scalars())


# People


def forget_conditional(connection: Connection, person: str) -> None:
    """Deletes the conditional turns of a person."""
    connection.execute(delete(ConditionalTurnsRow).where(ConditionalTurnsRow.person == person))


def move_conditional(connection: Connection, guest: str, person: str) -> None:
    """Gives the conditional turns of a guest to a person."""
    statement = update(ConditionalTurnsRow).where(ConditionalTurnsRow.person == guest)
    connection.execute(statement.values(person=person))
