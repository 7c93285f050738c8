"""Runs all tournaments: stores what people ask for and what is due, begins the matches, and counts their results.

A tournament is changed under its lock, in the database first, then in memory. Whatever is due follows from the stored
events. A match is begun with an origin that names its game, and looked up by it before: a server that is killed between
beginning a match and recording it finds it again. Results come from the referee when a match ends; when a tournament is
loaded, its games that are not over are compared with their matches. If anything fails, it is tried again later.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import damier
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.server.errors import NotFound, NotNow
from damier.server.matches.referee import UnknownMatch
from damier.server.matches.shared_games import shared_game
from damier.server.store.statements import tournaments as statements
from damier.server.store.store import Store, StoreFailed, now
from damier.server.store.stored_match import DamagedMatch
from damier.server.tasks import cancel
from damier.server.tournaments.due import next_time, what_is_due
from damier.server.tournaments.live_tournament import FIRST_PAUSE, DamagedTournament, LiveTournament, damaged_tournament
from damier.server.tournaments.outcome import GameOutcome, origin_text, outcome_of, parse_origin
from damier.server.tournaments.pairing import next_pairs
from damier.server.tournaments.times import later, seconds_between
from damier.server.tournaments.tournament import Tournament, TournamentEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.ratings.ratings import MatchRater
    from damier.server.store.statements.tournaments import ListedTournament
    from damier.server.tournaments.terms import TournamentTerms
    from damier.server.tournaments.tournament import TournamentGame

_log = logging.getLogger(__name__)

MOST_OPEN = 5  # tournaments of a maker that are not over
_ENDED = 50  # tournaments in memory that are over
LISTED = 20  # on a page of a list
_LONGEST_PAUSE = 30.0  # seconds between attempts; each pause is twice the one before
_LONGEST_WAIT = 366 * 24 * 3600.0  # seconds until a tournament starts
_LONGEST_SLEEP = 3600.0  # seconds: a clock may be set


class Tournaments:
    """Runs all tournaments."""

    def __init__(self, store: Store, referee: Referee, ratings: MatchRater, clock: Callable[[], str] = now) -> None:
        """`clock` returns the time, as `store.now` does."""
        self._store, self._referee, self._ratings, self._clock = store, referee, ratings, clock
        self._open: dict[str, LiveTournament] = {}
        self._ended: OrderedDict[str, LiveTournament] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTournament]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._timer: asyncio.Task[None] | None = None
        self._is_loaded = False
        self._is_closing = False
        referee.on_end(self._match_ended)

    def start(self) -> None:
        """Loads the tournaments that are not over, and begins to do what is due, now and from then on."""
        self._timer = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops; what has begun to be stored is finished."""
        self._is_closing = True
        await cancel(self._timer)
        for live in self._open.values():
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
        self._keep(tournament)
        self._changed.set()
        return tournament

    async def find(self, number: str) -> Tournament:
        """Returns a tournament; raises `NotFound`."""
        return (await self._find(number)).tournament

    def title_of(self, number: str) -> str:
        """Returns the title of a tournament that is in memory, else ""."""
        live = self._open.get(number) or self._ended.get(number)
        return live.tournament.terms.title if live else ""

    async def listed(self, statuses: Sequence[str], before: str) -> list[ListedTournament]:
        """Returns a page of tournaments with one of some states, newest first, made before a time."""
        find = partial(statements.list_tournaments, statuses=statuses, before=before, limit=LISTED)
        return await self._store.read("list the tournaments", "", find)

    async def act(self, number: str, person: str, do: str) -> Tournament:
        """Carries out a request: ``join``, ``withdraw``, ``start`` or ``cancel``; raises a `DamierError`."""
        live = await self._find(number)
        rating = await self._rating(person, live.tournament.terms) if do == "join" else 0

        async def change() -> None:
            async with live.lock:
                await self._catch_up(live)
                await self._append(live, live.tournament.decide(person, do, self._clock(), rating))

        await self._finish(change())
        self._advance_soon(live)
        return live.tournament

    async def forget(self, person: str) -> None:
        """Withdraws a person from all tournaments and gives their place a random name, first in the database."""

        async def change() -> None:
            async with contextlib.AsyncExitStack() as locked:
                lives = [*self._open.values(), *self._ended.values()]
                found = [live for live in lives if person in (live.tournament.maker, *live.tournament.players)]
                found.sort(key=lambda live: live.tournament.number)  # always in this order: two cannot deadlock
                for live in found:
                    await locked.enter_async_context(live.lock)
                    await self._catch_up(live)
                    if person in live.tournament.active and live.tournament.status in statements.OPEN:
                        await self._append(live, live.tournament.decide(person, "withdraw", self._clock()))
                forget = partial(statements.forget_person, person=person, other=secrets.token_hex(16))
                await self._store.write("forget a person in tournaments", "", forget)
                for live in found:
                    live.tournament = await self._read(live.tournament.number) or live.tournament

        await self._finish(change())

    async def _rating(self, person: str, terms: TournamentTerms) -> int:
        found = await self._ratings.many([person], f"{terms.game}.{terms.control.speed}")
        return round(found[person].value)

    # What is due

    async def tick(self) -> None:
        """Does all that is due now; raises `StoreFailed` if the tournaments cannot be loaded."""
        if not self._is_loaded:
            await self._load_open()
        for live in list(self._open.values()):
            if not live.is_checked or what_is_due(live.tournament, self._clock()):
                await self._advance(live)

    async def settle(self) -> None:
        """Waits until everything that has begun is done."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _load_open(self) -> None:
        for number in await self._store.read("list the tournaments", "", statements.open_tournaments):
            with contextlib.suppress(DamagedTournament):  # which is logged
                await self._find(number)
        self._is_loaded = True

    async def _run(self) -> None:
        while True:
            try:
                await self.tick()
            except StoreFailed:  # which is logged
                await asyncio.sleep(_LONGEST_PAUSE)
                continue
            self._changed.clear()
            time = self._clock()
            times = [next_time(live.tournament, time) for live in self._open.values()]
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
            async with live.lock:
                await self._catch_up(live)
                await self._check_games(live)
                while due := what_is_due(live.tournament, self._clock()):
                    if not await self._do(live, due):
                        break
            live.pause = FIRST_PAUSE
            self._changed.set()
        except Exception as error:  # whatever it is, people wait for their games
            self._log_failure(live, error)
            if not self._is_closing and live.retry is None:
                live.retry = asyncio.create_task(self._retry(live))

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
        await self._append(live, events)
        return bool(events)

    async def _begin_games(self, live: LiveTournament) -> None:
        """Begins the matches of games that have none, unless they have begun without being recorded."""
        tournament, games = live.tournament, live.tournament.unbegun
        origins = {origin_text(tournament.number, game.number): game for game in games}
        find = partial(statements.matches_of, origins=list(origins))
        begun = await self._store.read("find matches of a tournament", tournament.number, find)
        terms = tournament.terms
        played = shared_game(damier.load(terms.game, **terms.options))
        events = []
        for origin, game in origins.items():
            number = begun.get(origin)
            if number is None:
                match = await self._referee.begin_between(
                    played, game.people, control=terms.control, is_rated=terms.is_rated, origin=origin
                )
                number = match.match.number
            events.append(TournamentEvent("begin", self._clock(), game=game.number, match=number))
        await self._append(live, events)
        if begun:  # which may have ended, too
            live.is_checked = False
            await self._check_games(live)

    # Results

    def _match_ended(self, match: LiveMatch) -> None:
        """Counts a match that belongs to a tournament; called by the referee."""
        if (found := parse_origin(match.match.origin)) and not self._is_closing:
            self._begin_task(self._count(*found, match))

    async def _count(self, number: str, game: int, match: LiveMatch) -> None:
        try:
            live = await self._find(number)
            async with live.lock:
                await self._catch_up(live)
                found = live.tournament.games[game - 1]
                if found.match == match.match.number:
                    await self._append(live, self._result(live, found, outcome_of(match.match)))
        except (DamierError, LookupError) as error:
            _log.error("Tournament %s: game %d could not be counted: %s", number, game, error)
            if number not in self._open:
                return
            live = self._open[number]
            live.is_checked = False
        await self._advance(live)

    async def _check_games(self, live: LiveTournament) -> None:
        """Counts the games whose matches ended while nobody was there to count them."""
        if live.is_checked:
            return
        for game in live.tournament.running:
            if game.match is not None:
                await self._append(live, self._result(live, game, await self._outcome(live, game.match)))
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

    # The database

    async def _append(self, live: LiveTournament, events: Sequence[TournamentEvent]) -> None:
        """Stores events, then applies them. Called under the tournament's lock."""
        if not events:
            return
        tournament = live.tournament
        status, players = tournament.summary_after(events)
        store = partial(
            statements.append_events,
            number=tournament.number,
            first=tournament.seq + 1,
            events=events,
            status=status,
            players=players,
        )
        try:
            await self._store.write("append events of the tournament", tournament.number, store)
        except StoreFailed:
            live.is_doubtful = True
            raise
        self._apply(live, events)

    async def _catch_up(self, live: LiveTournament) -> None:
        """Applies what is stored and not in memory, after a failure that left that open."""
        if live.is_doubtful:
            tournament = live.tournament
            read = partial(statements.events_after, number=tournament.number, seq=tournament.seq)
            events = await self._store.read("read the events of the tournament", tournament.number, read)
            live.is_doubtful = False
            self._apply(live, events)

    def _apply(self, live: LiveTournament, events: Sequence[TournamentEvent]) -> None:
        for event in events:
            live.tournament.add(event)
        if live.tournament.status not in statements.OPEN and live.tournament.number in self._open:
            del self._open[live.tournament.number]
            self._keep_ended(live)

    async def _find(self, number: str) -> LiveTournament:
        live = self._open.get(number) or self._ended.get(number)
        if live:
            return live
        loading = self._loading.get(number)
        if loading is None:
            loading = self._loading[number] = asyncio.create_task(self._load(number))
            loading.add_done_callback(lambda _: self._loading.pop(number))
        return await asyncio.shield(loading)

    async def _read(self, number: str) -> Tournament | None:
        load = partial(statements.load_tournament, number=number)
        return await self._store.read("load the tournament", number, load)

    async def _load(self, number: str) -> LiveTournament:
        try:
            found = await self._read(number)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, StoreFailed):
                raise
            _log.error("Tournament %s: its stored data is damaged: %s", number, error, extra={"tournament": number})
            raise damaged_tournament() from error
        if found is None:
            raise NotFound(message("There is no such tournament."))
        return self._open.get(number) or self._keep(found)

    def _keep(self, tournament: Tournament) -> LiveTournament:
        live = LiveTournament(tournament)
        if tournament.status in statements.OPEN:
            self._open[tournament.number] = live
        else:
            self._keep_ended(live)
        return live

    def _keep_ended(self, live: LiveTournament) -> None:
        self._ended[live.tournament.number] = live
        if len(self._ended) > _ENDED:
            self._ended.popitem(last=False)

    # Tasks

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, change: Coroutine[Any, Any, None]) -> None:
        """Finishes a change even if its caller is cancelled: what is stored must be in memory too."""
        await asyncio.shield(self._begin_task(change))

    def _log_failure(self, live: LiveTournament, error: Exception) -> None:
        _log.error(
            "Tournament %s: what is due could not be done, next attempt in %g s: %s",
            live.tournament.number,
            live.pause,
            error,
            exc_info=None if isinstance(error, DamierError) else error,
            extra={"tournament": live.tournament.number},
        )
