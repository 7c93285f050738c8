"""Matchmaking: has those play who fit, and begins the match of a seek with whoever accepts it first.

Every process pairs all open seeks. The transaction that stores a match takes its seeks, so that one process wins.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.server.errors import NotNow
from damier.server.lobby import pairing
from damier.server.lobby.terms import game_of, is_live
from damier.server.store.statements import seeks as stored
from damier.server.store.statements.seeks import origin_of
from damier.server.wire.lobby import PairedMessage

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.lobby.pairing import Pair
    from damier.server.lobby.seeks.elsewhere import SeeksElsewhere
    from damier.server.lobby.seeks.open_seeks import OpenSeek, OpenSeeks
    from damier.server.lobby.seeks.paired_people import PairedPeople
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store

    Closed = Callable[[str, str, str | None], None]

_AT_ONCE = 50  # seeks that are paired in the loop; more are paired in a thread


def stored_time(seconds: float) -> str:
    """Returns a time as `store.now` writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Matchmaking:
    """Begins the matches of seeks."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        seeks: OpenSeeks,
        elsewhere: SeeksElsewhere,
        paired: PairedPeople,
        hub: Hub,
        clock: Callable[[], float],
        are_blocked: Callable[[str, str], bool],
        closed: Closed,
    ) -> None:
        """`are_blocked` tells of two persons whether one has blocked the other.

        `closed` is called with the number of each seek that is closed here, its state and its match.
        """
        self._store, self._referee, self._seeks, self._elsewhere = store, referee, seeks, elsewhere
        self._paired, self._hub, self._clock = paired, hub, clock
        self._are_blocked, self._closed = are_blocked, closed
        self._pauses = pairing.Pauses()
        self._pairing = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        referee.on_end(self.after_game)
        hub.listen("apart", lambda one, _seq, other: self._pauses.add(one, other, self._clock()))

    @property
    def has_pauses(self) -> bool:
        """Whether some are kept apart for a while."""
        return bool(self._pauses)

    async def close(self) -> None:
        """Waits for matches that are about to begin."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def may_meet(self, one: str, other: str) -> bool:
        """Tells whether two may be paired."""
        return not self._pauses.are_apart(one, other, self._clock()) and not self._are_blocked(one, other)

    async def pair(self) -> None:
        """Pairs all that fit now."""
        async with self._pairing:
            waiting = self._seeks.waiting()
            if len(waiting) > _AT_ONCE:
                found = await asyncio.to_thread(pairing.pairs, waiting, self._clock(), self.may_meet)
            else:
                found = pairing.pairs(waiting, self._clock(), self.may_meet)
            for pair in found:
                older, younger = self._seeks.get(pair.older.number), self._seeks.get(pair.younger.number)
                if older and younger:
                    with contextlib.suppress(NotNow):  # one of them was accepted meanwhile
                        await self.begin(pair, [older, younger])

    def pair_soon(self) -> None:
        """Has all paired that fit, in a task."""
        task = asyncio.create_task(self._pair_new())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pair_new(self) -> None:
        """Pairs seeks that other processes have opened."""
        with contextlib.suppress(DamierError):  # the store has logged it; tried again with the next one
            await self.pair()

    async def begin(self, pair: Pair, taken: Sequence[OpenSeek]) -> str:
        """Begins the match of two; raises `NotNow` if one of the seeks is closed by now."""
        task = asyncio.create_task(self._begun(pair, taken))  # finished even if the one who asks goes away
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _begun(self, pair: Pair, taken: Sequence[OpenSeek]) -> str:
        numbers = [each.row.number for each in taken]
        order = pairing.seated(pair, secrets.randbelow(2) == 0)
        with self._elsewhere.deciding(numbers):
            try:
                live = await self._referee.begin_between(
                    game_of(pair.terms),
                    order,
                    control=pair.terms.clock,
                    is_rated=pair.terms.is_rated,
                    origin=origin_of(numbers[0]),
                    also=partial(stored.take, numbers=numbers, at=stored_time(self._clock())),
                )
            except DamierError:  # another was faster, or nobody knows whether it is stored
                for number in numbers:
                    self._elsewhere.hear(number)
                raise
            match = live.match.number
            for each in taken:
                told = PairedMessage(type="paired", seek=each.row.number, match=match, game=pair.terms.game)
                self._paired.tell(each.row.person, told)  # before the seek vanishes from the owner's pages
                self._closed(each.row.number, "taken", match)
        if is_live([pair.terms]):  # both are busy now
            close = partial(stored.close_live, people=order, at=stored_time(self._clock()))
            for number in await self._store.write("close seeks", "", close):
                self._closed(number, "withdrawn", None)
        return match

    def after_game(self, live: LiveMatch) -> None:
        """Keeps two apart for a while if one of them has aborted the game."""
        result = live.match.record.result
        if result is None or result.reason == "abort":
            people = sorted({seat.visitor for seat in live.match.seats if seat.visitor})
            for one, other in itertools.combinations(people, 2):
                self._pauses.add(one, other, self._clock())
                self._hub.announce("apart", one, body=other)
