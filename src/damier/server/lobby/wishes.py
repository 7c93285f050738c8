"""Wishes: who wants to be told when somebody seeks a game, and those who tell them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from damier.server.store.statements import seeks as stored
from damier.server.wire.lobby import SeekData

if TYPE_CHECKING:
    from damier.server.store.store import Store

OnSeek = Callable[[SeekData, Sequence[str]], None]


class WishList:
    """The wishes of all people."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._callbacks: list[OnSeek] = []

    def on_seek(self, callback: OnSeek) -> None:
        """Has a function called with each new open seek and the persons who want to be told of it."""
        self._callbacks.append(callback)

    async def of(self, person: str) -> list[str]:
        """Returns the games of which a person wants to be told."""
        return await self._store.read("read wishes", "", partial(stored.wishes, person=person))

    async def choose(self, person: str, games: Sequence[str]) -> None:
        """Stores the games of which a person wants to be told."""
        await self._store.write("store wishes", "", partial(stored.store_wishes, person=person, games=games))

    async def tell(self, seek: SeekData, may_be_told: Callable[[str], bool]) -> None:
        """Calls those who tell of a new seek."""
        if not self._callbacks:
            return
        games = sorted({terms.game for terms in seek.terms})
        wishing = await self._store.read("read wishes", "", partial(stored.wishing, games=games))
        people = list(filter(may_be_told, wishing))
        for callback in self._callbacks:
            callback(seek, people)
