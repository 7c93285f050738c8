"""Lists of matches from the columns of their rows, without replaying any.

A list is in the order of the last event, the newest first; a cursor names the last match of a part. Filters that need
the seats look at rows in batches, until a part of the list is full.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.core.outcome import ABORT
from damier.server.store.schema import MatchRow, NicknameRow, VisitRow

_BATCH = 500  # rows that are read at a time where seats decide


@dataclass(frozen=True)
class MatchLine:
    """A match as its row tells of it."""

    number: str
    game: str
    options: str
    seats: str
    created: str
    updated: str
    ended: str | None
    mover: str | None
    result: str | None
    clock: str | None
    is_rated: bool

    @property
    def cursor(self) -> str:
        """The place of the match in lists."""
        return f"{self.updated}~{self.number}"

    @cached_property
    def seat_list(self) -> list[dict[str, Any]]:
        """The seats; none if the row is damaged."""
        try:
            found = json.loads(self.seats)
            return [dict(seat) for seat in found]
        except (ValueError, TypeError):
            return []

    def players_of(self, person: str) -> list[str]:
        """Returns the players whose seats a person holds."""
        return [seat["player"] for seat in self.seat_list if seat.get("visitor") == person]

    def outcome(self, person: str) -> str | None:
        """Returns how the game ended for a person; None while it is played."""
        if self.ended is None:
            return None
        mine = self.players_of(person)
        result = json.loads(self.result) if self.result else {}
        if result.get("reason") == ABORT:
            return "aborted"
        if len(mine) != 1 or not result:
            return "over"
        winner = result.get("winner")
        return "drawn" if winner is None else "won" if winner in mine else "lost"

    @property
    def has_computer(self) -> bool:
        """Whether the computer holds a seat."""
        return any(seat.get("kind") == "computer" for seat in self.seat_list)


@dataclass(frozen=True)
class Filters:
    """Which matches of a person are listed."""

    game: str | None = None
    state: str | None = None
    """``mine`` (to play now), ``waiting``, ``running``, ``over``, ``won``, ``lost`` or ``drawn``."""

    opponent: str | None = None
    """``computer``, or the person."""

    is_rated: bool | None = None


_COLUMNS = [getattr(MatchRow, name) for name in MatchLine.__dataclass_fields__]


def before_cursor(cursor: str) -> ColumnElement[bool]:
    """Returns the condition that a match comes after a cursor in a list; raises `BadArgument`."""
    updated, sign, number = cursor.partition("~")
    if not sign or len(cursor) > 100:
        raise BadArgument(message("This part of the list does not exist."))
    return or_(MatchRow.updated < updated, and_(MatchRow.updated == updated, MatchRow.number < number))


def _listed(wanted: Select[Any], cursor: str | None) -> Select[Any]:
    if cursor:
        wanted = wanted.where(before_cursor(cursor))
    return wanted.order_by(MatchRow.updated.desc(), MatchRow.number.desc())


def running(connection: Connection, count: int, game: str | None = None, cursor: str | None = None) -> list[MatchLine]:
    """Returns matches that are played and may be watched: those that the lobby or a tournament has begun."""
    wanted = select(*_COLUMNS).where(MatchRow.ended.is_(None), MatchRow.origin != "")
    if game:
        wanted = wanted.where(MatchRow.game == game)
    found = connection.execute(_listed(wanted, cursor).limit(count))
    return [MatchLine(**row._mapping) for row in found]


def count_running(connection: Connection) -> int:
    """Returns how many matches are played and may be watched."""
    wanted = select(func.count()).where(MatchRow.ended.is_(None), MatchRow.origin != "")
    return connection.execute(wanted).scalar_one()


def of_person(
    connection: Connection, person: str, filters: Filters, count: int, cursor: str | None = None
) -> list[MatchLine]:
    """Returns matches of a person, at most `count`."""
    found: list[MatchLine] = []
    fits = _fits(person, filters)
    for line in _lines(connection, person, filters, cursor, count):
        if fits(line):
            found.append(line)
            if len(found) == count:
                break
    return found


def _lines(
    connection: Connection, person: str, filters: Filters, cursor: str | None, count: int
) -> Iterator[MatchLine]:
    """Yields the matches of a person that the columns alone do not rule out."""
    wanted = select(*_COLUMNS).join(VisitRow, VisitRow.match == MatchRow.number).where(VisitRow.visitor == person)
    if filters.game:
        wanted = wanted.where(MatchRow.game == filters.game)
    if filters.is_rated is not None:
        wanted = wanted.where(MatchRow.is_rated.is_(filters.is_rated))
    if filters.state in ("mine", "waiting", "running"):
        wanted = wanted.where(MatchRow.ended.is_(None))
    elif filters.state:
        wanted = wanted.where(MatchRow.ended.is_not(None))
    if filters.opponent and filters.opponent != "computer":
        others = select(VisitRow.match).where(VisitRow.visitor == filters.opponent)
        wanted = wanted.where(MatchRow.number.in_(others))
    needs_seats = filters.state in ("mine", "waiting", "won", "lost", "drawn") or filters.opponent == "computer"
    size = _BATCH if needs_seats else count
    while True:
        rows = connection.execute(_listed(wanted, cursor).limit(size)).all()
        for row in rows:
            yield MatchLine(**row._mapping)
        if len(rows) < size:
            return
        cursor = f"{rows[-1].updated}~{rows[-1].number}"


def _fits(person: str, filters: Filters) -> Callable[[MatchLine], bool]:
    def fits(line: MatchLine) -> bool:
        if filters.opponent == "computer" and not line.has_computer:
            return False
        if filters.state == "mine":
            return line.mover in line.players_of(person)
        if filters.state == "waiting":
            return line.mover not in line.players_of(person)
        if filters.state in ("won", "lost", "drawn"):
            return line.outcome(person) == filters.state
        return True

    return fits


def to_play(connection: Connection, person: str) -> list[str]:
    """Returns the matches in which it is a person's turn, the one that waits longest first."""
    wanted = select(MatchRow.number, MatchRow.seats, MatchRow.mover)
    wanted = wanted.join(VisitRow, VisitRow.match == MatchRow.number).where(VisitRow.visitor == person)
    wanted = wanted.where(MatchRow.ended.is_(None), MatchRow.mover.is_not(None))
    found = []
    for row in connection.execute(wanted.order_by(MatchRow.updated, MatchRow.number)):
        seats = MatchLine(row.number, "", "", row.seats, "", "", None, row.mover, None, None, False)
        if row.mover in seats.players_of(person):
            found.append(row.number)
    return found


def named(connection: Connection, nickname: str) -> list[str]:
    """Returns the guests who have chosen a nickname."""
    return list(connection.execute(select(NicknameRow.visitor).where(NicknameRow.nickname == nickname)).scalars())
