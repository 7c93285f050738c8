"""Runs all tournaments: stores what people ask for and what is due, begins the matches, and counts their results.

A tournament is changed under its lock, in the database first, then in memory. Whatever is due follows from the stored
events. A match is begun with an origin that names its game, and looked up by it before: a server that is killed between
beginning a match and recording it finds it again. Results come from the referee when a match ends; when a tournament is
loaded, its games that are not over are compared with their matches. If anything fails, it is tried again later.

One process waits for the next time at which something is due. Of several, each looks every second into the database for
tournaments that are due, and takes them for some seconds; requests and results are followed up where they come in. Two
that do the same at once do no harm: an event is stored once, and a game has one match (`kept`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import damier
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.server.errors import NotNow
from damier.server.hub.local import LocalHub
from damier.server.matches.referee import UnknownMatch
from damier.server.matches.shared_games import shared_game
from damier.server.store.statements import tournaments as statements
from damier.server.store.store import AppendRaced, Store, StoreFailed, now
from damier.server.store.stored_match import DamagedMatch
from damier.server.tasks import cancel
from damier.server.tournaments.due import look_time, next_time, what_is_due
from damier.server.tournaments.kept import KeptTournaments
from damier.server.tournaments.live_tournament import FIRST_PAUSE, DamagedTournament, LiveTournament
from damier.server.tournaments.outcome import GameOutcome, origin_text, outcome_of, parse_origin
from damier.server.tournaments.pairing import next_pairs
from damier.server.tournaments.times import later, seconds_between
from damier.server.tournaments.tournament import Tournament, TournamentEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.ratings.ratings import MatchRater
    from damier.server.store.statements.tournaments import ListedTournament
    from damier.server.tournaments.terms import TournamentTerms
    from damier.server.tournaments.tournament import TournamentGame

_log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_OPEN = 5  # tournaments of a maker that are not over
LISTED = 20  # on a page of a list
_LONGEST_PAUSE = 30.0  # seconds between attempts; each pause is twice the one before
_LONGEST_WAIT = 366 * 24 * 3600.0  # seconds until a tournament starts
_LONGEST_SLEEP = 3600.0  # seconds: a clock may be set
_RACES = 100  # that a change may lose before it fails

# Among several processes
_POLL = 1.0  # seconds between two looks at what is due
_TAKEN_SECONDS, _TAKEN = 30.0, 10  # for which a process takes tournaments that are due, and how many at a time


class Tournaments:
    """Runs all tournaments."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        ratings: MatchRater,
        clock: Callable[[], str] = now,
        hub: Hub | None = None,
    ) -> None:
        """`clock` returns the time, as `store.now` does."""
        self._store, self._referee, self._ratings, self._clock = store, referee, ratings, clock
        self._hub = hub or LocalHub()
        self._tasks: set[asyncio.Task[None]] = set()
        self._kept = KeptTournaments(store, self._hub, clock, self._begin_task)
        self._changed = asyncio.Event()
        self._timer: asyncio.Task[None] | None = None
        self._is_closing = False
        referee.on_end(self._match_ended)

    def start(self) -> None:
        """Loads the tournaments that are not over, and begins to do what is due, now and from then on."""
        self._timer = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops; what has begun to be stored is finished."""
        self._is_closing = True
        await cancel(self._timer)
        for live in self._kept.open.values():
            await cancel(live.retry)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Requests

    async def make(self, maker: str, terms: TournamentTerms) -> Tournament:
        """Makes a tournament; raises `BadArgument` or `NotNow`."""
        game = damier.load(terms.game, **terms.options)
        if len(game.players) != 2:
            raise BadArgument(message("Tournaments are for two players: tables of three and four are not paired."))
        if terms.is_rated and game.options != damier.load(terms.game).options:
            raise BadArgument(message("A rated tournament is played with the usual options."))
        if terms.starts is not None and terms.starts <= self._clock():
            raise BadArgument(message("The tournament cannot start in the past."))
        if terms.starts is not None and terms.starts > later(self._clock(), _LONGEST_WAIT):
            raise BadArgument(message("A tournament starts within a year."))
        tournament = Tournament(secrets.token_urlsafe(6), terms, maker, self._clock())

        def add(connection: Connection) -> None:
            if statements.count_open(connection, maker) >= MOST_OPEN:
                most = MOST_OPEN
                raise NotNow(message("You have made {most} tournaments that are not over: wait for one.", most=most))
            statements.add_tournament(connection, tournament)

        await self._store.write("add the tournament", tournament.number, add)
        self._kept.announce(self._kept.keep(tournament))
        self._changed.set()
        return tournament

    async def find(self, number: str) -> Tournament:
        """Returns a tournament; raises `NotFound`."""
        return (await self._kept.find(number)).tournament

    def title_of(self, number: str) -> str:
        """Returns the title of a tournament that is in memory, else ""."""
        live = self._kept.peek(number)
        return live.tournament.terms.title if live else ""

    async def listed(self, statuses: Sequence[str], before: str) -> list[ListedTournament]:
        """Returns a page of tournaments with one of some states, newest first, made before a time."""
        find = partial(statements.list_tournaments, statuses=statuses, before=before, limit=LISTED)
        return await self._store.read("list the tournaments", "", find)

    async def act(self, number: str, person: str, do: str) -> Tournament:
        """Carries out a request: ``join``, ``withdraw``, ``start`` or ``cancel``; raises a `DamierError`."""
        live = await self._kept.find(number)
        rating = await self._rating(person, live.tournament.terms) if do == "join" else 0

        async def change() -> None:
            async with live.lock:
                await self._kept.catch_up(live)
                await self._kept.append(live, live.tournament.decide(person, do, self._clock(), rating))

        await self._finish(self._raced(change))
        self._advance_soon(live)
        return live.tournament

    async def forget(self, person: str) -> None:
        """Withdraws a person from all tournaments and gives their place a random name, first in the database."""
        await self._finish(self._raced(partial(self._forget, person)))

    async def _forget(self, person: str) -> None:
        async with contextlib.AsyncExitStack() as locked:
            found = await self._kept.with_person(person)  # always in the same order: two cannot deadlock
            for live in found:
                await locked.enter_async_context(live.lock)
                await self._kept.catch_up(live)
                if person in live.tournament.active and live.tournament.status in statements.OPEN:
                    await self._kept.append(live, live.tournament.decide(person, "withdraw", self._clock()))
            forget = partial(statements.forget_person, person=person, other=secrets.token_hex(16))
            await self._store.write("forget a person in tournaments", "", forget)
            for live in found:
                await self._kept.renew(live)
                self._kept.announce(live, is_rewritten=True)

    async def _rating(self, person: str, terms: TournamentTerms) -> int:
        found = await self._ratings.many([person], f"{terms.game}.{terms.control.speed}")
        return round(found[person].value)

    # What is due

    async def tick(self) -> None:
        """Does all that is due now; raises `StoreFailed` if the tournaments cannot be loaded."""
        if not self._kept.is_loaded:
            await self._kept.load_open()
        if self._hub.is_shared:
            await self._take_due()
            return
        for live in list(self._kept.open.values()):
            if not live.is_checked or what_is_due(live.tournament, self._clock()):
                await self._advance(live)

    async def _take_due(self) -> None:
        """Begins to do what is due in tournaments that no other process has taken."""
        time = self._clock()
        if not await self._store.read("find due tournaments", "", partial(statements.is_due, now=time)):
            return
        take = partial(statements.take_due, now=time, until=later(time, _TAKEN_SECONDS), limit=_TAKEN)
        for number in await self._store.write("take due tournaments", "", take):
            self._begin_task(self._look_at(number))

    async def _look_at(self, number: str) -> None:
        try:
            live = await self._kept.find(number)
        except DamagedTournament:  # which is logged
            postpone = partial(statements.postpone, number=number, due=later(self._clock(), _LONGEST_SLEEP))
            with contextlib.suppress(StoreFailed):
                await self._store.write("put a tournament off", number, postpone)
            return
        except StoreFailed:  # which is logged; it is taken again later
            return
        live.is_doubtful = True
        live.is_checked = False  # the process that was to count a result may have ended
        await self._advance(live)

    async def settle(self) -> None:
        """Waits until everything that has begun is done."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self.tick()
            except StoreFailed:  # which is logged
                await asyncio.sleep(_LONGEST_PAUSE)
                continue
            if self._hub.is_shared:
                await asyncio.sleep(_POLL)
            else:
                await self._wait()

    async def _wait(self) -> None:
        """Waits until something is due or has changed."""
        self._changed.clear()
        time = self._clock()
        times = [next_time(live.tournament, time) for live in self._kept.open.values()]
        waits = [seconds_between(time, each) for each in times if each]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min([*waits, _LONGEST_SLEEP]) + 0.001):  # never swallows a cancellation
                await self._changed.wait()

    def _advance_soon(self, live: LiveTournament) -> None:
        if not self._is_closing:
            self._begin_task(self._advance(live))

    async def _advance(self, live: LiveTournament) -> None:
        """Does all that is due in a tournament; if that fails, it is tried again, later and later."""
        try:
            await self._raced(partial(self._do_due, live))
            live.pause = FIRST_PAUSE
            self._changed.set()
        except Exception as error:  # whatever it is, people wait for their games
            self._log_failure(live, error)
            if not self._is_closing and live.retry is None:
                live.retry = asyncio.create_task(self._retry(live))

    async def _do_due(self, live: LiveTournament) -> None:
        async with live.lock:
            await self._kept.catch_up(live)
            await self._check_games(live)
            while due := what_is_due(live.tournament, self._clock()):
                if not await self._do(live, due):
                    break
            if self._hub.is_shared:
                tournament, time = live.tournament, look_time(live.tournament, self._clock())
                note = partial(statements.note_due, number=tournament.number, seq=tournament.seq, due=time)
                await self._store.write("note when a tournament is due", tournament.number, note)

    async def _retry(self, live: LiveTournament) -> None:
        await asyncio.sleep(live.pause)
        live.pause = min(2 * live.pause, _LONGEST_PAUSE)
        live.retry = None
        self._advance_soon(live)

    async def _do(self, live: LiveTournament, due: str) -> bool:
        """Does one thing; returns False if there was nothing to do."""
        if due == "begin":
            await self._begin_games(live)
            return True
        time = self._clock()
        if due == "pair":
            events = await asyncio.to_thread(next_pairs, live.tournament, time)
        else:
            events = [TournamentEvent(due, time)]
        await self._kept.append(live, events)
        return bool(events)

    async def _begin_games(self, live: LiveTournament) -> None:
        """Begins the matches of games that have none, unless they have begun without being recorded."""
        tournament, games = live.tournament, live.tournament.unbegun
        origins = {origin_text(tournament.number, game.number): game for game in games}
        begun = await self._begun(tournament.number, origins)
        terms = tournament.terms
        played = shared_game(damier.load(terms.game, **terms.options))
        events = []
        for origin, game in origins.items():
            number = begun.get(origin)
            if number is None:
                try:
                    match = await self._referee.begin_between(
                        played, game.people, control=terms.control, is_rated=terms.is_rated, origin=origin
                    )
                    number = match.match.number
                except AppendRaced:  # another process has begun it meanwhile
                    begun |= await self._begun(tournament.number, [origin])
                    number = begun[origin]
            events.append(TournamentEvent("begin", self._clock(), game=game.number, match=number))
        await self._kept.append(live, events)
        if begun:  # which may have ended, too
            live.is_checked = False
            await self._check_games(live)

    async def _begun(self, number: str, origins: Collection[str]) -> dict[str, str]:
        """Returns the matches of those origins that have one."""
        find = partial(statements.matches_of, origins=list(origins))
        return await self._store.read("find matches of a tournament", number, find)

    # Results

    def _match_ended(self, match: LiveMatch) -> None:
        """Counts a match that belongs to a tournament; called by the referee."""
        if (found := parse_origin(match.match.origin)) and not self._is_closing:
            self._begin_task(self._count(*found, match))

    async def _count(self, number: str, game: int, match: LiveMatch) -> None:
        try:
            live = await self._kept.find(number)
            live.is_doubtful |= self._hub.is_shared  # another process may have begun the match
            await self._raced(partial(self._count_game, live, game, match))
        except (DamierError, LookupError) as error:
            _log.error("Tournament %s: game %d could not be counted: %s", number, game, error)
            if number not in self._kept.open:
                return
            live = self._kept.open[number]
            live.is_checked = False
        await self._advance(live)

    async def _count_game(self, live: LiveTournament, game: int, match: LiveMatch) -> None:
        async with live.lock:
            await self._kept.catch_up(live)
            found = live.tournament.games[game - 1]
            if found.match == match.match.number:
                await self._kept.append(live, self._result(live, found, outcome_of(match.match)))

    async def _check_games(self, live: LiveTournament) -> None:
        """Counts the games whose matches ended while nobody was there to count them."""
        if live.is_checked:
            return
        games = {game.match: game for game in live.tournament.running if game.match is not None}
        find = partial(statements.going_on, matches=list(games))
        played = await self._store.read("find matches of a tournament", live.tournament.number, find) if games else ()
        for number, game in games.items():
            if number not in played:
                await self._kept.append(live, self._result(live, game, await self._outcome(live, number)))
        live.is_checked = True

    async def _outcome(self, live: LiveTournament, number: str) -> GameOutcome | None:
        try:
            return outcome_of((await self._referee.find(number)).match)
        except (UnknownMatch, DamagedMatch):
            _log.error("Tournament %s: match %s is lost and counts as a draw.", live.tournament.number, number)
            return GameOutcome(None)

    def _result(self, live: LiveTournament, game: TournamentGame, outcome: GameOutcome | None) -> list[TournamentEvent]:
        if outcome is None:
            return []
        winner, absent = (None if place is None else game.people[place] for place in (outcome.winner, outcome.absent))
        return live.tournament.result_events(game, winner, absent, self._clock())

    # Tasks

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, change: Coroutine[Any, Any, None]) -> None:
        """Finishes a change even if its caller is cancelled: what is stored must be in memory too."""
        await asyncio.shield(self._begin_task(change))

    async def _raced(self, change: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Decides again, from what another process has stored first, until the change is stored or refused."""
        for _ in range(_RACES):
            with contextlib.suppress(AppendRaced):
                return await change()
        return await change()

    def _log_failure(self, live: LiveTournament, error: Exception) -> None:
        _log.error(
            "Tournament %s: what is due could not be done, next attempt in %g s: %s",
            live.tournament.number,
            live.pause,
            error,
            exc_info=None if isinstance(error, DamierError) else error,
            extra={"tournament": live.tournament.number},
        )
