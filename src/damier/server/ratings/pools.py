"""Pools: which games are rated together.

A pool has a name: ``GAME.SPEED`` for two players, ``GAME-3.SPEED`` for three, and ``+programs`` behind it for games in
which a program plays, be it that of an account or a level of the computer. The speed is ``live`` or ``correspondence``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from damier.server.matches.match import COMPUTER

if TYPE_CHECKING:
    from damier.server.matches.clock import TimeControl
    from damier.server.matches.match import Match, Seat

Speed = Literal["live", "correspondence"]
SPEEDS: tuple[Speed, ...] = ("live", "correspondence")
MOST_PLAYERS = 4
_NAME = re.compile(
    r"(?P<game>[a-z][a-z0-9_]*)(-(?P<players>[3-9]))?\.(?P<speed>live|correspondence)(?P<more>\+programs)?"
)


@dataclass(frozen=True)
class Pool:
    """What the games of a pool have in common."""

    game: str
    players: int
    speed: Speed
    has_programs: bool = False

    @property
    def name(self) -> str:
        """The name of the pool.

        >>> Pool("go", 3, "live", has_programs=True).name
        'go-3.live+programs'
        """
        count = "" if self.players == 2 else f"-{self.players}"
        return f"{self.game}{count}.{self.speed}{'+programs' if self.has_programs else ''}"


def parse_pool(name: str) -> Pool | None:
    """Returns the pool of a name; None if there can be none of that name.

    >>> parse_pool("go.live")
    Pool(game='go', players=2, speed='live', has_programs=False)
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    players = int(found["players"] or 2)
    speed: Speed = "live" if found["speed"] == "live" else "correspondence"
    return Pool(found["game"], players, speed, found["more"] is not None) if players <= MOST_PLAYERS else None


def pool_of(match: Match, programs: Collection[str] = ()) -> str | None:
    """Returns the name of the pool to which a match belongs, rated or not; None if it has no clock.

    `programs` are the persons among the players who are programs.
    """
    return seat_pool(match.game.name, match.control, match.seats, programs).name if match.control else None


def seat_pool(game: str, control: TimeControl, seats: Sequence[Seat], programs: Collection[str]) -> Pool:
    """Returns the pool of a game between those who hold some seats."""
    has_programs = any(seat.kind == COMPUTER or seat.visitor in programs for seat in seats)
    return Pool(game, len(seats), control.speed, has_programs)
