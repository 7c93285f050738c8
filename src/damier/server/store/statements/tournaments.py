"""Statements about tournaments; each takes the connection of a transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, insert, or_, select, update

from damier.server.store.schema import MatchRow, TournamentEventRow, TournamentRow
from damier.server.store.statements.locks import begin_writing
from damier.server.tournaments.terms import TournamentTerms, parse_terms
from damier.server.tournaments.tournament import Tournament, TournamentEvent

OPEN = ("waiting", "running")
"""The states of tournaments in which something may be due."""


@dataclass(frozen=True)
class ListedTournament:
    """What a list says of a tournament."""

    number: str
    terms: TournamentTerms
    maker: str
    created: str
    status: str
    players: int


def add_tournament(connection: Connection, tournament: Tournament) -> None:
    """Stores a new tournament, without events."""
    row = {
        "number": tournament.number,
        "terms": json.dumps(tournament.terms.data()),
        "maker": tournament.maker,
        "created": tournament.created,
        "status": tournament.status,
        "players": 0,
        "due": tournament.created,
    }
    connection.execute(insert(TournamentRow), row)


def append_events(connection: Connection, number: str, first: int, events: Sequence[TournamentEvent]) -> None:
    """Stores events, numbered from `first` on."""
    rows = [
        {"tournament": number, "seq": first + place, "data": json.dumps(event.data())}
        for place, event in enumerate(events)
    ]
    connection.execute(insert(TournamentEventRow), rows)


def change_tournament(connection: Connection, number: str, rewritten: int, values: Mapping[str, Any]) -> bool:
    """Changes columns of a tournament; returns False if its events were rewritten meanwhile."""
    changed = update(TournamentRow).where(TournamentRow.number == number, TournamentRow.rewritten == rewritten)
    return connection.execute(changed.values(**values)).rowcount > 0


def load_tournament(connection: Connection, number: str) -> Tournament | None:
    """Returns a tournament with its events."""
    row = connection.execute(select(TournamentRow.__table__).where(TournamentRow.number == number)).first()
    if row is None:
        return None
    tournament = Tournament(number, parse_terms(json.loads(row.terms)), row.maker, row.created)
    for event in events_after(connection, number, 0):
        tournament.add(event)
    return tournament


def events_after(connection: Connection, number: str, seq: int) -> list[TournamentEvent]:
    """Returns the events of a tournament after number `seq`."""
    wanted = select(TournamentEventRow.data).where(
        TournamentEventRow.tournament == number, TournamentEventRow.seq > seq
    )
    rows = connection.execute(wanted.order_by(TournamentEventRow.seq)).scalars()
    return [TournamentEvent(**json.loads(row)) for row in rows]


def open_tournaments(connection: Connection) -> list[str]:
    """Returns the numbers of all tournaments in which something may be due."""
    return list(connection.execute(select(TournamentRow.number).where(TournamentRow.status.in_(OPEN))).scalars())


def count_open(connection: Connection, maker: str) -> int:
    """Returns how many tournaments of a maker are not over."""
    wanted = select(TournamentRow.number).where(TournamentRow.status.in_(OPEN), TournamentRow.maker == maker)
    return len(connection.execute(wanted).all())


def list_tournaments(
    connection: Connection, statuses: Collection[str], before: str, limit: int
) -> list[ListedTournament]:
    """Returns tournaments with one of some states, newest first, made before a time."""
    wanted = select(TournamentRow.__table__).where(TournamentRow.status.in_(statuses), TournamentRow.created < before)
    rows = connection.execute(wanted.order_by(TournamentRow.created.desc(), TournamentRow.number).limit(limit))
    return [
        ListedTournament(
            row.number, parse_terms(json.loads(row.terms)), row.maker, row.created, row.status, row.players
        )
        for row in rows
    ]


def tournaments_with(connection: Connection, person: str) -> list[str]:
    """Returns the numbers of the tournaments that a person has made or joined, in their order."""
    joined = select(TournamentEventRow.tournament).where(TournamentEventRow.data.contains(person, autoescape=True))
    made = select(TournamentRow.number).where(TournamentRow.maker == person)
    return sorted({*connection.execute(joined).scalars(), *connection.execute(made).scalars()})


def forget_person(connection: Connection, person: str, other: str) -> None:
    """Replaces a person by another name in all tournaments."""
    found = tournaments_with(connection, person)
    changed = update(TournamentRow).where(TournamentRow.number.in_(found))
    connection.execute(changed.values(rewritten=TournamentRow.rewritten + 1))  # first: others can append no more
    rows = select(TournamentEventRow.__table__).where(TournamentEventRow.data.contains(person, autoescape=True))
    for row in connection.execute(rows).all():
        event = update(TournamentEventRow).where(
            TournamentEventRow.tournament == row.tournament, TournamentEventRow.seq == row.seq
        )
        connection.execute(event.values(data=row.data.replace(person, other)))
    connection.execute(update(TournamentRow).where(TournamentRow.maker == person).values(maker=other))


def count_rewritten(connection: Connection, number: str) -> int:
    """Returns how often the events of a tournament were rewritten."""
    return connection.execute(select(TournamentRow.rewritten).where(TournamentRow.number == number)).scalar() or 0


def last_events(connection: Connection, also: Collection[str] = ()) -> dict[str, tuple[int, int]]:
    """Returns the last number and how often they were rewritten, of the events of all tournaments that are not over.

    `also` are further tournaments.
    """
    last = func.coalesce(func.max(TournamentEventRow.seq), 0)
    wanted = select(TournamentRow.number, last, TournamentRow.rewritten).join(
        TournamentEventRow, TournamentEventRow.tournament == TournamentRow.number, isouter=True
    )
    wanted = wanted.where(or_(TournamentRow.status.in_(OPEN), TournamentRow.number.in_(also)))
    rows = connection.execute(wanted.group_by(TournamentRow.number, TournamentRow.rewritten)).all()
    return {number: (seq, rewritten) for number, seq, rewritten in rows}


# What is due, when several processes look


def is_due(connection: Connection, now: str) -> bool:
    """Tells whether something is due in a tournament that no process has taken."""
    return connection.execute(_due(now).limit(1)).first() is not None


def _due(now: str) -> Select[Any]:
    is_free = or_(TournamentRow.taken.is_(None), TournamentRow.taken <= now)
    return select(TournamentRow.number).where(TournamentRow.due <= now, is_free, TournamentRow.status.in_(OPEN))


def take_due(connection: Connection, now: str, until: str, limit: int) -> list[str]:
    """Returns tournaments in which something is due, which no other process takes until a time."""
    begin_writing(connection)
    wanted = _due(now).order_by(TournamentRow.due).limit(limit).with_for_update(skip_locked=True)
    found = list(connection.execute(wanted).scalars())
    if found:
        connection.execute(update(TournamentRow).where(TournamentRow.number.in_(found)).values(taken=until))
    return found


def note_due(connection: Connection, number: str, seq: int, due: str | None) -> None:
    """Stores when a tournament is looked at again, unless it has a newer event, and lets other processes take it."""
    last = select(func.max(TournamentEventRow.seq)).where(TournamentEventRow.tournament == number).scalar_subquery()
    is_last = TournamentRow.number == number, func.coalesce(last, 0) == seq
    connection.execute(update(TournamentRow).where(*is_last).values(due=due))
    connection.execute(update(TournamentRow).where(TournamentRow.number == number).values(taken=None))


def postpone(connection: Connection, number: str, due: str) -> None:
    """Stores when a damaged tournament is looked at again."""
    connection.execute(update(TournamentRow).where(TournamentRow.number == number).values(due=due, taken=None))


# Matches


def going_on(connection: Connection, matches: Collection[str]) -> set[str]:
    """Returns those of some matches that are known not to be over."""
    wanted = select(MatchRow.number).where(MatchRow.number.in_(matches))
    wanted = wanted.where(MatchRow.ended.is_(None), MatchRow.updated.is_not(None))
    return set(connection.execute(wanted).scalars())


def matches_of(connection: Connection, origins: Collection[str]) -> dict[str, str]:
    """Returns the numbers of the matches that have begun, by their origin."""
    wanted = select(MatchRow.origin, MatchRow.number).where(MatchRow.origin.in_(origins))
    return {row.origin: row.number for row in connection.execute(wanted)}
