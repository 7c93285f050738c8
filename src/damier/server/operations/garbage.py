"""Garbage collection in short pauses.

A full collection of Python walks every object. With 450 live matches that stops the server for 200 ms, several times a
minute (2026-11-17). Nearly all objects are freed by their reference counts; only those in cycles need the collector. So
what survives a full collection is frozen: the next one walks only what is newer. Cycles among frozen objects are freed
by a *thorough* collection, which is repeated once a minute at most and takes at most a thousandth of the time.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time

from damier.server.tasks import cancel

_log = logging.getLogger(__name__)

_INTERVAL = 60.0  # seconds between thorough collections, at least
_SHARE = 1000  # the interval is at least so many times the pause
_OLDEST = 2  # generation of a full collection


class GarbageCollection:
    """Freezes what survives, and collects thoroughly now and then."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to freeze; runs in the event loop until `close`."""
        if self._task is None:
            collect_thoroughly()
            gc.callbacks.append(_freeze_survivors)
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Leaves everything to Python again."""
        if self._task:
            await cancel(self._task)
            self._task = None
            gc.callbacks.remove(_freeze_survivors)
            gc.unfreeze()

    async def _run(self) -> None:
        pause = 0.0
        while True:
            await asyncio.sleep(max(_INTERVAL, _SHARE * pause))
            pause = collect_thoroughly()
            _log.info("A thorough garbage collection took %.0f ms.", 1000 * pause, extra={"seconds": round(pause, 3)})


def collect_thoroughly() -> float:
    """Collects all objects, frozen ones too, and freezes the survivors; returns how many seconds it took."""
    began = time.perf_counter()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return time.perf_counter() - began


def _freeze_survivors(phase: str, info: dict[str, int]) -> None:
    if phase == "stop" and info["generation"] == _OLDEST:
        gc.freeze()
