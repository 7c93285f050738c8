"""The service of ratings: rates matches when they end, and answers for ratings.

Matches are rated one after the other, in the order in which they ended, by the process that has stored the end. What
could not be rated, because a process was killed or the database failed, is rated at the next start, oldest first; among
several processes, one of them looks every minute. The others hear of a match that is rated, and show it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Coroutine
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import DamierError
from damier.server.hub.local import LocalHub
from damier.server.hub.repeated import repeat
from damier.server.people.credentials import earlier
from damier.server.ratings.glicko import NEW, Rating
from damier.server.ratings.rate_match import RatedMatch, find_changes, rate_match
from damier.server.ratings.rating_data import match_ratings
from damier.server.store.statements import ratings as stored
from damier.server.store.store import StoreFailed, now
from damier.server.tasks import cancel

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.store.statements.ratings import Listed, StoredRating
    from damier.server.store.store import Store

_log = logging.getLogger(__name__)

T = TypeVar("T")

_WAITS = (0.5, 2.0, 10.0, 30.0)  # seconds before a match is tried again
_AT_ONCE = 100  # matches that are looked for at a time
_POINTS = 100  # of a history
_LOOK_BACK = timedelta(hours=1)  # for matches that a killed process has left, after the first look at all of them


class MatchRater:
    """Rates matches, and answers for the ratings of all people."""

    def __init__(self, store: Store, referee: Referee, hub: Hub | None = None) -> None:
        self._store, self._referee, self._hub = store, referee, hub or LocalHub()
        self._order = asyncio.Lock()  # of the matches that are rated; the first to wait is the first to go on
        self._tasks: set[asyncio.Task[None]] = set()
        self._catching_up: asyncio.Task[None] | None = None
        self._has_looked = False
        referee.on_end(self._ended)
        self._hub.listen("ratings", self._hear)
        self._hub.on_resume(self._show_all)

    def start(self) -> None:
        """Begins to rate the matches that have ended without being rated."""
        self._catching_up = asyncio.create_task(repeat(self._hub, "ratings", self._catch_up))

    async def close(self) -> None:
        """Finishes the match that is being rated; others wait for the next start."""
        await cancel(self._catching_up)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def is_catching_up(self) -> bool:
        """Whether matches that ended before the start are still being rated."""
        return self._catching_up is not None and not self._catching_up.done()

    # Ratings

    async def of(self, person: str, pool: str) -> Rating:
        """Returns the rating of a person in a pool, that of a newcomer if there is none."""
        return (await self.many([person], pool))[person]

    async def many(self, people: Collection[str], pool: str) -> dict[str, Rating]:
        """Returns the ratings of some people in a pool, by person."""
        wanted = list(people)
        find = partial(stored.find_ratings, people=wanted, pool=pool)
        found, at = await self._store.read("read ratings", "", find), now()
        return {person: found[person].after(at) if person in found else NEW for person in wanted}

    async def of_person(self, person: str) -> tuple[dict[str, StoredRating], dict[str, list[tuple[str, float]]]]:
        """Returns all ratings of a person and their courses, by pool."""
        read = self._store.read
        ratings = await read("read ratings", "", partial(stored.ratings_of, person=person))
        courses = await read("read the course of ratings", "", partial(stored.history, person=person))
        return ratings, {pool: thinned(course, _POINTS) for pool, course in courses.items()}

    async def leaderboard(self, pool: str, page: int, size: int) -> tuple[list[Listed], int]:
        """Returns a page of the best accounts of a pool, the first page being 1, and how many accounts there are."""
        find = partial(stored.leaderboard, pool=pool, at=now(), first=(page - 1) * size, count=size)
        return await self._store.read("read a leaderboard", "", find)

    # Matches that have ended

    def _ended(self, live: LiveMatch) -> None:
        if live.match.is_rated and live.match.record.result:
            self._begin(self._rate_and_tell(live))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rate_and_tell(self, live: LiveMatch) -> None:
        async with self._order:
            rated = await self._rate(live.match.number)
        if rated:
            live.tell_ratings(match_ratings(rated))
            self._hub.announce("ratings", live.match.number)

    # Matches that other processes have rated

    def _hear(self, number: str, _seq: int, _body: object) -> None:
        if self._referee.peek(number):
            self._begin(self._show(number))

    async def _show(self, number: str) -> None:
        """Shows what a match in memory has changed in the ratings, unless that is shown."""
        with contextlib.suppress(StoreFailed):  # which is logged; who opens the match later is told
            rated = await self._store.read("read ratings", number, partial(find_changes, number=number))
            live = self._referee.peek(number)
            if live and rated and live.rated != match_ratings(rated):
                live.tell_ratings(match_ratings(rated))

    async def _show_all(self) -> None:
        """Shows what was missed, in all matches in memory that have ended."""
        for live in self._referee.in_memory():
            if live.match.is_rated and live.match.record.result and live.rated is None:
                await self._show(live.match.number)

    async def _rate(self, number: str) -> RatedMatch | None:
        """Rates a match; if the database fails, again and again, and at last leaves it to the next start."""
        for wait in (*_WAITS, None):
            try:
                return await self.rate(number)
            except DamierError:
                if wait is None:
                    _log.error("Match %s is not rated; the next start tries again.", number, extra={"match": number})
                else:
                    await asyncio.sleep(wait)
        return None

    async def rate(self, number: str) -> RatedMatch | None:
        """Rates a match in one transaction, once; returns what it has changed, None if it is not to be rated."""
        return await self._store.write("rate the match", number, partial(rate_match, number=number))

    async def _catch_up(self) -> None:
        async with self._order:
            try:
                count = await self.rate_ended(earlier(_LOOK_BACK) if self._has_looked else "")
                self._has_looked = True
            except DamierError:
                _log.error("Matches that ended before the start are not rated; the next start tries again.")
                return
        if count:
            _log.info("Rated %d matches that had ended without being rated.", count, extra={"rated": count})

    async def rate_ended(self, since: str = "") -> int:
        """Rates the matches that have ended since a time and are not rated, oldest first; returns their number."""
        count, tried = 0, set[str]()
        while True:
            find = partial(stored.unrated_matches, count=_AT_ONCE + len(tried), since=since)
            found = [each for each in await self._store.read("find matches", "", find) if each not in tried]
            if not found:
                return count
            for number in found:
                if await self.rate(number) is not None:
                    count += 1
                    self._hub.announce("ratings", number)
            tried.update(found)


def thinned(course: list[T], most: int) -> list[T]:
    """Returns at most so many items of a list, evenly spread, the first and the last among them.

    >>> thinned([0, 1, 2, 3, 4, 5, 6], 3)
    [0, 3, 6]
    """
    if len(course) <= most:
        return course
    return [course[round(place * (len(course) - 1) / (most - 1))] for place in range(most)]
