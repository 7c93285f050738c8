"""Server time: how many milliseconds a server has been up with this database, in all. The only clock that decides.

It does not run while the server is down, and so no player's clock does. It is stored with every event of a timed match,
and every second while a clock may run out within the hour: a kill then loses at most the last second, in favour of the
players.

Processes that share a database share a server time, too (`SharedTime`): the row in the database goes on as the clock of
the database does, and each process compares itself with it every second.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

from damier.server.store.statements.clocks import LONGEST_STEP, store_time
from damier.server.store.store import StoreFailed
from damier.server.tasks import cancel

if TYPE_CHECKING:
    from collections.abc import Callable

    from damier.server.store.store import Store

STORED_EVERY = 1.0  # seconds


class ServerTime:
    """The time that decides about clocks."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds and never goes back."""
        self._clock = clock
        self._before, self._began = 0, clock()
        self._keeping: asyncio.Task[None] | None = None

    def now(self) -> int:
        """Returns the time in milliseconds."""
        return self._before + int(1000 * (self._clock() - self._began))

    def go_on(self, stored: int) -> None:
        """Goes on from a stored time."""
        self._before, self._began = stored, self._clock()

    async def open(self, store: Store, is_running: Callable[[], bool]) -> None:
        """Goes on from what is stored, and stores the time every second while clocks are running."""
        self.go_on(store.server_time)
        self._keeping = asyncio.create_task(self._keep(store, is_running))

    async def _keep(self, store: Store, is_running: Callable[[], bool]) -> None:
        while True:
            await asyncio.sleep(STORED_EVERY)
            if is_running():
                with contextlib.suppress(StoreFailed):  # which is logged; the next second stores it
                    await self._store(store)

    async def _store(self, store: Store) -> None:
        await store.write("store the server time", "", partial(store_time, milliseconds=self.now()))

    async def close(self, store: Store) -> None:
        """Stores the time a last time."""
        if self._keeping is None:
            return
        self._keeping.cancel()
        await asyncio.wait([self._keeping])
        self._keeping = None
        with contextlib.suppress(StoreFailed):
            await self._store(store)


class SharedTime(ServerTime):
    """The time of several processes on one database.

    While a process does not reach the database, its time goes on for as long as that of the others may, then it stands
    still: it is never ahead of what the database says later, and it never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._latest = 0

    def now(self) -> int:
        """Returns the time in milliseconds."""
        passed = min(int(1000 * (self._clock() - self._began)), LONGEST_STEP)
        self._latest = max(self._latest, self._before + passed)
        return self._latest

    async def open(self, store: Store, is_running: Callable[[], bool]) -> None:  # noqa: ARG002  # others may run
        """Goes on with the time of the database; raises `StoreFailed`."""
        await self.compare(store)
        self._keeping = asyncio.create_task(self._keep_comparing(store))

    async def compare(self, store: Store) -> None:
        """Sets the time to that of the database; raises `StoreFailed`."""
        self._before, self._began = await store.note_time(self._clock)

    async def _keep_comparing(self, store: Store) -> None:
        while True:
            await asyncio.sleep(STORED_EVERY)
            with contextlib.suppress(StoreFailed):  # which is logged
                await self.compare(store)

    async def close(self, store: Store) -> None:  # noqa: ARG002  # every second is stored
        """Stops comparing."""
        await cancel(self._keeping)
        self._keeping = None
