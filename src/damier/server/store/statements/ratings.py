"""The statements about ratings. Each takes a connection, within whose transaction it stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, insert, select, update

from damier.server.ratings.fairness import MOST_REPEATED, PastGame, parse_time
from damier.server.ratings.glicko import Rating, aged, listed_days
from damier.server.store.schema import AccountRow, EventRow, MatchRow, RatingChangeRow, RatingRow, VisitRow

_PAST_GAMES = 50  # of two players that are compared with a new one
_CHANGES_READ = 1000  # of a person in a pool, for a graph


@dataclass(frozen=True)
class StoredRating:
    """A rating as it was after its last game."""

    rating: Rating
    at: str
    """When that game ended."""

    def after(self, at: str) -> Rating:
        """Returns the rating as it is at a time."""
        return aged(self.rating, (parse_time(at) - parse_time(self.at)) / timedelta(days=1))


@dataclass(frozen=True)
class Listed:
    """A line of a leaderboard."""

    name: str
    is_program: bool
    rating: Rating
    at: str


# Ratings


def find_ratings(connection: Connection, people: Collection[str], pool: str) -> dict[str, StoredRating]:
    """Returns the ratings of some people in a pool, by person; of those who have one."""
    statement = select(RatingRow.__table__).where(RatingRow.pool == pool, RatingRow.person.in_(people))
    return {row.person: _stored(row) for row in connection.execute(statement)}


def ratings_of(connection: Connection, person: str) -> dict[str, StoredRating]:
    """Returns all ratings of a person, by pool."""
    statement = select(RatingRow.__table__).where(RatingRow.person == person).order_by(RatingRow.pool)
    return {row.pool: _stored(row) for row in connection.execute(statement)}


def store_rating(connection: Connection, person: str, pool: str, rating: Rating, at: str) -> None:
    """Stores a rating after a game."""
    days = listed_days(rating)
    until = "" if days is None else (parse_time(at) + timedelta(days=days)).isoformat(timespec="milliseconds")
    row = {**vars(rating), "at": at, "listed_until": until.replace("+00:00", "Z")}
    statement = update(RatingRow).where(RatingRow.person == person, RatingRow.pool == pool)
    if connection.execute(statement.values(**row)).rowcount == 0:
        connection.execute(insert(RatingRow), {"person": person, "pool": pool, **row})


def leaderboard(connection: Connection, pool: str, at: str, first: int, count: int) -> tuple[list[Listed], int]:
    """Returns `count` accounts of a pool from number `first` on, best first, and how many there are."""
    is_listed = (RatingRow.pool == pool, RatingRow.listed_until >= at)
    joined = select(RatingRow.__table__, AccountRow.name, AccountRow.is_program).join(
        AccountRow, AccountRow.person == RatingRow.person
    )
    page = joined.where(*is_listed).order_by(RatingRow.value.desc(), RatingRow.person).offset(first).limit(count)
    total = select(func.count()).select_from(RatingRow).join(AccountRow, AccountRow.person == RatingRow.person)
    found = [Listed(row.name, row.is_program, _stored(row).after(at), row.at) for row in connection.execute(page)]
    return found, connection.execute(total.where(*is_listed)).scalar_one()


def programs_among(connection: Connection, people: Collection[str]) -> set[str]:
    """Returns those who are programs."""
    statement = select(AccountRow.person).where(AccountRow.person.in_(people), AccountRow.is_program)
    return set(connection.execute(statement).scalars())


def _stored(row: Row[Any]) -> StoredRating:
    return StoredRating(Rating(row.value, row.deviation, row.volatility, row.games), row.at)


# Changes


def unrated_matches(connection: Connection, count: int, since: str = "") -> list[str]:
    """Returns the numbers of rated matches that have ended since a time and have not been rated, oldest first."""
    is_done = exists().where(RatingChangeRow.match == MatchRow.number)
    statement = select(MatchRow.number).where(
        MatchRow.is_rated, MatchRow.ended >= since, MatchRow.result.is_not(None), ~is_done
    )
    aborted = MatchRow.result.contains('"abort"')
    return list(connection.execute(statement.where(~aborted).order_by(MatchRow.ended).limit(count)).scalars())


def find_match(connection: Connection, number: str) -> Row[Any] | None:
    """Returns the row of a match."""
    return connection.execute(select(MatchRow.__table__).where(MatchRow.number == number)).first()


def first_events(connection: Connection, number: str, count: int) -> list[str]:
    """Returns the first events of a match, as JSON."""
    statement = select(EventRow.data).where(EventRow.match == number).order_by(EventRow.seq).limit(count)
    return list(connection.execute(statement).scalars())


def changes_of_match(connection: Connection, number: str) -> list[Row[Any]]:
    """Returns what a match has changed."""
    return list(connection.execute(select(RatingChangeRow.__table__).where(RatingChangeRow.match == number)).all())


def add_changes(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Stores what a match has changed; fails if it has been rated already."""
    connection.execute(insert(RatingChangeRow), list(rows))


