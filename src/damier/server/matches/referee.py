"""The referee: the only code that changes a match.

Requests to one match are decided one at a time, under its lock, and events are stored before any connection hears of
them. Rolls that are due follow at once. Where the computer is to act, a worker process is asked; its answer is dropped
if the match has changed meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.engine.levels import LEVELS
from damier.engine.limit import Limit
from damier.engine.pool.pool import ChooseRequest, Workers
from damier.server.errors import NotFound
from damier.server.matches.dice import new_seed
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Event, Match, Seat
from damier.server.nicknames import given_nickname
from damier.server.store.store import Store, StoreFailed, now
from damier.server.wire.matches import ThinkingMessage

if TYPE_CHECKING:
    from damier.core.game import Game

T = TypeVar("T")

_log = logging.getLogger(__name__)

_KEPT = 2_000  # matches in memory; others are loaded again
_ATTEMPTS = 3  # to get an answer of the computer


class UnknownMatch(NotFound):
    """A visitor asked for a match that does not exist."""


class Referee:
    """Runs all matches."""

    def __init__(self, store: Store, workers: Workers, seconds: float) -> None:
        self._store, self._workers, self._seconds = store, workers, seconds
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._changes: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Waits for changes that have begun, then cancels what the computer is thinking about."""
        await asyncio.gather(*self._changes, return_exceptions=True)
        tasks = [live.thinking for live in self._live.values() if live.thinking]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Matches

    async def begin(
        self, game: Game, seats: Sequence[str | int], visitor: str, *, allows_help: bool = False
    ) -> LiveMatch:
        """Begins a match; a seat is ``me``, ``open`` or a level of the computer."""
        if len(seats) != len(game.players):
            raise BadArgument(message("The game has {count} players and needs as many seats.", count=len(game.players)))
        if "me" not in seats:
            raise BadArgument(message("One of the seats must be yours."))
        placed = [_seat(player, given, visitor) for player, given in zip(game.players, seats, strict=True)]
        match = Match(_new_number(), game, placed, new_seed(), visitor, now(), allows_help=allows_help)
        await self._store.add_match(match)
        live = self._keep(match, await self._nicknames(match))
        async with live.lock:
            await self._follow(live)
        return live

    async def find(self, number: str) -> LiveMatch:
        """Returns a match; raises `UnknownMatch`."""
        if number in self._live:
            self._live.move_to_end(number)
            return self._live[number]
        match = await self._store.load(number)
        if match is None:
            raise UnknownMatch(message("There is no such match."))
        nicknames = await self._nicknames(match)
        if number in self._live:  # another request loaded it meanwhile
            return self._live[number]
        live = self._keep(match, nicknames)
        async with live.lock:
            await self._follow(live)
        return live

    async def recent(self, visitor: str) -> list[LiveMatch]:
        """Returns a visitor's last matches, newest first."""
        return [await self.find(number) for number in await self._store.recent(visitor)]

    async def _nicknames(self, match: Match) -> dict[str, str]:
        return await self._store.nicknames({seat.visitor for seat in match.seats if seat.visitor})

    def _keep(self, match: Match, nicknames: dict[str, str]) -> LiveMatch:
        live = self._live[match.number] = LiveMatch(match)
        live.nicknames |= nicknames
        for number, other in list(self._live.items()):
            if len(self._live) <= _KEPT:
                break
            if other is not live and not (other.listeners or other.thinking or other.lock.locked()):
                del self._live[number]
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

    async def take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        """Gives the open seat of an invitation to a visitor."""
        await self._finish(self._take_seat(live, visitor, invitation))

    async def _take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        async with live.lock:
            live.nicknames |= await self._store.nicknames([visitor])
            before = list(live.match.seats)
            event = live.match.take_seat(visitor, invitation)
            if event is None:
                return
            try:
                await self._store.change_seats(live.match, visitor)
            except StoreFailed:
                live.match.seats = before
                raise
            await self._apply(live, [event], visitor, None)

    async def act(
        self, live: LiveMatch, visitor: str, request: str, do: str, *, action: str = "", yes: bool = False
    ) -> int:
        """Carries out a request once and returns the number of its event; raises a `DamierError` that refuses it."""
        return await self._finish(self._act(live, visitor, request, do, action, yes))

    async def _act(self, live: LiveMatch, visitor: str, request: str, do: str, action: str, yes: bool) -> int:
        async with live.lock:
            done = live.match.requests.get((visitor, request))
            if done is not None:
                return done
            event = live.match.decide(visitor, do, action=action, yes=yes)
            following = None
            if event.kind == "rematch":
                following = live.match.following(_new_number(), new_seed(), now())
                event = replace(event, number=following.number)
            await self._apply(live, [event], visitor, request, following)
            seq = live.match.seq
            await self._follow(live)
            return seq

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Finishes a change even if its caller is cancelled: what is stored must be in memory too."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    # Events

    async def _apply(
        self,
        live: LiveMatch,
        events: Sequence[Event],
        visitor: str | None = None,
        request: str | None = None,
        following: Match | None = None,
    ) -> None:
        """Stores events, and with them the match that they begin; then applies them and informs all connections."""
        match = live.match
        await self._store.append(match.number, match.seq + 1, events, visitor, request, following)
        if visitor is not None and request is not None:
            match.requests[visitor, request] = match.seq + 1
        for event in events:
            match.add(event)
            for listener in tuple(live.listeners):
                listener.handle_event(match.seq, event)

    async def _follow(self, live: LiveMatch) -> None:
        """Rolls the die if that is due, and lets the computer think if it is to act."""
        while roll := live.match.due_roll():
            await self._apply(live, [roll])
        if live.thinking and not live.thinking.done():
            live.thinking.cancel()
        live.thinking = None
        level = live.match.due_level()
        if level is not None:
            live.thinking = asyncio.create_task(self._think(live, level))
            live.thinking.add_done_callback(partial(_log_failure, number=live.match.number))

    async def _think(self, live: LiveMatch, level: int) -> None:
        """Plays the computer's choice, unless the match has changed meanwhile."""
        match = live.match
        seq, player = match.seq, match.record.mover
        live.broadcast(ThinkingMessage(type="thinking", player=player))
        request = ChooseRequest(
            match.game,
            actions=match.record.played,
            level=level,
            seed=int.from_bytes(match.seed[:4], "big"),
            limit=Limit(seconds=self._seconds),
        )
        chosen = await self._choose(request, match)
        if chosen is None:
            return
        async with live.lock:
            if match.seq != seq:
                return
            live.thinking = None  # this task, which `_follow` must not cancel
            for action in chosen:
                if match.record.result or match.record.mover != player:
                    break
                await self._apply(live, [Event("play", player, action)])
            await self._follow(live)

    async def _choose(self, request: ChooseRequest, match: Match) -> list[str] | None:
        """Returns the computer's choice, or None if the engine failed every time."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return list(await self._workers.submit(request, owner=match.creator))
            except DamierError as error:
                extra = {"match": match.number, "attempt": attempt}
                _log.warning("Match %s: the engine failed, attempt %d: %s", match.number, attempt, error, extra=extra)
        _log.error(
            "Match %s: the engine failed %d times. The match waits; loading it again asks the engine again.",
            match.number,
            _ATTEMPTS,
            extra={"match": match.number},
        )
        return None


def _log_failure(task: asyncio.Task[None], number: str) -> None:
    """Logs what ended the computer's turn, unless it was done or cancelled."""
    if not task.cancelled() and (error := task.exception()):
        _log.error(
            "Match %s: the computer's action was not played. The match waits; loading it again lets it go on.",
            number,
            exc_info=error,
            extra={"match": number},
        )


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
