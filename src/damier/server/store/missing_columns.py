"""Fills the columns of matches that an older version has stored, by replaying them, in the background after the start.

A migration cannot do that: it must not depend on the rules of games, and replaying many matches takes long. A match
that is damaged is left as it is. Of several processes, one does it; another goes on if that one is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from functools import partial
from typing import TYPE_CHECKING

from damier.server.errors import ServerFailed
from damier.server.hub.local import LocalHub
from damier.server.matches.columns import columns_of
from damier.server.store.statements.clocks import fill_columns, without_columns

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.store.store import Store

_LEASE = 60.0  # seconds for which other processes leave it to this one

_log = logging.getLogger(__name__)


class MissingColumns:
    """Fills the columns of old matches."""

    def __init__(self, store: Store, hub: Hub | None = None) -> None:
        self._store, self._hub = store, hub or LocalHub()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to fill, the newest matches first."""
        self._task = asyncio.create_task(self._fill_alone())

    async def _fill_alone(self) -> None:
        while not await self._hub.lease("columns", _LEASE):
            await asyncio.sleep(_LEASE)
        await self.fill()

    async def fill(self) -> None:
        """Fills all columns that are missing."""
        with contextlib.suppress(ServerFailed):  # which is logged; the next start goes on
            numbers = await self._store.read("find matches of older versions", "", without_columns)
            for number in numbers:
                await self._hub.lease("columns", _LEASE)
                await self._fill(number)
            if numbers:
                _log.info("Looked at %d matches of an older version.", len(numbers), extra={"count": len(numbers)})

    async def _fill(self, number: str) -> None:
        with contextlib.suppress(ServerFailed):  # damage, which is logged
            match = await self._store.load(number)
            if match is not None:
                fill = partial(fill_columns, number=number, columns=columns_of(match, match.created))
                await self._store.write("store columns", number, fill)

    async def close(self) -> None:
        """Stops; the next start goes on."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
