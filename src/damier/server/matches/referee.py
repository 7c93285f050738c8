"""The referee: the only code that changes a match.

One request at a time is decided in a match; what follows is kept by the store before anybody is told. Rolls that are
due follow at once, and the computer is asked where it is to act; its answer counts only if nothing has changed
meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.engine.levels import LEVELS
from damier.engine.limit import Limit
from damier.engine.pool.pool import ChooseRequest, Workers
from damier.server.matches.dice import new_seed
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Event, Match, NotAllowed, NotFound, NotNow, Seat
from damier.server.store.store import Store, now
from damier.server.view import common_state

if TYPE_CHECKING:
    from damier.core.game import Game

_KEPT = 2_000  # matches in memory; others are read again
_TRIES = 3  # of the computer


class UnknownMatch(NotFound):
    """There is no match with this number."""


class Table:
    """A match that is in memory, with what belongs to its playing."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._common: dict[str, dict[str, Any]] = {}
        self._common_seq = -1
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.rematch: str | None = None
        """The number of the match that follows, once somebody has asked for one."""

    @property
    def here(self) -> set[str]:
        """The visitors who are connected."""
        return {listener.visitor for listener in self.listeners}

    def common_state(self, lang: str) -> dict[str, Any]:
        """Returns the part of the state that everybody is told, made once for all of them."""
        if self._common_seq != self.match.seq:
            self._common, self._common_seq = {}, self.match.seq
        if lang not in self._common:
            self._common[lang] = common_state(self.match, lang)
        return self._common[lang]

    def tell(self, data: dict[str, Any]) -> None:
        """Tells everybody something."""
        for listener in tuple(self.listeners):
            listener.tell(data)


class Listener(Protocol):
    """Somebody who is told what happens in a match."""

    visitor: str

    def tell(self, data: dict[str, Any]) -> None:
        """Is told something."""

    def hear(self, table: Table, seq: int, event: Event) -> None:
        """Is told of an event."""


