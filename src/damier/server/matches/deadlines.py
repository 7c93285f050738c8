"""Deadlines: has the referee look at a match when a clock in it runs out, whether anybody is connected or not.

One timer waits for the earliest deadline. The database has all of them, in an indexed column that is written with each
event; those of the next hour are in memory, and the rest is read when that hour is over. A deadline only says when to
look: the referee decides under the match's lock, from server time.

Of several processes on one database (`SharedDeadlines`) each waits for the deadlines of the matches that it has in
memory. What is over for a second all the same is taken from the database by one of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
from typing import TYPE_CHECKING

from damier.server.store.store import StoreFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from damier.server.matches.server_time import ServerTime

    Take = Callable[[int], Awaitable[list[str]]]
    Read = Callable[[int], Awaitable[list[tuple[str, int]]]]
    Expire = Callable[[str], Awaitable[int | None]]

_log = logging.getLogger(__name__)

HORIZON = 3_600_000
"""Milliseconds: deadlines that are farther away are only in the database."""

OVERDUE, POLL = 1000, 500
"""Milliseconds after which any process may decide what is over, and between two looks at the database."""

_AT_ONCE = 16  # matches that are looked at together
_RETRY = 1000  # milliseconds after a failure


class Deadlines:
    """The deadlines of all matches whose clocks run."""

    def __init__(self, time: ServerTime, read: Read, expire: Expire) -> None:
        """`read` returns deadlines up to a time by match; `expire` decides a match and returns when to look again."""
        self._time, self._read, self._expire = time, read, expire
        self._due: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []
        self._until = -1
        """Up to when all deadlines are in memory."""

        self._has_news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a clock runs out within the horizon."""
        return bool(self._due)

    def __len__(self) -> int:
        return len(self._due)

    def put(self, number: str, deadline: int | None) -> None:
        """Notes the deadline of a match, which is stored; None if none of its clocks runs."""
        if deadline is None or deadline > self._until:
            self._due.pop(number, None)
        elif self._due.get(number) != deadline:
            self._due[number] = deadline
            heapq.heappush(self._heap, (deadline, number))
            if self._heap[0] == (deadline, number):
                self._has_news.set()

    async def run_due(self) -> int:
        """Decides what is due, and returns when to look again, in server time."""
        if self._time.now() >= self._until - HORIZON // 2:
            await self._fill()
        while due := self._take(self._time.now()):
            await asyncio.gather(*map(self._look, due))
        self._drop_old()
        return min(self._heap[0][0] if self._heap else self._until, self._until - HORIZON // 2)

    async def _fill(self) -> None:
        until = self._time.now() + HORIZON
        self._until = until  # first: what changes while the database is read is noted
        try:
            found = await self._read(until)
        except BaseException:  # also if the task is cancelled: nothing was read
            self._until = -1
            raise
        for number, deadline in found:
            if number not in self._due:
                self.put(number, deadline)

    def _take(self, now: int) -> list[str]:
        """Removes some matches that are due, and returns their numbers."""
        due: list[str] = []
        while self._heap and self._heap[0][0] <= now and len(due) < _AT_ONCE:
            deadline, number = heapq.heappop(self._heap)
            if self._due.get(number) == deadline:
                del self._due[number]
                due.append(number)
        return due

    def _drop_old(self) -> None:
        """Drops what is no longer due from the front, and most of it if it is the larger part."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        if len(self._heap) > 2 * len(self._due) + 100:
            self._heap = [(deadline, number) for number, deadline in self._due.items()]
            heapq.heapify(self._heap)

    async def _look(self, number: str) -> None:
        try:
            again = await self._expire(number)
        except StoreFailed:  # which is logged
            again = self._time.now() + _RETRY
        except Exception:  # whatever it is, the other clocks run on
            _log.exception("Match %s: its clock could not be looked at.", number, extra={"match": number})
            again = None
        if again is not None:
            self.put(number, again)

    # The timer

    def start(self) -> None:
        """Begins to wait for deadlines."""
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            self._has_news.clear()
            try:
                then = await self.run_due()
            except Exception:
                _log.exception("The deadlines could not be read; they are read again in a second.")
                then = self._time.now() + _RETRY
            seconds = max(0.0, (then - self._time.now()) / 1000)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):  # which never swallows that the task is cancelled
                    await self._has_news.wait()

    async def close(self) -> None:
        """Stops waiting."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None


class SharedDeadlines(Deadlines):
    """The deadlines of matches in memory, and of those that no process has in memory."""

    def __init__(self, time: ServerTime, take: Take, expire: Expire) -> None:
        """`take` returns matches whose deadline was over at a time, each to one process alone."""
        super().__init__(time, self._read_none, expire)
        self._take_overdue = take

    async def _read_none(self, _until: int) -> list[tuple[str, int]]:
        return []

    async def run_due(self) -> int:
        """Decides what is due here, and some of what is overdue anywhere; returns when to look again."""
        then = await super().run_due()
        if overdue := await self._take_overdue(self._time.now() - OVERDUE):
            await asyncio.gather(*map(self._look, overdue))
        return min(then, self._time.now() + (0 if overdue else POLL))
