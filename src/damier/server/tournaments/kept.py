"""The tournaments in memory: all that are not over, and the last that are; read from the database and changed in it.

Other processes change them, too. An event is stored under the key (tournament, number): the loser of a race gets
`AppendRaced`, reads on and decides again. Each stored event is announced; every few seconds, and when announcements may
have been missed, the last numbers of all that are in memory are compared with the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.core.messages import message
from damier.server.doubt import reading_anew
from damier.server.errors import NotFound, ServerFailed
from damier.server.store.statements import tournaments as statements
from damier.server.store.store import Store, StoreFailed, append_raced, race
from damier.server.tournaments.live_tournament import DamagedTournament, LiveTournament, damaged_tournament
from damier.server.tournaments.times import later

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.hub.hub import Hub
    from damier.server.tournaments.tournament import Tournament, TournamentEvent

_log = logging.getLogger(__name__)

_ENDED = 50  # tournaments in memory that are over
_GRACE_SECONDS = 5.0  # for which the process that has stored an event does what follows, before another one looks


class KeptTournaments:
    """The tournaments in memory."""

    def __init__(
        self, store: Store, hub: Hub, clock: Callable[[], str], begin_task: Callable[[Coroutine[Any, Any, None]], Any]
    ) -> None:
        self._store, self._hub, self._clock, self._begin_task = store, hub, clock, begin_task
        self.open: dict[str, LiveTournament] = {}
        self._ended: OrderedDict[str, LiveTournament] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTournament]] = {}
        self.is_loaded = False
        hub.listen("tournament", self._hear, self.compare)
        hub.on_resume(self._renew_all)

    async def load_open(self) -> None:
        """Loads all that are not over."""
        await self._find_all(await self._store.read("list the tournaments", "", statements.open_tournaments))
        self.is_loaded = True

    async def _find_all(self, numbers: Sequence[str]) -> None:
        for number in numbers:
            try:
                await self.find(number)
            except (DamagedTournament, NotFound):  # the first is logged
                continue

    def peek(self, number: str) -> LiveTournament | None:
        """Returns a tournament if it is in memory."""
        return self.open.get(number) or self._ended.get(number)

    async def find(self, number: str) -> LiveTournament:
        """Returns a tournament; raises `NotFound` or `DamagedTournament`."""
        live = self.peek(number)
        if live:
            if self._hub.is_deaf:
                live.is_doubtful = True
                async with live.lock:
                    await self.catch_up(live)
            return live
        loading = self._loading.get(number)
        if loading is None:
            loading = self._loading[number] = asyncio.create_task(self._load(number))
            loading.add_done_callback(lambda _: self._loading.pop(number))
        return await asyncio.shield(loading)

    async def with_person(self, person: str) -> list[LiveTournament]:
        """Returns those that a person has made or joined, and that are in memory or not over, in a fixed order."""

        def find(connection: Connection) -> tuple[list[str], set[str]]:
            found = statements.tournaments_with(connection, person)
            return found, set(statements.open_tournaments(connection))

        numbers, not_over = await self._store.read("find tournaments", "", find)
        await self._find_all([number for number in numbers if number in not_over])
        return [live for number in numbers if (live := self.peek(number))]

    # Reading and storing

    async def _read(self, number: str) -> tuple[Tournament | None, int]:
        def load(connection: Connection) -> tuple[Tournament | None, int]:
            rewritten = statements.count_rewritten(connection, number)  # first: an older count is noticed later
            return statements.load_tournament(connection, number), rewritten

        return await self._store.read("load the tournament", number, load)

    async def _load(self, number: str) -> LiveTournament:
        try:
            found, rewritten = await self._read(number)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, StoreFailed):
                raise
            _log.error("Tournament %s: its stored data is damaged: %s", number, error, extra={"tournament": number})
            raise damaged_tournament() from error
        if found is None:
            raise NotFound(message("There is no such tournament."))
        return self.keep(found, rewritten)

    def keep(self, tournament: Tournament, rewritten: int = 0) -> LiveTournament:
        """Keeps a tournament; one that was loaded meanwhile, right after it was made, stays as it is."""
        if known := self.peek(tournament.number):
            return known
        live = LiveTournament(tournament, rewritten)
        if tournament.status in statements.OPEN:
            self.open[tournament.number] = live
        else:
            self._keep_ended(live)
        return live

    def _keep_ended(self, live: LiveTournament) -> None:
        self._ended[live.tournament.number] = live
        if len(self._ended) > _ENDED:
            self._ended.popitem(last=False)

    async def append(self, live: LiveTournament, events: Sequence[TournamentEvent]) -> None:
        """Stores events, then applies them; raises `AppendRaced`. Called under the tournament's lock."""
        if not events:
            return
        tournament = live.tournament
        status, players = tournament.summary_after(events)
        due = later(self._clock(), _GRACE_SECONDS) if status in statements.OPEN else None
        values = {"status": status, "players": players, "due": due}

        def store(connection: Connection) -> None:
            with race(tournament.number):
                statements.append_events(connection, tournament.number, tournament.seq + 1, events)
            if not statements.change_tournament(connection, tournament.number, live.rewritten, values):
                raise append_raced()

        try:
            await self._store.write("append events of the tournament", tournament.number, store)
        except StoreFailed:
            live.is_doubtful = True
            raise
        self._apply(live, events)
        self.announce(live)

    def announce(self, live: LiveTournament, *, is_rewritten: bool = False) -> None:
        """Has other processes read what is stored."""
        self._hub.announce("tournament", live.tournament.number, live.tournament.seq, is_rewritten or None)

    async def catch_up(self, live: LiveTournament) -> None:
        """Applies what is stored and not in memory, after a failure that left that open; called under the lock."""
        if not live.is_doubtful:
            return
        number, seq = live.tournament.number, live.tournament.seq

        def read(connection: Connection) -> tuple[list[TournamentEvent], int]:
            events = statements.events_after(connection, number, seq)
            return events, statements.count_rewritten(connection, number)  # last: names in the events are older

        with reading_anew(live):
            events, rewritten = await self._store.read("read the events of the tournament", number, read)
        if rewritten != live.rewritten:
            await self.renew(live)
        else:
            self._apply(live, events)

    async def renew(self, live: LiveTournament) -> None:
        """Reads a tournament anew, because its events were rewritten. Called under its lock."""
        with reading_anew(live):
            found, rewritten = await self._read(live.tournament.number)
        if found is not None:
            live.tournament, live.rewritten = found, rewritten
            self._apply(live, [])

    def _apply(self, live: LiveTournament, events: Sequence[TournamentEvent]) -> None:
        for event in events:
            live.tournament.add(event)
        if live.tournament.status not in statements.OPEN and live.tournament.number in self.open:
            del self.open[live.tournament.number]
            self._keep_ended(live)

    # What other processes store

    def _hear(self, number: str, seq: int, body: Any = None) -> None:
        """Has a tournament read on, or be loaded if it is new."""
        live = self.peek(number)
        if live is None:
            if self.is_loaded and not body:
                self._begin_task(self._read_safely(number, seq))
        elif live.tournament.seq < seq or body:
            live.is_doubtful = True
            self._begin_task(self._read_safely(number))

    async def _read_safely(self, number: str, seq: int = 0) -> None:
        """Reads on; `seq` is the least that is stored: a tournament that was being loaded may be behind it."""
        try:
            live = await self.find(number)
            async with live.lock:
                if live.tournament.seq < seq:
                    live.is_doubtful = True
                await self.catch_up(live)
        except (ServerFailed, NotFound) as error:  # the next announcement or comparison tries again
            _log.warning("Tournament %s: could not read on: %s", number, error, extra={"tournament": number})

    async def compare(self) -> None:
        """Compares all that are not over, in memory or in the database, and reads on where one is behind."""
        if not self.is_loaded:
            return
        last = await self._store.read("compare tournaments", "", partial(statements.last_events, also=list(self.open)))
        for number, (seq, rewritten) in last.items():
            live = self.peek(number)
            if live is None or live.tournament.seq < seq or live.rewritten != rewritten:
                if live:
                    live.is_doubtful = True
                await self._read_safely(number)

    async def _renew_all(self) -> None:
        for live in self._ended.values():
            live.is_doubtful = True
        await asyncio.gather(*map(self._read_safely, tuple(self._ended)))
        await self.compare()
