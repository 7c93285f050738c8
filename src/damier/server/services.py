"""The services that all requests share: storage, engines, referee, limits and table builds."""

from __future__ import annotations

from damier.engine.pool.pool import Workers
from damier.server.analysis.builds import TableBuilds
from damier.server.limits import RateLimiter
from damier.server.matches.referee import Referee
from damier.server.settings import ServerSettings
from damier.server.store.store import Store


class Services:
    """The services that all requests share."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.store = Store(settings.database_file)
        self.workers = Workers(count=settings.workers)
        self.referee = Referee(self.store, self.workers, settings.seconds)
        rate = settings.requests_per_second
        self.requests = RateLimiter(rate, 3 * rate)
        self.beginnings = RateLimiter(settings.matches_per_hour / 3600, settings.matches_per_hour)
        self.builds = TableBuilds()
        self._is_open = False

    async def open(self) -> None:
        """Opens the database, unless it is open; raises `BadDatabase`."""
        if not self._is_open:
            await self.store.open()
            self._is_open = True

    async def close(self) -> None:
        """Cancels all work and closes the database."""
        await self.builds.close()
        await self.referee.close()
        self.workers.close()
        await self.store.close()
