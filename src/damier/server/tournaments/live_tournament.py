"""A tournament in memory, and one that cannot be read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from damier.core.messages import message
from damier.server.errors import ServerFailed

if TYPE_CHECKING:
    from damier.server.tournaments.tournament import Tournament

FIRST_PAUSE = 0.5  # seconds before what failed is tried again


class DamagedTournament(ServerFailed):
    """The stored data of a tournament is damaged."""


class LiveTournament:
    """A tournament in memory."""

    def __init__(self, tournament: Tournament, rewritten: int = 0) -> None:
        self.tournament = tournament
        self.rewritten = rewritten
        """How often the events had been rewritten, to forget a person, when they were read."""

        self.lock = asyncio.Lock()
        self.is_doubtful = False
        """Whether the database may have events that are not in memory: storing failed, or another process stored."""

        self.is_checked = False
        """Whether the games that are not over have been compared with their matches."""

        self.pause = FIRST_PAUSE
        self.retry: asyncio.Task[None] | None = None


def damaged_tournament() -> DamagedTournament:
    """Returns the refusal of a tournament whose stored data is damaged."""
    return DamagedTournament(
        message("The stored data of this tournament is damaged: only the operator of this server can restore it.")
    )
