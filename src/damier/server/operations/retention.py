"""Retention: deletes matches without an event for some days, when the server starts and once a day.

Of several processes, one deletes; a match at which a player looks by way of any of them is kept for another day.

One match is deleted in one transaction, with a pause after each, so that play is not held up: 6 ms for a match of 86
events, 22 ms for one of 2,000 (2026-11-17, on two busy cores).
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, date, datetime, timedelta

from damier.core.errors import DamierError
from damier.server.hub.hub import Hub, match_place
from damier.server.hub.local import LocalHub
from damier.server.matches.referee import Referee
from damier.server.operations.metrics import Metrics
from damier.server.store.store import Store
from damier.server.tasks import cancel

_log = logging.getLogger(__name__)

_DAY = 24 * 3600.0  # seconds
_LEASE = 600.0  # seconds for which other processes leave it to this one
_PAUSE = 0.02  # seconds after each deletion
_USUAL_LAG = timedelta(days=2)


class Retention:
    """Deletes old matches."""

    def __init__(
        self, store: Store, referee: Referee, metrics: Metrics, keep_days: int, hub: Hub | None = None
    ) -> None:
        self._store, self._referee, self._metrics, self._keep_days = store, referee, metrics, keep_days
        self._hub = hub or LocalHub()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to delete old matches, if the settings say so."""
        if self._keep_days and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops between two deletions."""
        await cancel(self._task)

    async def _run(self) -> None:
        while True:
            if not await self._hub.lease("retention", _LEASE):
                await asyncio.sleep(_LEASE)  # the process that has it may end
                continue
            try:
                await self.delete_old(datetime.now(UTC).date())
            except DamierError as error:
                _log.error("Old matches could not be deleted: %s The next try is in a day.", error)
            await self._wait_a_day()

    async def _wait_a_day(self) -> None:
        """Waits with the lease, so that no other process does the same."""
        end = asyncio.get_running_loop().time() + _DAY
        while (left := end - asyncio.get_running_loop().time()) > 0:
            await self._hub.lease("retention", _LEASE)
            await asyncio.sleep(min(left, _LEASE / 2))

    async def delete_old(self, today: date) -> int:
        """Deletes matches without an event for as many days as the settings say; returns their number."""
        day = await self._store.counted_day(today, self._keep_days)
        if today - day > _USUAL_LAG:
            _log.warning(
                "The clock says %s, but old matches are counted from %s: the server was off, or the clock is wrong.",
                today,
                day,
                extra={"today": str(today), "day": str(day)},
            )
        cutoff = day - timedelta(days=self._keep_days)
        numbers, bounds = await self._store.old_matches(cutoff)
        deleted = 0
        for number in numbers:
            if not self._referee.let_go(number) or await self._hub.look(match_place(number)):
                continue  # somebody is looking at it
            if await self._store.delete_if_old(number, bounds):
                deleted += 1
                self._hub.announce("seats", number)  # where it is in memory, it is found to be gone
            self._referee.let_go(number)  # a request may have loaded it meanwhile
            await asyncio.sleep(_PAUSE)
        if deleted:
            self._metrics.matches_deleted(deleted)
            extra = {"deleted": deleted, "cutoff": str(cutoff)}
            _log.info("Deleted %d matches without an event since %s.", deleted, cutoff, extra=extra)
        return deleted
