"""What all requests share: the file of matches, the engines, the referee and what visitors may ask for."""

from __future__ import annotations

from damier.core.errors import DamierError
from damier.engine.pool.pool import Workers
from damier.server.analysis.builds import Builds
from damier.server.limits import Buckets
from damier.server.matches.referee import Referee
from damier.server.settings import Settings
from damier.server.store.store import Store


class TooMuch(DamierError):
    """A visitor asks for more than is allowed."""


class Server:
    """What all requests share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database_file)
        self.workers = Workers(count=settings.workers)
        self.referee = Referee(self.store, self.workers, settings.seconds)
        rate = settings.requests_per_second
        self.requests = Buckets(rate, 3 * rate)
        self.beginnings = Buckets(settings.matches_per_hour / 3600, settings.matches_per_hour)
        self.builds = Builds()
        self._is_open = False

    async def open(self) -> None:
        """Opens the file of matches, unless it is open; raises `BadDatabase` where that cannot be done."""
        if not self._is_open:
            await self.store.open()
            self._is_open = True

    async def close(self) -> None:
        """Ends everything."""
        await self.builds.close()
        await self.referee.close()
        self.workers.close()
        await self.store.close()
