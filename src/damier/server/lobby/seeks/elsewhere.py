"""Seeks of other processes: the open seeks in memory follow the database.

Who opens or closes a seek announces its number; the others read its row, which is what counts. Every ten seconds, and
when announcements may have been missed, the open seeks in memory are compared with those of the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.server.store.statements import seeks as stored

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.lobby.seeks.open_seeks import OpenSeek, OpenSeeks
    from damier.server.store.statements.seeks import StoredSeek
    from damier.server.store.store import Store

    Opened = Callable[[OpenSeek], None]
    Closed = Callable[[str, OpenSeek | None, StoredSeek | None, str], None]

_log = logging.getLogger(__name__)

_AT_ONCE = 200  # seeks that are read in one statement


class SeeksElsewhere:
    """Has the open seeks in memory follow what other processes store."""

    def __init__(self, store: Store, seeks: OpenSeeks, hub: Hub, opened: Opened, closed: Closed) -> None:
        """`opened` is called with each seek that another process has opened.

        `closed` is called once for each that another process has closed, with its number, the seek if it was in memory,
        its row if there is one, and the game of its match or "".
        """
        self._store, self._seeks, self._hub, self._opened, self._closed = store, seeks, hub, opened, closed
        self._wanted: dict[str, None] = {}
        self._deciding: Counter[str] = Counter()
        self._postponed: set[str] = set()
        """Seeks that were to be read while this process was about to close them."""

        self._unplayable: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        hub.listen("seek", self.hear)
        hub.on_resume(self.compare)

    def announce(self, numbers: Iterable[str]) -> None:
        """Has other processes hear of seeks that are opened or closed."""
        if self._hub.is_shared:
            for number in numbers:
                self._hub.announce("seek", number)

    def hear(self, number: str, _seq: int = 0, _body: object = None) -> None:
        """Has the row of a seek read."""
        if number in self._deciding:
            self._postponed.add(number)
            return
        self._wanted[number] = None
        if self._task is None:
            self._task = asyncio.create_task(self._read_all())

    @contextmanager
    def deciding(self, numbers: Sequence[str]) -> Iterator[None]:
        """Has the rows of some seeks left alone while this process is about to close them."""
        self._deciding.update(numbers)
        try:
            yield
        finally:
            for number in numbers:
                self._deciding[number] -= 1
                if not self._deciding[number]:
                    del self._deciding[number]
                    if number in self._postponed:
                        self._postponed.discard(number)
                        self.hear(number)

    async def follow(self, numbers: Iterable[str]) -> None:
        """Reads the rows of some seeks, and waits for it."""
        for number in numbers:
            self.hear(number)
        if self._task:
            await asyncio.shield(self._task)

    async def compare(self) -> None:
        """Compares the open seeks in memory with those of the database."""
        found = await self._store.read("compare seeks", "", stored.open_seeks)
        await self.follow({number for number, _, _ in found ^ self._seeks.keys()} - self._unplayable)

    async def close(self) -> None:
        """Waits for what is being read."""
        while self._task:
            await self._task

    async def _read_all(self) -> None:
        try:
            while self._wanted:
                some = list(islice(self._wanted, _AT_ONCE))
                for number in some:
                    del self._wanted[number]
                found, games = await self._store.read("read seeks", "", partial(stored.find_many, numbers=some))
                for number in some:
                    await self._take_over(number, found.get(number), games)
        except DamierError:
            _log.warning("Seeks of other processes could not be read; they are read again soon.")
        except Exception:
            _log.exception("Seeks of other processes could not be followed.")
        finally:
            self._task = None

    async def _take_over(self, number: str, row: StoredSeek | None, games: dict[str, str]) -> None:
        if number in self._deciding:
            self._postponed.add(number)
        elif row and row.state == "taking":  # of an earlier version, which is settled at a start
            return
        elif row and row.state == "open":
            mine = self._seeks.get(number)
            if mine is None or (mine.row.person, mine.row.rival) != (row.person, row.rival):
                await self._add(row)
        elif ((mine := self._seeks.get(number)) or row) and not self._seeks.is_closed(number):
            self._closed(number, mine, row, games.get(row.match or "", "") if row else "")

    async def _add(self, row: StoredSeek) -> None:
        try:
            made = await self._seeks.read(row)
        except DamierError as error:
            if row.number not in self._unplayable:
                self._unplayable.add(row.number)
                _log.warning("The seek %s cannot be played here and is left out: %s", row.number, error)
            return
        before = self._seeks.get(row.number)
        if self._seeks.add(made) and before is None:
            self._opened(made)
