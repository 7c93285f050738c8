"""The outbox: what is to be sent to browsers and mailboxes, in a bounded queue, tried again a few times.

It is in memory: what waits when the server stops is lost, as is what does not fit. Nothing here waits for the network
in the event loop, and nothing that fails here reaches a match.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from damier.server.notices.mail import Outcome
    from damier.server.notices.notice import Channel
    from damier.server.operations.metrics import Metrics

_log = logging.getLogger(__name__)

MOST = 2000
"""Things that wait at a time; more are dropped."""

PAUSES = (10.0, 60.0, 600.0)
"""Seconds before something is tried again; after the last attempt it is given up."""

_THREADS = 4

Work = Callable[[], Coroutine[Any, Any, None]]


class Outbox:
    """Work that waits for its time, and the threads in which things are sent."""

    def __init__(self, metrics: Metrics, pauses: tuple[float, ...] = PAUSES, most: int = MOST) -> None:
        self._metrics, self._pauses, self._most = metrics, pauses, most
        self._timers: set[asyncio.TimerHandle] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads: ThreadPoolExecutor | None = None
        self._slots = asyncio.Semaphore(_THREADS)
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._timers) + len(self._tasks)

    def put(self, work: Work, delay: float = 0.0) -> bool:
        """Has work done after some seconds; returns False if too much waits already."""
        if self._is_closed:
            return False
        if len(self) >= self._most:
            self._metrics.notice_sent("all", "dropped")
            return False

        def begin() -> None:
            self._timers.discard(timer)
            task = asyncio.create_task(self._run(work))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        timer = asyncio.get_running_loop().call_later(delay, begin)
        self._timers.add(timer)
        return True

    async def _run(self, work: Work) -> None:
        try:
            async with self._slots:
                await work()
        except Exception:  # whatever it is, it is only a notice
            _log.exception("A notice could not be sent.")

    def send(
        self,
        channel: Channel,
        post: Callable[[], Outcome],
        done: Callable[[Outcome], Coroutine[Any, Any, None]],
        attempt: int = 0,
    ) -> None:
        """Has `post` called in a thread, again after a while if that may help; `done` gets the last outcome."""

        async def work() -> None:
            outcome = await self._in_thread(post)
            is_last = attempt >= len(self._pauses)
            self._metrics.notice_sent(channel, "given_up" if outcome == "retry" and is_last else outcome)
            if outcome == "retry" and not is_last:
                self.send(channel, post, done, attempt + 1)
            else:
                await done(outcome)

        self.put(work, self._pauses[attempt - 1] if attempt else 0.0)

    async def _in_thread(self, post: Callable[[], Outcome]) -> Outcome:
        self._threads = self._threads or ThreadPoolExecutor(_THREADS, "notices")
        return await asyncio.get_running_loop().run_in_executor(self._threads, post)

    async def settle(self) -> None:
        """Waits until nothing is being sent; what waits for its time goes on waiting."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Drops what waits; what is being sent ends by itself."""
        self._is_closed = True
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None
