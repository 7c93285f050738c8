"""Matches with clocks in simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import damier
from damier.server.matches.clock import TimeControl
from damier.server.matches.live_match import LiveMatch
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.served import SETTINGS

T = TypeVar("T")

BLITZ = TimeControl("live", 180, 2)
ANN, BOB, EVE = "a" * 32, "b" * 32, "e" * 32


class SimulatedClock:
    """A clock that tests move on; seconds, as `time.monotonic` returns them."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def go_on(self, seconds: float) -> None:
        """Moves on."""
        self.seconds += seconds


class Hall:
    """A server without network, with a simulated clock."""

    def __init__(self, path: Path | str) -> None:
        self.clock = SimulatedClock()
        self.services = Services(ServerSettings.read({**SETTINGS, "database": str(path)}), self.clock)
        self.referee = self.services.referee
        self._requests = 0

    @property
    def now(self) -> int:
        """The server time."""
        return self.referee.time.now()

    async def wait(self, seconds: float) -> None:
        """Lets time pass, and decides what is due then."""
        self.clock.go_on(seconds)
        await self.referee.deadlines.run_due()

    async def between(
        self,
        *people: str,
        game: str = "chefa",
        control: TimeControl | None = BLITZ,
        is_rated: bool = False,
        **options: object,
    ) -> LiveMatch:
        """Begins a match between persons."""
        loaded = damier.load(game, **options)
        return await self.referee.begin_between(loaded, people, control=control, is_rated=is_rated)

    async def act(
        self, live: LiveMatch, visitor: str, do: str, *, action: str = "", what: str = "", yes: bool = False
    ) -> int:
        """Sends a request."""
        self._requests += 1
        return await self.referee.act(live, visitor, f"r{self._requests}", do, action=action, what=what, yes=yes)

    async def play(self, live: LiveMatch, seconds: float = 0.0) -> None:
        """Has the player to act wait and play the first action."""
        self.clock.go_on(seconds)
        visitor = live.match.seat(live.match.record.mover).visitor or ""
        await self.act(live, visitor, "play", action=live.match.record.actions()[0])


def in_hall(path: Path | str, do: Callable[[Hall], Awaitable[T]]) -> T:
    """Runs something with a server that is open, and closes it."""

    async def run() -> T:
        hall = Hall(path)
        await hall.services.open()
        await hall.referee.deadlines.close()  # tests say when to look
        await hall.referee.deadlines.run_due()
        try:
            return await do(hall)
        finally:
            await hall.services.close()

    return asyncio.run(run())
