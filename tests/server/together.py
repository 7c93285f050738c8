"""Two servers on one database, as in two processes, whose announcements can be lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import Any
from unittest.mock import patch

from damier.server.hub.hub import Kind
from damier.server.hub.local import Exchange, LocalHub
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.dialect import PostgresqlServer, SqliteFile
from tests.server.served import SETTINGS


class DeafHub(LocalHub):
    """A hub that loses announcements while it is deaf, and then hears that some may have been missed."""

    loses = False

    def hear(self, kind: Kind, number: str, seq: int, body: Any = None) -> None:
        if not self.loses:
            super().hear(kind, number, seq, body)

    async def resume(self) -> None:
        """Hears again."""
        self.loses = False
        for missed in self._resumed:
            await missed()

    async def sweep(self) -> None:
        """Compares what is followed with the database, as is done every few seconds."""
        for missed in self._missed:
            await missed()


def no_lock() -> ExitStack:
    """Lets several stores use one database, as the processes of one installation do."""
    patches = ExitStack()
    patches.enter_context(patch.object(PostgresqlServer, "_take_lock", lambda *_: None))
    patches.enter_context(patch.object(SqliteFile, "hold", lambda *_: None))
    return patches


@asynccontextmanager
async def two_servers(database: str, **settings: Any) -> AsyncIterator[tuple[Services, Services]]:
    """Opens two servers, whose hubs are `DeafHub`s."""
    exchange = Exchange()
    given = ServerSettings.read({**SETTINGS, "database": database, **settings})
    with no_lock(), patch("damier.server.services.make_hub", lambda _: DeafHub(exchange)):
        one, other = Services(given), Services(given)
        await one.open()
        await other.open()
        try:
            yield one, other
        finally:
            await other.close()
            await one.close()


def hub_of(services: Services) -> DeafHub:
    """Returns the hub of a server."""
    assert isinstance(services.hub, DeafHub)
    return services.hub


async def until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.005)
