"""The planner: stores the conditional turns that players enter, and has those played that a kill has left due.

While a server runs, `computer` plays what is due. An event and what it leaves of conditional turns are stored in one
transaction. Other processes hear of what is entered, and read it before the match is next changed there. One of them
looks every minute for turns that are due since a process was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from functools import partial
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.server.correspondence.conditional import (
    ConditionalTurns,
    Line,
    first_place,
    has_conditional_turns,
    planning_player,
    refuse_plan,
)
from damier.server.errors import NotNow
from damier.server.hub.local import LocalHub
from damier.server.hub.repeated import repeat
from damier.server.store.statements import correspondence
from damier.server.store.store import StoreFailed, now

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.games import GameLine

_log = logging.getLogger(__name__)


class Planner:
    """Keeps the conditional turns of all matches."""

    def __init__(self, store: Store, referee: Referee, hub: Hub | None = None) -> None:
        self._store, self._referee, self._hub = store, referee, hub or LocalHub()
        self._task: asyncio.Task[None] | None = None
        self._reading: set[asyncio.Task[None]] = set()
        self._hub.listen("conditional", self._hear)
        self._hub.on_resume(self._doubt_all)

    def start(self) -> None:
        """Has the answers played that are due since the last server was killed."""
        self._task = asyncio.create_task(repeat(self._hub, "conditional", self._play_due))

    def _hear(self, number: str, _seq: int, _body: object) -> None:
        if live := self._referee.peek(number):
            task = asyncio.create_task(self._read_on(live))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    async def _read_on(self, live: LiveMatch) -> None:
        """Reads what another process has stored."""
        live.is_doubtful = True
        with contextlib.suppress(StoreFailed):  # which is logged; the match reads it before its next change
            await self._referee.change(live, _nothing)

    async def _doubt_all(self) -> None:
        for live in self._referee.in_memory():
            if has_conditional_turns(live.match):
                live.is_doubtful = True

    async def _play_due(self) -> None:
        with contextlib.suppress(StoreFailed):  # which is logged; who opens the match has its answer played
            for number in await self._store.read("find due turns", "", correspondence.due_matches):
                try:
                    await self._referee.find(number)  # which plays what is due
                except DamierError as error:
                    _log.warning("Match %s: its conditional turn is not played: %s", number, error)

    async def close(self) -> None:
        """Stops looking."""
        await asyncio.gather(*self._reading, return_exceptions=True)
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    def line(self, live: LiveMatch, visitor: str, turn: int) -> tuple[GameLine, str]:
        """Returns the game up to where a visitor's lines begin, and the player; raises a `DamierError`."""
        match = live.match
        player = planning_player(match, visitor)
        refuse_plan(match, player)
        if turn != match.record.turn + 1:
            raise NotNow(message("The game has gone on: look at the board, and plan again."))
        line = match.line()
        return line.model_copy(update={"actions": line.actions[: first_place(match)]}), player

    async def enter(self, live: LiveMatch, visitor: str, turn: int, lines: tuple[Line, ...]) -> None:
        """Stores lines that `check_lines` has returned, instead of those before; raises a `DamierError`."""

        async def store() -> None:
            _, player = self.line(live, visitor, turn)
            number, entered = live.match.number, ConditionalTurns(player, first_place(live.match), lines)
            write = partial(correspondence.enter_conditional, number=number, person=visitor, turns=entered, at=now())
            try:
                await self._store.write("store conditional turns", number, write)
            except StoreFailed:
                live.is_doubtful = True
                raise
            others = {each: turns for each, turns in live.conditional.items() if each != player}
            live.conditional = {**others, player: entered} if lines else others
            self._hub.announce("conditional", number)

        live.is_doubtful |= self._hub.is_shared  # another process may have stored a turn
        await self._referee.change(live, store)


async def _nothing() -> None:
    """Changes nothing: what is stored elsewhere is read before."""
