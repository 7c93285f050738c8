"""Hubs for tests: those of one process that share an exchange, and those that share a Redis."""

import asyncio
import contextlib
import itertools
import os
from collections.abc import AsyncIterator, Callable

import pytest

from damier.server.hub.hub import Hub
from damier.server.hub.local import Exchange, LocalHub
from damier.server.hub.redis_hub import RedisHub
from tests.shared import shared_process
from tools.redis import NoRedis, start

KINDS = ("local", "redis")
PATIENCE = 60.0
_PER_WORKER = 500
_numbers = itertools.count()


def redis_address() -> str:
    """Returns the address of a Redis database that no other test uses."""
    try:
        server = shared_process("redis", start)
    except NoRedis as error:
        pytest.fail(str(error), pytrace=False)
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 20
    return f"{server}?db={worker * _PER_WORKER + next(_numbers) % _PER_WORKER}"


@contextlib.asynccontextmanager
async def open_hubs(kind: str, count: int = 2, address: str = "") -> AsyncIterator[list[Hub]]:
    """Yields open hubs that hear each other, as if each belonged to another process."""
    exchange = Exchange()
    address = address or (redis_address() if kind == "redis" else "")
    hubs: list[Hub] = [RedisHub(address) if address else LocalHub(exchange) for _ in range(count)]
    for hub in hubs:
        await hub.open()
    try:
        await until(lambda: not any(hub.is_deaf for hub in hubs))
        yield hubs
    finally:
        for hub in hubs:
            await hub.close()


async def until(is_so: Callable[[], bool]) -> None:
    """Waits until a condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)