def past_games(connection: Connection, pool: str, one: str, other: str) -> list[PastGame]:
    """Returns the last games of two people in a pool that have counted."""
    theirs = RatingChangeRow.__table__.alias()
    statement = (
        select(RatingChangeRow.opening, RatingChangeRow.outcome, RatingChangeRow.at)
        .join(theirs, (theirs.c.match == RatingChangeRow.match) & (theirs.c.person == other))
        .where(RatingChangeRow.person == one, RatingChangeRow.pool == pool, RatingChangeRow.why_unrated.is_(None))
        .order_by(RatingChangeRow.at.desc())
        .limit(max(_PAST_GAMES, MOST_REPEATED))
    )
    winners = {"won": one, "drawn": None}
    rows = connection.execute(statement)
    return [PastGame(row.opening, winners.get(row.outcome, other), row.at) for row in rows]


def last_timeout(connection: Connection, person: str) -> str | None:
    """Returns when a person last lost a game of correspondence on time that counted."""
    statement = select(func.max(RatingChangeRow.at)).where(
        RatingChangeRow.person == person,
        RatingChangeRow.outcome == "lost-time",
        RatingChangeRow.pool.contains(".correspondence"),
        RatingChangeRow.why_unrated.is_(None),
    )
    found: str | None = connection.execute(statement).scalar_one()
    return found


def has_played_since(connection: Connection, person: str, at: str) -> bool:
    """Tells whether a person has done anything in a match after a time."""
    statement = (
        select(EventRow.seq)
        .join(MatchRow, MatchRow.number == EventRow.match)
        .join(VisitRow, (VisitRow.match == EventRow.match) & (VisitRow.visitor == person))
        .where(MatchRow.updated > at, EventRow.visitor == person, EventRow.at > at)
        .limit(1)
    )
    return connection.execute(statement).first() is not None


def history(connection: Connection, person: str) -> dict[str, list[tuple[str, float]]]:
    """Returns when each rated game of a person ended and the value after it, oldest first, by pool."""
    found: dict[str, list[tuple[str, float]]] = {}
    for pool in ratings_of(connection, person):
        statement = (
            select(RatingChangeRow.at, RatingChangeRow.after)
            .where(RatingChangeRow.person == person, RatingChangeRow.pool == pool)
            .where(RatingChangeRow.why_unrated.is_(None))
            .order_by(RatingChangeRow.at.desc())
            .limit(_CHANGES_READ)
        )
        found[pool] = [(row.at, row.after) for row in connection.execute(statement)][::-1]
    return found


# People who come and go


def move_ratings(connection: Connection, old: str, new: str) -> None:
    """Gives the ratings of a person to another, who keeps their own where both have one."""
    for table, key in ((RatingRow, RatingRow.pool), (RatingChangeRow, RatingChangeRow.match)):
        kept = list(connection.execute(select(key).where(table.person == new)).scalars())
        _execute_in_parts(connection, delete(table).where(table.person == old), key, kept)
        connection.execute(update(table).where(table.person == old).values(person=new))


def delete_ratings(connection: Connection, person: str) -> None:
    """Deletes all ratings of a person, and what each match has changed in them."""
    for table in (RatingRow, RatingChangeRow):
        connection.execute(delete(table).where(table.person == person))


def _execute_in_parts(connection: Connection, statement: Any, column: Any, values: Iterable[str]) -> None:
    """Executes a statement for rows in which a column has one of many values, some hundred at a time."""
    given = list(values)
    for start in range(0, len(given), 500):
        connection.execute(statement.where(column.in_(given[start : start + 500])))
