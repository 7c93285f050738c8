"""Server time: how many milliseconds a server has been up with this database, in all. The only clock that decides.

It does not run while the server is down, and so no player's clock does. It is stored with every event of a timed match,
and every second while a clock may run out within the hour: a kill then loses at most the last second, in favour of the
players.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

from damier.server.store.statements.clocks import store_time
from damier.server.store.store import StoreFailed

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

    def open(self, store: Store, is_running: Callable[[], bool]) -> None:
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
