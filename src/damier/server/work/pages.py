"""The pages' share of processes: runs page requests, and keeps answers that are the same for everybody."""

from __future__ import annotations

import asyncio
import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from damier.engine.pool.pool import Workers
from damier.games import registered
from damier.server.work.request import PAGES, PageRequest, prepare_process

_KEPT = 32_000_000  # bytes of answers
_QUEUED, _QUEUED_PER_OWNER = 200, 12
_NICENESS = 5  # answers to players come first


class PageWork:
    """Runs page requests in worker processes."""

    def __init__(self, count: int) -> None:
        self.workers = Workers(
            count,
            memory=1,
            per_owner=max(1, count - 1),
            queued_per_owner=_QUEUED_PER_OWNER,
            queued=_QUEUED,
            niceness=_NICENESS,
            prepare=functools.partial(prepare_process, registered(), PAGES),
            grace=0.0,
        )
        self._kept: OrderedDict[tuple[Any, ...], asyncio.Task[bytes]] = OrderedDict()
        self._size = 0

    async def run(self, owner: str, group: str, function: Callable[..., Any], *arguments: Any) -> bytes:
        """Returns what a function returns, encoded; raises its `DamierError`, `QueueFull` or `EngineFault`."""
        return await self.workers.submit(PageRequest(function, arguments), owner, group)

    async def run_once(self, owner: str, group: str, function: Callable[..., Any], *arguments: Any) -> bytes:
        """Returns what `run` returns; the answer is kept, and requests that come meanwhile wait for the same one."""
        key = (function, *arguments)
        task = self._kept.get(key)
        if task is None:
            task = self._kept[key] = asyncio.create_task(self.run(owner, group, function, *arguments))
            task.add_done_callback(lambda done: self._keep(key, done))
        else:
            self._kept.move_to_end(key)
        return await asyncio.shield(task)

    def _keep(self, key: tuple[Any, ...], task: asyncio.Task[bytes]) -> None:
        """Counts an answer, and forgets those that were used least recently; a failure is forgotten at once."""
        if task.cancelled() or task.exception():
            del self._kept[key]
            return
        self._size += len(task.result())
        for old, kept in list(self._kept.items()):
            if self._size <= _KEPT:
                break
            if kept.done():
                self._size -= len(kept.result())
                del self._kept[old]

    def close(self) -> None:
        """Ends the processes."""
        self.workers.close()
