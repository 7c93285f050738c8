"""Who reads and writes in which room of a match. Pure.

The players of a game that is not over never read the spectators' room, so that nobody can help them. Until the end the
spectators do not read the players' room either; then both are open to all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from damier.server.matches.match import OPEN
from damier.server.wire.civility.chat import Room

if TYPE_CHECKING:
    from damier.server.matches.match import Match

ROOMS: tuple[Room, ...] = get_args(Room)


def open_rooms(*, is_player: bool, is_over: bool, has_company: bool) -> tuple[Room, ...]:
    """Returns the rooms that a person reads and may write in, their own first.

    `has_company` tells whether several people play, or may: a board with one person has no room for players.
    """
    if is_over:
        rooms: tuple[Room, ...] = ("players", "spectators") if is_player else ("spectators", "players")
    else:
        rooms = ("players",) if is_player else ("spectators",)
    return rooms if has_company else tuple(room for room in rooms if room != "players")


def rooms_in(match: Match, person: str) -> tuple[Room, ...]:
    """Returns the rooms of a match that a person reads and may write in, their own first."""
    people = {seat.visitor for seat in match.seats if seat.visitor}
    has_company = len(people) > 1 or any(seat.kind == OPEN for seat in match.seats)
    is_player = bool(person) and bool(match.players_of(person))
    return open_rooms(is_player=is_player, is_over=match.record.result is not None, has_company=has_company)