class Referee:
    """Looks after all matches."""

    def __init__(self, store: Store, workers: Workers, seconds: float) -> None:
        self._store, self._workers, self._seconds = store, workers, seconds
        self._tables: OrderedDict[str, Table] = OrderedDict()

    async def close(self) -> None:
        """Ends what is going on."""
        tasks = [table.thinking for table in self._tables.values() if table.thinking]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Matches

    async def begin(self, game: Game, seats: Sequence[str | int], visitor: str) -> Table:
        """Begins a match; a seat is ``me``, ``open`` or the level of a computer."""
        if len(seats) != len(game.players):
            raise BadArgument(
                message("There are {count} players, so as many seats are needed.", count=len(game.players))
            )
        if "me" not in seats:
            raise BadArgument(message("One of the seats must be yours."))
        placed = [_seat(player, given, visitor) for player, given in zip(game.players, seats, strict=True)]
        match = Match(secrets.token_urlsafe(9), game, placed, new_seed(), visitor, now())
        await self._store.add_match(match, [visitor])
        table = self._keep(match)
        async with table.lock:
            await self._follow(table)
        return table

    async def table(self, number: str) -> Table:
        """Returns a match; raises `UnknownMatch`."""
        if number in self._tables:
            self._tables.move_to_end(number)
            return self._tables[number]
        match = await self._store.load(number)
        if match is None:
            raise UnknownMatch(message("There is no such match."))
        if number in self._tables:  # somebody else was quicker
            return self._tables[number]
        table = self._keep(match)
        async with table.lock:
            await self._follow(table)
        return table

    async def recent(self, visitor: str) -> list[Table]:
        """Returns a visitor's last matches, newest first."""
        return [await self.table(number) for number in await self._store.recent(visitor)]

    def _keep(self, match: Match) -> Table:
        table = self._tables[match.number] = Table(match)
        for number, other in list(self._tables.items()):
            if len(self._tables) <= _KEPT:
                break
            if other is not table and not (other.listeners or other.thinking or other.lock.locked()):
                del self._tables[number]
        return table

    # What visitors ask for

    async def take_seat(self, table: Table, visitor: str, invitation: str) -> None:
        """Gives an open seat to a visitor who knows its invitation."""
        async with table.lock:
            event = table.match.take_seat(visitor, invitation)
            if event is not None:
                await self._store.change_seats(table.match, visitor)
                await self._happen(table, [event], visitor, None)

    async def rematch(self, table: Table, visitor: str) -> str:
        """Begins the match that follows one, with the same people and levels on other seats; returns its number."""
        async with table.lock:
            match = table.match
            if visitor not in {seat.visitor for seat in match.seats}:
                raise NotAllowed(message("You are watching this match: only who has a seat can act."))
            if match.record.result is None:
                raise NotNow(message("The game is not over yet."))
            if table.rematch is None:
                before = match.seats[1:] + match.seats[:1]
                pairs = zip(match.game.players, before, strict=True)
                seats = [replace(seat, player=player) for player, seat in pairs]
                other = Match(secrets.token_urlsafe(9), match.game, seats, new_seed(), match.creator, now())
                await self._store.add_match(other, [seat.visitor for seat in seats if seat.visitor])
                table.rematch = other.number
                following = self._keep(other)
                async with following.lock:
                    await self._follow(following)
            return table.rematch

    async def act(
        self, table: Table, visitor: str, request: str, do: str, *, action: str = "", yes: bool = False
    ) -> int:
        """Does what a visitor asks for, once; returns the number of the event. Raises a `DamierError` if refused."""
        async with table.lock:
            done = table.match.requests.get((visitor, request))
            if done is not None:
                return done
            event = table.match.decide(visitor, do, action=action, yes=yes)
            await self._happen(table, [event], visitor, request)
            seq = table.match.seq
            await self._follow(table)
            return seq

    # What happens

    async def _happen(
        self, table: Table, events: Sequence[Event], visitor: str | None = None, request: str | None = None
    ) -> None:
        """Keeps events, then makes them happen and tells everybody."""
        match = table.match
        await self._store.append(match.number, match.seq + 1, events, visitor, request)
        if visitor is not None and request is not None:
            match.requests[visitor, request] = match.seq + 1
        for event in events:
            match.add(event)
            for listener in tuple(table.listeners):
                listener.hear(table, match.seq, event)

    async def _follow(self, table: Table) -> None:
        """Rolls the die where it is due, and asks the computer where it is to act."""
        while roll := table.match.due_roll():
            await self._happen(table, [roll])
        if table.thinking and not table.thinking.done():
            table.thinking.cancel()
        table.thinking = None
        level = table.match.due_level()
        if level is not None:
            table.thinking = asyncio.create_task(self._think(table, level))

    async def _think(self, table: Table, level: int) -> None:
        """Lets the computer choose and plays what it has chosen, unless something has happened meanwhile."""
        match = table.match
        seq, player = match.seq, match.record.mover
        table.tell({"type": "thinking", "player": player})
        request = ChooseRequest(
            match.game,
            actions=match.record.played,
            level=level,
            seed=int.from_bytes(match.seed[:4], "big"),
            limit=Limit(seconds=self._seconds),
        )
        for _ in range(_TRIES):
            with contextlib.suppress(DamierError):
                chosen = await self._workers.submit(request, owner=match.creator)
                break
        else:
            return
        async with table.lock:
            if match.seq != seq:
                return
            table.thinking = None  # it is this one, which must not be ended by what follows
            for action in chosen:
                if match.record.result or match.record.mover != player:
                    break
                await self._happen(table, [Event("play", player, action)])
            await self._follow(table)


def _seat(player: str, given: str | int, visitor: str) -> Seat:
    """Returns a seat as somebody wants it."""
    if given == "me":
        return Seat(player, PERSON, visitor=visitor)
    if given == "open":
        return Seat(player, OPEN, invitation=secrets.token_urlsafe(12))
    if isinstance(given, int) and given in LEVELS:
        return Seat(player, COMPUTER, level=given)
    raise BadArgument(message("A seat is yours, open, or has a level from 1 to 8."))
