"""A match in memory: its connections, its lock, and the state that they are sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from damier.server.matches.match_data import common_state, match_state, snapshot

if TYPE_CHECKING:
    from damier.server.matches.match import Event, Match
    from damier.server.wire.matches import CommonState, MatchSnapshot, MatchState
    from damier.server.wire.model import WireModel


class Listener(Protocol):
    """A connection that follows a match."""

    visitor: str

    def send(self, message: WireModel) -> None:
        """Sends a message."""

    def handle_event(self, seq: int, event: Event) -> None:
        """Handles an event, which has just changed the match."""


class LiveMatch:
    """A match in memory."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.thinking: asyncio.Task[None] | None = None
        self._common: dict[str, CommonState] = {}
        self._common_seq = -1

    @property
    def here(self) -> set[str]:
        """The visitors who are connected."""
        return {listener.visitor for listener in self.listeners}

    def state(self, visitor: str, lang: str) -> MatchState:
        """Returns the state for a visitor; the part that all visitors share is made once for each event."""
        if self._common_seq != self.match.seq:
            self._common, self._common_seq = {}, self.match.seq
        if lang not in self._common:
            self._common[lang] = common_state(self.match, lang)
        return match_state(self._common[lang], self.match, visitor)

    def snapshot(self, visitor: str, lang: str) -> MatchSnapshot:
        """Returns all that a visitor may know of the match."""
        return snapshot(self.state(visitor, lang), self.match, self.here, visitor, lang)

    def broadcast(self, message: WireModel) -> None:
        """Sends a message to all connections."""
        for listener in tuple(self.listeners):
            listener.send(message)
