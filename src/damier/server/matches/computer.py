"""What happens in a match without anybody asking for it: rolls of the die, conditional turns, the computer's turns.

All are due until they are done. A turn waits for an engine's process as long as it takes; a failure of the engine or
of the database is logged and tried again, later and later, until the turn is played or the match has changed. The pages
are told when a turn is delayed, and why.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.engine.pool.pool import ChooseRequest, QueueFull
from damier.server.matches.match import Event
from damier.server.store.store import AppendRaced, StoreFailed
from damier.server.wire.matches import DelayedMessage, ThinkingMessage

if TYPE_CHECKING:
    from damier.engine.pool.pool import Workers
    from damier.server.matches.live_match import LiveMatch
    from damier.server.operations.metrics import Metrics

    Apply = Callable[[LiveMatch, Event], Awaitable[None]]
    CatchUp = Callable[[LiveMatch], Awaitable[None]]
    Lease = Callable[[str, float], Awaitable[bool]]

_log = logging.getLogger(__name__)

_PATIENCE = 2.0  # seconds beyond the thinking time after which a turn counts as delayed
_LEASED = 10.0  # seconds beyond the thinking time after which another process may play a turn
_LOOK = 0.5  # seconds between two looks at a turn that another process plays
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds between attempts; each pause is twice the one before


class Computer:
    """Rolls the dice and plays the computer's turns."""

    def __init__(
        self, workers: Workers, seconds: float, apply: Apply, catch_up: CatchUp, metrics: Metrics, lease: Lease
    ) -> None:
        """`apply` stores an event and publishes it; `catch_up` reads what is stored and not in memory.

        `lease` lets one process at a time play a turn; it passes on when that process is killed.
        """
        self._workers, self._seconds, self._metrics, self._lease = workers, seconds, metrics, lease
        self._apply, self._catch_up = apply, catch_up

    async def roll(self, live: LiveMatch) -> None:
        """Rolls the die and plays conditional turns, if that is due; if it cannot be stored, `follow` tries again.

        Called under the match's lock.
        """
        try:
            while event := live.match.due_roll() or live.due_answer():
                await self._apply(live, event)
        except StoreFailed:  # also if another process has stored the same: both follow from what is stored
            return

    def follow(self, live: LiveMatch, *, is_heard: bool = False) -> None:
        """Begins what is due in a match, instead of what was due before. Called under the match's lock.

        After an event of another process (`is_heard`) a moment later: that one does it, unless it is killed.
        """
        if live.due:
            if live.due is asyncio.current_task():
                return  # it goes on by itself
            live.due.cancel()
        live.due = asyncio.create_task(self._run(live, _LOOK if is_heard else 0.0)) if live.is_due else None

    async def _run(self, live: LiveMatch, wait: float) -> None:
        """Rolls and plays until a person is to act or the game is over."""
        try:
            if wait:
                await asyncio.sleep(wait)
            await self._play_on(live)
        finally:
            if live.due is asyncio.current_task():
                live.due = None

    async def _play_on(self, live: LiveMatch) -> None:
        pause, attempt = _FIRST_PAUSE, 0
        while live.is_due:
            try:
                await self._step(live)
                pause, attempt = _FIRST_PAUSE, 0
            except AppendRaced:  # another process has played it, or somebody has resigned there
                async with live.lock:
                    await self._catch_up(live)
            except QueueFull:
                self._metrics.computer_turn("retried")
                self._tell_delay(live, "busy")
                await asyncio.sleep(pause)
                pause = min(2 * pause, _PATIENCE)
            except Exception as error:  # whatever it is, somebody waits for this turn
                attempt += 1
                self._metrics.computer_turn("failed")
                self._log_failure(live, error, attempt, pause)
                self._tell_delay(live, "failed")
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def _step(self, live: LiveMatch) -> None:
        """Does what is due first: rolls, plays one action of a conditional turn, or one choice of the computer."""
        match = live.match
        level = match.due_level()
        if level is None:
            async with live.lock:
                await self._catch_up(live)
                if event := match.due_roll() or live.due_answer():
                    await self._apply(live, event)
            return
        seq, player = match.seq, match.record.mover
        if not await self._lease(f"turn:{match.number}:{seq}", self._seconds + _LEASED):
            await asyncio.sleep(_LOOK)
            return
        chosen = await self._choose(live, level)
        async with live.lock:
            await self._catch_up(live)
            if match.seq != seq:
                return
            for action in chosen:
                if match.record.result or match.record.mover != player:
                    break
                if action not in match.record.actions():
                    raise EngineFault(message("The engine chose an action that is not legal."))
                await self._apply(live, Event("play", player, action))
            self._metrics.computer_turn("played")
            await self.roll(live)

    async def _choose(self, live: LiveMatch, level: int) -> list[str]:
        """Returns the computer's choice; tells the pages if it takes long."""
        match = live.match
        live.show(ThinkingMessage(type="thinking", player=match.record.mover))
        request = ChooseRequest(
            match.game,
            actions=match.record.played,
            level=level,
            seed=int.from_bytes(match.seed[:4], "big"),
            limit=Limit(seconds=live.thinking_time(self._seconds)),
        )
        job = self._workers.submit(request, owner=match.creator, group=live.address or None)
        choosing = asyncio.wrap_future(job)
        try:
            await asyncio.wait([choosing], timeout=self._seconds + _PATIENCE)
            if not choosing.done():
                self._tell_delay(live, "busy")
            return list(await choosing)
        finally:
            job.cancel()

    def _tell_delay(self, live: LiveMatch, why: str) -> None:
        number, player = live.match.number, live.match.record.mover
        if why == "busy":
            _log.warning("Match %s: the computer's turn waits for a free engine.", number, extra={"match": number})
        live.show(DelayedMessage.model_validate({"type": "delayed", "player": player, "why": why}))

    def _log_failure(self, live: LiveMatch, error: Exception, attempt: int, pause: float) -> None:
        number = live.match.number
        _log.error(
            "Match %s: the computer's turn failed, attempt %d, next in %g s: %s",
            number,
            attempt,
            pause,
            error,
            exc_info=None if isinstance(error, DamierError) else error,
            extra={"match": number, "attempt": attempt},
        )
