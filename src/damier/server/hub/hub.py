"""The hub: announcements of what was committed, rate limits, presence, and leases.

Nothing in it is the truth: that is in the database. An announcement is a hint to read on, a lease saves work that a
second process would do in vain, limits and presence may be some seconds old. So a hub that is emptied or out of reach
loses nothing, and no call of it waits for another process or raises: what a process knows by itself goes on.

`LocalHub` serves one process, `RedisHub` many; the same tests run on both (`tests/server/hub`).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Literal

from damier.server.front.limits import RateLimiter

Kind = Literal["match", "tournament", "here"]
"""What an announcement is about: the last event of a match or tournament, or who is at a place."""

Heard = Callable[[str, int], None]
"""Called with the number of a match or tournament and that of its last event. It must not wait."""

Missed = Callable[[], Awaitable[None]]
"""Called when announcements may have been missed: compares all that is followed with the database."""

LOBBY = "lobby"
PLACES = (LOBBY,)
"""The places of which every process knows who is there."""


class Hub(ABC):
    """What the processes of one installation share besides the database."""

    is_deaf = False
    """Whether announcements of other processes do not arrive at the moment."""

    @abstractmethod
    async def open(self) -> None:
        """Connects; raises `BadArgument` with a sentence if that fails."""

    @abstractmethod
    async def close(self) -> None:
        """Sends what waits to be sent, and disconnects."""

    @abstractmethod
    async def answers(self) -> bool:
        """Tells whether the hub can be reached now."""

    # Announcements

    @abstractmethod
    def announce(self, kind: Kind, number: str, seq: int) -> None:
        """Has all other processes hear of an event that is committed."""

    @abstractmethod
    def listen(self, kind: Kind, heard: Heard, missed: Missed | None = None) -> None:
        """Has functions called for announcements of other processes, and when some may have been missed."""

    # Rate limits

    @abstractmethod
    def limiter(self, name: str, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> RateLimiter:
        """Returns buckets that all processes fill and empty together, soon after one has taken a token."""

    # Presence

    @abstractmethod
    def enter(self, place: str, person: str) -> None:
        """Notes a connection of a person to a place, such as the lobby."""

    @abstractmethod
    def leave(self, place: str, person: str) -> None:
        """Takes a connection off."""

    @abstractmethod
    def people(self, place: str) -> set[str]:
        """Returns who is at a place by whatever process: one of `PLACES`, or where this process has somebody."""

    # Leases

    @abstractmethod
    async def lease(self, name: str, seconds: float) -> bool:
        """Takes or renews the lease of a task for some seconds; False if another process has it.

        True if the hub is out of reach: two processes may do the same task, and the database decides.
        """

    @abstractmethod
    async def release(self, name: str) -> None:
        """Gives a lease up, so that another process may take it at once."""
