"""Who is told that a seek has led to a match: the pages that are open, or else the next one that is opened.

Each process learns by itself that a seek is taken, and keeps that for owners who have no page anywhere. The one that
tells an owner has the others drop it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.lobby.feed import Feed
    from damier.server.wire.lobby import PairedMessage

KEPT = 600.0
"""Seconds for which somebody without a page may still be told of a match."""

_REMEMBERED = 1000  # seeks of which other processes have told


class PairedPeople:
    """Those whose seeks have led to matches."""

    def __init__(self, feed: Feed, hub: Hub, clock: Callable[[], float]) -> None:
        self._feed, self._hub, self._clock = feed, hub, clock
        self._untold: dict[str, dict[str, tuple[float, PairedMessage]]] = {}
        """By person and seek."""

        self._told: OrderedDict[str, None] = OrderedDict()
        """Seeks of which another process has told, maybe before this one has heard that they are taken."""

        hub.listen("paired", self._hear)

    def tell(self, person: str, told: PairedMessage) -> None:
        """Tells a person now, or when they come back."""
        if self._feed.is_here(person):
            self._feed.tell(person, told)
            self._announce(person, [told.seek])
        elif told.seek not in self._told:
            self._untold.setdefault(person, {})[told.seek] = self._clock(), told

    def take(self, person: str) -> list[PairedMessage]:
        """Returns what a person who has opened a page is to be told; nobody else tells it any more."""
        since = self._clock() - KEPT
        found = [told for at, told in self._untold.pop(person, {}).values() if at >= since]
        self._announce(person, [told.seek for told in found])
        return found

    def drop_old(self) -> None:
        """Forgets what it is too late to tell."""
        since = self._clock() - KEPT
        for person, seeks in tuple(self._untold.items()):
            kept = {seek: (at, told) for seek, (at, told) in seeks.items() if at >= since}
            self._untold[person] = kept
            if not kept:
                del self._untold[person]

    def _announce(self, person: str, seeks: Sequence[str]) -> None:
        if seeks and self._hub.is_shared:
            self._hub.announce("paired", person, body=list(seeks))

    def _hear(self, person: str, _seq: int, seeks: Sequence[str]) -> None:
        own = self._untold.get(person, {})
        for seek in seeks:
            own.pop(seek, None)
            self._told[seek] = None
        if not own:
            self._untold.pop(person, None)
        while len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
