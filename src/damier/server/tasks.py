"""Tasks of the event loop."""

from __future__ import annotations

import asyncio
import contextlib


async def cancel(task: asyncio.Task[None] | None) -> None:
    """Cancels a task, if there is one, and waits until it has ended."""
    if task:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
