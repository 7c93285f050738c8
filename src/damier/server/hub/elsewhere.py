"""Events that other processes have stored: a match in memory reads on when it hears of one.

An announcement is a hint: what is read from the database, by number, is what counts. When announcements may have been
missed, the last numbers of all matches in memory are compared with those of the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from damier.server.errors import ServerFailed
from damier.server.matches.match import Event
from damier.server.store.statements.clocks import last_events

if TYPE_CHECKING:
    from damier.server.matches.live_match import LiveMatch
    from damier.server.store.store import Store

_log = logging.getLogger(__name__)

_AT_ONCE = 500  # matches that are compared in one statement
_MORE = ("seat", "rematch")  # events that come with more than themselves: seats, another match


@dataclass(frozen=True)
class EventBody:
    """What is announced of a stored event: with it, who follows the match need not read the database."""

    event: Event | None
    """None for a match that has begun."""

    people: tuple[str, ...]
    """Who holds a seat."""

    request: tuple[str, str] | None = None
    """The visitor and the request that the event answers."""

    def data(self) -> dict[str, Any]:
        """Returns data for JSON."""
        event = self.event.data() if self.event else None
        return {"event": event, "people": self.people, "request": self.request}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> EventBody:
        """Returns what was announced."""
        event, request = data["event"], data["request"]
        return cls(Event(**event) if event else None, tuple(data["people"]), tuple(request) if request else None)


def is_all(event: Event) -> bool:
    """Tells whether an event is all that was stored with it."""
    return event.kind not in _MORE


class Elsewhere:
    """Has the matches in memory follow what other processes store."""

    def __init__(
        self,
        store: Store,
        live: Mapping[str, LiveMatch],
        read_on: Callable[[LiveMatch, int, EventBody | None], Awaitable[None]],
        meet: Callable[[str, Sequence[str]], Awaitable[None]],
    ) -> None:
        """`live` are the matches in memory; `read_on` applies the event of a number, or all that is stored.

        `meet` is called for a match that is not in memory, with those who hold its seats.
        """
        self._store, self._live, self._read_on, self._meet = store, live, read_on, meet
        self._wanted: dict[str, int] = {}
        """The last event that was announced of each match that is reading, by number."""

        self._told: dict[str, dict[int, EventBody]] = {}
        """Events of those matches that were announced with their bodies."""

        self._loading: dict[str, int] = {}
        """The last event that was announced of each match that is being loaded, by number."""

        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._meetings: set[asyncio.Task[None]] = set()

    def hear(self, number: str, seq: int, body: Any = None) -> None:
        """Has a match in memory read on to an event that another process has stored."""
        live = self._live.get(number)
        if live is None:
            if number in self._loading:
                self._loading[number] = max(seq, self._loading[number])
            if body:
                self._begin_meeting(number, body["people"])
            return
        if live.match.seq >= seq:
            return
        if body:
            self._told.setdefault(number, {})[seq] = EventBody.read(body)
        self._wanted[number] = max(seq, self._wanted.get(number, 0))
        if number not in self._tasks:
            self._tasks[number] = asyncio.create_task(self._read(live))

    def hear_state(self, number: str, seq: int, body: Mapping[str, str]) -> None:
        """Keeps the state after an event, which is announced next, as another process has encoded it."""
        if live := self._live.get(number):
            live.take_states(seq, body)

    @contextmanager
    def loading(self, number: str) -> Iterator[None]:
        """While a match is loaded: it reads on afterwards if what is announced meanwhile was not read with it."""
        self._loading[number] = -1
        try:
            yield
        finally:
            announced = self._loading.pop(number)
        if number in self._live:
            self.hear(number, announced)

    def _begin_meeting(self, number: str, people: Sequence[str]) -> None:
        task = asyncio.create_task(self._meet_safely(number, people))
        self._meetings.add(task)
        task.add_done_callback(self._meetings.discard)

    async def _meet_safely(self, number: str, people: Sequence[str]) -> None:
        try:
            await self._meet(number, people)
        except ServerFailed as error:
            _log.warning("Match %s: could not be told: %s", number, error, extra={"match": number})

    async def _read(self, live: LiveMatch) -> None:
        number = live.match.number
        try:
            before = -1
            while before < live.match.seq < self._wanted[number]:  # more may be announced meanwhile
                before = live.match.seq
                told = self._told.get(number, {}).pop(before + 1, None)
                await self._read_on(live, before + 1, told)
        except ServerFailed as error:  # the next announcement or comparison tries again
            _log.warning("Match %s: could not read on: %s", number, error, extra={"match": number})
        finally:
            self._told.pop(number, None)
            del self._wanted[number], self._tasks[number]

    async def compare(self, numbers: Collection[str] | None = None) -> None:
        """Compares some matches in memory, or all, with the database, and has those read on that are behind."""
        wanted = iter(list(self._live) if numbers is None else numbers)
        while some := list(islice(wanted, _AT_ONCE)):
            found = await self._store.read("compare matches", "", partial(last_events, numbers=some))
            for number, seq in found.items():
                self.hear(number, seq)
            await asyncio.gather(*(self._tasks[number] for number in some if number in self._tasks))

    async def close(self) -> None:
        """Waits for those that are reading."""
        await asyncio.gather(*self._tasks.values(), *self._meetings, return_exceptions=True)
