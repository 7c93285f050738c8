"""The vacations of all accounts: begun, ended, and brought into each match that they concern.

A vacation is stored first. Then each correspondence match of the person gets its event, under its own lock, dated back
to when the vacation began or ended. What a kill or a failing database has left out is made good at the next start, in
the next attempt, or when the match is next looked at, whichever comes first.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from damier.server.correspondence.vacation import (
    DAY,
    PERIOD,
    Vacation,
    ended_vacation,
    new_vacation,
)
from damier.server.store.statements import correspondence
from damier.server.store.store import StoreFailed, now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store

RETRY = 5.0
"""Seconds after which a match that could not be changed is tried again."""


class Vacations:
    """The vacations of a server's accounts."""

    def __init__(self, store: Store, referee: Referee) -> None:
        self._store, self._referee = store, referee
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Goes on with the vacations that are running, and with those that not all matches know of."""
        wanted = partial(correspondence.current_vacations, now=self._referee.time.now())
        for vacation, is_told in await self._store.read("read vacations", "", wanted):
            self._referee.vacations[vacation.person] = vacation
            if not is_told:
                self._begin_telling(vacation)

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
            correspondence.delete_old_vacations(connection, at - PERIOD * DAY)
            vacation = new_vacation(person, correspondence.vacations_of(connection, person), days, at)
            correspondence.add_vacation(connection, vacation, now())
            return vacation

        await self._tell(await self._store.write("begin a vacation", "", begin))

    async def end(self, person: str) -> None:
        """Ends the vacation of a person, and waits until the matches know of it; raises a `DamierError`."""
        at = self._referee.time.now()

        def end(connection: Connection) -> Vacation:
            vacation = ended_vacation(correspondence.vacations_of(connection, person), at)
            correspondence.end_vacation(connection, vacation)
            return vacation

        await self._tell(await self._store.write("end a vacation", "", end))

    def forget(self, person: str) -> None:
        """Forgets a person whose account is deleted; their matches keep the end of the vacation that they know."""
        self._referee.vacations.pop(person, None)

    # Telling the matches

    async def _tell(self, vacation: Vacation) -> None:
        at = self._referee.time.now()
        current = {person: each for person, each in self._referee.vacations.items() if each.until > at}
        self._referee.vacations = {**current, vacation.person: vacation}
        await asyncio.shield(self._begin_telling(vacation))

    def _begin_telling(self, vacation: Vacation) -> asyncio.Task[None]:
        task = asyncio.create_task(self._tell_all(vacation))
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
            task = asyncio.create_task(self._try_again(vacation))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _try_again(self, vacation: Vacation) -> None:
        await asyncio.sleep(RETRY)
        if self._referee.vacations.get(vacation.person) == vacation:
            await self._tell_all(vacation)
