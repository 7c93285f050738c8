"""Statements about tournaments; each takes the connection of a transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from damier.server.store.schema import MatchRow, TournamentEventRow, TournamentRow
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
    }
    connection.execute(insert(TournamentRow), row)


def append_events(
    connection: Connection, number: str, first: int, events: Sequence[TournamentEvent], status: str, players: int
) -> None:
    """Stores events, numbered from `first` on, with the status and the number of players after them."""
    rows = [
        {"tournament": number, "seq": first + place, "data": json.dumps(event.data())}
        for place, event in enumerate(events)
    ]
    connection.execute(insert(TournamentEventRow), rows)
    changed = update(TournamentRow).where(TournamentRow.number == number)
    connection.execute(changed.values(status=status, players=players))


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


def forget_person(connection: Connection, person: str, other: str) -> None:
    """Replaces a person by another name in all tournaments."""
    rows = select(TournamentEventRow.__table__).where(TournamentEventRow.data.contains(person, autoescape=True))
    for row in connection.execute(rows).all():
        event = update(TournamentEventRow).where(
            TournamentEventRow.tournament == row.tournament, TournamentEventRow.seq == row.seq
        )
        connection.execute(event.values(data=row.data.replace(person, other)))
    connection.execute(update(TournamentRow).where(TournamentRow.maker == person).values(maker=other))


def matches_of(connection: Connection, origins: Collection[str]) -> dict[str, str]:
    """Returns the numbers of the matches that have begun, by their origin."""
    wanted = select(MatchRow.origin, MatchRow.number).where(MatchRow.origin.in_(origins))
    return {row.origin: row.number for row in connection.execute(wanted)}
