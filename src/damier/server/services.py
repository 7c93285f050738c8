"""The services that all requests share: storage, engines, referee, limits and table builds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

from damier.core.messages import message
from damier.engine.limit import Limit
from damier.engine.pool.pool import Workers
from damier.engine.pool.request import ANALYSING, LIVE, PLAYING
from damier.games import registered
from damier.server.analysis.builds import TableBuilds
from damier.server.analysis.offers import OfferedTables
from damier.server.front.hosts import AllowedHosts, host_names
from damier.server.front.limits import NETWORK_TOO_FAST, Allowance, RateLimiter
from damier.server.front.slots import Slots
from damier.server.front.sockets import OpenSockets
from damier.server.front.visitors import Visitors
from damier.server.matches.referee import Referee
from damier.server.operations.garbage import GarbageCollection
from damier.server.operations.metrics import Metrics
from damier.server.operations.retention import Retention
from damier.server.settings import ServerSettings
from damier.server.store.store import Store
from damier.server.work.pages import PageWork
from damier.server.work.request import prepare_process

_NICENESS = 10  # answers to players come first, then pages, then searches
_QUEUED_PER_OWNER = 64  # requests of a visitor that wait for an engine
_PAGE_PROCESSES = 2
_SHORTEST_SEARCH = 0.2  # seconds, in which even plain Python values every action
_REVIEWS, _REVIEWS_PER_OWNER = 16, 2  # at a time
_DOWNLOADS, _DOWNLOADS_PER_OWNER = 64, 8  # of tables at a time
_FILES, _BURST_OF_FILES = 3, 30  # times as many as other requests; a first page takes sixty files


class Services:
    """The services that all requests share."""

    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.store = Store(settings.database_file, self.metrics)
        count = settings.workers
        self.workers = Workers(
            count,
            per_owner=max(1, count - 1),
            queued_per_owner=_QUEUED_PER_OWNER,
            niceness=_NICENESS,
            prepare=partial(prepare_process, registered(), ("damier.server.analysis.requests",)),
        )
        self.pages = PageWork(_PAGE_PROCESSES)
        self.short = Limit(seconds=max(_SHORTEST_SEARCH, settings.seconds / 2))
        """For values and hints."""

        self.reviews = Slots(_REVIEWS, _REVIEWS_PER_OWNER)
        self.referee = Referee(self.store, self.workers, settings.seconds, self.metrics)
        self.visitors = Visitors(self.store.knows, settings.origin)
        self.hosts = AllowedHosts(host_names(settings.allowed_hosts), settings.origin)
        self.requests = Allowance(
            RateLimiter(settings.requests_per_second, 3 * settings.requests_per_second, clock),
            RateLimiter(settings.address_requests, 3 * settings.address_requests, clock),
            message("That is too fast: wait a moment."),
            NETWORK_TOO_FAST,
        )
        self.files = RateLimiter(_FILES * settings.address_requests, _BURST_OF_FILES * settings.address_requests, clock)
        """For each address: files of the client and signs of life."""

        self.beginnings = Allowance(
            RateLimiter(settings.matches_per_hour / 3600, settings.matches_per_hour, clock),
            RateLimiter(settings.address_matches / 3600, settings.address_matches_at_once, clock),
            message("You have begun many matches: wait a while."),
            message("Many matches were begun from your network: wait a while."),
        )
        self.sockets = OpenSockets(settings.sockets_per_visitor, settings.sockets_per_address, settings.spectators)
        self.builds = TableBuilds()
        self.offers = OfferedTables()
        self.downloads = Slots(_DOWNLOADS, _DOWNLOADS_PER_OWNER)
        self.metrics.watch(lambda: self.referee.matches_in_memory, settings.database_file)
        for kind, priority in (("playing", PLAYING), ("analysing", ANALYSING), ("live", LIVE)):
            self.metrics.watch_queue(kind, partial(_load, self.workers, priority))
        self.metrics.watch_queue("pages", partial(_load, self.pages.workers, PLAYING))
        self.retention = Retention(self.store, self.referee, self.metrics, settings.keep_days)
        self.garbage = GarbageCollection()
        self._is_open = False

    async def open(self) -> None:
        """Opens the database, unless it is open; raises `BadDatabase`."""
        if not self._is_open:
            await self.store.open()
            self.visitors.use(self.store.signing_keys)
            self._is_open = True
            self.retention.start()

    def start_processes(self) -> None:
        """Starts the worker processes now, so that the first visitor does not wait for them."""
        self.pages.workers.start()
        self.workers.start()

    async def close(self) -> None:
        """Cancels all work and closes the database."""
        await self.garbage.close()
        await self.retention.close()
        await self.builds.close()
        await self.referee.close()
        await asyncio.to_thread(self._end_processes)
        await self.store.close()

    def _end_processes(self) -> None:
        self.workers.close()
        self.pages.close()


def _load(workers: Workers, priority: int) -> tuple[int, int]:
    """Returns how many requests of a priority wait and run."""
    return workers.load().get(priority, (0, 0))
