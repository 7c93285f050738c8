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
from typing import Any, Literal

from damier.server.front.limits import RateLimiter

Kind = Literal[
    "match",  # an event is stored; the body has it, and who holds the seats
    "state",  # the state after an event that is announced next; the body has it encoded, by language
    "seats",  # the seats or names of a match have changed without an event
    "conditional",  # conditional turns of a match have changed
    "ratings",  # a match has been rated
    "chat",  # a message is stored in the chat of a match
    "goodbye",  # a player has closed the page of a match; the body is the person
    "tournament",  # an event of a tournament is stored
    "seek",  # a seek is opened or closed
    "paired",  # a person has been told of the match that seeks have led to; the body are the seeks
    "apart",  # two persons are not paired for a while; the body is the other one
    "notice",  # a person is told something in open pages
    "person",  # the account, sessions or names of a person have changed
    "moved",  # a guest is now the person of an account
    "forgotten",  # a person is deleted
    "stream",  # a program has opened the stream of a person's events
    "avoided",  # whom a person has muted or blocked
    "vacation",  # a person has begun or ended a vacation
    "here",  # who is at a place
]
"""What an announcement is about."""

Heard = Callable[[str, int, Any], None]
"""Called with the number of a match, tournament or person, that of its last event, and the body. It must not wait."""

Missed = Callable[[], Awaitable[None]]
"""Called when announcements may have been missed: compares all that is followed with the database."""

LOBBY, STREAMS = "lobby", "streams"
PLACES = (LOBBY, STREAMS)
"""The places of which every process knows who is there: pages of the lobby, and streams of a person's events."""


def match_place(number: str) -> str:
    """Returns the place of the players who have a page of a match open."""
    return f"match:{number}"


def pages_place(person: str) -> str:
    """Returns the place of a person who has any page open that is told of notices."""
    return f"pages:{person}"


class Hub(ABC):
    """What the processes of one installation share besides the database."""

    is_shared = False
    """Whether other processes may be there."""

    is_deaf = False
    """Whether announcements of other processes do not arrive at the moment."""

    @abstractmethod
    async def open(self, installation: str = "") -> None:
        """Connects with the processes of an installation; raises `BadArgument` with a sentence if that fails."""

    @abstractmethod
    async def close(self) -> None:
        """Sends what waits to be sent, and disconnects."""

    @abstractmethod
    async def answers(self) -> bool:
        """Tells whether the hub can be reached now."""

    # Announcements

    @abstractmethod
    def announce(self, kind: Kind, number: str, seq: int = 0, body: Any = None) -> None:
        """Has all other processes hear of something that is committed.

        Without a body, of several announcements about the same number only the last may be heard. The body is data for
        JSON; one with a body is lost if the hub is out of reach for long.
        """

    @abstractmethod
    def announce_at(self, place: str, kind: Kind, number: str, seq: int, body: Any) -> None:
        """Has those other processes hear of something that have somebody at a place, as far as is known here.

        They hear of it before what is announced afterwards. It saves them work, and may be lost.
        """

    @abstractmethod
    def listen(self, kind: Kind, heard: Heard, missed: Missed | None = None) -> None:
        """Has functions called for announcements of other processes, and every few seconds, in case one was lost."""

    @abstractmethod
    def on_resume(self, missed: Missed) -> None:
        """Has a function called when announcements arrive again after a time in which they did not."""

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

    @abstractmethod
    async def look(self, place: str) -> set[str]:
        """Returns who is at any place now; those of this process if the hub is out of reach."""

    # Leases

    @abstractmethod
    async def lease(self, name: str, seconds: float) -> bool:
        """Takes or renews the lease of a task for some seconds; False if another process has it.

        True if the hub is out of reach: two processes may do the same task, and the database decides.
        """

    @abstractmethod
    async def release(self, name: str) -> None:
        """Gives a lease up, so that another process may take it at once."""
