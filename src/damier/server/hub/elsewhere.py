"""Events that other processes have stored: a match in memory reads on when it hears of one.

An announcement is a hint: what is read from the database, by number, is what counts. When announcements may have been
missed, the last numbers of all matches in memory are compared with those of the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from damier.server.errors import ServerFailed
from damier.server.store.statements.clocks import last_events

if TYPE_CHECKING:
    from damier.server.matches.live_match import LiveMatch
    from damier.server.store.store import Store

_log = logging.getLogger(__name__)

_AT_ONCE = 500  # matches that are compared in one statement


class Elsewhere:
    """Has the matches in memory follow what other processes store."""

    def __init__(
        self, store: Store, live: Mapping[str, LiveMatch], read_on: Callable[[LiveMatch], Awaitable[None]]
    ) -> None:
        """`live` are the matches in memory; `read_on` applies what is stored and not in memory."""
        self._store, self._live, self._read_on = store, live, read_on
        self._wanted: dict[str, int] = {}
        """The last event that was announced of each match that is reading, by number."""

        self._tasks: dict[str, asyncio.Task[None]] = {}

    def hear(self, number: str, seq: int) -> None:
        """Has a match in memory read on to an event that another process has stored."""
        live = self._live.get(number)
        if live is None or live.match.seq >= seq:
            return
        self._wanted[number] = max(seq, self._wanted.get(number, 0))
        if number not in self._tasks:
            self._tasks[number] = asyncio.create_task(self._read(live))

    async def _read(self, live: LiveMatch) -> None:
        number = live.match.number
        try:
            before = -1
            while before < live.match.seq < self._wanted[number]:  # more may be announced meanwhile
                before = live.match.seq
                await self._read_on(live)
        except ServerFailed as error:  # the next announcement or comparison tries again
            _log.warning("Match %s: could not read on: %s", number, error, extra={"match": number})
        finally:
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
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
