"""Work that one of all processes does every minute: it makes good what a process has left that was killed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from damier.core.errors import DamierError
from damier.server.hub.hub import Hub

SECONDS = 60.0
"""Between two times."""


async def repeat(hub: Hub, name: str, work: Callable[[], Awaitable[Any]], seconds: float = SECONDS) -> None:
    """Does some work now; among several processes also every minute, in the one that has the lease of the name.

    The work logs its own failures.
    """
    while True:
        if await hub.lease(name, 1.5 * seconds):
            with contextlib.suppress(DamierError):
                await work()
        if not hub.is_shared:
            return
        await asyncio.sleep(seconds)
