"""The hub of one process: there is nobody else to hear of anything.

Several hubs may share an `Exchange`, as if each belonged to a process of its own: for tests.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from damier.server.front.limits import RateLimiter
from damier.server.hub.hub import Heard, Hub, Kind, Missed


class Exchange:
    """Joins hubs of one process."""

    def __init__(self) -> None:
        self.hubs: list[LocalHub] = []
        self.limiters: dict[str, RateLimiter] = {}
        self.leases: dict[str, tuple[LocalHub, float]] = {}


class LocalHub(Hub):
    """What one process needs of a hub."""

    def __init__(self, exchange: Exchange | None = None) -> None:
        self.is_shared = exchange is not None
        self._exchange = exchange or Exchange()
        self._exchange.hubs.append(self)
        self._heard: dict[Kind, list[Heard]] = {}
        self._missed: list[Missed] = []
        self._resumed: list[Missed] = []
        self._here: dict[str, Counter[str]] = {}
        """How many connections each person has at each place."""

    async def open(self, installation: str = "") -> None:
        """Has nothing to connect to."""

    async def close(self) -> None:
        """Leaves the exchange."""
        exchange = self._exchange
        exchange.hubs.remove(self)
        exchange.leases = {name: held for name, held in exchange.leases.items() if held[0] is not self}
        self._exchange = Exchange()
        self._exchange.hubs.append(self)  # which can be opened again

    async def answers(self) -> bool:
        """Is always there."""
        return True

    def announce(self, kind: Kind, number: str, seq: int = 0, body: Any = None) -> None:
        """Calls the listeners of all other hubs."""
        for hub in self._exchange.hubs:
            if hub is not self:
                hub.hear(kind, number, seq, body)

    def announce_at(self, place: str, kind: Kind, number: str, seq: int, body: Any) -> None:
        """Calls the listeners of the other hubs that have somebody at a place."""
        for hub in self._exchange.hubs:
            if hub is not self and place in hub._here:
                hub.hear(kind, number, seq, body)

    def listen(self, kind: Kind, heard: Heard, missed: Missed | None = None) -> None:
        """Adds listeners; nothing is ever missed."""
        self._heard.setdefault(kind, []).append(heard)
        if missed:
            self._missed.append(missed)

    def on_resume(self, missed: Missed) -> None:
        """Notes a function, which is never called: nothing is ever missed."""
        self._resumed.append(missed)

    def hear(self, kind: Kind, number: str, seq: int, body: Any = None) -> None:
        """Calls the listeners of this hub."""
        for heard in self._heard.get(kind, ()):
            heard(number, seq, body)

    def limiter(self, name: str, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> RateLimiter:
        """Returns the buckets of a name."""
        return self._exchange.limiters.setdefault(name, RateLimiter(rate, burst, clock))

    def enter(self, place: str, person: str) -> None:
        """Counts a connection."""
        self._here.setdefault(place, Counter())[person] += 1
        self.announce("here", place, 0)

    def leave(self, place: str, person: str) -> None:
        """Takes a connection off the count."""
        here = self._here.get(place, Counter())
        here[person] -= 1
        if here[person] <= 0:
            del here[person]
        if not here:
            self._here.pop(place, None)
        self.announce("here", place, 0)

    def people(self, place: str) -> set[str]:
        """Returns who is at a place."""
        return {person for hub in self._exchange.hubs for person in hub._here.get(place, ())}

    async def look(self, place: str) -> set[str]:
        """Returns who is at a place."""
        return self.people(place)

    async def lease(self, name: str, seconds: float) -> bool:
        """Takes or renews a lease."""
        if len(self._exchange.hubs) == 1:
            return True
        now = asyncio.get_running_loop().time()
        holder, until = self._exchange.leases.get(name, (self, now))
        if holder is not self and until > now:
            return False
        self._exchange.leases[name] = self, now + seconds
        return True

    async def release(self, name: str) -> None:
        """Gives a lease up."""
        if self._exchange.leases.get(name, (None, 0))[0] is self:
            del self._exchange.leases[name]
