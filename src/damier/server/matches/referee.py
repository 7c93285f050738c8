"""The referee: the only code that changes a match.

Requests to one match are decided one at a time, under its lock, and what they change is stored in one transaction
before memory or any connection hears of it. Rolls that are due follow at once; the computer's turn is a task that is
tried again until it is done (`computer`). If storing fails, it is not certain whether the change is in the database:
the match reads what it has missed before its next change. Likewise if another process has stored an event of the same
number first: it reads on and decides again.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.correspondence.conditional import ConditionalTurns, has_conditional_turns
from damier.server.correspondence.vacation import Vacation, due_event
from damier.server.doubt import reading_anew
from damier.server.errors import NotFound
from damier.server.hub.elsewhere import Elsewhere, EventBody, is_all
from damier.server.hub.hub import Hub, match_place
from damier.server.hub.local import LocalHub
from damier.server.hub.people_elsewhere import PeopleElsewhere
from damier.server.matches.beginning import MatchTerms, asked_seat, new_match
from damier.server.matches.columns import columns_after
from damier.server.matches.computer import Computer
from damier.server.matches.deadlines import Deadlines, SharedDeadlines
from damier.server.matches.dice import new_seed
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.matches.server_time import ServerTime, SharedTime
from damier.server.operations.metrics import Metrics
from damier.server.people.nicknames import given_nickname
from damier.server.ratings.rating_data import shown_levels, shown_ratings
from damier.server.store.statements.clocks import read_deadlines, take_deadlines
from damier.server.store.statements.correspondence import change_conditional, conditional_of
from damier.server.store.statements.forgetting import forget
from damier.server.store.statements.moving import move
from damier.server.store.store import AppendRaced, Store, StoreFailed, now
from damier.server.store.stored_match import DamagedMatch

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.core.game import Game
    from damier.engine.pool.pool import Workers
    from damier.server.matches.clock import TimeControl
    from damier.server.people.account import AccountName
    from damier.server.wire.ratings import MatchRatings, RatingData

T = TypeVar("T")

_IDLE, _IDLE_EVENTS = 200, 10_000  # matches in memory that nobody follows, and their events: 20 MB at most

_LEASED, _TAKEN = 5000, 16  # milliseconds for which a process has overdue matches, and how many it takes at a time
_RACES = 100  # that a request may lose before it is refused


class UnknownMatch(NotFound):
    """A visitor asked for a match that does not exist."""


class Referee:
    """Runs all matches."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        seconds: float,
        metrics: Metrics | None = None,
        time: ServerTime | None = None,
        hub: Hub | None = None,
    ) -> None:
        self._store, self._metrics = store, metrics or Metrics()
        self._hub = hub or LocalHub()
        self.time = time or (SharedTime() if store.is_shared else ServerTime())
        self.deadlines: Deadlines = (
            SharedDeadlines(self.time, self._take_deadlines, self.expire)
            if store.is_shared
            else Deadlines(self.time, self._read_deadlines, self.expire)
        )
        self._on_end: list[Callable[[LiveMatch], None]] = []
        self._computer = Computer(workers, seconds, self._apply, self._catch_up, self._metrics, self._hub.lease)
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._changes: set[asyncio.Task[Any]] = set()
        self._on_event: list[Callable[[LiveMatch, Event | None], None]] = []
        self._on_stored: list[Callable[[LiveMatch, Event | None], None]] = []
        self._elsewhere = Elsewhere(
            store, self._live, lambda live, seq, told: self._finish(self._read_on(live, seq, told)), self._meet
        )
        self._hub.listen("match", self._elsewhere.hear, self._elsewhere.compare)
        self._hub.listen("state", self._elsewhere.hear_state)
        self._people = PeopleElsewhere(store, self._live, self._hub)
        self._followed: Counter[str] = Counter()
        self.vacations: dict[str, Vacation] = {}
        """The last vacation of each person who is on one, or has just ended one."""

    def on_event(self, callback: Callable[[LiveMatch, Event | None], None]) -> None:
        """Has a callback called after every event of a match, and with None for a match that has begun.

        Of events that other processes store, it is called for matches in memory, and for those of people who are
        followed here (`follow_person`).
        """
        self._on_event.append(callback)

    def on_stored(self, callback: Callable[[LiveMatch, Event | None], None]) -> None:
        """As `on_event`, but only in the process that has stored the event: for what is to be done once."""
        self._on_stored.append(callback)

    async def open(self) -> None:
        """Goes on with the server time, and begins to watch deadlines; raises `StoreFailed`."""
        await self.time.open(self._store, lambda: self.deadlines.is_running)
        self.deadlines.start()

    async def close(self) -> None:
        """Waits for changes that have begun, then cancels what the computer is thinking about, and stops the time."""
        await self.deadlines.close()
        await self._elsewhere.close()
        await self._people.close()
        await asyncio.gather(*self._changes, *self._loading.values(), return_exceptions=True)
        tasks = [live.due for live in self._live.values() if live.due]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.time.close(self._store)

    def on_end(self, callback: Callable[[LiveMatch], None]) -> None:
        """Has a callback called after this process has stored the event that ended a game; it may begin a task."""
        self._on_end.append(callback)

    @property
    def matches_in_memory(self) -> int:
        """The number of matches in memory."""
        return len(self._live)

    # Matches

    async def begin(
        self,
        game: Game,
        seats: Sequence[str | int],
        visitor: str,
        *,
        allows_help: bool = False,
        address: str = "",
        control: TimeControl | None = None,
        is_rated: bool = False,
    ) -> LiveMatch:
        """Begins a match; a seat is ``me``, ``open`` or a level of the computer."""
        if len(seats) != len(game.players):
            raise BadArgument(message("The game has {count} players and needs as many seats.", count=len(game.players)))
        if "me" not in seats:
            raise BadArgument(message("One of the seats must be yours."))
        placed = [asked_seat(player, given, visitor) for player, given in zip(game.players, seats, strict=True)]
        terms = MatchTerms(control, is_rated=is_rated, allows_help=allows_help)
        match = self._new_match(game, placed, visitor, terms)
        return await self._finish(self._begin(match, address))

    async def begin_between(
        self,
        game: Game,
        people: Sequence[str],
        *,
        control: TimeControl | None,
        is_rated: bool,
        origin: str = "",
        also: Callable[..., None] | None = None,
    ) -> LiveMatch:
        """Begins a match between persons, who are given in the order of the seats.

        `also` does more work in the transaction that stores the match; it takes the connection and `match`, the number.
        """
        if len(people) != len(game.players):
            raise BadArgument(message("The game has {count} players and needs as many seats.", count=len(game.players)))
        seats = [Seat(player, PERSON, visitor=person) for player, person in zip(game.players, people, strict=True)]
        match = self._new_match(game, seats, people[0], MatchTerms(control, is_rated=is_rated, origin=origin))
        return await self._finish(self._begin(match, "", partial(also, match=match.number) if also else None))

    def _new_match(self, game: Game, seats: list[Seat], creator: str, terms: MatchTerms) -> Match:
        about = _new_number(), game, seats, new_seed(), creator, now()
        return new_match(*about, terms=terms, at=self.time.now())

    async def _begin(self, match: Match, address: str, also: Callable[[Connection], None] | None = None) -> LiveMatch:
        nicknames = await self._nicknames(match)
        await self._store.add_match(match, also)
        live = await self._keep(match, nicknames, address)
        for callback in (*self._on_event, *self._on_stored):
            callback(live, None)
        self._announce(live, None)
        await self._follow_vacations(live)
        return live

    async def find(self, number: str) -> LiveMatch:
        """Returns a match; raises `UnknownMatch`."""
        live = self._live.get(number)
        if live:
            self._live.move_to_end(number)
            if self._hub.is_deaf:
                await self._elsewhere.compare([number])
            return live
        loading = self._loading.get(number)
        if loading is None:
            loading = self._loading[number] = asyncio.create_task(self._load(number))
            loading.add_done_callback(lambda _: self._loading.pop(number))
        return await asyncio.shield(loading)

    def peek(self, number: str) -> LiveMatch | None:
        """Returns a match if it is in memory."""
        return self._live.get(number)

    def in_memory(self) -> list[LiveMatch]:
        """Returns the matches in memory."""
        return list(self._live.values())

    async def _load(self, number: str) -> LiveMatch:
        with self._elsewhere.loading(number):
            match = await self._store.load(number)
            if match is None:
                raise UnknownMatch(message("There is no such match."))
            live = await self._keep(match, await self._nicknames(match))
        await self._follow_vacations(live)
        return live

    async def recent(self, visitor: str) -> list[LiveMatch]:
        """Returns a visitor's last matches, newest first, without those that are damaged."""
        found = []
        for number in await self._store.recent(visitor):
            with contextlib.suppress(UnknownMatch, DamagedMatch):
                found.append(await self.find(number))
        return found

    async def current(self, visitor: str) -> list[str]:
        """Returns the numbers of the matches in which a visitor plays, newest first; some may be over."""
        return await self._store.current(visitor)

    def let_go(self, number: str) -> bool:
        """Removes a match from memory; returns False if somebody follows it or it is being changed."""
        live = self._live.get(number)
        if live is not None and live.is_in_use:
            return False
        self._live.pop(number, None)
        return True

    async def _nicknames(self, match: Match) -> dict[str, str]:
        return await self._store.nicknames({seat.visitor for seat in match.seats if seat.visitor})

    async def _ratings(self, match: Match, seats: list[Seat]) -> tuple[dict[str, RatingData], MatchRatings | None]:
        """Returns the ratings to show at the seats and what the match has changed in them; none if reading fails."""
        levels = shown_levels(match)
        if match.control is None:
            return levels, None
        try:
            read = partial(shown_ratings, match=match, seats=seats)
            ratings, rated = await self._store.read("read ratings", match.number, read)
        except StoreFailed:
            return levels, None
        return {**levels, **ratings}, rated

    async def _conditional(self, match: Match) -> dict[str, ConditionalTurns]:
        """Returns the conditional turns of the players of a match."""
        if match.record.result or not has_conditional_turns(match):
            return {}
        return await self._store.read(
            "read conditional turns", match.number, lambda given: conditional_of(given, match.number)
        )

    async def _keep(self, match: Match, nicknames: dict[str, str], address: str = "") -> LiveMatch:
        """Keeps a match in memory, and begins what is due in it.

        A match that has just begun may have been loaded meanwhile, by a stream that tells its person of it: there is
        one `LiveMatch` of each match.
        """
        accounts = await self._store.account_names({seat.visitor for seat in match.seats if seat.visitor})
        ratings = await self._ratings(match, match.seats)
        conditional = await self._conditional(match)
        if kept := self._live.get(match.number):
            kept.address = kept.address or address
            return kept
        live = self._live[match.number] = LiveMatch(
            match, address, self.time, self._hub if self._hub.is_shared else None
        )
        live.ratings, live.rated = ratings
        live.conditional = conditional
        live.nicknames |= nicknames
        live.accounts |= accounts
        self._let_idle_go(live)
        async with live.lock:
            self._computer.follow(live)
        self._note_deadline(live)
        return live

    def _let_idle_go(self, kept: LiveMatch) -> None:
        """Removes matches that nobody follows, the longest unused first, if they are too many or too long."""
        idle = [live for live in self._live.values() if live is not kept and not live.is_in_use]
        count = events = 0
        for live in reversed(idle):
            if count == _IDLE or events + live.match.seq > _IDLE_EVENTS:
                del self._live[live.match.number]
            else:
                count, events = count + 1, events + live.match.seq

    # Requests of visitors

    async def nickname(self, visitor: str) -> str:
        """Returns the nickname of a visitor: the one chosen, else the one given."""
        return (await self._store.nicknames([visitor])).get(visitor) or given_nickname(visitor)

    async def rename(self, visitor: str, nickname: str) -> None:
        """Stores a visitor's nickname and informs the matches in which the visitor plays."""
        await self._store.rename(visitor, nickname)
        self._people.tell_renamed(visitor)
        self.show_nickname(visitor, nickname)

    def show_nickname(self, visitor: str, nickname: str) -> None:
        """Shows a visitor's nickname in the matches in memory in which the visitor plays."""
        for live in self._live.values():
            if live.match.players_of(visitor):
                live.rename(visitor, nickname)

    async def forget(self, visitor: str, work: Callable[[Connection], dict[str, str]] | None = None) -> None:
        """Takes a visitor out of all matches, first in the database; the others are told the new nicknames.

        `work` does it in the database, with more in the same transaction; it returns the new names by match.
        """
        await self._finish(self._forget(visitor, work or partial(forget, visitor=visitor)))

    async def _forget(self, visitor: str, work: Callable[[Connection], dict[str, str]]) -> None:
        async with contextlib.AsyncExitStack() as locked:
            for _, live in sorted(self._live.items()):  # always in this order, so that two requests cannot deadlock
                if live.match.players_of(visitor):
                    await locked.enter_async_context(live.lock)
            for number, other in (await self._store.write("forget a visitor", "", work)).items():
                if number in self._live:
                    self._live[number].replace_visitor(visitor, other)
            self._people.tell_forgotten(visitor)

    async def move(self, guest: str, person: str, name: AccountName, work: Callable[[Connection], None]) -> None:
        """Gives all that a guest has to a person with an account, in the transaction of some other `work`."""
        await self._finish(self._move(guest, person, name, work))

    async def _move(self, guest: str, person: str, name: AccountName, work: Callable[[Connection], None]) -> None:
        def store(connection: Connection) -> None:
            work(connection)
            if guest:
                move(connection, guest, person)

        async with contextlib.AsyncExitStack() as locked:
            for _, live in sorted(self._live.items()):  # in the order of `_forget`
                if guest and live.match.players_of(guest):
                    await locked.enter_async_context(live.lock)
            await self._store.write("make an account", "", store)
            await asyncio.gather(*self._loading.values(), return_exceptions=True)  # which may have read the guest
            for live in self._live.values():
                if guest and live.match.players_of(guest):
                    live.move_visitor(guest, person, name)
            if guest:
                self._people.tell_moved(guest, person, name)

    def show_account(self, person: str, name: AccountName) -> None:
        """Shows the name of an account in the matches in which its person plays."""
        for live in self._live.values():
            if live.match.players_of(person) and live.accounts.get(person) != name:
                live.accounts[person] = name
                live.rename(person, name.name)

    async def take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        """Gives the open seat of an invitation to a visitor."""
        await self._finish(self._raced(partial(self._take_seat, live, visitor, invitation)))

    async def _take_seat(self, live: LiveMatch, visitor: str, invitation: str) -> None:
        async with live.lock:
            await self._catch_up(live)
            taken = live.match.take_seat(visitor, invitation)
            if taken is None:
                return
            nicknames = await self._store.nicknames([visitor])
            live.accounts |= await self._store.account_names([visitor])
            event, seats = taken
            ratings, _ = await self._ratings(live.match, seats)
            await self._apply(live, event, visitor, seats=seats, nicknames=nicknames)
            live.ratings = ratings
            await self._take_vacations(live)

    async def act(
        self,
        live: LiveMatch,
        visitor: str,
        request: str,
        do: str,
        *,
        action: str = "",
        yes: bool = False,
        what: str = "",
    ) -> int:
        """Carries out a request once and returns the number of its event; raises a `DamierError` that refuses it."""
        deciding = partial(self._act, live, visitor, request, do, action, yes, what)
        return await self._finish(self._raced(deciding))

    async def _act(
        self, live: LiveMatch, visitor: str, request: str, do: str, action: str, yes: bool, what: str
    ) -> int:
        began, arrived = perf_counter(), self.time.now()
        async with live.lock:
            await self._catch_up(live)
            done = live.match.requests.get((visitor, request))
            if done is not None:
                return done
            await self._take_vacations(live)
            await self._end_if_late(live, arrived)
            if do == "claim":
                if self._hub.is_shared:
                    live.note_elsewhere(await self._hub.look(match_place(live.match.number)))
                event = live.absence.claim(live.match, visitor, what, self.time.now())
            else:
                event = live.match.decide(visitor, do, action=action, yes=yes)
            if event.kind == "play":
                event = live.timed_play(event, arrived)
            following = None
            if event.kind == "rematch":
                begun = self.time.now() if live.match.control else 0
                following = live.match.following(_new_number(), new_seed(), now(), begun)
                event = replace(event, number=following.number)
            await self._apply(live, event, visitor, request, following=following)
            if event.kind == "play":
                self._metrics.action_stored(perf_counter() - began)
            seq = live.match.seq
            await self._go_on(live)
            return seq

    async def _go_on(self, live: LiveMatch) -> None:
        """Rolls what is due, plays conditional turns, and has the computer play its turn."""
        await self._computer.roll(live)
        self._computer.follow(live)

    # Clocks

    async def expire(self, number: str) -> int | None:
        """Ends what is over by the clock in a match; returns the server time at which to look again, None if never."""
        return await self._finish(self._expire(number))

    async def _expire(self, number: str) -> int | None:
        try:
            live = await self.find(number)
        except (UnknownMatch, DamagedMatch):
            return None
        await self._raced(partial(self._look_at_clock, live))
        return live.flag_time()

    async def _look_at_clock(self, live: LiveMatch) -> None:
        async with live.lock:
            await self._catch_up(live)
            is_late = await self._take_vacations(live) or await self._end_if_late(live, self.time.now())
            if is_late:
                await self._go_on(live)

    async def _end_if_late(self, live: LiveMatch, at: int) -> bool:
        """Has the flag fall, or the match aborted, if the running clock was over at a time; tells whether it was."""
        event = live.overdue(at)
        if event is None:
            return False
        self._metrics.flag_fell(max(0, at - (live.flag_time() or at)))
        await self._apply(live, event)
        return True

    async def follow_vacations(self, number: str) -> None:
        """Has a match follow the vacations of its players; raises `StoreFailed`."""
        try:
            live = await self.find(number)
        except (UnknownMatch, DamagedMatch):
            return
        await self.change(live, lambda: self._take_vacations(live))

    async def _follow_vacations(self, live: LiveMatch) -> None:
        """Has a match that is new in memory follow the vacations of its players; a failure is made good later."""
        if self.vacations:
            with contextlib.suppress(StoreFailed):
                async with live.lock:
                    await self._take_vacations(live)

    async def _take_vacations(self, live: LiveMatch) -> bool:
        """Stores which players are on vacation, or have ended one; tells whether a clock was over before that.

        Called under the match's lock.
        """
        while self.vacations and (event := due_event(live.match, self.vacations, self.time.now())):
            if await self._end_if_late(live, event.at or 0):
                return True
            await self._apply(live, event)
        return False

    async def _read_deadlines(self, until: int) -> list[tuple[str, int]]:
        return await self._store.read("read the deadlines", "", partial(read_deadlines, until=until))

    async def _take_deadlines(self, until: int) -> list[str]:
        take = partial(take_deadlines, until=until, lease=_LEASED, most=_TAKEN)
        return await self._store.write("take deadlines", "", take)

    def _note_deadline(self, live: LiveMatch) -> None:
        clocks = live.match.clocks
        if clocks:
            self.deadlines.put(live.match.number, clocks.deadline())

    async def change(self, live: LiveMatch, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Does some work under the lock of a match that is as the database has it, even if the caller is cancelled."""
        return await self._finish(self._change(live, work))

    async def _change(self, live: LiveMatch, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        async with live.lock:
            await self._catch_up(live)
            return await work()

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Finishes a change even if its caller is cancelled: what is stored must be in memory too."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        try:
            return await asyncio.shield(task)
        finally:
            del task  # refers to its exception, and that to this frame: without the cycle the match is freed at once

    async def _raced(self, decide: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Decides again, from what another process has stored first, until the change is stored or refused."""
        for _ in range(_RACES):
            with contextlib.suppress(AppendRaced):
                return await decide()
        return await decide()

    # Events

    async def _apply(
        self,
        live: LiveMatch,
        event: Event,
        visitor: str | None = None,
        request: str | None = None,
        *,
        following: Match | None = None,
        seats: list[Seat] | None = None,
        nicknames: dict[str, str] | None = None,
    ) -> None:
        """Stores an event in one transaction with all that belongs to it, then applies and publishes it.

        `seats` are the new ones if the visitor has taken one, `following` is the match that the event begins.
        """
        match = live.match
        if match.clocks and event.at is None:  # of several processes one may be some milliseconds behind
            event = replace(event, at=max(self.time.now(), match.clocks.since))
        columns = columns_after(match, event, now())
        left = live.conditional_after(event, columns) if live.conditional else None
        try:
            await self._store.append(
                match.number,
                match.seq + 1,
                [event],
                visitor,
                request,
                following=following,
                seats=seats,
                columns=columns,
                also=partial(change_conditional, number=match.number, changed=left) if left else None,
            )
        except StoreFailed:
            live.is_doubtful = True
            raise
        if visitor is not None and request is not None:
            match.requests[visitor, request] = match.seq + 1
        live.nicknames |= nicknames or {}
        if left:
            kept = {**live.conditional, **left}
            live.conditional = {player: turns for player, turns in kept.items() if turns}
        self._publish(live, [event], seats, is_own=True)
        self._announce(live, event, visitor, request)

    def _announce(
        self, live: LiveMatch, event: Event | None, visitor: str | None = None, request: str | None = None
    ) -> None:
        """Has other processes hear of an event that is stored, or of a match that has begun."""
        if self._hub.is_shared:
            match = live.match
            people = tuple(seat.visitor for seat in match.seats if seat.visitor)
            if states := live.shared_states():
                self._hub.announce_at(match_place(match.number), "state", match.number, match.seq, states)
            told = EventBody(event, people, (visitor, request) if visitor and request else None)
            self._hub.announce("match", match.number, match.seq, told.data())

    async def _read_on(self, live: LiveMatch, seq: int, told: EventBody | None) -> None:
        """Applies what another process has stored: the event of a number, if it was told, or what the database has."""
        async with live.lock:
            if live.match.seq >= seq:  # read or stored meanwhile
                return
            is_next = live.match.seq == seq - 1 and not live.is_doubtful
            if told and told.event and is_next and is_all(told.event) and not live.may_have_conditional:
                if told.request:
                    live.match.requests[told.request] = seq
                self._publish(live, [told.event], None)
                self._computer.follow(live, is_heard=True)
                return
            live.is_doubtful = True
            await self._catch_up(live)

    # People whose matches are followed by streams, in memory or not

    def follow_person(self, person: str) -> None:
        """Has `on_event` called for events of this person's matches, wherever they are stored."""
        self._followed[person] += 1

    def unfollow_person(self, person: str) -> None:
        """Ends what `follow_person` has begun."""
        self._followed[person] -= 1
        if self._followed[person] <= 0:
            del self._followed[person]

    async def _meet(self, number: str, people: Sequence[str]) -> None:
        """Loads a match that has changed elsewhere, if one of its people is followed, and has that told."""
        if any(person in self._followed for person in people):
            with contextlib.suppress(UnknownMatch, DamagedMatch):
                live = await self.find(number)
                for heard in self._on_event:
                    heard(live, live.match.events[-1] if live.match.events else None)

    async def _catch_up(self, live: LiveMatch) -> None:
        """Applies what is stored and not in memory, after a failure that left that open."""
        if not live.is_doubtful:
            return
        with reading_anew(live):
            events, requests, seats = await self._store.changes(live.match.number, live.match.seq)
            conditional = await self._conditional(live.match)
        live.match.requests |= requests
        live.conditional = conditional
        if events:
            self._publish(live, events, seats, is_own=not self._hub.is_shared)
            self._computer.follow(live, is_heard=self._hub.is_shared)

    def _publish(
        self, live: LiveMatch, events: Sequence[Event], seats: list[Seat] | None, *, is_own: bool = False
    ) -> None:
        """Changes the match in memory and informs all connections; `is_own` if this process has stored the events."""
        match, live.notice = live.match, None
        was_over = match.record.result is not None
        if seats is not None:
            match.seats = seats
        for event in events:
            match.add(event)
            self._metrics.event_stored(event.kind)
            for listener in tuple(live.listeners):
                listener.handle_event(match.seq, event)
            for heard in (*self._on_event, *(self._on_stored if is_own else ())):
                heard(live, event)
        self._note_deadline(live)
        if is_own and match.record.result and not was_over:
            for callback in self._on_end:
                callback(live)


def _new_number() -> str:
    return secrets.token_urlsafe(9)
