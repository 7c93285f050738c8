"""Tasks of the event loop."""

from __future__ import annotations

import asyncio

_PATIENCE = 5.0  # seconds


async def cancel(task: asyncio.Task[None] | None) -> None:
    """Cancels a task, if there is one, and waits until it has ended; raises what the task raises.

    A task that does not end is cancelled again: a library that is cancelled at the moment of its own time-out may take
    the one for the other.
    """
    while task and not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_PATIENCE)
    if task and not task.cancelled() and (error := task.exception()):
        raise error
