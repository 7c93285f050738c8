"""How a match of a tournament ended, and which game of which tournament it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.server.matches.match import Match

_ORIGIN = re.compile(r"tournament:([A-Za-z0-9_-]+):([0-9]+)")


@dataclass(frozen=True)
class GameOutcome:
    """How a game ended."""

    winner: int | None
    """The place of who won, 0 for who plays first; null for a draw."""

    absent: int | None = None
    """The place of who did not come."""


def origin_text(number: str, game: int) -> str:
    """Returns the origin of the match of a game, by which it is found again: a game never has two."""
    return f"tournament:{number}:{game}"


def parse_origin(origin: str) -> tuple[str, int] | None:
    """Returns the number of a tournament and the game of it, if a match belongs to one."""
    found = _ORIGIN.fullmatch(origin)
    return (found[1], int(found[2])) if found else None


def outcome_of(match: Match) -> GameOutcome | None:
    """Returns how a match ended; None while it is played. Who lets it be aborted did not come."""
    players = [seat.player for seat in match.seats]  # whoever sits there by now
    if match.record.result is None:
        return None
    if match.record.result.is_aborted:
        aborted = next(event for event in reversed(match.events) if event.kind == "abort")
        absent = players.index(aborted.player or match.record.mover)  # without a player, a first turn took too long
        return GameOutcome(1 - absent, absent)
    winner = match.record.result.winner
    return GameOutcome(players.index(winner) if winner is not None else None)
