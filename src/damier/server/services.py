"""The services that all requests share: storage, engines, referee, limits and table builds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from damier.core.messages import message
from damier.engine.limit import Limit
from damier.engine.pool.pool import Workers
from damier.engine.pool.request import ANALYSING, LIVE, PLAYING
from damier.games import registered
from damier.server.analysis.builds import TableBuilds
from damier.server.analysis.offers import OfferedTables
from damier.server.civility.avoidance import Avoidance
from damier.server.civility.chats import Chats
from damier.server.civility.flood import FloodGate
from damier.server.civility.moderation import Moderation
from damier.server.civility.targets import Targets
from damier.server.correspondence.planner import Planner
from damier.server.correspondence.vacations import Vacations
from damier.server.front.hosts import AllowedHosts, host_names
from damier.server.front.limits import NETWORK_TOO_FAST, Allowance
from damier.server.front.slots import Slots
from damier.server.front.sockets import OpenSockets
from damier.server.front.visitors import Visitors
from damier.server.hub.choice import make_hub
from damier.server.lobby.lobby import Lobby
from damier.server.lobby.people import People
from damier.server.lobby.weekly import parse_weekly
from damier.server.matches.referee import Referee
from damier.server.matches.server_time import ServerTime, SharedTime
from damier.server.notices.notices import Notices
from damier.server.operations.garbage import GarbageCollection
from damier.server.operations.metrics import Metrics
from damier.server.operations.retention import Retention
from damier.server.people.accounts import Accounts
from damier.server.people.credentials import Credentials, digest
from damier.server.people.passkeys import Passkeys
from damier.server.people.passwords import Passwords
from damier.server.people.person_changes import PersonChanges
from damier.server.ratings.ratings import MatchRater
from damier.server.settings import ServerSettings
from damier.server.store.missing_columns import MissingColumns
from damier.server.store.statements import chat, civility
from damier.server.store.store import Store
from damier.server.streams.lines import LineStream
from damier.server.streams.person_lines import PersonStreams
from damier.server.tournaments.tournaments import Tournaments
from damier.server.wire.lobby import SeekData
from damier.server.wire.model import WireModel
from damier.server.wire.streams import ChallengeMessage
from damier.server.work.pages import PageWork
from damier.server.work.request import prepare_process

if TYPE_CHECKING:
    from sqlalchemy import Connection

_NICENESS = 10  # answers to players come first, then pages, then searches
_QUEUED_PER_OWNER = 64  # requests of a visitor that wait for an engine
_PAGE_PROCESSES = 2
_SHORTEST_SEARCH = 0.2  # seconds, in which even plain Python values every action
_SIGN_INS_AT_ONCE = 10  # for one account
_EXPORTS = 4  # of the data of accounts, at a time
_REVIEWS, _REVIEWS_PER_OWNER = 16, 2  # at a time
_DOWNLOADS, _DOWNLOADS_PER_OWNER = 64, 8  # of tables at a time
_RECORDS, _RECORDS_PER_OWNER = 8, 1  # downloads of all matches at a time
_REPORTS, _ADDRESS_REPORTS = 10, 50  # that a person and an address may make, in a day and at once
_DAY = 86_400.0  # seconds
_FILES, _BURST_OF_FILES = 3, 30  # times as many as other requests; a first page takes sixty files


class Services:
    """The services that all requests share."""

    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.hub = make_hub(settings.redis)
        self.store = Store(settings.stored_in, self.metrics, is_shared=self.hub.is_shared)
        limiter = partial(self.hub.limiter, clock=clock)
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
        time_of = SharedTime if self.store.is_shared else ServerTime
        self.referee = Referee(self.store, self.workers, settings.seconds, self.metrics, time_of(clock), self.hub)
        self.vacations = Vacations(self.store, self.referee, self.hub)
        self.planner = Planner(self.store, self.referee, self.hub)
        self.credentials = Credentials(self.store, clock)
        self.passwords = Passwords()
        self.passkeys = Passkeys(self.store, settings.origin)
        self.accounts = Accounts(self.store, self.referee, self.credentials, self.hub)
        self.ratings = MatchRater(self.store, self.referee, self.hub)
        self.tournaments = Tournaments(self.store, self.referee, self.ratings, hub=self.hub)
        self.streams = PersonStreams(self.referee, self.store, self.hub)
        self.lines: WeakSet[LineStream] = WeakSet()
        """All open streams, of persons and of matches."""

        self.visitors = Visitors(self.store.knows, settings.origin, self.credentials)
        self.hosts = AllowedHosts(host_names(settings.allowed_hosts), settings.origin)
        people = People(self.store, self.accounts, self.ratings)
        self.lobby = Lobby(self.store, self.referee, people, weekly=parse_weekly(settings.weekly_hour), hub=self.hub)
        self.avoidance = Avoidance(self.store, self.hub)
        self.lobby.are_blocked = self.avoidance.are_blocked
        self.chats = Chats(self.store, self.referee, self.avoidance, FloodGate(clock), self.hub)
        self.avoidance.on_change(lambda one, other: self.chats.renew([one, other]))
        self.targets = Targets(self.store, self.referee, self.accounts)
        self.changes = PersonChanges(self)
        self.moderation = Moderation(self.store, self.accounts, self.referee, self.changes, self.chats)
        self.notices = Notices(
            self.store, self.referee, self.lobby, self.tournaments, settings, self.metrics, clock, self.hub
        )
        self.reports = Allowance(
            limiter("reports", _REPORTS / _DAY, _REPORTS),
            limiter("reports-address", _ADDRESS_REPORTS / _DAY, _ADDRESS_REPORTS),
            message("You have reported many people: wait a while."),
            message("Your network has reported many people: wait a while."),
            ("reports", "reports_per_address"),
        )
        self.lobby.owners.has_stream = self.streams.has
        self.streams.on_leave(self.lobby.stream_ended)
        self.lobby.on_challenge(self._tell_challenge, is_anywhere=True)
        self.streams.add_replay(self._current_challenges)
        self.requests = Allowance(
            limiter("requests", settings.requests_per_second, 3 * settings.requests_per_second),
            limiter("requests-address", settings.address_requests, 3 * settings.address_requests),
            message("That is too fast: wait a moment."),
            NETWORK_TOO_FAST,
        )
        self.files = limiter("files", _FILES * settings.address_requests, _BURST_OF_FILES * settings.address_requests)
        """For each address: files of the client and signs of life."""

        self.beginnings = Allowance(
            limiter("matches", settings.matches_per_hour / 3600, settings.matches_per_hour),
            limiter("matches-address", settings.address_matches / 3600, settings.address_matches_at_once),
            message("You have begun many matches: wait a while."),
            message("Many matches were begun from your network: wait a while."),
            ("matches_per_hour", "matches_per_address"),
        )
        self.sign_ins = Allowance(
            limiter("sign-ins", settings.sign_ins_per_hour / 3600, min(_SIGN_INS_AT_ONCE, settings.sign_ins_per_hour)),
            limiter("sign-ins-address", settings.address_sign_ins / 3600, min(100, settings.address_sign_ins)),
            message("That was tried too often: wait a while."),
            message("Your network has tried to sign in too often: wait a while."),
        )
        """By the account that is named, and by address."""

        self.new_accounts = limiter("accounts", settings.accounts_per_address / 3600, settings.accounts_per_address)
        """By address."""

        self.exports = Slots(_EXPORTS, 1)
        self.sockets = OpenSockets(settings.sockets_per_visitor, settings.sockets_per_address, settings.spectators)
        self.builds = TableBuilds()
        self.offers = OfferedTables()
        self.record_downloads = Slots(_RECORDS, _RECORDS_PER_OWNER)
        self.downloads = Slots(_DOWNLOADS, _DOWNLOADS_PER_OWNER)
        self.metrics.watch(lambda: self.referee.matches_in_memory, self.store.size)
        for kind, priority in (("playing", PLAYING), ("analysing", ANALYSING), ("live", LIVE)):
            self.metrics.watch_queue(kind, partial(_load, self.workers, priority))
        self.metrics.watch_queue("pages", partial(_load, self.pages.workers, PLAYING))
        self.metrics.processes("engines", settings.workers)
        self.metrics.processes("pages", _PAGE_PROCESSES)
        hears = (lambda: not self.hub.is_deaf) if settings.redis else None
        self.metrics.watch_server(lambda: self.is_draining, hears)
        self.retention = Retention(self.store, self.referee, self.metrics, settings.keep_days, self.hub)
        self.columns = MissingColumns(self.store, self.hub)
        self.garbage = GarbageCollection()
        self.is_draining = False
        """Whether the server is about to end: it answers, and tells proxies to send new visitors elsewhere."""

        self._is_open = False

    async def open(self) -> None:
        """Opens the database, unless it is open; raises `BadDatabase`."""
        if not self._is_open:
            await self.store.open()
            await self._open_hub()
            self.visitors.use(self.store.signing_keys)
            await self.accounts.end_old_sessions()
            self._is_open = True
            await self.referee.open()
            await self.vacations.open()
            self.planner.start()
            self.columns.start()
            self.retention.start()
            self.ratings.start()
            await self.avoidance.open()
            await self.lobby.open()
            await self.notices.open()
            self.tournaments.start()

    async def _open_hub(self) -> None:
        try:
            await self.hub.open(digest(self.store.signing_keys[0])[:16])
        except BaseException:
            await self.store.close()
            raise

    def _tell_challenge(self, rival: str, seek: SeekData) -> None:
        self.streams.tell(rival, ChallengeMessage(type="challenge", seek=seek))

    async def _current_challenges(self, person: str, _lang: str) -> list[WireModel]:
        return [ChallengeMessage(type="challenge", seek=seek) for seek in self.lobby.challenges_of(person)]

    async def forget_civility(self, person: str) -> None:
        """Deletes what a person has written, and takes them out of lists and reports, also on open pages."""

        def forget(connection: Connection) -> list[str]:
            written = chat.matches_with(connection, person)
            civility.forget(connection, person)
            return written

        written = await self.store.write("forget messages", "", forget)
        self.avoidance.forget(person)
        self.chats.renew_matches(written, everywhere=True)

    def start_processes(self) -> None:
        """Starts the worker processes now, so that the first visitor does not wait for them."""
        self.pages.workers.start()
        self.workers.start()

    def stop_streams(self) -> None:
        """Ends all open streams with a line that says why: the server waits for answers to end."""
        self.is_draining = True
        for stream in tuple(self.lines):
            stream.end("stopping")

    async def close(self) -> None:
        """Cancels all work and closes the database."""
        await self.garbage.close()
        await self.retention.close()
        await self.columns.close()
        await self.builds.close()
        await self.changes.close()
        await self.avoidance.close()
        await self.chats.close()
        await self.notices.close()
        await self.lobby.close()
        await self.tournaments.close()
        await self.vacations.close()
        await self.planner.close()
        await self.referee.close()
        await self.ratings.close()
        await self.hub.close()
        await asyncio.to_thread(self._end_processes)
        await asyncio.to_thread(self.passwords.close)
        await self.store.close()

    def _end_processes(self) -> None:
        self.workers.close()
        self.pages.close()


def _load(workers: Workers, priority: int) -> tuple[int, int]:
    """Returns how many requests of a priority wait and run."""
    return workers.load().get(priority, (0, 0))
