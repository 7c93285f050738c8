"""The vacations of all accounts: begun, ended, and brought into each match that they concern.

A vacation is stored first. Then each correspondence match of the person gets its event, under its own lock, dated back
to when the vacation began or ended. What a kill or a failing database has left out is made good at the next start, in
the next attempt, or when the match is next looked at, whichever comes first.

The process that has stored a vacation tells the matches; the others hear of it, and read it. One of them looks every
minute for what is not told yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.server.correspondence.vacation import (
    DAY,
    PERIOD,
    Vacation,
    ended_vacation,
    new_vacation,
)
from damier.server.hub.local import LocalHub
from damier.server.hub.repeated import repeat
from damier.server.store.statements import correspondence
from damier.server.store.statements.locks import lock_until_commit
from damier.server.store.store import StoreFailed, now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.hub.hub import Hub
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store

RETRY = 5.0
"""Seconds after which a match that could not be changed is tried again."""


class Vacations:
    """The vacations of a server's accounts."""

    def __init__(self, store: Store, referee: Referee, hub: Hub | None = None) -> None:
        self._store, self._referee, self._hub = store, referee, hub or LocalHub()
        self._tasks: set[asyncio.Task[None]] = set()
        self._telling: set[Vacation] = set()
        self._order = asyncio.Lock()  # of what is stored and read, so that memory has what came last
        self._hub.listen("vacation", self._hear, self._read_all)
        self._hub.on_resume(self._read_all)

    async def open(self) -> None:
        """Goes on with the vacations that are running, and with those that not all matches know of."""
        await self._read_all()
        self._begin(repeat(self._hub, "vacations", self._tell_untold))

    async def _read_all(self) -> None:
        """Reads the vacations that go on, or that not all matches know of."""
        await self._read_current()

    async def _read_current(self) -> list[Vacation]:
        """Reads the vacations anew, and returns those that not all matches know of."""
        wanted = partial(correspondence.current_vacations, now=self._referee.time.now())
        async with self._order:
            found = await self._store.read("read vacations", "", wanted)
            self._referee.vacations = {vacation.person: vacation for vacation, _ in found}
        return [vacation for vacation, is_told in found if not is_told]

    async def _tell_untold(self) -> None:
        for vacation in await self._read_current():
            if vacation not in self._telling:
                self._begin_telling(vacation)

    def _hear(self, person: str, _seq: int, body: Any) -> None:
        """Notes what another process has stored, before the matches hear of it."""
        if body:
            self._note(Vacation(person, *body))
        else:
            self._referee.vacations.pop(person, None)

    async def close(self) -> None:
        """Stops telling; the next start goes on with it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def of(self, person: str) -> list[Vacation]:
        """Returns the vacations of a person, the oldest first."""
        return await self._store.read("read vacations", "", partial(correspondence.vacations_of, person=person))

    async def begin(self, person: str, days: int) -> None:
        """Begins a vacation, and waits until the matches of the person know of it; raises a `DamierError`."""
        at = self._referee.time.now()

        def begin(connection: Connection) -> Vacation:
            lock_until_commit(connection, f"vacation:{person}")  # two at once could take more days than there are
            correspondence.delete_old_vacations(connection, at - PERIOD * DAY)
            vacation = new_vacation(person, correspondence.vacations_of(connection, person), days, at)
            correspondence.add_vacation(connection, vacation, now())
            return vacation

        await self._store_and_tell("begin a vacation", begin)

    async def end(self, person: str) -> None:
        """Ends the vacation of a person, and waits until the matches know of it; raises a `DamierError`."""
        at = self._referee.time.now()

        def end(connection: Connection) -> Vacation:
            lock_until_commit(connection, f"vacation:{person}")
            vacation = ended_vacation(correspondence.vacations_of(connection, person), at)
            correspondence.end_vacation(connection, vacation)
            return vacation

        await self._store_and_tell("end a vacation", end)

    def forget(self, person: str) -> None:
        """Forgets a person whose account is deleted; their matches keep the end of the vacation that they know."""
        self._referee.vacations.pop(person, None)
        self._hub.announce("vacation", person)

    # Telling the matches

    async def _store_and_tell(self, what: str, change: Callable[[Connection], Vacation]) -> None:
        async with self._order:
            vacation = await self._store.write(what, "", change)
            self._note(vacation)
        self._hub.announce("vacation", vacation.person, body=[vacation.began, vacation.until])
        await asyncio.shield(self._begin_telling(vacation))

    def _note(self, vacation: Vacation) -> None:
        at = self._referee.time.now()
        current = {person: each for person, each in self._referee.vacations.items() if each.until > at}
        self._referee.vacations = {**current, vacation.person: vacation}

    def _begin_telling(self, vacation: Vacation) -> asyncio.Task[None]:
        self._telling.add(vacation)
        return self._begin(self._tell_all(vacation))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _tell_all(self, vacation: Vacation) -> None:
        """Has all matches of the person follow the vacation; tries again later what has failed."""
        try:
            wanted = partial(correspondence.correspondence_of, person=vacation.person)
            for number in await self._store.read("list the matches of a visitor", "", wanted):
                await self._referee.follow_vacations(number)
            await self._store.write("note a vacation", "", partial(correspondence.note_told, vacation=vacation))
        except StoreFailed:  # which is logged
            self._begin(self._try_again(vacation))
        else:
            self._telling.discard(vacation)

    async def _try_again(self, vacation: Vacation) -> None:
        await asyncio.sleep(RETRY)
        if self._referee.vacations.get(vacation.person) == vacation:
            await self._tell_all(vacation)
        else:
            self._telling.discard(vacation)
