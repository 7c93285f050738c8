"""Muted and blocked people, in memory and in the database.

Who mutes somebody does not read them. Who blocks somebody is not read by them either, and the two are neither paired
nor challenge each other, and take no seats at one board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotFound
from damier.server.people.credentials import new_number
from damier.server.store.statements import avoided as stored
from damier.server.store.statements.avoided import Avoided
from damier.server.store.store import now

if TYPE_CHECKING:
    from damier.server.matches.match import Match
    from damier.server.store.store import Store
    from damier.server.wire.civility.chat import AvoidedKind


class Avoidance:
    """Who has muted or blocked whom."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._avoided: dict[str, dict[str, Avoided]] = {}
        """By person, then by the other."""

        self._avoiders: dict[str, set[str]] = {}
        """Who has muted or blocked somebody, by that one."""

        self._on_change: list[Callable[[str, str], None]] = []

    async def open(self) -> None:
        """Reads all of them: pairing asks without waiting."""
        for row in await self._store.read("read who is avoided", "", stored.all_avoided):
            self._add(row)

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
        await self._store.write("avoid a person", "", partial(stored.avoid, row=row))
        self._add(row)
        self._tell(person, other)
        return row

    async def end(self, person: str, number: str) -> None:
        """Ends muting or blocking somebody; raises `NotFound`."""
        end = partial(stored.end_avoiding, person=person, number=number)
        other = await self._store.write("end avoiding a person", "", end)
        if other is None:
            raise NotFound(message("There is nothing of that number."))
        if other in self.of(person):
            self._remove(person, other)
        self._tell(person, other)

    def _tell(self, person: str, other: str) -> None:
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
