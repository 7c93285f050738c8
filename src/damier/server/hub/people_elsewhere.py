"""People of matches in memory who are connected to other processes, or whose seats and names others have changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from damier.server.hub.hub import match_place
from damier.server.people.account import AccountName
from damier.server.store.store import StoreFailed

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.store.store import Store


class PeopleElsewhere:
    """Has the matches in memory follow who comes and goes, and who is renamed, moved or forgotten, elsewhere."""

    def __init__(self, store: Store, live: Mapping[str, LiveMatch], hub: Hub) -> None:
        self._store, self._live, self._hub = store, live, hub
        self._tasks: set[asyncio.Task[None]] = set()
        hub.listen("here", self._presence_changed)
        hub.listen("goodbye", self._said_goodbye)
        hub.listen("seats", self._renamed)
        hub.listen("forgotten", self._renamed)
        hub.listen("moved", self._moved)
        hub.on_resume(self._renew_all)

    async def close(self) -> None:
        """Waits for those that are reading."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What this process has changed

    def tell_renamed(self, person: str) -> None:
        """Announces that a person has another name."""
        self._hub.announce("seats", person)

    def tell_forgotten(self, person: str) -> None:
        """Announces that the seats of a person have another holder, who is nobody."""
        self._hub.announce("forgotten", person)

    def tell_moved(self, guest: str, person: str, name: AccountName) -> None:
        """Announces that a guest is now the person of an account."""
        about = {"person": person, "name": name.name, "is_program": name.is_program}
        self._hub.announce("moved", guest, body=about)

    # What other processes have changed

    def _presence_changed(self, place: str, _seq: int, _body: Any) -> None:
        if live := self._live.get(place.removeprefix(match_place(""))):
            live.note_elsewhere(self._hub.people(place))

    def _said_goodbye(self, number: str, _seq: int, visitor: str) -> None:
        if live := self._live.get(number):
            live.note_goodbye(visitor)

    def _moved(self, guest: str, _seq: int, body: Any) -> None:
        if "name" not in body:  # the session has moved, too; that is for others
            return
        name = AccountName(body["name"], is_program=body["is_program"])
        for live in self._live.values():
            if live.match.players_of(guest):
                live.move_visitor(guest, body["person"], name)

    def _renamed(self, person: str, _seq: int, _body: Any) -> None:
        found = [live for live in self._live.values() if live.match.players_of(person)]
        if found:
            task = asyncio.create_task(self._renew(found))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _renew_all(self) -> None:
        await self._renew([live for live in self._live.values() if live.listeners])

    async def _renew(self, lives: Sequence[LiveMatch]) -> None:
        """Reads seats and names of matches again."""
        for live in lives:
            with contextlib.suppress(StoreFailed):  # which is logged
                async with live.lock:
                    _, _, seats = await self._store.changes(live.match.number, live.match.seq)
                    people = {seat.visitor for seat in seats if seat.visitor}
                    nicknames, accounts = await self._store.nicknames(people), await self._store.account_names(people)
                    live.renew_people(seats, nicknames, accounts)
