"""Which rated games count. Pure; ``docs/ratings.md`` states the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

WhyUnrated = Literal["repeated", "timeouts"]
"""Why a rated game did not count: the same game again and again, or one of many that an absent player lost on time."""

OPENING_ACTIONS = 10
"""The actions of the players, rolls left out, that two games are compared by; all of a game that is shorter."""

MOST_REPEATED = 2
"""So many games of two players with the same opening and the same winner count within `REPEATED_WITHIN`."""

REPEATED_WITHIN = timedelta(days=30)
ABSENT_FOR = timedelta(days=7)
"""After a game of correspondence lost on time, further ones of an absent player do not count for this time."""


@dataclass(frozen=True)
class PastGame:
    """A game of the same two players that has counted."""

    opening: str
    winner: str | None
    """A person."""

    at: str


def is_repeated(opening: str, winner: str | None, at: str, past: Sequence[PastGame]) -> bool:
    """Tells whether two players have played the same opening with the same winner too often; draws always count."""
    if winner is None:
        return False
    since = parse_time(at) - REPEATED_WITHIN
    alike = [
        game for game in past if game.opening == opening and game.winner == winner and parse_time(game.at) >= since
    ]
    return len(alike) >= MOST_REPEATED


def is_same_absence(at: str, last_timeout: str | None, has_played_since: bool) -> bool:
    """Tells whether a loss on time belongs to an absence of which a loss has counted already."""
    if last_timeout is None or has_played_since:
        return False
    return parse_time(at) - parse_time(last_timeout) < ABSENT_FOR


def opening_text(actions: Sequence[str]) -> str:
    """Returns the opening of a game as text, from the actions of its players."""
    return " ".join(actions[:OPENING_ACTIONS])


def parse_time(text: str) -> datetime:
    """Returns a time of the database."""
    return datetime.fromisoformat(text)
