"""When it becomes somebody's turn. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.server.matches.match import Match


def turn_seq(match: Match, mine: Collection[str]) -> int | None:
    """Returns the number of the event that made it the turn of one of the players `mine`; None if it is not.

    Further actions of the same turn change nothing; a roll, or actions taken back, begin something new to look at. Only
    events of the turn are looked at, however long the match is.
    """
    record = match.record
    if record.result or record.mover not in mine:
        return None
    place, turn = len(match.actors), record.turn
    for seq in range(match.seq, 0, -1):
        event = match.events[seq - 1]
        if event.kind in ("roll", "undo") or (event.kind == "seat" and event.player in mine):
            return seq
        if event.kind == "play":
            place -= 1
            if event.player not in mine or match.turns[place] != turn:
                return seq
    return 0


def offer_seq(match: Match) -> int | None:
    """Returns the number of the event that made the offer which waits for an answer; None without one."""
    if match.offer is None:
        return None
    return next(seq for seq in range(match.seq, 0, -1) if match.events[seq - 1].kind == "offer")
