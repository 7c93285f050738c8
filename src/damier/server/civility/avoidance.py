"""Muted and blocked people, in memory and in the database.

Who mutes somebody does not read them. Who blocks somebody is not read by them either, and the two are neither paired
nor challenge each other, and take no seats at one board.

Other processes hear of each change, and read what is stored between the two; when they may have missed one, they read
all. The callbacks are called there, too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotFound
from damier.server.hub.local import LocalHub
from damier.server.people.credentials import new_number
from damier.server.store.statements import avoided as stored
from damier.server.store.statements.avoided import Avoided
from damier.server.store.store import StoreFailed, now

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.matches.match import Match
    from damier.server.store.store import Store
    from damier.server.wire.civility.chat import AvoidedKind


class Avoidance:
    """Who has muted or blocked whom."""

    def __init__(self, store: Store, hub: Hub | None = None) -> None:
        self._store, self._hub = store, hub or LocalHub()
        self._avoided: dict[str, dict[str, Avoided]] = {}
        """By person, then by the other."""

        self._avoiders: dict[str, set[str]] = {}
        """Who has muted or blocked somebody, by that one."""

        self._on_change: list[Callable[[str, str], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._order = asyncio.Lock()  # of what is read, so that memory has what came last
        self._hub.listen("avoided", self._hear)
        self._hub.on_resume(self._read_all)

    async def open(self) -> None:
        """Reads all of them: pairing asks without waiting."""
        await self._read_all()

    async def close(self) -> None:
        """Waits for what is being read."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read_all(self) -> None:
        async with self._order:
            rows = await self._store.read("read who is avoided", "", stored.all_avoided)
            before = {(row.person, row.other): row for rows in self._avoided.values() for row in rows.values()}
            self._avoided, self._avoiders = {}, {}
            for row in rows:
                self._add(row)
        now_there = {(row.person, row.other): row for row in rows}
        for pair in before.keys() | now_there.keys():
            if before.get(pair) != now_there.get(pair):
                self._call(*pair)

    def _hear(self, person: str, _seq: int, other: str) -> None:
        task = asyncio.create_task(self._read_between(person, other))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_between(self, person: str, other: str) -> None:
        """Reads what a person has stored about another, in another process."""
        with contextlib.suppress(StoreFailed):  # which is logged
            async with self._order:
                read = partial(stored.find_avoided, person=person, other=other)
                row = await self._store.read("read who is avoided", "", read)
                if other in self.of(person):
                    self._remove(person, other)
                if row:
                    self._add(row)
            self._call(person, other)

    def _add(self, row: Avoided) -> None:
        self._avoided.setdefault(row.person, {})[row.other] = row
        self._avoiders.setdefault(row.other, set()).add(row.person)

    def _remove(self, person: str, other: str) -> None:
        avoided, avoiders = self._avoided[person], self._avoiders[other]
        del avoided[other]
        avoiders.discard(person)
        if not avoided:
            del self._avoided[person]
        if not avoiders:
            del self._avoiders[other]

    def on_change(self, callback: Callable[[str, str], None]) -> None:
        """Has a function called with each two between whom something has changed."""
        self._on_change.append(callback)

    def of(self, person: str) -> dict[str, Avoided]:
        """Returns those whom a person has muted or blocked."""
        return self._avoided.get(person, {})

    def _has_blocked(self, person: str, other: str) -> bool:
        found = self.of(person).get(other)
        return found is not None and found.kind == "block"

    def are_blocked(self, one: str, other: str) -> bool:
        """Tells whether one of two has blocked the other."""
        return self._has_blocked(one, other) or self._has_blocked(other, one)

    def hides(self, reader: str, author: str) -> bool:
        """Tells whether a reader does not see what an author writes."""
        return author in self.of(reader) or self._has_blocked(author, reader)

    def refuse_blocked(self, match: Match, person: str) -> None:
        """Raises `NotAllowed` if somebody at a board and a person have blocked each other."""
        if any(seat.visitor and self.are_blocked(person, seat.visitor) for seat in match.seats):
            raise NotAllowed(message("You cannot play with this person."))

    async def avoid(self, person: str, other: str, kind: AvoidedKind) -> Avoided:
        """Mutes or blocks somebody; what was done before is replaced."""
        row = Avoided(person, other, new_number(), kind, now())
        async with self._order:
            await self._store.write("avoid a person", "", partial(stored.avoid, row=row))
            self._add(row)
        self._tell(person, other)
        return row

    async def end(self, person: str, number: str) -> None:
        """Ends muting or blocking somebody; raises `NotFound`."""
        end = partial(stored.end_avoiding, person=person, number=number)
        async with self._order:
            other = await self._store.write("end avoiding a person", "", end)
            if other is None:
                raise NotFound(message("There is nothing of that number."))
            if other in self.of(person):
                self._remove(person, other)
        self._tell(person, other)

    def _tell(self, person: str, other: str) -> None:
        self._hub.announce("avoided", person, body=other)
        self._call(person, other)

    def _call(self, person: str, other: str) -> None:
        for callback in self._on_change:
            callback(person, other)

    # People who change: the database has changed already

    def move(self, guest: str, person: str) -> None:
        """Replaces a guest by the person of a new account."""
        for row in self._rows_about(guest):
            self._remove(row.person, row.other)
            one, other = (person if each == guest else each for each in (row.person, row.other))
            self._add(replace(row, person=one, other=other))

    def forget(self, person: str) -> None:
        """Removes a person who is gone."""
        for row in self._rows_about(person):
            self._remove(row.person, row.other)

    def _rows_about(self, person: str) -> list[Avoided]:
        avoiders = self._avoiders.get(person, ())
        return [*self.of(person).values(), *(self._avoided[each][person] for each in avoiders)]
