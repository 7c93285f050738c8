"""The referee: the only code that changes a match.

Requests to one match are decided one at a time, under its lock, and what they change is stored in one transaction
before memory or any connection hears of it. Rolls that are due follow at once; the computer's turn is a task that is
tried again until it is done (`computer`). If storing fails, it is not certain whether the change is in the database:
the match reads what it has missed before its next change.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.engine.levels import LEVELS
from damier.server.errors import NotFound
from damier.server.matches.computer import Computer
from damier.server.matches.dice import new_seed
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Event, Match, Seat
from damier.server.operations.metrics import Metrics
from damier.server.people.nicknames import given_nickname
from damier.server.store.store import Store, StoreFailed, now
from damier.server.store.stored_match import DamagedMatch

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.pool.pool import Workers

T = TypeVar("T")

_IDLE = 500  # matches in memory that nobody follows, about 20 MB; others are loaded again


class UnknownMatch(NotFound):
    """A visitor asked for a match that does not exist."""


class Referee:
    """Runs all matches."""

    def __init__(self, store: Store, workers: Workers, seconds: float, metrics: Metrics | None = None) -> None:
        self._store, self._metrics = store, metrics or Metrics()
        self._computer = Computer(workers, seconds, self._apply, self._catch_up, self._metrics)
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._changes: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Waits for changes that have begun, then cancels what the computer is thinking about."""
        await asyncio.gather(*self._changes, *self._loading.values(), return_exceptions=True)
        tasks = [live.due for live in self._live.values() if live.due]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def matches_in_memory(self) -> int:
        """The number of matches in memory."""
        return len(self._live)

    # Matches

    async def begin(
        self, game: Game, seats: Sequence[str | int], visitor: str, *, allows_help: bool = False, address: str = ""
    ) -> LiveMatch:
        """Begins a match; a seat is ``me``, ``open`` or a level of the computer."""
        if len(seats) != len(game.players):
            raise BadArgument(message("The game has {count} players and needs as many seats.", count=len(game.players)))
        if "me" not in seats:
            raise BadArgument(message("One of the seats must be yours."))
        placed = [_seat(player, given, visitor) for player, given in zip(game.players, seats, strict=True)]
        match = Match(_new_number(), game, placed, new_seed(), visitor, now(), allows_help=allows_help)
        while roll := match.due_roll():
            match.add(roll)
        return await self._finish(self._begin(match, address))

    async def _begin(self, match: Match, address: str) -> LiveMatch:
        nicknames = await self._nicknames(match)
        await self._store.add_match(match)
        return await self._keep(match, nicknames, address)

    async def find(self, number: str) -> LiveMatch:
        """Returns a match; raises `UnknownMatch`."""
        live = self._live.get(number)
        if live:
            self._live.move_to_end(number)
            return live
        loading = self._loading.get(number)
        if loading is None:
            loading = self._loading[number] = asyncio.create_task(self._load(number))
            loading.add_done_callback(lambda _: self._loading.pop(number))
        return await asyncio.shield(loading)

    async def _load(self, number: str) -> LiveMatch:
        match = await self._store.load(number)
        if match is None:
            raise UnknownMatch(message("There is no such match."))
        return await self._keep(match, await self._nicknames(match))

    async def recent(self, visitor: str) -> list[LiveMatch]:
        """Returns a visitor's last matches, newest first, without those that are damaged."""
        found = []
        for number in await self._store.recent(visitor):
            with contextlib.suppress(UnknownMatch, DamagedMatch):
                found.append(await self.find(number))
        return found

    def let_go(self, number: str) -> bool:
        """Removes a match from memory; returns False if somebody follows it or it is being changed."""
        live = self._live.get(number)
        if live is not None and live.is_in_use:
            return False
        self._live.pop(number, None)
        return True

    async def _nicknames(self, match: Match) -> dict[str, str]:
        return await self._store.nicknames({seat.visitor for seat in match.seats if seat.visitor})

    async def _keep(self, match: Match, nicknames: dict[str, str], address: str = "") -> LiveMatch:
        """Keeps a match in memory, and begins what is due in it."""
        live = self._live[match.number] = LiveMatch(match, address)
        live.nicknames |= nicknames
        if len(self._live) > _IDLE:
            idle = [number for number, other in self._live.items() if other is not live and not other.is_in_use]
            for number in idle[:-_IDLE]:
                del self._live[number]
        async with live.lock:
            self._computer.follow(live)
        return live

    # Requests of visitors

    async def nickname(self, visitor: str) -> str:
        """Returns the nickname of a visitor: the one chosen, else the one given."""
        return (await self._store.nicknames([visitor])).get(visitor) or given_nickname(visitor)

    async def rename(self, visitor: str, nickname: str) -> None:
        """Stores a visitor's nickname and informs the matches in which the visitor plays."""
        await self._store.rename(visitor, nickname)
        for live in self._live.values():
            if live.match.players_of(visitor):
                live.rename(visitor, nickname)

    async def forget(self, visitor: str) -> None:
        """Takes a visitor out of all matches, first in the database; the others are told the new nicknames."""
        await self._finish(self._forget(visitor))

    async def _forget(self, visitor: str) -> None:
        async with contextlib.AsyncExitStack() as locked:
            for _, live in sorted(self._live.items()):  # always in this order, so that two requests cannot deadlock
                if live.match.players_of(visitor):
                    await locked.enter_async_context(live.lock)
            for number, other in (await self._store.forget(visitor)).items():
                if number in self._live:
                    self._live[number].replace_visitor(visitor, other)

    async def take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        """Gives the open seat of an invitation to a visitor."""
        await self._finish(self._take_seat(live, visitor, invitation))

    async def _take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        async with live.lock:
            await self._catch_up(live)
            taken = live.match.take_seat(visitor, invitation)
            if taken is None:
                return
            nicknames = await self._store.nicknames([visitor])
            event, seats = taken
            await self._apply(live, [event], visitor, seats=seats, nicknames=nicknames)

    async def act(
        self, live: LiveMatch, visitor: str, request: str, do: str, *, action: str = "", yes: bool = False
    ) -> int:
        """Carries out a request once and returns the number of its event; raises a `DamierError` that refuses it."""
        return await self._finish(self._act(live, visitor, request, do, action, yes))

    async def _act(self, live: LiveMatch, visitor: str, request: str, do: str, action: str, yes: bool) -> int:
        began = perf_counter()
        async with live.lock:
            await self._catch_up(live)
            done = live.match.requests.get((visitor, request))
            if done is not None:
                return done
            event = live.match.decide(visitor, do, action=action, yes=yes)
            following = None
            if event.kind == "rematch":
                following = live.match.following(_new_number(), new_seed(), now())
                event = replace(event, number=following.number)
            await self._apply(live, [event], visitor, request, following=following)
            if event.kind == "play":
                self._metrics.action_stored(perf_counter() - began)
            seq = live.match.seq
            await self._computer.roll(live)
            self._computer.follow(live)
            return seq

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Finishes a change even if its caller is cancelled: what is stored must be in memory too."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        try:
            return await asyncio.shield(task)
        finally:
            del task  # refers to its exception, and that to this frame: without the cycle the match is freed at once

    # Events

    async def _apply(
        self,
        live: LiveMatch,
        events: Sequence[Event],
        visitor: str | None = None,
        request: str | None = None,
        *,
        following: Match | None = None,
        seats: list[Seat] | None = None,
        nicknames: dict[str, str] | None = None,
    ) -> None:
        """Stores events in one transaction with all that belongs to them, then applies and publishes them.

        `seats` are the new ones if the visitor has taken one, `following` is the match that the events begin.
        """
        match = live.match
        try:
            await self._store.append(
                match.number, match.seq + 1, events, visitor, request, following=following, seats=seats
            )
        except StoreFailed:
            live.is_doubtful = True
            raise
        if visitor is not None and request is not None:
            match.requests[visitor, request] = match.seq + 1
        live.nicknames |= nicknames or {}
        self._publish(live, events, seats)

    async def _catch_up(self, live: LiveMatch) -> None:
        """Applies what is stored and not in memory, after a failure that left that open."""
        if not live.is_doubtful:
            return
        events, requests, seats = await self._store.changes(live.match.number, live.match.seq)
        live.is_doubtful = False
        live.match.requests |= requests
        if events:
            self._publish(live, events, seats)
            self._computer.follow(live)

    def _publish(self, live: LiveMatch, events: Sequence[Event], seats: list[Seat] | None) -> None:
        """Changes the match in memory and informs all connections."""
        match, live.notice = live.match, None
        if seats is not None:
            match.seats = seats
        for event in events:
            match.add(event)
            self._metrics.event_stored(event.kind)
            for listener in tuple(live.listeners):
                listener.handle_event(match.seq, event)


def _new_number() -> str:
    return secrets.token_urlsafe(9)


def _seat(player: str, given: str | int, visitor: str) -> Seat:
    """Returns the seat that a visitor asked for."""
    if given == "me":
        return Seat(player, PERSON, visitor=visitor)
    if given == "open":
        return Seat(player, OPEN, invitation=secrets.token_urlsafe(12))
    if isinstance(given, int) and given in LEVELS:
        return Seat(player, COMPUTER, level=given)
    low, high = LEVELS[0], LEVELS[-1]
    raise BadArgument(message("A seat is yours, open, or has a level from {low} to {high}.", low=low, high=high))
