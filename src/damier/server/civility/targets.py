"""Finds the person whom a request is about: by account, by seat, or by a message that the visitor can read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.civility.rooms import rooms_in
from damier.server.errors import NotFound
from damier.server.store.statements.chat import StoredLine, find_line

if TYPE_CHECKING:
    from damier.server.matches.referee import Referee
    from damier.server.people.accounts import Accounts
    from damier.server.store.store import Store
    from damier.server.wire.civility.people import PersonTarget


@dataclass(frozen=True)
class Target:
    """Somebody whom a request is about."""

    person: str
    match: str | None = None
    room: str = "players"
    """Where they were met."""


@dataclass(frozen=True)
class Targets:
    """Finds people."""

    store: Store
    referee: Referee
    accounts: Accounts

    async def find(self, asking: str, asked: PersonTarget) -> Target:
        """Returns whom a visitor means; raises `BadArgument` or `NotFound`."""
        found = await self._find(asking, asked)
        if found.person == asking:
            raise BadArgument(message("That is you: choose somebody else."))
        return found

    async def _find(self, asking: str, asked: PersonTarget) -> Target:
        given = tuple(value is not None for value in (asked.account, asked.match, asked.player, asked.line))
        if given == (True, False, False, False):
            return await self._account(asked.account or "")
        if given == (False, True, True, False):
            live = await self.referee.find(asked.match or "")
            seats = [seat.visitor for seat in live.match.seats if seat.player == asked.player]
            if not seats or not seats[0]:
                raise NotFound(message("Nobody sits there."))
            return Target(seats[0], live.match.number)
        if given == (False, True, False, True):
            line = await self._line(asking, asked.match or "", asked.line or 0)
            return Target(line.person, line.match, line.room)
        raise BadArgument(message("Name an account, or a match with a player or a message."))

    async def _account(self, name: str) -> Target:
        account = await self.accounts.find(name)
        if account is None or account.name.lower() != name.lower():
            raise NotFound(message("There is no such account."))
        return Target(account.person)

    async def _line(self, asking: str, match: str, number: int) -> StoredLine:
        live = await self.referee.find(match)
        find = partial(find_line, match=match, number=number)
        line = await self.store.read("find a message", match, find)
        if line is None or line.room not in rooms_in(live.match, asking):
            raise NotFound(message("There is no such message."))
        return line
