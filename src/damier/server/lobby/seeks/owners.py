"""Owners of live seeks: who is here, by a page of the lobby or a stream at any process, and who has gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from damier.server.hub.hub import PLACES

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.lobby.feed import Feed
    from damier.server.lobby.seeks.open_seeks import OpenSeeks

GRACE = 10.0
"""Seconds for which a live seek outlives its owner's last page or stream."""


class Owners:
    """Who has live seeks, and whether they are here."""

    def __init__(self, seeks: OpenSeeks, feed: Feed, hub: Hub, clock: Callable[[], float]) -> None:
        self._seeks, self._feed, self._hub, self._clock = seeks, feed, hub, clock
        self.has_stream: Callable[[str], bool] = lambda _person: False
        """Tells of a person whether a program of theirs follows their events here."""

        self._left: dict[str, float] = {}
        """When the last page or stream of an owner has gone."""

    def is_at(self, person: str) -> bool:
        """Tells whether a person has a page or a stream at this process."""
        return self._feed.is_here(person) or self.has_stream(person)

    def is_here(self, person: str) -> bool:
        """Tells whether a person has a page or a stream at any process."""
        return self.is_at(person) or any(person in self._hub.people(place) for place in PLACES)

    def come(self, person: str) -> None:
        """Notes that a person has opened a page."""
        self._left.pop(person, None)

    def go(self, person: str) -> None:
        """Notes that a page or a stream of a person has ended, or that they have a seek without either."""
        if self._seeks.live_of(person) and not self.is_here(person):
            self._left[person] = self._clock()

    def gone(self) -> list[str]:
        """Returns the owners of live seeks who have been gone for long enough. Called every second."""
        if self._hub.is_deaf:  # nobody knows who is elsewhere
            self._left = {}
            return []
        now, owners = self._clock(), self._seeks.live_owners()
        here = {person for place in PLACES for person in self._hub.people(place)} if owners else set()
        left = {person: self._left.get(person, now) for person in owners if person not in here}
        self._left = {person: at for person, at in left.items() if not self.is_at(person)}
        return [person for person, at in self._left.items() if now - at >= GRACE]
